package import SettingsModel

/// Settings from files of values without definitions: a boolean is a switch, a number a number, a string a text, an object
/// a group, an array data, null unset data; an object without members is data, too. A date is a text with a
/// pattern. If the format distinguishes integers from reals, an integer's step is 1.
///
/// What a value is in its format beyond JSON is kept in the member named after the format: `as` for the whole value,
/// `within` for parts of it by JSON pointer, `name` for the option's own name.
package enum PlainSettings {
    /// The settings of `tree`. `depth`: the number of groups that will contain them.
    package static func settings(
        of tree: PlainTree, in file: String, as format: FormatName, repairs: [Repair] = [], depth: Int = 0
    ) throws(Refusal) -> Imported {
        guard case .object(let members) = tree.root else {
            throw Refusal(
                "contains \(tree.root.kind), not named settings", in: file,
                hint: "settings must be members of an object at the top of the file")
        }
        var reader = PlainReader(tree, file, format, repairs, depth)
        try reader.add(members, to: .root, at: .root, names: [])
        return Imported(
            format: format, settings: reader.settings, givesValues: true, givesDefinitions: false, repairs: reader.repairs)
    }

    /// The effective values of `settings`: values, or else defaults. An option with neither is `unset`, or
    /// omitted if that is nil, and so is a group of nothing else.
    package static func tree(
        of settings: SettingsContent, as format: FormatName, unset: JSON? = .null
    ) throws(Refusal) -> PlainTree {
        var writer = PlainWriter(settings, format, unset)
        let root = try writer.object(of: .root, at: .root)
        var tree = PlainTree(root, marks: writer.marks, nameMarks: writer.nameMarks)
        tree.losses = writer.losses
        return tree
    }
}

private struct PlainReader {
    var settings = SettingsContent()
    var repairs: [Repair]
    private let file: String
    private let format: FormatName
    private let marks: PlainMarks
    private let nameMarks: PlainMarks
    private let partLimit: Int
    private var keys = KeyNames()

    init(_ tree: PlainTree, _ file: String, _ format: FormatName, _ repairs: [Repair], _ depth: Int) {
        partLimit = max(Key.partLimit - depth, 1)
        marks = PlainMarks(tree.marks)
        nameMarks = PlainMarks(tree.nameMarks)
        self.file = file
        self.format = format
        self.repairs = repairs
    }

    mutating func add(
        _ members: [JSON.Member], to group: Key, at place: PlainTree.Pointer, names: [String]
    ) throws(Refusal) {
        var order: [ExactText] = []
        for member in members {
            let name = member.name.string
            let names = names + [name]
            let pointer = place.member(member.name)
            let (key, isExact) = try key(name, in: group)
            order.append(ExactText(key.name))
            var other: [ExactText: JSON] = isExact ? [:] : ["key": .string(member.name)]
            if case .object(let inner) = member.value, !inner.isEmpty, marks[pointer] == nil {
                if key.parts.count < partLimit {
                    other[ExactText(format.rawValue)] = keeping(pointer, of: nil)
                    settings.groups[key] = SettingsGroup(title: title(of: name, key), style: .section, other: other)
                    try add(inner, to: key, at: pointer, names: names)
                    continue
                }
                repairs.append(
                    Repair(
                        .kept, file: file, key: names.joined(separator: "."),
                        found: "groups are nested more than \(partLimit - 1) deep here",
                        done: "imported as one option of the type data"))
            }
            other[ExactText(format.rawValue)] = keeping(pointer, of: member.value)
            var option = SettingsOption(
                title: title(of: name, key), type: kind(of: member.value, at: pointer),
                value: member.value.isNull ? nil : member.value, other: other)
            if option.type == .number, case .number(let number) = member.value, !number.isReal,
                format == .toml || format == .plist
            {
                option.range.step = Number(1)
            }
            if let pattern = datePattern(of: member.value, at: pointer) {
                option.type = .text
                option.other["pattern"] = .string(pattern.text)
                option.other["placeholder"] = .string(pattern.example)
            }
            try check(option.json, names, "a setting")
            settings.options[key] = option
        }
        if order.count > 1 {
            var container = settings.groups[group] ?? SettingsGroup()
            container.order = order
            try check(container.json, names, "a group")
            settings.groups[group] = container
        }
    }

