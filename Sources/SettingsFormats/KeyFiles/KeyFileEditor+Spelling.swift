import SettingsModel

/// How keys and values are written.
extension KeyFileEditor {
    /// The indentation and the delimiter of the last key in the section, or else in the file.
    func style(in path: [ExactText]) -> (indent: String, delimiter: String) {
        let candidates = text.entries.reversed().filter { edits.isFirstOnLine($0.key.lowerBound) && delimiter(of: $0) != nil }
        guard let entry = candidates.first(where: { text.path(of: $0) == path }) ?? candidates.first,
            let delimiter = delimiter(of: entry)
        else { return (dialect.indentation, dialect.delimiter) }
        return (edits.indent(of: entry.key.lowerBound), delimiter)
    }

    /// The delimiter with the blanks around it.
    func delimiter(of entry: KeyFileText.Entry) -> String? {
        guard let span = entry.value?.span else { return nil }
        let end = span.isEmpty || entry.value?.items != nil ? edits.lineEnd(of: entry.key.upperBound) : span.lowerBound
        let between = edits.bytes[entry.key.upperBound..<end]
        guard let place = between.firstIndex(where: dialect.delimiters.contains) else { return nil }
        let sign = String(decoding: between[...place], as: UTF8.self)
        if span.isEmpty || entry.value?.items != nil { return sign + (sign.first == " " ? " " : "") }
        return sign + String(decoding: between[(place + 1)...], as: UTF8.self)
    }

    /// The lines of a new key.
    mutating func lines(of member: JSON.Member, in path: [ExactText], _ indent: String, _ delimiter: String) -> String {
        guard let name = keySpelling(member.name) else {
            refuse(path + [member.name], "its name has characters that the name of a key can't have")
            return ""
        }
        let values =
            if dialect.isList(member.name), case .array(let values) = member.value { values } else { [member.value] }
        var lines = ""
        for value in values where !value.isNull {
            guard let word = encoded(value, like: nil, path + [member.name]) else { continue }
            let sign =
                word.isEmpty || word.hasPrefix("\n")
                ? String(delimiter.reversed().drop { $0 == " " || $0 == "\t" }.reversed()) : delimiter
            lines += indent + name + sign + word + "\n"
        }
        return lines
    }

    /// The spelling of a value; nil if it can't be written, which is noted.
    mutating func encoded(_ json: JSON, like entry: KeyFileText.Entry?, _ path: [ExactText]) -> String? {
        switch (json, dialect.continuation) {
        case (.string(let text), _):
            let old = entry?.value.map { edits.bytes[$0.span] } ?? []
            if dialect.continuation == .indentation {
                let lines = text.string.split(separator: "\n", omittingEmptySubsequences: false)
                let word = lines.joined(separator: "\n" + continuationIndent(of: entry))
                let sign = quote(of: old).map { String(UnicodeScalar($0)) } ?? ""
                for word in [sign + word + sign, word] where isRead(word, as: text, items: nil) { return word }
            } else if let word = entry?.value.flatMap({ respelled($0, as: text) }) ?? spelling(of: text, like: old) {
                return word
            }
            refuse(path, dialect.fault(of: text.string))
            return nil
        case (.array(let values), .indentation):
            let items = values.compactMap { item($0, path) }
            let indent = "\n" + continuationIndent(of: entry)
            return items.count == values.count ? items.map { indent + $0 }.joined() : nil
        case (.array(let values), _) where dialect.separator != nil: return list(values, like: entry, path)
        case (.bool(let isOn), _): return isOn ? "true" : "false"
        default:
            // What is in groups that are too deep is refused one by one.
            if json.members?.isEmpty ?? true {
                refuse(path, "it is \(json.kind), and a key of \(dialect.name.rawValue) has a text")
            }
            return nil
        }
    }

    /// An item of a list of lines.
    mutating func item(_ json: JSON, _ path: [ExactText]) -> String? {
        guard case .string(let text) = json else {
            refuse(path, "an element of it is \(json.kind), and a line holds a text")
            return nil
        }
        if text.string.isEmpty || text.string.contains("\n") {
            refuse(path, "an element of it is empty or has several lines")
            return nil
        }
        if isRead("\n  " + text.string, as: nil, items: [text]) { return text.string }
        refuse(path, dialect.fault(of: text.string))
        return nil
    }

    /// Whether a value of several lines means this where it stands.
    private func isRead(_ word: String, as text: ExactText?, items: [ExactText]?) -> Bool {
        let read = try? KeyFileScanner.read(Array("[s]\nk = \(word)".utf8), as: dialect, in: "")
        guard let value = read?.entries.first?.value, read?.entries.count == 1 else { return false }
        return value.items?.map(\.text) == items && (text == nil || value.text == text)
    }

