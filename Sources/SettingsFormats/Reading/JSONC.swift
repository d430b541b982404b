package import SettingsModel

// JSON with comments, as VS Code's jsonc-parser reads settings.json (https://github.com/microsoft/node-jsonc-parser):
// RFC 8259 with `// …` and `/* … */` wherever white space may be, and a comma after the last element. Plain JSON is read
// by it too. Where a member is there twice the last one counts, as in JavaScript.

/// A JSON document with the places of everything in it, so that it can be edited and the rest stays as it is.
package struct JSONC {
    package let path: String
    package let bytes: [UInt8]
    /// Nil where there is nothing but white space and comments.
    package private(set) var root: Node?
    /// Whether it has what plain JSON can't have.
    package private(set) var hasExtras = false
    /// Members that a later one of the same name hides.
    package private(set) var duplicates: [(name: Text, offset: Int)] = []
    private let lineStarts: [Int]

    package struct Node {
        package var range: Range<Int>
        package var content: Content
    }

    package enum Content {
        case scalar(JSON)
        case array([Item])
        case object([Item])
    }

    /// An element or a member.
    package struct Item {
        /// Nil of an element.
        package var name: Text?
        /// Of its name, or of its value where it has none.
        package var start: Int
        package var value: Node
        /// Where the comma behind it is.
        package var comma: Int?
        /// Whether a later member has its name.
        package var isHidden = false
    }

    /// Reads a whole file with at most `depth` levels of arrays and objects.
    package init(_ bytes: [UInt8], in path: String, depth: Int = JSON.depthLimit) throws(Refusal) {
        self.path = path
        self.bytes = bytes
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == 10 { starts.append(offset + 1) }
        lineStarts = starts
        var reader = JSONCReader(bytes, depthLimit: depth)
        do throws(BadFile) {
            root = try reader.readDocument()
        } catch {
            throw Refusal(error, in: path)
        }
        hasExtras = reader.hasExtras
        duplicates = reader.duplicates
    }

    /// From 1.
    package func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    package func line(of node: Node) -> Int { line(at: node.range.lowerBound) }
}

extension JSONC.Node {
    package var json: JSON {
        switch content {
        case .scalar(let value): value
        case .array(let items): .array(items.map(\.value.json))
        case .object(let items):
            .object(items.compactMap { item in item.isHidden ? nil : item.name.map { JSON.Member($0, item.value.json) } })
        }
    }

    /// Those that count; nil where it is no object.
    package var members: [(name: Text, value: JSONC.Node)]? {
        guard case .object(let items) = content else { return nil }
        return items.compactMap { item in item.isHidden ? nil : item.name.map { ($0, item.value) } }
    }

    package var elements: [JSONC.Node]? {
        if case .array(let items) = content { items.map(\.value) } else { nil }
    }

    package var text: Text? {
        if case .scalar(.string(let text)) = content { text } else { nil }
    }

    package subscript(name: Text) -> JSONC.Node? {
        guard case .object(let items) = content else { return nil }
        return items.first { !$0.isHidden && $0.name == name }?.value
    }
}

/// A recursive-descent reader that keeps the places.
private struct JSONCReader {
    let bytes: [UInt8]
    let depthLimit: Int
    var offset = 0
    var hasExtras = false
    var duplicates: [(name: Text, offset: Int)] = []

