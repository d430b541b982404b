import SettingsModel

extension YAMLTree {
    /// Where a name that stands at `first` stands again in the same mapping; nil where that can't be told. Yams only says
    /// where the first one is.
    static func place(of name: String, again first: BadFile.Position, in text: String) -> BadFile.Position? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(first.line - 1) else { return nil }
        let spellings = [name, "'\(name)'", "\"\(name)\""]
        func isName(_ rest: Substring) -> Bool {
            spellings.contains { spelling in
                guard !spelling.isEmpty, rest.hasPrefix(spelling) else { return false }
                let after = rest.dropFirst(spelling.count).drop { $0 == " " }
                guard after.first == ":" else { return false }
                return after.dropFirst().first.map { $0 == " " || $0 == "\t" || spelling != name } ?? true
            }
        }
        // The names of a block stand below each other; whatever else begins there is another block's.
        let margin = first.column - 1
        for (index, line) in lines.enumerated().dropFirst(first.line) {
            let content = line.drop { $0 == " " }
            let indent = line.count - content.count
            if content.isEmpty || content.first == "#" || indent > margin { continue }
            guard indent == margin else { break }
            let name = content.hasPrefix("? ") ? content.dropFirst(2).drop { $0 == " " } : content
            if name.count == content.count ? isName(name) : spellings.contains(where: { name.hasPrefix($0) }) {
                return BadFile.Position(line: index + 1, column: line.count - name.count + 1)
            }
        }
        // In braces it stands behind a comma, in no braces within.
        var depth = 0
        for (index, line) in lines.enumerated().dropFirst(first.line - 1) {
            var rest = index == first.line - 1 ? line.dropFirst(first.column) : line[...]
            var previous: Character? = index == first.line - 1 ? "x" : ","
            while let next = rest.first {
                if depth == 0, previous == ",", isName(rest) {
                    return BadFile.Position(line: index + 1, column: line.count - rest.count + 1)
                }
                if next == "{" || next == "[" { depth += 1 }
                if next == "}" || next == "]" { depth -= 1 }
                if depth < 0 { return nil }
                if next != " " { previous = next }
                rest = rest.dropFirst()
            }
        }
        return nil
    }
}
