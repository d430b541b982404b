import SettingsModel

extension PlainTree {
    /// The tree as YAML in block style. Texts that another reader could misinterpret are quoted.
    var yaml: String {
        var writer = YAMLWriter(self)
        if case .object(let members) = root, !members.isEmpty {
            writer.add(members, indent: 0, at: .root)
        } else {
            writer.out += writer.scalar(root, at: .root, indent: 0) + "\n"
        }
        return writer.out
    }
}

extension YAMLTree {
    /// The spelling of a boolean, a number or null if no other spelling is kept.
    static func spelling(of value: JSON) -> String {
        guard case .number(let number) = value, let power = number.text.firstIndex(where: { $0 == "e" || $0 == "E" }) else {
            return value.compact
        }
        // YAML 1.1 requires a point and a sign: it reads 1e5 as a string.
        let digits = number.text[..<power]
        let exponent = number.text[number.text.index(after: power)...]
        let isSigned = exponent.hasPrefix("-") || exponent.hasPrefix("+")
        return digits + (digits.contains(".") ? "" : ".0") + "e" + (isSigned ? "" : "+") + exponent
    }
}

struct YAMLWriter {
    var out = ""
    /// The indentation of a mapping's members, and of a list below its name.
    var unit = 2
    var listUnit = 0
    /// The rules by which the file is read.
    var dialect = YAMLScalar.Dialect.yaml11
    private(set) var marks: [PlainTree.Pointer: ExactText]
    let nameMarks: [PlainTree.Pointer: ExactText]

    init(_ tree: PlainTree) {
        marks = tree.marks
        nameMarks = tree.nameMarks
    }

    /// A copy without the tag of one value.
    func untagged(at place: PlainTree.Pointer) -> YAMLWriter {
        guard tag(at: place) != nil else { return self }
        var copy = self
        copy.marks[place] = nil
        return copy
    }

    mutating func add(_ members: [JSON.Member], indent: Int, at place: PlainTree.Pointer, isBegun: Bool = false) {
        for (index, member) in members.enumerated() {
            let inner = place.member(member.name)
            if index > 0 || !isBegun { pad(indent) }
            let name = name(member.name.string, nameMarks[inner])
            // Readers look for the colon only within 1024 characters.
            out += name.utf8.count > 1000 ? "? \(name)\n" + String(repeating: " ", count: indent) + ":" : "\(name):"
            add(member.value, indent: indent, at: inner, isMember: true)
        }
    }

    /// Adds a value after its name or dash; a value that doesn't fit on the line begins below.
    mutating func add(_ value: JSON, indent: Int, at place: PlainTree.Pointer, isMember: Bool) {
        let tag = tag(at: place)
        switch value {
        case .object(let members) where !members.isEmpty:
            if isMember || tag != nil { out += (tag.map { " " + $0 } ?? "") + "\n" } else { out += " " }
            add(members, indent: indent + (isMember ? unit : 2), at: place, isBegun: !isMember && tag == nil)
        case .array(let elements) where !elements.isEmpty:
            if isMember || tag != nil { out += (tag.map { " " + $0 } ?? "") + "\n" } else { out += " " }
            add(elements, indent: indent + (isMember ? listUnit : 2), at: place, isBegun: !isMember && tag == nil)
        default: out += " \(scalar(value, at: place, indent: indent + (isMember ? unit : 2)))\n"
        }
    }

    mutating func add(_ elements: [JSON], indent: Int, at place: PlainTree.Pointer, isBegun: Bool = false) {
        for (index, element) in elements.enumerated() {
            if index > 0 || !isBegun { pad(indent) }
            out += "-"
            add(element, indent: indent, at: place.element(index), isMember: false)
        }
    }

    /// Adds the lines of a value, each indented by `indent`; the first line is already indented if `isBegun`.
    mutating func addLines(of value: JSON, indent: Int, at place: PlainTree.Pointer, isBegun: Bool = false) {
        switch value {
        case .object(let members): add(members, indent: indent, at: place, isBegun: isBegun)
        case .array(let elements): add(elements, indent: indent, at: place, isBegun: isBegun)
        default: break
        }
    }

    func scalar(_ value: JSON, at place: PlainTree.Pointer, indent: Int) -> String {
        let tag = tag(at: place).map { $0 + " " } ?? ""
        switch value {
        case .string(let text):
            if marks[place] == YAMLTree.plain, YAMLWriter.isNoString(text.string) { return text.string }
            if !tag.isEmpty { return tag + YAMLWriter.quoted(text.string) }
            if YAMLWriter.isPlain(text.string) { return text.string }
            return YAMLWriter.block(text.string, indent: indent) ?? YAMLWriter.quoted(text.string)
        case .bool, .number, .null: return YAMLWriter.spelling(of: value, as: marks[place]?.string, turns: false, dialect)
        case .array: return tag + "[]"
        case .object: return tag + "{}"
        }
    }

