import SettingsModel

/// Reads a key file line by line.
struct KeyFileScanner {
    var text: KeyFileText
    private let file: String
    let bytes: [UInt8]
    let dialect: KeyFileDialect
    private var offset = 0
    /// Where each section and each key of a section was seen first.
    private var seen: [[ExactText]: Int] = [:]
    /// How often each section was seen.
    private var counts: [[ExactText]: Int] = [:]

    static func read(_ bytes: [UInt8], as dialect: KeyFileDialect, in file: String) throws(Refusal) -> KeyFileText {
        var scanner = KeyFileScanner(bytes, dialect, file)
        try scanner.checkText()
        do throws(Refusal) { try scanner.scan() } catch {
            guard let line = ConflictMarker.line(in: bytes) else { throw error }
            throw Refusal(
                ConflictMarker.reason, in: file, at: BadFile.Position(line: line, column: 1), hint: ConflictMarker.hint)
        }
        return scanner.text
    }

    init(_ bytes: [UInt8], _ dialect: KeyFileDialect, _ file: String) {
        text = KeyFileText(bytes: bytes, dialect: dialect)
        (self.bytes, self.dialect, self.file) = (bytes, dialect, file)
    }

    func refusal(_ reason: String, at offset: Int, hint: String? = nil) -> Refusal {
        Refusal(reason, in: file, at: BadFile.Position(of: offset, in: bytes), hint: hint)
    }

    private mutating func checkText() throws(Refusal) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Refusal(
                "is UTF-16, but readers of \(dialect.name.rawValue) files expect UTF-8", in: file, hint: "save it as UTF-8")
        }
        if let place = bytes.firstIndex(of: 0) { throw refusal("has a zero byte, but key files are text", at: place) }
        if text.isLatin, !dialect.allowsLatin { _ = try PlainFile.text(of: bytes, in: file) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            guard dialect.allowsMark else {
                throw Refusal(
                    "begins with a byte order mark, which readers of \(dialect.name.rawValue) files refuse", in: file,
                    hint: "save it without the mark")
            }
            offset = 3
        }
        for template in ["{{", "{% ", "{%-", "<%=", "<% ", "<%-"] where dialect.hasTemplates {
            guard let place = bytes.firstRange(of: Array(template.utf8))?.lowerBound else { continue }
            throw refusal("has '\(template)': it is a template, from which another program makes the file", at: place)
        }
        if dialect.endsLinesAtReturn, let place = text.loneReturn {
            throw refusal(
                "has a carriage return without a line feed, which ends a line for some readers only", at: place,
                hint: "save it with one kind of line ends")
        }
    }

    private mutating func scan() throws(Refusal) {
        while offset < bytes.count {
            if bytes[offset].isKeyFileBlank || bytes[offset] == 10 || bytes[offset] == 13 {
                offset += 1
            } else if dialect.comments.contains(bytes[offset]) || dialect.directive == bytes[offset] {
                if dialect.directive == bytes[offset] { text.include = text.include ?? offset }
                offset = lineEnd(offset)
            } else if bytes[offset] == UInt8(ascii: "["), dialect.sections != .none, try scanSection() {
                try checkCount()
            } else {
                try scanEntry()
                try checkCount()
            }
        }
    }

    private func checkCount() throws(Refusal) {
        guard text.sections.count + text.entries.count > KeyFileText.countLimit else { return }
        throw Refusal("has more than \(KeyFileText.countLimit) keys and sections", in: file)
    }

    /// The end of the line's text, before its line end.
    func lineEnd(_ offset: Int) -> Int {
        let end = bytes[offset...].firstIndex(of: 10) ?? bytes.count
        return end > offset && end < bytes.count && bytes[end - 1] == 13 ? end - 1 : end
    }

    /// The start of the next line.
    func nextLine(_ offset: Int) -> Int { min((bytes[offset...].firstIndex(of: 10) ?? bytes.count) + 1, bytes.count) }
}

/// Sections.
extension KeyFileScanner {
    /// False if the line is no header; it may then be a key.
    private mutating func scanSection() throws(Refusal) -> Bool {
        let start = offset
        var path: [ExactText]
        if dialect.sections == .git {
            path = try gitSection()
        } else {
            guard let close = try sectionEnd(start) else { return false }
            let name = text.string(start + 1..<close)
            path = [ExactText(dialect.foldsSections ? name.lowercased() : name)]
            offset = close + 1
        }
        let header = start..<offset
        if dialect.sections != .git { offset = lineEnd(start) }
        counts[path, default: 0] += 1
        if dialect.repeatedSections == .apart, let count = counts[path], count > 1 {
            path = [ExactText("\(path[0])-\(count)")]
        }
        let first = seen.updateValue(start, forKey: path)
        if let first, dialect.repeatedSections == .refused, path.first != dialect.repeatable {
            throw refusal(
                "the section [\(path[0])] appears twice, the first time in line \(text.line(at: first))", at: start,
                hint: "join the two sections")
        }
        if dialect.allowsTopKeys, first != nil, counts[path] == 1 {
            throw refusal("'\(path[0])' is a key and a section", at: start, hint: "give one of them another name")
        }
        text.sections.append(.init(path: path, header: header))
        return true
    }

