extension SettingsContent.Merge {
    /// A group that one side removed with all that was in it.
    struct RemovedGroup: Sendable {
        /// What the other side has of its file.
        var item: SettingsContent.Item
        /// Whether the other side changed more of the file than the order, which follows what is in the group.
        var isEdited: Bool
        /// The side that kept it.
        var keptBy: InForce
    }

    /// Merges three states item by item.
    mutating func mergeItems(base: SettingsContent, ours: SettingsContent, theirs: SettingsContent) {
        let subjects = base.subjects.union(ours.subjects).union(theirs.subjects).sorted()
        // What becomes of a group depends on the options that are left in it.
        for subject in subjects.filter({ !$0.isGroup }) + subjects.filter(\.isGroup) {
            let title = ours[subject] == nil ? theirs.title(of: subject) : ours.title(of: subject)
            let sides = Sides(base: base[subject], ours: ours[subject], theirs: theirs[subject])
            if !isContested(subject, sides), noteRemoval(of: subject, sides, ours, theirs) { continue }
            let merged = merged(subject, title: title, sides)
            settings[subject] = merged.item
            conflicts += merged.conflicts
            if !merged.conflicts.isEmpty || isDecided(subject) { self.sides[subject] = sides }
        }
        settleRemovedGroups()
        conflicts.sort { $0.subject < $1.subject }
    }

    /// One item, merged. To be asked for groups once the options are merged.
    func merged(
        _ subject: Subject, title: ExactText, _ sides: Sides
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        isContested(subject, sides)
            ? SettingsContent.Item.contested(subject, title: title, base: sides.base, ours: sides.ours, theirs: sides.theirs)
            : SettingsContent.Item.merge(subject, title: title, base: sides.base, ours: sides.ours, theirs: sides.theirs)
    }

    private func isContested(_ subject: Subject, _ sides: Sides) -> Bool {
        contested.contains(subject) || hasLost(subject, sides) || contradictsDecision(subject, sides)
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
        holdsOptions(group) || conflicts.contains { !$0.subject.isGroup && Self.lies($0.subject.key, in: group) }
    }

    private func holdsOptions(_ group: Subject) -> Bool {
        group.key.isRoot || populated.contains(group.key) || settings.options.keys.contains { Self.lies($0, in: group) }
    }

    // An option of the same name stands beside the group.
    private static func lies(_ key: Key, in group: Subject) -> Bool { key != group.key && key.isWithin(group.key) }

    /// Notes a group that one side removed with everything in it; false for any other.
    mutating func noteRemoval(
        of subject: Subject, _ sides: Sides, _ ours: SettingsContent, _ theirs: SettingsContent
    ) -> Bool {
        guard subject.isGroup, !subject.key.isRoot, let base = sides.base, (sides.ours == nil) != (sides.theirs == nil),
            let item = sides.ours ?? sides.theirs, !populated.contains(subject.key)
        else { return false }
        let remover = sides.ours == nil ? ours : theirs
        let isLeft = remover.options.keys.contains { Self.lies($0, in: subject) && !putBack.contains(.option($0)) }
        if isLeft { return false }
        removals[subject] = RemovedGroup(
            item: item, isEdited: item.isEdited(since: base), keptBy: sides.ours == nil ? .theirs : .ours)
        return true
    }

    /// The groups that one side removed with everything in them, where that is not in conflict by itself.
    package var removedGroups: Set<Subject> { Set(removals.keys) }

    /// A group that one side removed stays as the other has it while there is something in it, and goes with the last of that.
    package mutating func settleRemovedGroups(taking side: InForce? = nil) {
        for (subject, removed) in removals where place(of: subject, .existence) == nil {
            guard holdsOptions(subject) || removed.isEdited && removed.keptBy == side else {
                settings[subject] = nil
                continue
            }
            settings[subject] = removed.item.ordering(only: Array(settings.subjects), in: subject.key)
        }
    }
}

extension SettingsContent.Item {
    /// A group's file without the names in its order that nothing in the group has.
    package func ordering(only subjects: [Subject], in key: Key) -> SettingsContent.Item {
        guard case .group(var group) = self, let order = group.order else { return self }
        let depth = key.parts.count
        let names = Set(subjects.filter { $0.key != key && $0.key.isWithin(key) }.map { $0.key.parts[depth] })
        let left = order.filter { names.contains($0.string) }
        group.order = left.isEmpty ? nil : left
        return .group(group)
    }

    /// Whether more of it differs than the order of what is in the group.
    fileprivate func isEdited(since base: SettingsContent.Item) -> Bool {
        var (facets, old) = (facets, base.facets)
        (facets[.order], old[.order]) = (nil, nil)
        return facets != old
    }
}
