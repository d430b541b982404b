package import SettingsModel

/// Environment variables, one per line (`.env`, also systemd's and Docker's files): every value is a text.
///
/// Supported are `export` before a name, `NAME: value`, a name alone (unset), three kinds of quotes, escapes in double quotes,
/// quoted values of several lines, and comments. `$NAME`, `${NAME}` and `$(command)` are not expanded or run;
/// they are kept as they are.
package enum EnvFormat: EditedFormat {
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

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        let tree = try PlainFile.tree(of: settings, as: name, unset: nil, request)
        guard case .object(let members) = tree.root else { return .text([]) }
        var lines = ""
        var faults: [Refusal] = []
        for member in members {
            do throws(Refusal) { lines += try line(member) } catch { faults.append(error) }
        }
        if let refusal = Refusal.joined(faults) { throw refusal }
        return .text(Array(lines.utf8))
    }

    /// The variables in order; a duplicate name has its last value in its first place.
    static func tree(of bytes: [UInt8], in file: String) throws(Refusal) -> (PlainTree, [Repair]) {
        var members: [JSON.Member] = []
        var places: [ExactText: Int] = [:]
        var repairs: [Repair] = []
        for variable in try EnvReader.variables(of: Array(try PlainFile.text(of: bytes, in: file).utf8), in: file) {
            let value = variable.value.map { JSON.string($0) } ?? .null
            if let note = variable.note {
                repairs.append(
                    Repair(
                        .kept, file: file, line: variable.line, key: variable.name.string, found: note.found, done: note.done))
            }
            if let place = places[variable.name] {
                repairs.append(
                    Repair(
                        file: file, line: variable.line, key: variable.name.string, found: "the name appears twice",
                        done: "the last value counts"))
                members[place].value = value
            } else {
                places[variable.name] = members.count
                members.append(JSON.Member(variable.name, value))
            }
        }
        return (PlainTree(.object(members)), repairs)
    }
}

// The output means the same to a shell, docker compose, node's dotenv and Python's. Between single quotes all of them take
// everything literally, except a quote, two backslashes and a backslash at the end (Python reads two as one, and the other
// as escaping the quote), and a carriage return (node). Between double quotes they agree if there is no backslash, `$`
// or backtick. `${` is replaced by Python between any quotes.

/// Writing variables.
extension EnvFormat {
    static func variable(_ name: ExactText) throws(Refusal) -> String {
        let isName =
            EnvReader.isName(name.string) && !name.string.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        if isName { return name.string }
        throw Refusal(
            "'\(name)' is not a valid name of a shell variable",
            hint: "the name of a variable consists of letters, digits and '_', and does not begin with a digit")
    }

    static func line(_ member: JSON.Member) throws(Refusal) -> String {
        "\(try variable(member.name))=\(try word(member))\n"
    }

    /// Adds quotes if needed, preferably those of `old`, a word of the file. References to other variables stay references if
    /// `old` has some.
    static func word(_ member: JSON.Member, like old: [UInt8] = []) throws(Refusal) -> String {
        switch member.value {
        case .string(let text): return try quoted(text.string, member.name, like: old)
        case .bool, .number: return try quoted(member.value.compact, member.name, like: old)
        case .null: return ""
        case .array, .object:
            throw Refusal(
                "'\(member.name)' has several values, but an environment variable has one",
                hint: "export a smaller group, or use another format, such as json, yaml or toml")
        }
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-+.,:/@%=".utf8.contains(byte)
        }
    }

    /// The text with its references, which are read as such; nil if it has none, or if the word in the file has none.
    private static func referring(_ text: String, like old: [UInt8]) -> String? {
        guard text.contains("$"), !text.utf8.contains(where: { "\"\\`\r\0".utf8.contains($0) }) else { return nil }
        let quote = old.first ?? 0
        if quote == UInt8(ascii: "'") {
            // Only Python puts something in between single quotes.
            let isPossible = old.firstRange(of: Array("${".utf8)) != nil && !text.utf8.contains(quote)
            return isPossible ? "'\(text)'" : nil
        }
        var isEscaped = false
        let hasReference = old.contains { byte in
            defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
            return byte == UInt8(ascii: "$") && !isEscaped
        }
        guard hasReference, quote != UInt8(ascii: "`") else { return nil }
        let isPlain = text.utf8.allSatisfy { isBare($0) || "${}".utf8.contains($0) }
        return isPlain && quote != UInt8(ascii: "\"") ? text : "\"\(text)\""
    }

    private static func quoted(_ text: String, _ name: ExactText, like old: [UInt8]) throws(Refusal) -> String {
        if let word = referring(text, like: old) { return word }
        let isQuoted = old.first == UInt8(ascii: "'") || old.first == UInt8(ascii: "\"")
        if !isQuoted, text.utf8.allSatisfy(isBare) { return text }
        let isSingle = !text.utf8.contains(UInt8(ascii: "'")) && !text.contains("\\\\") && !text.hasSuffix("\\")
        let isDouble = !text.utf8.contains { "\"\\$`".utf8.contains($0) }
        let isPossible = (isSingle || isDouble) && !text.utf8.contains { $0 == 0 || $0 == 13 } && !text.contains("${")
        if isPossible { return isDouble && (!isSingle || old.first == UInt8(ascii: "\"")) ? "\"\(text)\"" : "'\(text)'" }
        let reason =
            if text.utf8.contains(0) { "a zero byte" } else if text.utf8.contains(13) {
                "a carriage return"
            } else if text.contains("${") { "'${', which Python's dotenv replaces" } else {
                "quotes or backslashes that shells, docker compose, node and Python read differently"
            }
        throw Refusal(
            "'\(name)' can't be written to a .env file: its value contains \(reason)",
            hint: "export it in another format, such as json, yaml or toml")
    }
}
