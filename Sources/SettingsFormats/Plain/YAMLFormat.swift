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
        var documents = try YAMLTree.documents(file.bytes(), in: file.path, .yaml11)
        if let wanted = request.document {
            guard documents.indices.contains(wanted - 1) else {
                let count = documents.count == 1 ? "1 document" : "\(documents.count) documents"
                throw Refusal("contains \(count), but document \(wanted) was requested", in: file.path)
            }
            documents = [documents[wanted - 1]]
        }
        if documents.count > 1 { return try together(documents, in: file.path, request) }
        let (tree, repairs) = documents.first ?? (PlainTree(.object([])), [])
        return try PlainSettings.settings(of: tree, in: file.path, as: name, repairs: repairs, depth: request.depth)
    }

    /// Reads each document as a group.
    private static func together(
        _ documents: [(tree: PlainTree, repairs: [Repair])], in file: String, _ request: ReadRequest
    ) throws(Refusal) -> Imported {
        var gathering = Gathering()
        var keys = KeyNames()
        for ((tree, repairs), title) in zip(documents, names(of: documents.map(\.tree.root))) {
            let made: (key: Key, isExact: Bool)
            do throws(Key.Malformed) { made = try keys.key(title, in: .root) } catch {
                throw Refusal(error.reason, in: file)
            }
            let imported = try PlainSettings.settings(
                of: tree, in: file, as: name, repairs: repairs, depth: request.depth + 1)
            try gathering.add(imported, in: made.key, title: Titles.words(of: title), from: file)
        }
        return gathering.imported(as: name)
    }

    /// The names of the documents: their kind and name, as in Kubernetes, if these are unique, or else
    /// their numbers.
    private static func names(of documents: [JSON]) -> [String] {
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
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        let tree = try PlainFile.tree(of: settings, as: name, request)
        let bytes = Array(tree.yaml.utf8)
        let (again, _) = try YAMLTree.read(bytes, in: "the YAML that was written", .yaml11)
        try PlainFile.check(again.root, is: tree.root, as: name)
        return .text(bytes)
    }
}
