/// The current folder beside a store's: what relative keys are counted from.
package struct CurrentFolder: Hashable, Sendable {
    private let folder: [String]
    private let store: [String]

    /// Absolute paths without symbolic links.
    package init(_ folder: String, ofStore store: String) {
        self.folder = Self.parts(folder)
        self.store = Self.parts(store)
    }

    /// Whether the folder is the store's or lies in it.
    var isInStore: Bool { Self.leads(store, to: folder) }
    var storePath: String { "/" + store.joined(separator: "/") }

    /// The parts of a path from the store's folder on; nil if it leaves that. Relative paths count from the current folder.
    func place(_ path: String) -> [String]? {
        let isAbsolute = path.hasPrefix("/")
        var parts = isAbsolute ? [] : folder
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0) {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
        }
        return Self.leads(store, to: parts) ? Array(parts.dropFirst(store.count)) : nil
    }

    /// The name of something in the store, as it is written from the current folder on; nil unless that lies in the store.
    package func name(of key: Key) -> Key? {
        guard isInStore, let group = try? Key(parts: Array(folder.dropFirst(store.count))), key != group, key.isWithin(group)
        else { return nil }
        return Key(unchecked: Array(key.parts.dropFirst(group.parts.count)))
    }

    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }

    /// File names are compared as bytes.
    private static func leads(_ folder: [String], to path: [String]) -> Bool {
        path.starts(with: folder) { $0.utf8.elementsEqual($1.utf8) }
    }
}
