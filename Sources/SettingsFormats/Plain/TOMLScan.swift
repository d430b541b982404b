import SettingsModel

/// Goes through a file of TOML for what toml++ doesn't tell: the order of the members, and how a value is written.
///
/// It takes all that is TOML, and some more: toml++ says whether the rest is, and what comes out here is compared with what
/// comes out there. What isn't understood here toml++ doesn't see: an assertion of it ends the process at `[<` and at
/// `1979-05-27T=`.
struct TOMLScan {
    /// A table while it grows, since headers come back to it.
    final class Table {
        private(set) var names: [Text] = []
        private var members: [Text: Node] = [:]
        /// Its braces.
        fileprivate(set) var inline: Range<Int>?
        /// `[its.name]`.
        fileprivate(set) var header: Range<Int>?
        /// The names that lead to it from its section's header, where it is made by keys with dots.
        fileprivate(set) var dotted: [Text] = []
        /// Of the members that a pair gives, from its key to the end of its value.
        fileprivate(set) var pairs: [Text: Range<Int>] = [:]
        /// The last pair in it or, where it is made by keys with dots, through it.
        fileprivate(set) var lastPair: Range<Int>?
        /// Where the last header or pair in it ends, or in a table of its own.
        fileprivate(set) var end = 0

        subscript(name: Text) -> Node? {
            get { members[name] }
            set {
                if members.updateValue(newValue ?? .scalar(.null, nil, 0..<0), forKey: name) == nil { names.append(name) }
            }
        }
    }

    /// Those of `[[headers]]`.
    final class Tables {
        fileprivate(set) var elements: [Table] = []
    }

    enum Node {
        case table(Table)
        case tables(Tables)
        /// With its elements, each with where it stands.
        case array([(Node, Range<Int>)], Range<Int>)
        case scalar(JSON, Text?, Range<Int>)
    }

    /// Where it doesn't understand the file.
    private struct Lost: Error {}

    private let bytes: [UInt8]
    private var offset = 0
    /// What TOML 1.0 has for what only TOML 1.1 knows.
    private var older: [Older] = []
    private var isTooDeep = false

    /// Why there is no tree.
    struct Failure: Error {
        /// Where the file is no TOML, in bytes.
        var offset: Int
        /// Whether it is nested deeper than a file may be.
        var isTooDeep: Bool
    }

    /// The table at the top, with where everything in it stands.
    static func root(of bytes: [UInt8]) throws(Failure) -> (Table, [Older]) {
        var scan = TOMLScan(bytes: bytes)
        guard let root = try? scan.document() else { throw Failure(offset: scan.offset, isTooDeep: scan.isTooDeep) }
        return (root, scan.older)
    }

