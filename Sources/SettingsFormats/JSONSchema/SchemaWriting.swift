import SettingsModel

/// Writes settings as one JSON Schema that reads back as the same options and groups.
struct SchemaWriting {
    private let settings: SettingsContent
    private let children: [Key: [Key]]
    private static let dialect = SchemaDialect.jsonSchema

    init(_ settings: SettingsContent) {
        self.settings = settings
        children = settings.children()
    }

    func schema(title: ExactText?) -> JSON {
        var members = [JSON.Member("$schema", "https://json-schema.org/draft/2020-12/schema")]
        members += self.members(of: .root, name: nil, depth: 0, title: title)
        return .object(members)
    }

    private func members(of key: Key, name: String?, depth: Int, title: ExactText? = nil) -> [JSON.Member] {
        let group = settings.groups[key]
        var members: [JSON.Member] = []
        var kept: [JSON.Member] = []
        if case .object(let list)? = group?.other[SchemaWriting.dialect.keptName] {
            kept = list.filter { !SchemaDialect.nonSchemaNames.contains($0.name) }
        }
        let hasDefinitions = kept.contains { $0.name == "$defs" || $0.name == "definitions" }
        if depth > 0, hasDefinitions, !kept.contains(where: { $0.name == "$id" }) {
            members.append(JSON.Member("$id", .string(SchemaReading.madeID + key.parts.joined(separator: "/"))))
        }
        if let title = group?.title ?? title, !title.isEmpty, name.map({ title.string != Titles.words(of: $0) }) ?? true {
            members.append(JSON.Member("title", .string(title)))
        }
        if let footer = group?.footer { members.append(JSON.Member("description", .string(footer))) }
        members.append(JSON.Member("type", "object"))
        let inner = children[key] ?? []
        members.append(JSON.Member("properties", .object(inner.map { property($0, depth: depth + 1) })))
        let own = own(of: key, group, isEmpty: inner.isEmpty, depth: depth, name: name)
        if !own.isEmpty { members.append(JSON.Member(SchemaDialect.ownName, .object(own))) }
        return OptionSchema.overlay(kept.filter { $0.name != "properties" }, on: members)
    }

    private func property(_ key: Key, depth: Int) -> JSON.Member {
        let name = settings.exactName(of: key)
        if let option = settings.options[key], settings.groups[key] == nil, children[key] == nil {
            return JSON.Member(ExactText(name), .object(OptionSchema.members(of: option, named: name, SchemaWriting.dialect)))
        }
        return JSON.Member(ExactText(name), .object(members(of: key, name: name, depth: depth)))
    }

    /// The members for what JSON Schema can't express.
    private func own(of key: Key, _ group: SettingsGroup?, isEmpty: Bool, depth: Int, name: String?) -> [JSON.Member] {
        var own: [JSON.Member] = []
        if isEmpty, depth > 0 { own.append(JSON.Member("type", "group")) }
        if let option = settings.options[key], depth > 0 {
            let members = OptionSchema.members(of: option, named: name ?? "", SchemaWriting.dialect)
            own.append(JSON.Member("option", .object(members)))
        }
        guard let group else { return own }
        if let title = group.title, title.isEmpty { own.append(JSON.Member("title", "")) }
        if group.style != SchemaReading.style(at: depth), depth > 0 {
            own.append(JSON.Member("style", group.style.map { .string($0.rawValue) } ?? .null))
        }
        for name in group.other.keys.sorted() where name != SchemaWriting.dialect.keptName && name != "key" {
            own.append(JSON.Member(name, group.other[name] ?? .null))
        }
        return own
    }
}
