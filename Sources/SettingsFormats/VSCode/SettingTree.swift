import SettingsModel

/// Settings by their VS Code names: `a.b.cD` is the option `cD` in the group `a.b`.
struct SettingTree {
    var settings: SettingsContent
    private var names = KeyNames()
    /// The names in the order of each group.
    private var placed: [Key: Set<ExactText>] = [:]
    /// The original contents of each group, in the order in which they were shown.
    private var present: [Key: [ExactText]] = [:]
    private var made: Set<Key> = []

    init(_ settings: SettingsContent = SettingsContent()) {
        self.settings = settings
        let children = settings.children()
        for group in children.keys.sorted() {
            for key in children[group] ?? [] {
                _ = try? names.key(settings.exactName(of: key), in: group)
                placed[group, default: []].insert(ExactText(key.name))
                present[group, default: []].append(ExactText(key.name))
            }
        }
    }

    /// At most as many parts as a key may have; the rest stays in the last one.
    static func parts(of id: ExactText) -> [String] {
        id.string.split(separator: ".", maxSplits: Key.partLimit - 1, omittingEmptySubsequences: false).map(String.init)
    }

    /// The name of the option with this id.
    static func name(of id: ExactText) -> String { parts(of: id).last ?? id.string }

    /// The name of an option or group in VS Code: groups keep theirs, even if they were imported into another group.
    static func id(of key: Key, in settings: SettingsContent) -> String {
        var names: [String] = []
        var key = key
        while !key.isRoot {
            if let id = groupID(settings.groups[key]) { return ([id.string] + names).joined(separator: ".") }
            names.insert(settings.exactName(of: key), at: 0)
            key = key.group
        }
        return names.joined(separator: ".")
    }

    private static func groupID(_ group: SettingsGroup?) -> ExactText? {
        group?.other[SchemaDialect.vscode.keptName]?["id"]?.text
    }

    /// `settings` with the exported group moved to where its own name says.
    static func whole(_ settings: SettingsContent) throws(Key.Malformed) -> SettingsContent {
        guard let id = groupID(settings.groups[.root]) else { return settings }
        var tree = SettingTree()
        let top = try tree.group(parts(of: id))
        var whole = tree.settings
        for (key, group) in settings.groups { whole.groups[try Key(parts: top.parts + key.parts)] = group }
        for (key, option) in settings.options { whole.options[try Key(parts: top.parts + key.parts)] = option }
        return whole
    }

    /// Puts `option` at `id`, and creates the groups that contain it.
    @discardableResult
    mutating func add(_ option: SettingsOption, at id: ExactText) throws(Key.Malformed) -> Key {
        let parts = SettingTree.parts(of: id)
        let group = try group(parts.dropLast())
        let (key, isExact) = try names.key(parts.last ?? "", in: group)
        var option = option
        if !isExact { option.other["key"] = .string(parts.last ?? "") }
        settings.options[key] = option
        place(key)
        return key
    }

    mutating func group(_ parts: some Collection<String>) throws(Key.Malformed) -> Key {
        var group = Key.root
        var id = ""
        for part in parts {
            id += (id.isEmpty && group.isRoot ? "" : ".") + part
            let (key, isExact) = try names.key(part, in: group)
            if settings.groups[key] == nil {
                var new = SettingsGroup(title: ExactText(Titles.words(of: part)), style: group.isRoot ? .page : .section)
                if !isExact { new.other["key"] = .string(part) }
                new.other[SchemaDialect.vscode.keptName] = .object(["id": .string(id)])
                settings.groups[key] = new
                made.insert(key)
            }
            place(key)
            group = key
        }
        return group
    }

    private mutating func place(_ key: Key) {
        let name = ExactText(key.name)
        guard placed[key.group, default: []].insert(name).inserted else { return }
        if key.group.isRoot, settings.groups[.root] == nil {
            settings.groups[.root] = SettingsGroup()
            made.insert(.root)
        }
        if settings.groups[key.group]?.order == nil { settings.groups[key.group]?.order = present[key.group] ?? [] }
        settings.groups[key.group]?.order?.append(name)
    }

    /// Removes redundant orders: those of a single name.
    mutating func finish() {
        for key in made {
            if settings.groups[key]?.order?.count == 1 { settings.groups[key]?.order = nil }
        }
        if settings.groups[.root] == SettingsGroup() { settings.groups[.root] = nil }
    }

    // The member "vscode" is specific to this format.

    /// Records which section of an extension `key` belongs to.
    mutating func mark(group key: Key, _ section: JSON) {
        let name = SchemaDialect.vscode.keptName
        let marked = SettingTree.with("configuration", section, in: settings.groups[key]?.other[name])
        settings.groups[key, default: SettingsGroup()].other[name] = marked
    }

    mutating func mark(option key: Key, _ section: JSON) {
        let name = SchemaDialect.vscode.keptName
        let marked = SettingTree.with("configuration", section, in: settings.options[key]?.other[name])
        settings.options[key]?.other[name] = marked
    }

    static func with(_ member: ExactText, _ value: JSON?, in object: JSON?) -> JSON? {
        var members: [JSON.Member] = []
        if case .object(let present)? = object { members = present.filter { $0.name != member } }
        if let value { members.insert(JSON.Member(member, value), at: 0) }
        return members.isEmpty ? nil : .object(members)
    }

    /// Whether it came from VS Code, so that its settings.json says whether it is set.
    static func isMarked(_ key: Key, in settings: SettingsContent) -> Bool {
        let name = SchemaDialect.vscode.keptName
        if settings.options[key]?.other[name]?["configuration"] != nil { return true }
        var group = key.group
        while !group.isRoot {
            if groupID(settings.groups[group]) != nil { return true }
            group = group.group
        }
        return false
    }
}
