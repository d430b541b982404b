extension SettingsContent.Merge {
    /// Merges three states item by item.
    mutating func mergeItems(base: SettingsContent, ours: SettingsContent, theirs: SettingsContent) {
        let subjects = base.subjects.union(ours.subjects).union(theirs.subjects).sorted()
        // What becomes of a group depends on the options that are left in it.
        for subject in subjects.filter({ !$0.isGroup }) + subjects.filter(\.isGroup) {
            let title = ours[subject] == nil ? theirs.title(of: subject) : ours.title(of: subject)
            let sides = Sides(base: base[subject], ours: ours[subject], theirs: theirs[subject])
            let merged = merged(subject, title: title, sides)
            settings[subject] = merged.item
            conflicts += merged.conflicts
            if !merged.conflicts.isEmpty || isDecided(subject) { self.sides[subject] = sides }
        }
        conflicts.sort { $0.subject < $1.subject }
    }

    /// One item, merged. To be asked for groups once the options are merged.
    func merged(
        _ subject: Subject, title: ExactText, _ sides: Sides
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        contested.contains(subject) || hasLost(subject, sides) || contradictsDecision(subject, sides)
            ? SettingsContent.Item.contested(subject, title: title, base: sides.base, ours: sides.ours, theirs: sides.theirs)
            : SettingsContent.Item.merge(subject, title: title, base: sides.base, ours: sides.ours, theirs: sides.theirs)
    }

    /// Whether one side removed a group of which the other changed the file, and nothing is left in it.
    private func hasLost(_ subject: Subject, _ sides: Sides) -> Bool {
        guard subject.isGroup, let base = sides.base, (sides.ours == nil) != (sides.theirs == nil),
            sides.ours ?? sides.theirs != base
        else { return false }
        return !holds(subject)
    }

    /// Whether there are options in a group, or may be again, once a conflict is resolved.
    func holds(_ group: Subject) -> Bool {
        // An option of the same name stands beside the group.
        func isInside(_ key: Key) -> Bool { key != group.key && key.isWithin(group.key) }
        return group.key.isRoot || populated.contains(group.key) || settings.options.keys.contains(where: isInside)
            || conflicts.contains { !$0.subject.isGroup && isInside($0.subject.key) }
    }
}
