import SettingsModel

// A file of several documents is edited document by document: each is a part of the file that can be read alone. A group that
// was read from a document knows its number, and so does the group that one document was read into.

/// The documents of a YAML file with the parts of the file that hold them.
struct YAMLDocuments {
    struct Part {
        /// From the document's own lines to those of the next one.
        var range: Range<Int>
        var root: JSON
    }

    private(set) var parts: [Part] = []

    /// `bytes` are in UTF-8 without a byte order mark. Empty documents belong to the part before them.
    init(_ bytes: [UInt8], in file: String) throws(Refusal) {
        let trees = try YAMLTree.documents(bytes, in: file, .yaml11).map(\.tree.root)
        let reader = YAMLReader(bytes, in: file)
        let lines = FileEdits(bytes)
        var starts: [Int] = []
        while let document = try reader.document() {
            if !document.root.isEmpty { starts.append(starts.isEmpty ? 0 : lines.lineStart(of: document.start)) }
        }
        for (index, (start, root)) in zip(starts, trees).enumerated() {
            parts.append(Part(range: start..<(index + 1 < starts.count ? starts[index + 1] : bytes.count), root: root))
        }
    }
}

extension YAMLFormat {
    /// The member of a group's `yaml` with the number of the document that it was read from.
    static let documentName: ExactText = "document"

    /// The file with several documents that is there, edited or rewritten; nil if it hasn't several.
    static func editedDocuments(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported? {
        guard let bytes = request.present, !bytes.isEmpty else { return nil }
        let file = request.name ?? "the existing file"
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let (mark, body) = try PlainFile.body(of: bytes, in: file)
        guard let documents = try? YAMLDocuments(body, in: file).parts, documents.count > 1 else { return nil }
        let (wanted, groups) = try contents(of: settings, in: documents, file)
        var result = mark
        var faults: [Refusal] = []
        for (index, document) in documents.enumerated() {
            let part = Array(body[document.range])
            guard let own = wanted[index + 1] else {
                result += part
                continue
            }
            var request = request
            if let group = groups[index + 1] { request.renames = request.renames.compactMap { $0.within(group) } }
            do throws(Refusal) { result += try written(own, part, isFirst: index == 0, request) } catch {
                let line = body[..<document.range.lowerBound].count { $0 == 10 }
                faults += error.all.map { refusal in
                    var refusal = refusal
                    refusal.position?.line += line
                    return refusal
                }
            }
        }
        if let refusal = Refusal.joined(faults) { throw refusal }
        let again = try YAMLDocuments(Array(result.dropFirst(mark.count)), in: file).parts
        let isKept =
            again.count == documents.count
            && zip(documents, again).enumerated().allSatisfy { wanted[$0 + 1] != nil || $1.0.root == $1.1.root }
        guard isKept else {
            throw Refusal(
                "can't be edited in place: the edit would move the end of a document", in: file, hint: "edit it by hand")
        }
        return .text(result)
    }

    private static func written(
        _ settings: SettingsContent, _ part: [UInt8], isFirst: Bool, _ request: WriteRequest
    ) throws(Refusal) -> [UInt8] {
        var own = request
        own.present = part
        if let edited = try PlainFile.edited(self, settings, own), case .text(let bytes) = edited { return bytes }
        let isOpened = !isFirst || part.starts(with: "---".utf8)
        return Array(((isOpened ? "---\n" : "") + (try text(of: settings, request))).utf8)
    }

    /// The settings of each document by its number: those of the one document that was read, or of the groups, with their names.
    private static func contents(
        of settings: SettingsContent, in documents: [YAMLDocuments.Part], _ file: String
    ) throws(Refusal) -> (contents: [Int: SettingsContent], groups: [Int: ExactText]) {
        if let number = number(of: .root, settings) {
            if documents.indices.contains(number - 1) { return ([number: settings], [:]) }
            throw Refusal("contains \(documents.count) documents, and the settings are those of document \(number)", in: file)
        }
        let names = names(of: documents.map(\.root))
        var contents: [Int: SettingsContent] = [:]
        var groups: [Int: ExactText] = [:]
        var faults: [Refusal] = []
        for key in settings.children()[.root] ?? [] {
            let name = settings.exactName(of: key)
            let place =
                number(of: key, settings) ?? names.firstIndex { KeyNames.part(from: $0) == key.name || $0 == name }.map { $0 + 1 }
            if settings.options[key] == nil, let place, documents.indices.contains(place - 1), contents[place] == nil {
                contents[place] = settings.relative(to: key)
                groups[place] = settings.groups[key]?.other["key"]?.text ?? ExactText(key.name)
            } else {
                faults.append(
                    Refusal(
                        "'\(name)' is in none of its \(documents.count) documents", in: file,
                        hint: "export the group of one document, or to another file"))
            }
        }
        if let refusal = Refusal.joined(faults) { throw refusal }
        return (contents, groups)
    }

    /// The settings as a document for each group, if that is what they were read from.
    static func groupsOfDocuments(_ settings: SettingsContent) -> [SettingsContent]? {
        let children = settings.children()[.root] ?? []
        let numbers = children.map { settings.options[$0] == nil ? number(of: $0, settings) : nil }
        guard children.count > 1, numbers.allSatisfy({ $0 != nil }), Set(numbers).count == numbers.count else { return nil }
        return zip(children, numbers).sorted { $0.1 ?? 0 < $1.1 ?? 0 }.map { settings.relative(to: $0.0) }
    }

    private static func number(of key: Key, _ settings: SettingsContent) -> Int? {
        guard case .number(let number)? = settings.groups[key]?.other[ExactText(name.rawValue)]?[documentName] else { return nil }
        return Int(number.text)
    }
}
