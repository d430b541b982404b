package import SettingsModel

/// Property lists as plain values: a dictionary of settings by name, such as an app's preferences. Dictionaries in it are
/// groups, booleans switches, strings texts; dates, data and arrays are kept as data.
///
/// Read in all their forms, written as XML. (`man 5 plist`)
package enum PropertyListFormat: Format {
    package static let name = FormatName.plist

    /// Dictionaries deeper than this are data: a key has 16 parts, and some are the group's that they are brought into.
    static let groupDepth = 8

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard source.files.count == 1 else { return false }
        let bytes = try source.files[0].bytes()
        if PropertyList.isBinary(bytes) || source.files[0].name.lowercased().hasSuffix(".plist") { return true }
        let start = bytes.prefix(1024)
        return start.firstRange(of: Array("<!DOCTYPE plist".utf8)) != nil || start.firstRange(of: Array("<plist".utf8)) != nil
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        guard source.files.count == 1 else {
            throw Refusal(
                "\(source.given.joined(separator: ", ")): a property list of values is one file, not \(source.files.count)",
                hint: "bring each file into a group of its own with --into")
        }
        let file = source.files[0]
        var imported = Imported(format: name, givesValues: true)
        let value = try PropertyList.read(file, &imported.repairs)
        guard case .dictionary(let members) = value else {
            throw Refusal(
                "holds \(value.kind), and settings need names", in: file.path, hint: "its top must be a dictionary")
        }
        var reader = PropertyListReader(file: file.path, settings: imported.settings)
        try reader.add(members, to: .root)
        imported.settings = reader.settings
        return imported
    }

    package static func write(_ settings: Settings, _ request: WriteRequest) throws(Refusal) -> Exported {
        let children = Children(settings)
        return .text(try PropertyList.dictionary(try members(of: .root, settings, children)).xml())
    }

    private static func members(
        of group: Key, _ settings: Settings, _ children: Children
    ) throws(Refusal) -> PropertyList.Members {
        var members = PropertyList.Members()
        var taken: Set<Text> = []
        func add(_ name: Text, _ value: PropertyList) throws(Refusal) {
            guard taken.insert(name).inserted else {
                throw Refusal(
                    "\(group.isRoot ? "" : "\(group): ")two settings have the name \(JSON.string(name).compact)",
                    hint: "a property list holds one of them: rename the other")
            }
            members.entries.append(.init(name: name, value: value))
        }
        for name in children.names(of: group) {
            let key = children.key(name, in: group)
            if let option = settings.options[key], let value = try self.value(of: option, key) {
                try add(option.importedKey ?? name, value)
            }
            if children.groups.contains(key) {
                let exact = settings.groups[key]?.other["key"]?.text ?? name
                try add(exact, .dictionary(try self.members(of: key, settings, children)))
            }
        }
        return members
    }

    /// What programs get: the value, or the default where it is unset.
    private static func value(of option: Option, _ key: Key) throws(Refusal) -> PropertyList? {
        guard let json = option.effectiveValue, !json.isNull else { return nil }
        if let type = option.other["plist"]?["type"]?.text {
            let word: JSON = .object([JSON.Member(Text("$\(type)"), json)])
            if let value = PropertyList(word), value.members == nil { return value }
        }
        guard let value = PropertyList(json) else {
            throw Refusal(
                "\(key): a property list can't hold \(JSON.string(String(json.compact.prefix(80))).compact)",
                hint: "it has no null, and no integers beyond 64 bits")
        }
        return value
    }
}

/// Makes settings of a dictionary.
private struct PropertyListReader {
    let file: String
    var settings: Settings
    var names = KeyNames()

    mutating func add(_ members: PropertyList.Members, to group: Key) throws(Refusal) {
        var order: [Text] = []
        for entry in members.entries {
            let name = entry.name.string
            let key: Key
            let isExact: Bool
            do { (key, isExact) = try names.key(name, in: group) } catch {
                throw Refusal("the name \"\(name)\" can't be had here: \(error.reason)", in: file)
            }
            order.append(Text(key.name))
            var other: [Text: JSON] = isExact ? [:] : ["key": .string(name)]
            let title = Text(Titles.words(of: name))
            if case .dictionary(let inner) = entry.value, group.parts.count < PropertyListFormat.groupDepth {
                settings.groups[key] = Group(title: title, style: .section, other: other)
                try add(inner, to: key)
                continue
            }
            let (type, value, word) = content(of: entry.value)
            if let word { other["plist"] = .object(["type": .string(word)]) }
            let option = Option(title: title, type: type, value: value, other: other)
            guard option.file.count <= JSON.sizeLimit else {
                throw Refusal(
                    "\"\(name)\" alone has more than \(JSON.sizeLimit >> 20) MiB, and a setting has no more", in: file,
                    at: entry.line.map { BadFile.Position(line: $0, column: 1) })
            }
            settings.options[key] = option
        }
        guard order.count > 1 || group.isRoot else { return }
        settings.groups[group, default: Group()].order = order.isEmpty ? nil : order
    }

    /// Its type, its value, and the property list's word where the value alone doesn't tell.
    private func content(of value: PropertyList) -> (Option.Kind, JSON, Text?) {
        switch value {
        case .boolean: return (.switch, value.json, nil)
        case .string: return (.text, value.json, nil)
        case .integer: return (.number, value.json, nil)
        case .real(let word):
            return Number(word) == nil ? (.data, .string(word), "real") : (.number, value.json, nil)
        case .date(let word): return (.data, .string(word), "date")
        case .data: return (.data, value.json["$data"] ?? .null, "data")
        case .array, .dictionary, .uid: return (.data, value.json, nil)
        }
    }
}
