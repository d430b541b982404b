package import SettingsModel

// What 'bundle' and 'clone' print.

extension Phrases {
    package static func bundled(_ version: Version, _ count: Int, bytes: Int, at path: String) -> [PrintedLine] {
        [.done(version, "\(CommandLineHints.counted(count, "version")) written to \(Login.hidden(in: path)) (\(bytes) bytes)")]
    }

    /// `stores`: the folders in the clone that are said to hold one; an empty path is the clone itself.
    package static func cloned(_ version: Version, into path: String, stores: [String]) -> [PrintedLine] {
        [.done(version, "cloned into \(Login.hidden(in: path))")]
            + stores.filter { !$0.isEmpty }.map { .done("    the store is in \(path)/\($0)") }
    }
}

extension Reports {
    package func bundled(_ version: Version, _ count: Int, bytes: Int, at path: String) -> JSON {
        Reports.document([
            "path": .string(path), "version": reference(version), "versions": .number(count), "bytes": .number(bytes),
        ])
    }

    package func cloned(_ version: Version, into path: String, branch: String, isBare: Bool, stores: [String]) -> JSON {
        Reports.document([
            "path": .string(path), "branch": .string(branch), "bare": .bool(isBare), "version": reference(version),
            "stores": strings(stores),
        ])
    }
}
