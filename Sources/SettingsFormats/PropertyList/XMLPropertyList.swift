import SettingsModel

/// Reads the XML form of property lists: the elements of Apple's PropertyList-1.0.dtd.
struct XMLPropertyList {
    private let file: String
    private var repairs: [Repair] = []

    static func read(_ text: [UInt8], in file: String, _ repairs: inout [Repair]) throws(Refusal) -> PropertyList {
        let root = try XMLElement.read(text, in: file)
        var reader = XMLPropertyList(file: file)
        var element = root
        if root.name == "plist" {
            try reader.checkText(of: root)
            guard root.children.count == 1 else {
                throw reader.refusal(root, "expected one value in <plist>, found \(root.children.count)")
            }
            element = root.children[0]
        }
        let value = try reader.value(of: element, depth: 0)
        repairs += reader.repairs
        return value
    }

    private init(file: String) {
        self.file = file
    }

    private mutating func value(of element: XMLElement, depth: Int) throws(Refusal) -> PropertyList {
        guard depth <= PropertyList.depthLimit else {
            throw refusal(element, "is nested more than \(PropertyList.depthLimit) levels deep")
        }
        switch element.name {
        case "dict": return try dictionary(element, depth: depth)
        case "array":
            try checkText(of: element)
            var elements: [PropertyList] = []
            for child in element.children { elements.append(try value(of: child, depth: depth + 1)) }
            return .array(elements)
        default: break
        }
        guard element.children.isEmpty else {
            throw refusal(element.children[0], "<\(element.children[0].name)> is not allowed in <\(element.name)>")
        }
        let word = element.text.trimmed
        switch element.name {
        case "string": return .string(element.text)
        case "true", "false": return .boolean(element.name == "true")
        case "integer":
            guard let value = PropertyList(integer: word) else {
                throw refusal(element, "\"\(word.prefix(40))\" is not a 64-bit integer")
            }
            return value
        case "real":
            guard let value = PropertyList(real: word) else { throw refusal(element, "\"\(word.prefix(40))\" is not a number") }
            return value
        case "date":
            guard PropertyList.isDate(word) else {
                throw refusal(element, "\"\(word.prefix(40))\" is not a date like 2001-01-01T00:00:00Z")
            }
            return .date(word)
        case "data":
            let digits = element.text.filter { !$0.isWhitespace }
            guard let bytes = Base64.bytes(of: digits) else { throw refusal(element, "the data is not Base64") }
            return .data(bytes)
        case "key": throw refusal(element, "expected a value, found <key>")
        default: throw refusal(element, "<\(element.name)> is not an element of a property list")
        }
    }

    private mutating func dictionary(_ element: XMLElement, depth: Int) throws(Refusal) -> PropertyList {
        try checkText(of: element)
        var entries: [PropertyList.Members.Entry] = []
        var children = element.children.makeIterator()
        while let key = children.next() {
            guard key.name == "key" else { throw refusal(key, "expected <key>, found <\(key.name)>") }
            guard key.children.isEmpty else { throw refusal(key, "<key> must not contain elements") }
            guard let child = children.next() else { throw refusal(key, "the key \"\(key.text.prefix(80))\" has no value") }
            entries.append(.init(name: ExactText(key.text), value: try value(of: child, depth: depth + 1), line: key.line))
        }
        // As in CoreFoundation: XML has no other way to express this type of the binary form.
        if entries.count == 1, entries[0].name == "CF$UID", case .integer(let number) = entries[0].value,
            let uid = UInt64(number.text)
        {
            return .uid(uid)
        }
        return .dictionary(.unique(entries, line: element.line, in: file, &repairs))
    }

    /// Only white space is allowed between the elements.
    private func checkText(of element: XMLElement) throws(Refusal) {
        guard let stray = element.text.split(whereSeparator: \.isWhitespace).first else { return }
        throw refusal(element, "unexpected text \"\(stray.prefix(40))\" in <\(element.name)>")
    }

    private func refusal(_ element: XMLElement, _ reason: String) -> Refusal {
        Refusal(reason, in: file, at: BadFile.Position(line: element.line, column: 1))
    }
}

extension PropertyList {
    /// A decimal or hexadecimal integer of 64 bits.
    init?(integer word: String) {
        var digits = word[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard digits.first?.isHexDigit == true, let magnitude = UInt64(digits, radix: isHexadecimal ? 16 : 10),
            !isNegative || magnitude <= UInt64(Int64.max) + 1,
            let number = Number((isNegative && magnitude > 0 ? "-" : "") + String(magnitude))
        else { return nil }
        self = .integer(number)
    }

    /// The spelling is kept if it shows a real; `30` becomes `30.0`.
    init?(real word: String) {
        if Number(word) != nil {
            self = .real(word.contains { ".eE".contains($0) } ? word : word + ".0")
            return
        }
        switch word.lowercased() {
        case "nan": self = .real("nan")
        case "inf", "+inf", "infinity", "+infinity": self = .real("inf")
        case "-inf", "-infinity": self = .real("-inf")
        default:
            guard let double = Double(word), double.isFinite else { return nil }
            self.init(double)
        }
    }

    init(_ double: Double) {
        self = .real(double.isNaN ? "nan" : double.description)
    }

    static func isDate(_ word: String) -> Bool {
        let pattern = "dddd-dd-ddTdd:dd:ddZ".utf8
        guard word.utf8.count == pattern.count else { return false }
        return zip(word.utf8, pattern).allSatisfy { byte, shape in
            shape == UInt8(ascii: "d") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == shape
        }
    }
}

extension String {
    /// Without leading and trailing white space.
    fileprivate var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
