/// Settings read from another program's files.
public struct Imported: Sendable {
    public var format: FormatName
    /// The settings, with keys relative to the group that they are imported into.
    public var settings: SettingsContent
    /// Whether the files contain values; otherwise they only define options, and every `value` is empty.
    public var givesValues: Bool
    /// Whether the files define the options; otherwise titles and types are derived from names and values.
    public var givesDefinitions: Bool
    public var repairs: [Repair]
    /// How files that were read together differ from each other.
    package var parts = Parts()

    package struct Parts: Sendable {
        /// Each given path, with the formats that were read from it.
        package var sources: [Source] = []
        /// Options without a value, from files of definitions only, and options without a definition, from files of values only.
        package var withoutValue: Set<Key> = []
        package var withoutDefinition: Set<Key> = []
        /// The texts that were masked because of their names, and options with such names that can't be masked because they are not texts.
        package var masked: [Key] = []
        package var unmaskable: [Key] = []
        /// What looks like a secret and stays in its file, which others do not get to see.
        package var left: [Key] = []

        package init() {}
    }

    package struct Source: Hashable, Sendable {
        package var format: FormatName
        /// The path as given.
        package var path: String

        package init(format: FormatName, path: String) {
            self.format = format
            self.path = path
        }
    }

    public init(
        format: FormatName, settings: SettingsContent = SettingsContent(), givesValues: Bool, givesDefinitions: Bool = true,
        repairs: [Repair] = []
    ) {
        self.format = format
        self.settings = settings
        self.givesValues = givesValues
        self.givesDefinitions = givesDefinitions
        self.repairs = repairs
    }

    /// Whether the files contain a value for this option.
    package func givesValue(of key: Key) -> Bool { givesValues && !parts.withoutValue.contains(key) }

    /// Whether the files define this option or group.
    package func givesDefinition(of key: Key) -> Bool { givesDefinitions && !parts.withoutDefinition.contains(key) }

    /// Makes no options of these members, which stay in their file, and no groups that hold nothing else.
    package mutating func leave(_ keys: [Key]) {
        for key in keys {
            settings.options[key] = nil
            settings.groups[key.group]?.order?.removeAll { $0.string == key.name }
        }
        let used = Set(settings.options.keys.flatMap(\.enclosingGroups))
        for group in Set(keys.flatMap(\.enclosingGroups)) where !used.contains(group) {
            settings.groups[group] = nil
            settings.groups[group.group]?.order?.removeAll { $0.string == group.name }
        }
        parts.left += keys
        parts.masked.removeAll(where: keys.contains)
        parts.unmaskable.removeAll(where: keys.contains)
    }

    /// The same settings, moved into `group`.
    public func moved(into group: Key) throws(Key.Malformed) -> Imported {
        if group.isRoot { return self }
        var keys: [Key: Key] = [:]
        for key in Array(settings.options.keys) + Array(settings.groups.keys) + parts.left {
            keys[key] = try Key(parts: group.parts + key.parts)
        }
        func moved(_ key: Key) -> Key { keys[key] ?? key }
        var all = self
        all.settings = SettingsContent()
        for (key, option) in settings.options { all.settings.options[moved(key)] = option }
        for (key, item) in settings.groups { all.settings.groups[moved(key)] = item }
        all.parts.rename(moved)
        return all
    }

    /// The same settings under the keys of a store where names differ only by case; see `SettingsContent.aligned`.
    package func aligned<Failure: Error>(
        below group: Key, names: (Key) throws(Failure) -> Set<String>, exact: (Key) throws(Failure) -> [ExactText]
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
        left = left.map(new)
    }
}

/// A part of an imported file that its format doesn't allow, or that this program doesn't know.
public struct Repair: Hashable, Sendable {
    /// The path as given, or as found in a given folder.
    public var file: String
    /// The line, from 1; nil if unknown.
    public var line: Int?
    /// The page, schema or section of the file.
    public var page: String?
    /// The option, under its name in the file.
    public var key: String?
    public var found: String
    /// What the import did about it.
    public var done: String
    public var kind: Kind
    /// Whether the titles would be there in a language that was asked for.
    public var needsLanguage = false

    public enum Kind: String, Hashable, Sendable {
        /// The part was repaired as `done` says; `--strict` rejects it.
        case repaired
        /// The part is valid but has no meaning here; it is kept and exported again.
        case kept
        /// The part means something besides that is not read.
        case noted = "note"
        /// A file in a folder that has no known format.
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

/// Why files can't be imported, or settings not be exported. Nothing was changed.
public struct Refusal: Error, Hashable, Sendable {
    /// The file at fault; nil if it isn't a single one.
    public var file: String?
    public var position: BadFile.Position?
    public var reason: String
    /// What can be done about the files.
    public var hint: String?
    /// What can be asked for instead.
    public var remedy: Remedy?
    /// What was asked for in vain; `reason` is said of it.
    public var asked: Asked?
    /// Whether the given path doesn't exist.
    public var isMissing = false
    /// Whether the system could not read the file.
    public var isUnreadable = false
    /// What else is wrong, found at the same time.
    public var others: [Refusal] = []

    public enum Remedy: Hashable, Sendable {
        case namingFormat
        case choosingFormat(FormatName, FormatName)
        case renamingOption
        /// The file as a whole, without its comments and layout.
        case rewriting
        /// The file is of another format than the one that it was to be written in.
        case exporting(as: FormatName, orRewritingAs: FormatName)
    }

    public enum Asked: Hashable, Sendable {
        /// A file of values beside the definitions.
        case values
        /// One of several documents in a file.
        case document
    }

    public init(
        _ reason: String, in file: String? = nil, at position: BadFile.Position? = nil, hint: String? = nil,
        remedy: Remedy? = nil, asked: Asked? = nil
    ) {
        self.reason = reason
        self.file = file
        self.position = position
        self.hint = hint
        self.remedy = remedy
        self.asked = asked
    }

    public init(_ error: BadFile, in file: String) {
        self.init(error.reason, in: file, at: error.position, hint: error.hint)
    }

    /// All that is wrong as one refusal; nil if nothing is.
    package static func joined(_ refusals: [Refusal]) -> Refusal? {
        guard var joined = refusals.first else { return nil }
        joined.others += refusals.dropFirst()
        return joined
    }

    /// This one and the others, one by one.
    package var all: [Refusal] {
        var first = self
        first.others = []
        return [first] + others.flatMap(\.all)
    }
}

/// The result of an export: one text, or the files of a folder.
public enum Exported: Hashable, Sendable {
    case text([UInt8])
    /// Files with paths relative to the folder, in byte order.
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
