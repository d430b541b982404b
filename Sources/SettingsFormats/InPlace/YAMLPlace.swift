import SettingsModel
import Yams

/// Where a value stands in a file of YAML.
struct YAMLPlace {
    /// Where its node begins, with its anchor and tag.
    var begin: Int
    /// Where a value can begin: behind the colon or the dash, behind an anchor and a tag.
    var head: Int
    /// What says the value; empty where nothing is written.
    var range: Range<Int>
    var content: Content

    enum Content {
        case empty, plain, singleQuoted, doubleQuoted
        /// `|` or `>` with what belongs to it, and the lines below from the newline on.
        case block(indicator: Range<Int>, lines: Range<Int>, indent: Int)
        case mapping([Member], Style)
        case sequence([YAMLPlace], Style)
        case alias(String)
    }

    enum Style {
        case block, flow
        /// A mapping of one pair in a flow sequence, without braces: `[a: 1]`.
        case pair
    }

    struct Member {
        var name: Text
        /// Of its key, with its anchor and tag.
        var start: Int
        /// Behind its key.
        var keyEnd: Int
        var hasColon: Bool
        /// Whether a `?` is before its key.
        var isExplicit: Bool
        /// Whether it is `<<`.
        var isMerge: Bool
        var value: YAMLPlace

        var end: Int { max(keyEnd, value.range.upperBound, value.head) }
    }

    var isBlockCollection: Bool {
        switch content {
        case .mapping(_, .block), .sequence(_, .block): true
        default: false
        }
    }
}

/// The places of a file's values, found by the marks that its parser gives: where each begins.
struct YAMLPlaces {
    /// Nil where the file has comments at the most.
    private(set) var root: YAMLPlace?
    /// How much deeper a mapping stands in another, and a list below its name; nil where there is none.
    private(set) var unit: Int?
    private(set) var listUnit: Int?
    private let file: FileEdits
    private let star: Unicode.Scalar
    private var lines: [Int] = []
    /// The mark that was looked up last, and where it is.
    private var last = (line: 0, column: 1, offset: 0)

    /// Where something stands otherwise than it was looked for.
    struct Lost: Error {
        var line: Int
    }

    /// `bytes` are UTF-8 without a byte order mark, and have been read as YAML before.
    init(_ bytes: [UInt8]) throws(Lost) {
        file = FileEdits(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let star = YAMLTree.star(for: text) else { throw Lost(line: 1) }
        self.star = star
        lines = YAMLPlaces.lineStarts(of: bytes)
        guard let parser = try? Parser(yaml: YAMLTree.hidden(text, star), resolver: .basic, encoding: .utf8),
            let node = try? parser.nextRoot()
        else { return }
        defer { withExtendedLifetime(parser) {} }
        root = try place(node, after: 0, indent: -1, isFlow: false)
    }

    /// As libyaml counts lines.
    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts = [0]
        var offset = 0
        while offset < bytes.count {
            switch bytes[offset] {
            case 13 where offset + 1 < bytes.count && bytes[offset + 1] == 10: offset += 2
            case 10, 13: offset += 1
            case 0xC2 where bytes[offset...].starts(with: [0xC2, 0x85]): offset += 2
            case 0xE2
            where bytes[offset...].starts(with: [0xE2, 0x80, 0xA8]) || bytes[offset...].starts(with: [0xE2, 0x80, 0xA9]):
                offset += 3
            default:
                offset += 1
                continue
            }
            starts.append(offset)
        }
        return starts
    }

    /// Marks count lines and characters.
    private mutating func offset(of node: Node) throws(Lost) -> Int {
        guard let mark = node.mark, lines.indices.contains(mark.line - 1) else { throw Lost(line: 1) }
        if mark.line != last.line || mark.column < last.column { last = (mark.line, 1, lines[mark.line - 1]) }
        while last.column < mark.column, last.offset < file.bytes.count {
            last.offset += 1
            while last.offset < file.bytes.count, file.bytes[last.offset] & 0xC0 == 0x80 { last.offset += 1 }
            last.column += 1
        }
        return last.offset
    }

