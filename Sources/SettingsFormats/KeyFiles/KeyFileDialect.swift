import SettingsModel

/// The rules of one dialect of key files: lines of `key = value`, in most of them below sections.
///
/// There is no common form: `k = a # c` is `a` to one reader and `a # c` to another. So a file is read by its own dialect
/// or not at all, and each dialect is one row of these parameters.
struct KeyFileDialect: Sendable {
    var name: FormatName
    /// What begins a comment where a line begins.
    var comments: [UInt8] = Array("#;".utf8)
    /// What begins a comment behind a value.
    var inlineComments: [UInt8] = []
    /// Whether a comment behind a value begins with a blank.
    var spacesComments = false
    /// What begins a line that names other files to read.
    var directive: UInt8?
    /// The signs between a key and its value; a blank is one of them where blanks alone are enough.
    var delimiters: [UInt8] = Array("=".utf8)
    var valueless = Valueless.refused
    var folding = Folding.none
    var names = Names.any
    var sections = Sections.exact
    /// Whether names of sections that differ by case are the same.
    var foldsSections = false
    /// Whether keys may precede the first section.
    var allowsTopKeys = false
    var repeatedSections = RepeatedSections.merged
    /// The one section that may be repeated where others may not.
    var repeatable: ExactText?
    var repeatedKeys = RepeatedKeys.last
    /// Keys that are lists where of others the last one counts.
    var lists: Set<String> = []
    /// Whether a key that ends in `[]` is a list.
    var hasListKeys = false
    /// What separates the elements of a list within one value.
    var separator: UInt8?
    var quotes: [UInt8] = []
    var quoting = Quoting.anywhere
    /// Whether a text in quotes may contain ends of lines.
    var quotesLines = false
    /// What stands behind a backslash, and what it means.
    var escapes: [UInt8: UInt8] = [:]
    var escaping = Escaping.none
    var otherEscapes = OtherEscapes.kept
    /// Whether names of keys have escapes as well.
    var escapesKeys = false
    /// Whether blanks at the end of a value are a part of it.
    var keepsBlanks = false
    /// The spelling of a blank at the beginning of a value.
    var leadingBlank: String?
    /// The words that can stand without quotes.
    var isBare: (@Sendable ([UInt8]) -> Bool)?
    /// Signs that compute where they stand without quotes.
    var operators: [UInt8] = []
    /// Words that mean something else without quotes, and can't be keys.
    var reserved: Set<String> = []
    var continuation = Continuation.none
    var allowsMark = false
    /// Whether a lone carriage return ends a line.
    var endsLinesAtReturn = false
    /// Whether the file may be in Latin-1; then what is beyond ASCII is written as `\u00e9`.
    var allowsLatin = false
    /// Whether other programs make such files from templates.
    var hasTemplates = false
    /// Words for true and false, in lower case and in pairs.
    var switches: [(on: String, off: String)] = [("true", "false"), ("yes", "no"), ("on", "off")]
    /// How a key is written where the file shows no other way.
    var indentation = ""
    var delimiter = "="
    /// Whether a blank line separates the sections of a new file.
    var spacesSections = true

    /// What a key without a delimiter means.
    enum Valueless: Sendable { case refused, ignored, isTrue, isEmpty }

    /// Which names of keys are the same.
    enum Folding: Sendable {
        case none, cases
        /// Those in which one has `-` and the other `_`.
        case dashes
    }

    /// What names of keys consist of.
    enum Names: Sendable {
        case any, git, identifiers
        /// Without quotes and signs that compute.
        case plain
    }

    enum Sections: Sendable {
        case none
        /// From `[` to the last `]` of the line, as Python's configparser reads it.
        case exact
        /// From `[` to the first `]`.
        case first
        /// From `[` to a `]` at the end of the line; otherwise the line is an error.
        case whole
        /// The same without blanks before it; otherwise the line is a key.
        case wholeOrKey
        /// `[section "subsection"]` and the old `[section.subsection]`.
        case git
    }

