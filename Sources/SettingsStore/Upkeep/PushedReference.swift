import Files
import Git
package import SettingsModel

/// A reference that a push creates, moves or deletes, as git's pre-receive hook is told.
package struct PushedReference: Sendable {
    package let old: VersionID?
    package let new: VersionID?
    package let name: String

    /// `OLD NEW NAME`, where 40 zeros stand for none; nil for anything else.
    package init?(_ line: Substring) {
        let words = line.split(separator: Character(" "), maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, let old = ObjectID(hex: words[0]), let new = ObjectID(hex: words[1]) else { return nil }
        func named(_ id: ObjectID, _ word: String) -> ObjectID? { word.allSatisfy { $0 == "0" } ? nil : id }
        (self.old, self.new, name) = (named(old, words[0]), named(new, words[1]), words[2])
    }
}

extension Store {
    /// What is wrong with the versions that a push brings to the repository of this git directory, in all stores that the
    /// pushed version has; the paths are those of the repository. What a new reference shares with others is not looked at.
    /// Nothing is written.
    package static func findings(
        in pushed: PushedReference, to gitDirectory: String, sudoUser: UInt32?
    ) throws(Problem) -> [Finding] {
        let root = try onDisk(FileSystem.resolved(gitDirectory))
        let versions = try Versions.open(StoreFolder(inBare: root, folder: ""), sudoUser: sudoUser, readsOnly: true)
        let references = versions.repository.references
        func commit(_ id: ObjectID?) throws(Problem) -> VersionID? {
            guard let id else { return nil }
            return try git(references.commit(peeling: id))
        }
        guard let new = try commit(pushed.new) else { return [] }
        let old = try commit(pushed.old)
        var hidden = old.map { [$0] } ?? []
        if old == nil {
            let known = Set(try git(references.references(matching: "refs/*")).map(\.target))
            for id in known { if let id = try commit(id) { hidden.append(id) } }
        }
        let tip = try versions.snapshot(new)
        var folders = Set(try tip.stores())
        // A push that takes a store's own file away leaves its options to whoever reads the files.
        for known in try versions.known(before: new, without: hidden) { folders.formUnion(try versions.snapshot(known).stores()) }
        var findings: [Finding] = []
        for folder in folders.sorted() {
            if let old, try versions.snapshot(old).content(at: folder) == tip.content(at: folder), !folder.isEmpty { continue }
            let store = try Store.open(StoreFolder(inBare: root, folder: folder), sudoUser: sudoUser, readsOnly: true)
            store.versions.origin = new
            try store.versions.snapshot(new).checkFormat()
            findings += try store.upkeep.verify(without: hidden, to: new).findings.map { finding in
                var finding = finding
                finding.path = store.versions.prefix + finding.path
                return finding
            }
        }
        return findings.filter { $0.kind == .problem }
    }
}

extension Versions {
    /// The versions on which those build that are in the history of one and of none of `hidden`.
    fileprivate func known(before new: VersionID, without hidden: [VersionID]) throws(Problem) -> Set<VersionID> {
        var (added, parents): (Set<VersionID>, Set<VersionID>) = ([], [])
        var walk = try git(repository.objects.commits(from: [new], hiding: hidden))
        while let id = try next(&walk) {
            added.insert(id)
            parents.formUnion(try git(repository.objects.header(id)).parents)
        }
        return parents.subtracting(added)
    }
}
