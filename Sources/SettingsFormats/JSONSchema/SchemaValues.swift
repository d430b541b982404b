import SettingsModel

/// The values of settings that a schema defines: an object with an object for each group.
struct SchemaValues {
    private(set) var settings: SettingsContent
    private(set) var repairs: [Repair] = []
    private let document: JSONC
    /// Whether the document was converted from YAML, so that its lines aren't those of the file.
    private let isYAML: Bool
    private var names: KeyNames
    /// The keys by group and exact name.
    private var keys: [Key: [String: Key]] = [:]

    static let dialect = SchemaDialect.jsonSchema

    /// Values in JSON with or without comments, or in YAML if the file's name says so.
    init(_ file: Source.File, of settings: SettingsContent, _ names: KeyNames) throws(Refusal) {
        isYAML = SchemaValues.isYAML(file.name)
        if isYAML {
            let (tree, repairs) = try YAMLTree.read(file.bytes(), in: file.path, .yaml11)
            document = try JSONC(Array(tree.root.compact.utf8), in: file.path)
            self.repairs = repairs
        } else {
            document = try JSONC(file.bytes(), in: file.path)
        }
        self.settings = settings
        self.names = names
        for (group, children) in settings.children() {
            for child in children { keys[group, default: [:]][settings.exactName(of: child)] = child }
        }
    }

    mutating func read() throws(Refusal) {
        guard let root = document.root else { return }
        guard let members = root.members else {
            throw Refusal("contains \(root.json.kind), not an object of values", in: document.path)
        }
        for (name, offset) in document.duplicates {
            repairs.append(
                Repair(
                    file: document.path, line: document.line(at: offset), key: name.string, found: "it appears twice",
                    done: "the last one counts"))
        }
        try read(members, at: .root, path: [])
    }

    private mutating func read(_ members: [(name: ExactText, value: JSONC.Node)], at group: Key, path: [String]) throws(Refusal) {
        for (name, node) in members {
            let path = path + [name.string]
            if group.isRoot, name == "$schema", keys[group]?[name.string] == nil {
                keepUnknown([JSON.Member(name, node.json)], of: group)
                continue
            }
            guard let key = keys[group]?[name.string] else {
                try add(node, called: name, in: group, path: path)
                continue
            }
            if settings.groups[key] != nil, let members = node.members {
                try read(members, at: key, path: path)
            } else if var option = settings.options[key] {
                let value = node.json
                if let fault = SchemaValues.dialect.set(value, of: &option) {
                    repair(node, path, "the value is \(OptionSchema.brief(value)): \(fault)", "no value; kept unchanged")
                }
                settings.options[key] = option
            } else if case .scalar(.null) = node.content {
                continue
            } else {
                repair(node, path, "it is \(node.json.kind), not an object", "nothing in it is set; kept unchanged")
                keepUnknown([JSON.Member("", node.json)], of: key)
            }
        }
    }

    /// Keeps the values of a group that belong to none of its settings.
    private mutating func keepUnknown(_ more: [JSON.Member], of group: Key) {
        var item = settings.groups[group] ?? SettingsGroup()
        var kept: [JSON.Member] = []
        if case .object(let members)? = item.other[SchemaValues.dialect.keptName] { kept = members }
        var aside: [JSON.Member] = []
        if case .object(let members)? = kept.first(where: { $0.name == "value" })?.value { aside = members }
        kept.removeAll { $0.name == "value" }
        kept.append(JSON.Member("value", .object(aside.filter { old in !more.contains { $0.name == old.name } } + more)))
        item.other[SchemaValues.dialect.keptName] = .object(kept)
        settings.groups[group] = item
    }

