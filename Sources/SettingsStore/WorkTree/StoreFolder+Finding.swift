import Files
import Git
package import SettingsModel

// Which store is meant where none is named.

extension StoreFolder {
    /// The nearest store at or above `folder`, an absolute path; otherwise the one that git's configuration names, or the only
    /// one in the repository that `folder` lies in.
    /// `sudoUser` is the person behind root, if any.
    package static func find(from folder: String, sudoUser: UInt32? = nil) throws(Problem) -> StoreFolder? {
        if let store = try nearest(to: folder) { return store }
        let start = Folder.resolved(folder)
        let root = try StoreFolder(path: start).repositoryRoot
        if let store = try configured(root: root, sudoUser) { return store }
        guard let root else { return nil }
        return try only(in: root)
    }

    /// The store in a folder that somebody named, by an absolute path, or in a bare repository there; nil where there is none.
    package static func existing(_ path: String, sudoUser: UInt32? = nil) throws(Problem) -> StoreFolder? {
        let folder = StoreFolder(path: path)
        if try folder.exists { return folder }
        try checkNotDeleted(at: path, sudoUser: sudoUser)
        return try inBareRepository(path, isNamed: true, sudoUser: sudoUser)
    }

    /// The nearest store at or above `start`, an absolute path.
    package static func nearest(to start: String) throws(Problem) -> StoreFolder? {
        for path in FileSystem.folders(upFrom: start) {
            if try isThere(path + "/_store.json") { return StoreFolder(path: path) }
        }
        return nil
    }

    /// Throws where a folder is a store but for its `_store.json`, which the last version has. `above`: also where it lies in one.
    package static func checkNotDeleted(at start: String, above: Bool = false, sudoUser: UInt32? = nil) throws(Problem) {
        for path in FileSystem.folders(upFrom: Folder.resolved(start)) {
            guard let versions = try? Versions.open(StoreFolder(path: path), sudoUser: sudoUser, readsOnly: true) else { return }
            if (try? versions.tip().content(.store)) != nil,
                (try? isThere(path + "/_store.json")) == false, let root = versions.repository.git.workDirectory
            {
                throw .file(
                    .storeFileIsMissing(
                        store: path, root: FileSystem.trimmed(root), file: versions.repositoryPath(.store), try missing(versions))
                )
            }
            guard above else { return }
        }
    }

    /// Where the `_store.json` is that is not among the files.
    private static func missing(_ versions: Versions) throws(Problem) -> FileProblem.StoreFile {
        let index = versions.repository.index
        var skipped: Set<String> = []
        do { skipped = Set(try index.skippedPaths()) } catch {
            // What git alone can read, it may leave out as a whole folder.
            if case .unknownIndex = error.kind { throw Problem(error) }
        }
        if skipped.contains(versions.repositoryPath(.store)) {
            // git keeps what only one work tree says in a file of its own, which libgit2 1.5 does not read.
            let key = "core.sparseCheckoutCone"
            let value =
                Store.configured(key, inFile: versions.repository.git.gitDirectory + "/config.worktree")
                ?? versions.configured(key)
            return .leftOut(byFolder: value?.lowercased() == "true")
        }
        let entries = try? index.contents(under: versions.folderInRepository)
        return entries?[Subject.store.path] != nil ? .inIndex : .inLastVersion
    }