    private func lost(at offset: Int) -> Lost { Lost(line: file.bytes[..<min(offset, file.bytes.count)].count { $0 == 10 } + 1) }

    private func byte(at offset: Int) -> UInt8? { offset < file.bytes.count ? file.bytes[offset] : nil }

    private func column(of offset: Int) -> Int { offset - file.lineStart(of: offset) }
}

/// Going through the nodes in the order of the file.
extension YAMLPlaces {
    /// `indent` is the column of the key or the dash that the value belongs to.
    private mutating func place(_ node: Node, after: Int, indent: Int, isFlow: Bool) throws(Lost) -> YAMLPlace {
        let begin = try offset(of: node)
        if let scalar = node.scalar, scalar.style == .plain, scalar.string.isEmpty {
            let head = max(after, behindProperties(from: begin, isEmpty: true))
            return YAMLPlace(begin: begin, head: head, range: head..<head, content: .empty)
        }
        if case .mapping(let mapping) = node, let first = mapping.keys.first, try offset(of: first) == begin,
            byte(at: begin) != UInt8(ascii: "{")
        {
            // What stands before the first key is the key's.
            return try self.mapping(mapping, begin, from: begin, head: after, indent: indent, isFlow: isFlow)
        }
        let start = behindProperties(from: begin, isEmpty: false)
        let head = start == begin ? after : behindProperties(from: begin, isEmpty: true)
        switch node {
        case .mapping(let mapping):
            return try self.mapping(mapping, begin, from: start, head: head, indent: indent, isFlow: isFlow)
        case .sequence(let sequence):
            return try self.sequence(sequence, begin, from: start, head: head, indent: indent, isFlow: isFlow)
        case .scalar(let scalar):
            let (end, content) = try self.scalar(scalar, from: start, indent: indent, isFlow: isFlow)
            return YAMLPlace(begin: begin, head: head, range: start..<end, content: content)
        case .alias: throw lost(at: begin)
        }
    }

    /// Behind an anchor and a tag; where something has to follow, where that begins.
    private func behindProperties(from begin: Int, isEmpty: Bool) -> Int {
        var offset = begin
        var end = begin
        while let first = byte(at: offset), first == UInt8(ascii: "&") || first == UInt8(ascii: "!") {
            let isVerbatim = first == UInt8(ascii: "!") && byte(at: offset + 1) == UInt8(ascii: "<")
            while let next = byte(at: offset), !" \t\r\n".utf8.contains(next), isVerbatim || !",[]{}".utf8.contains(next) {
                offset += 1
            }
            end = offset
            offset = file.skippingBlank(from: offset)
        }
        return isEmpty ? end : offset
    }

    private mutating func mapping(
        _ mapping: Node.Mapping, _ begin: Int, from start: Int, head: Int, indent: Int, isFlow: Bool
    ) throws(Lost) -> YAMLPlace {
        let style: YAMLPlace.Style = byte(at: start) == UInt8(ascii: "{") ? .flow : isFlow ? .pair : .block
        let column = style == .block ? column(of: start) : indent
        if style == .block, unit == nil, indent >= 0, file.isFirstOnLine(start), column > indent { unit = column - indent }
        var members: [YAMLPlace.Member] = []
        for (key, value) in mapping { members.append(try member(key, value, column: column, isFlow: style != .block)) }
        var end = members.last?.end ?? start + 1
        if style == .flow { end = try close("}", from: end) }
        return YAMLPlace(begin: begin, head: head, range: start..<end, content: .mapping(members, style))
    }

