import SettingsModel

/// The rules of one dialect of key files: lines of `key = value` in sections.
///
/// There is no common form: `k = a # c` is `a` to one reader and `a # c` to another. So a file is read by its own dialect
/// or not at all, and each dialect is one row of these parameters.
struct KeyFileDialect: Sendable {
    var name: FormatName
    /// What begins a comment where a line begins.
    var comments: [UInt8] = Array("#;".utf8)
    var inlineComments = InlineComments.none
    var delimiters: [UInt8] = Array("=".utf8)
    var valueless = Valueless.refused
    /// Whether names of keys are compared ignoring case.
    var foldsKeys = false
    var sections = Sections.exact
    var allowsRepeatedSections = true
    /// The one section that may be repeated where others may not.
    var repeatable: ExactText?
    var repeatedKeys = RepeatedKeys.last
    var quoting = Quoting.none
    var continuation = Continuation.none
    var allowsMark = false
    /// Whether a lone carriage return ends a line.
    var endsLinesAtReturn = false
    /// Words for true and false, in lower case and in pairs.
    var switches: [(on: String, off: String)] = []
    /// How a key is written where the file shows no other way.
    var indentation = ""
    var delimiter = "="
    /// Whether a blank line separates the sections of a new file.
    var spacesSections = true

    enum InlineComments: Sendable {
        case none
        /// Anywhere outside of quotes.
        case glued
        /// Behind a blank.
        case afterBlank
    }

    /// What a key without a delimiter means.
    enum Valueless: Sendable { case refused, isTrue }

    enum Sections: Sendable {
        /// From `[` to the last `]`, as Python's configparser reads it.
        case exact
        /// `[section "subsection"]` and the old `[section.subsection]`.
        case git
        /// From `[` to a `]` at the end of the line, as GLib reads it.
        case path
    }

    enum RepeatedKeys: Sendable { case refused, list, last }

    enum Quoting: Sendable {
        case none
        /// Quotes begin and end anywhere; `\n`, `\t`, `\b`, `\\` and `\"` are escapes.
        case git
    }

    enum Continuation: Sendable {
        case none
        /// A backslash at the end of a line.
        case backslash
        /// Lines with more indentation than the key.
        case indentation
    }
}

/// The dialects that are known.
extension KeyFileDialect {
    /// Python's configparser without interpolation: setup.cfg, tox.ini, pip, alembic, OpenStack and many others.
    static let ini = KeyFileDialect(
        name: .ini, delimiters: Array("=:".utf8), foldsKeys: true, sections: .exact, allowsRepeatedSections: false,
        repeatable: "DEFAULT", repeatedKeys: .refused, continuation: .indentation, endsLinesAtReturn: true,
        switches: [("yes", "no"), ("true", "false"), ("on", "off")], delimiter: " = ")

    /// The same with names that differ by case, as pytest and Mercurial read their files.
    static let caseSensitive: KeyFileDialect = {
        var dialect = ini
        dialect.foldsKeys = false
        return dialect
    }()

    /// The same with comments behind values, as supervisor reads its files.
    static let supervisor: KeyFileDialect = {
        var dialect = ini
        dialect.inlineComments = .afterBlank
        return dialect
    }()

    /// `git config`.
    static let git = KeyFileDialect(
        name: .gitConfig, inlineComments: .glued, valueless: .isTrue, foldsKeys: true, sections: .git, repeatedKeys: .list,
        quoting: .git, continuation: .backslash, allowsMark: true,
        switches: [("yes", "no"), ("true", "false"), ("on", "off")], indentation: "\t", delimiter: " = ", spacesSections: false)

    /// GLib's key files with values of GVariant: the output of `dconf dump`, overrides of schemas.
    static let dconf = KeyFileDialect(name: .gsettings, comments: Array("#".utf8), sections: .path, allowsMark: true)

    /// How many levels of groups hold its keys: the sections, and in git subsections.
    var depth: Int { sections == .git ? 2 : 1 }
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

    func isOn(_ word: String) -> Bool { switches.contains { $0.on == word.lowercased() } }
}
