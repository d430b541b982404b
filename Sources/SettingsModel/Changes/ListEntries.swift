// Labels and the order of a group are lists: one facet each, whose entries people edit one by one.

extension Facet {
    package var isList: Bool { self == .labels || self == .order }
}

extension Change {
    /// The values of the labels, or the names, that this change adds, removes, moves or edits; nil if its facet is no list.
    package var editedEntries: Set<JSON>? { facet.isList ? Content.editedEntries(from: before, to: after) : nil }
}

extension Conflict {
    /// The entries that both sides edited, about which this conflict is; nil if its facet is no list.
    package var contestedEntries: Set<JSON>? {
        guard facet.isList else { return nil }
        let our = Change.Content.editedEntries(from: base, to: ours)
        let their = Change.Content.editedEntries(from: base, to: theirs)
        let both = our.intersection(their)
        return both.isEmpty ? our.union(their) : both
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

    fileprivate static func editedEntries(from before: Change.Content?, to after: Change.Content?) -> Set<JSON> {
        let (old, new) = (before?.entries ?? Labels(), after?.entries ?? Labels())
        let (oldIndex, newIndex) = (LabelIndex(old), LabelIndex(new))
        let places = old.map { newIndex.counterpart(of: $0, in: oldIndex) }
        let inOrder = Set(LabelsMerge.longestRun(places.compactMap { $0 }))
        var edited = Set(new.map(\.value))
        for (label, place) in zip(old, places) {
            if let place, new[place] == label, inOrder.contains(place) {
                edited.remove(label.value)
            } else {
                edited.insert(label.value)
            }
        }
        return edited
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
            content = Change.Content.mergedList(base: old, ours: now, theirs: content) ?? content
        }
        take(content, for: conflict)
    }
}
