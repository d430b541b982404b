import SettingsModel

/// A kind of text that holds plain values and is edited in place: unchanged parts keep their bytes.
protocol EditedText {
    /// The content of a file.
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree

    /// The bytes, in UTF-8 without a byte order mark, edited so that they contain `wanted`, whose members are in the order
    /// of `present`.
    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8]

    /// Why a value can't be edited, as the end of a sentence that begins with its name; nil if unknown.
    static func obstacle(_ bytes: [UInt8], at names: [ExactText]) -> (reason: String, line: Int)?

    /// The line of a value, from 1; nil if it isn't in the file.
    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int?

    /// The file with another name for a member; nil if it can't be changed by itself.
    static func renamed(_ bytes: [UInt8], _ rename: MemberRename, in file: String) -> [UInt8]?

    /// Where the last of these names is spelled; empty if it can't be changed by itself.
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>]

    /// The spelling of a name in place of another one.
    static func spelling(of name: ExactText, like old: ArraySlice<UInt8>) -> String
}

/// A format of plain values whose files are edited in place.
protocol EditedFormat: Format, EditedText {
    /// The value of an unset option; nil if such options are omitted, except where the file has a name without a value.
    static var unset: JSON? { get }

    /// The value as it reads after it was written.
    static func readBack(_ value: JSON) -> JSON

    /// The wanted values in the kinds that the file's own have: a real, where the file has a real.
    static func fitted(_ wanted: JSON, to present: JSON, in file: String) -> JSON
}

extension EditedText {
    static func obstacle(_ bytes: [UInt8], at names: [ExactText]) -> (reason: String, line: Int)? { nil }
    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int? { nil }
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] { [] }
    static func spelling(of name: ExactText, like old: ArraySlice<UInt8>) -> String { name.string }
}

extension EditedFormat {
    static var unset: JSON? { nil }
    static func readBack(_ value: JSON) -> JSON { value }
    static func fitted(_ wanted: JSON, to present: JSON, in file: String) -> JSON { wanted.fitted(to: present) }
}

extension PlainFile {
    /// The existing file with the values of `settings`; nil if there is none, or if it is to be rewritten.
    static func edited(
        _ format: any EditedFormat.Type, _ settings: SettingsContent, _ request: WriteRequest
    ) throws(Refusal) -> Exported? {
        guard let bytes = request.present, !bytes.isEmpty else { return nil }
        let file = request.name ?? "the existing file"
        let location = request.location ?? file
        if request.rewrites {
            let wanted = try PlainSettings.tree(of: settings, as: format.name).root
            reportLosses(of: try? format.present(bytes, in: location).root, in: wanted, request)
            return nil
        }
        if let other = formatName(of: file), other != format.name {
            throw Refusal(
                "has the name of a \(other.rawValue) file, not of a \(format.name.rawValue) file", in: file,
                remedy: .exporting(as: other, orRewritingAs: format.name))
        }
        let (mark, original) = try self.body(of: bytes, in: file)
        var present = try orRewriting { () throws(Refusal) in try format.present(original, in: location) }
        var body = original
        format.rename(request.renames, &body, &present, in: location)
        var wanted = try PlainFile.tree(of: settings, as: format.name, request)
        wanted.root = format.fitted(wanted.root.mapped(format.readBack), to: present.root, in: location)
        try check(present.root, hasSomeOf: wanted.root, file)
        if !request.prunes {
            let places = try PlainSettings.tree(of: settings.placesAlone, as: format.name)
            wanted.root = wanted.root.keeping(present.root, besides: format.fitted(places.root, to: present.root, in: location))
        }
        wanted.root = wanted.root.aligned(to: present.root)
        if format.unset == nil { wanted.root = wanted.root.withoutUnset(in: present.root) }
        if wanted.root == present.root { return .text(mark + body) }
        let result = try PlainEdit(format: format, file: location, bytes: body, present: present, wanted: wanted).result()
        reportPruned(present.root, to: wanted.root, request)
        return .text(mark + result)
    }

