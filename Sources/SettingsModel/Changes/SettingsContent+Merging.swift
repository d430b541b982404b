extension SettingsContent {
    /// A merge of two branches: everything that merged cleanly, and the conflicts, for which the content of the base stays in force.
    public struct Merge: Sendable {
        public var settings: SettingsContent
        public var conflicts: [Conflict]
        /// The names that differ between our side and the result, and those that differ between their side and the result.
        package var renames: [(old: Subject, new: Subject)] = []
        package var theirsRenames: [(old: Subject, new: Subject)] = []
        /// What the base calls items that a side removed and the other renamed, by their names in the result.
        package var formerNames: [Subject: Subject] = [:]
        /// The groups that hold other options than those that are merged, where these settings are a part of a store.
        var populated: Set<Key> = []
        /// The groups that one side removed, where that is not in conflict by itself.
        var removals: [Subject: RemovedGroup] = [:]
        /// Options that a side removed and that are there as long as that is in conflict.
        var putBack: Set<Subject> = []
        /// The groups that one side renamed and the other removed, with options that are in conflict.
        var contested: Set<Subject> = []
        /// What each side decided about, under the names of the result.
        var decided: (ours: Set<Subject>, theirs: Set<Subject>) = ([], [])
        /// What is in conflict, or was decided, as each side has it, under the names of the result.
        package var sides: [Subject: Sides] = [:]

        package struct Sides: Sendable {
            package var base: Item?
            package var ours: Item?
            package var theirs: Item?

            package var options: [SettingsOption] { [base, ours, theirs].compactMap { $0?.option } }
        }

        /// What is wrong with the merged option: with a default that doesn't fit its bounds only if that of no side did so.
        package func faults(of subject: Subject) -> [SettingsOption.Fault] { faults(settings[subject]?.option, of: subject) }

        package func faults(_ option: SettingsOption?, of subject: Subject) -> [SettingsOption.Fault] {
            guard let option else { return [] }
            return sides[subject].map { option.faults(comparedWith: $0.options) } ?? option.faults()
        }

        package init(settings: SettingsContent, conflicts: [Conflict]) {
            self.settings = settings
            self.conflicts = conflicts
        }
    }

    /// A symmetric three-way merge per facet. Renames are followed if `oursRenames` or `theirsRenames` list them. Of a part of
    /// a store, `populated` are the groups that hold options which are not in it.
    public static func merge(
        base: SettingsContent, ours: SettingsContent, theirs: SettingsContent,
        oursRenames: [(old: Subject, new: Subject)] = [], theirsRenames: [(old: Subject, new: Subject)] = [],
        populated: Set<Key> = []
    ) -> Merge {
        merge(
            base: base, ours: ours, theirs: theirs, oursRenames: oursRenames, theirsRenames: theirsRenames, populated: populated,
            decisions: (Decisions(), Decisions()))
    }

    /// The same, where the sides decided something that their files may not show.
    package static func merge(
        base: SettingsContent, ours: SettingsContent, theirs: SettingsContent,
        oursRenames: [(old: Subject, new: Subject)], theirsRenames: [(old: Subject, new: Subject)],
        populated: Set<Key>, decisions: (ours: Decisions, theirs: Decisions)
    ) -> Merge {
        guard !oursRenames.isEmpty || !theirsRenames.isEmpty else {
            var merge = Merge(settings: ours, conflicts: [])
            merge.populated = populated
            merge.note(decisions) { subject, _ in subject }
            merge.mergeItems(base: base, ours: ours, theirs: theirs)
            return merge
        }
        let names = NamesMerge(
            base: base, ours: ours, theirs: theirs, oursRenames: oursRenames, theirsRenames: theirsRenames,
            decisions: [decisions.ours, decisions.theirs])
        // All three sides, under the names of the result.
        var (old, our, their) = (
            SettingsContent(definition: base.definition, groups: base.groups.filter(\.key.isRoot)),
            SettingsContent(definition: ours.definition, groups: ours.groups.filter(\.key.isRoot)),
            SettingsContent(definition: theirs.definition, groups: theirs.groups.filter(\.key.isRoot))
        )
        for thread in names.threads where !thread.isGone {
            if let subject = thread.base, let item = base[subject] { old[thread.merged] = item }
            if let subject = thread.ours, let item = ours[subject] { our[thread.merged] = item }
            if let subject = thread.theirs, let item = theirs[subject] { their[thread.merged] = item }
        }
        // What becomes of a group that is gone depends on what is left in it.
        for thread in names.threads where thread.isGone && thread.merged.isGroup {
            guard ![old, our, their].contains(where: { $0[thread.merged] != nil }) else { continue }
            old[thread.merged] = thread.base.flatMap { base[$0] }
            our[thread.merged] = thread.ours.flatMap { ours[$0] }
            their[thread.merged] = thread.theirs.flatMap { theirs[$0] }
        }
        // One side renamed what the other removed: the item stays, with its edits, until that is resolved.
        for thread in names.threads where !thread.isGone && !thread.merged.isGroup && names.removed.contains(thread.merged) {
            if thread.ours == nil { our[thread.merged] = old[thread.merged] }
            if thread.theirs == nil { their[thread.merged] = old[thread.merged] }
        }
        var merge = Merge(settings: our, conflicts: [])
        (merge.populated, merge.contested, merge.putBack) = (populated, names.contestedGroups, names.removed)
        merge.note(decisions, names.result(of:on:))
        merge.mergeItems(base: old, ours: our, theirs: their)
        merge.conflicts = (names.conflicts + merge.conflicts).sorted { $0.subject < $1.subject }
        for thread in names.threads where merge.settings[thread.merged] != nil || merge.sides[thread.merged] != nil {
            if let subject = thread.ours, subject != thread.merged { merge.renames.append((subject, thread.merged)) }
            if let subject = thread.theirs, subject != thread.merged { merge.theirsRenames.append((subject, thread.merged)) }
            if thread.ours == nil || thread.theirs == nil, let former = thread.base, former != thread.merged {
                merge.formerNames[thread.merged] = former
            }
        }
        return merge
    }

    /// These settings with `changes` applied. A change that is already applied is ignored; one that later edits contradict is a conflict.
    /// `populated` are the groups that hold other options, of a store of which this is a part.
    public func applying(_ changes: [Change], populated: Set<Key> = []) throws(Conflicts) -> SettingsContent {
        let merge = merging(changes, populated: populated)
        guard merge.conflicts.isEmpty else { throw Conflicts(conflicts: merge.conflicts) }
        return merge.settings
    }

    /// As `applying`, but changes that don't apply are reported as conflicts and leave the settings unchanged.
    public func merging(_ changes: [Change], populated: Set<Key> = []) -> Merge {
        var merge = Merge(settings: self, conflicts: [])
        merge.populated = populated
        let renamings = changes.filter { $0.renaming != nil }
        for (index, change) in renamings.enumerated() {
            guard let (old, new) = change.renaming else { continue }
            let last = renamings[(index + 1)...].compactMap(\.renaming).reduce(new) { $0.renamed(from: $1.old, to: $1.new) }
            if merge.settings.canRename(old, to: new) {
                merge.settings.rename(old, to: new)
            } else if !merge.settings.isRenamed(old, to: last) {
                merge.conflicts.append(
                    Conflict(
                        change.subject, title: change.title, facet: .key, base: change.before, ours: nil, theirs: change.after,
                        reason: "\(old.key) can't become \(new.key): \(merge.settings.fault(renaming: old, to: new))"
                    )
                )
            }
        }
        let bySubject = Dictionary(grouping: changes.filter { $0.facet != .key }, by: \.subject).sorted { $0.key < $1.key }
        for (subject, changes) in bySubject.filter({ !$0.key.isGroup }) + bySubject.filter(\.key.isGroup) {
            var ours = merge.settings[subject]
            // A group needs no file to be there, if there is something in it.
            let hasNoFile =
                ours == nil && subject.isGroup && merge.holds(subject) && !changes.contains { $0.facet == .existence }
            if hasNoFile { ours = .group(SettingsGroup()) }
            if ours == nil, let change = changes.first, change.facet != .existence {
                merge.conflicts.append(
                    Conflict(
                        subject, title: change.title, facet: .existence, base: change.before, ours: nil, theirs: change.after,
                        reason: "\(subject.key) no longer exists"
                    )
                )
                continue
            }
            let (base, theirs) = Item.sides(of: changes, around: ours)
            let sides = Merge.Sides(base: base, ours: ours, theirs: theirs)
            var merged = merge.merged(subject, title: changes[0].title, sides)
            if let conflict = Self.conflict(of: changes, with: ours, in: merged.item), merged.conflicts.isEmpty {
                merged = (ours, [conflict])
            }
            let isEmpty = hasNoFile && merged.item == .group(SettingsGroup()) && merged.conflicts.isEmpty
            merge.settings[subject] = isEmpty ? nil : merged.item
            merge.conflicts += merged.conflicts
        }
        merge.conflicts.sort { $0.subject < $1.subject }
        return merge
    }

    /// Changes that take a value away that an environment has by now.
    private static func conflict(of changes: [Change], with ours: Item?, in merged: Item?) -> Conflict? {
        guard let ours, let option = ours.option, let change = changes.first(where: { $0.facet == .labels }) ?? changes.first,
            let fault = merged?.option?.environmentMisfits(comparedWith: [option]).first
        else { return nil }
        return Conflict(
            change.subject, title: change.title, facet: change.facet, base: change.before, ours: ours.facets[change.facet],
            theirs: change.after, reason: fault.reason)
    }

    private func isRenamed(_ old: Subject, to new: Subject) -> Bool {
        switch (old, new) {
        case (.option(let old), .option(let new)): options[old] == nil && options[new] != nil
        case (.group(let old), .group(let new)): !allGroups.contains(old) && allGroups.contains(new)
        default: false
        }
    }

    private func fault(renaming old: Subject, to new: Subject) -> String {
        let isThere = if case .group(let key) = old { allGroups.contains(key) } else { self[old] != nil }
        return isThere ? "\(new.key) already exists" : "\(old.key) no longer exists"
    }
}

