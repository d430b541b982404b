import SettingsModel

extension Settings {
    /// The name that an option or a group has where it comes from: the last part of its key, where nothing else is kept.
    func exactName(of key: Key) -> String {
        options[key]?.importedKey?.string ?? groups[key]?.other["key"]?.text?.string ?? key.name
    }

    /// What is in each group, as its page shows it.
    func children() -> [Key: [Key]] {
        var names: [Key: Set<Text>] = [:]
        for key in options.keys where !key.isRoot { names[key.group, default: []].insert(Text(key.name)) }
        for key in allGroups where !key.isRoot { names[key.group, default: []].insert(Text(key.name)) }
        var children: [Key: [Key]] = [:]
        for (group, names) in names {
            let ordered = (groups[group] ?? Group()).ordered(names)
            children[group] = ordered.compactMap { try? group.appending($0.string) }
        }
        return children
    }

    /// The keys of all options as their pages show them, those of a group where the group stands.
    func keysInOrder() -> [Key] {
        let children = children()
        var keys: [Key] = []
        func add(_ key: Key) {
            if options[key] != nil { keys.append(key) }
            for child in children[key] ?? [] { add(child) }
        }
        add(.root)
        return keys
    }
}

extension Option {
    /// Sets what a file of values says; what is wrong where it can't be this option's, which is kept aside then.
    mutating func take(_ value: JSON, _ dialect: SchemaDialect) -> String? {
        self.value = nil
        setAside(nil, dialect)
        if value.isNull, type != .choice || labels.label(of: .null) == nil { return nil }
        guard let fault = fault(of: value) else {
            self.value = value
            return nil
        }
        setAside(value, dialect)
        return fault
    }

    /// A value from a file that isn't one of this option's.
    func asideValue(_ dialect: SchemaDialect) -> JSON? { other[dialect.keptName]?["value"] }

    private mutating func setAside(_ value: JSON?, _ dialect: SchemaDialect) {
        var members: [JSON.Member] = []
        if case .object(let present)? = other[dialect.keptName] { members = present.filter { $0.name != "value" } }
        if let value { members.append(JSON.Member("value", value)) }
        other[dialect.keptName] = members.isEmpty ? nil : .object(members)
    }

    /// An option for a value that nothing defines.
    init(plain value: JSON, named name: String, _ dialect: SchemaDialect) {
        self.init(title: Text(Titles.words(of: name)), type: .data)
        switch value {
        case .bool: type = .switch
        case .number: type = .number
        case .string: type = .text
        case .array, .object: type = .data
        case .null:
            setAside(value, dialect)
            return
        }
        self.value = value
    }
}
