import Files
import Git
package import SettingsModel

/// What is known of the remotes, without asking them.
package struct RemotesQuery: Query {
    package var trust: Trust

    package init(_ trust: Trust) { self.trust = trust }

    package struct Known: Sendable {
        package var remote: Remote
        /// Versions here that it didn't have when it was last reached, and the other way round; nil if it never was.
        package var ahead: Int?
        package var behind: Int?
        /// When it was last reached by this program.
        package var reached: Time?
        /// What git is told only if it is trusted.
        package var programs: [RemoteProgram] = []
    }

    package func answer(in session: Session) throws(Problem) -> [Known] {
        let syncing = try session.store.syncing
        let remotes = try Remotes(syncing.versions)
        let (branch, head) = (try syncing.versions.branch ?? "main", try syncing.versions.head.commit)
        return try remotes.names.map { name throws(Problem) in
            let remote = remotes.remote(named: name, for: branch)
            var answer = Known(remote: remote, reached: syncing.lastReached(remote, session.clock))
            let guarded = remotes.guarded(for: remote, in: syncing.baseFolder)
            let trusted = trust.trusted(guarded, in: remotes.repository)
            answer.programs = guarded.map { RemoteProgram($0, isTrusted: trusted.contains($0)) }
            if let tip = try syncing.trackedVersion(remote) {
                answer.behind = tip == head ? 0 : try syncing.count(from: tip, hiding: head)
                if let head { answer.ahead = tip == head ? 0 : try syncing.count(from: head, hiding: tip) }
            }
            return answer
        }
    }
}

/// Changes which remotes there are, in git's own configuration.
package enum RemoteAction: Action, Sendable {
    case add(String, url: String)
    case remove(String)
    case rename(String, to: String)

    package func perform(in session: Session, _ done: Done) throws(Problem) {
        let syncing = try session.store.syncing
        let remotes = try Remotes(syncing.versions)
        func checkThere(_ name: String) throws(Problem) {
            if remotes.names.contains(name) { return }
            throw .sync(.noSuchRemote(name, near: Nearest.words(to: name, among: remotes.names)))
        }
        func checkNew(_ name: String) throws(Problem) {
            if remotes.names.contains(name) { throw .sync(.remoteIsThere(name)) }
            let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"~^:?*[\\\"".utf8.contains($0) }
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            let isReference = parts.allSatisfy { !$0.isEmpty && $0.first != "." && $0.last != "." && !$0.contains("..") }
            guard isPlain, isReference, !name.contains("@{"), FileSystem.isPlain(name), !name.hasPrefix("-"),
                !name.hasSuffix(".lock")
            else {
                throw .sync(.invalidRemoteName(name))
            }
        }
        switch self {
        case .add(let name, let url):
            try checkNew(name)
            var values = [
                (key: "remote.\(name).url", value: url),
                (key: "remote.\(name).fetch", value: "+refs/heads/*:refs/remotes/\(name)/*"),
            ]
            if let branch = try syncing.versions.branch, remotes.upstream(of: branch) == nil {
                // The remote that the branch had without being set up for it stays its own.
                let own = (try? remotes.remote(nil, for: branch))?.name ?? name
                values += [
                    (key: "branch.\(branch).remote", value: own), (key: "branch.\(branch).merge", value: "refs/heads/\(branch)"),
                ]
            }
            try syncing.configure(values, removing: [])
        case .remove(let name):
            try checkThere(name)
            // In an order in which the same command finishes what was interrupted.
            try syncing.removeReferences(of: name)
            try syncing.configure([], removing: remotes.keys(about: name))
        case .rename(let name, let new):
            if !remotes.names.contains(name), remotes.names.contains(new), try syncing.hasReferences(of: name) {
                // Interrupted behind its last step but one.
                return try syncing.removeReferences(of: name)
            }
            try checkThere(name)
            try checkNew(new)
            let values = remotes.own.filter { remotes.keys(about: name).contains($0.name) }.map { entry in
                // The keys of branches are written anew, and spelled as git spells them.
                let key =
                    switch (entry.section, entry.subsection, entry.key) {
                    case ("remote", nil, _): "remote.pushDefault"
                    case ("remote", _, _): "remote.\(new).\(entry.key)"
                    case (_, let branch?, "pushremote"): "branch.\(branch).pushRemote"
                    default: entry.name
                    }
                let isName =
                    ["pushdefault", "pushremote"].contains(entry.key) || entry.section == "branch" && entry.key == "remote"
                let value = isName ? new : entry.value.replacing("refs/remotes/\(name)/", with: "refs/remotes/\(new)/")
                return (key: key, value: value)
            }
            let kept = Set(values.map { ConfigurationEntry(name: $0.key, value: "").comparableName })
            try syncing.copyReferences(of: name, to: new, done)
            try syncing.configure(
                values, removing: remotes.keys(about: name).filter { !kept.contains($0) },
                renaming: RepositoryConfiguration.Renaming("remote", from: name, to: new))
            try syncing.removeReferences(of: name)
        }
    }
}