    private mutating func member(_ key: Node, _ value: Node, column: Int, isFlow: Bool) throws(Lost) -> YAMLPlace.Member {
        let start = try offset(of: key)
        guard let scalar = key.scalar else { throw lost(at: start) }
        let keyPlace = try place(key, after: start, indent: column, isFlow: isFlow)
        let before = file.bytes[..<start].last { $0 != 32 && $0 != 9 }
        let keyEnd = keyPlace.range.upperBound
        let colon = file.skippingBlank(from: keyEnd)
        let hasColon = byte(at: colon) == UInt8(ascii: ":")
        guard hasColon || isFlow else { throw lost(at: keyEnd) }
        let value = try place(value, after: hasColon ? colon + 1 : keyEnd, indent: column, isFlow: isFlow)
        let name = YAMLTree.restored(scalar.string, star)
        return YAMLPlace.Member(
            name: Text(name), start: start, keyEnd: keyEnd, hasColon: hasColon,
            isExplicit: before == UInt8(ascii: "?") || file.bytes[keyEnd..<colon].contains(10),
            isMerge: name == "<<" && (scalar.style == .plain || YAMLTree.short(scalar.tag.rawValue) == "!!merge"), value: value)
    }

    private mutating func sequence(
        _ sequence: Node.Sequence, _ begin: Int, from start: Int, head: Int, indent: Int, isFlow: Bool
    ) throws(Lost) -> YAMLPlace {
        let isFlow = isFlow || byte(at: start) == UInt8(ascii: "[")
        var elements: [YAMLPlace] = []
        var end = start + (isFlow ? 1 : 0)
        let column = column(of: start)
        if !isFlow, listUnit == nil, indent >= 0, file.isFirstOnLine(start), column >= indent { listUnit = column - indent }
        for node in sequence {
            if !isFlow {
                end = file.skippingBlank(from: end)
                guard byte(at: end) == UInt8(ascii: "-") else { throw lost(at: end) }
                end += 1
            }
            let element = try place(node, after: end, indent: isFlow ? indent : column, isFlow: isFlow)
            elements.append(element)
            end = max(end, element.range.upperBound)
        }
        if isFlow { end = try close("]", from: end) }
        return YAMLPlace(begin: begin, head: head, range: start..<end, content: .sequence(elements, isFlow ? .flow : .block))
    }

    private func close(_ bracket: Unicode.Scalar, from offset: Int) throws(Lost) -> Int {
        var end = file.skippingBlank(from: offset)
        if byte(at: end) == UInt8(ascii: ",") { end = file.skippingBlank(from: end + 1) }
        guard byte(at: end) == UInt8(ascii: bracket) else { throw lost(at: end) }
        return end + 1
    }
}

/// Where scalars end.
extension YAMLPlaces {
    private func scalar(
        _ scalar: Node.Scalar, from start: Int, indent: Int, isFlow: Bool
    ) throws(Lost) -> (Int, YAMLPlace.Content) {
        switch byte(at: start) {
        case UInt8(ascii: "\"")?: return (try quoteEnd(from: start), .doubleQuoted)
        case UInt8(ascii: "'")?: return (try quoteEnd(from: start), .singleQuoted)
        case UInt8(ascii: "|")?, UInt8(ascii: ">")?: return blockEnd(from: start, indent: indent)
        case UInt8(ascii: "*")?:
            let name = file.bytes[(start + 1)...].prefix { !" \t\r\n,[]{}".utf8.contains($0) }
            return (name.endIndex, .alias(String(decoding: name, as: UTF8.self)))
        default:
            let text = Array(YAMLTree.restored(scalar.string, star).utf8)
            return (try plainEnd(from: start, saying: text, isFlow: isFlow), .plain)
        }
    }