    init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func readDocument() throws(BadFile) -> JSONC.Node? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        if String(validating: bytes, as: UTF8.self) == nil {
            // The model's reader says where.
            _ = try JSON(parsing: bytes, limit: .max)
            throw failure("the file is not UTF-8")
        }
        try skipTrivia()
        if offset == bytes.count { return nil }
        let node = try readValue(depth: 0)
        try skipTrivia()
        guard offset == bytes.count else { throw unexpected("after the end of the JSON value") }
        return node
    }

    private mutating func readValue(depth: Int) throws(BadFile) -> JSONC.Node {
        guard offset < bytes.count else { throw failure("the file ends in the middle of a value") }
        let start = offset
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            let items = try readItems(until: UInt8(ascii: "}"), depth: depth + 1)
            return JSONC.Node(range: start..<offset, content: .object(items))
        case UInt8(ascii: "["):
            let items = try readItems(until: UInt8(ascii: "]"), depth: depth + 1)
            return JSONC.Node(range: start..<offset, content: .array(items))
        case UInt8(ascii: "\""):
            let text = try readString()
            return JSONC.Node(range: start..<offset, content: .scalar(.string(text)))
        default:
            while offset < bytes.count, JSONCReader.isWord(bytes[offset]) { offset += 1 }
            guard offset > start else { throw unexpected("where a value should be") }
            let word = String(decoding: bytes[start..<offset], as: UTF8.self)
            guard let value = JSONCReader.value(of: word) else {
                offset = start
                throw unexpected("where a value should be")
            }
            return JSONC.Node(range: start..<offset, content: .scalar(value))
        }
    }

    private static func value(of word: String) -> JSON? {
        switch word {
        case "null": .null
        case "true": .bool(true)
        case "false": .bool(false)
        default: Number(word).map { .number($0) }
        }
    }

    private mutating func readItems(until end: UInt8, depth: Int) throws(BadFile) -> [JSONC.Item] {
        guard depth <= depthLimit else {
            throw failure("arrays and objects are nested more than \(depthLimit) levels deep")
        }
        let hasNames = end == UInt8(ascii: "}")
        offset += 1
        var items: [JSONC.Item] = []
        var places: [Text: Int] = [:]
        while true {
            try skipTrivia()
            guard offset < bytes.count else { throw failure("the file ends inside \(hasNames ? "an object" : "an array")") }
            if bytes[offset] == end {
                if items.last?.comma != nil { hasExtras = true }
                offset += 1
                return items
            }
            if let last = items.last, last.comma == nil {
                throw unexpected("where ',' or '\(Unicode.Scalar(end))' should be")
            }
            let start = offset
            var name: Text?
            if hasNames {
                guard bytes[offset] == UInt8(ascii: "\"") else { throw unexpected("where the name of a member should be") }
                let text = try readString()
                name = text
                try skipTrivia()
                guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { throw unexpected("where ':' should be") }
                offset += 1
                try skipTrivia()
                if let earlier = places.updateValue(items.count, forKey: text) {
                    items[earlier].isHidden = true
                    duplicates.append((text, items[earlier].start))
                }
            }
            var item = JSONC.Item(name: name, start: start, value: try readValue(depth: depth))
            try skipTrivia()
            if offset < bytes.count, bytes[offset] == UInt8(ascii: ",") {
                item.comma = offset
                offset += 1
            }
            items.append(item)
        }
    }

    private mutating func readString() throws(BadFile) -> Text {
        let start = offset
        offset += 1
        var isPlain = true
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            guard bytes[offset] >= 0x20 else {
                throw failure(
                    bytes[offset] == 10 || bytes[offset] == 13
                        ? "a string is not closed on its line" : "a control character inside a string")
            }
            if bytes[offset] == UInt8(ascii: "\\") {
                isPlain = false
                offset += 1
            }
            offset += 1
        }
        guard offset < bytes.count else { throw failure("the file ends inside a string") }
        offset += 1
        if isPlain { return Text(String(decoding: bytes[start + 1..<offset - 1], as: UTF8.self)) }
        do {
            if case .string(let text) = try JSON(parsing: Array(bytes[start..<offset]), limit: .max) { return text }
        } catch {
            throw BadFile(error.reason, at: position(at: start))
        }
        throw BadFile("no string", at: position(at: start))
    }

    private mutating func skipTrivia() throws(BadFile) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 9, 10, 13, 32: offset += 1
            case UInt8(ascii: "/"):
                let start = offset
                guard let end = JSONC.endOfComment(in: bytes, at: offset) else {
                    throw BadFile(
                        offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "*")
                            ? "the comment is not closed" : "'/' begins no comment",
                        at: position(at: start))
                }
                offset = end
                hasExtras = true
            default: return
            }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func position(at offset: Int) -> BadFile.Position {
        let before = bytes[..<min(offset, bytes.count)]
        let lineStart = (before.lastIndex(of: 10) ?? -1) + 1
        let isMarked = lineStart == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) && offset >= 3
        return BadFile.Position(
            line: before.count { $0 == 10 } + 1,
            column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + (isMarked ? 0 : 1))
    }

    private func failure(_ reason: String) -> BadFile { BadFile(reason, at: position(at: offset)) }

    private func unexpected(_ place: String) -> BadFile {
        let lineStart = (bytes[..<min(offset, bytes.count)].lastIndex(of: 10) ?? -1) + 1
        for marker in ["<<<<<<<", "=======", ">>>>>>>", "|||||||"] where bytes[lineStart...].starts(with: marker.utf8) {
            return BadFile(
                "git's conflict markers are in the file", at: position(at: lineStart),
                hint: "keep one side and remove the marker lines")
        }
        guard offset < bytes.count else { return failure("the file ends \(place)") }
        let scalar = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
        let name = scalar.value < 0x20 || scalar.value == 0x7F ? "a control character" : "'\(scalar)'"
        return failure("\(name) \(place)")
    }
}

extension JSONC {
    /// Where the comment that begins at `offset` ends, a line comment before its newline; nil where none begins, or it
    /// isn't closed.
    static func endOfComment(in bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "/") else { return nil }
        var end = offset + 2
        switch bytes[offset + 1] {
        case UInt8(ascii: "/"):
            while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
            return end
        case UInt8(ascii: "*"):
            while end + 1 < bytes.count {
                if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") { return end + 2 }
                end += 1
            }
            return nil
        default: return nil
        }
    }
}
