/// Changes in the message of their version, so that `git log` and a hosting page tell them.
extension Wording {
    /// The first line: `general.language: English → French`, or of several changes
    /// `general.language: English → French, and 2 more`; then each change in a line of its own.
    package func message(of changes: [Change]) -> (subject: String, details: [String]) {
        let lines = Self.told(changes)
        guard let first = lines.first else { return ("no changes", []) }
        let details = lines.map { "\(Self.name($0)): \(words($0))" }
        if lines.count == 1 { return (details[0], []) }
        if Set(lines.map(\.subject)).count == 1 {
            let joined = "\(Self.name(first)): \(lines.map(words).joined(separator: "; "))"
            if joined.count <= Self.subjectWidth { return (joined, []) }
        }
        return ("\(details[0]), and \(lines.count - 1) more", Self.limited(details))
    }

    /// All changes in one line each, at most `detailLimit` of them.
    package func details(of changes: [Change]) -> [String] {
        Self.limited(Self.told(changes).map { "\(Self.name($0)): \(words($0))" })
    }

    private func words(_ line: ChangeLine) -> String { Sentence(predicate(line)).plain }

    /// The changes of options first. A group that was created for the only option isn't mentioned.
    private static func told(_ changes: [Change]) -> [ChangeLine] {
        let lines = changes.told.flatMap(\.lines)
        let options = lines.filter { if case .option = $0.subject { true } else { false } }
        let others = lines.filter { if case .option = $0.subject { false } else { true } }
        if Set(options.map(\.subject)).count == 1, others.allSatisfy({ $0.facet == .added || $0.member == "order" }) {
            return options
        }
        return options + others
    }

    private static func limited(_ details: [String]) -> [String] {
        details.count <= detailLimit
            ? details : details.prefix(detailLimit) + ["and \(details.count - detailLimit) more"]
    }

    /// More changes than this are counted, not told.
    private static let detailLimit = 50

    /// The preferred maximum width of a commit's first line.
    private static let subjectWidth = 72

    private static func name(_ line: ChangeLine) -> String {
        let subject = line.subject
        if subject == .group(.root), line.facet == .added || line.facet == .removed { return subject.path }
        return subject.key.isRoot ? "Settings" : subject.key.description
    }
}
