// Labels and the order of a group are lists: one facet each, whose entries people edit one by one.

extension Facet {
    package var isList: Bool { self == .labels || self == .order }
}

extension Change {
    /// The entries of `contested` that this change settles: those that it adds, removes or edits, or moves where the sides
    /// differ in the place alone.
    package func settled(of contested: ContestedEntries) -> Set<JSON> {
        let edits = ListEdits(from: before?.entries ?? Labels(), to: after?.entries ?? Labels())
        return edits.content.intersection(contested.all).union(edits.moved.intersection(contested.places))
    }
}

/// The labels, by their values, or the names that a conflict about a list is about.
package struct ContestedEntries: Sendable {
    package var all: Set<JSON>
    /// Those that the sides have in different places alone.
    package var places: Set<JSON>
}

extension Conflict {
    /// The entries that both sides edited; nil if its facet is no list.
    package var contestedEntries: ContestedEntries? {
        guard facet.isList else { return nil }
        let (old, our, their) = (base?.entries ?? Labels(), ours?.entries ?? Labels(), theirs?.entries ?? Labels())
        let (ourEdits, theirEdits) = (ListEdits(from: old, to: our).all, ListEdits(from: old, to: their).all)
        let both = ourEdits.intersection(theirEdits)
        let all = both.isEmpty ? ourEdits.union(theirEdits) : both
        let (ourIndex, theirIndex) = (LabelIndex(our), LabelIndex(their))
        func label(_ value: JSON, _ index: LabelIndex) -> ChoiceLabel? { index.index(of: value).map { index.labels[$0] } }
        return ContestedEntries(all: all, places: all.filter { label($0, ourIndex) == label($0, theirIndex) })
    }

    /// Makes a conflict about lists of labels one about these labels. False if the sides have them alike.
    package mutating func narrow(to contested: ContestedEntries?) -> Bool {
        guard case .labels(let old)? = base, case .labels(let our)? = ours, case .labels(let their)? = theirs, let contested
        else {
            return true
        }
        guard let lists = ContestedLabels(contested.all, base: old, ours: our, theirs: their) else { return false }
        (base, ours, theirs) = (.labels(lists.base), .labels(lists.ours), .labels(lists.theirs))
        return true
    }

    /// Makes a conflict about some labels one about the whole lists, where all that a side has is in force.
    mutating func widen(base: Change.Content?, ours: Change.Content?, theirs: Change.Content?) {
        guard facet.isList else { return }
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }
}

extension Change.Content {
    /// The content of a list as labels; names are their own values.
    var entries: Labels? {
        switch self {
        case .labels(let labels): labels
        case .json(.array(let names)): Labels(names.compactMap(\.text).map { ChoiceLabel(value: .string($0), text: $0) })
        case .item, .key, .value, .json: nil
        }
    }

    /// A three-way merge of lists; nil where the sides conflict, or are no lists.
    static func mergedList(
        base: Change.Content?, ours: Change.Content?, theirs: Change.Content?
    ) -> Change.Content? {
        guard let old = base?.entries, let our = ours?.entries, let their = theirs?.entries,
            case .merged(let merged) = LabelsMerge(base: old, ours: our, theirs: their).result
        else { return nil }
        if case .labels? = ours { return .labels(merged) }
        return .json(.array(merged.map(\.value)))
    }

    /// The labels of a side together with what is now, where a label that both edited is as it is now.
    fileprivate static func labels(
        _ now: Change.Content, keptOver side: Change.Content?, since old: Change.Content
    ) -> Change.Content? {
        guard case .labels(let now) = now, case .labels(let side)? = side, case .labels(let old) = old else { return nil }
        return ContestedLabels(base: old, ours: now, theirs: side).map { .labels($0.ours) }
    }
}

extension SettingsContent {
    /// Resolves a conflict of an earlier merge with the content of one side. The entries of a list that were edited since stay as
    /// they are, and a choice brings along the label that it needs. `merged`: what the merge left of the item; `sides`: what each
    /// side had.
    package mutating func take(
        _ content: Change.Content?, for conflict: Conflict, since merged: Item?, of sides: [Item?]
    ) {
        var (conflict, content) = (conflict, content)
        if let item = self[conflict.subject] { conflict.noteRemovedLabels(of: sides, in: item) }
        if conflict.facet.isList, let old = merged?.facets[conflict.facet],
            let now = self[conflict.subject]?.facets[conflict.facet]
        {
            content =
                Change.Content.mergedList(base: old, ours: now, theirs: content)
                ?? Change.Content.labels(now, keptOver: content, since: old) ?? content
        }
        take(content, for: conflict)
    }
}
