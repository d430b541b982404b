/// The ends of a range `A..B` as they are written; one that is left out is the last version.
struct RangeEnds {
    let start: String
    let end: String

    /// Nil for what is no range: no key has two dots side by side, but a path from the current folder on may have.
    init?(_ text: String) {
        guard !"/\(text)/".contains("/../"), let dots = text.firstRange(of: "..") else { return nil }
        func end(_ text: Substring) -> String { text.isEmpty ? "HEAD" : String(text) }
        start = end(text[..<dots.lowerBound])
        self.end = end(text[dots.upperBound...])
    }
}
