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
        guard KeyFileText.isKey(member.name, dialect) else {
            refuse(path + [member.name], "its name has characters that the name of a key can't have")
            return ""
        }
        let values =
            if dialect.repeatedKeys == .list, case .array(let values) = member.value { values } else { [member.value] }
        var lines = ""
        for value in values where !value.isNull {
            guard let word = encoded(value, like: nil, path + [member.name]) else { continue }
            let sign =
                word.isEmpty || word.hasPrefix("\n")
                ? String(delimiter.reversed().drop { $0 == " " || $0 == "\t" }.reversed()) : delimiter
            lines += indent + member.name.string + sign + word + "\n"
        }
        return lines
    }

    /// The spelling of a value; nil if it can't be written, which is noted.
    mutating func encoded(_ json: JSON, like entry: KeyFileText.Entry?, _ path: [ExactText]) -> String? {
        switch (json, dialect.continuation) {
        case (.string(let text), _):
            if let reason = dialect.fault(of: text.string) {
                refuse(path, reason)
                return nil
            }
            let old = entry?.value.map { edits.bytes[$0.span] } ?? []
            if dialect.quoting == .git { return KeyFileGitValue.encoded(text.string, like: old) }
            guard dialect.continuation == .indentation else { return text.string }
            if text.string.hasPrefix("\n") {
                refuse(path, "its value begins with an empty line")
                return nil
            }
            return text.string.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                .joined(separator: "\n" + continuationIndent(of: entry))
        case (.array(let values), .indentation):
            let items = values.compactMap { item($0, path) }
            let indent = "\n" + continuationIndent(of: entry)
            return items.count == values.count ? items.map { indent + $0 }.joined() : nil
        case (.bool(let isOn), _): return isOn ? "true" : "false"
        default:
            refuse(path, "it is \(json.kind), and a key of \(dialect.name.rawValue) has a text")
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
        // A line of a list must not look like a comment.
        if let reason = dialect.fault(of: "\n" + text.string) ?? dialect.fault(of: text.string) {
            refuse(path, reason)
            return nil
        }
        return text.string
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
    /// Why a text can't be written as a value; nil if it can.
    func fault(of text: String) -> String? {
        if text.utf8.contains(0) { return "its value has a zero byte" }
        if quoting == .git { return nil }
        guard continuation == .indentation else {
            return text.utf8.contains { $0 == 10 || $0 == 13 } ? "its value has several lines" : nil
        }
        if text.utf8.contains(13) { return "its value has a carriage return, which ends a line" }
        let isList = text.hasPrefix("\n")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(isList ? 1 : 0)
        if text.isEmpty { return nil }
        for (index, line) in lines.enumerated() {
            func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
                scalar.map { $0.properties.isWhitespace || (28...31).contains($0.value) } ?? false
            }
            if isBlank(line.unicodeScalars.first) || isBlank(line.unicodeScalars.last) {
                return "its value has blanks at the beginning or the end of a line, which readers remove"
            }
            let isContinued = index > 0 || isList
            if isContinued, let first = line.utf8.first, comments.contains(first) {
                return "a line of its value would be a comment"
            }
            if line.isEmpty, index == lines.count - 1 || index == 0 { return "its value begins or ends with an empty line" }
        }
        if inlineComments == .afterBlank,
            lines.contains(where: { $0.contains(" #") || $0.contains(" ;") || $0.hasPrefix("#") || $0.hasPrefix(";") })
        {
            return "a part of its value would be a comment"
        }
        return nil
    }
}

extension KeyFileText {
    /// What stands between the brackets; nil if the name can't.
    static func header(of path: [ExactText], _ dialect: KeyFileDialect) -> String? {
        let name = path[0].string
        guard !name.isEmpty, !name.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { return nil }
        switch dialect.sections {
        case .exact: return dialect.inlineComments == .none || !name.contains(" ;") && !name.contains(" #") ? name : nil
        case .path: return name.contains { $0 == "[" || $0 == "]" } ? nil : name
        case .git:
            guard name.utf8.allSatisfy(isGitKey) else { return nil }
            guard path.count > 1 else { return name }
            let inner = path[1].string.dropFirst().dropLast()
            if inner.utf8.contains(where: { $0 == 10 || $0 == 0 }) { return nil }
            return "\(name) \"\(inner.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
    }

    static func isKey(_ name: ExactText, _ dialect: KeyFileDialect) -> Bool {
        let name = name.string
        switch dialect.sections {
        case .git: return name.utf8.first.map { isGitKey($0) && $0 > 57 } == true && name.utf8.allSatisfy(isGitKey)
        case .exact, .path:
            guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else { return false }
            if first.properties.isWhitespace || last.properties.isWhitespace || first == "[" { return false }
            return !name.utf8.contains { $0 < 32 || dialect.delimiters.contains($0) }
                && !dialect.comments.contains(name.utf8[name.utf8.startIndex])
        }
    }

    private static func isGitKey(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "-")
    }
}

extension JSON {
    /// The sections of one top member.
    func sections(below name: ExactText, _ dialect: KeyFileDialect) -> [(path: [ExactText], members: [Member])] {
        JSON.object([Member(name, self)]).sections(dialect)
    }
}
