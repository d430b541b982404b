/// A conflict between two lists of labels, narrowed to the labels that both sides edited: whatever else the sides did is merged.
struct ContestedLabels {
    /// The merged list, with the contested labels as each of the three has them.
    let base: Labels
    let ours: Labels
    let theirs: Labels

    /// Nil where the lists conflict in another way, or hold no label that both sides edited.
    init?(base: Labels, ours: Labels, theirs: Labels) {
        let (our, their) = (ListEdits(from: base, to: ours), ListEdits(from: base, to: theirs))
        self.init(our.all.intersection(their.all), base: base, ours: ours, theirs: theirs)
    }

    /// `contested`: the values of the labels that are not to be merged.
    init?(_ contested: Set<JSON>, base: Labels, ours: Labels, theirs: Labels) {
        var contested = contested
        if contested.isEmpty { return nil }
        // A label whose value a side edited has it under another one there.
        let old = LabelIndex(base)
        for side in [ours, theirs] {
            let index = LabelIndex(side)
            for label in side {
                if let place = old.counterpart(of: label, in: index), contested.contains(base[place].value) {
                    contested.insert(label.value)
                }
            }
        }
        func merged(_ source: Labels) -> Labels? {
            func settled(_ list: Labels) -> Labels { list.replacing(contested, with: source) }
            guard
                case .merged(let labels) = LabelsMerge(base: settled(base), ours: settled(ours), theirs: settled(theirs)).result
            else { return nil }
            return labels
        }
        guard let mergedBase = merged(base), let mergedOurs = merged(ours), let mergedTheirs = merged(theirs),
            mergedOurs != mergedTheirs
        else { return nil }
        (self.base, self.ours, self.theirs) = (mergedBase, mergedOurs, mergedTheirs)
    }
}

extension Labels {
    /// The labels that have these values as `source` has them, each behind the label that it follows there; the others stay.
    fileprivate func replacing(_ values: Set<JSON>, with source: Labels) -> Labels {
        let kept = filter { !values.contains($0.value) }
        let present = Set(kept.map(\.value))
        var first: [ChoiceLabel] = []
        var following: [JSON: [ChoiceLabel]] = [:]
        var last: JSON?
        for label in source {
            if !values.contains(label.value) {
                if present.contains(label.value) { last = label.value }
            } else if let last {
                following[last, default: []].append(label)
            } else {
                first.append(label)
            }
        }
        return Labels(first + kept.flatMap { [$0] + (following[$0.value] ?? []) }, writesValues: writesValues)
    }
}

/// What somebody edited in a list of labels, by the labels' values.
struct ListEdits {
    /// Those that were added, removed or edited.
    private(set) var content: Set<JSON>
    /// Those that are in another place, and are the same.
    private(set) var moved: Set<JSON> = []

    var all: Set<JSON> { content.union(moved) }

    init(from old: Labels, to new: Labels) {
        let (oldIndex, newIndex) = (LabelIndex(old), LabelIndex(new))
        let places = old.map { newIndex.counterpart(of: $0, in: oldIndex) }
        let inOrder = Set(LabelsMerge.longestRun(places.compactMap { $0 }))
        content = Set(new.map(\.value))
        for (label, place) in zip(old, places) {
            guard let place, new[place] == label else {
                content.insert(label.value)
                continue
            }
            content.remove(label.value)
            if !inOrder.contains(place) { moved.insert(label.value) }
        }
    }
}
