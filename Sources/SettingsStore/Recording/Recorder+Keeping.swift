import Files
import Git
import SettingsModel

/// What files held that something else was written over, for 30 days: a commit on the last version for each time.
extension Recorder {
    static let keptReferences = "refs/settings/discarded/"

    /// Keeps what files of the repository hold, nil for one that isn't there. Returns the reference that leads to it. `left` is
    /// what stays in their places where that is not what the last version has: a commit between the two.
    @discardableResult
    func keep(
        _ files: [(path: String, bytes: [UInt8]?)], leaving left: [(path: String, bytes: [UInt8]?)] = [], beside tip: Snapshot,
        by signature: Signature, message: String = "discarded draft\n", _ own: String
    ) throws(Problem) -> String {
        try git { () throws(GitError) in
            versions.repository.objects.collectObjects()
            // Not versions, so they are not signed.
            func commit(
                _ files: [(path: String, bytes: [UInt8]?)], on parent: (id: ObjectID?, tree: ObjectID?)
            ) throws(GitError) -> (id: ObjectID, tree: ObjectID) {
                var updates: [TreeUpdate] = []
                for (path, bytes) in files {
                    var change = TreeUpdate.Change.remove
                    if let bytes { change = .put(try versions.repository.objects.write(blob: bytes), .blob) }
                    updates.append(TreeUpdate(path: path, change: change))
                }
                let tree = try versions.repository.objects.tree(updating: parent.tree, with: updates)
                let id = try versions.repository.objects.writeCommit(
                    tree: tree, parents: parent.id.map { [$0] } ?? [], author: signature, committer: signature,
                    message: message)
                return (id, tree)
            }
            var parent: (id: ObjectID?, tree: ObjectID?) = (tip.id, tip.tree)
            if !left.isEmpty { parent = try commit(left, on: parent) }
            let commit = try commit(files, on: parent).id
            let reference = "\(Self.keptReferences)\(signature.time)-\(commit.short)"
            // The same was kept within the same second.
            if try versions.repository.references.reference(named: reference) == commit { return reference }
            try versions.repository.references.setReference(
                reference, to: commit, from: nil, by: signature, note: "settings: discard", own: own,
                durability: journal.durability)
            return reference
        }
    }

    /// The same where nobody asked for it.
    func keep(_ files: [(path: String, bytes: [UInt8]?)], beside tip: Snapshot, _ own: String) throws(Problem) {
        let program = Person(name: "settings", email: "settings@localhost")
        try keep(files, beside: tip, by: Signature(program, at: Time(seconds: max(0, ThisProcess.now), offset: 0)), own)
    }
}
