/// A configuration file's text, as far as it can be read before libgit2 is asked, or without asking it: starting libgit2 takes
/// longer than reading an option, and it follows what a file includes wherever that leads.
struct ConfigurationText {
    struct Line {
        /// In small letters, with what is in quotes behind it.
        var section: String
        /// In small letters.
        var key: String
        fileprivate var text: Substring
    }

    let lines: [Line]

    /// The format is git's: https://git-scm.com/docs/git-config#_syntax
    init(_ text: String) {
        var lines: [Line] = []
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            var rest = line.drop(while: \.isWhitespace)
            if rest.first == "[" {
                section = rest.dropFirst().prefix { $0 != "]" }.lowercased()
                guard let end = rest.firstIndex(of: "]") else { continue }
                rest = rest[rest.index(after: end)...]
            }
            guard let equals = rest.firstIndex(of: "=") else { continue }
            let words = rest[..<equals].split(whereSeparator: \.isWhitespace)
            guard let key = words.first, words.count == 1 else { continue }
            lines.append(Line(section: section, key: key.lowercased(), text: rest[rest.index(after: equals)...]))
        }
        self.lines = lines
    }

    /// Whether it may take in other files. Each `get` asks this, so it looks at bytes: to search a text takes a seventh of its time.
    static func includes(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false).dropFirst().contains {
            String(decoding: $0.prefix(7), as: UTF8.self).lowercased() == "include"
        }
    }

    /// The values of `path` in the sections `include` and `includeIf`.
    var includedPaths: [String] {
        lines.filter { $0.section.hasPrefix("include") && $0.key == "path" }.map(\.value).filter { !$0.isEmpty }
    }

    /// Whether anything stands in such a section; both names in small letters.
    func hasSection(_ section: String, _ subsection: String) -> Bool {
        lines.contains { $0.section.split(whereSeparator: \.isWhitespace) == [section[...], "\"\(subsection)\""] }
    }

    /// The last value of a key in small letters; nil where it has none.
    func value(of key: String, in section: String) -> String? { lines.last { $0.section == section && $0.key == key }?.value }
}

extension ConfigurationText.Line {
    /// As it is written, without its quotes; what a backslash means is for libgit2 to say.
    var value: String {
        var (value, isQuoted) = ("", false)
        for character in text.drop(while: \.isWhitespace) {
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "#" || character == ";" {
                break
            } else {
                value.append(character)
            }
        }
        while value.last?.isWhitespace == true { value.removeLast() }
        return value
    }
}
