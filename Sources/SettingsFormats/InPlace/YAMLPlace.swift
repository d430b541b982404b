import SettingsModel

/// The position of a value in a YAML file.
struct YAMLPlace {
    /// The start of its node, including anchor and tag.
    var begin: Int
    /// Where a value can begin: after the colon or dash, the anchor and the tag.
    var head: Int
    /// The text of the value; empty if the value is missing.
    var range: Range<Int>
    var content: Content

    enum Content {
        case empty, plain, singleQuoted, doubleQuoted
        /// `|` or `>` with its indicators, and the lines below, beginning with the newline.
        case block(indicator: Range<Int>, lines: Range<Int>, indent: Int)
        case mapping([Member], Style)
        case sequence([YAMLPlace], Style)
        case alias(String)
    }

    enum Style {
        case block, flow
        /// A mapping of one pair in a flow sequence without braces: `[a: 1]`.
        case pair
    }

    struct Member {
        var name: ExactText
        /// The start of its key, including anchor and tag.
        var start: Int
        /// The end of its key.
        var keyEnd: Int
        var hasColon: Bool
        /// Whether a `?` precedes its key.
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

/// The positions of a file's values: those from the parser, and what surrounds them.
struct YAMLPlaces {
    /// Nil if the file contains only comments at most.
    private(set) var root: YAMLPlace?
    /// The indentation of a nested mapping, and that of a list below its name; nil if there is none.
    private(set) var unit: Int?
    private(set) var listUnit: Int?
    /// The rules that the file asks for.
    private(set) var dialect: YAMLScalar.Dialect?
    private let file: FileEdits

    /// The text at a position is not what was expected.
    struct PlaceNotFound: Error {
        var line: Int
    }

    /// `bytes` are valid YAML in UTF-8 without a byte order mark.
    init(_ bytes: [UInt8]) throws(PlaceNotFound) {
        file = FileEdits(bytes)
        guard let document = try? YAMLReader(bytes, in: "").document() else { return }
        dialect = document.dialect
        root = try place(document.root, after: 0, indent: -1, isFlow: false)
    }

    private func notFound(at offset: Int) -> PlaceNotFound {
        PlaceNotFound(line: file.bytes[..<min(offset, file.bytes.count)].count { $0 == 10 } + 1)
    }

    private func byte(at offset: Int) -> UInt8? { offset < file.bytes.count ? file.bytes[offset] : nil }

    private func column(of offset: Int) -> Int { offset - file.lineStart(of: offset) }
}

/// Walks the nodes in file order.
extension YAMLPlaces {
    /// `indent` is the column of the key or the dash that precedes the value.
    private mutating func place(_ node: YAMLNode, after: Int, indent: Int, isFlow: Bool) throws(PlaceNotFound) -> YAMLPlace {
        let begin = node.range.lowerBound
        if node.isEmpty {
            let head = max(after, endOfProperties(from: begin, isEmpty: true))
            return YAMLPlace(begin: begin, head: head, range: head..<head, content: .empty)
        }
        if case .mapping(let mapping) = node.content, mapping.first?.key.range.lowerBound == begin,
            byte(at: begin) != UInt8(ascii: "{")
        {
            // Properties before the first key belong to the key.
            return try self.mapping(mapping, node, from: begin, head: after, indent: indent, isFlow: isFlow)
        }
        let start = endOfProperties(from: begin, isEmpty: false)
        let head = start == begin ? after : endOfProperties(from: begin, isEmpty: true)
        switch node.content {
        case .mapping(let mapping):
            return try self.mapping(mapping, node, from: start, head: head, indent: indent, isFlow: isFlow)
        case .sequence(let sequence):
            return try self.sequence(sequence, node, from: start, head: head, indent: indent, isFlow: isFlow)
        case .scalar:
            let (end, content) = scalar(from: start, to: node.range.upperBound, indent: indent)
            return YAMLPlace(begin: begin, head: head, range: start..<end, content: content)
        case .alias(let name, _):
            return YAMLPlace(begin: begin, head: head, range: node.range, content: .alias(name))
        }
    }

    /// The end of the anchor and the tag; if content must follow, its start.
    private func endOfProperties(from begin: Int, isEmpty: Bool) -> Int {
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
        _ mapping: [(key: YAMLNode, value: YAMLNode)], _ node: YAMLNode, from start: Int, head: Int, indent: Int, isFlow: Bool
    ) throws(PlaceNotFound) -> YAMLPlace {
        let style: YAMLPlace.Style = byte(at: start) == UInt8(ascii: "{") ? .flow : isFlow ? .pair : .block
        let column = style == .block ? column(of: start) : indent
        if style == .block, unit == nil, indent >= 0, file.isFirstOnLine(start), column > indent { unit = column - indent }
        var members: [YAMLPlace.Member] = []
        for (key, value) in mapping { members.append(try member(key, value, column: column, isFlow: style != .block)) }
        let end = style == .flow ? node.range.upperBound : members.last?.end ?? start + 1
        return YAMLPlace(begin: node.range.lowerBound, head: head, range: start..<end, content: .mapping(members, style))
    }

