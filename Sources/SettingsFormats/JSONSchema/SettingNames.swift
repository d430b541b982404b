import SettingsModel

extension SettingsContent {
    /// The name of an option or a group in its source, or the last part of its key.
    func exactName(of key: Key) -> String {
        options[key]?.importedKey?.string ?? groups[key]?.other["key"]?.text?.string ?? key.name
    }

    /// The contents of each group in the order of its page.
    func children() -> [Key: [Key]] {
        var names: [Key: Set<ExactText>] = [:]
        for key in options.keys where !key.isRoot { names[key.group, default: []].insert(ExactText(key.name)) }
        for key in allGroups where !key.isRoot { names[key.group, default: []].insert(ExactText(key.name)) }
        var children: [Key: [Key]] = [:]
        for (group, names) in names {
            let ordered = (groups[group] ?? SettingsGroup()).ordered(names)
            children[group] = ordered.compactMap { try? group.appending($0.string) }
        }
        return children
    }

    /// The keys of all options in the order of their pages, with those of a group in the group's place.
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

extension SettingsOption {
    /// Sets a value from a file. If it is invalid for this option, keeps it and returns what is wrong.
    mutating func take(_ value: JSON, _ dialect: SchemaDialect) -> String? {
        self.value = nil
        keepRejected(nil, dialect)
        if value.isNull, type != .choice || labels.label(of: .null) == nil { return nil }
        guard let fault = fault(of: value) else {
            self.value = value
            return nil
        }
        keepRejected(value, dialect)
        return fault
    }

    /// The invalid value from a file that was kept.
    func rejectedValue(_ dialect: SchemaDialect) -> JSON? { other[dialect.keptName]?["value"] }

    private mutating func keepRejected(_ value: JSON?, _ dialect: SchemaDialect) {
        var members: [JSON.Member] = []
        if case .object(let present)? = other[dialect.keptName] { members = present.filter { $0.name != "value" } }
        if let value { members.append(JSON.Member("value", value)) }
        other[dialect.keptName] = members.isEmpty ? nil : .object(members)
    }

    /// An option for a value without a definition.
    init(plain value: JSON, named name: String, _ dialect: SchemaDialect) {
        self.init(title: ExactText(Titles.words(of: name)), type: .data)
        switch value {
        case .bool: type = .switch
        case .number: type = .number
        case .string: type = .text
        case .array, .object: type = .data
        case .null:
            keepRejected(value, dialect)
            return
        }
        self.value = value
    }
}
