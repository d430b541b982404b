import SettingsModel

/// Settings by their VS Code names: `a.b.cD` is the option `cD` in the group `a.b`.
struct SettingTree {
    var settings: Settings
    private var names = KeyNames()
    /// The names in the order of each group.
    private var placed: [Key: Set<Text>] = [:]
    /// The original contents of each group, in the order in which they were shown.
    private var present: [Key: [Text]] = [:]
    private var made: Set<Key> = []

    init(_ settings: Settings = Settings()) {
        self.settings = settings
        let children = settings.children()
        for group in children.keys.sorted() {
            for key in children[group] ?? [] {
                _ = try? names.key(settings.exactName(of: key), in: group)
                placed[group, default: []].insert(Text(key.name))
                present[group, default: []].append(Text(key.name))
            }
        }
    }

    /// At most as many parts as a key may have; the rest stays in the last one.
    static func parts(of id: Text) -> [String] {
        id.string.split(separator: ".", maxSplits: Key.partLimit - 1, omittingEmptySubsequences: false).map(String.init)
    }

    /// The name of the option with this id.
    static func name(of id: Text) -> String { parts(of: id).last ?? id.string }

    /// The name of an option or group in VS Code: groups keep theirs, even if they were imported into another group.
    static func id(of key: Key, in settings: Settings) -> String {
        var names: [String] = []
        var key = key
        while !key.isRoot {
            if let id = groupID(settings.groups[key]) { return ([id.string] + names).joined(separator: ".") }
            names.insert(settings.exactName(of: key), at: 0)
            key = key.group
        }
        return names.joined(separator: ".")
    }

    private static func groupID(_ group: Group?) -> Text? { group?.other[SchemaDialect.vscode.keptName]?["id"]?.text }

    /// `settings` with the exported group moved to where its own name says.
    static func whole(_ settings: Settings) throws(Key.Malformed) -> Settings {
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
    mutating func add(_ option: Option, at id: Text) throws(Key.Malformed) -> Key {
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
                var new = Group(title: Text(Titles.words(of: part)), style: group.isRoot ? .page : .section)
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
        let name = Text(key.name)
        guard placed[key.group, default: []].insert(name).inserted else { return }
        if key.group.isRoot, settings.groups[.root] == nil {
            settings.groups[.root] = Group()
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
        if settings.groups[.root] == Group() { settings.groups[.root] = nil }
    }

    // The member "vscode" is specific to this format.

    /// Records which section of an extension `key` belongs to.
    mutating func mark(group key: Key, _ section: JSON) {
        let name = SchemaDialect.vscode.keptName
        let marked = SettingTree.with("configuration", section, in: settings.groups[key]?.other[name])
        settings.groups[key, default: Group()].other[name] = marked
    }

    mutating func mark(option key: Key, _ section: JSON) {
        let name = SchemaDialect.vscode.keptName
        let marked = SettingTree.with("configuration", section, in: settings.options[key]?.other[name])
        settings.options[key]?.other[name] = marked
    }

    static func with(_ member: Text, _ value: JSON?, in object: JSON?) -> JSON? {
        var members: [JSON.Member] = []
        if case .object(let present)? = object { members = present.filter { $0.name != member } }
        if let value { members.insert(JSON.Member(member, value), at: 0) }
        return members.isEmpty ? nil : .object(members)
    }

    /// Whether it came from VS Code, so that its settings.json says whether it is set.
    static func isMarked(_ key: Key, in settings: Settings) -> Bool {
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