    /// The `]` that ends the header.
    private func sectionEnd(_ start: Int) throws(Refusal) -> Int? {
        var line = trimmed(start..<lineEnd(start))
        if dialect.spacesComments { line = trimmed(start..<commentStart(in: line)) }
        let close: Int?
        switch dialect.sections {
        case .none, .git: return nil
        case .exact: close = bytes[line].lastIndex(of: UInt8(ascii: "]"))
        case .first: close = bytes[line].firstIndex(of: UInt8(ascii: "]"))
        case .wholeOrKey where start > 0 && bytes[start - 1] != 10: return nil
        case .whole, .wholeOrKey: close = bytes[line].last == UInt8(ascii: "]") ? line.upperBound - 1 : nil
        }
        if let close, close > start + 1 { return close }
        if dialect.sections == .exact || dialect.sections == .wholeOrKey { return nil }
        throw refusal("a section does not end in ']'", at: start)
    }

    private mutating func gitSection() throws(Refusal) -> [ExactText] {
        let start = offset
        func invalid() -> Refusal {
            refusal("invalid section: expected [section] or [section \"subsection\"]", at: start)
        }
        let word = bytes[(offset + 1)...].prefix { $0.isGitKey || $0 == UInt8(ascii: ".") }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        offset = word.endIndex
        guard offset < bytes.count, !name.isEmpty else { throw invalid() }
        if bytes[offset] == UInt8(ascii: "]") {
            offset += 1
            let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return [ExactText(parts[0])] + parts.dropFirst().map(KeyFileText.quoted)
        }
        let blanks = bytes[offset...].prefix { $0 == 32 || $0 == 9 }
        offset = blanks.endIndex
        guard !blanks.isEmpty, offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { throw invalid() }
        offset += 1
        var inner: [UInt8] = []
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            if bytes[offset] == UInt8(ascii: "\\") { offset += 1 }
            guard offset < bytes.count, bytes[offset] != 10 else { throw invalid() }
            inner.append(bytes[offset])
            offset += 1
        }
        guard offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "]") else { throw invalid() }
        offset += 2
        return [ExactText(name), KeyFileText.quoted(String(decoding: inner, as: UTF8.self))]
    }
}

/// Keys.
extension KeyFileScanner {
    private mutating func scanEntry() throws(Refusal) {
        let start = offset
        let line = lineEnd(start)
        var delimiter = delimiter(in: start..<line)
        var key = trimmed(start..<(delimiter ?? line))
        if dialect.quoting == .json || dialect.names == .plain,
            let comment = bytes[key].firstIndex(where: dialect.inlineComments.contains)
        {
            // In the files of npm and PHP a comment also ends a name; what follows is a value to npm.
            key = trimmed(start..<comment)
            if dialect.names == .plain { delimiter = nil }
        }
        if dialect.names == .plain, !isKey(key) {
            throw refusal(
                "a name has a sign at which PHP stops reading the file", at: start,
                hint: "begin a comment with ';', and put a value in quotes")
        }
        let name = ExactText(try word(in: key))
        offset = line
        if delimiter == nil, dialect.valueless == .ignored { return text.ignored = text.ignored ?? start }
        if text.sections.isEmpty, dialect.depth > 0, !dialect.allowsTopKeys {
            throw refusal("a key comes before the first section", at: start, hint: "is the file in another format?")
        }
        if !isKey(key) || dialect.reserved.contains(name.string.lowercased()) || delimiter == nil && dialect.valueless == .refused
        {
            throw refusal("a line is neither a section, nor key=value, nor a comment", at: start)
        }
        var entry = KeyFileText.Entry(
            section: text.sections.indices.last, name: name, key: key, value: nil, end: key.upperBound)
        if var place = delimiter {
            while place < line, bytes[place].isKeyFileBlank { place += 1 }
            if place < line, !bytes[place].isKeyFileBlank, dialect.delimiters.contains(bytes[place]) { place += 1 }
            if dialect.escapesKeys, place + 1 == line, bytes[place] == UInt8(ascii: "\\"), let next = nextSign(line),
                dialect.delimiters.contains(next)
            {
                throw refusal("the sign after a key is on the next line", at: start, hint: "write it after the key")
            }
            let value = try value(from: place, of: start, line)
            entry.value = value
            entry.end = max(lineEnd(value.span.upperBound), key.upperBound)
        }
        let path = text.path(of: entry) + [dialect.folded(name)]
        if let first = seen.updateValue(start, forKey: path) {
            guard dialect.repeatedKeys != .refused else {
                throw refusal(
                    "the key '\(name)' appears twice in [\(path[0])], the first time in line \(text.line(at: first))", at: start,
                    hint: "remove one of them")
            }
            if !dialect.isList(name) { text.repeated = text.repeated ?? first }
        }
        text.entries.append(entry)
    }