    enum RepeatedSections: Sendable {
        case merged, refused
        /// Each is a section of its own: the second `[Address]` is `Address-2`.
        case apart
    }

    enum RepeatedKeys: Sendable { case refused, list, last }

    enum Quoting: Sendable {
        /// Quotes begin and end anywhere.
        case anywhere
        /// Quotes that enclose a whole value are taken off. Others are a part of it, and hide comments.
        case whole
        /// A value in quotes is nothing else; a quote in it is doubled.
        case doubled
        /// A value in quotes is a string of JSON; in single quotes it is what is between them.
        case json
    }

    /// Where a backslash escapes.
    enum Escaping: Sendable { case none, everywhere, outside, inDoubleQuotes, inQuotes }

    /// What an escape that isn't in the list means.
    enum OtherEscapes: Sendable {
        case refused
        /// The character behind the backslash; `\u00e9` is a character of Unicode.
        case itself
        /// The character behind the backslash; `\351` is a byte.
        case octal
        /// Both.
        case kept
        /// The value is no text, and is shown as it is spelled.
        case unreadable
    }

    enum Continuation: Sendable {
        case none
        /// A backslash at the end of a line joins the next one to it.
        case backslash
        /// The same, without the blanks at the beginning of the next line.
        case trimming
        /// The same with a blank in between; comments between the lines are skipped.
        case blank
        /// Lines with more indentation than the key.
        case indentation
    }
}

extension KeyFileDialect {
    /// How many levels of groups hold its keys: the sections, and in git subsections.
    var depth: Int { sections == .git ? 2 : sections == .none ? 0 : 1 }

    /// The name as it is compared.
    func folded(_ name: ExactText) -> ExactText {
        switch folding {
        case .none: name
        case .cases: ExactText(name.string.lowercased())
        case .dashes: ExactText(name.string.replacing("_", with: "-"))
        }
    }

    /// Whether each line of the key is an element.
    func isList(_ name: ExactText) -> Bool {
        repeatedKeys == .list || lists.contains(folded(name).string) || isAlwaysList(name)
    }

    /// Whether one line alone is a list, too.
    func isAlwaysList(_ name: ExactText) -> Bool { hasListKeys && name.string.hasSuffix("[]") }

    /// Whether blanks beside this quote are no part of a value, as PHP reads double quotes.
    func dropsBlanks(byQuote quote: UInt8) -> Bool { !operators.isEmpty && quote == UInt8(ascii: "\"") }

    /// Whether a spelling without quotes means what it computes: it has an operator, or the name of a constant such as `E_ALL`.
    func computes(_ spelling: some Collection<UInt8>) -> Bool {
        guard !operators.isEmpty else { return false }
        return spelling.contains(where: operators.contains)
            || spelling.split(whereSeparator: { !$0.isIdentifier }).contains { word in
                word.contains(UInt8(ascii: "_")) && word.contains { (65...90).contains($0) }
                    && !word.contains { (97...122).contains($0) }
            }
    }

    /// Whether a backslash escapes within this quote, or outside of quotes.
    func escapes(in quote: UInt8?) -> Bool {
        switch escaping {
        case .none: false
        case .everywhere: true
        case .outside: quote == nil
        case .inDoubleQuotes: quote == UInt8(ascii: "\"")
        case .inQuotes: quote != nil
        }
    }
}

/// Words for true and false.
extension KeyFileDialect {
    /// The pair that `word` belongs to, spelled as `word` is: `On` and `Off`.
    func pair(of word: String) -> (off: String, on: String)? {
        let lower = word.lowercased()
        guard let pair = switches.first(where: { $0.on == lower || $0.off == lower }) else { return nil }
        let isUpper = word == word.uppercased()
        let isCapital = word == lower.prefix(1).uppercased() + lower.dropFirst()
        guard isUpper || isCapital || word == lower else { return nil }
        func spelled(_ other: String) -> String {
            isUpper ? other.uppercased() : isCapital ? other.prefix(1).uppercased() + other.dropFirst() : other
        }
        return (spelled(pair.off), spelled(pair.on))
    }
}
