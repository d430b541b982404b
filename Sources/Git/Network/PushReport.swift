/// What `git push --porcelain` printed: a line for each reference.
package struct PushReport: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        package var flag: Character
        /// The other side's full name.
        package var name: String
        /// `[new branch]`, `1234567..89abcde`, `[rejected] (stale info)`.
        package var summary: String

        package var isDone: Bool { flag == " " || flag == "*" || flag == "=" }

        /// Why it was refused: what stands in parentheses.
        package var reason: String {
            guard let open = summary.firstIndex(of: "("), let close = summary.lastIndex(of: ")"), open < close else {
                return summary
            }
            return String(summary[summary.index(after: open)..<close])
        }
    }

    package let lines: [Line]

    /// The format is git's: https://git-scm.com/docs/git-push#_output
    init(_ output: String) {
        lines = output.split(separator: "\n").compactMap { text in
            let parts = text.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let flag = parts[0].first, let colon = parts[1].lastIndex(of: ":") else { return nil }
            return Line(flag: flag, name: String(parts[1][parts[1].index(after: colon)...]), summary: String(parts[2]))
        }
    }

    package func line(of name: String) -> Line? { lines.first { $0.name == name } }
}
