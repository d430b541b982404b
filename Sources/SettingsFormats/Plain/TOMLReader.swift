import SettingsModel

/// Reads TOML 1.1 (https://toml.io/en/v1.1.0), and thereby 1.0: members in file order, the spelling of each value,
/// and the position of everything.
struct TOMLReader {
    /// A table under construction, since later headers can extend it.
    final class Table {
        private(set) var names: [ExactText] = []
        private var members: [ExactText: Node] = [:]
        /// The range of its braces.
        fileprivate(set) var inline: Range<Int>?
        /// The range of `[its.name]`.
        fileprivate(set) var header: Range<Int>?
        /// The names from its section's header to it, if dotted keys define it.
        fileprivate(set) var dotted: [ExactText] = []
        /// The ranges of its pairs, each from the key to the end of the value.
        fileprivate(set) var pairs: [ExactText: Range<Int>] = [:]
        /// The ranges of their names.
        fileprivate(set) var nameRanges: [ExactText: Range<Int>] = [:]
        /// The last pair in it or, if dotted keys define it, through it.
        fileprivate(set) var lastPair: Range<Int>?
        /// The end of the last header or pair in it or in its subtables.
        fileprivate(set) var end = 0

        subscript(name: ExactText) -> Node? {
            get { members[name] }
            set {
                if members.updateValue(newValue ?? .scalar(.null, nil, 0..<0), forKey: name) == nil { names.append(name) }
            }
        }

        fileprivate func addTable(_ name: ExactText) -> Table {
            let table = Table()
            self[name] = .table(table)
            return table
        }
    }

    /// The tables of `[[headers]]`.
    final class Tables {
        fileprivate(set) var elements: [Table] = []
    }

    enum Node {
        case table(Table)
        case tables(Tables)
        /// The elements with their ranges, and the range of the array.
        case array([(Node, Range<Int>)], Range<Int>)
        case scalar(JSON, ExactText?, Range<Int>)
    }

    /// Why a file is not valid TOML, and the offset of the error.
    struct Failure: Error {
        var reason: String
        var offset: Int
    }

    let bytes: [UInt8]
    var offset = 0
    /// The last part of the key that was read last.
    private var nameRange = 0..<0

    /// The root table, with the positions of everything in it.
    static func root(of bytes: [UInt8]) throws(Failure) -> Table {
        var reader = TOMLReader(bytes: bytes)
        return try reader.document()
    }

    static func tree(of bytes: [UInt8]) throws(Failure) -> PlainTree {
        var tree = PlainTree(.null)
        tree.root = json(.table(try root(of: bytes)), at: .root, &tree.marks)
        return tree
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func json(_ node: Node, at place: PlainTree.Pointer, _ marks: inout [PlainTree.Pointer: ExactText]) -> JSON {
        switch node {
        case .scalar(let value, let mark, _):
            marks[place] = mark
            return value
        case .table(let table):
            var members: [JSON.Member] = []
            for name in table.names {
                guard let member = table[name] else { continue }
                members.append(JSON.Member(name, json(member, at: place.member(name), &marks)))
            }
            return .object(members)
        case .tables(let tables):
            return .array(tables.elements.enumerated().map { json(.table($1), at: place.element($0), &marks) })
        case .array(let elements, _):
            return .array(elements.enumerated().map { json($1.0, at: place.element($0), &marks) })
        }
    }
}

/// Reads lines, keys and values.
extension TOMLReader {
    private mutating func document() throws(Failure) -> Table {
        let root = Table()
        var table = root
        // The current table and the tables that contain it.
        var chain = [root]
        // The depth of the current table.
        var depth = 0
        while true {
            try skipBlank()
            guard let byte = next else { return root }
            if byte == UInt8(ascii: "[") {
                let start = offset
                offset += 1
                let isArray = take("[")
                let path = try key()
                try expect("]")
                if isArray { try expect("]") }
                try enter(path.count + (isArray ? 1 : 0))
                depth = path.count
                chain = try open(path, in: root, isArray: isArray, at: start)
                table = chain[chain.count - 1]
                table.header = start..<offset
            } else {
                try pair(in: table, depth: depth)
            }
            for table in chain { table.end = offset }
            try endLine()
        }
    }

    /// The table of a header and the tables that contain it.
    private func open(_ path: [ExactText], in root: Table, isArray: Bool, at start: Int) throws(Failure) -> [Table] {
        var chain = [root]
        for name in path.dropLast() {
            let table = chain[chain.count - 1]
            switch table[name] {
            case nil: chain.append(table.addTable(name))
            case .table(let inner)? where inner.inline == nil: chain.append(inner)
            case .tables(let tables)? where !tables.elements.isEmpty: chain.append(tables.elements[tables.elements.count - 1])
            default: throw Failure(reason: "'\(name)' is not a table that can be extended here", offset: start)
            }
        }
        guard let last = path.last else { return chain }
        let table = chain[chain.count - 1]
        switch table[last] {
        case nil where isArray:
            let tables = Tables()
            tables.elements.append(Table())
            table[last] = .tables(tables)
            return chain + tables.elements
        case nil: return chain + [table.addTable(last)]
        case .tables(let tables)? where isArray:
            tables.elements.append(Table())
            return chain + tables.elements.suffix(1)
        case .table(let inner)? where !isArray && inner.inline == nil && inner.header == nil && inner.dotted.isEmpty:
            return chain + [inner]
        default: throw twice(last, at: start)
        }
    }

