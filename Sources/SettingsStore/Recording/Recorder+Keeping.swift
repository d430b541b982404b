import Files
import Git
import SettingsModel

/// What files held that something else was written over, for 30 days: a commit on the last version for each time.
extension Recorder {
    static let keptReferences = "refs/settings/discarded/"

    /// The references that lead to what is kept, oldest first.
    var kept: [(name: String, target: ObjectID)] {
        get throws(Problem) { try git(versions.repository.references.references(matching: Self.keptReferences + "*")) }
    }

    /// Keeps what files of the repository hold, nil for one that isn't there. Returns the reference that leads to it. `left` is
    /// what stays in their places where that is not what the last version has: a commit between the two.
    @discardableResult
    func keep(
        _ files: [(path: String, bytes: [UInt8]?)], leaving left: [(path: String, bytes: [UInt8]?)] = [], beside tip: Snapshot,
        by signature: Signature, message: String = "discarded draft\n", _ own: String
    ) throws(Problem) -> String {
        let (objects, references) = (versions.repository.objects, versions.repository.references)
        objects.collectObjects()
        // Not versions, so they are not signed.
        func commit(
            _ files: [(path: String, bytes: [UInt8]?)], on parent: (id: ObjectID?, tree: ObjectID?)
        ) throws(Problem) -> (id: ObjectID, tree: ObjectID) {
            var updates: [TreeUpdate] = []
            for (path, bytes) in files {
                var change = TreeUpdate.Change.remove
                if let bytes { change = .put(try git(objects.write(blob: bytes)), .blob) }
                updates.append(TreeUpdate(path: path, change: change))
            }
            let tree = try git(objects.tree(updating: parent.tree, with: updates))
            let id = try git(
                objects.writeCommit(
                    tree: tree, parents: parent.id.map { [$0] } ?? [], author: signature, committer: signature,
                    message: message))
            return (id, tree)
        }
        var parent: (id: ObjectID?, tree: ObjectID?) = (tip.id, tip.tree)
        if !left.isEmpty { parent = try commit(left, on: parent) }
        let commit = try commit(files, on: parent).id
        let kept = try git(references.references(matching: "\(Self.keptReferences)\(signature.time)*"))
        // The same was kept within the same second.
        if let last = kept.last, last.target == commit { return last.name }
        let reference = Self.keptReference(commit, at: signature.time, after: kept.last?.name)
        try git(
            references.setReference(
                reference, to: commit, from: nil, by: signature, note: "settings: discard", own: own,
                durability: journal.durability))
        return reference
    }

    /// The seconds, among several of one second a number, and the commit: in the order of the names the last one is the newest.
    static func keptReference(_ commit: ObjectID, at time: Int64, after last: String?) -> String {
        var name = "\(keptReferences)\(time)"
        if let last {
            let number = last.dropFirst(name.count + 1).prefix { $0 != "-" }
            let next = last.dropFirst(name.count).hasPrefix(".") ? (Int(number) ?? 0) + 1 : 1
            name += "." + String(10_000 + next).dropFirst()
        }
        return "\(name)-\(commit.short)"
    }

    /// The same for what is left of what another reference has kept.
    static func keptReference(_ commit: ObjectID, inPlaceOf reference: String) -> String {
        (reference.lastIndex(of: "-").map { String(reference[...$0]) } ?? reference) + commit.short
    }

    /// The same where nobody asked for it.
    func keep(_ files: [(path: String, bytes: [UInt8]?)], beside tip: Snapshot, _ own: String) throws(Problem) {
        let program = Person(name: "settings", email: "settings@localhost")
        try keep(files, beside: tip, by: Signature(program, at: Time(seconds: max(0, ThisProcess.now), offset: 0)), own)
    }
}