    /// What the next line begins with.
    private func nextSign(_ line: Int) -> UInt8? { bytes[nextLine(line)...].first { !$0.isKeyFileBlank } }

    /// The first delimiter of a line.
    private func delimiter(in line: Range<Int>) -> Int? {
        var place = line.lowerBound
        while place < line.upperBound, !dialect.delimiters.contains(bytes[place]) {
            place += dialect.escapesKeys && bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place < line.upperBound ? place : nil
    }

    /// The name of a key without its escapes.
    private mutating func word(in key: Range<Int>) throws(Refusal) -> String {
        guard dialect.escapesKeys, bytes[key].contains(UInt8(ascii: "\\")) else { return text.string(key) }
        let (value, end) = try scanned(from: key.lowerBound, to: key.upperBound)
        guard end == key.upperBound, bytes[key].last != UInt8(ascii: "\\") else {
            throw refusal("the name of a key continues on the next line", at: key.lowerBound, hint: "write it on one line")
        }
        return value.text.string
    }

    private func isKey(_ key: Range<Int>) -> Bool {
        let name = bytes[key]
        return switch dialect.names {
        case .any: !key.isEmpty
        case .plain: !name.isEmpty && !name.contains { dialect.operators.contains($0) || $0 == UInt8(ascii: "\"") }
        case .git: name.first?.isLetter == true && name.allSatisfy(\.isGitKey)
        case .identifiers:
            name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
                $0.first?.isDigit == false && $0.allSatisfy(\.isIdentifier)
            }
        }
    }

    /// The value that begins at `start`; `key` is the start of the key, `line` the end of its line.
    private mutating func value(from start: Int, of key: Int, _ line: Int) throws(Refusal) -> KeyFileValue {
        if dialect.continuation == .indentation { return indentedValue(from: start, of: key, line) }
        let (value, end) = try scanned(from: start, to: bytes.count)
        offset = end
        return value
    }

    /// Lines with more indentation than the key continue its value; comments between them are skipped, blank lines count.
    private mutating func indentedValue(from start: Int, of key: Int, _ line: Int) -> KeyFileValue {
        func withoutComment(_ range: Range<Int>) -> Range<Int> {
            trimmed(dialect.inlineComments.isEmpty ? range : range.lowerBound..<commentStart(in: range))
        }
        let indent = key - (bytes[..<key].lastIndex(of: 10) ?? -1) - 1
        let first = withoutComment(start..<line)
        var lines = [first]
        var blanks: [Range<Int>] = []
        var next = nextLine(line)
        while next < bytes.count {
            let (start, stop) = (next, lineEnd(next))
            next = nextLine(stop)
            let item = trimmed(start..<stop)
            if item.isEmpty {
                blanks.append(item)
            } else if !dialect.comments.contains(bytes[item.lowerBound]) {
                guard item.lowerBound - start > indent else { break }
                lines += blanks + [withoutComment(item)]
                (blanks, offset) = ([], stop)
            }
        }
        let text = lines.count == 1 ? text.string(unquoted(bytes[first])) : lines.map(text.string).joined(separator: "\n")
        let items = lines.dropFirst().filter { !$0.isEmpty }.map { (span: $0, text: ExactText(self.text.string($0))) }
        return KeyFileValue(
            span: first.lowerBound..<lines[lines.count - 1].upperBound, text: ExactText(text),
            items: first.isEmpty && !items.isEmpty ? items : nil)
    }

    /// Without the quotes that enclose a whole value.
    func unquoted(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard dialect.quoting == .whole, word.count > 1, let first = word.first, dialect.quotes.contains(first),
            word.last == first
        else { return word }
        return word.dropFirst().dropLast()
    }

    /// Where a comment begins that a blank precedes.
    private func commentStart(in range: Range<Int>) -> Int {
        range.first { place in
            dialect.inlineComments.contains(bytes[place]) && (place == range.lowerBound || bytes[place - 1].isKeyFileBlank)
        } ?? range.upperBound
    }

    /// Without the blanks at both ends, also those beyond ASCII that Python and npm know.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start].isKeyFileBlank || bytes[start] == 13 { start += 1 }
        while end > start, bytes[end - 1].isKeyFileBlank || bytes[end - 1] == 13 { end -= 1 }
        guard [.ini, .npm].contains(dialect.name), start < end, bytes[start] >= 0x80 || bytes[end - 1] >= 0x80 else {
            return start..<end
        }
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace && !(scalar == "\u{85}" && dialect.name == .npm)
        }
        let word = String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars
        let head = word.prefix(while: isBlank)
        if head.count == word.count { return start..<start }
        let tail = word.reversed().prefix(while: isBlank)
        let trimmed = start + head.reduce(0) { $0 + UTF8.width($1) }..<end - tail.reduce(0) { $0 + UTF8.width($1) }
        return trimmed == start..<end ? trimmed : self.trimmed(trimmed)
    }
}

extension UInt8 {
    var isGitKey: Bool { isDigit || isLetter && self < 0x80 || self == UInt8(ascii: "-") }
}
