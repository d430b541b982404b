import SettingsModel

/// The dialects that are known.
extension KeyFileDialect {
    /// Python's configparser without interpolation: setup.cfg, tox.ini, pip, alembic, OpenStack and many others.
    static let ini = KeyFileDialect(
        name: .ini, delimiters: Array("=:".utf8), folding: .cases, repeatedSections: .refused, repeatable: "DEFAULT",
        repeatedKeys: .refused, continuation: .indentation, endsLinesAtReturn: true, hasTemplates: true, delimiter: " = ")

    /// The same with names that differ by case, as pytest and Mercurial read their files.
    static let caseSensitive = ini.with { $0.folding = .none }

    /// The same with comments behind values, as supervisor reads its files.
    static let supervisor = ini.with { ($0.inlineComments, $0.spacesComments) = (Array("#;".utf8), true) }

    /// The same with comments that begin with a semicolon, as fail2ban reads its files.
    static let fail2ban = ini.with { ($0.inlineComments, $0.spacesComments) = (Array(";".utf8), true) }

    /// The same with keys that are repeated and quotes around values, as the services of OpenStack read their files.
    static let openStack = caseSensitive.with {
        ($0.repeatedKeys, $0.repeatedSections) = (.list, .merged)
        ($0.quotes, $0.quoting) = (Array("\"'".utf8), .whole)
    }

    /// `git config`.
    static let git = KeyFileDialect(
        name: .gitConfig, inlineComments: Array("#;".utf8), valueless: .isTrue, folding: .cases, names: .git, sections: .git,
        foldsSections: true,
        repeatedKeys: .list, quotes: Array("\"".utf8), escapes: escapes("n\nt\tb\u{8}\\\\\"\""), escaping: .everywhere,
        otherEscapes: .refused, continuation: .backslash, allowsMark: true, indentation: "\t", delimiter: " = ",
        spacesSections: false)

    /// `java.util.Properties`: no sections, escapes, and blanks alone may separate a key from its value.
    static let properties = KeyFileDialect(
        name: .properties, comments: Array("#!".utf8), delimiters: Array("=: \t\u{c}".utf8), valueless: .isEmpty,
        sections: .none, escapes: escapes("n\nt\tr\rf\u{c}\\\\"), escaping: .everywhere, otherEscapes: .itself,
        escapesKeys: true, keepsBlanks: true, leadingBlank: "\\ ", continuation: .trimming, endsLinesAtReturn: true,
        allowsLatin: true)

    /// Units, drop-ins and the configuration files of systemd: no comments behind values, and quotes are theirs.
    static let systemd = KeyFileDialect(
        name: .systemd, valueless: .ignored, sections: .whole, repeatedKeys: .list, continuation: .blank,
        allowsMark: true, endsLinesAtReturn: true,
        switches: [("yes", "no"), ("true", "false"), ("on", "off"), ("y", "n"), ("t", "f")])

    /// The same for networks, where a section that is repeated is another object.
    static let network = systemd.with { $0.repeatedSections = .apart }

    /// GLib's key files: `.desktop`, `mimeapps.list`, and the files of NetworkManager, UPower and others.
    static let keyFile = KeyFileDialect(
        name: .keyFile, comments: Array("#".utf8), sections: .whole, separator: UInt8(ascii: ";"),
        escapes: escapes("s n\nt\tr\r\\\\"), escaping: .everywhere, otherEscapes: .unreadable, keepsBlanks: true,
        leadingBlank: "\\s", switches: [("true", "false")])

    /// The same with values of GVariant: the output of `dconf dump`, overrides of schemas.
    static let dconf = KeyFileDialect(name: .gsettings, comments: Array("#".utf8), sections: .whole, allowsMark: true)

    /// The server's own file: no sections, quotes for all but words and numbers.
    static let postgreSQL = KeyFileDialect(
        name: .postgreSQL, comments: Array("#".utf8), inlineComments: Array("#".utf8), delimiters: Array("= \t".utf8),
        folding: .cases, names: .identifiers, sections: .none, lists: ["include", "include_if_exists", "include_dir"],
        quotes: Array("'".utf8), quoting: .doubled, escapes: escapes("n\nt\tr\rb\u{8}f\u{c}\\\\"), escaping: .inQuotes,
        otherEscapes: .octal, isBare: isPostgreSQLWord,
        switches: [("on", "off"), ("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n")], delimiter: " = ")

