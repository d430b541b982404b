import SettingsModel

/// Writes options as `contributes.configuration` of a package.json that reads back as the same options.
struct ExtensionWriting {
    private let settings: SettingsContent
    private static let dialect = SchemaDialect.vscode

    init(_ settings: SettingsContent) { self.settings = settings }

    /// A package.json that defines the settings.
    func package() throws(Refusal) -> JSON {
        let sections = sections()
        let configuration: JSON = sections.count == 1 ? sections[0] : .array(sections)
        let contributes = JSON.Member("contributes", .object(["configuration": configuration]))
        let own = try groups(beside: .object([contributes]))
        if own.isEmpty { return .object([contributes]) }
        return .object([contributes, JSON.Member(SchemaDialect.ownName, .object(["groups": .object(own)]))])
    }

    /// Options in the order in which they are shown; a new section begins whenever the next option belongs to another.
    private func sections() -> [JSON] {
        var sections: [(head: [JSON.Member], properties: [JSON.Member])] = []
        for key in settings.keysInOrder() {
            guard let option = settings.options[key] else { continue }
            let head = section(of: key)
            let id = SettingTree.id(of: key, in: settings)
            let members = OptionSchema.members(of: option, named: SettingTree.name(of: ExactText(id)), ExtensionWriting.dialect)
            if sections.last.map({ $0.head == head }) != true { sections.append((head, [])) }
            sections[sections.count - 1].properties.append(JSON.Member(ExactText(id), .object(members)))
        }
        let isInOrder = ExtensionWriting.isInOrder(sections.map(\.head))
        return sections.map { section in
            let schemas = section.properties.map { member -> [JSON.Member] in
                if case .object(let members) = member.value { members } else { [] }
            }
            var properties = section.properties
            if !ExtensionWriting.isInOrder(schemas) {
                for index in properties.indices {
                    properties[index].value = .object(schemas[index].filter { $0.name != "order" })
                }
            }
            let head = isInOrder ? section.head : section.head.filter { $0.name != "order" }
            return .object(head + [JSON.Member("properties", .object(properties))])
        }
    }

    /// Whether sorting by `order` keeps their order.
    private static func isInOrder(_ objects: [[JSON.Member]]) -> Bool {
        let orders = objects.map { members -> Double in
            if case .number(let number)? = members.first(where: { $0.name == "order" })?.value {
                number.double
            } else {
                .infinity
            }
        }
        return zip(orders, orders.dropFirst()).allSatisfy { $0 <= $1 }
    }

    /// The other members of the section that an option belongs to.
    private func section(of key: Key) -> [JSON.Member] {
        let name = ExtensionWriting.dialect.keptName
        if case .object(let members)? = settings.options[key]?.other[name]?["configuration"] { return members }
        var group = key.group
        while !group.isRoot {
            if case .object(let members)? = settings.groups[group]?.other[name]?["configuration"] {
                if members.contains(where: { $0.name == "title" }) { return members }
                let title = settings.groups[group]?.title.flatMap { $0.isEmpty ? nil : $0 }
                return (title.map { [JSON.Member("title", .string($0))] } ?? []) + members
            }
            group = group.group
        }
        return []
    }

    /// The properties of groups that reading `package` wouldn't restore.
    private func groups(beside package: JSON) throws(Refusal) -> [JSON.Member] {
        let document = try JSONC(Array(package.compact.utf8), in: "package.json")
        var reading = ExtensionReading()
        try reading.read(document, Translations(), owner: 0)
        try reading.finish()
        let read = reading.tree.settings
        let names = Dictionary(read.groups.map { (SettingTree.id(of: $0.key, in: read), $0.value) }) { first, _ in first }
        let children = settings.children()
        var own: [JSON.Member] = []
        for key in settings.groups.keys.sorted() where !key.isRoot {
            guard var group = settings.groups[key] else { continue }
            let id = SettingTree.id(of: key, in: settings)
            var other = names[id] ?? SettingsGroup()
            let isThere = names[id] != nil
            // A group that only contains VS Code's groups.
            if !isThere, children[key] != nil { continue }
            (group.order, other.order) = (nil, nil)
            if isThere, group == other { continue }
            var members: [JSON.Member] = []
            func add(_ name: ExactText, _ value: JSON?, _ present: JSON?) {
                if value != present || !isThere { members.append(JSON.Member(name, value ?? .null)) }
            }
            add("title", group.title.map { .string($0) }, other.title.map { .string($0) })
            add("style", group.style.map { .string($0.rawValue) }, other.style.map { .string($0.rawValue) })
            add("footer", group.footer.map { .string($0) }, other.footer.map { .string($0) })
            for name in Set(group.other.keys).union(other.other.keys).sorted() where name != "key" {
                add(name, group.other[name], other.other[name])
            }
            if !members.isEmpty {
                own.append(JSON.Member(ExactText(id), .object(members)))
            }
        }
        return own
    }
}
