/// Settings as another program's files have them.
public struct Imported: Sendable {
    public var format: FormatName
    /// With keys from the group that they are brought into.
    public var settings: Settings
    /// Whether the files say what is set; otherwise they define options, and every `value` is empty.
    public var givesValues: Bool
    /// Whether the files say what an option is; otherwise its title and type are only made from its name and value.
    public var givesDefinitions: Bool
    public var repairs: [Repair]
    /// Of several files that were read together: what only they are.
    package var parts = Parts()

    package struct Parts: Sendable {
        /// Each path that was named, with the formats that were read from it.
        package var sources: [Source] = []
        /// The options that come from definitions alone, and those that come from values alone.
        package var withoutValue: Set<Key> = []
        package var withoutDefinition: Set<Key> = []
        /// The texts that were masked for their names, and what should have been but is no text.
        package var masked: [Key] = []
        package var unmaskable: [Key] = []

        package init() {}
    }

    package struct Source: Hashable, Sendable {
        package var format: FormatName
        /// As it was named.
        package var path: String

        package init(format: FormatName, path: String) {
            self.format = format
            self.path = path
        }
    }

    public init(
        format: FormatName, settings: Settings = Settings(), givesValues: Bool, givesDefinitions: Bool = true,
        repairs: [Repair] = []
    ) {
        self.format = format
        self.settings = settings
        self.givesValues = givesValues
        self.givesDefinitions = givesDefinitions
        self.repairs = repairs
    }

    /// Whether the files say what is set for this option.
    package func givesValue(of key: Key) -> Bool { givesValues && !parts.withoutValue.contains(key) }

    /// Whether they say what this option or group is.
    package func givesDefinition(of key: Key) -> Bool { givesDefinitions && !parts.withoutDefinition.contains(key) }

    /// The same, all of it within `group`.
    public func moved(into group: Key) throws(Key.Malformed) -> Imported {
        if group.isRoot { return self }
        var keys: [Key: Key] = [:]
        for key in Array(settings.options.keys) + Array(settings.groups.keys) {
            keys[key] = try Key(parts: group.parts + key.parts)
        }
        func moved(_ key: Key) -> Key { keys[key] ?? key }
        var all = self
        all.settings = Settings()
        for (key, option) in settings.options { all.settings.options[moved(key)] = option }
        for (key, item) in settings.groups { all.settings.groups[moved(key)] = item }
        all.parts.rename(moved)
        return all
    }

    /// The same under the keys that a store has where names differ by case alone; see `Settings.aligned`.
    package func aligned<Failure: Error>(
        below group: Key, names: (Key) throws(Failure) -> Set<String>, exact: (Key) throws(Failure) -> [Text]
    ) throws(Failure) -> Imported {
        let moved = try settings.places(below: group, names: names, exact: exact)
        if moved.isEmpty { return self }
        var aligned = self
        aligned.settings = settings.renamed(moved)
        aligned.parts.rename { moved[$0] ?? $0 }
        return aligned
    }
}

extension Imported.Parts {
    fileprivate mutating func rename(_ new: (Key) -> Key) {
        withoutValue = Set(withoutValue.map(new))
        withoutDefinition = Set(withoutDefinition.map(new))
        masked = masked.map(new)
        unmaskable = unmaskable.map(new)
    }
}

/// Something in an imported file that isn't as its format has it, or that this program knows nothing of.
public struct Repair: Hashable, Sendable {
    /// As the person named it, or found below a folder that they named.
    public var file: String
    /// From 1; nil where the place isn't known.
    public var line: Int?
    /// The page, schema or section it is on.
    public var page: String?
    /// The option, by the file's own name for it.
    public var key: String?
    public var found: String
    /// What was made of it.
    public var done: String
    public var kind: Kind

    public enum Kind: String, Hashable, Sendable {
        /// Put right, as told in `done`; `--strict` refuses it.
        case repaired
        /// Nothing is wrong: something that has no meaning here was kept, and comes out again.
        case kept
        /// A file in a folder that is in no known format.
        case leftOut = "left out"
    }

    public init(
        _ kind: Kind = .repaired, file: String, line: Int? = nil, page: String? = nil, key: String? = nil, found: String,
        done: String
    ) {
        self.kind = kind
        self.file = file
        self.line = line
        self.page = page
        self.key = key
        self.found = found
        self.done = done
    }
}

/// Why files can't be read as settings, or settings not be written. Nothing was changed.
public struct Refusal: Error, Hashable, Sendable {
    /// Nil where no single file is to blame.
    public var file: String?
    public var position: BadFile.Position?
    public var reason: String
    public var hint: String?
    /// There is nothing at the path that was named.
    public var isMissing = false

    public init(_ reason: String, in file: String? = nil, at position: BadFile.Position? = nil, hint: String? = nil) {
        self.reason = reason
        self.file = file
        self.position = position
        self.hint = hint
    }

    public init(_ error: BadFile, in file: String) {
        self.init(error.reason, in: file, at: error.position, hint: error.hint)
    }
}

/// What an export comes to: one text, or the files of a folder.
public enum Exported: Hashable, Sendable {
    case text([UInt8])
    /// By path from the folder, in byte order.
    case folder([File])

    public struct File: Hashable, Sendable {
        public var path: String
        public var bytes: [UInt8]

        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }
}
