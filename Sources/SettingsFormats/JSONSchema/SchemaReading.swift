import SettingsModel

/// Reads a document's schema as a group with everything in it.
struct SchemaReading {
    private(set) var settings = SettingsContent()
    private(set) var repairs: [Repair] = []
    private let document: JSONC
    private let top: Key
    private(set) var names: KeyNames
    private var resolver: SchemaResolver
    private var page: String?

    /// The amount of work that one option counts as; a document may have about 40,000 options.
    private static let optionWork = 20

    init(_ document: JSONC, at top: Key, _ names: KeyNames) {
        self.document = document
        self.top = top
        self.names = names
        resolver = SchemaResolver(document)
    }

    mutating func read() throws(Refusal) {
        for (name, offset) in document.duplicates {
            repairs.append(
                Repair(
                    file: document.path, line: document.line(at: offset), found: "the member \"\(name)\" appears twice",
                    done: "the last one counts"))
        }
        guard let root = document.root else { return }
        let place = SchemaResolver.Place(node: root, resource: root)
        let flat = try resolver.flat(place, asObject: true)
        page = flat["title"]?.text?.string
        if root["properties"] == nil, !flat.properties.isEmpty, let list = root["anyOf"] ?? root["oneOf"],
            (list.elements?.count ?? 0) > 1
        {
            repair(list, [], "settings may also be something other than an object", "only the object is read", kind: .kept)
        }
        try readGroup(flat, place.node, at: top, path: [], inherited: nil, stack: [])
        try keepDefinitions()
    }

