package import SettingsModel

/// Plain values in YAML (yaml.org), read as PyYAML and Ruby do: by the rules of YAML 1.1, with the additions of 1.2.
///
/// A spelling that readers interpret differently (`on`, `010`, `1:30`) is kept next to the value, and is written again
/// while the value is unchanged; so are times, bytes, tags and names that are not strings. Comments and aliases are not.
/// Of a file with several documents, each is a group.
package enum YAMLFormat: EditedFormat {
    package static let name = FormatName.yaml

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        PlainFile.isOnly(in: source, ending: [".yaml", ".yml"])
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        var number: Int?
        var documents = try YAMLTree.documents(file.bytes(), in: file.path, .yaml11)
        if let wanted = request.document {
            guard documents.indices.contains(wanted - 1) else {
                let count = documents.count == 1 ? "1 document" : "\(documents.count) documents"
                throw Refusal("contains \(count), but document \(wanted) was requested", in: file.path)
            }
            if documents.count > 1 { number = wanted }
            documents = [documents[wanted - 1]]
        }
        if documents.count > 1 { return try together(documents, in: file.path, request) }
        let (tree, repairs) = documents.first ?? (PlainTree(.object([])), [])
        var imported = try PlainSettings.settings(of: tree, in: file.path, as: name, repairs: repairs, depth: request.depth)
        if let number { mark(&imported.settings, number) }
        return imported
    }

    /// Records the document that settings were read from.
    private static func mark(_ settings: inout SettingsContent, _ number: Int) {
        settings.groups[.root, default: SettingsGroup()].other[ExactText(name.rawValue)] = .object([
            JSON.Member(documentName, .number(number))
        ])
    }

    /// Reads each document as a group.
    private static func together(
        _ documents: [(tree: PlainTree, repairs: [Repair])], in file: String, _ request: ReadRequest
    ) throws(Refusal) -> Imported {
        var gathering = Gathering()
        var keys = KeyNames()
        for (index, title) in names(of: documents.map(\.tree.root)).enumerated() {
            let (tree, repairs) = documents[index]
            let made: (key: Key, isExact: Bool)
            do throws(Key.Malformed) { made = try keys.key(title, in: .root) } catch {
                throw Refusal(error.reason, in: file)
            }
            var imported = try PlainSettings.settings(
                of: tree, in: file, as: name, repairs: repairs, depth: request.depth + 1)
            mark(&imported.settings, index + 1)
            try gathering.add(imported, in: made.key, title: Titles.words(of: title), from: file)
        }
        return gathering.imported(as: name)
    }

    /// The names of the documents: their kind and name, as in Kubernetes, if these are unique, or else
    /// their numbers.
    static func names(of documents: [JSON]) -> [String] {
        let named = documents.compactMap { document -> String? in
            guard let kind = document["kind"]?.text, let name = document["metadata"]?["name"]?.text else { return nil }
            return "\(kind)-\(name)"
        }
        if named.count == documents.count, Set(named.map { KeyNames.part(from: $0).lowercased() }).count == named.count {
            return named
        }
        return documents.indices.map { "document-\($0 + 1)" }
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try editedDocuments(settings, request) { return edited }
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        if let documents = groupsOfDocuments(settings) {
            let texts = try documents.map { own throws(Refusal) in try text(of: own, request) }
            return .text(Array(texts.joined(separator: "---\n").utf8))
        }
        return .text(Array(try text(of: settings, request).utf8))
    }

    static func text(of settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> String {
        let tree = try PlainFile.tree(of: settings, as: name, request)
        let text = tree.yaml
        let (again, _) = try YAMLTree.read(Array(text.utf8), in: "the YAML that was written", .yaml11)
        try PlainFile.check(again.root, is: tree.root, as: name)
        return text
    }
}