    /// Says what a file loses that is rewritten: its layout, and the members that the new content lacks.
    static func reportLosses(of present: JSON?, in wanted: JSON, _ request: WriteRequest) {
        let file = request.name ?? "the file"
        guard let present else { return request.note?("\(file): rewritten; its previous content could not be read") ?? () }
        let names = names(of: present.missing(in: wanted))
        request.note?(
            "\(file): rewritten without its comments and layout" + (names.isEmpty ? "" : ", and without \(names)"))
    }

    /// Names what `--prune` removes.
    static func reportPruned(_ present: JSON, to wanted: JSON, _ request: WriteRequest) {
        let removed = request.prunes ? present.missing(in: wanted) : []
        if !removed.isEmpty { request.note?("\(request.name ?? "the file"): removed \(names(of: removed))") }
    }

    static func names(of paths: [[ExactText]]) -> String {
        let names = paths.prefix(10).map { "'\($0.map(\.string).joined(separator: "."))'" }.joined(separator: ", ")
        return paths.count > 10 ? "\(names) and \(paths.count - 10) more" : names
    }

    /// The byte order mark of a file, and what follows it.
    static func body(of bytes: [UInt8], in file: String) throws(Refusal) -> (mark: [UInt8], body: [UInt8]) {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw Refusal("is UTF-16, which isn't edited in place", in: file, hint: "save it as UTF-8", remedy: .rewriting)
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return bytes.starts(with: mark) ? (mark, Array(bytes.dropFirst(3))) : ([], bytes)
    }

    static func orRewriting<Result>(_ body: () throws(Refusal) -> Result) throws(Refusal) -> Result {
        do throws(Refusal) { return try body() } catch {
            var refusal = error
            refusal.remedy = .rewriting
            throw refusal
        }
    }

    /// A file without any of the exported settings is probably the wrong one.
    static func check(_ present: JSON, hasSomeOf wanted: JSON, _ file: String) throws(Refusal) {
        guard case .object(let members) = present else {
            throw Refusal("contains \(present.kind), not named settings", in: file, remedy: .rewriting)
        }
        guard case .object(let new) = wanted, !members.isEmpty, !new.isEmpty else { return }
        let names = Set(members.map(\.name))
        if new.contains(where: { names.contains($0.name) }) { return }
        throw isForeign(file)
    }

    static func isForeign(_ file: String) -> Refusal {
        Refusal(
            "has none of the exported settings, but others that would be lost", in: file,
            hint: "export the group that belongs there, or to another file", remedy: .rewriting)
    }

    /// The plain format that a file's name suggests.
    private static func formatName(of file: String) -> FormatName? {
        let name = file.lowercased()
        let endings: [(String, FormatName)] = [
            (".json", .json), (".jsonc", .json), (".yaml", .yaml), (".yml", .yaml), (".toml", .toml), (".plist", .plist),
            (".env", .env), (".gitconfig", .gitConfig), (".gitmodules", .gitConfig), (".lfsconfig", .gitConfig),
        ]
        return endings.first { name.hasSuffix($0.0) }?.1
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

    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int? { (try? JSONC(bytes, in: ""))?.line(of: names) }
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

    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int? { (try? YAMLPlaces(bytes))?.line(of: names) }
}

extension TOMLFormat {
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        try tree(of: bytes, in: file)
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        try TOMLEditor.edited(bytes, from: present, to: wanted)
    }

    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int? {
        guard var table = try? TOMLReader.root(of: bytes) else { return nil }
        var offset: Int?
        for name in names {
            if let pair = table.pairs[name] { offset = pair.lowerBound }
            guard case .table(let inner)? = table[name] else { break }
            offset = inner.header?.lowerBound ?? inner.lastPair?.lowerBound ?? offset
            table = inner
        }
        return offset.map { BadFile.Position(of: $0, in: bytes).line }
    }
}
