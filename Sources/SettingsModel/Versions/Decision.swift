/// What a version decided where two lines of versions disagreed, or that it took such a decision back.
package struct Decision: Hashable, Sendable {
    package var subject: Subject
    package var title: ExactText
    package var facet: Facet
    /// What is in force since then; nil where there is nothing.
    package var chosen: Change.Content?
    /// What the sides had besides; empty where the version doesn't say.
    package var others: [Change.Content?]
    /// Whether the question is open again.
    package var isTakenBack: Bool

    package init(
        _ subject: Subject, title: ExactText, facet: Facet, chosen: Change.Content?, others: [Change.Content?] = [],
        isTakenBack: Bool = false
    ) {
        self.subject = subject
        self.title = title
        self.facet = facet
        self.chosen = chosen
        self.others = others
        self.isTakenBack = isTakenBack
    }
}

extension Decision {
    /// Whether sentences of a message tell of it, and say that something else was chosen.
    package func isContradicted(by told: [String]) -> Bool {
        let pieces = Wording().sentence(self, name: subject.key.description).pieces
        // Only of what is there, or has a name, the choice is a sentence of its own.
        let isWhole = facet == .existence || facet == .key
        guard isWhole || pieces.last?.role == .after else { return false }
        let beginning = Sentence(Array(isWhole ? pieces.prefix(2) : pieces.dropLast())).plain.visible + (isWhole ? "chose " : "")
        guard let said = told.first(where: { $0.hasPrefix(beginning) }) else { return false }
        let whole = Sentence(pieces).plain.visible
        // Behind it stands how many more there are, or the number that a host gives it.
        return said != whole && ![", and ", " (#", " (!"].contains { said.hasPrefix(whole + $0) }
    }
}

extension Wording {
    /// "Language: chose French over German", about `name`, which defaults to the title.
    package func sentence(_ decision: Decision, name: String? = nil) -> Sentence {
        var pieces: [Sentence.Piece] = [.init(name ?? decision.title.string, .name), .init(": ")]
        let facet = decision.facet == .value ? "" : "\(decision.facet.name): "
        if decision.isTakenBack {
            pieces.append(.init("\(decision.facet.name) is undecided again"))
        } else if decision.facet == .existence {
            pieces.append(.init(decision.chosen == nil ? "chose to remove it" : "chose to keep it"))
        } else if decision.facet == .key, decision.chosen == nil {
            pieces.append(.init("chose to remove it"))
        } else if case .key(let key)? = decision.chosen {
            pieces += [.init("chose the name "), .init(key.description, .after)]
        } else if case .labels? = decision.chosen {
            pieces.append(.init("decided on its labels"))
        } else if decision.others.isEmpty {
            pieces += [.init("\(facet)decided: "), .init(words(decision.chosen), .after)]
        } else {
            pieces += [.init("\(facet)chose "), .init(words(decision.chosen), .after), .init(" over ")]
            for (index, other) in decision.others.enumerated() {
                if index > 0 { pieces.append(.init(" and ")) }
                pieces.append(.init(words(other), .before))
            }
        }
        return Sentence(pieces)
    }

    /// What a merge took that an earlier version made: "chose French".
    package func adoption(_ change: Change) -> String {
        let decision = Decision(change.subject, title: change.title, facet: change.facet, chosen: change.after)
        switch change.facet {
        case .existence, .key, .labels: return Sentence(Array(sentence(decision).pieces.dropFirst(2))).plain
        default: return "chose \(words(change.after))"
        }
    }

    /// A value, a name or another facet in words.
    package func words(_ content: Change.Content?) -> String {
        switch content {
        case nil: "not set"
        case .value(let json, let label, let isMasked)?:
            isMasked && !revealsMasked ? dots : label?.string ?? json.compact
        case .labels(let labels)?: "\(labels.count) labels"
        case .item?: "there"
        case .key(let key)?: key.description
        case .json(let json)?: json.compact
        }
    }
}
