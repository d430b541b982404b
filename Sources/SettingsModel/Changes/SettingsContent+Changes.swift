extension SettingsContent {
    /// The changes from `earlier` to these settings, by key, with facets in file order.
    /// A rename in `renames` (old and new subject) is used if it fits both; otherwise it is a removal and an addition.
    public func changes(since earlier: SettingsContent, renames: [(old: Subject, new: Subject)] = []) -> [Change] {
        var base = earlier
        var changes: [Change] = []
        for (old, new) in applicable(renames, since: earlier) {
            base.rename(old, to: new)
            changes.append(Change(new, title: title(of: new), facet: .key, before: .key(old.key), after: .key(new.key)))
        }
        for subject in base.subjects.union(subjects).sorted() where base[subject] != self[subject] {
            changes += facetChanges(of: subject, since: base)
        }
        return changes
    }

    /// Whether this is how a change left its facet; a name says nothing of what else was there.
    package func has(_ change: Change) -> Bool {
        guard change.facet != .key else { return true }
        guard let item = self[change.subject] else { return change.facet == .existence && change.after == nil }
        return change.facet == .existence ? change.after == .item(item) : item.facets[change.facet] == change.after
    }

    private func facetChanges(of subject: Subject, since base: SettingsContent) -> [Change] {
        guard let before = base[subject], let after = self[subject] else {
            let title = self[subject] == nil ? base.title(of: subject) : title(of: subject)
            return [
                Change(
                    subject, title: title, facet: .existence,
                    before: base[subject].map { .item($0) }, after: self[subject].map { .item($0) }
                )
            ]
        }
        let title = title(of: subject)
        // Most changes are of a value alone; comparing the words of every facet takes ten times as long.
        if let old = before.option, let new = after.option, new.isSameExceptValue(as: old) {
            let value = (old.value.map { old.content($0) }, new.value.map { new.content($0) })
            var change = Change(subject, title: title, facet: .value, before: value.0, after: value.1)
            change.offered = Change.Offered(before: old.labels, after: new.labels)
            return Change.Content.isSame(value.0, value.1) ? [] : [change]
        }
        let (old, new) = (before.facets, after.facets)
        return Set(old.keys).union(new.keys).sorted()
            .filter { !Change.Content.isSame(old[$0], new[$0]) }
            .map { facet in
                var change = Change(subject, title: title, facet: facet, before: old[facet], after: new[facet])
                if facet == .value || facet == .default {
                    change.offered = Change.Offered(
                        before: before.option?.labels ?? Labels(), after: after.option?.labels ?? Labels()
                    )
                }
                return change
            }
    }

    /// The title of an item, or the key's last part if it has no title.
    public func title(of subject: Subject) -> ExactText {
        if let title = self[subject]?.title, !title.isEmpty { return title }
        return ExactText(subject.key.isRoot ? "Settings" : subject.key.name)
    }

    /// The `renames` that can be applied to `earlier` and, in reverse order, undone here.
    private func applicable(
        _ renames: [(old: Subject, new: Subject)], since earlier: SettingsContent
    ) -> [(old: Subject, new: Subject)] {
        func fit(_ renames: [(old: Subject, new: Subject)]) -> Bool {
            earlier.canRename(all: renames) && canRename(all: renames.reversed().map { ($0.new, $0.old) })
        }
        if fit(renames) { return renames }
        var applicable: [(old: Subject, new: Subject)] = []
        for rename in renames where fit(applicable + [rename]) { applicable.append(rename) }
        return applicable
    }

    private func canRename(all renames: [(old: Subject, new: Subject)]) -> Bool {
        var settings = self
        for (old, new) in renames {
            guard settings.canRename(old, to: new) else { return false }
            settings.rename(old, to: new)
        }
        return true
    }

    package func canRename(_ old: Subject, to new: Subject) -> Bool {
        switch (old, new) {
        case (.option(let old), .option(let new)): options[old] != nil && options[new] == nil
        case (.group(let old), .group(let new)):
            !old.isRoot && allGroups.contains(old) && !allGroups.contains(new) && !new.isWithin(old)
        default: false
        }
    }

    package mutating func rename(_ old: Subject, to new: Subject) {
        if case .option = old {
            guard old != new, let item = self[old] else { return }
            self[old] = nil
            self[new] = item
            return
        }
        for subject in subjects where subject != .store {
            let moved = subject.renamed(from: old, to: new)
            guard moved != subject else { continue }
            self[moved] = self[subject]
            self[subject] = nil
        }
    }
}

extension SettingsOption {
    fileprivate func isSameExceptValue(as other: SettingsOption) -> Bool {
        var same = self
        same.value = other.value
        return same == other
    }
}

extension Change.Content {
    /// Words are how a value is shown, and are not compared.
    package static func isSame(_ left: Change.Content?, _ right: Change.Content?) -> Bool {
        // A member is a `value` where it is masked.
        if let left = left?.json, let right = right?.json { return left == right }
        return left == right
    }
}

extension Facet: Comparable {
    public static func < (left: Facet, right: Facet) -> Bool {
        (left.rank, ExactText(left.name)) < (right.rank, ExactText(right.name))
            || left.rank == right.rank && left.boundName < right.boundName
    }

    private var rank: Int {
        switch self {
        case .existence: 0
        case .key: 1
        case .title: 2
        case .type: 3
        case .value: 4
        case .default: 5
        case .help: 6
        case .labels: 7
        case .bound: 8
        case .order: 9
        case .member: 10
        }
    }

    private var boundName: ExactText { if case .bound(let name) = self { name } else { "" } }
}