    private mutating func readGroup(
        _ flat: FlatSchema, _ node: JSONC.Node, at key: Key, path: [String], inherited: JSON?, stack: [Int]
    ) throws(Refusal) {
        let own = flat[SchemaDialect.ownName]
        let defaults = flat["default"] ?? inherited
        var group = SettingsGroup(
            title: flat["title"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? path.last.map { ExactText(Titles.words(of: $0)) },
            style: SchemaReading.style(at: path.count), footer: flat["description"]?.text)
        var order: [ExactText] = []
        for property in flat.properties {
            try resolver.count(SchemaReading.optionWork)
            let name = property.name.string
            let made: (key: Key, isExact: Bool)
            do throws(Key.Malformed) { made = try names.key(name, in: key) } catch {
                throw Refusal("\"\(name)\" can't have a key: \(error.reason)", in: document.path)
            }
            order.append(ExactText(made.key.name))
            try read(
                property, at: made.key, path: path + [name], inherited: defaults?[property.name], stack: stack + property.within)
            if !made.isExact {
                if settings.options[made.key] != nil { settings.options[made.key]?.other["key"] = .string(property.name) }
                if settings.groups[made.key] != nil { settings.groups[made.key]?.other["key"] = .string(property.name) }
            }
        }
        if order.count > 1 { group.order = order }
        let kept = keptMembers(of: flat, node, path)
        if !kept.isEmpty { group.other[SchemaDialect.jsonSchema.keptName] = .object(kept) }
        if case .object(let members)? = own { SchemaReading.apply(members, to: &group) }
        settings.groups[key] = group
        if let schema = own?["option"], case .object(let members) = schema {
            try addOption(members, node, at: key, path: path, inherited: nil)
        }
    }

    /// The schema itself and its objects are pages; objects within them are sections.
    static func style(at depth: Int) -> SettingsGroup.Style { depth < 2 ? .page : .section }

    /// Applies the members that this program wrote for a group and that JSON Schema can't express.
    static func apply(_ own: [JSON.Member], to group: inout SettingsGroup) {
        for member in own {
            switch (member.name, member.value) {
            case ("type", _), ("option", _), ("order", _): continue
            case ("style", .null): group.style = nil
            case ("title", .null): group.title = nil
            case ("footer", .null): group.footer = nil
            case (_, .null): group.other[member.name] = nil
            case ("style", .string(let style)): group.style = SettingsGroup.Style(rawValue: style.string)
            case ("title", .string(let title)): group.title = title
            case ("footer", .string(let footer)): group.footer = footer
            default: group.other[member.name] = member.value
            }
        }
    }

    private mutating func read(
        _ property: FlatSchema.Property, at key: Key, path: [String], inherited: JSON?, stack: [Int]
    ) throws(Refusal) {
        let node = property.schema.node
        guard let raw = node.members else {
            if case .scalar(.bool) = node.content {} else { repair(node, path, "its schema is not an object", "data") }
            settings.options[key] = SettingsOption(title: ExactText(Titles.words(of: property.name.string)), type: .data)
            return
        }
        let forced = node[SchemaDialect.ownName]?["type"]?.text
        let asWritten = raw.map { JSON.Member($0.name, $0.value.json) }
        if forced == "data" { return try addOption(asWritten, node, at: key, path: path, inherited: inherited) }
        let flat = try resolver.flat(property.schema)
        let isObject = SchemaReading.isGroup(flat) || forced == "group"
        if isObject, flat.places.contains(where: stack.contains) {
            repair(node, path, "its schema refers to itself", "data; kept unchanged", kind: .kept)
            return try addOption(asWritten, node, at: key, path: path, inherited: inherited)
        }
        if isObject, key.parts.count < Key.partLimit {
            return try readGroup(flat, node, at: key, path: path, inherited: inherited, stack: stack)
        }
        if isObject { repair(node, path, "it is more than \(Key.partLimit) groups deep", "data; kept unchanged", kind: .kept) }
        if let reference = flat["$ref"]?.text {
            repair(node, path, "it refers to \(reference), which isn't in this file", "not followed; kept unchanged")
        }
        var members = flat.members
        if !flat.properties.isEmpty {
            let schemas = flat.properties.map { JSON.Member($0.name, $0.schema.node.json) }
            members.append(JSON.Member("properties", .object(schemas)))
        }
        try addOption(members, node, at: key, path: path, inherited: inherited)
    }

    private static func isGroup(_ flat: FlatSchema) -> Bool {
        guard !flat.properties.isEmpty, flat["enum"] == nil, flat["const"] == nil else { return false }
        // If the default has other members, the properties aren't complete.
        if case .object(let members)? = flat["default"] {
            let names = Set(flat.properties.map(\.name))
            guard members.allSatisfy({ names.contains($0.name) }) else { return false }
        }
        return switch flat["type"] {
        case nil: true
        case .string("object")?: true
        case .array(let types)?: types.contains("object") && types.allSatisfy { $0 == "object" || $0 == "null" }
        default: false
        }
    }

    private mutating func addOption(
        _ members: [JSON.Member], _ node: JSONC.Node, at key: Key, path: [String], inherited: JSON?
    ) throws(Refusal) {
        var members = members
        if let inherited, !inherited.isNull, !members.contains(where: { $0.name == "default" }) {
            members.append(JSON.Member("default", inherited))
        }
        var schema = OptionSchema(members, .jsonSchema)
        settings.options[key] = schema.option(named: path.last ?? "")
        for finding in schema.findings { repair(node, path, finding.found, finding.done, kind: finding.kind) }
    }

    private mutating func repair(
        _ node: JSONC.Node, _ path: [String], _ found: String, _ done: String, kind: Repair.Kind = .repaired
    ) {
        repairs.append(
            Repair(
                kind, file: document.path, line: document.line(of: node), page: page,
                key: path.isEmpty ? nil : path.joined(separator: "."), found: found, done: done))
    }

    /// The members of a group's schema apart from its title, help and contents.
    private mutating func keptMembers(of flat: FlatSchema, _ node: JSONC.Node, _ path: [String]) -> [JSON.Member] {
        var kept: [JSON.Member] = []
        for member in flat.members {
            switch (member.name, member.value) {
            case ("title", .string), ("description", .string), ("type", "object"), ("$schema", _), (SchemaDialect.ownName, _):
                continue
            case ("$id", .string(let id)) where id.string.hasPrefix(SchemaReading.madeID): continue
            default: kept.append(member)
            }
            let isKnown =
                SchemaDialect.jsonSchema.passedNames.contains(member.name) || SchemaDialect.readNames.contains(member.name)
            if !isKnown {
                repair(
                    node[member.name] ?? node, path, "the member \"\(member.name)\" has no meaning here", "kept", kind: .kept)
            }
        }
        return kept
    }

    /// The prefix of an `$id` that was generated as the base of a group's references.
    static let madeID = "settings:"
}

/// Definitions that kept members refer to.
extension SchemaReading {
    /// Keeps only the definitions that kept members refer to; all others were inserted where they are used.
    private mutating func keepDefinitions() throws(Refusal) {
        let name = SchemaDialect.jsonSchema.keptName
        guard case .object(var members)? = settings.groups[top]?.other[name] else { return }
        let lists: [ExactText] = ["$defs", "definitions"]
        guard members.contains(where: { lists.contains($0.name) }) else { return }
        var open: [ExactText] = []
        for (key, group) in settings.groups {
            let kept =
                key == top ? members.filter { !lists.contains($0.name) }.map(\.value) : group.other[name].map { [$0] } ?? []
            for value in kept { SchemaReading.addReferences(in: value, to: &open) }
        }
        for option in settings.options.values {
            if let kept = option.other[name] { SchemaReading.addReferences(in: kept, to: &open) }
        }
        var definitions: [ExactText: [ExactText: JSON]] = [:]
        for member in members where lists.contains(member.name) {
            guard case .object(let list) = member.value else { continue }
            definitions[member.name] = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
        }
        var used: [ExactText: Set<ExactText>] = [:]
        while let reference = open.popLast() {
            try resolver.count()
            let found = SchemaReading.definition(reference) ?? named(reference, definitions)
            guard let (list, name) = found, let schema = definitions[list]?[name] else { continue }
            if used[list, default: []].insert(name).inserted { SchemaReading.addReferences(in: schema, to: &open) }
        }
        members = members.compactMap { member in
            guard lists.contains(member.name), case .object(let list) = member.value else { return member }
            let kept = list.filter { used[member.name]?.contains($0.name) ?? false }
            return kept.isEmpty ? nil : JSON.Member(member.name, .object(kept))
        }
        settings.groups[top]?.other[name] = members.isEmpty ? nil : .object(members)
    }

