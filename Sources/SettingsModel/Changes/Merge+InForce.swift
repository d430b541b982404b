extension SettingsContent.Merge {
    /// What counts as long as a conflict is open.
    package enum InForce: String, Hashable, Sendable, CaseIterable {
        case ours, theirs, agreed
    }

    /// Puts a side of the conflicts in force. Where that doesn't fit what merged cleanly, all of that side that has to do with it
    /// is in force, and is in conflict too.
    package mutating func putInForce(_ side: InForce) {
        if side == .agreed { return }
        for (subject, open) in Dictionary(grouping: conflicts.filter { $0.facet != .key }, by: \.subject) {
            let agreed = settings[subject]
            // Labels before what is chosen from them.
            for conflict in open.sorted(by: { $0.facet == .labels && $1.facet != .labels }) {
                settings.take(conflict.content(of: side), for: conflict)
            }
            if faults(of: subject).isEmpty { continue }
            if !putInForce(side, allOf: subject) { settings[subject] = agreed }
        }
        for conflict in conflicts.names { putNameInForce(side, of: conflict) }
        settleRemovedGroups(taking: side)
        conflicts.sort { ($0.subject, $0.facet) < ($1.subject, $1.facet) }
    }

    package func puttingInForce(_ side: InForce) -> SettingsContent.Merge {
        var merge = self
        merge.putInForce(side)
        return merge
    }

    /// Where the conflict about a facet is.
    package func place(of subject: Subject, _ facet: Facet) -> Int? {
        conflicts.firstIndex { $0.subject == subject && $0.facet == facet }
    }

    /// What a side has of the facets that depend on each other, or else all that it has. False if it has no such option.
    private mutating func putInForce(_ side: InForce, allOf subject: Subject) -> Bool {
        guard let sides = sides[subject], case .option? = side == .ours ? sides.ours : sides.theirs else { return false }
        let (base, ours, theirs) = (sides.base?.facets ?? [:], sides.ours?.facets ?? [:], sides.theirs?.facets ?? [:])
        let wanted = side == .ours ? ours : theirs
        for dependent in [SettingsOption.dependentFacets, nil] {
            guard var item = settings[subject], let title = item.option?.title else { return false }
            let present = item.facets
            for facet in Set(present.keys).union(wanted.keys).sorted() where dependent?.contains(facet) ?? true {
                if Change.Content.isSame(present[facet], wanted[facet]) { continue }
                item.set(facet, to: wanted[facet])
                if Change.Content.isSame(ours[facet], theirs[facet]) { continue }
                if let place = place(of: subject, facet) {
                    conflicts[place].widen(base: base[facet], ours: ours[facet], theirs: theirs[facet])
                    continue
                }
                conflicts.append(
                    Conflict(
                        subject, title: title, facet: facet, base: base[facet], ours: ours[facet], theirs: theirs[facet]))
            }
            settings[subject] = item
            if faults(item.option, of: subject).isEmpty { return true }
        }
        return false
    }

    /// Notes what the sides of a conflict have. Where it leaves an option invalid, what depends on each other stays as it was, and
    /// all of it that a side changed is in conflict.
    package mutating func ask(
        about subject: Subject, base: SettingsContent.Item?, ours: SettingsContent.Item?, theirs: SettingsContent.Item?
    ) {
        sides[subject] = Sides(base: base, ours: ours, theirs: theirs)
        let (kept, our, their) = (base?.facets ?? [:], ours?.facets ?? [:], theirs?.facets ?? [:])
        for dependent in [SettingsOption.dependentFacets, nil] {
            guard var item = settings[subject], let option = item.option, !faults(option, of: subject).isEmpty else { return }
            for facet in Set(item.facets.keys).union(kept.keys).sorted() where dependent?.contains(facet) ?? true {
                item.set(facet, to: kept[facet])
                if let place = place(of: subject, facet) {
                    conflicts[place].widen(base: kept[facet], ours: our[facet], theirs: their[facet])
                    continue
                }
                if Change.Content.isSame(our[facet], their[facet]) { continue }
                var conflict = Conflict(
                    subject, title: option.title, facet: facet, base: kept[facet], ours: our[facet], theirs: their[facet])
                conflict.isHeldBack = true
                conflicts.append(conflict)
            }
            settings[subject] = item
        }
    }

    /// The name that a side gave, or that it removed what has the name. Everything that is in conflict goes by it then.
    package mutating func putNameInForce(_ side: InForce, of conflict: Conflict) {
        let old = conflict.subject
        guard let new = old.named(conflict.content(of: side)) else { return putRemovalInForce(of: old) }
        guard settings.canRename(old, to: new) else { return }
        settings.rename(old, to: new)
        for place in conflicts.indices {
            conflicts[place].subject = conflicts[place].subject.renamed(from: old, to: new)
        }
        sides = Dictionary(
            sides.map { ($0.key.renamed(from: old, to: new), $0.value) }, uniquingKeysWith: { first, _ in first })
        func renamed(_ renames: [(old: Subject, new: Subject)], of own: Subject?) -> [(old: Subject, new: Subject)] {
            var renames = renames.map { ($0.old, $0.new.renamed(from: old, to: new)) }
            // A group as a whole.
            if let own, conflict.subject.isGroup { renames.insert((own, new), at: 0) }
            return renames.filter { $0.0 != $0.1 }
        }
        renames = renamed(renames, of: old.named(conflict.ours))
        theirsRenames = renamed(theirsRenames, of: old.named(conflict.theirs))
    }

    /// What a side removed and the other renamed is gone; nothing else about it is in conflict then. A group stays as last agreed.
    private mutating func putRemovalInForce(of subject: Subject) {
        guard case .option = subject else { return }
        settings[subject] = nil
        conflicts.removeAll { $0.subject == subject && $0.facet != .key }
        renames.removeAll { $0.new == subject }
        theirsRenames.removeAll { $0.new == subject }
    }
}

