package import SettingsModel

/// Flag definitions of OpenFeature's flagd, in JSON or YAML (https://flagd.dev/schema/v0/flags.json).
///
///     {"flags": {"new-menu": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"}}}
///
/// A flag is a choice among its variants: their names are the labels and their values the labels' values; the default variant
/// is selected. A flag with exactly a true and a false variant is a switch. If variants are objects, or two have the same
/// value, the labels have the variants' names as values. A flag's name stays flat: `a.b` is one setting without a group.
///
/// Everything else is kept in the member `flagd` and written again: of a flag, its state unless it is ENABLED, its targeting
/// and metadata, and the names of its variants if they differ from the labels; of the group, the rest of the file.
/// Targeting refers to variants by name: while a flag has targeting, a renamed label keeps its variant's name.
package enum FlagdFormat: Format {
    package static let name = FormatName.flagd

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard PlainFile.isOnly(in: source, ending: [".json", ".yaml", ".yml"]) else { return false }
        let bytes = try source.files[0].bytes()
        guard bytes.firstRange(of: Array("flags".utf8)) != nil,
            let (root, _) = try? root(of: bytes, in: source.files[0])
        else { return false }
        let flags: [JSON]
        switch root["flags"] {
        case .object(let members)?: flags = members.map(\.value)
        case .array(let elements)?: flags = elements
        default: return false
        }
        return flags.contains { Flag.looksLikeOne($0) }
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let (root, repairs) = try root(of: file.bytes(), in: file)
        guard case .object(let members) = root else {
            throw Refusal("contains \(root.kind), not an object with \"flags\"", in: file.path)
        }
        var imported = Imported(format: name, givesValues: true, repairs: repairs)
        var rest: [JSON.Member] = []
        var hasFlags = false
        for member in members {
            if member.name == "flags" {
                hasFlags = true
                if case .array = member.value { rest.append(JSON.Member("flags", .array([]))) }
                try add(member.value, to: &imported, in: file.path)
            } else {
                rest.append(member)
                if let repair = repair(of: member, in: file.path) { imported.repairs.append(repair) }
            }
        }
        guard hasFlags else { throw Refusal("has no \"flags\"", in: file.path, hint: "is this a file of flag definitions?") }
        if !rest.isEmpty { imported.settings.groups[.root, default: SettingsGroup()].other["flagd"] = .object(rest) }
        return imported
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        let name = request.name?.lowercased() ?? ""
        let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        let text: any EditedText.Type = isYAML ? GoYAML.self : JSONFormat.self
        if let edited = try edit(isYAML: isYAML).edited(settings, request, as: text) { return edited }
        let root = try document(settings)
        guard isYAML else { return .text(Array(root.pretty.utf8)) }
        let bytes = Array(PlainTree(root).yaml.utf8)
        let (again, _) = try YAMLTree.read(bytes, in: "the YAML that was written", .yaml12)
        try PlainFile.check(again.root, is: root, as: .yaml)
        return .text(bytes)
    }

    private static func document(_ settings: SettingsContent) throws(Refusal) -> JSON {
        var root: [JSON.Member] = []
        var isList = false
        if case .object(let rest)? = settings.groups[.root]?.other["flagd"] {
            isList = rest.contains { $0.name == "flags" }
            root = rest.filter { $0.name != "flags" }
        }
        let flags = try Flag.all(in: settings)
        let value: JSON =
            isList
            ? .array(flags.map { .object([JSON.Member("key", .string($0.name))] + $0.members) })
            : .object(flags.map { JSON.Member($0.name, .object($0.members)) })
        let place = root.first?.name == "$schema" ? 1 : 0
        root.insert(JSON.Member("flags", value), at: place)
        return .object(root)
    }

    private static func edit(isYAML: Bool) -> DocumentEdit {
        DocumentEdit(
            keptName: "flagd",
            read: { bytes throws(Refusal) in
                try read(Source(files: [(path: isYAML ? "flags.yaml" : "flags.json", bytes: bytes)]), ReadRequest()).settings
            },
            write: document,
            name: { key, settings in settings.options[key].map { Flag.name(of: key, $0).string } ?? key.description },
            complete: Flag.keepingVariants)
    }
}

extension FlagdFormat {
    /// flagd reads YAML with Go's yaml.v3, which reads `on` and `off` as strings.
    private static func root(of bytes: [UInt8], in file: Source.File) throws(Refusal) -> (JSON, [Repair]) {
        let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        if !file.name.lowercased().hasSuffix("ml") || first == UInt8(ascii: "{") && (try? JSON(parsing: bytes)) != nil {
            return try JSONFormat.json(bytes, in: file.path)
        }
        let (tree, repairs) = try YAMLTree.read(bytes, in: file.path, .yaml12)
        // flagd ignores everything that plain YAML keeps, except the value.
        let reported = repairs.filter { $0.found.hasPrefix("the tag") }.map { repair in
            var repair = repair
            repair.kind = .repaired
            repair.done = "the tag is left out"
            return repair
        }
        return (tree.root, reported)
    }

    private static func add(_ flags: JSON, to imported: inout Imported, in file: String) throws(Refusal) {
        var named: [JSON.Member] = []
        switch flags {
        case .object(let members): named = members
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard case .object(let members) = element, let name = element["key"]?.text else {
                    throw Refusal("the flag \(index) of the list has no \"key\"", in: file)
                }
                named.append(JSON.Member(name, .object(members.filter { $0.name != "key" })))
            }
        default: throw Refusal("\"flags\" must be an object or an array, not \(flags.kind)", in: file)
        }
        var keys = KeyNames()
        var order: [ExactText] = []
        var names: Set<ExactText> = []
        for member in named {
            guard names.insert(member.name).inserted else {
                throw Refusal("the flag '\(member.name)' appears twice", in: file, hint: "keep one of them")
            }
            let key: Key
            let isExact: Bool
            do throws(Key.Malformed) { (key, isExact) = try keys.key(member.name.string, in: .root) } catch {
                throw Refusal(error.reason, in: file)
            }
            var option = try Flag(member.name, member.value, in: file, &imported.repairs).option(key.name)
            if !isExact { option.other["key"] = .string(member.name) }
            guard option.file.count <= JSON.sizeLimit, option.json.depth <= JSON.depthLimit else {
                throw Refusal("the flag '\(member.name)' is larger or nested more deeply than a setting may be", in: file)
            }
            imported.settings.options[key] = option
            order.append(ExactText(key.name))
        }
        if order.count > 1 { imported.settings.groups[.root, default: SettingsGroup()].order = order }
    }

    /// What to report about a member next to `flags`.
    private static func repair(of member: JSON.Member, in file: String) -> Repair? {
        switch member.name {
        case "$schema", "metadata": return nil
        case "$evaluators":
            return Repair(
                .kept, file: file, key: "$evaluators", found: "rules that targeting refers to",
                done: "kept; no rule is evaluated here")
        default:
            if Flag.looksLikeOne(member.value) {
                return Repair(
                    file: file, key: member.name.string, found: "a flag outside \"flags\"; check its indentation",
                    done: "kept, but it is not a setting")
            }
            return Repair(
                .kept, file: file, key: member.name.string, found: "the member is unknown to flagd", done: "kept")
        }
    }
}