    private static func addReferences(in value: JSON, to open: inout [ExactText]) {
        switch value {
        case .array(let elements): for element in elements { addReferences(in: element, to: &open) }
        case .object(let members):
            for member in members {
                if member.name == "$ref" || member.name == "$dynamicRef", let text = member.value.text { open.append(text) }
                addReferences(in: member.value, to: &open)
            }
        default: return
        }
    }

    /// Parses `#/$defs/Name/…`.
    private static func definition(_ reference: ExactText) -> (list: ExactText, name: ExactText)? {
        let steps = reference.string.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard steps.count >= 3, steps[0].hasSuffix("#") else { return nil }
        return (ExactText(steps[1]), ExactText(SchemaResolver.unescaped(steps[2])))
    }

    /// Finds a definition by its anchor or `$id`.
    private func named(
        _ reference: ExactText, _ definitions: [ExactText: [ExactText: JSON]]
    ) -> (list: ExactText, name: ExactText)? {
        let name = reference.string.split(separator: "#", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        for list in definitions.keys.sorted() {
            let schemas = definitions[list] ?? [:]
            for key in schemas.keys.sorted() {
                guard let schema = schemas[key] else { continue }
                let ids = [schema["$id"]?.text, schema["id"]?.text, schema["$anchor"]?.text].compactMap { $0?.string }
                if ids.contains(reference.string) || ids.contains(name) || ids.contains("#" + name) { return (list, key) }
            }
        }
        return nil
    }
}