    private mutating func key(_ name: String, in group: Key) throws(Refusal) -> (Key, Bool) {
        do throws(Key.Malformed) { return try keys.key(name, in: group) } catch { throw Refusal(error.reason, in: file) }
    }

    private func title(of name: String, _ key: Key) -> ExactText {
        let words = Titles.words(of: name)
        return ExactText(words.isEmpty ? key.name : words)
    }

    private func kind(of value: JSON, at pointer: PlainTree.Pointer) -> SettingsOption.Kind {
        switch value {
        case .bool: .switch
        case .number where format == .plist && marks[pointer] == "uid": .data
        case .number: .number
        case .string: marks[pointer] == nil ? .text : .data
        case .null where format == .env: .text
        case .null, .array, .object: .data
        }
    }

    /// The pattern for a date or a time.
    private func datePattern(of value: JSON, at pointer: PlainTree.Pointer) -> DatePattern? {
        guard let mark = marks[pointer], case .string(let text) = value, let pattern = DatePattern(of: text.string, mark, format),
            Pattern.fault(of: text, against: pattern.text) == nil
        else { return nil }
        return pattern
    }

    /// The marks of a value, or of a group's name.
    private func keeping(_ pointer: PlainTree.Pointer, of value: JSON?) -> JSON? {
        var members: [JSON.Member] = []
        if let mark = nameMarks[pointer] { members.append(JSON.Member("name", .string(mark))) }
        if let value {
            if let mark = marks[pointer] { members.append(JSON.Member("as", .string(mark))) }
            if !value.isScalar {
                let within = marks.below(pointer)
                if !within.isEmpty { members.append(JSON.Member("within", .object(within))) }
                let names = nameMarks.below(pointer)
                if !names.isEmpty { members.append(JSON.Member("names", .object(names))) }
            }
        }
        return members.isEmpty ? nil : .object(members)
    }

    /// Checks the size limits of a store's files.
    private func check(_ json: JSON, _ names: [String], _ what: String) throws(Refusal) {
        let name = names.isEmpty ? "the top of the file" : "'\(names.joined(separator: "."))'"
        guard json.depth <= JSON.depthLimit else {
            throw Refusal(
                "\(name) is nested more than \(JSON.depthLimit - 1) levels deep, the limit for a setting", in: file,
                hint: "keep it in a separate file")
        }
        guard json.pretty.utf8.count > JSON.sizeLimit else { return }
        throw Refusal(
            "\(name) is larger than \(JSON.sizeLimit >> 20) MiB, the limit for \(what)", in: file,
            hint: "keep it in a separate file")
    }
}

extension JSON {
    /// How deep arrays and objects are nested.
    package var depth: Int {
        switch self {
        case .null, .bool, .number, .string: 0
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        }
    }
}

private struct PlainWriter {
    var marks: [PlainTree.Pointer: ExactText] = [:]
    var nameMarks: [PlainTree.Pointer: ExactText] = [:]
    var losses = PlainTree.Losses()
    private let settings: SettingsContent
    private let target: FormatName
    private let format: ExactText
    private let unset: JSON?
    private let options: [Key: [Key]]
    private let groups: [Key: [Key]]

    init(_ settings: SettingsContent, _ format: FormatName, _ unset: JSON?) {
        self.settings = settings
        target = format
        self.format = ExactText(format.rawValue)
        self.unset = unset
        options = Dictionary(grouping: settings.options.keys, by: \.group)
        groups = Dictionary(grouping: settings.allGroups.filter { !$0.isRoot }, by: \.group)
    }

    mutating func object(of group: Key, at place: PlainTree.Pointer) throws(Refusal) -> JSON {
        let options = Dictionary(uniqueKeysWithValues: (options[group] ?? []).map { (ExactText($0.name), $0) })
        let groups = Dictionary(uniqueKeysWithValues: (groups[group] ?? []).map { (ExactText($0.name), $0) })
        var members: [JSON.Member] = []
        var owners: [ExactText: Key] = [:]
        for part in (settings.groups[group] ?? SettingsGroup()).ordered(Set(options.keys).union(groups.keys)) {
            if let key = options[part], let option = settings.options[key] {
                let name = PlainWriter.name(option.importedKey, key)
                let pointer = place.member(name)
                if let value = option.effectiveValue ?? unset {
                    try claim(name, key, &owners)
                    members.append(JSON.Member(name, self.value(value, of: option, at: pointer)))
                }
                if lacksNull, option.effectiveValue?.isNull ?? true { losses.nulls.append(pointer) }
            }
            if let key = groups[part] {
                let item = settings.groups[key]
                let name = PlainWriter.name(item?.other["key"]?.text, key)
                try claim(name, key, &owners)
                let pointer = place.member(name)
                let inner = try object(of: key, at: pointer)
                // Without its options it would read back as data.
                if inner == .object([]), self.options[key] != nil || self.groups[key] != nil { continue }
                if let mark = item?.other[format]?["name"]?.text { nameMarks[pointer] = mark }
                members.append(JSON.Member(name, inner))
            }
        }
        return .object(members)
    }

