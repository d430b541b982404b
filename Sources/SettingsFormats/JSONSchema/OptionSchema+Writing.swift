import SettingsModel

/// Writes an option as a schema that reads back as the same option.
extension OptionSchema {
    /// The members of `option`'s schema, called `name`, together with the members kept from the original schema that still
    /// apply.
    static func members(of option: SettingsOption, named name: String, _ dialect: SchemaDialect) -> [JSON.Member] {
        let kept = keptMembers(of: option, dialect)
        let written = written(option, named: name, dialect)
        var members = overlay(kept, on: written)
        if option.type == .data, kept.contains(where: { $0.name == "$ref" }) {
            members.append(JSON.Member(SchemaDialect.ownName, .object(["type": "data"])))
        }
        var schema = OptionSchema(members, dialect)
        if option.other[dialect.keptName]?["implied"] == .bool(true) {
            let shorter = members.filter { $0.name != "default" }
            var implied = OptionSchema(shorter, dialect)
            if isSame(implied.option(named: name), option, dialect) { return shorter }
        }
        if isSame(schema.option(named: name), option, dialect) { return members }
        return overlay(kept.filter { !SchemaDialect.readNames.contains($0.name) }, on: written)
    }

    private static func isSame(_ read: SettingsOption, _ option: SettingsOption, _ dialect: SchemaDialect) -> Bool {
        var (read, option) = (read, option)
        option.value = nil
        for name in [dialect.keptName, "key", "$schema"] {
            read.other[name] = nil
            option.other[name] = nil
        }
        read.labels = plain(read.labels)
        option.labels = plain(option.labels)
        return read == option
    }

    private static func plain(_ labels: Labels) -> Labels {
        Labels(labels.map { ChoiceLabel(value: $0.value, text: $0.text, long: $0.long ?? $0.text) }, writesValues: true)
    }

    static func keptMembers(of option: SettingsOption, _ dialect: SchemaDialect) -> [JSON.Member] {
        guard case .object(let members)? = option.other[dialect.keptName] else { return [] }
        return members.filter { !SchemaDialect.nonSchemaNames.contains($0.name) }
    }

    /// `kept` replaces members of the same name; all other kept members follow.
    static func overlay(_ kept: [JSON.Member], on written: [JSON.Member]) -> [JSON.Member] {
        let names = Set(written.map(\.name))
        return written.map { member in kept.first { $0.name == member.name } ?? member }
            + kept.filter { !names.contains($0.name) }
    }

    /// The members of this schema to keep, because writing `option` alone doesn't produce them.
    func kept(beside option: SettingsOption, named name: String) -> [JSON.Member] {
        var option = option
        var markdown: [JSON] = []
        if dialect == .vscode {
            if option.help != nil, self["markdownDescription"]?.text == option.help { markdown.append("description") }
            if case .array? = self["markdownEnumDescriptions"] { markdown.append("enumDescriptions") }
        }
        var apart = markdown.isEmpty ? [] : [JSON.Member("markdown", .array(markdown))]
        // The default is the one that VS Code assumes.
        if option.defaultValue != nil, self["default"] == nil { apart.append(JSON.Member("implied", .bool(true))) }
        option.other[dialect.keptName] = .object(apart)
        let inOrder = OptionSchema.written(option, named: name, dialect)
        let written = Dictionary(inOrder.map { ($0.name, $0.value) }) { first, _ in first }
        let kept = members.filter { member in
            if member.name == SchemaDialect.ownName { return false }
            if member.name == "title", member.value.text == option.title { return false }
            if member.name == "default", member.value == option.defaultValue { return false }
            return written[member.name] != member.value
        }
        return apart + inOrder.compactMap { member in kept.first { $0.name == member.name } }
            + kept.filter { written[$0.name] == nil }
    }