    /// The store in the bare repository that `start` is or lies in, if it is or lies in one, as its last version has it: the one
    /// in its root, or else the one that the repository's configuration names, or the only one. `isNamed`: somebody means the
    /// store in that very folder.
    package static func inBareRepository(
        _ start: String, isNamed: Bool = false, sudoUser: UInt32?
    ) throws(Problem) -> StoreFolder? {
        let start = Folder.resolved(start)
        guard gitDirectory(above: start) == nil, let root = bareRepository(above: start) else { return nil }
        let versions = try Versions.open(StoreFolder(inBare: root, folder: ""), sudoUser: sudoUser, readsOnly: true)
        guard versions.repository.git.workDirectory == nil else { return nil }
        let tip = try versions.tip()
        func isStore(_ folder: String) throws(Problem) -> Bool {
            try tip.hasEntry(at: folder.isEmpty ? "_store.json" : folder + "/_store.json")
        }
        let inside = String(decoding: start.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self)
        if isNamed, !inside.isEmpty {
            guard try isStore(inside) else { throw .repository(.bareHoldsNoStore(root: start)) }
            return try checked(StoreFolder(inBare: root, folder: inside), sudoUser)
        }
        var folders = [""]
        if let named = try git(versions.repository.configuration.configuredWithOrigin("settings.store")), named.isOwn {
            folders.append(FileSystem.trimmed(named.value))
        }
        for folder in folders where try isStore(folder) {
            return try checked(StoreFolder(inBare: root, folder: folder), sudoUser)
        }
        let stores = try tip.stores()
        if stores.count > 1 { throw .repository(.severalStores(stores, root: root)) }
        guard let only = stores.first else { throw .repository(.bareHoldsNoStore(root: root)) }
        return try checked(StoreFolder(inBare: root, folder: only), sudoUser)
    }

    private static func checked(_ folder: StoreFolder, _ sudoUser: UInt32?) throws(Problem) -> StoreFolder {
        try Versions.open(folder, sudoUser: sudoUser, readsOnly: true).tip().checkFormat()
        return folder
    }

    /// The store that `settings.store` of git's configuration names, counted from the repository's root. The repository's own
    /// configuration names none outside of the repository.
    private static func configured(root: String?, _ sudoUser: UInt32?) throws(Problem) -> StoreFolder? {
        let key = "settings.store"
        // What the configuration of somebody else's repository says doesn't count, as for git.
        let repository = root.flatMap { root in (try? Repository.open(at: root, sudoUser: sudoUser))?.configuration }
        let found =
            if let repository { (try? repository.configuredWithOrigin(key)).flatMap { $0 } } else {
                (try? RepositoryConfiguration.ofUser(key)).flatMap { $0 }.map { (value: $0, isOwn: false) }
            }
        guard let (value, isOwn) = found, !value.isEmpty else { return nil }
        let expanded = (try? RepositoryConfiguration.expanded(path: value)) ?? value
        guard let path = expanded.hasPrefix("/") ? expanded : root.map({ "\($0)/\(expanded)" }) else { return nil }
        let store = StoreFolder(path: FileSystem.trimmed(path))
        if isOwn, let root, !isInside(store.resolvedPath, root) {
            throw .repository(.configuredStoreIsOutside(value, root: root))
        }
        if try store.exists { return StoreFolder(path: store.resolvedPath) }
        // The user's word about all repositories need not fit this one.
        if !isOwn, !expanded.hasPrefix("/") { return nil }
        throw .repository(.configuredStoreIsMissing(value, path: store.path))
    }

    /// The only store in a repository, by what git's index lists.
    private static func only(in root: String) throws(Problem) -> StoreFolder? {
        guard let gitDirectory = gitDirectory(above: root),
            let folders = Index.folders(holding: Subject.store.path, workDirectory: root, gitDirectory: gitDirectory)
        else { return nil }
        var stores: [StoreFolder] = []
        for folder in folders {
            let store = StoreFolder(path: folder.isEmpty ? root : "\(root)/\(folder)")
            // A sparse checkout may leave it out, and a link may lead elsewhere.
            guard isInside(store.resolvedPath, root), try store.exists else { continue }
            stores.append(store)
        }
        if stores.count > 1 {
            throw .repository(
                .severalStores(stores.map { String($0.path.dropFirst(root == "/" ? 1 : root.count + 1)) }.sorted(), root: root))
        }
        return stores.first
    }

    private static func isInside(_ path: String, _ root: String) -> Bool {
        let root = FileSystem.trimmed(Folder.resolved(root))
        return path == root || path.utf8.starts(with: (root == "/" ? root : root + "/").utf8)
    }
}

extension Snapshot {
    /// The folders of the repository that hold a store, sorted.
    func stores() throws(Problem) -> [String] {
        guard let tree else { return [] }
        let file = Subject.store.path
        return try git(versions.repository.objects.files(in: tree, under: "")).compactMap { entry in
            if entry.path == file { return "" }
            return entry.path.hasSuffix("/" + file) ? String(entry.path.dropLast(file.count + 1)) : nil
        }.sorted()
    }
}
