import SettingsModel

/// YAML as Go's yaml.v3 reads it: `on` and `off` are strings.
enum GoYAML: EditedText {
    static func present(_ bytes: [UInt8], in file: String) throws(Refusal) -> PlainTree {
        try YAMLTree.read(bytes, in: file, .yaml12).tree
    }

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        try YAMLEditor.edited(bytes, from: present, to: wanted, .yaml12)
    }

    static func obstacle(_ bytes: [UInt8], at names: [ExactText]) -> (reason: String, line: Int)? {
        YAMLFormat.obstacle(bytes, at: names)
    }

    static func line(of names: [ExactText], in bytes: [UInt8]) -> Int? { YAMLFormat.line(of: names, in: bytes) }
}
