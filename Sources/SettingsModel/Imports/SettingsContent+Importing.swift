extension SettingsContent {
    /// These settings with an import applied; `before` is the result of earlier imports, `removing` what the import no longer
    /// has and is to be removed. Labels are identified as in every merge: by value, then by text.
    ///
    /// Changes that people made since are kept, and reported as conflicts if the import differs. `overwrites`: the import wins,
    /// even where only people changed something.
    package func bringing(
        _ imported: Imported, since before: SettingsContent, removing: Set<Subject> = [], overwrites: Bool = false
    ) -> Merge {
        var imported = imported
        imported.settings = imported.settings.keepingMemberOrder(of: overwrites ? self : before)
        var (base, theirs) = (before, imported.settings)
        for subject in removing { theirs[subject] = nil }
        var unknown: [Subject] = []
        for subject in imported.settings.subjects where before[subject] == nil {
            guard let ours = self[subject] else { continue }
            unknown.append(subject)
            // If it was never imported, people made what is there, and an import only adds to a group.
            if case .group = subject {
                base[subject] = .group(SettingsGroup())
            } else {
                base[subject] = overwrites ? ours : imported.settings[subject]
            }
        }
        for (key, group) in imported.settings.groups {
            let earlier = before.groups[key]
            let ours = groups[key]?.order
            let gone = removedNames(in: key, removing, imported.settings)
            let known = earlier == nil ? ours : earlier?.order
            let next = SettingsGroup.order(known ?? [], with: group.order ?? [], rearranging: earlier != nil)
            base.groups[key]?.order = known
            theirs.groups[key]?.order = known == nil && group.order == nil ? nil : next.filter { !gone.contains($0) }
        }
        for (key, option) in imported.settings.options where !imported.givesValue(of: key) {
            guard let earlier = base.options[key], earlier.type == option.type,
                earlier.value.map({ option.fault(of: $0) == nil }) ?? true
            else { continue }
            theirs.options[key]?.value = earlier.value
        }
        if overwrites {
            let winner = ImportWinner(imported: imported, earlier: before, present: self)
            for subject in base.subjects.union(theirs.subjects) {
                theirs[subject] = theirs[subject].map { winner.item(subject, $0) }
                base[subject] = self[subject]
            }
        }
        var merge = SettingsContent.merge(base: base, ours: self, theirs: theirs)
        merge.decide(for: overwrites ? theirs : self)
        for subject in unknown where !overwrites {
            guard case .option(let key) = subject, let ours = self[subject], let theirs = imported.settings[subject],
                ours != theirs
            else { continue }
            merge.conflicts.append(
                Conflict(
                    subject, title: title(of: .option(key)), facet: .existence, base: nil, ours: .item(ours),
                    theirs: .item(theirs), reason: "it already existed and was not imported"))
        }
        return merge
    }

    /// These settings with the changes between two imports, `old` and `new`, applied; they win over other changes.
    package func replaying(_ new: SettingsContent, since old: SettingsContent) -> SettingsContent {
        var merge = SettingsContent.merge(base: old, ours: self, theirs: new)
        merge.decide(for: new)
        return merge.settings
    }

    /// The names in `group` that nothing has after the removal.
    private func removedNames(in group: Key, _ removing: Set<Subject>, _ imported: SettingsContent) -> Set<ExactText> {
        if removing.isEmpty { return [] }
        let names = removing.filter { $0.key.group == group && !$0.key.isRoot }.map(\.key)
        return Set(names.filter { imported.options[$0] == nil && !imported.allGroups.contains($0) }.map { ExactText($0.name) })
    }
}

extension SettingsGroup {
    /// `order` with all of `names` added: a new name follows the name that precedes it in `names`. `rearranging`: the names
    /// in both lists take the order of `names`, within the positions that they already have.
    package static func order(_ order: [ExactText], with names: [ExactText], rearranging: Bool) -> [ExactText] {
        if order.isEmpty { return names }
        let (known, present) = (Set(names), Set(order))
        var sorted = names.filter { present.contains($0) }[...]
        var interleaved = rearranging ? order.map { known.contains($0) ? sorted.removeFirst() : $0 } : order
        var previous: ExactText?
        for (index, name) in names.enumerated() {
            defer { previous = name }
            if present.contains(name) { continue }
            if let previous, let place = interleaved.firstIndex(of: previous) {
                interleaved.insert(name, at: place + 1)
            } else if let next = names[index...].first(where: { present.contains($0) }),
                let place = interleaved.firstIndex(of: next)
            {
                interleaved.insert(name, at: place)
            } else {
                interleaved.append(name)
            }
        }
        return interleaved
    }

