import Testing

@testable import SettingsModel
@testable import SettingsStore

/// A plain file as the formats read it: a number, something else that is data, or names with such things.
indirect enum ImportedFile: Hashable {
    case data(JSON)
    case names([Member])

    struct Member: Hashable {
        var name: String
        var node: ImportedFile
    }

    init(_ text: String) throws { self.init(try JSON(parsing: text)) }

    private init(_ json: JSON) {
        if case .object(let members) = json, !members.isEmpty {
            self = .names(members.map { Member(name: $0.name.string, node: ImportedFile($0.value)) })
        } else {
            self = .data(json)
        }
    }

    var members: [Member] { if case .names(let members) = self { members } else { [] } }

    /// As one value, with names in byte order.
    var json: JSON {
        switch self {
        case .data(let json): json
        case .names(let members):
            .object(members.sorted { $0.name < $1.name }.map { JSON.Member(ExactText($0.name), $0.node.json) })
        }
    }

    func settings(in group: Key = .root) -> SettingsContent {
        var settings = SettingsContent()
        add(to: &settings, in: group)
        return settings
    }

    private func add(to settings: inout SettingsContent, in group: Key) {
        var taken: Set<String> = []
        var order: [ExactText] = []
        for member in members {
            var name = member.name
            if !taken.insert(name.lowercased()).inserted { name = Key.apart(name, member.name) }
            let key = Key(unchecked: group.parts + [name])
            let other: [ExactText: JSON] = name == member.name ? [:] : ["key": .string(member.name)]
            order.append(ExactText(name))
            if case .data(let json) = member.node {
                let isNumber = if case .number = json { true } else { false }
                settings.options[key] = SettingsOption(
                    title: ExactText(member.name), type: isNumber ? .number : .data, value: json.isNull ? nil : json, other: other
                )
            } else {
                settings.groups[key] = SettingsGroup(title: ExactText(member.name), style: .section, other: other)
                member.node.add(to: &settings, in: key)
            }
        }
        if order.count > 1 { settings.groups[group, default: SettingsGroup()].order = order }
    }
}

extension TemporaryStore {
    @discardableResult
    func bring(
        _ file: ImportedFile, from path: String = "~/app.json", _ change: (inout ImportWish) -> Void = { _ in }
    ) throws -> (outcome: Outcome, result: ImportResult) {
        var wish = ImportWish([VersionMessage.ImportSource(format: .json, name: path)])
        change(&wish)
        let imported = Imported(
            format: .json, settings: file.settings(in: wish.group), givesValues: true, givesDefinitions: false)
        var result = ImportResult()
        let outcome = try store.recorder.record(done()) { tip throws(Problem) in
            let (edit, found) = try store.importing.importing(imported, wish, tip)
            result = found
            return edit
        }
        return (outcome, result)
    }

    @discardableResult
    func bring(
        _ text: String, from path: String = "~/app.json", _ change: (inout ImportWish) -> Void = { _ in }
    ) throws -> (outcome: Outcome, result: ImportResult) { try bring(try ImportedFile(text), from: path, change) }

    /// What an export comes to, with names in byte order; nil where two things have one name.
    func exported() throws -> JSON? {
        let settings = try store.versions.tip().settings(in: .root)
        var children: [Key: [Key]] = [:]
        for key in Set(settings.options.keys).union(settings.allGroups.subtracting([.root])) {
            children[key.group, default: []].append(key)
        }
        func object(_ group: Key) -> JSON? {
            var members: [JSON.Member] = []
            for key in children[group] ?? [] {
                let exact = settings.options[key]?.importedKey ?? settings.groups[key]?.other["key"]?.text ?? ExactText(key.name)
                guard settings.options[key] == nil || !settings.allGroups.contains(key),
                    !members.contains(where: { $0.name == exact })
                else { return nil }
                if let option = settings.options[key] {
                    members.append(JSON.Member(exact, option.value ?? .null))
                } else if let inner = object(key) {
                    members.append(JSON.Member(exact, inner))
                } else {
                    return nil
                }
            }
            return .object(members.sorted { $0.name < $1.name })
        }
        return object(.root)
    }
}
