import Files
import Git
import SettingsModel

// Where the store's folder lies is a question about each version: `git mv config settings` moves it for all that come after.
// A version has it where the store is now, or else at the first of the places where it was before that has a `_store.json`.
// These are found in the history of the last version, by the commits that moved it (see `MovedFolders`), once a version is
// looked at that has no store where it is now; the index of the history knows them. No version is compared with where another
// branch has the store, if that branch isn't merged.

/// Where a version has the store's folder.
struct StorePlace {
    /// As `Versions.prefix` is; nil where it has none.
    var prefix: String?
    /// Nil where no folder is.
    var folder: ObjectID?
}

extension Versions {
    /// The store's folder in a tree of the repository; nil where it isn't there.
    func storeFolder(in tree: ObjectID?) throws(GitError) -> ObjectID? {
        guard let tree else { return nil }
        return try place(in: tree).folder
    }

    func place(in tree: ObjectID) throws(GitError) -> StorePlace {
        if formerPrefixes?.isEmpty == true, prefix.isEmpty { return StorePlace(prefix: prefix, folder: tree) }
        if let last = lastPlaces.first(where: { $0.tree == tree }) { return last.place }
        var place = StorePlace(prefix: prefix, folder: try repository.objects.folder(folderInRepository, of: tree))
        if formerPrefixes?.isEmpty != true, try !holdsStore(place.folder) {
            let former = try self.place(in: tree, among: try knownFormerPrefixes())
            place = former ?? StorePlace(prefix: nil, folder: place.folder)
        }
        if lastPlaces.count == 4 { lastPlaces.removeFirst() }
        lastPlaces.append((tree, place))
        return place
    }

    /// What a path of the repository is about in this tree; nil where it isn't the store's.
    func subject(atRepositoryPath path: String, in tree: ObjectID?) throws(GitError) -> Subject? {
        guard let tree, let prefix = try place(in: tree).prefix, path.utf8.starts(with: prefix.utf8) else { return nil }
        return Subject(path: String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    private func holdsStore(_ folder: ObjectID?) throws(GitError) -> Bool {
        guard let folder else { return false }
        return try repository.objects.entry(at: Subject.store.path, in: folder).map { $0.mode != .tree } ?? false
    }

    private func place(in tree: ObjectID, among prefixes: [String]) throws(GitError) -> StorePlace? {
        for prefix in prefixes {
            let folder = try repository.objects.folder(FileSystem.trimmed(prefix), of: tree)
            if try holdsStore(folder) { return StorePlace(prefix: prefix, folder: folder) }
        }
        return nil
    }

    private func knownFormerPrefixes() throws(GitError) -> [String] {
        if let formerPrefixes { return formerPrefixes }
        var start = origin
        if start == nil { start = try repository.references.head().commit }
        guard let start else { return [] }
        var (known, hidden): ([String], [VersionID]) = ([], [])
        if !isShallow, let base = HistoryColumns.read(historyIndexPath, prefix: prefix), base.count > 0 {
            let last = base.id(base.count - 1)
            if try isInHistory(last, of: start) {
                let index = HistoryIndex(base: base, kept: base.count, tail: HistoryTail(), isOrdered: base.isOrdered)
                (known, hidden) = (index.formerPrefixes, [last])
            }
        }
        if hidden != [start] { known = try formerPrefixes(from: start, hiding: hidden, besides: known) }
        formerPrefixes = known
        return known
    }

    /// Where the versions in the history of `start` and in none of those `hidden` moved the store's folder from. `known`: where
    /// it was before those.
    private func formerPrefixes(
        from start: VersionID, hiding hidden: [VersionID], besides known: [String]
    ) throws(GitError) -> [String] {
        let objects = repository.objects
        var found: [String] = []
        var walk = try objects.commits(from: [start], hiding: hidden, order: .topological)
        while let id = try walk.next() {
            // Whoever asked learns of it from what it counts next.
            do { try countOne() } catch { break }
            let commit = try objects.header(id)
            guard let here = try place(in: commit.tree, among: [prefix] + found + known)?.prefix else { continue }
            for parent in commit.parents {
                // A shallow clone has none at its edge.
                if isShallow, try !objects.exists(parent) { continue }
                let before = try objects.header(parent).tree
                if try place(in: before, among: [prefix] + found + known) != nil { continue }
                if let former = try former(of: here, from: before, to: commit.tree) { found.append(former) }
            }
        }
        return found + known
    }

    private func isInHistory(_ id: VersionID, of start: VersionID) throws(GitError) -> Bool {
        if id == start { return true }
        guard try repository.objects.exists(id) else { return false }
        return try repository.objects.isAncestor(id, of: start)
    }

    private func former(of prefix: String, from old: ObjectID, to new: ObjectID) throws(GitError) -> String? {
        var moved = MovedFolders()
        do throws(GitError) {
            for difference in try repository.objects.differences(from: old, to: new) where difference.pathIsValid {
                moved.take(difference.path, before: difference.old?.file, after: difference.new?.file)
            }
        } catch {
            guard [.tooLarge, .tooDeep].contains(error.kind) else { throw error }
            return nil
        }
        return moved.former(of: prefix)
    }
}

extension HistoryWalk.Step {
    /// Where the store was in the versions that this one was made from, and is no more.
    func prefixesLeft(_ versions: Versions) throws(GitError) -> [String] {
        guard let here = try versions.place(in: commit.tree).prefix else { return [] }
        var left: [String] = []
        for case let parent? in parents {
            guard let there = try versions.place(in: parent.tree).prefix, !there.utf8.elementsEqual(here.utf8) else { continue }
            left.append(there)
        }
        return left
    }
}