    private func quoteEnd(from start: Int) throws(Lost) -> Int {
        let quote = file.bytes[start]
        var offset = start + 1
        while let next = byte(at: offset) {
            if next == quote {
                guard quote == UInt8(ascii: "'"), byte(at: offset + 1) == quote else { return offset + 1 }
                offset += 1
            } else if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                offset += 1
            }
            offset += 1
        }
        throw lost(at: start)
    }

    /// Where its lines, folded into one, say what the parser read.
    private func plainEnd(from start: Int, saying text: [UInt8], isFlow: Bool) throws(Lost) -> Int {
        var folded: [UInt8] = []
        var offset = start
        while folded.count < text.count {
            let end = plainLineEnd(from: offset, isFlow: isFlow)
            folded += file.bytes[offset..<end]
            if folded == text { return end }
            offset = file.skippingSpace(from: end)
            var breaks = 0
            while let next = byte(at: offset), next == 10 || next == 13 {
                if next == 10 { breaks += 1 }
                offset = file.skippingSpace(from: offset + 1)
            }
            guard breaks > 0, text.starts(with: folded) else { break }
            folded += breaks == 1 ? [32] : Array(repeating: 10, count: breaks - 1)
        }
        throw lost(at: start)
    }

    private func plainLineEnd(from start: Int, isFlow: Bool) -> Int {
        var offset = start
        var end = start
        while let next = byte(at: offset), next != 10, next != 13 {
            if next == UInt8(ascii: "#"), offset > end { break }
            if isFlow, ",[]{}".utf8.contains(next) { break }
            if next == UInt8(ascii: ":") {
                guard let after = byte(at: offset + 1), !" \t\r\n".utf8.contains(after), !isFlow || !",[]{}".utf8.contains(after)
                else { break }
            }
            offset += 1
            if next != 32, next != 9 { end = offset }
        }
        return end
    }

    private func blockEnd(from start: Int, indent: Int) -> (Int, YAMLPlace.Content) {
        var indicator = start + 1
        while let next = byte(at: indicator), "+-0123456789".utf8.contains(next) { indicator += 1 }
        let header = file.bytes[start..<indicator]
        let digit = header.first { (0x31...0x39).contains($0) }.map { Int($0) - 0x30 }
        let isKept = header.contains(UInt8(ascii: "+"))
        let head = file.lineEnd(of: indicator)
        var depth = digit.map { max(indent, 0) + $0 }
        var end = head
        var line = file.nextLine(after: indicator)
        while line < file.bytes.count {
            let text = file.bytes[line...].prefix { $0 == 32 }.endIndex
            let isBlank = text >= file.bytes.count || file.bytes[text] == 10 || file.bytes[text] == 13
            if !isBlank {
                let column = text - line
                if let depth, column < depth { break }
                if depth == nil, column <= indent { break }
                if depth == nil { depth = column }
            }
            if !isBlank || isKept || text - line > depth ?? .max { end = file.lineEnd(of: text) }
            line = file.nextLine(after: text)
        }
        return (end, .block(indicator: start..<indicator, lines: head..<end, indent: depth ?? max(indent, 0) + 2))
    }
}

/// Why a value can't be edited.
extension YAMLPlaces {
    /// What is on the way to the value of that name.
    func obstacle(at names: [Text]) -> (reason: String, line: Int)? {
        guard var place = root else { return nil }
        for name in names {
            if let found = obstacle(place) { return found }
            switch place.content {
            case .mapping(let members, _):
                if let member = members.last(where: { $0.name == name && !$0.isMerge }) {
                    place = member.value
                } else {
                    let merge = members.first(where: \.isMerge)
                    return merge.map { ("it comes from a merge, '<<'", lost(at: $0.start).line) }
                }
            case .sequence(let elements, _):
                guard let index = Int(name.string), elements.indices.contains(index) else { return nil }
                place = elements[index]
            default: return nil
            }
        }
        return obstacle(place)
    }

    private func obstacle(_ place: YAMLPlace) -> (reason: String, line: Int)? {
        guard case .alias(let name) = place.content else { return nil }
        return ("an alias stands there, '*\(name)'", lost(at: place.begin).line)
    }
}