    private mutating func add(_ node: JSONC.Node, called name: ExactText, in group: Key, path: [String]) throws(Refusal) {
        let made: (key: Key, isExact: Bool)
        do throws(Key.Malformed) { made = try names.key(name.string, in: group) } catch {
            throw Refusal("\"\(name)\" can't have a key: \(error.reason)", in: document.path)
        }
        keys[group, default: [:]][name.string] = made.key
        if settings.groups[group]?.order != nil || settings.groups[group] == nil {
            var item = settings.groups[group] ?? SettingsGroup()
            item.order = (item.order ?? []) + [ExactText(made.key.name)]
            settings.groups[group] = item
        }
        if let members = node.members, !members.isEmpty, made.key.parts.count < Key.partLimit {
            var item = SettingsGroup(
                title: ExactText(Titles.words(of: name.string)), style: SchemaReading.style(at: path.count), order: [])
            if !made.isExact { item.other["key"] = .string(name) }
            settings.groups[made.key] = item
            repair(node, path, "no schema defines it", "read as a group", kind: .kept)
            return try read(members, at: made.key, path: path)
        }
        var option = SchemaValues.dialect.option(for: node.json, named: name.string)
        if !made.isExact { option.other["key"] = .string(name) }
        settings.options[made.key] = option
        repair(node, path, "no schema defines it", "read as \(option.type.noun)", kind: .kept)
    }

    private mutating func repair(
        _ node: JSONC.Node, _ path: [String], _ found: String, _ done: String, kind: Repair.Kind = .repaired
    ) {
        repairs.append(
            Repair(
                kind, file: document.path, line: isYAML ? nil : document.line(of: node), key: path.joined(separator: "."),
                found: found,
                done: done))
    }
}

extension SchemaValues {
    private static func isYAML(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// The requested file with the values of `settings`; an existing file is edited in place.
    static func text(of settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> [UInt8] {
        let isYAML = request.name.map(SchemaValues.isYAML) ?? false
        let edited = try PlainFile.edited(request, as: isYAML ? YAMLFormat.self : JSONFormat.self) {
            present throws(Refusal) in try values(of: settings, present: present)
        }
        if let edited { return edited }
        let whole = try values(of: settings, present: nil)
        return Array((isYAML ? PlainTree(whole).yaml : whole.pretty).utf8)
    }

    /// The values of `settings`, together with the values in `present` that they don't define.
    static func values(of settings: SettingsContent, present: JSON?) throws(Refusal) -> JSON {
        try values(of: .root, settings, settings.children(), present: present)
    }

    private static func values(
        of group: Key, _ settings: SettingsContent, _ children: [Key: [Key]], present: JSON?
    ) throws(Refusal) -> JSON {
        var known: [ExactText: JSON?] = [:]
        var order: [ExactText] = []
        var aside: [JSON.Member] = []
        if case .object(let members)? = settings.groups[group]?.other[dialect.keptName]?["value"] { aside = members }
        if let whole = aside.first(where: { $0.name.isEmpty }), group != .root {
            if present == nil || present == whole.value { return whole.value }
        }
        for key in children[group] ?? [] {
            let name = ExactText(settings.exactName(of: key))
            order.append(name)
            if let option = settings.options[key] {
                guard (children[key] ?? []).isEmpty else {
                    throw Refusal(
                        "\(key) is an option and a group, which one file of values can't hold",
                        hint: "export another format, or rename one of them")
                }
                known[name] = .some(option.value ?? dialect.rejectedValue(of: option))
            } else {
                let value = try values(of: key, settings, children, present: present?[name])
                if case .object(let members) = value, members.isEmpty, present?[name] == nil {
                    known[name] = .some(nil)
                } else {
                    known[name] = value
                }
            }
        }
        return merged(known, order, aside: aside, present: present)
    }

    private static func merged(_ known: [ExactText: JSON?], _ order: [ExactText], aside: [JSON.Member], present: JSON?) -> JSON {
        var members: [JSON.Member] = []
        guard case .object(let old)? = present else {
            members = aside.filter { !$0.name.isEmpty }
            for name in order { if let value = known[name] ?? nil { members.append(JSON.Member(name, value)) } }
            return .object(members)
        }
        let names = Set(old.map(\.name))
        /// New members by the member that they follow; nil for the end.
        var new: [ExactText?: [JSON.Member]] = [:]
        var anchor: ExactText?
        for name in order {
            if names.contains(name) {
                anchor = name
            } else if let value = known[name] ?? nil {
                new[anchor, default: []].append(JSON.Member(name, value))
            }
        }
        for member in old {
            // A null in the file and a missing value here are equivalent.
            let value = known[member.name].map { $0 ?? (member.value.isNull ? .null : nil) } ?? member.value
            if let value { members.append(JSON.Member(member.name, value)) }
            members += new[member.name] ?? []
        }
        members += new[ExactText?.none] ?? []
        return .object(members)
    }
}
