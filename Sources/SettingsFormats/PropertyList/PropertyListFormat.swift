package import SettingsModel

/// Property lists as plain values: a dictionary of settings by name, such as an app's preferences.
///
/// All forms are read; XML is written, and a file that is there is edited in its own form. (`man 5 plist`) Values that JSON
/// can't express are marked: a `date`, `data` in Base64, a `real` that is not a number, a `uid`, a `set`, a `null`.
package enum PropertyListFormat: EditedFormat {
    package static let name = FormatName.plist

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard source.files.count == 1 else { return false }
        if PlainFile.isOnly(in: source, ending: [".plist", ".strings"]) { return true }
        let start = try source.files[0].bytes().prefix(1024)
        return PropertyList.isBinary(Array(start)) || start.firstRange(of: Array("<!DOCTYPE plist".utf8)) != nil
            || start.firstRange(of: Array("<plist".utf8)) != nil
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        var repairs: [Repair] = []
        let value = try PropertyList.read(file, &repairs)
        guard value.members != nil else {
            throw Refusal(
                "contains \(value.kind), not named settings", in: file.path, hint: "the top level must be a dictionary")
        }
        let tree = tree(of: value)
        return try PlainSettings.settings(of: tree, in: file.path, as: name, repairs: repairs, depth: request.depth)
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try edited(settings, request) { return edited }
        let tree = try PlainFile.tree(of: settings, as: name, unset: nil, request)
        return .text(try propertyList(tree.root, at: .root, tree.marks, []).xml())
    }

    private static func tree(of value: PropertyList) -> PlainTree {
        var tree = PlainTree(.null)
        tree.root = plain(value, at: .root, &tree.marks)
        return tree
    }

    private static func plain(
        _ value: PropertyList, at place: PlainTree.Pointer, _ marks: inout [PlainTree.Pointer: ExactText]
    ) -> JSON {
        switch value {
        case .dictionary(let members):
            return .object(
                members.entries.map { JSON.Member($0.name, plain($0.value, at: place.member($0.name), &marks)) })
        case .array(let elements):
            return .array(elements.enumerated().map { plain($1, at: place.element($0), &marks) })
        case .string, .integer, .boolean: return value.json
        case .real(let word):
            if let number = Number(word) { return .number(number) }
            marks[place] = "real"
            return .string(word)
        case .date(let word):
            marks[place] = "date"
            return .string(word)
        case .data:
            marks[place] = "data"
            return value.json["$data"] ?? .null
        case .uid:
            marks[place] = "uid"
            return value.json["$uid"] ?? .null
        case .set(let elements):
            marks[place] = "set"
            return .array(elements.enumerated().map { plain($1, at: place.element($0), &marks) })
        case .null:
            marks[place] = "null"
            return .null
        }
    }

    static func propertyList(
        _ json: JSON, at place: PlainTree.Pointer, _ marks: [PlainTree.Pointer: ExactText], _ names: [String],
        isBinary: Bool = false
    ) throws(Refusal) -> PropertyList {
        if let mark = marks[place], mark != "set", mark != "null" {
            let word = JSON.object([JSON.Member(ExactText("$\(mark)"), json)])
            guard let value = PropertyList(word), value.members == nil else {
                throw Refusal("\(names.joined(separator: ".")): \(json.compact.prefix(80)) is not a \(mark) of a property list")
            }
            return value
        }
        switch json {
        case .object(let members):
            var entries: [PropertyList.Members.Entry] = []
            for member in members {
                let value = try propertyList(
                    member.value, at: place.member(member.name), marks, names + [member.name.string], isBinary: isBinary)
                entries.append(.init(name: member.name, value: value))
            }
            return .dictionary(PropertyList.Members(entries))
        case .array(let values):
            var elements: [PropertyList] = []
            for (index, value) in values.enumerated() {
                elements.append(
                    try propertyList(value, at: place.element(index), marks, names + [String(index)], isBinary: isBinary))
            }
            guard marks[place] == "set" else { return .array(elements) }
            if isBinary { return .set(elements) }
            throw Refusal("\(names.joined(separator: ".")): a property list in XML can't hold a set")
        case .null where isBinary: return .null
        case .null, .bool, .number, .string:
            if let value = PropertyList(json) { return value }
            throw Refusal(
                "\(names.joined(separator: ".")): a property list can't hold \(json.compact.prefix(80))",
                hint: "it has no null, and no integers beyond 64 bits")
        }
    }
}

/// Files that are there.
extension PropertyListFormat {
    /// The file in its own encoding; nil if there is none, or if it is to be rewritten.
    private static func edited(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported? {
        guard !request.rewrites, let file = request.present, !PropertyList.isBinary(file) else {
            return try PlainFile.edited(self, settings, request)
        }
        let name = request.name ?? "the existing file"
        var own = request
        own.present = try PlainText(decoding: file, in: name).bytes
        guard case .text(let text)? = try PlainFile.edited(self, settings, own) else { return nil }
        return .text(text == own.present ? file : try PlainText.encoded(text, like: file, in: name))
    }

    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        var repairs: [Repair] = []
        return tree(of: try PropertyList.read(bytes, in: file, &repairs))
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        if PropertyList.isBinary(bytes) { return try BinaryPropertyListEditor.edited(bytes, from: present, to: wanted) }
        guard PropertyList.isXML(bytes) else { return try StringsEditor.edited(bytes, from: present.root, to: wanted.root) }
        return try PropertyListEditor.edited(bytes, from: present, to: wanted)
    }
}

extension PropertyListFormat {
    /// A property list in any form, with the values of `new`; rows of a page are recognised by their keys.
    static func edited(_ file: [UInt8], from old: PropertyList, to new: PropertyList, in name: String) throws(Refusal) -> [UInt8]
    {
        let present = tree(of: old)
        var wanted = tree(of: new)
        wanted.root = fitted(wanted.root, to: present.root, in: name)
        if PropertyList.isBinary(file) { return try BinaryPropertyListEditor.edited(file, from: present, to: wanted) }
        let text = try PlainText(decoding: file, in: name).bytes
        let result =
            PropertyList.isXML(text)
            ? try PropertyListEditor.edited(text, from: present, to: wanted, hasRows: true)
            : try StringsEditor.edited(text, from: present.root, to: wanted.root)
        return try PlainText.encoded(result, like: file, in: name)
    }
}