    func name(_ text: String, _ mark: ExactText?) -> String {
        switch mark {
        case nil: YAMLWriter.isPlain(text) ? text : YAMLWriter.quoted(text)
        case YAMLTree.plain?:
            if text.isEmpty { "~" } else { YAMLScalar(plain: text, .yaml11) == .string ? YAMLWriter.quoted(text) : text }
        case let tag?: YAMLWriter.isTag(tag.string) ? "\(tag) \(YAMLWriter.quoted(text))" : YAMLWriter.quoted(text)
        }
    }

    func tag(at place: PlainTree.Pointer) -> String? {
        guard let mark = marks[place]?.string, YAMLWriter.isTag(mark) else { return nil }
        return mark.hasPrefix("!") ? mark : "!<\(mark)>"
    }

    private mutating func pad(_ indent: Int) {
        for _ in 0..<indent { out += " " }
    }

    /// Whether the mark is a tag as written, or a full one: `tag:example.org,2000:app`.
    private static func isTag(_ mark: String) -> Bool {
        guard mark.hasPrefix("!") || mark.contains(":"), mark.utf8.count < 500 else { return false }
        return mark.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!-_.:/#;?@&=+$,~*%'()".utf8.contains(byte)
            }
        }
    }

    static func isNoString(_ text: String) -> Bool {
        switch YAMLScalar(plain: text, .yaml11) {
        case .timestamp, .notFinite: true
        default: false
        }
    }

    /// A boolean, a number or null as `kept` spells it, if that still means the value. `turns`: it becomes `off` where it
    /// is `on`.
    static func spelling(of value: JSON, as kept: String?, turns: Bool = true, _ dialect: YAMLScalar.Dialect = .yaml11) -> String
    {
        guard let kept else { return YAMLTree.spelling(of: value) }
        if self.value(of: kept, dialect) == value { return kept }
        guard turns, case .bool = value, let other = counterpart(of: kept), self.value(of: other, dialect) == value else {
            return YAMLTree.spelling(of: value)
        }
        return other
    }

    private static func value(of spelling: String, _ dialect: YAMLScalar.Dialect) -> JSON? {
        switch YAMLScalar(plain: spelling, dialect) {
        case .null: .null
        case .bool(let isTrue): .bool(isTrue)
        case .number(let number): .number(number)
        case .notFinite, .timestamp, .string: nil
        }
    }
}

/// Writes texts.
extension YAMLWriter {
    /// Whether every reader reads a text as a string without quotes, also as a name.
    static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, text.utf8.count <= 500 else {
            return false
        }
        if !first.properties.isAlphabetic, !"/_.".unicodeScalars.contains(first) {
            guard (Unicode.Scalar("0")...Unicode.Scalar("9")).contains(first) else { return false }
        }
        // Some readers take such a text for a number or a time, neither of which begins with a letter.
        let isLikeNumber = text.utf8.allSatisfy { "0123456789abcdefABCDEFxXoO_.,:+-TtZ ".utf8.contains($0) }
        if isLikeNumber, let first = text.utf8.first, !isLetter(first) { return false }
        if ["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(text.lowercased()) { return false }
        if text.utf8.count <= 5, text.hasPrefix(".") { return false }
        if YAMLScalar(plain: text, .yaml11) != .string || last == " " || last == ":" { return false }
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            guard isShown(scalar) else { return false }
            if previous == ":" && scalar == " " || previous == " " && scalar == "#" { return false }
            previous = scalar
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Whether a character can be written unescaped.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x200A, 0x2010...0x2027, 0x202F...0x205F, 0x2070...0xD7FF, 0xF900...0xFEFE, 0xFF00...0xFFEF,
            0x10000...0x1FFFD, 0x20000...0xDFFFF:
            scalar.value != 0x61C
        // Joiners, which emoji need.
        case 0x200C, 0x200D: true
        default: false
        }
    }

    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            if let escape = scalar.shortEscape {
                out += escape
            } else if isShown(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                out += scalar.value < 0x100 ? scalar.escape("x", digits: 2) : scalar.unicodeEscape
            }
        }
        return out + "\""
    }

    /// Several lines below a `|`, or one line below a `>`; nil if that wouldn't read back.
    static func block(_ text: String, indent: Int, isFolded: Bool? = nil) -> String? {
        guard let first = text.unicodeScalars.first, first != " ", first != "\n" else { return nil }
        guard isFolded != nil || text.contains("\n") else { return nil }
        guard text.unicodeScalars.allSatisfy({ $0 == "\n" || isShown($0) }), !text.hasSuffix("\n\n") else { return nil }
        let isEnded = text.hasSuffix("\n")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(isEnded ? 1 : 0)
        guard !lines.contains(where: { $0.hasSuffix(" ") }) else { return nil }
        let padding = String(repeating: " ", count: indent)
        let indicator = isFolded == true && lines.count == 1 ? ">" : "|"
        return indicator + (isEnded ? "" : "-") + lines.map { $0.isEmpty ? "\n" : "\n\(padding)\($0)" }.joined()
    }
}
