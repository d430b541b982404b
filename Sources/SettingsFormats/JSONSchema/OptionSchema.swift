import SettingsModel

/// Reads the schema of one setting as an option.
struct OptionSchema {
    let dialect: SchemaDialect
    private(set) var members: [JSON.Member]
    private var byName: [ExactText: JSON]
    private(set) var findings: [Finding] = []

    init(_ members: [JSON.Member], _ dialect: SchemaDialect) {
        self.dialect = dialect
        self.members = members
        byName = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    subscript(name: ExactText) -> JSON? { byName[name] }

    /// The option called `name`, without a value.
    mutating func option(named name: String) -> SettingsOption {
        var option = SettingsOption(title: title ?? ExactText(Titles.words(of: name)), type: .data, help: help)
        readShape(into: &option)
        readBooleans(into: &option)
        readOwn(into: &option)
        readDefault(into: &option)
        for member in members where !isKnown(member.name) {
            findings.append(Finding(kind: .kept, found: "the member \"\(member.name)\" has no meaning here", done: "kept"))
        }
        let kept = kept(beside: option, named: name)
        if !kept.isEmpty { option.other[dialect.keptName] = .object(kept) }
        return option
    }

    private var title: ExactText? { self["title"]?.text.flatMap { $0.isEmpty ? nil : $0 } }

    private var help: ExactText? {
        let help = dialect == .vscode ? self["markdownDescription"]?.text ?? self["description"]?.text : self["description"]?.text
        return help.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func isKnown(_ name: ExactText) -> Bool {
        name == SchemaDialect.ownName || SchemaDialect.readNames.contains(name) || dialect.passedNames.contains(name)
    }

    mutating func repaired(_ found: String, _ done: String) { findings.append(Finding(found: found, done: done)) }

    // The type of option.

    private mutating func readShape(into option: inout SettingsOption) {
        let forced = self[SchemaDialect.ownName]?["type"]?.text
        if forced == "data" { return }
        if forced == "switch", case .array(let words)? = self["enum"], words.count == 2 {
            option.type = .switch
            option.other["values"] = .array(words)
            return
        }
        if let branches = enumeration {
            option.type = .choice
            option.labels = labels(of: branches)
            return
        }
        switch types {
        case ["boolean"]: option.type = .switch
        case ["string"]:
            option.type = .text
            readText(into: &option)
        case ["integer"]:
            option.type = .number
            option.range = range(isInteger: true)
        case ["number"], ["integer", "number"]:
            option.type = .number
            option.range = range(isInteger: false)
        default: return
        }
    }

    /// The allowed types, sorted, without null; those of its alternatives if it declares none.
    private var types: [String] {
        func names(_ value: JSON?) -> [String] {
            switch value {
            case .string(let name)?: [name.string]
            case .array(let names)?: names.compactMap { $0.text?.string }
            default: []
            }
        }
        var all = Set(names(self["type"]))
        if all.isEmpty, dialect == .jsonSchema, self["$ref"] == nil, self["allOf"] == nil {
            for list in ["oneOf", "anyOf"] as [ExactText] {
                guard case .array(let branches)? = self[list] else { continue }
                for branch in branches {
                    let types = names(branch["type"])
                    if branch["$ref"] != nil || types.isEmpty && branch["enum"] == nil && branch["const"] == nil { return [] }
                    all.formUnion(types)
                    var values: [JSON] = []
                    if case .array(let list)? = branch["enum"] { values = list }
                    if let const = branch["const"] { values.append(const) }
                    if types.isEmpty { all.formUnion(values.map(OptionSchema.type)) }
                }
            }
        }
        all.remove("null")
        return all.sorted()
    }

    static func type(of value: JSON) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number.isOnStep(Number(1), from: Number(0)) ? "integer" : "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private mutating func readText(into option: inout SettingsOption) {
        if self["format"] == "password" || self["writeOnly"] == .bool(true) { option.other["masked"] = .bool(true) }
        guard let pattern = self["pattern"] else { return }
        guard let text = pattern.text else {
            repaired("the pattern is \(pattern.kind)", "no pattern; kept unchanged")
            return
        }
        if let fault = Pattern.fault(in: text) {
            repaired("the pattern \(text) cannot be used: \(fault)", "no pattern; kept unchanged")
        } else {
            option.other["pattern"] = pattern
        }
    }

    private mutating func readBooleans(into option: inout SettingsOption) {
        if self["readOnly"] == .bool(true) { option.other["readOnly"] = .bool(true) }
    }

    private mutating func readOwn(into option: inout SettingsOption) {
        guard case .object(let own)? = self[SchemaDialect.ownName] else { return }
        for member in own {
            switch (member.name, member.value) {
            case ("type", _), ("option", _), (dialect.keptName, _): continue
            case ("title", .string(let title)): option.title = title
            case ("step", .number(let step)) where option.type == .number: option.range.step = step
            default:
                var trial = option
                trial.other[member.name] = member.value
                if trial.faults().isEmpty {
                    option = trial
                } else {
                    repaired("\"\(member.name)\" in \"\(SchemaDialect.ownName)\" can't be \(member.value.compact)", "left out")
                }
            }
        }
    }

    private mutating func readDefault(into option: inout SettingsOption) {
        guard let value = self["default"] else {
            if dialect == .vscode, let own = OptionSchema.ownDefault(self["type"]), option.fault(of: own, isDefault: true) == nil
            {
                option.defaultValue = own
            }
            return
        }
        if let fault = option.fault(of: value, isDefault: true) {
            if !value.isNull { repaired("the default is \(OptionSchema.brief(value)): \(fault)", "no default; kept unchanged") }
            return
        }
        option.defaultValue = value
        if case .number(let number) = value, let fault = option.range.fault(of: number) {
            findings.append(Finding(kind: .kept, found: "the default: \(fault)", done: "kept"))
        }
    }

    /// The default that VS Code assumes if none is given.
    static func ownDefault(_ type: JSON?) -> JSON? {
        var type = type
        if case .array(let types)? = type { type = types.first }
        return switch type?.text?.string {
        case "boolean": .bool(false)
        case "integer", "number": .number(0)
        case "string": ""
        case "array": .array([])
        case "object": .object([])
        default: nil
        }
    }

    static func brief(_ value: JSON) -> String {
        let text = value.compact
        return text.count > 60 ? text.prefix(57) + "..." : text
    }
}

/// Bounds.
extension OptionSchema {
    private mutating func range(isInteger: Bool) -> SettingsOption.Range {
        var range = SettingsOption.Range()
        range.minimum = bound("minimum", "exclusiveMinimum", isInteger ? Number(1) : nil) { $0 < $1 }
        range.maximum = bound("maximum", "exclusiveMaximum", isInteger ? Number(-1) : nil) { $1 < $0 }
        if let minimum = range.minimum, let maximum = range.maximum, maximum < minimum {
            repaired("the minimum \(minimum.text) is above the maximum \(maximum.text)", "no bounds; kept as they are")
            range = SettingsOption.Range()
        }
        range.step = step(isInteger: isInteger, from: range.minimum)
        return range
    }