    private func continuationIndent(of entry: KeyFileText.Entry?) -> String {
        let unit = text.entries.lazy.compactMap { entry -> String? in
            guard let value = entry.value, self.edits.bytes[value.span].contains(10) else { return nil }
            return self.edits.indent(of: self.edits.nextLine(after: value.span.lowerBound))
        }.first { !$0.isEmpty }
        guard let entry else { return unit ?? "    " }
        if let value = entry.value, edits.bytes[value.span].contains(10) {
            let own = edits.indent(of: edits.nextLine(after: value.span.lowerBound))
            if !own.isEmpty { return own }
        }
        return edits.indent(of: entry.key.lowerBound) + (unit ?? "    ")
    }
}

extension KeyFileDialect {
    /// Why a text can't be written as a value.
    func fault(of text: String) -> String {
        if text.utf8.contains(0) { return "its value has a zero byte" }
        if text.utf8.contains(13) { return "its value has a carriage return, which ends a line" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 1, continuation != .indentation { return "its value has several lines" }
        func isBlank(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace ?? true }
        if lines.contains(where: { isBlank($0.unicodeScalars.first) || isBlank($0.unicodeScalars.last) }) {
            return "its value has blanks or an empty line at an end, which readers remove"
        }
        return "a part of its value would be a comment or an escape"
    }
}

/// Spellings are read again: the first one that means what is wanted is taken.
extension KeyFileEditor {
    /// The spelling of a text in quotes like the old value's, or else as it is, with escapes, or in quotes if need be.
    private func spelling(of text: ExactText, like old: ArraySlice<UInt8>) -> String? {
        let quote = quote(of: old)
        let isPlain =
            quote == nil && (!dialect.reserved.contains(text.string.lowercased()) || isReserved(old))
            && (!dialect.computes(text.string.utf8) || dialect.computes(old))
        let habits = habits(of: old)
        let bare =
            isPlain ? [habits.isEmpty ? text.string : escaped(text.string, in: nil, habits), escaped(text.string, in: nil)] : []
        let quotes = (quote.map { [$0] } ?? []) + dialect.quotes.filter { $0 != quote }
        // What looks like a reference to PHP stays literal, in single quotes or behind a backslash, unless the old value has one.
        let before = String(decoding: old, as: UTF8.self)
        let hasReference = before.contains("${") && !before.contains("\\${") && quote != UInt8(ascii: "'")
        let isReference = dialect.quotesLines && text.string.contains("${") && !hasReference
        let quoted = (isReference ? quotes.sorted { $0 > $1 } : quotes).map { quote in
            let sign = String(UnicodeScalar(quote))
            let word = escaped(text.string, in: quote)
            return dialect.quoting == .json && sign == "\""
                ? JSON.string(text).compact.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
                : sign + (isReference ? word : dialect.quotesLines ? word.replacing("\\$", with: "$") : word) + sign
        }
        return (bare + quoted).first { word in
            if word.isEmpty { return text == "" && dialect.quoting != .doubled }
            guard let value = KeyFileScanner.value(of: Array(word.utf8), as: dialect) else { return false }
            return value.text == text && value.items == nil && value.isReadable
                && !(isLatin && !word.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    /// A value on several lines with only the part spelled anew that differs, so that the others keep their layout.
    private func respelled(_ old: KeyFileValue, as new: ExactText) -> String? {
        let (before, after) = (Array(old.text.string.utf8), Array(new.string.utf8))
        let head = zip(before, after).prefix { $0 == $1 }.count
        let tail = zip(before.dropFirst(head).reversed(), after.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        guard !before.isEmpty, old.places.count == before.count else { return nil }
        let last = before.count - tail
        let end = last == 0 ? old.span.lowerBound : old.places[last - 1].upperBound
        let start = head == last ? end : old.places[head].lowerBound
        let middle = String(decoding: after[head..<after.count - tail], as: UTF8.self)
        for part in [middle, escaped(middle, in: nil)] {
            let word =
                Array(edits.bytes[old.span.lowerBound..<start]) + Array(part.utf8)
                + Array(edits.bytes[end..<old.span.upperBound])
            if KeyFileScanner.value(of: word, as: dialect)?.text == new { return String(decoding: word, as: UTF8.self) }
        }
        return nil
    }

    /// Whether what is beyond ASCII is written as an escape: unless the file has it in UTF-8 already.
    private var isLatin: Bool { dialect.allowsLatin && (text.isLatin || text.bytes.allSatisfy { $0 < 0x80 }) }

    private func isReserved(_ word: ArraySlice<UInt8>) -> Bool {
        word.isEmpty || dialect.reserved.contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    /// The quote that the old value has.
    private func quote(of old: ArraySlice<UInt8>) -> UInt8? {
        guard dialect.quoting == .anywhere else {
            guard let first = old.first, old.count > 1, old.last == first else { return nil }
            return dialect.quotes.contains(first) ? first : nil
        }
        var isEscaped = false
        return old.first { byte in
            defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") && dialect.escapes(in: nil) }
            return dialect.quotes.contains(byte) && !isEscaped
        }
    }

    /// What the old value escapes without need, as Java does with colons.
    private func habits(of old: ArraySlice<UInt8>) -> [UInt8] {
        guard dialect.otherEscapes == .itself else { return [] }
        return zip(old, old.dropFirst()).filter { $0 == UInt8(ascii: "\\") && !$1.isLetter && !$1.isDigit }.map(\.1)
    }

    private func escaped(_ text: String, in quote: UInt8?, _ habits: [UInt8] = [], isKey: Bool = false) -> String {
        var out = ""
        let letters = Dictionary(dialect.escapes.map { ($1, $0) }) { first, _ in first }
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let byte = scalar.isASCII ? UInt8(scalar.value) : 0
            let isOtherQuote = [34, 39].contains(byte) && byte != quote && !(quote == nil && dialect.quoting == .anywhere)
            if let letter = letters[byte], dialect.escapes(in: quote), byte != 32, !isOtherQuote {
                out += "\\" + String(UnicodeScalar(letter))
            } else if byte == quote, dialect.quoting == .doubled {
                out += "''"
            } else if index == 0, byte == 32, quote == nil, let blank = dialect.leadingBlank {
                out += blank
            } else if scalar.isASCII,
                habits.contains(byte) || isKey && dialect.delimiters.contains(byte)
                    || isKey && index == 0 && dialect.comments.contains(byte)
            {
                out += "\\" + String(scalar)
            } else if !scalar.isASCII, isLatin {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// A list within one value: elements that stay keep their spelling, and the list ends in a separator if it did.
    private mutating func list(_ values: [JSON], like entry: KeyFileText.Entry?, _ path: [ExactText]) -> String? {
        guard let separator = dialect.separator else { return nil }
        let sign = String(UnicodeScalar(separator))
        let old = entry?.value?.items?.map { ($0.text, String(decoding: edits.bytes[$0.span], as: UTF8.self)) } ?? []
        let known = Dictionary(old) { first, _ in first }
        let words = values.map { value -> String? in
            guard case .string(let text) = value else { return nil }
            return known[text] ?? escaped(text.string, in: nil).replacing(sign, with: "\\" + sign)
        }
        let span = entry?.value?.span ?? 0..<0
        let isEnded = old.isEmpty || edits.bytes[span].last == separator || values.count < 2
        let word = words.compactMap { $0 }.joined(separator: sign) + (isEnded ? sign : "")
        let read = KeyFileScanner.value(of: Array(word.utf8), as: dialect)?.items?.map { JSON.string($0.text) }
        if read == values { return word }
        refuse(path, "an element of it is not a text, or has several lines")
        return nil
    }

    /// The spelling of a name; nil if no line can begin with it.
    func keySpelling(_ name: ExactText) -> String? {
        [name.string, escaped(name.string, in: nil, isKey: true)].first { word in
            let line = (dialect.depth == 0 ? "" : "[s]\n") + word + dialect.delimiter + "1"
            let read = try? KeyFileScanner.read(Array(line.utf8), as: dialect, in: "")
            return read?.entries.map(\.name) == [name] && read?.sections.count == min(dialect.depth, 1)
                && read?.entries[0].value?.text == "1" && !(isLatin && !word.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    /// What stands between the brackets; nil if the name can't.
    func header(of path: [ExactText]) -> String? {
        var name = path[0].string
        if dialect.sections == .git, path.count > 1 {
            let inner = String(path[1].string.dropFirst().dropLast())
            name += " \"\(inner.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        } else if dialect.repeatedSections == .apart, let end = name.lastIndex(of: "-"), Int(name[end...].dropFirst()) != nil {
            name = String(name[..<end])
        }
        let read = try? KeyFileScanner.read(Array("[\(name)]".utf8), as: dialect, in: "")
        let isSame = read?.sections.map(\.path) == [path] || dialect.repeatedSections == .apart && read?.sections.count == 1
        return isSame && read?.entries.isEmpty == true ? name : nil
    }
}
