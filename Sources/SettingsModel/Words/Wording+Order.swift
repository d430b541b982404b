extension Wording {
    /// What happened to a group's order: the names that moved, or the new order where they are many.
    func rearrangement(_ line: ChangeLine) -> [Sentence.Piece] {
        guard let after = line.after else { return [.init("order is no longer given")] }
        guard let new = after.names, let before = line.before, let old = before.names,
            case let steps = steps(from: old, to: new), (1...3).contains(steps.count)
        else {
            let words = after.names?.map(\.string).joined(separator: ", ") ?? after.compact
            return [.init("order is now "), .init(cut(words), .after)]
        }
        return Array(steps.joined(separator: [.init(", ")]))
    }

    /// Names outside the longest run that kept its order count as moved.
    private func steps(from old: [ExactText], to new: [ExactText]) -> [[Sentence.Piece]] {
        let places = Dictionary(new.enumerated().map { ($1, $0) }) { first, _ in first }
        let known = Set(old)
        let stayed = Set(LabelsMerge.longestRun(old.compactMap { places[$0] }))
        var steps: [[Sentence.Piece]] = []
        for (place, name) in new.enumerated() where !known.contains(name) || !stayed.contains(place) {
            let (verb, top, end) = known.contains(name) ? ("moved", "to the top", "to the end") : ("listed", "first", "last")
            let piece = Sentence.Piece(cut(name.string), .after)
            switch place {
            case 0: steps.append([piece, .init(" \(verb) \(top)")])
            case new.count - 1: steps.append([piece, .init(" \(verb) \(end)")])
            default: steps.append([piece, .init(" \(verb) after \(cut(new[place - 1].string))")])
            }
        }
        for name in old where places[name] == nil {
            steps.append([.init(cut(name.string), .before), .init(" no longer listed")])
        }
        return steps
    }
}

extension JSON {
    /// Nil if this is no array of strings.
    fileprivate var names: [ExactText]? {
        guard case .array(let elements) = self else { return nil }
        let names = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return names.count == elements.count ? names : nil
    }
}
