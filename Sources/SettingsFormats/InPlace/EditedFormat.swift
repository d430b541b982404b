import SettingsModel

/// A format of plain values whose files are edited in place: unchanged parts keep their bytes.
protocol EditedFormat: Format {
    /// The content of a file.
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree

    /// The bytes, in UTF-8 without a byte order mark, edited so that they contain `wanted`, whose members are in the order
    /// of `present`.
    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8]

    /// Why a value can't be edited, as the end of a sentence that begins with its name; nil if unknown.
    static func obstacle(_ bytes: [UInt8], at names: [ExactText]) -> (reason: String, line: Int)?

    /// The value of an unset option; nil if such options are omitted, except where the file has a name without a value.
    static var unset: JSON? { get }

    /// The value as it reads after it was written.
    static func readBack(_ value: JSON) -> JSON
}

extension EditedFormat {
    static func obstacle(_ bytes: [UInt8], at names: [ExactText]) -> (reason: String, line: Int)? { nil }
    static var unset: JSON? { nil }
    static func readBack(_ value: JSON) -> JSON { value }
}

extension PlainFile {
    /// The existing file with the values of `settings`; nil if there is none, or if it is to be rewritten.
    static func edited(
        _ format: any EditedFormat.Type, _ settings: SettingsContent, _ request: WriteRequest
    ) throws(Refusal) -> Exported? {
        guard !request.rewrites, let bytes = request.present, !bytes.isEmpty else { return nil }
        let file = request.name ?? "the file that is there"
        if let other = formatName(of: file), other != format.name {
            throw Refusal(
                "is named as a file of \(other.rawValue) is, not of \(format.name.rawValue)", in: file,
                remedy: .exporting(as: other, orRewritingAs: format.name))
        }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw Refusal("is UTF-16, which isn't edited in place", in: file, hint: "save it as UTF-8", remedy: .rewriting)
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let isMarked = bytes.starts(with: mark)
        let body = isMarked ? Array(bytes.dropFirst(3)) : bytes
        let present = try orRewriting { () throws(Refusal) in try format.present(body, in: file) }
        var wanted = try PlainSettings.tree(of: settings, as: format.name)
        try check(present.root, hasSomeOf: wanted.root, file)
        if !request.prunes {
            let places = try PlainSettings.tree(of: settings.placesAlone, as: format.name)
            wanted.root = wanted.root.keeping(present.root, besides: places.root)
        }
        wanted.root = wanted.root.mapped(format.readBack).aligned(to: present.root)
        if format.unset == nil { wanted.root = wanted.root.withoutUnset(in: present.root) }
        if wanted.root == present.root { return .text(bytes) }
        let result: [UInt8]
        do throws(Refusal) { result = try format.edited(body, from: present, to: wanted) } catch {
            var refusal = error
            if refusal.position != nil { refusal.file = file }
            if refusal.hint == nil { refusal.remedy = .rewriting }
            throw refusal
        }
        var names: [ExactText]? = []
        if let again = try? format.present(result, in: file) {
            names = difference(again.root, wanted.root.aligned(to: again.root))
        }
        guard let names else { return .text(isMarked ? mark + result : result) }
        let obstacle = format.obstacle(body, at: names)
        let name = names.map(\.string).joined(separator: ".")
        throw Refusal(
            (name.isEmpty ? "can't be edited in place" : "'\(name)' can't be edited in place")
                + ": \(obstacle?.reason ?? "what would be written doesn't read back as the values that are set")",
            in: file, at: obstacle.map { BadFile.Position(line: $0.line, column: 1) },
            hint: "change it in the file by hand", remedy: .rewriting)
    }

    private static func orRewriting<Result>(_ body: () throws(Refusal) -> Result) throws(Refusal) -> Result {
        do throws(Refusal) { return try body() } catch {
            var refusal = error
            refusal.remedy = .rewriting
            throw refusal
        }
    }

    /// A file without any of the exported settings is probably the wrong one.
    private static func check(_ present: JSON, hasSomeOf wanted: JSON, _ file: String) throws(Refusal) {
        guard case .object(let members) = present else {
            throw Refusal("holds \(present.kind) and no names for settings", in: file, remedy: .rewriting)
        }
        guard case .object(let new) = wanted, !members.isEmpty, !new.isEmpty else { return }
        let names = Set(members.map(\.name))
        if new.contains(where: { names.contains($0.name) }) { return }
        throw Refusal(
            "has none of the settings that are exported, and others that would be lost", in: file,
            hint: "export the group that belongs there, or to another file", remedy: .rewriting)
    }

    /// The plain format that a file's name suggests.
    private static func formatName(of file: String) -> FormatName? {
        let name = file.lowercased()
        let endings: [(String, FormatName)] = [
            (".json", .json), (".jsonc", .json), (".yaml", .yaml), (".yml", .yaml), (".toml", .toml), (".plist", .plist),
            (".env", .env),
        ]
        return endings.first { name.hasSuffix($0.0) }?.1
    }