    /// The name in the source of the import. If it is a path that ends in the option's name, as in programs with flat names,
    /// only the last part is used, because the groups contain the rest.
    private static func name(_ exact: ExactText?, _ key: Key) -> ExactText {
        guard let exact else { return ExactText(key.name) }
        let isPath = [".", "/", ":"].contains { exact.string.hasSuffix($0 + key.name) }
        return isPath && KeyNames.part(from: exact.string) != key.name ? ExactText(key.name) : exact
    }

    private func claim(_ name: ExactText, _ key: Key, _ owners: inout [ExactText: Key]) throws(Refusal) {
        guard let owner = owners.updateValue(key, forKey: name) else { return }
        let both = owner == key ? "'\(key)' is an option and a group" : "'\(owner)' and '\(key)' are both called '\(name)'"
        throw Refusal(
            "\(both), but a name can appear only once in \(format)",
            hint: "export one of them separately, or rename one")
    }

    /// Whether the format has no null.
    private var lacksNull: Bool { [.toml, .plist, .env].contains(target) || target.isKeyFile }

    /// The value with the format's own marks, or else with those of another format that it came from.
    private mutating func value(_ value: JSON, of option: SettingsOption, at pointer: PlainTree.Pointer) -> JSON {
        let value = lacksNull && !PlainWriter.hasNull(option.other[format]) ? withoutNulls(value, at: pointer) : value
        if let kept = option.other[format] {
            keep(kept, at: pointer)
            return value
        }
        for source in [FormatName.yaml, .toml, .plist] where source != target {
            guard let kept = option.other[ExactText(source.rawValue)] else { continue }
            var marks = kept["as"]?.text.map { [pointer: $0] } ?? [:]
            for (inner, mark) in PlainWriter.inner(kept["within"]) { marks[inner.moved(into: pointer)] = mark }
            var translation = PlainTranslation(from: source, to: target, marks)
            let translated = translation.value(of: value, at: pointer)
            self.marks.merge(translation.translated) { _, new in new }
            losses.texts += translation.texts
            return translated
        }
        return value
    }

    /// Whether a null is marked: binary property lists have them.
    private static func hasNull(_ kept: JSON?) -> Bool { inner(kept?["within"]).contains { $0.1 == "null" } }

    /// Without members of objects that are null.
    private mutating func withoutNulls(_ value: JSON, at place: PlainTree.Pointer) -> JSON {
        switch value {
        case .array(let elements): return .array(elements.enumerated().map { withoutNulls($1, at: place.element($0)) })
        case .object(let members):
            return .object(
                members.compactMap { member in
                    let inner = place.member(member.name)
                    guard !member.value.isNull else {
                        losses.nulls.append(inner)
                        return nil
                    }
                    return JSON.Member(member.name, withoutNulls(member.value, at: inner))
                })
        case .null, .bool, .number, .string: return value
        }
    }

    private mutating func keep(_ kept: JSON?, at pointer: PlainTree.Pointer) {
        guard let kept else { return }
        if let mark = kept["name"]?.text { nameMarks[pointer] = mark }
        if let mark = kept["as"]?.text { marks[pointer] = mark }
        for (inner, mark) in PlainWriter.inner(kept["within"]) { marks[inner.moved(into: pointer)] = mark }
        for (inner, mark) in PlainWriter.inner(kept["names"]) { nameMarks[inner.moved(into: pointer)] = mark }
    }

    private static func inner(_ kept: JSON?) -> [(PlainTree.Pointer, ExactText)] {
        guard case .object(let members)? = kept else { return [] }
        return members.compactMap { member in member.value.text.map { (PlainTree.Pointer(text: member.name), $0) } }
    }
}
