import SettingsModel

/// The contents of a store's files, and the words of commands.
extension FuzzTarget {
    /// JSON survives a round trip in both forms; an error has a position within the file.
    static func json(_ bytes: [UInt8]) throws(Broken) {
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch { return try within(bytes, error) }
        for text in [json.pretty, json.compact] {
            guard let again = try? JSON(parsing: Array(text.utf8), limit: .max) else {
                throw Broken("what was written can't be read: \(text)")
            }
            try expect(again == json, "it was \(json.compact) and is \(again.compact)")
            try expect((text == json.pretty ? again.pretty : again.compact) == text, "written twice it differs: \(text)")
        }
    }

    static func within(_ bytes: [UInt8], _ fault: BadFile) throws(Broken) {
        guard let position = fault.position else { return }
        let lines = bytes.count { $0 == 10 } + 1
        try expect((1...lines).contains(position.line), "line \(position.line) of \(lines): \(fault.reason)")
        try expect((1...bytes.count + 1).contains(position.column), "column \(position.column): \(fault.reason)")
    }

    static func key(_ text: String) throws(Broken) {
        guard let key = try? Key(text) else { return }
        try expect((try? Key(key.description)) == key, "\(key) is another key")
        try expect((try? Key(key.path + ".json")) == key || !key.path.contains("/"), "\(key.path).json is another key")
        try expect(key.path.utf8.allSatisfy { $0 > 32 && $0 < 127 } && key.parts.count <= Key.partLimit, "\(key)")
        try expect(key.group.parts.count == key.parts.count - 1 && key.isWithin(key.group), "\(key) is in \(key.group)")
        let subject = Subject(path: Subject.option(key).path)
        try expect(subject == .option(key), "its file is that of \(String(describing: subject))")
    }

    /// The first two bytes select the option and the kind of wish; the new value is valid, and setting it again changes nothing.
    static func value(_ bytes: [UInt8]) throws(Broken) {
        guard bytes.count >= 2 else { return }
        let word = String(decoding: bytes.dropFirst(2), as: UTF8.self)
        var option = options[Int(bytes[0]) % options.count]
        let wish: Wish =
            switch bytes[1] % 5 {
            case 0: .label(word)
            case 1: Number(word).map { .plus($0) } ?? .next
            case 2: Int(word).map { .index($0) } ?? .previous
            default: .word(word)
            }
        let value: JSON?
        do { value = try option.value(for: wish) } catch { return }
        option.value = value.flatMap { $0.isNull ? nil : $0 }
        try expect(option.faults().isEmpty, "\(option.json.compact): \(option.faults())")
        try reread(option)
        guard let value = option.value else { return }
        let bare = option.type == .data ? value.compact : value.bare
        let again = try? option.value(for: .word(bare))
        try expect(again == value, "\(bare) stands for \(again?.compact ?? "nothing")")
    }

    private static let options: [SettingsOption] = [
        ##"{"title": "Language", "type": "choice", "labels": ["En", "EN", "é", "1"], "values": ["en", 1, "1", null]}"##,
        ##"{"title": "Colour", "type": "choice", "labels": ["Red", "Green"], "longLabels": ["Rouge", "Vert"], "value": "Red"}"##,
        ##"{"title": "Dark", "type": "switch", "value": false}"##,
        ##"{"title": "Words", "type": "switch", "values": ["on", "off"], "value": "on"}"##,
        ##"{"title": "Volume", "type": "number", "value": 50, "minimum": -100, "maximum": 1e2, "step": 0.5}"##,
        ##"{"title": "Any", "type": "number", "value": 1.0}"##,
        ##"{"title": "Name", "type": "text", "value": "", "pattern": "^(\\p{L}|[ -])*$"}"##,
        ##"{"title": "Data", "type": "data", "value": {"a": [1]}, "default": []}"##,
    ].compactMap { try? SettingsOption(file: Array($0.utf8)) }

    static func option(_ bytes: [UInt8]) throws(Broken) {
        let option: SettingsOption
        do { option = try SettingsOption(file: bytes) } catch { return try within(bytes, error) }
        _ = option.faults()
        try reread(option)
    }

    /// Equal options have equal bytes, and the file reads as an option again.
    static func reread(_ option: SettingsOption) throws(Broken) {
        guard option.file.count <= JSON.sizeLimit else { return }
        do {
            let again = try SettingsOption(file: option.file)
            try expect(again == option && again.file == option.file, "\(option.json.compact) became \(again.json.compact)")
        } catch let broken as Broken {
            throw broken
        } catch {
            throw Broken("\(option.json.compact) can't be read again: \(error)")
        }
    }

    static func group(_ bytes: [UInt8]) throws(Broken) {
        let group: SettingsGroup
        do { group = try SettingsGroup(file: bytes) } catch { return try within(bytes, error) }
        try expect(
            (try? SettingsGroup(file: group.file)) == group || group.file.count > JSON.sizeLimit, "the group is another one")
    }

    static func definition(_ bytes: [UInt8]) throws(Broken) {
        let definition: StoreDefinition
        do { definition = try StoreDefinition(file: bytes) } catch { return try within(bytes, error) }
        try expect(
            (try? StoreDefinition(file: definition.file)) == definition || definition.file.count > JSON.sizeLimit,
            "the store is another one")
    }

    /// A pattern, a newline and the text that it is matched against.
    static func pattern(_ bytes: [UInt8]) throws(Broken) {
        let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = ExactText(String(decoding: parts[0], as: UTF8.self))
        let fault = Pattern.fault(in: pattern)
        let other = Pattern.fault(of: ExactText(String(decoding: parts.last ?? [], as: UTF8.self)), against: pattern)
        try expect(fault == nil || other == fault, "\(fault ?? ""), and \(other ?? "it matches")")
    }
}
