import Files
import Git
package import SettingsModel

extension Store {
    /// Makes a store in the folder `path` (made where it is missing): in the repository it lies in, else in a new one.
    /// Where there is a store already nothing happens.
    package static func create(
        at path: String, title: ExactText, done: Done, sudoUser: UInt32? = nil, durability: Durability? = nil
    ) throws(Problem) -> (store: Store, outcome: Outcome) {
        let folder = StoreFolder(path: path)
        if let around = try StoreFolder.nearest(to: path), around.path != path {
            throw .file(.storeInStore(path, around: around.path))
        }
        var isNew = false
        let hasFolder = (try? FileSystem.isThere(path)) == true
        do throws(Problem) {
            try onDisk(Folder.make(path))
            if try folder.repositoryRoot == nil {
                if let bare = StoreFolder.bareRepository(above: folder.resolvedPath) { throw .repository(.isBare(root: bare)) }
                isNew = try createRepository(at: path, durable: durability != .some(.none))
            }
            return try create(in: path, title, done, sudoUser, durability)
        } catch {
            // As it was: no repository without a version, no empty folder.
            if isNew { try? Repository.remove(newAt: path) }
            if !hasFolder { try? FileSystem.removeFolder(path) }
            throw error
        }
    }

    /// What `create` would record; nil where there is a store already. Nothing is made.
    package static func plan(at path: String, title: ExactText) throws(Problem) -> Outcome? {
        if let around = try StoreFolder.nearest(to: path) {
            if around.path != path { throw .file(.storeInStore(path, around: around.path)) }
            if try around.repositoryRoot != nil { return nil }
        }
        let folder = StoreFolder(path: path)
        if try folder.repositoryRoot == nil, let bare = StoreFolder.bareRepository(above: folder.resolvedPath) {
            throw .repository(.isBare(root: bare))
        }
        try StoreFolder.checkNotDeleted(at: path)
        let change = Change(
            .store, title: title, facet: .existence, before: nil, after: .item(.store(StoreDefinition(title: title))))
        return .planned(subject: "new store: \(title)", [change])
    }

    /// False where somebody else was faster.
    private static func createRepository(at path: String, durable: Bool) throws(Problem) -> Bool {
        do throws(GitError) {
            _ = try Repository.create(at: path, branch: try Repository.userDefaultBranch(), durable: durable)
            return true
        } catch {
            if error.kind == .exists { return false }
            // There is no folder there to make it in.
            throw error.kind == .notFound ? .repository(.failed(reason: error.description)) : Problem(error)
        }
    }

    private static func create(
        in path: String, _ title: ExactText, _ done: Done, _ sudoUser: UInt32?, _ durability: Durability?
    ) throws(Problem) -> (store: Store, outcome: Outcome) {
        let store = try open(StoreFolder(path: path), sudoUser: sudoUser)
        store.journal.wantedDurability = durability
        if let definition = try store.folder.item(.store) {
            guard try store.versions.tip().item(.store) == nil else { return (store, .unchanged) }
            let outcome = try store.recorder.record(done) { tip throws(Problem) in
                guard try tip.item(.store) == nil else { return Edit([]) }
                var edit = Edit([Change(.store, title: title, facet: .existence, before: nil, after: .item(definition))])
                edit.recordsDraft = [.store]
                edit.files = store.workTree.attributesUpdate
                edit.subject = "new store: \(definition.title?.string ?? "Settings")"
                return edit
            }
            return (store, outcome)
        }
        let definition = StoreDefinition(title: title)
        let outcome = try store.recorder.record(done) { tip throws(Problem) in
            // Somebody else may have made it meanwhile.
            guard try tip.item(.store) == nil else { return Edit([]) }
            var edit = Edit([Change(.store, title: title, facet: .existence, before: nil, after: .item(.store(definition)))])
            edit.files = store.workTree.attributesUpdate
            edit.subject = "new store: \(title)"
            return edit
        }
        if case .unchanged = outcome { try StoreFolder.checkNotDeleted(at: path, sudoUser: sudoUser) }
        return (store, outcome)
    }
}