extension SettingsContent.Item {
    /// The items before and after `changes`, based on the current item: facets without a change are as they are now.
    static func sides(
        of changes: [Change], around ours: SettingsContent.Item?
    ) -> (base: SettingsContent.Item?, theirs: SettingsContent.Item?) {
        for change in changes where change.facet == .existence {
            var (base, theirs): (SettingsContent.Item?, SettingsContent.Item?) = (nil, nil)
            if case .item(let item)? = change.before { base = item }
            if case .item(let item)? = change.after { theirs = item }
            return (base, theirs)
        }
        guard let ours else { return (nil, nil) }
        var (base, theirs) = (ours, ours)
        for change in changes {
            base.set(change.facet, to: change.before)
            theirs.set(change.facet, to: change.after)
        }
        for (facet, part) in [(Facet.value, \SettingsOption.value), (.default, \.defaultValue)] {
            let change = changes.first { $0.facet == facet }
            let own = ours.option?.labels ?? Labels()
            base.follow(part, from: change?.offered.before ?? own)
            theirs.follow(part, from: change?.offered.after ?? own)
        }
        return (base, theirs)
    }

    /// Replaces a value that was chosen from `offered` by the value of the same label here.
    private mutating func follow(_ part: WritableKeyPath<SettingsOption, JSON?>, from offered: Labels) {
        guard case .option(var option) = self, let value = option[keyPath: part], let label = offered.label(of: value),
            let same = option.labels.counterpart(of: label, in: offered)
        else { return }
        option[keyPath: part] = same.value
        self = .option(option)
    }

