package import SettingsModel

// JSON with comments, as VS Code's jsonc-parser reads settings.json (https://github.com/microsoft/node-jsonc-parser):
// RFC 8259 with `// …` and `/* … */` wherever white space is allowed, and a comma after the last element. Plain JSON can
// be read as well. Of duplicate members the last one counts, as in JavaScript.

/// A JSON document with the position of everything in it, so that it can be edited in place.
package struct JSONC {
    package let path: String
    package let bytes: [UInt8]
    /// Nil if the file contains only white space and comments.
    package private(set) var root: Node?
    /// Whether it contains anything that plain JSON doesn't allow.
    package private(set) var hasExtras = false
    /// Members that are hidden by a later one of the same name.
    package private(set) var duplicates: [(name: ExactText, offset: Int)] = []
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

    package struct Item {
        /// Nil for an element.
        package var name: ExactText?
        /// The start of its name, or of its value if it has none.
        package var start: Int
        package var value: Node
        /// The position of the comma after it.
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

    /// The line of a byte, from 1.
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

    /// The members that count; nil if this is not an object.
    package var members: [(name: ExactText, value: JSONC.Node)]? {
        guard case .object(let items) = content else { return nil }
        return items.compactMap { item in item.isHidden ? nil : item.name.map { ($0, item.value) } }
    }

    package var elements: [JSONC.Node]? {
        if case .array(let items) = content { items.map(\.value) } else { nil }
    }

    package var text: ExactText? {
        if case .scalar(.string(let text)) = content { text } else { nil }
    }

    package subscript(name: ExactText) -> JSONC.Node? {
        guard case .object(let items) = content else { return nil }
        return items.first { !$0.isHidden && $0.name == name }?.value
    }
}

/// Reads the structure and its positions; `JSONReader` reads the scalars.
private struct JSONCReader {
    let bytes: [UInt8]
    let depthLimit: Int
    var text: JSONReader
    var hasExtras = false
    var duplicates: [(name: ExactText, offset: Int)] = []

    var offset: Int { text.offset }

    init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        text = JSONReader(bytes)
    }

    mutating func readDocument() throws(BadFile) -> JSONC.Node? {
        try text.begin()
        try skipTrivia()
        if text.isAtEnd { return nil }
        let node = try readValue(depth: 0)
        try skipTrivia()
        guard text.isAtEnd else { throw text.unexpected("the end of input") }
        return node
    }

    private mutating func readValue(depth: Int) throws(BadFile) -> JSONC.Node {
        let start = offset
        let content: JSONC.Content
        switch offset < bytes.count ? bytes[offset] : 0 {
        case UInt8(ascii: "{"): content = .object(try readItems(until: UInt8(ascii: "}"), depth: depth + 1))
        case UInt8(ascii: "["): content = .array(try readItems(until: UInt8(ascii: "]"), depth: depth + 1))
        default: content = .scalar(try text.readScalar())
        }
        return JSONC.Node(range: start..<offset, content: content)
    }

    private mutating func readItems(until end: UInt8, depth: Int) throws(BadFile) -> [JSONC.Item] {
        guard depth <= depthLimit else {
            throw text.failure("arrays and objects are nested more than \(depthLimit) levels deep")
        }
        let hasNames = end == UInt8(ascii: "}")
        text.offset += 1
        var items: [JSONC.Item] = []
        var places: [ExactText: Int] = [:]
        while true {
            try skipTrivia()
            guard offset < bytes.count else { throw text.failure("the file ends inside \(hasNames ? "an object" : "an array")") }
            if bytes[offset] == end {
                if items.last?.comma != nil { hasExtras = true }
                text.offset += 1
                return items
            }
            if let last = items.last, last.comma == nil {
                throw text.unexpected("',' or '\(Unicode.Scalar(end))'")
            }
            let start = offset
            var name: ExactText?
            if hasNames {
                guard bytes[offset] == UInt8(ascii: "\"") else {
                    throw text.unexpected("a name in double quotes")
                }
                let word = ExactText(try text.readString())
                name = word
                try skipTrivia()
                guard text.take(":") else { throw text.unexpected("':'") }
                try skipTrivia()
                if let earlier = places.updateValue(items.count, forKey: word) {
                    items[earlier].isHidden = true
                    duplicates.append((word, items[earlier].start))
                }
            }
            var item = JSONC.Item(name: name, start: start, value: try readValue(depth: depth))
            try skipTrivia()
            if text.take(",") { item.comma = offset - 1 }
            items.append(item)
        }
    }

    private mutating func skipTrivia() throws(BadFile) {
        while true {
            text.skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "/") else { return }
            guard let end = JSONC.endOfComment(in: bytes, at: offset) else {
                throw text.failure(
                    bytes[offset...].starts(with: "/*".utf8) ? "the comment is not closed" : "'/' does not begin a comment")
            }
            text.offset = end
            hasExtras = true
        }
    }
}

extension JSONC {
    /// The end of the comment that begins at `offset`, for a line comment before its newline; nil if there is no comment or it
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