    private mutating func pair(in table: Table, depth: Int) throws(Failure) {
        let start = offset
        let path = try key()
        let name = nameRange
        try expect("=")
        try enter(depth + path.count)
        var table = table
        var through = [table]
        for name in path.dropLast() {
            let inner: Table
            switch table[name] {
            case nil: inner = table.addTable(name)
            case .table(let present)? where present.inline == nil && present.header == nil: inner = present
            default: throw twice(name, at: start)
            }
            inner.dotted = table.dotted + [name]
            table = inner
            through.append(table)
        }
        skipSpace()
        guard let last = path.last, table[last] == nil else { throw twice(path.last ?? "", at: start) }
        table[last] = try value(depth: depth + path.count)
        table.pairs[last] = start..<offset
        table.nameRanges[last] = name
        for table in through {
            table.lastPair = start..<offset
            table.end = offset
        }
    }

    private mutating func key() throws(Failure) -> [ExactText] {
        var path: [ExactText] = []
        repeat {
            skipSpace()
            let begin = offset
            switch next {
            case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: path.append(ExactText(try string(isLong: false)))
            default:
                let start = offset
                while let byte = next, TOMLReader.isNameByte(byte) { offset += 1 }
                guard offset > start else { throw expected("a name") }
                path.append(ExactText(String(decoding: bytes[start..<offset], as: UTF8.self)))
            }
            nameRange = begin..<offset
            skipSpace()
            try enter(path.count)
        } while take(".")
        return path
    }

    /// Whether a key may have it without quotes.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private mutating func value(depth: Int) throws(Failure) -> Node {
        try enter(depth)
        let start = offset
        switch next {
        case UInt8(ascii: "\"")?, UInt8(ascii: "'")?:
            let text = try string(isLong: bytes[offset...].starts(with: Array(repeating: bytes[start], count: 3)))
            return .scalar(.string(ExactText(text)), nil, start..<offset)
        case UInt8(ascii: "[")?:
            var elements: [(Node, Range<Int>)] = []
            try items(until: "]") { (reader) throws(Failure) in
                let begin = reader.offset
                let element = try reader.value(depth: depth + 1)
                elements.append((element, begin..<reader.offset))
            }
            return .array(elements, start..<offset)
        case UInt8(ascii: "{")?:
            let table = Table()
            try items(until: "}") { (reader) throws(Failure) in try reader.pair(in: table, depth: depth) }
            table.inline = start..<offset
            return .table(table)
        default:
            let word = word()
            guard let scalar = TOMLScalar(word) else {
                offset = start
                throw word.isEmpty ? expected("a value") : Failure(reason: "'\(word.prefix(40))' is not a value", offset: start)
            }
            return .scalar(scalar.value, scalar.mark, start..<offset)
        }
    }

    /// Reads items in brackets, separated by commas; a final comma is allowed.
    private mutating func items(
        until end: Unicode.Scalar, _ read: (inout TOMLReader) throws(Failure) -> Void
    ) throws(Failure) {
        offset += 1
        try skipBlank()
        while !take(end) {
            try read(&self)
            try skipBlank()
            if take(end) { return }
            guard take(",") else { throw expected("',' or '\(end)'") }
            try skipBlank()
        }
    }

    /// Reads an unquoted value; there may be a space between a date and a time.
    private mutating func word() -> String {
        let start = offset
        while let byte = next {
            if " \t,]}#\n\r".utf8.contains(byte) {
                let isBetween = byte == UInt8(ascii: " ") && offset - start == 10 && bytes[start + 4] == UInt8(ascii: "-")
                guard isBetween, offset + 1 < bytes.count, (0x30...0x39).contains(bytes[offset + 1]) else { break }
            }
            offset += 1
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
}

/// Skips white space and comments.
extension TOMLReader {
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
        guard take(character) else { throw expected("'\(character)'") }
    }

    mutating func takeLineEnd() -> Bool {
        guard next == 10 || bytes[offset...].starts(with: [13, 10]) else { return false }
        offset += next == 13 ? 2 : 1
        return true
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    private mutating func skipComment() throws(Failure) {
        guard take("#") else { return }
        while let byte = next, byte != 10, byte != 13 {
            try checkCharacter(byte)
            offset += 1
        }
    }

    /// Skips spaces, line breaks and comments.
    private mutating func skipBlank() throws(Failure) {
        repeat {
            skipSpace()
            try skipComment()
        } while takeLineEnd()
    }

    private mutating func endLine() throws(Failure) {
        skipSpace()
        try skipComment()
        guard offset == bytes.count || takeLineEnd() else { throw expected("the end of the line") }
    }

    func checkCharacter(_ byte: UInt8) throws(Failure) {
        guard byte >= 0x20 && byte != 0x7F || byte == 9 else {
            throw Failure(reason: "control characters are not allowed here", offset: offset)
        }
    }

    private func enter(_ depth: Int) throws(Failure) {
        guard depth < JSON.depthLimit else {
            throw Failure(reason: "is nested more than \(JSON.depthLimit - 1) levels deep", offset: offset)
        }
    }

    func expected(_ what: String) -> Failure {
        Failure(reason: (offset < bytes.count ? "expected " : "the file is truncated: expected ") + what, offset: offset)
    }

    private func twice(_ name: ExactText, at offset: Int) -> Failure {
        Failure(reason: "the name '\(name)' appears twice", offset: offset)
    }
}
