import Files
import Git
import SettingsModel

extension Versions {
    /// Opens the versions of the store whose files are in `folder`. `sudoUser` is the person behind root, if any.
    static func open(_ folder: StoreFolder, sudoUser: UInt32?, readsOnly: Bool) throws(Problem) -> Versions {
        guard let root = try folder.repositoryRoot else {
            throw .repository(.isInNone(folder: folder.path))
        }
        let repository: Repository
        do {
            repository = try Repository.open(at: root, sudoUser: sudoUser, readsOnly: readsOnly)
        } catch {
            switch error.kind {
            case .otherFormat: throw .repository(.usesSHA256(root: root))
            case .foreignOwner:
                throw .repository(.belongsToOther(root: root, reason: error.message))
            case .configuration, .damagedIndex, .exhausted: throw Problem(error)
            case .other: throw .repository(.cannotOpen(root: root, reason: error.message))
            case .denied: throw .repository(.cannotRead(root: root, reason: error.message))
            case .notFound where FileSystem.isUnreadable(root + "/.git"):
                throw .repository(.cannotRead(root: root, reason: "Permission denied"))
            case .notFound where Self.holdsRepository(root), .corrupt where Self.holdsRepository(root):
                // It was found, and libgit2 takes what it can't look at for missing.
                throw .repository(.cannotOpenDamaged(root: root, reason: error.message))
            default: throw .repository(.isNone(root: root, reason: error.message, folder.repairOfRepository))
            }
        }
        if folder.bareRepository != nil {
            let place = folder.path.utf8.dropFirst(root.utf8.count + 1)
            let prefix = place.isEmpty ? "" : String(decoding: place, as: UTF8.self) + "/"
            return Versions(folder: folder, repository: repository, prefix: prefix)
        }
        guard let work = repository.git.workDirectory else {
            throw .repository(.isBare(root: root))
        }
        let base = Folder.resolved(work)
        // A linked work tree and a submodule have theirs where their `.git` is.
        guard base == Folder.resolved(root) else {
            throw .repository(.workTreeElsewhere(root: root, workTree: base))
        }
        let place = Folder.resolved(folder.path)
        guard place == base || place.utf8.starts(with: (FileSystem.trimmed(base) + "/").utf8) else {
            throw .repository(.isOutside(folder: folder.path, workTree: base))
        }
        let prefix = place == base ? "" : String(decoding: place.utf8.dropFirst(base.utf8.count + 1), as: UTF8.self) + "/"
        return Versions(folder: folder, repository: repository, prefix: prefix)
    }

    /// Whether all is there that makes a git directory, or can't be looked at.
    private static func holdsRepository(_ root: String) -> Bool {
        let place = (try? FileSystem.isThere(root + "/.git/HEAD")) == false ? root : root + "/.git"
        return ["HEAD", "objects", "refs"].allSatisfy { (try? FileSystem.isThere("\(place)/\($0)")) ?? true }
    }
}
