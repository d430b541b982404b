package import SettingsModel

/// Variables of an environment, a line each (`.env`, also systemd's and Docker's files): every value is a text.
///
/// `export` before a name, quotes, escapes in double quotes, several lines in quotes and comments are understood. Nothing
/// is put in for `$NAME`, `${NAME}` or `$(command)`, and nothing is run: they stay what they are.
package enum EnvFormat: Format {
    package static let name = FormatName.env

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard source.files.count == 1 else { return false }
        let name = source.files[0].name.lowercased()
        return name == "env" || name == ".env" || name.hasPrefix(".env.") || name.hasSuffix(".env")
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let (tree, repairs) = try tree(of: file.bytes(), in: file.path)
        return try PlainSettings.settings(of: tree, in: file.path, as: name, repairs: repairs, depth: request.depth)
    }

    package static func write(_ settings: Settings, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        let tree = try PlainSettings.tree(of: settings, as: name, unset: nil)
        guard case .object(let members) = tree.root else { return .text([]) }
        var lines = ""
        for member in members { lines += "\(try variable(member.name))=\(try word(member))\n" }
        return .text(Array(lines.utf8))
    }

    /// The variables in their order; of a name that is there twice the last value, where the first one stands.
    static func tree(of bytes: [UInt8], in file: String) throws(Refusal) -> (PlainTree, [Repair]) {
        var reader = EnvReader(try PlainFile.text(of: bytes, in: file), file)
        var members: [JSON.Member] = []
        var places: [Text: Int] = [:]
        while let (name, value, line) = try reader.next() {
            if let place = places[name] {
                reader.repairs.append(
                    Repair(
                        file: file, line: line, key: name.string, found: "the name is there twice",
                        done: "the last value counts"))
                members[place].value = .string(value)
            } else {
                places[name] = members.count
                members.append(JSON.Member(name, .string(value)))
            }
        }
        return (PlainTree(.object(members)), reader.repairs)
    }
}

/// Writing.
extension EnvFormat {
    private static func variable(_ name: Text) throws(Refusal) -> String {
        if EnvReader.isName(name.string) { return name.string }
        throw Refusal(
            "'\(name)' is no name for a variable of an environment",
            hint: "such a name is made of letters, digits, '_', '-' and '.', and doesn't begin with a digit")
    }

    private static func word(_ member: JSON.Member) throws(Refusal) -> String {
        switch member.value {
        case .string(let text): return try quoted(text.string, member.name)
        case .bool, .number: return member.value.compact
        case .null: return ""
        case .array, .object:
            throw Refusal(
                "'\(member.name)' holds several values, and a variable of an environment has one",
                hint: "export a group that holds no others, or in another format: json, yaml, toml")
        }
    }

    /// Single quotes keep everything as it is but themselves.
    private static func quoted(_ text: String, _ name: Text) throws(Refusal) -> String {
        if text.utf8.contains(0) {
            throw Refusal("'\(name)' holds a zero byte, and a variable of an environment can't")
        }
        let isBare = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_-+.,:/@%=".utf8.contains(byte)
            }
        }
        if isBare { return text }
        if !text.contains(where: { $0 == "'" || $0.isNewline }) { return "'\(text)'" }
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\", "$", "`": out += "\\" + String(scalar)
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}

/// Takes one variable after the other.
private struct EnvReader {
    var repairs: [Repair] = []
    private let file: String
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var line = 1

    init(_ text: String, _ file: String) {
        scalars = Array(text.unicodeScalars)
        self.file = file
    }

    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    mutating func next() throws(Refusal) -> (Text, Text, Int)? {
        skip { $0.isSpace || $0.isLineEnd }
        while peek == "#" {
            skip { !$0.isLineEnd }
            skip { $0.isSpace || $0.isLineEnd }
        }
        guard peek != nil else { return nil }
        let start = line
        var name = take { $0 != "=" && !$0.isLineEnd && $0 != "#" }
        if name.hasPrefix("export"), name.unicodeScalars.dropFirst(6).first?.isSpace == true { name = String(name.dropFirst(7)) }
        name = String(name.drop { $0 == " " || $0 == "\t" })
        while name.last == " " || name.last == "\t" { name.removeLast() }
        guard peek == "=" else {
            throw refusal("'\(name.prefix(60))' has no value: a line is NAME=value", hint: "is this a file of variables?")
        }
        guard EnvReader.isName(name) else {
            throw refusal(
                "'\(name.prefix(60))' is no name for a variable",
                hint: "such a name is made of letters, digits, '_', '-' and '.', and doesn't begin with a digit")
        }
        offset += 1
        skip { $0.isSpace }
        return (Text(name), Text(try value(of: name)), start)
    }

    private mutating func value(of name: String) throws(Refusal) -> String {
        var text = ""
        guard let quote = peek, quote == "'" || quote == "\"" else {
            // A comment has a space before it.
            var isSpaced = true
            while let scalar = peek, !scalar.isLineEnd {
                if scalar == "#", isSpaced { break }
                isSpaced = scalar.isSpace
                text.unicodeScalars.append(scalar)
                offset += 1
            }
            skip { !$0.isLineEnd }
            while let last = text.unicodeScalars.last, last.isSpace { text.unicodeScalars.removeLast() }
            return text
        }
        let start = line
        offset += 1
        while let scalar = peek, scalar != quote {
            offset += 1
            if scalar == "\n" { line += 1 }
            if scalar == "\\", quote == "\"", let escaped = peek {
                offset += 1
                if escaped == "\n" { line += 1 }
                text += EnvReader.meaning(of: escaped)
            } else if scalar == "\r", peek == "\n" {
                continue
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        guard peek == quote else {
            line = start
            throw refusal("the value of '\(name)' begins with \(quote) and has no end", hint: "close it with another \(quote)")
        }
        offset += 1
        skip { $0.isSpace }
        if let scalar = peek, scalar != "#", !scalar.isLineEnd {
            throw refusal(
                "something stands behind the quotes of '\(name)'", hint: "quote the whole of a value, or nothing of it")
        }
        skip { !$0.isLineEnd }
        return text
    }

    /// What a character means behind a backslash in double quotes. One that has no meaning there keeps its backslash.
    private static func meaning(of escaped: Unicode.Scalar) -> String {
        switch escaped {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case "\n": ""
        case "\"", "\\", "$", "`", "'": String(escaped)
        default: "\\" + String(escaped)
        }
    }

    private var peek: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) { _ = take(isSkipped) }

    private mutating func take(_ isTaken: (Unicode.Scalar) -> Bool) -> String {
        var taken = ""
        while let scalar = peek, isTaken(scalar) {
            if scalar == "\n" { line += 1 }
            taken.unicodeScalars.append(scalar)
            offset += 1
        }
        return taken
    }

    private func refusal(_ reason: String, hint: String) -> Refusal {
        Refusal(reason, in: file, at: BadFile.Position(line: line, column: 1), hint: hint)
    }
}

extension Unicode.Scalar {
    fileprivate var isSpace: Bool { self == " " || self == "\t" }
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" }
}
