import Base

// A store's folder that was moved as a whole is told by the bytes of its files, as what was renamed in it is (see `MovedFiles`):
// it was where a `_store.json` with the same bytes is gone, and at least half of the store's files that are gone there, two or
// more, stand in the new folder with the same bytes under the same names. So some may have been edited in the same commit, and
// a merge may bring what the other side changed. Of two folders that fit equally well nobody could tell which it was.

/// Files of a repository that are gone and files that are new, to find where a store's folder was before.
package struct MovedFolders {
    private var removed: [[UInt8]: ObjectID] = [:]
    private var added: [[UInt8]: ObjectID] = [:]

    package init() {}

    /// Takes a file that differs, by its path in the repository; nothing stands for one that isn't there.
    package mutating func take(_ path: String, before: ObjectID?, after: ObjectID?) {
        if let before, after == nil { removed[Array(path.utf8)] = before }
        if let after, before == nil { added[Array(path.utf8)] = after }
    }

    /// Where the store was that is in `folder` now, as a path with a slash at its end, or none; nil where it wasn't moved.
    package func former(of folder: String) -> String? {
        let (file, folder) = (Array(Subject.store.path.utf8), Array(folder.utf8))
        guard let definition = added[folder + file] else { return nil }
        var found: (prefix: [UInt8], same: Int)?
        var isAmbiguous = false
        for (path, id) in removed where id == definition && path.hasSuffix(file) {
            let prefix = Array(path.dropLast(file.count))
            guard prefix.isEmpty || prefix.last == UInt8(ascii: "/"), let same = files(movedFrom: prefix, to: folder)
            else { continue }
            isAmbiguous = same == found?.same || isAmbiguous && same < found?.same ?? 0
            if same > found?.same ?? 0 { found = (prefix, same) }
        }
        return isAmbiguous ? nil : found.map { String(decoding: $0.prefix, as: UTF8.self) }
    }

    /// How many of a store's files were moved; nil where it is another store.
    private func files(movedFrom old: [UInt8], to new: [UInt8]) -> Int? {
        var (count, same) = (0, 0)
        for (path, id) in removed where path.starts(with: old) {
            let rest = path[old.count...]
            guard Subject(path: String(decoding: rest, as: UTF8.self)) != nil else { continue }
            count += 1
            if added[new + rest] == id { same += 1 }
        }
        return same >= 2 && 2 * same >= count ? same : nil
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