extension Remotes {
    /// The remote that a branch is set up for.
    func upstream(of branch: String) -> String? {
        own.last { $0.section == "branch" && $0.subsection == branch && $0.key == "remote" }?.value
    }

    /// What the repository's configuration says of a branch, by its keys: git removes them with it.
    func keys(ofBranch name: String) -> [String] {
        own.filter { $0.section == "branch" && $0.subsection == name }.map(\.name)
    }

    /// What the repository's configuration says of a remote, by its keys: those that git renames and removes with it.
    func keys(about name: String) -> [String] {
        var keys: [String] = []
        for entry in own {
            switch (entry.section, entry.subsection, entry.key) {
            case ("remote", name, _): keys.append(entry.name)
            case ("remote", nil, "pushdefault") where entry.value == name: keys.append(entry.name)
            case ("branch", _?, "pushremote") where entry.value == name: keys.append(entry.name)
            case ("branch", let branch?, "remote") where entry.value == name:
                keys += own.filter { $0.section == "branch" && $0.subsection == branch && ["remote", "merge"].contains($0.key) }
                    .map(\.name)
            default: break
            }
        }
        return keys
    }
}

extension Syncing {
    func configure(
        _ values: [(key: String, value: String)], removing keys: [String], renaming: RepositoryConfiguration.Renaming? = nil
    ) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            try journal.noted { own throws(Problem) in
                try git(versions.repository.configuration.setConfigured(values, removing: keys, renaming: renaming, own: own))
            }
        }
    }

    /// Gives another remote the remote-tracking branches of one.
    func copyReferences(of name: String, to new: String, _ done: Done) throws(Problem) {
        let signature = Signature(done.committer, at: done.time)
        try eachTrackingBranch(of: name) { reference, target, own throws(Problem) in
            if reference.hasSuffix("/HEAD") { return }
            let copy = "refs/remotes/\(new)/" + reference.dropFirst("refs/remotes/\(name)/".count)
            let there = try git(references.reference(named: copy))
            if there == target { return }
            try git(
                references.setReference(
                    copy, to: target, from: there, by: signature, note: "settings: rename remote", own: own,
                    durability: journal.durability))
        }
    }

    func hasReferences(of name: String) throws(Problem) -> Bool {
        try git(!references.references(matching: "refs/remotes/\(name)/*").isEmpty)
    }

    /// Removes the remote-tracking branches of a remote.
    func removeReferences(of name: String) throws(Problem) {
        try eachTrackingBranch(of: name) { reference, _, own throws(Problem) in
            try git(references.deleteReference(reference, own: own))
        }
    }

    private func eachTrackingBranch(
        of name: String, _ change: (_ reference: String, _ target: ObjectID, _ own: String) throws(Problem) -> Void
    ) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            try journal.noted { own throws(Problem) in
                for (reference, target) in try git(references.references(matching: "refs/remotes/\(name)/*")) {
                    try change(reference, target, own)
                }
            }
        }
    }

    // MARK: When a remote was reached

    private func reachedFile(_ remote: Remote) throws(Problem) -> String? {
        guard let hash = ObjectID.hash(ofBlob: Array(remote.url.utf8)) else { return nil }
        return "\(try commonFolder())/reached-\(hash.short)"
    }

    /// Only to be told; if it can't be written, nothing is lost.
    func noteReached(_ remote: Remote, _ done: Done) {
        guard remote.name != nil, let path = (try? reachedFile(remote)).flatMap({ $0 }) else { return }
        try? FileSystem.write(Array("\(done.time.seconds)\n".utf8), to: path)
    }

    func lastReached(_ remote: Remote, _ clock: Clock) -> Time? {
        guard let path = (try? reachedFile(remote)).flatMap({ $0 }),
            let bytes = (try? FileSystem.bytes(of: path, atMost: 100)).flatMap({ $0 })
        else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self).trimmingSpaces).map { clock.time($0) }
    }

    /// Reports versions that are on a remote although they have just been taken back here.
    func tellPublished(_ undone: [VersionID]) {
        for (name, tip) in (try? references.references(matching: "refs/remotes/*")) ?? [] where !name.hasSuffix("/HEAD") {
            guard let id = undone.first(where: { (try? objects.isAncestor($0, of: tip)) == true }) else { continue }
            return journal.tell(.isPublished(id, remote: String(name.split(separator: "/")[2])))
        }
    }
}