    /// Whether this order has `names` in the same relative order.
    package func follows(_ names: [ExactText]?) -> Bool {
        guard let names else { return true }
        let known = Set(names)
        return (order ?? []).filter { known.contains($0) } == names
    }
}

/// The facets of an import, and no others, applied so that they win.
private struct ImportWinner {
    let imported: Imported
    let earlier: SettingsContent
    let present: SettingsContent

    func item(_ subject: Subject, _ theirs: SettingsContent.Item) -> SettingsContent.Item {
        guard let ours = present[subject] else { return theirs }
        switch (theirs, ours) {
        case (.option(let theirs), .option(let ours)):
            return .option(imported.givesDefinition(of: subject.key) ? defined(subject, theirs, ours) : valued(theirs, ours))
        case (.group(let theirs), .group(let ours)): return .group(group(subject, theirs, ours))
        default: return theirs
        }
    }

    /// A file of values doesn't define titles and types.
    private func valued(_ theirs: SettingsOption, _ ours: SettingsOption) -> SettingsOption {
        var option = ours
        option.value = theirs.value
        for name in [ExactText(imported.format.rawValue), "key"] { option.other[name] = theirs.other[name] }
        return option.faults().isEmpty ? option : theirs
    }

    private func defined(_ subject: Subject, _ theirs: SettingsOption, _ ours: SettingsOption) -> SettingsOption {
        var option = theirs
        let before = earlier[subject]?.option
        if option.help == nil, before?.help == nil { option.help = ours.help }
        for (name, value) in ours.other where theirs.other[name] == nil && before?.other[name] == nil {
            option.other[name] = value
        }
        if option.type == ours.type {
            option.labels = labels(theirs.labels, ours.labels, before?.labels)
            if !imported.givesValue(of: subject.key) {
                option.value = ours.value
                if let value = ours.value { keepLabel(of: value, from: ours, in: &option) }
            }
            for entry in option.environmentValues { keepLabel(of: entry.value, from: ours, in: &option) }
        }
        return option.faults().isEmpty ? option : theirs
    }

    /// What is chosen and not in the file stays, and so does its label.
    private func keepLabel(of value: JSON, from ours: SettingsOption, in option: inout SettingsOption) {
        guard option.fault(of: value) != nil, let label = ours.labels.label(of: value) else { return }
        option.labels.insert(label, at: Swift.min(ours.labels.index(of: value) ?? 0, option.labels.count))
    }

    /// The file's labels, and the labels that people added, each after the label that it follows.
    private func labels(_ theirs: Labels, _ ours: Labels, _ before: Labels?) -> Labels {
        guard let before else { return theirs }
        var labels = theirs
        var previous: JSON?
        for label in ours {
            defer { previous = label.value }
            guard before.label(of: label.value) == nil, labels.label(of: label.value) == nil else { continue }
            labels.insert(label, at: previous.flatMap { labels.index(of: $0) }.map { $0 + 1 } ?? 0)
        }
        return labels
    }

    private func group(_ subject: Subject, _ theirs: SettingsGroup, _ ours: SettingsGroup) -> SettingsGroup {
        let isDefined = imported.givesDefinition(of: subject.key)
        var group = isDefined ? theirs : ours
        if isDefined {
            if theirs.title == nil { group.title = ours.title }
            if theirs.style == nil { group.style = ours.style }
            if theirs.footer == nil { group.footer = ours.footer }
            for (name, value) in ours.other where theirs.other[name] == nil { group.other[name] = value }
        } else {
            for name in [ExactText(imported.format.rawValue), "key"] { group.other[name] = theirs.other[name] }
        }
        group.order = ours.order
        let names = imported.settings[subject].flatMap { if case .group(let group) = $0 { group.order } else { nil } }
        if let names { group.order = SettingsGroup.order(ours.order ?? [], with: names, rearranging: true) }
        return group
    }
}

extension SettingsContent.Merge {
    /// Resolves every conflict with the facet of `side`, or takes the whole option if it would otherwise be invalid.
    fileprivate mutating func decide(for side: SettingsContent) {
        // Labels come before the values chosen from them.
        func rank(_ conflict: Conflict) -> Int { conflict.facet == .labels ? 0 : 1 }
        for conflict in conflicts.sorted(by: { rank($0) < rank($1) }) {
            let content =
                conflict.facet == .existence
                ? side[conflict.subject].map { Change.Content.item($0) } : side[conflict.subject]?.facets[conflict.facet]
            settings.take(content, for: conflict)
        }
        for subject in Set(conflicts.map(\.subject)) {
            guard case .option(let key) = subject, settings.options[key]?.faults().isEmpty == false else { continue }
            settings.options[key] = side.options[key]
        }
    }
}