extension [Conflict] {
    /// Those about names, each before those about the groups around it: it goes by the old names of these.
    package var names: [Conflict] { filter { $0.facet == .key }.sorted { $0.subject > $1.subject } }
}

extension Conflict {
    /// What a side has; the base's where neither is in force.
    package func content(of side: SettingsContent.Merge.InForce) -> Change.Content? {
        switch side {
        case .ours: ours
        case .theirs: theirs
        case .agreed: base
        }
    }
}

extension SettingsOption {
    /// What decides together whether an option is valid.
    static let dependentFacets: Set<Facet> = [
        .type, .value, .default, .labels, .bound("minimum"), .bound("maximum"), .bound("step"), .member("minimum"),
        .member("maximum"), .member("step"), .member("values"), .member("pattern"), .member("labels"), .member("longLabels"),
        .member("selected"), .member("masked"), .member("placeholder"), .member("for"),
    ]
}

extension SettingsContent.Item {
    /// Makes an option valid as another one is, with its type, its value and what else they depend on.
    package mutating func takeDependentFacets(of other: SettingsContent.Item) {
        let (own, others) = (facets, other.facets)
        for facet in Set(own.keys).union(others.keys).intersection(SettingsOption.dependentFacets).sorted() {
            set(facet, to: others[facet])
        }
    }

    /// As `takeDependentFacets`; but a value or a default that was `decided` on its own stays as `before` has it, if that `fits`.
    package mutating func takeDependentFacets(
        of other: SettingsContent.Item, keeping decided: Set<Facet>, of before: SettingsContent.Item?,
        if fits: (SettingsContent.Item) -> Bool
    ) {
        takeDependentFacets(of: other)
        var kept = self
        for facet in decided.intersection([.value, .default]) { kept.set(facet, to: before?.facets[facet]) }
        if fits(kept) { self = kept }
    }
}
