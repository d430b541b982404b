import Git
import SettingsModel

extension Syncing {
    /// What a remote has.
    struct Found {
        /// Nil if it has no such branch.
        var tip: VersionID?
        /// By their short names, with what they name: commits or tags' objects.
        var tags: [(name: String, target: ObjectID)] = []
    }

    func fetch(_ courier: Courier, _ round: Round) throws(Problem) -> Found {
        let (branch, address) = (round.remote.branch, address(courier, round))
        try BundleHeader.check(address, round.remote)
        if address.kind == .folder, round.reach.uploadProgram == nil, let found = try unmoved(courier, address, round) {
            noteReached(round.remote, round.done)
            return found
        }
        let answer = courier.fetch(
            from: address, ["+refs/heads/\(branch):refs/in/heads/\(branch)", "+refs/tags/*:refs/in/tags/*"],
            program: round.reach.uploadProgram)
        if answer.status != 0 {
            let failure = NetworkFailure(
                answer, of: round.remote, at: address, limit: round.program.limit, here: [courier.path, versions.folder.path])
            guard failure.isMissingBranch else { throw failure.problem }
            noteReached(round.remote, round.done)
            return Found()
        }
        noteReached(round.remote, round.done)
        let incoming = try git(courier.open())
        let references = incoming.references
        let tip = try Self.tip(of: branch, below: "refs/in/heads/", references, incoming.objects, remote: round.remote)
        // What git leaves out of a fetch that succeeds.
        if tip == nil { throw .sync(.isIncomplete(remote: round.remote.shown)) }
        let tags = try git(references.references(matching: "refs/in/tags/*"))
        return Found(tip: tip, tags: tags.map { (String($0.name.dropFirst("refs/in/tags/".count)), $0.target) })
    }

    /// What a courier fetched as a branch, which a server may have put on anything.
    static func tip(
        of branch: String, below folder: String, _ references: References, _ objects: Objects, remote: Remote
    ) throws(Problem) -> VersionID? {
        guard let id = try git(references.reference(named: folder + branch)) else { return nil }
        guard try git(objects.isCommit(id)) else {
            throw .sync(.isBroken(remote: remote.shown, reason: "its branch \(branch) is not a commit"))
        }
        return id
    }

    /// What a repository on this machine has, if it has nothing that is not here: asking costs half of what fetching does. Over
    /// a network, where the connection takes the time, it would cost twice as much if there is something.
    private func unmoved(_ courier: Courier, _ address: RemoteAddress, _ round: Round) throws(Problem) -> Found? {
        let branch = "refs/heads/\(round.remote.branch)"
        guard let there = courier.references(of: address, [branch, "refs/tags/*"]), let tip = there[branch],
            try tip == trackedVersion(round.remote)
        else { return nil }
        let known = try git(references.references(matching: "refs/tags/*").map(\.name))
        let tags = there.filter { $0.key.hasPrefix("refs/tags/") }
        guard Set(tags.keys).isSubset(of: known) else { return nil }
        return Found(
            tip: tip,
            tags: tags.sorted { $0.key < $1.key }.map { (String($0.key.dropFirst("refs/tags/".count)), $0.value) })
    }
}