    private static func written(_ option: SettingsOption, named name: String, _ dialect: SchemaDialect) -> [JSON.Member] {
        var members: [JSON.Member] = []
        func add(_ name: ExactText, _ value: JSON?) {
            if let value { members.append(JSON.Member(name, value)) }
        }
        var markdown: [JSON] = []
        if case .array(let names)? = option.other[dialect.keptName]?["markdown"] { markdown = names }
        var own: [JSON.Member] = []

        if option.title.isEmpty {
            own.append(JSON.Member("title", ""))
        } else if option.title.string != Titles.words(of: name) {
            add("title", .string(option.title))
        }
        add(markdown.contains("description") ? "markdownDescription" : "description", option.help.map { .string($0) })
        switch option.type {
        case .switch:
            if let words = option.other["values"] {
                own.append(JSON.Member("type", "switch"))
                add("enum", words)
            } else {
                add("type", "boolean")
            }
        case .number: addNumber(option.range, &members, &own)
        case .text:
            add("type", "string")
            if option.isMasked { add("format", "password") }
            add("pattern", option.other["pattern"])
        case .choice: addLabels(option.labels, dialect, isMarkdown: markdown.contains("enumDescriptions"), &members)
        case .data: break
        }
        if let value = option.defaultValue {
            add("default", value)
        } else if dialect == .vscode, let implied = ownDefault(members.first(where: { $0.name == "type" })?.value),
            option.fault(of: implied, isDefault: true) == nil
        {
            add("default", .null)
        }
        if option.isReadOnly { add("readOnly", .bool(true)) }
        for name in option.other.keys.sorted() where !isExpressed(name, option, dialect) {
            own.append(JSON.Member(name, option.other[name] ?? .null))
        }
        if !own.isEmpty { add(SchemaDialect.ownName, .object(own)) }
        return members
    }

    private static func isExpressed(_ name: ExactText, _ option: SettingsOption, _ dialect: SchemaDialect) -> Bool {
        switch name {
        case "key", "$schema", dialect.keptName: true
        case "readOnly": option.isReadOnly
        case "masked": option.isMasked
        case "pattern": option.type == .text
        case "values": option.type == .switch
        default: false
        }
    }

    private static func addNumber(_ range: SettingsOption.Range, _ members: inout [JSON.Member], _ own: inout [JSON.Member]) {
        let zero = Number(0)
        var step = range.step
        if let counted = step, let minimum = range.minimum, !minimum.isOnStep(counted, from: zero) {
            own.append(JSON.Member("step", .number(counted)))
            step = nil
        }
        let isInteger = step.map { $0.isOnStep(Number(1), from: zero) } ?? false
        members.append(JSON.Member("type", isInteger ? "integer" : "number"))
        if let minimum = range.minimum { members.append(JSON.Member("minimum", .number(minimum))) }
        if let maximum = range.maximum { members.append(JSON.Member("maximum", .number(maximum))) }
        if let step, step != Number(1) { members.append(JSON.Member("multipleOf", .number(step))) }
    }

    private static func addLabels(
        _ labels: Labels, _ dialect: SchemaDialect, isMarkdown: Bool, _ members: inout [JSON.Member]
    ) {
        let types = Set(labels.map { type(of: $0.value) })
        if types.count == 1, let type = types.first { members.append(JSON.Member("type", .string(type))) }
        let isNamed = labels.contains { $0.text != text(of: $0.value) }
        let isLong = labels.contains { $0.long != nil && $0.long != $0.text }
        if dialect == .jsonSchema, isNamed || isLong {
            let branches = labels.map { label -> JSON in
                .object([
                    "const": label.value, "title": .string(label.text),
                    "description": label.long == label.text ? nil : label.long.map { .string($0) },
                ])
            }
            members.append(JSON.Member("oneOf", .array(branches)))
            return
        }
        members.append(JSON.Member("enum", .array(labels.map(\.value))))
        if isNamed { members.append(JSON.Member("enumItemLabels", .array(labels.map { .string($0.text) }))) }
        if isLong {
            let longs = labels.map { JSON.string($0.long == $0.text ? "" : $0.long ?? "") }
            members.append(JSON.Member(isMarkdown ? "markdownEnumDescriptions" : "enumDescriptions", .array(longs)))
        }
    }
}
