/// What one clause of a message says that a facet was before it and is after it: `English → French`.
struct SaidChange: Hashable, Sendable {
    var before: State
    var after: State
    /// Whether somebody decided that: a label that is renamed gives the value other words, and leaves the choice as it was.
    var isChoice = true

    enum State: Hashable, Sendable {
        case words(String)
        /// There is no such option or group.
        case absent
        case unsaid

        /// Whether both may be the same.
        func mayBe(_ other: State) -> Bool { self == .unsaid || other == .unsaid || self == other }
    }

    private static let unsaid = SaidChange(before: .unsaid, after: .unsaid)

    init(before: State, after: State, isChoice: Bool = true) {
        (self.before, self.after, self.isChoice) = (before, after, isChoice)
    }

    /// Nil where a clause says nothing about a facet. `end`: what that is afterwards, as far as what was said later tells.
    init?(_ clause: String, about facet: Facet, leadingTo end: State) {
        if let said = Self.existence(clause, facet) {
            self = said
            return
        }
        if let (_, facets) = Self.others.first(where: { clause.hasPrefix($0.beginning) }) {
            if facet == .value, let said = Self.labelRenamed(clause, end) {
                self = said
            } else if facets(facet) {
                self = Self.unsaid
            } else {
                return nil
            }
            return
        }
        if clause.hasSuffix(Self.masked) {
            guard clause == Self.masked ? facet == .value : clause == "\(facet.said) \(Self.masked)" else { return nil }
            self = Self.unsaid
            return
        }
        guard clause.contains(Self.arrow) else {
            // It may be about anything.
            self = Self.unsaid
            return
        }
        let member = Self.members.first { clause.hasPrefix("\($0) ") && Self.isJSON(clause.dropFirst($0.count + 1), of: $0) }
        var rest = clause[...]
        if facet != .value {
            guard clause.hasPrefix("\(facet.said) ") else { return nil }
            rest = rest.dropFirst(facet.said.count + 1)
        } else if member != nil {
            return nil
        }
        guard case .words(let words) = end else {
            // Whatever is absent afterwards was not changed last.
            self.init(before: .unsaid, after: end == .absent ? .words(String(rest)) : .unsaid)
            return
        }
        guard rest.hasSuffix(Self.arrow + words) else {
            self.init(before: .unsaid, after: .words(String(rest)))
            return
        }
        self.init(before: .words(String(rest.dropLast(words.count + Self.arrow.count))), after: end)
    }

    private static let arrow = " → "
    private static let masked = "changed (masked)"

    /// What is said otherwise than by an arrow, and the facets that it is about.
    private static let others: [(beginning: String, facets: @Sendable (Facet) -> Bool)] = [
        ("label added: ", { $0 == .labels }), ("label removed: ", { $0 == .labels }), ("label renamed: ", { $0 == .labels }),
        ("label moved: ", { $0 == .labels }), ("value of ", { $0 == .labels }), ("long label of ", { $0 == .labels }),
        ("decided on its labels", { $0 == .labels }), ("chose the name ", { $0 == .key }), ("renamed ", { $0 == .key }),
        ("chose to ", { [.existence, .key].contains($0) }), ("made read-only", { $0 == .member("readOnly") }),
        ("no longer read-only", { $0 == .member("readOnly") }), ("made masked", { $0 == .member("masked") }),
        ("no longer masked", { $0 == .member("masked") }),
        ("details for ", { if case .member = $0 { true } else { false } }),
        ("index corrected", { _ in false }), ("order is ", { $0 == .order }), ("decided: ", { $0 == .value }),
        ("chose ", { $0 == .value }),
    ]

    /// Members of files that an arrow may be about; it is about the value otherwise.
    private static let members = [
        "title", "default", "help", "type", "minimum", "maximum", "step", "pattern", "placeholder", "masked", "readOnly", "key",
        "$schema", "style", "footer", "for",
    ]

    private static func isJSON(_ text: Substring, of member: String) -> Bool {
        guard let first = text.first else { return false }
        return member == "type" || "\"[{-0123456789".contains(first)
            || ["true", "false", "null", "none"].contains { text.hasPrefix($0) }
    }

    /// What came or went as a whole did so with each of its facets.
    private static func existence(_ clause: String, _ facet: Facet) -> SaidChange? {
        for word in ["added", "repaired", "removed"] {
            var value = "not set"
            let beginning = word == "removed" ? "removed (was " : "\(word) ("
            if clause.hasPrefix(beginning), clause.hasSuffix(")") {
                value = String(clause.dropFirst(beginning.count).dropLast())
            } else if clause != word {
                continue
            }
            let here: State = facet == .value ? .words(value) : facet == .existence ? there : .unsaid
            if word == "removed" { return SaidChange(before: here, after: .absent) }
            return SaidChange(before: word == "added" ? .absent : .unsaid, after: here)
        }
        return nil
    }

    private static func labelRenamed(_ clause: String, _ end: State) -> SaidChange? {
        let beginning = "label renamed: "
        guard case .words(let words) = end, clause.hasPrefix(beginning), clause.hasSuffix(arrow + words) else { return nil }
        let before = clause.dropFirst(beginning.count).dropLast(words.count + arrow.count)
        return SaidChange(before: .words(String(before)), after: end, isChoice: false)
    }

    /// A clause that may be about anything.
    static let unclear = "is undecided"
    static let there = State.words("there")
}

extension Facet {
    /// What a clause about it begins with.
    fileprivate var said: String { if case .bound(let name) = self { name.string } else { name } }
}

extension SaidChange.State {
    /// How a message says what a facet is.
    init(_ content: Change.Content?, of facet: Facet) {
        switch facet {
        case .existence: self = content == nil ? .absent : SaidChange.there
        case .key, .labels, .order: self = .unsaid
        default:
            let line = Change(.store, title: "", facet: facet, before: nil, after: content).lines.first
            let words = line.flatMap { Wording().predicate($0).last { $0.role == .after }?.text }
            self = words.map { .words($0.visible) } ?? .unsaid
        }
    }
}