    private mutating func member(
        _ key: YAMLNode, _ value: YAMLNode, column: Int, isFlow: Bool
    ) throws(PlaceNotFound) -> YAMLPlace.Member {
        let start = key.range.lowerBound
        let name: String
        switch key.content {
        case .scalar(let text, _): name = text
        case .alias(let text, _): name = "*" + text
        case .sequence, .mapping: throw notFound(at: start)
        }
        let keyPlace = try place(key, after: start, indent: column, isFlow: isFlow)
        let before = file.bytes[..<start].last { $0 != 32 && $0 != 9 }
        let keyEnd = keyPlace.range.upperBound
        let colon = file.skippingBlank(from: keyEnd)
        let hasColon = byte(at: colon) == UInt8(ascii: ":")
        guard hasColon || isFlow else { throw notFound(at: keyEnd) }
        let value = try place(value, after: hasColon ? colon + 1 : keyEnd, indent: column, isFlow: isFlow)
        return YAMLPlace.Member(
            name: ExactText(name), start: start, keyEnd: keyEnd, hasColon: hasColon,
            isExplicit: before == UInt8(ascii: "?") || file.bytes[keyEnd..<colon].contains(10),
            isMerge: key.isMerge, value: value)
    }

    private mutating func sequence(
        _ sequence: [YAMLNode], _ node: YAMLNode, from start: Int, head: Int, indent: Int, isFlow: Bool
    ) throws(PlaceNotFound) -> YAMLPlace {
        let isFlow = isFlow || byte(at: start) == UInt8(ascii: "[")
        var elements: [YAMLPlace] = []
        var end = start + (isFlow ? 1 : 0)
        let column = column(of: start)
        if !isFlow, listUnit == nil, indent >= 0, file.isFirstOnLine(start), column >= indent { listUnit = column - indent }
        for element in sequence {
            if !isFlow {
                end = file.skippingBlank(from: end)
                guard byte(at: end) == UInt8(ascii: "-") else { throw notFound(at: end) }
                end += 1
            }
            let element = try place(element, after: end, indent: isFlow ? indent : column, isFlow: isFlow)
            elements.append(element)
            end = max(end, element.range.upperBound)
        }
        if isFlow { end = node.range.upperBound }
        return YAMLPlace(
            begin: node.range.lowerBound, head: head, range: start..<end, content: .sequence(elements, isFlow ? .flow : .block))
    }
}

/// Ends of scalars.
extension YAMLPlaces {
    private func scalar(from start: Int, to end: Int, indent: Int) -> (Int, YAMLPlace.Content) {
        switch byte(at: start) {
        case UInt8(ascii: "\"")?: (end, .doubleQuoted)
        case UInt8(ascii: "'")?: (end, .singleQuoted)
        case UInt8(ascii: "|")?, UInt8(ascii: ">")?: blockEnd(from: start, indent: indent)
        default: (end, .plain)
        }
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

/// Obstacles to editing a value.
extension YAMLPlaces {
    /// What prevents an edit of the value with that path.
    func obstacle(at names: [ExactText]) -> (reason: String, line: Int)? {
        guard var place = root else { return nil }
        for name in names {
            if let found = obstacle(place) { return found }
            switch place.content {
            case .mapping(let members, _):
                if let member = members.last(where: { $0.name == name && !$0.isMerge }) {
                    place = member.value
                } else {
                    let merge = members.first(where: \.isMerge)
                    return merge.map { ("it comes from the merge key '<<'", notFound(at: $0.start).line) }
                }
            case .sequence(let elements, _):
                guard let index = Int(name.string), elements.indices.contains(index) else { return nil }
                place = elements[index]
            default: return nil
            }
        }
        return obstacle(place)
    }

    /// The line of the value with that path, or of the innermost one around it that is there.
    func line(of names: [ExactText]) -> Int? {
        guard var place = root else { return nil }
        var offset = place.begin
        for name in names {
            switch place.content {
            case .mapping(let members, _):
                guard let member = members.last(where: { $0.name == name && !$0.isMerge }) else {
                    return notFound(at: offset).line
                }
                (offset, place) = (member.start, member.value)
            case .sequence(let elements, _):
                guard let index = Int(name.string), elements.indices.contains(index) else { return notFound(at: offset).line }
                (offset, place) = (elements[index].begin, elements[index])
            default: return notFound(at: offset).line
            }
        }
        return notFound(at: offset).line
    }

    private func obstacle(_ place: YAMLPlace) -> (reason: String, line: Int)? {
        guard case .alias(let name) = place.content else { return nil }
        return ("it is the alias '*\(name)'", notFound(at: place.begin).line)
    }
}