    static func merge(
        _ subject: Subject, title: ExactText, base: SettingsContent.Item?, ours: SettingsContent.Item?,
        theirs: SettingsContent.Item?
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        if ours == theirs || theirs == base { return (ours, []) }
        // If base and theirs are ours with a few facets replaced, those may not fit the other facets.
        if ours == base, theirs?.option?.faults().isEmpty ?? true { return (theirs, []) }
        guard let base, let ours, let theirs else {
            if let merged = mergeGroups(subject, title: title, [base, ours, theirs]) { return merged }
            return contested(subject, title: title, base: base, ours: ours, theirs: theirs)
        }
        if case .option(let base) = base, case .option(let ours) = ours, case .option(let theirs) = theirs {
            let merged = OptionMerge(subject, title: title, base: base, ours: ours, theirs: theirs)
            return (.option(merged.option), merged.conflicts)
        }
        return mergeFacets(subject, title: title, base: base, ours: ours, theirs: theirs, leaving: [])
    }

    /// An item that is there on one side only, or was added on both: it stays as it was.
    static func contested(
        _ subject: Subject, title: ExactText, base: SettingsContent.Item?, ours: SettingsContent.Item?,
        theirs: SettingsContent.Item?
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        var conflict = Conflict(
            subject, title: title, facet: .existence,
            base: base.map { .item($0) }, ours: ours.map { .item($0) }, theirs: theirs.map { .item($0) })
        if ours == nil || theirs == nil {
            conflict.reason = "removed on one side, \(conflict.isKept ? "kept" : "changed") on the other"
        } else {
            conflict.reason = "added on both sides, differently"
        }
        return (base, [conflict])
    }

