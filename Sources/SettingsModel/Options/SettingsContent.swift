/// The content of a store's files at one moment: a flat map from key to option, the groups that have a file,
/// and the store's own definition.
public struct SettingsContent: Hashable, Sendable {
    public var definition: StoreDefinition?
    public var groups: [Key: SettingsGroup]
    public var options: [Key: SettingsOption]

    public init(definition: StoreDefinition? = nil, groups: [Key: SettingsGroup] = [:], options: [Key: SettingsOption] = [:]) {
        self.definition = definition
        self.groups = groups
        self.options = options
    }

    /// An option, a group or the store's definition as one value.
    public enum Item: Hashable, Sendable {
        case option(SettingsOption)
        case group(SettingsGroup)
        case store(StoreDefinition)

        /// The bytes of its file.
        public var file: [UInt8] {
            switch self {
            case .option(let option): option.file
            case .group(let group): group.file
            case .store(let definition): definition.file
            }
        }

        public var option: SettingsOption? { if case .option(let option) = self { option } else { nil } }

        /// Reads the file of `subject`.
        public init(file bytes: [UInt8], of subject: Subject) throws(BadFile) {
            try self.init(file: bytes, of: subject, acceptingAnyValue: false)
        }

        /// As `SettingsOption.init(file:acceptingAnyValue:)`.
        package init(file bytes: [UInt8], of subject: Subject, acceptingAnyValue acceptsAny: Bool) throws(BadFile) {
            switch subject {
            case .store: self = .store(try StoreDefinition(file: bytes))
            case .group: self = .group(try SettingsGroup(file: bytes))
            case .option: self = .option(try SettingsOption(file: bytes, acceptingAnyValue: acceptsAny))
            }
        }

        public var title: ExactText? {
            switch self {
            case .option(let option): option.title
            case .group(let group): group.title
            case .store(let definition): definition.title
            }
        }
    }

    public subscript(subject: Subject) -> Item? {
        get {
            switch subject {
            case .store: definition.map { .store($0) }
            case .group(let key): groups[key].map { .group($0) }
            case .option(let key): options[key].map { .option($0) }
            }
        }
        set {
            switch (subject, newValue) {
            case (.store, .store(let definition)?): self.definition = definition
            case (.group(let key), .group(let group)?): groups[key] = group
            case (.option(let key), .option(let option)?): options[key] = option
            case (.store, _): definition = nil
            case (.group(let key), _): groups[key] = nil
            case (.option(let key), _): options[key] = nil
            }
        }
    }

    public var subjects: Set<Subject> {
        var subjects = Set(options.keys.map { Subject.option($0) })
        subjects.formUnion(groups.keys.map { .group($0) })
        if definition != nil { subjects.insert(.store) }
        return subjects
    }

    /// All groups: those that have a file and those that contain something.
    public var allGroups: Set<Key> {
        var all: Set<Key> = [.root]
        for var key in Array(groups.keys) + options.keys.map(\.group) {
            while all.insert(key).inserted { key = key.group }
        }
        return all
    }

    /// The contents of `group`, with keys relative to it, without the store's definition.
    public func relative(to group: Key) -> SettingsContent {
        func within(_ key: Key) -> Key { Key(unchecked: Array(key.parts.dropFirst(group.parts.count))) }
        var settings = SettingsContent()
        for (key, option) in options where key.isWithin(group) && key != group { settings.options[within(key)] = option }
        for (key, item) in groups where key.isWithin(group) { settings.groups[within(key)] = item }
        return settings
    }
}
