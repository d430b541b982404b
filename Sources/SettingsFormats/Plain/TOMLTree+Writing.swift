import SettingsModel

extension PlainTree {
    /// The tree as TOML. Throws a refusal if TOML can't express it.
    func toml() throws(Refusal) -> String {
        var writer = TOMLWriter(marks: marks)
        if case .object(let members) = root { writer.add(members, [], at: .root, opens: false, isElement: false) }
        if let refusal = Refusal.joined(writer.faults) { throw refusal }
        return writer.out
    }
}

struct TOMLWriter {
    var out = ""
    let marks: [PlainTree.Pointer: ExactText]
    /// The values that TOML can't express, which are left empty.
    private(set) var faults: [Refusal] = []

    init(marks: [PlainTree.Pointer: ExactText]) { self.marks = marks }

    /// Adds a table: first the members without a header, then its subtables, each below its header. A subtable that precedes
    /// a member without a header is written as dotted keys, so that the order is kept.
    mutating func add(
        _ members: [JSON.Member], _ path: [ExactText], at place: PlainTree.Pointer, opens: Bool, isElement: Bool
    ) {
        let last = members.lastIndex { !TOMLWriter.hasHeader($0.value) }.map { $0 + 1 } ?? 0
        if opens, isElement || last > 0 || members.isEmpty {
            if !out.isEmpty { out += "\n" }
            let name = path.map(TOMLWriter.key).joined(separator: ".")
            out += isElement ? "[[\(name)]]\n" : "[\(name)]\n"
        }
        for member in members[..<last] { addPair([member.name], member.value, path, at: place.member(member.name)) }
        for member in members[last...] {
            let inner = place.member(member.name)
            if case .array(let elements) = member.value {
                for (index, element) in elements.enumerated() {
                    guard case .object(let members) = element else { continue }
                    add(members, path + [member.name], at: inner.element(index), opens: true, isElement: true)
                }
            } else if case .object(let members) = member.value {
                add(members, path + [member.name], at: inner, opens: true, isElement: false)
            }
        }
    }

    /// Whether the value is a table or an array that contains only tables.
    static func hasHeader(_ value: JSON) -> Bool {
        switch value {
        case .object: return true
        case .array(let elements):
            return !elements.isEmpty && elements.allSatisfy { if case .object = $0 { true } else { false } }
        default: return false
        }
    }

    mutating func addPair(
        _ keys: [ExactText], _ value: JSON, _ path: [ExactText], at place: PlainTree.Pointer
    ) {
        if case .object(let members) = value, !members.isEmpty {
            for member in members {
                addPair(keys + [member.name], member.value, path, at: place.member(member.name))
            }
            return
        }
        out += "\(keys.map(TOMLWriter.key).joined(separator: ".")) = "
        add(value, path + keys, at: place)
        out += "\n"
    }

    mutating func add(_ value: JSON, _ path: [ExactText], at place: PlainTree.Pointer) {
        switch value {
        case .null: fault(path, "is null, which TOML cannot express")
        case .bool(let isTrue): out += isTrue ? "true" : "false"
        case .number(let number):
            if number.isReal ? !number.double.isFinite : Int64(number.text) == nil {
                return fault(path, "is \(number.text), out of range for \(number.isReal ? "a float" : "an integer") in TOML")
            }
            out += TOMLWriter.scalar(value, as: marks[place]?.string)
        case .string: out += TOMLWriter.scalar(value, as: marks[place]?.string)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { out += ", " }
                add(element, path + [ExactText(String(index))], at: place.element(index))
            }
            out += "]"
        case .object(let members):
            out += members.isEmpty ? "{" : "{ "
            for (index, member) in members.enumerated() {
                if index > 0 { out += ", " }
                out += "\(TOMLWriter.key(member.name)) = "
                add(member.value, path + [member.name], at: place.member(member.name))
            }
            out += members.isEmpty ? "}" : " }"
        }
    }

    private mutating func fault(_ path: [ExactText], _ reason: String) {
        let name = path.map(\.string).joined(separator: ".")
        faults.append(Refusal("'\(name)' \(reason)", hint: "export it as json or yaml"))
    }

    /// A scalar as `kept` spells it, if that still means the value; a time is spelled by its text.
    static func scalar(_ value: JSON, as kept: String?) -> String {
        switch value {
        case .string(let text):
            return kept != nil && TOMLScalar(text.string)?.value == value ? text.string : quoted(text.string)
        default: return kept.flatMap { TOMLScalar($0)?.value == value ? $0 : nil } ?? value.compact
        }
    }

    static func key(_ name: ExactText) -> String {
        let isBare = name.string.utf8.allSatisfy(TOMLReader.isNameByte)
        return isBare && !name.isEmpty ? name.string : line(name.string)
    }

    static func quoted(_ text: String) -> String {
        guard text.contains("\n"), !text.contains("\"\"\""), !text.hasSuffix("\""),
            text.unicodeScalars.allSatisfy({ $0 == "\n" || !isEscaped($0) })
        else { return line(text) }
        return "\"\"\"\n" + text.replacing("\\", with: "\\\\") + "\"\"\""
    }

    static func line(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            if let escape = scalar.shortEscape ?? (isEscaped(scalar) ? scalar.unicodeEscape : nil) {
                out += escape
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Whether the character is a control character or invisible.
    static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFF:
            true
        default: false
        }
    }
}
