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
            guard let tip else { return }
            let base = try agreed(tip, head)
            try checkNames(of: tip, since: base)
            try checkMeaning(of: tip, since: head, base)
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
        var walk = try git(objects.commits(from: tips, hiding: trusted, order: .topological))
        while let id = try incoming.next(&walk) { ids.append(id) }
        for id in ids.reversed() {
            let (version, signed) = (try incoming.version(id), try git(objects.signature(of: id)))
            let check = checker.check(signed, at: version.time.seconds)
            if check.verdict != .good {
                throw .sync(.refused(name: name, IncomingFault(.isNotSigned(check), path: "", in: version)))
            }
        }
    }

    /// Oldest first: a version is compared with one that was looked at before, or is in the store.
    private func checkVersions(_ tips: [ObjectID]) throws(Problem) {
        var ids: [ObjectID] = []
        var walk = try git(objects.commits(from: tips, hiding: known, order: .topological))
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
        let (origin, former) = (incoming.origin, incoming.formerPrefixes)
        let parts = Workers.parts(of: ids.count) { part in
            Result { () throws(Problem) -> Fault? in
                // libgit2's handles belong to one thread.
                let repository = try git(Repository.open(at: place, readsOnly: true))
                let versions = Versions(folder: folder, repository: repository, prefix: prefix)
                (versions.origin, versions.formerPrefixes) = (origin, former)
                return try Self.firstFault(in: ids[part], of: versions)
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
            if Interrupts.signal != nil { throw .repository(.failed(reason: "interrupted")) }
            let differences: [Difference]
            do throws(GitError) {
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
                differences = try versions.differences(from: old, to: header.tree)
            } catch {
                guard error.kind == .tooDeep else { throw Problem(error) }
                return Fault(kind: .isTooDeep, path: versions.folderInRepository, version: id)
            }
            for difference in differences {
                guard let kind = try fault(in: difference, of: versions) else { continue }
                return Fault(kind: kind, path: versions.prefix + difference.path, version: id)
            }
        }
        return nil
    }

    private func refusal(_ kind: IncomingFault.Kind, _ path: String, _ id: VersionID) throws(Problem) -> Problem {
        .sync(.refused(name: name, IncomingFault(kind, path: path, in: try incoming.version(id))))
    }

    private static func fault(in difference: Difference, of versions: Versions) throws(Problem) -> IncomingFault.Kind? {
        guard let content = difference.new else { return nil }
        let names = (versions.prefix + difference.path).split(separator: "/", omittingEmptySubsequences: false)
        guard difference.pathIsValid, names.allSatisfy({ FileSystem.isPlainName(String($0)) }) else { return .hasBadName }
        switch content.mode {
        case .link: return .isLink
        case .commit: return .isSubmodule
        case .tree, .blob, .executable: break
        }
        let isOption = Subject(path: difference.path) != nil
        let size = try git(versions.repository.objects.size(of: content.id))
        let limit = isOption ? JSON.sizeLimit : WorkTree.otherFileLimit
        return size > limit ? .isTooLarge(limit) : nil
    }

    /// The last version has to be a store that this program can read. Versions on the way need not be.
    private func checkMeaning(of tip: VersionID, since head: VersionID?, _ base: VersionID?) throws(Problem) {
        let new = try incoming.snapshot(tip)
        let definition = incoming.repositoryPath(.store)
        do throws(Problem) {
            if try new.item(.store) == nil {
                // A branch that never had a store can be merged or not; the merge decides that.
                guard let base, try incoming.snapshot(base).has(.store) else { return }
                throw try refusal(.isNoStore, definition, tip)
            }
        } catch {
            guard case .file = error else { throw error }
            throw try refusal(.unreadable(error), definition, tip)
        }
        let ours = try incoming.snapshot(head)
        for difference in try git(incoming.differences(from: ours.tree, to: new.tree)) {
            guard let content = difference.new, let subject = difference.subject else { continue }
            do throws(Problem) { _ = try new.item(subject, content) } catch {
                guard error.kind == .badData else { throw error }
                throw try refusal(.unreadable(error), incoming.prefix + subject.path, tip)
            }
        }
    }

    /// Where the branch left the one here.
    private func agreed(_ tip: VersionID, _ head: VersionID?) throws(Problem) -> VersionID? {
        guard let head else { return nil }
        return try git(objects.mergeBases(of: head, and: tip)).first
    }

    /// What the branch has added has to be what a store can hold. What was wrong before is told by `verify`; so is a name in what
    /// is cloned, which may be the only copy.
    private func checkNames(of tip: VersionID, since base: VersionID?) throws(Problem) {
        let (old, new) = (try incoming.snapshot(base), try incoming.snapshot(tip))
        guard try new.has(.store) else { return }
        let differences = try git(incoming.differences(from: old.tree, to: new.tree))
        let removed = differences.filter { $0.new == nil }.compactMap(\.subject)
        var names = Names(base: old, removing: Set(removed))
        var folders: [String: Place] = [:]
        for path in differences.lazy.filter({ $0.old == nil }).map(\.path) {
            switch try place(path[...], in: new, &folders) {
            case .foreign: continue
            case .fault(let kind, let path): throw try refusal(kind, incoming.prefix + path, tip)
            case .own: break
            }
            guard base != nil, path.hasSuffix(".json"), !path.hasSuffix("/_store.json") else { continue }
            guard let subject = Subject(path: path) else { throw try refusal(.hasBadName, incoming.prefix + path, tip) }
            do throws(Problem) { try names.add(subject) } catch {
                guard case .key(.differsByCase(_, let other)) = error else { throw error }
                throw try refusal(.differsByCase(other: other.description), incoming.prefix + path, tip)
            }
        }
    }

    /// What lies in a folder.
    private enum Place {
        case own
        /// Another store's, or nothing that a store reads.
        case foreign
        case fault(IncomingFault.Kind, path: String)
    }

    /// Where a path leads to, by the folders it goes through, as `StoreFolder` lists them.
    private func place(
        _ path: Substring, in new: Snapshot, _ folders: inout [String: Place]
    ) throws(Problem) -> Place {
        guard let slash = path.lastIndex(of: "/") else { return .own }
        let folder = String(path[..<slash])
        if let known = folders[folder] { return known }
        var place = try place(folder[...], in: new, &folders)
        if case .own = place {
            let name = folder.split(separator: "/").last.map(String.init) ?? ""
            if name.hasSuffix(".json"), Subject(path: folder) != nil {
                place = .fault(.isFolder, path: folder)
            } else if (try? Key(parts: [name])) == nil || folder.utf8.count(where: { $0 == UInt8(ascii: "/") }) >= Key.partLimit {
                place = .foreign
            } else if try new.hasEntry(at: "\(folder)/_store.json") {
                place = .foreign
            }
        }
        folders[folder] = place
        return place
    }
}
