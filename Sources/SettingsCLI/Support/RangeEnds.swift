/// The ends of a range `A..B` as they are written; one that is left out is the last version.
struct RangeEnds {
    let start: String
    let end: String

    /// No key has two dots side by side, but a path from the current folder on may have.
    static func isRange(_ text: String) -> Bool { !"/\(text)/".contains("/../") && text.contains("..") }

    /// Nil for what is no range.
    init?(_ text: String) throws {
        guard Self.isRange(text), let dots = text.firstRange(of: "..") else { return nil }
        if text.contains("...") {
            throw Failure(
                .usage, "invalid range '\(text)': three dots are not supported",
                hint: "use '\(text.split(separator: ".").joined(separator: ".."))'")
        }
        func end(_ text: Substring) -> String { text.isEmpty ? "HEAD" : String(text) }
        start = end(text[..<dots.lowerBound])
        self.end = end(text[dots.upperBound...])
    }
}