    /// Merges every facet separately, except those in `leaving`, which stay ours.
    static func mergeFacets(
        _ subject: Subject, title: ExactText, base: SettingsContent.Item, ours: SettingsContent.Item,
        theirs: SettingsContent.Item, leaving: Set<Facet>
    ) -> (item: SettingsContent.Item, conflicts: [Conflict]) {
        let (old, our, their) = (base.facets, ours.facets, theirs.facets)
        var merged = ours
        var conflicts: [Conflict] = []
        for facet in Set(old.keys).union(our.keys).union(their.keys).subtracting(leaving).sorted() {
            let (base, ours, theirs) = (old[facet], our[facet], their[facet])
            if Change.Content.isSame(ours, theirs) || Change.Content.isSame(base, theirs) { continue }
            if Change.Content.isSame(base, ours) {
                merged.set(facet, to: theirs)
            } else if facet == .order, let names = mergeOrder(base, ours, theirs) {
                merged.set(facet, to: names)
            } else if subject == .store, facet == .member(StoreDefinition.filesMember),
                let files = StoreDefinition.mergeFiles(base?.json, ours?.json, theirs?.json)
            {
                merged.set(facet, to: files.map { .json($0) })
            } else {
                conflicts.append(Conflict(subject, title: title, facet: facet, base: base, ours: ours, theirs: theirs))
                merged.set(facet, to: base)
            }
        }
        return (merged, conflicts)
    }

    /// Merges a group that has no file in one of the three states: it is a group without members there.
    private static func mergeGroups(
        _ subject: Subject, title: ExactText, _ items: [SettingsContent.Item?]
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict])? {
        guard subject.isGroup else { return nil }
        let groups = items.map { $0 ?? .group(SettingsGroup()) }
        let merged = mergeFacets(subject, title: title, base: groups[0], ours: groups[1], theirs: groups[2], leaving: [])
        let isEmpty = merged.item == .group(SettingsGroup()) && merged.conflicts.isEmpty
        return (isEmpty ? nil : merged.item, merged.conflicts)
    }

    /// Merges the names of a group like labels. A side that has no order any more shows the names in byte order.
    private static func mergeOrder(
        _ base: Change.Content?, _ ours: Change.Content?, _ theirs: Change.Content?
    ) -> Change.Content? {
        func names(_ content: Change.Content?) -> [ExactText]? { content?.entries?.map(\.text) }
        func list(_ names: [ExactText]) -> Change.Content { .json(.array(names.map { .string($0) })) }
        let old = names(base) ?? []
        /// The names of a side, unless it has none and the other one rearranged those of the base.
        func side(_ content: Change.Content?, _ other: Change.Content?) -> Change.Content? {
            if content?.entries != nil { return content }
            guard base != nil, let other = names(other) else { return nil }
            let (known, kept) = (Set(old), Set(other))
            return other.filter(known.contains) == old.filter(kept.contains) ? list(old.sorted()) : nil
        }
        return Change.Content.mergedList(base: list(old), ours: side(ours, theirs), theirs: side(theirs, ours))
    }
}

extension SettingsContent.Merge: Equatable {
    public static func == (left: SettingsContent.Merge, right: SettingsContent.Merge) -> Bool {
        left.settings == right.settings && left.conflicts == right.conflicts
    }
}
