import Files
import Git
import SettingsModel

/// Looks at versions that came in and are not yet in the store, each new commit, folder and file once.
struct IncomingCheck {
    /// How the branch there is called.
    let name: String
    /// The versions as the courier has them.
    let incoming: Versions
    /// In the store already.
    let known: [ObjectID]

    private var objects: Objects { incoming.repository.objects }

    /// Throws for the first version that brings something that a store can't have.
    func check(_ tip: VersionID?, tags: [ObjectID], since head: VersionID?) throws(Problem) {
        do throws(Problem) {
            try checkVersions((tip.map { [$0] } ?? []) + tags)
            if let tip { try checkMeaning(of: tip, since: head) }
        } catch {
            switch error {
            case .repository(.objectIsMissing(let reason)), .repository(.isCorrupt(let reason)):
                throw .sync(.isBroken(remote: name, reason: reason))
            default: throw error
            }
        }
    }

    /// Throws for the first version, oldest first, that nobody known has signed. `trusted`: those that need no check.
    func checkSignatures(_ tips: [VersionID], hiding trusted: [ObjectID], by checker: SignatureChecker) throws(Problem) {
        var ids: [VersionID] = []
        var walk = try git { () throws(GitError) in try objects.commits(from: tips, hiding: trusted, order: .topological) }
        while let id = try incoming.next(&walk) { ids.append(id) }
        for id in ids.reversed() {
            let (version, signed) = (try incoming.version(id), try git { () throws(GitError) in try objects.signature(of: id) })
            let check = checker.check(signed, at: version.time.seconds)
            if check.verdict != .good {
                throw .sync(.refused(name: name, IncomingFault(.isNotSigned(check), path: "", in: version)))
            }
        }
    }

    /// Oldest first: a version is compared with one that was looked at before, or is in the store.
    private func checkVersions(_ tips: [ObjectID]) throws(Problem) {
        var ids: [ObjectID] = []
        var walk = try git { () throws(GitError) in try objects.commits(from: tips, hiding: known, order: .topological) }
        while let id = try incoming.next(&walk) { ids.append(id) }
        ids.reverse()
        guard let found = try firstFault(in: ids) else { return }
        throw try refusal(found.kind, found.path, found.version)
    }

    private struct Fault: Sendable {
        var kind: IncomingFault.Kind
        var path: String
        var version: VersionID
    }

    /// Of many on all processors.
    private func firstFault(in ids: [VersionID]) throws(Problem) -> Fault? {
        if ids.count < 2 * Workers.share { return try Self.firstFault(in: ids[...], of: incoming) }
        let (folder, prefix, place) = (incoming.folder, incoming.prefix, incoming.repository.git.gitDirectory)
        let parts = Workers.parts(of: ids.count) { part in
            Result { () throws(Problem) -> Fault? in
                // libgit2's handles belong to one thread.
                let repository = try git { () throws(GitError) in try Repository.open(at: place, readsOnly: true) }
                return try Self.firstFault(in: ids[part], of: Versions(folder: folder, repository: repository, prefix: prefix))
            }
        }
        for part in parts { if let fault = try part.get() { return fault } }
        return nil
    }

    private static func firstFault(in ids: ArraySlice<VersionID>, of versions: Versions) throws(Problem) -> Fault? {
        let objects = versions.repository.objects
        // A parent is most often the version that was looked at before.
        var last: (id: ObjectID, tree: ObjectID?)?
        for id in ids {
            let differences = try git { () throws(GitError) in
                let header = try objects.header(id)
                var old: ObjectID?
                if let parent = header.parents.first {
                    if let last, last.id == parent {
                        old = last.tree
                        // A shallow clone has no parents at its edge.
                    } else if try objects.exists(parent) {
                        old = try objects.header(parent).tree
                    }
                }
                last = (id, header.tree)
                return try objects.differences(from: old, to: header.tree, under: versions.folderInRepository)
            }
            for difference in differences {
                guard let kind = try fault(in: difference, of: versions) else { continue }
                return Fault(kind: kind, path: difference.path, version: id)
            }
        }
        return nil
    }

    private func refusal(_ kind: IncomingFault.Kind, _ path: String, _ id: VersionID) throws(Problem) -> Problem {
        .sync(.refused(name: name, IncomingFault(kind, path: path, in: try incoming.version(id))))
    }

    private static func fault(in difference: Difference, of versions: Versions) throws(Problem) -> IncomingFault.Kind? {
        guard let content = difference.new else { return nil }
        let names = difference.path.split(separator: "/", omittingEmptySubsequences: false)
        guard difference.pathIsValid, names.allSatisfy({ FileSystem.isPlainName(String($0)) }) else { return .hasBadName }
        switch content.mode {
        case .link: return .isLink
        case .commit: return .isSubmodule
        case .tree, .blob, .executable: break
        }
        let isOption = versions.subject(atRepositoryPath: difference.path) != nil
        let size = try git { () throws(GitError) in try versions.repository.objects.size(of: content.id) }
        let limit = isOption ? JSON.sizeLimit : WorkTree.otherFileLimit
        return size > limit ? .isTooLarge(limit) : nil
    }

    /// The last version has to be a store that this program can read. Versions on the way need not be.
    private func checkMeaning(of tip: VersionID, since head: VersionID?) throws(Problem) {
        let new = try incoming.snapshot(tip)
        let definition = incoming.repositoryPath(.store)
        do throws(Problem) {
            if try new.item(.store) == nil {
                // A branch that never had a store can be merged or not; the merge decides that.
                if try !hadStore(tip, head) { return }
                throw try refusal(.isNoStore, definition, tip)
            }
        } catch {
            guard case .file = error else { throw error }
            throw try refusal(.unreadable(error), definition, tip)
        }
        guard let file = try incoming.changes(from: try incoming.snapshot(head), to: new).unreadable.first else { return }
        throw try refusal(.unreadable(file.problem), incoming.prefix + file.path, tip)
    }

    /// Whether the branch had a store where it left the one here.
    private func hadStore(_ tip: VersionID, _ head: VersionID?) throws(Problem) -> Bool {
        guard let head else { return false }
        let bases = try git { () throws(GitError) in try objects.mergeBases(of: head, and: tip) }
        guard let base = bases.first else { return false }
        return try incoming.snapshot(base).has(.store)
    }
}
