package import SettingsModel

/// Plain values in YAML (yaml.org), read as Yams, PyYAML and Ruby do: by the rules of YAML 1.1, with what 1.2 has besides.
///
/// A spelling that not every reader takes alike (`on`, `010`, `1:30`) is kept beside the value, and is written again as
/// long as the value is the same; so are times, bytes, tags and names that are no strings. Comments and aliases are not.
package enum YAMLFormat: EditedFormat {
    package static let name = FormatName.yaml

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        PlainFile.isOnly(in: source, ending: [".yaml", ".yml"])
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let (tree, repairs) = try YAMLTree.read(file.bytes(), in: file.path, .yaml11)
        return try PlainSettings.settings(of: tree, in: file.path, as: name, repairs: repairs)
    }

    package static func write(_ settings: Settings, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        let tree = try PlainSettings.tree(of: settings, as: name)
        let bytes = Array(tree.yaml.utf8)
        let (again, _) = try YAMLTree.read(bytes, in: "the YAML that was written", .yaml11)
        try PlainFile.check(again.root, is: tree.root, as: name)
        return .text(bytes)
    }
}