    static func tree(of bytes: [UInt8]) throws(Failure) -> (PlainTree, [Older]) {
        let (root, older) = try root(of: bytes)
        var tree = PlainTree(.null)
        tree.root = TOMLScan.json(.table(root), at: .root, &tree.marks)
        return (tree, older)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func json(_ node: Node, at place: PlainTree.Pointer, _ marks: inout [PlainTree.Pointer: Text]) -> JSON {
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

/// Lines, keys and values.
extension TOMLScan {
    private mutating func document() throws(Lost) -> Table {
        let root = Table()
        var table = root
        // Those that lead to the present table, and it.
        var chain = [root]
        // How deep the present table is.
        var depth = 0
        while true {
            skipBlank()
            guard let byte = next else { return root }
            if byte == UInt8(ascii: "[") {
                let start = offset
                offset += 1
                let isArray = take("[")
                let path = try key()
                guard take("]"), !isArray || take("]") else { throw Lost() }
                try enter(path.count + (isArray ? 1 : 0))
                depth = path.count
                chain = try open(path, in: root, isArray: isArray)
                table = chain[chain.count - 1]
                table.header = start..<offset
            } else {
                try pair(in: table, depth: depth)
            }
            for table in chain { table.end = offset }
        }
    }

    private func open(_ path: [Text], in root: Table, isArray: Bool) throws(Lost) -> [Table] {
        var table = root
        var chain = [root]
        for name in path.dropLast() {
            table = try below(table, name)
            chain.append(table)
        }
        guard let last = path.last else { throw Lost() }
        guard isArray else { return chain + [try below(table, last)] }
        let new = Table()
        switch table[last] {
        case nil:
            let tables = Tables()
            tables.elements.append(new)
            table[last] = .tables(tables)
        case .tables(let tables)?: tables.elements.append(new)
        default: throw Lost()
        }
        return chain + [new]
    }

    /// The table of that name, or the last of those, or a new one.
    private func below(_ table: Table, _ name: Text) throws(Lost) -> Table {
        switch table[name] {
        case .table(let table)?: return table
        case .tables(let tables)?:
            guard let last = tables.elements.last else { throw Lost() }
            return last
        case nil:
            let new = Table()
            table[name] = .table(new)
            return new
        default: throw Lost()
        }
    }

    private mutating func pair(in table: Table, depth: Int) throws(Lost) {
        let start = offset
        let path = try key()
        guard take("="), let last = path.last else { throw Lost() }
        try enter(depth + path.count)
        var table = table
        var through = [table]
        for name in path.dropLast() {
            let inner = try below(table, name)
            if inner.header == nil { inner.dotted = table.dotted + [name] }
            table = inner
            through.append(table)
        }
        skipSpace()
        guard table[last] == nil else { throw Lost() }
        table[last] = try value(depth: depth + path.count)
        table.pairs[last] = start..<offset
        for table in through {
            table.lastPair = start..<offset
            table.end = offset
        }
    }

    private mutating func key() throws(Lost) -> [Text] {
        var path: [Text] = []
        repeat {
            skipSpace()
            switch next {
            case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: path.append(Text(try string()))
            default:
                let start = offset
                while let byte = next, TOMLScan.isOfName(byte) { offset += 1 }
                guard offset > start else { throw Lost() }
                path.append(Text(String(decoding: bytes[start..<offset], as: UTF8.self)))
            }
            skipSpace()
            try enter(path.count)
        } while take(".")
        return path
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private mutating func value(depth: Int) throws(Lost) -> Node {
        try enter(depth)
        let start = offset
        switch next {
        case UInt8(ascii: "\"")?, UInt8(ascii: "'")?:
            let text = try string()
            return .scalar(.string(Text(text)), nil, start..<offset)
        case UInt8(ascii: "[")?:
            offset += 1
            var elements: [(Node, Range<Int>)] = []
            while true {
                skipBlank()
                if take("]") { return .array(elements, start..<offset) }
                let begin = offset
                let element = try value(depth: depth + 1)
                elements.append((element, begin..<offset))
                skipBlank()
                if take("]") { return .array(elements, start..<offset) }
                guard take(",") else { throw Lost() }
            }
        case UInt8(ascii: "{")?:
            offset += 1
            let table = Table()
            var comma: Int?
            while true {
                skipBlankInBraces()
                if take("}") { break }
                try pair(in: table, depth: depth)
                comma = nil
                skipBlankInBraces()
                if take("}") { break }
                comma = offset
                guard take(",") else { throw Lost() }
            }
            if let comma {
                if table.names.isEmpty { throw Lost() }
                older.append(Older(range: comma..<comma + 1, text: ""))
            }
            table.inline = start..<offset
            return .table(table)
        default:
            let word = word()
            guard let scalar = TOMLScalar(word) else {
                offset = start
                throw Lost()
            }
            if scalar.mark == "time" || scalar.mark == "date-time",
                let colon = bytes[start..<offset].firstIndex(of: UInt8(ascii: ":")),
                colon + 3 >= offset || bytes[colon + 3] != UInt8(ascii: ":")
            {
                older.append(Older(range: colon + 3..<colon + 3, text: ":00"))
            }
            return .scalar(scalar.value, scalar.mark, start..<offset)
        }
    }

    /// A value without quotes; between a date and a time there may be a space.
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

/// Strings and what is between things.
extension TOMLScan {
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    /// Spaces, line ends and comments.
    private mutating func skipBlank() {
        while let byte = next {
            if byte == UInt8(ascii: "#") {
                while let byte = next, byte != 10 { offset += 1 }
            } else if byte == 0x20 || byte == 0x09 || byte == 10 || byte == 13 {
                offset += 1
            } else {
                return
            }
        }
    }

    private mutating func skipBlankInBraces() {
        let start = offset
        skipBlank()
        if bytes[start..<offset].contains(10) { older.append(Older(range: start..<offset, text: " ")) }
    }

    private mutating func enter(_ depth: Int) throws(Lost) {
        guard depth < JSON.depthLimit else {
            isTooDeep = true
            throw Lost()
        }
    }

    private mutating func string() throws(Lost) -> String {
        guard let quote = next else { throw Lost() }
        let isBasic = quote == UInt8(ascii: "\"")
        let isLong = bytes[offset...].prefix(3).elementsEqual([quote, quote, quote])
        offset += isLong ? 3 : 1
        if isLong {
            if bytes[offset...].starts(with: [13, 10]) { offset += 2 } else if next == 10 { offset += 1 }
        }
        var content: [UInt8] = []
        while let byte = next {
            if byte == quote, !isLong || bytes[offset...].prefix(3).elementsEqual([quote, quote, quote]) {
                offset += isLong ? 3 : 1
                // Up to two quotes may stand before the last three.
                while isLong, next == quote {
                    content.append(quote)
                    offset += 1
                }
                guard let text = String(validating: content, as: UTF8.self) else { throw Lost() }
                return text
            }
            if isBasic, byte == UInt8(ascii: "\\") {
                offset += 1
                content += try escape(isLong)
            } else if byte == 10, !isLong {
                throw Lost()
            } else {
                content.append(byte)
                offset += 1
            }
        }
        throw Lost()
    }

    private mutating func escape(_ isLong: Bool) throws(Lost) -> [UInt8] {
        guard let byte = next else { throw Lost() }
        offset += 1
        switch byte {
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "e"):
            older.append(Older(range: offset - 2..<offset, text: "\\u001B"))
            return [27]
        case UInt8(ascii: "x"):
            let digits = String(decoding: bytes[offset...].prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.utf8.first != UInt8(ascii: "+"), let value = UInt8(digits, radix: 16) else {
                throw Lost()
            }
            offset += 2
            older.append(Older(range: offset - 4..<offset, text: "\\u00" + digits))
            return Array(String(Unicode.Scalar(value)).utf8)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = byte == UInt8(ascii: "u") ? 4 : 8
            let digits = String(decoding: bytes[offset...].prefix(count), as: UTF8.self)
            guard digits.utf8.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
                throw Lost()
            }
            offset += count
            return Array(String(scalar).utf8)
        case 0x20, 0x09, 10, 13:
            guard isLong else { throw Lost() }
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 10 || byte == 13 { offset += 1 }
            return []
        default: throw Lost()
        }
    }
}