    /// The path of the first difference between two trees in the same order; nil if they are equal.
    private static func difference(_ left: JSON, _ right: JSON) -> [ExactText]? {
        if left == right { return nil }
        switch (left, right) {
        case (.object(let left), .object(let right)):
            let others = Dictionary(right.map { ($0.name, $0.value) }) { first, _ in first }
            for member in left {
                guard let other = others[member.name] else { return [member.name] }
                if let names = difference(member.value, other) { return [member.name] + names }
            }
            let names = Set(left.map(\.name))
            return right.first { !names.contains($0.name) }.map { [$0.name] } ?? []
        case (.array(let left), .array(let right)):
            for (index, pair) in zip(left, right).enumerated() {
                if let names = difference(pair.0, pair.1) { return [ExactText(String(index))] + names }
            }
            return []
        default: return []
        }
    }
}

extension SettingsContent {
    /// The same options and groups with a number as each value, so that only groups are objects.
    fileprivate var placesAlone: SettingsContent {
        var settings = self
        for (key, option) in options {
            let name: [ExactText: JSON] = option.other["key"].map { ["key": $0] } ?? [:]
            settings.options[key] = SettingsOption(title: option.title, type: .number, value: .number(0), other: name)
        }
        return settings
    }
}

extension JSON {
    /// With the other members of the objects in `present` that are groups in `places`: members that aren't in the store are kept.
    fileprivate func keeping(_ present: JSON, besides places: JSON) -> JSON {
        guard case .object(let members) = self, case .object(let others) = present, case .object(let known) = places else {
            return self
        }
        let names = Set(known.map(\.name))
        let kept = members.map { member in
            guard let there = present[member.name], let place = places[member.name] else { return member }
            return JSON.Member(member.name, member.value.keeping(there, besides: place))
        }
        let there = Set(members.map(\.name))
        return .object(kept + others.filter { !names.contains($0.name) && !there.contains($0.name) })
    }

    /// With `change` applied to each scalar.
    fileprivate func mapped(_ change: (JSON) -> JSON) -> JSON {
        guard case .object(let members) = self else { return change(self) }
        return .object(members.map { JSON.Member($0.name, $0.value.mapped(change)) })
    }

    /// Without the object members that are null here and not null in `present`, and those that hold nothing else.
    fileprivate func withoutUnset(in present: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.compactMap { member in
                let there = present[member.name]
                if member.value.isNull, there != .null { return nil }
                let value = member.value.withoutUnset(in: there ?? .null)
                if value == .object([]), value != member.value, there != value { return nil }
                return JSON.Member(member.name, value)
            })
    }
}

extension JSONFormat {
    static let unset: JSON? = .null

    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        // The file is blank, or contains only comments.
        if let document = try? JSONC(bytes, in: file), document.root == nil { return PlainTree(.object([])) }
        return PlainTree(try json(bytes, in: file).0)
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        try JSONC(bytes, in: "the file").edited(to: wanted.root)
    }
}

extension YAMLFormat {
    static let unset: JSON? = .null

    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        try YAMLTree.read(bytes, in: file, .yaml11).tree
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        try YAMLEditor.edited(bytes, from: present, to: wanted)
    }

    static func obstacle(_ bytes: [UInt8], at names: [ExactText]) -> (reason: String, line: Int)? {
        (try? YAMLPlaces(bytes))?.obstacle(at: names)
    }
}

extension TOMLFormat {
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        try tree(of: bytes, in: file)
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        try TOMLEditor.edited(bytes, from: present, to: wanted)
    }
}

extension EnvFormat {
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree { try tree(of: bytes, in: file).0 }

    /// All values are texts.
    static func readBack(_ value: JSON) -> JSON {
        switch value {
        case .bool, .number: .string(ExactText(value.compact))
        case .null, .string, .array, .object: value
        }
    }

    /// A name without a value stays while its option is unset.
    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        guard case .object(let members) = wanted.root, case .object(let old) = present.root else { return bytes }
        var edits = FileEdits(bytes)
        let variables = try EnvReader.variables(of: bytes, in: "the file")
        /// The existing variables by name; of duplicates the last one counts.
        let places = Dictionary(grouping: variables.indices) { variables[$0].name }
        var before: EnvReader.Variable?
        for step in MemberStep.steps(from: old.map(\.name), to: members) {
            switch step {
            case .keep(let member):
                guard let indices = places[member.name], let last = indices.last else { continue }
                let variable = variables[last]
                if present.root[member.name] != member.value {
                    if member.value.isNull {
                        for index in indices { edits.removeLines(variables[index].start..<variables[index].range.upperBound) }
                    } else {
                        let quote = variable.range.isEmpty ? nil : bytes[variable.range.lowerBound]
                        let word = try word(member, like: quote)
                        edits.replace(variable.range, by: variable.value == nil ? "=" + word : word)
                    }
                }
                before = variable
            case .remove(let name):
                for index in places[name] ?? [] {
                    edits.removeLines(variables[index].start..<variables[index].range.upperBound)
                }
            case .insert(let member):
                if member.value.isNull { continue }
                let export = (before ?? variables.first)?.isExported == true ? "export " : ""
                let offset = before.map { edits.nextLine(after: $0.range.upperBound) } ?? bytes.count
                edits.insertLines("\(export)\(try variable(member.name))=\(try word(member))\n", at: offset)
            }
        }
        return edits.applied()
    }
}