    /// The option files of MySQL and MariaDB: a key without a value is on, and `-` is `_`.
    static let mySQL = KeyFileDialect(
        name: .mySQL, inlineComments: Array("#".utf8), directive: UInt8(ascii: "!"), valueless: .isTrue, folding: .dashes,
        sections: .first, foldsSections: true,
        lists: [
            "plugin-load-add", "replicate-do-db", "replicate-ignore-db", "replicate-do-table", "replicate-ignore-table",
            "replicate-wild-do-table", "replicate-wild-ignore-table", "replicate-rewrite-db", "binlog-do-db",
            "binlog-ignore-db",
        ], quotes: Array("\"'".utf8), quoting: .whole, escapes: escapes("n\nt\tr\rb\u{8}s \\\\\"\"''"), escaping: .everywhere,
        switches: [("on", "off"), ("true", "false")])

    /// npm's and pnpm's own file, as node's `ini` reads it.
    static let npm = KeyFileDialect(
        name: .npm, inlineComments: Array("#;".utf8), valueless: .isTrue, sections: .wholeOrKey, allowsTopKeys: true,
        hasListKeys: true, quotes: Array("\"'".utf8), quoting: .json, escapes: escapes(";;##\\\\"), escaping: .outside,
        allowsMark: true, endsLinesAtReturn: true, switches: [("true", "false")])

    /// `.editorconfig`: sections are patterns of file names.
    static let editorConfig = KeyFileDialect(
        name: .editorConfig, inlineComments: Array("#;".utf8), spacesComments: true, delimiters: Array("=:".utf8),
        folding: .cases, allowsTopKeys: true, allowsMark: true, switches: [("true", "false")], delimiter: " = ")

    /// `php.ini`.
    static let php = KeyFileDialect(
        name: .php, comments: Array(";".utf8), inlineComments: Array(";".utf8), valueless: .ignored, names: .plain,
        sections: .first, allowsTopKeys: true,
        lists: ["extension", "zend_extension"], hasListKeys: true, quotes: Array("\"'".utf8), quotesLines: true,
        escapes: escapes("\\\\\"\"''$$"), escaping: .inDoubleQuotes, isBare: isPHPWord,
        operators: Array("|&^~!(){}$".utf8),
        reserved: phpWords, allowsMark: true, endsLinesAtReturn: true,
        switches: [("on", "off"), ("yes", "no"), ("true", "false")], delimiter: " = ")

    private func with(_ change: (inout KeyFileDialect) -> Void) -> KeyFileDialect {
        var dialect = self
        change(&dialect)
        return dialect
    }

    /// Pairs of a character and what it stands for behind a backslash.
    private static func escapes(_ pairs: String) -> [UInt8: UInt8] {
        let bytes = Array(pairs.utf8)
        return Dictionary(uniqueKeysWithValues: stride(from: 0, to: bytes.count, by: 2).map { (bytes[$0], bytes[$0 + 1]) })
    }

    /// A word that begins with a letter, or a number with a unit; `a.b` is neither.
    private static let isPostgreSQLWord: @Sendable ([UInt8]) -> Bool = { word in
        let digits = word.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard let first = word.first, word.count - digits.count < 2, let next = digits.first else { return false }
        if next.isDigit || next == UInt8(ascii: ".") {
            let unit = digits.drop { $0.isDigit }
            return unit.allSatisfy { $0.isLetter || unit.count > 2 && digits.first == UInt8(ascii: "0") && $0.isDigit }
                || unit.first == UInt8(ascii: ".") && unit.dropFirst().allSatisfy { $0.isDigit }
        }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isQualified = parts.count == 2 && parts.allSatisfy { $0.first?.isDigit == false && $0.allSatisfy(\.isIdentifier) }
        return first.isIdentifier && !isQualified && word.allSatisfy { $0.isIdentifier || ".:/-".utf8.contains($0) }
    }

    private static let phpWords: Set = ["yes", "no", "on", "off", "true", "false", "none", "null"]

    /// Neither an assignment nor a call of a function, nor several words of which one is reserved.
    private static let isPHPWord: @Sendable ([UInt8]) -> Bool = { word in
        let words = word.split { $0.isKeyFileBlank }.map { String(decoding: $0, as: UTF8.self).lowercased() }
        return !word.contains { $0 == UInt8(ascii: "=") } && (words.count == 1 || !words.contains(where: phpWords.contains))
            && zip(word, word.dropFirst()).allSatisfy { !($0.isIdentifier && $1 == UInt8(ascii: "(")) }
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    var isDigit: Bool { (48...57).contains(self) }
    /// A letter of ASCII, or a part of another character.
    var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) || self >= 0x80 }
    var isIdentifier: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
