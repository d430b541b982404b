import Files
package import SettingsModel

// Symbolic links in the place of a group's folder. They are not followed, so that what is behind them is not read.

extension StoreFolder {
    /// The first of the folders above a path that is a link; nil where none is. The path is relative to the store's folder.
    package func linkedGroup(above path: String) -> Stray? {
        var folder = ""
        for name in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() where !name.isEmpty {
            folder += folder.isEmpty ? String(name) : "/" + name
            guard case .link? = FileSystem.kind(of: files.full(folder)) else { continue }
            return Stray(path: folder, .linkedGroup)
        }
        return nil
    }

    /// Refuses a group that is a link or lies behind one.
    func checkIsFollowed(_ group: Key) throws(Problem) {
        if let link = linkedGroup(above: group.path + "/") { throw .file(.isStray(link)) }
    }

    /// Whether a link whose name is valid for a group stands for one: it points to a folder, or to nothing.
    func isLinkedGroup(_ path: String, _ ignored: Ignored?) throws(Problem) -> Bool {
        switch FileSystem.kind(of: files.full(path), following: true) {
        case .folder: if try isForeign(path) { return false }
        case nil: break
        case .file, .link, .special: return false
        }
        return try ignored?.excludes(link: path) != true
    }
}
