/// The signs in sentences and tables, apart from letters: Unicode, or ASCII for a locale that is not UTF-8.
public struct Glyphs: Hashable, Sendable {
    /// Between a value and the one that replaced it.
    public var arrow: String
    /// In place of what was cut off.
    public var ellipsis: String
    /// Between facts in a row.
    public var separator: String
    /// Between the titles of a group and of a group in it.
    public var chevron: String
    /// Before the selected label.
    public var check: String
    public var dash: String
    /// In place of each character of a masked text.
    public var bullet: String
    public var openingQuote: String
    public var closingQuote: String
    /// Whether lines are drawn with the characters for boxes.
    public var hasBoxes: Bool

    public static let unicode = Glyphs(
        arrow: "→", ellipsis: "…", separator: "·", chevron: "›", check: "✓", dash: "–", bullet: "•", openingQuote: "“",
        closingQuote: "”", hasBoxes: true)
    public static let ascii = Glyphs(
        arrow: "->", ellipsis: "...", separator: "|", chevron: ">", check: "*", dash: "-", bullet: "*", openingQuote: "\"",
        closingQuote: "\"", hasBoxes: false)

    /// A person's words in quotation marks.
    public func quoted(_ text: some StringProtocol) -> String { openingQuote + text + closingQuote }
}