    /// The tighter of an inclusive and an exclusive bound. An exclusive bound of integers becomes the next integer; any other
    /// is treated as inclusive, and kept.
    private mutating func bound(
        _ name: ExactText, _ exclusiveName: ExactText, _ inwards: Number?, _ isLess: (Number, Number) -> Bool
    ) -> Number? {
        let bound = number(name)
        var exclusive: Number?
        if self[exclusiveName] == .bool(true) {
            exclusive = bound
        } else if self[exclusiveName] != .bool(false) {
            exclusive = number(exclusiveName)
        }
        if let inwards, let whole = exclusive, whole.isOnStep(Number(1), from: Number(0)) { exclusive = whole.adding(inwards) }
        guard let exclusive else { return bound }
        guard let bound else { return exclusive }
        return isLess(bound, exclusive) ? exclusive : bound
    }

    private mutating func number(_ name: ExactText) -> Number? {
        guard let value = self[name], !value.isNull else { return nil }
        if case .number(let number) = value { return number }
        repaired("\"\(name)\" is \(OptionSchema.brief(value)), not a number", "no bound; kept unchanged")
        return nil
    }

    /// The model counts steps from the minimum, JSON Schema from zero.
    private mutating func step(isInteger: Bool, from minimum: Number?) -> Number? {
        let zero = Number(0)
        func fits(_ step: Number) -> Bool { minimum.map { $0.isOnStep(step, from: zero) } ?? true }
        if let multiple = number("multipleOf"), zero < multiple {
            if !isInteger || multiple.isOnStep(Number(1), from: zero), fits(multiple) { return multiple }
            findings.append(Finding(kind: .kept, found: "multiples of \(multiple.text) don't begin at the minimum", done: "kept"))
        }
        return isInteger && fits(Number(1)) ? Number(1) : nil
    }
}
