/// The ends of a range `A..B` as they are written; one that is left out is the last version.
struct RangeEnds {
    let start: String
    let end: String

    /// Nil for what is no range.
    init?(_ text: String) throws {
        if text.contains("...") {
            throw Failure(
                .usage, "invalid range '\(text)': three dots are not supported",
                hint: "use '\(text.split(separator: ".").joined(separator: ".."))'")
        }
        guard let dots = text.firstRange(of: "..") else { return nil }
        func end(_ text: Substring) -> String { text.isEmpty ? "HEAD" : String(text) }
        start = end(text[..<dots.lowerBound])
        self.end = end(text[dots.upperBound...])
    }
}
