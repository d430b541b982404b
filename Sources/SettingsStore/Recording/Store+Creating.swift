import Git
package import SettingsModel

extension Store {
    /// Makes a store in the folder `path` (made where it is missing): in the repository it lies in, else in a new one.
    /// Where there is a store already nothing happens.
    package static func create(
        at path: String, title: Text, done: Done, sudoUser: UInt32? = nil
    ) throws(StoreError) -> (store: Store, outcome: Outcome) {
        let folder = StoreFolder(path: path)
        if let around = StoreFolder.find(from: path), around.path != path {
            throw StoreError(
                .usage, "\(path) lies in the store \(around.path)", hint: "add groups to that one, or make a store elsewhere"
            )
        }
        if folder.repositoryRoot == nil {
            try git { () throws(GitError) in
                _ = try Repository.create(at: path, branch: try Repository.userDefaultBranch())
            }
        } else {
            do { try Folder.make(path) } catch { throw StoreError(.cannotWrite, error.reason) }
        }
        let store = try open(StoreFolder(path: path), sudoUser: sudoUser)
        if let definition = try store.folder.item(.store) {
            guard try store.tip().item(.store) == nil else { return (store, .unchanged) }
            let outcome = try store.record(done) { _ throws(StoreError) in
                var edit = Edit([Change(.store, title: title, facet: .existence, before: nil, after: .item(definition))])
                edit.recordsDraft = [.store]
                edit.files = store.attributesUpdate
                edit.subject = "new store: \(definition.title?.string ?? "Settings")"
                return edit
            }
            return (store, outcome)
        }
        let definition = StoreDefinition(title: title)
        let outcome = try store.record(done) { _ throws(StoreError) in
            var edit = Edit([Change(.store, title: title, facet: .existence, before: nil, after: .item(.store(definition)))])
            edit.files = store.attributesUpdate
            edit.subject = "new store: \(title)"
            return edit
        }
        return (store, outcome)
    }
}
