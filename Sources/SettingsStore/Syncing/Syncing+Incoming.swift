import Files
import Git
import SettingsModel

extension Syncing {
    /// No more new tags than this are taken in at once: each is a file.
    private static let mostTags = 1000
    private static let fewTags = 20

    /// Checks what came in and moves it into the store. Returns whether the branch there has moved. Nothing has happened where
    /// this throws.
    func takeIn(
        _ found: Found, _ courier: Courier, since known: VersionID?, _ head: VersionID?, _ round: inout Round
    ) throws(Problem) -> Bool {
        let ours = try ownTags()
        let newTags = found.tags.filter { ours[$0.name] == nil }
        let isThere = if let tip = found.tip { try git(objects.exists(tip)) } else { true }
        let name = round.remote.name.map { "\($0)/\(round.remote.branch)" } ?? round.remote.shown
        if let checker = round.signatures { try checkSignatures(found, newTags, courier, named: name, by: checker) }
        if isThere, found.tip == known || known == nil && found.tip == head, newTags.isEmpty { return found.tip != known }
        try check(found, newTags, courier, head, named: name)
        try checkRewound(found.tip, known, head, courier, &round)
        // Also where the version is there: a process that died while it adopted may have left half of what it names.
        try git(courier.adopt(journal.durability))
        return true
    }

    private func ownTags() throws(Problem) -> [String: ObjectID] {
        let tags = try git(references.references(matching: "refs/tags/*"))
        return Dictionary(
            tags.map { (String($0.name.dropFirst("refs/tags/".count)), $0.target) }, uniquingKeysWith: { first, _ in first })
    }

    /// Also of what git fetched here: only what the branches here have is known.
    private func checkSignatures(
        _ found: Found, _ tags: [(name: String, target: ObjectID)], _ courier: Courier, named name: String,
        by checker: SignatureChecker
    ) throws(Problem) {
        let incoming = try git(courier.open())
        let known = try git(incoming.references.references(matching: "refs/ours/heads/*").map(\.target))
        var tips = found.tip.map { [$0] } ?? []
        for tag in tags {
            if let commit = try git(incoming.references.commit(peeling: tag.target)) { tips.append(commit) }
        }
        let there = Versions(folder: versions.folder, repository: incoming, prefix: versions.prefix)
        try IncomingCheck(name: name, incoming: there, known: known).checkSignatures(tips, hiding: known, by: checker)
    }

    private func check(
        _ found: Found, _ tags: [(name: String, target: ObjectID)], _ courier: Courier, _ head: VersionID?, named name: String
    ) throws(Problem) {
        let incoming = try git(courier.open())
        let known = try git(incoming.references.references(matching: "refs/ours/*").map(\.target))
        var tagged: [ObjectID] = []
        for tag in tags {
            let commit = try git(incoming.references.commit(peeling: tag.target))
            if let commit { tagged.append(commit) }
        }
        let there = Versions(folder: versions.folder, repository: incoming, prefix: versions.prefix)
        (there.progress, there.origin) = (versions.progress, head)
        try IncomingCheck(name: name, incoming: there, known: known).check(found.tip, tags: tagged, since: head)
    }

    /// Refuses where the remote has no such branch: to bring it in, or to send one again that was deleted or renamed there, unless
    /// somebody has decided.
    func checkMissing(_ known: VersionID?, _ round: Round) throws(Problem) {
        let (remote, branch) = (round.remote.shown, round.remote.branch)
        if known != nil, round.wish.rewound != .putBack {
            throw .sync(.branchIsGone(remote: remote, branch: branch, own: round.branch))
        }
        if round.wish.direction == .pull {
            throw .sync(.noBranch(remote: remote, branch: branch, canBeSent: !round.report.isBundle))
        }
    }

    /// Refuses where the remote has lost versions that it had, unless somebody has decided.
    private func checkRewound(
        _ tip: VersionID?, _ known: VersionID?, _ head: VersionID?, _ courier: Courier, _ round: inout Round
    ) throws(Problem) {
        guard let known, let tip, tip != known, round.wish.rewound != .putBack else { return }
        let incoming = try git(courier.open())
        if try git(incoming.objects.isAncestor(known, of: tip)) { return }
        if round.wish.rewound == .follow {
            // A process may have died when it had followed.
            if head != known, head != tip { throw .sync(.cannotFollow(remote: round.remote.shown)) }
            return
        }
        let there = Versions(folder: versions.folder, repository: incoming, prefix: versions.prefix)
        var lost: [Version] = []
        var count = 0
        var walk = try git(there.repository.objects.commits(from: [known], hiding: [tip], order: .topological))
        while let id = try there.next(&walk) {
            count += 1
            if lost.count < 3 { lost.append(try there.version(id)) }
        }
        throw .sync(.rewound(remote: round.remote.shown, lost, count: count))
    }

    /// Brings the branch and the remote's together.
    func join(_ tip: VersionID, new: Bool, _ known: VersionID?, _ round: inout Round) throws(Problem) {
        let head = try versions.head.commit
        if round.wish.rewound == .follow, let known, known == head, known != tip,
            try !git(objects.isAncestor(known, of: tip))
        {
            return try follow(tip, dropping: known, &round)
        }
        var merge = MergeWish(name: round.remote.name.map { "\($0)/\(round.remote.branch)" } ?? round.remote.shown)
        if round.wish.direction != .push, head != tip {
            merge.kept = round.wish.stopsAtConflicts ? nil : try inForce(round)
            try checkCanJoin(tip, merge, round.done)
        }
        if new || known != tip { try track(round.remote, tip, from: known, round.done) }
        if round.wish.direction == .push {
            guard let head, head != tip else { return }
            if try git(objects.isAncestor(tip, of: head)) { return }
            throw .sync(.isBehind(remote: round.remote.shown, count: try count(from: tip, hiding: head)))
        }
        if head == tip { return }
        let edited = try changed(by: tip, head)
        let done = round.done
        let (name, remote) = (merge.name, round.remote)
        let outcome = try withoutEdits(of: edited, &round) { () throws(Problem) in
            do throws(Problem) { return try merging.merge(tip, merge, done) } catch {
                switch error {
                case .merge(.unresolved(let conflicts, let origins, _)):
                    throw .merge(.unresolved(conflicts, origins, by: name))
                case .merge(.isUnrelated):
                    throw .sync(.isUnrelated(remote: name, reference: remote.name == nil ? nil : name))
                case .merge(.otherFile(let path, let isTracked)):
                    throw .sync(.otherFile(path, tracked: isTracked, in: name, branch: remote.name == nil ? remote.branch : nil))
                default: throw error
                }
            }
        }
        tell(outcome, &round)
    }

    private func tell(_ outcome: Outcome, _ round: inout Round) {
        switch outcome {
        case .recorded(_, _, let notes), .forwarded(_, _, let notes):
            round.report.filesAreInStep = notes.filesAreInStep
            notes.forEach(journal.tell)
        case .planned, .unchanged, .reformatted: break
        }
    }

    /// Whose side is in force by default: what is published on the branch's own remote. Another source gives way to it, and with
    /// it to ours.
    private func inForce(_ round: Round) throws(Problem) -> MergeWish.InForce {
        if let wanted = round.wish.inForce { return wanted }
        let remotes = try Remotes(versions)
        guard let own = try? remotes.remote(nil, for: round.branch), try trackedVersion(own) != nil,
            !isSame(own, round.remote, round)
        else { return .theirs }
        return .ours
    }

    /// Whether two remotes are one, perhaps named by its address.
    private func isSame(_ one: Remote, _ other: Remote, _ round: Round) -> Bool {
        if one.name == other.name { return true }
        let places = [one.url, other.url].map { url in
            let address = RemoteAddress(url, from: baseFolder, round.rewriting ?? AddressRewriting([]))
            guard let path = address.gitDirectory ?? address.path else { return address.text }
            return (try? FileSystem.resolved(path)) ?? path
        }
        return places[0] == places[1]
    }

    /// What another line of versions changed of the store.
    private func changed(by tip: VersionID, _ head: VersionID?) throws(Problem) -> Set<Subject> {
        guard let head, head != tip else { return [] }
        let bases = try git(objects.mergeBases(of: head, and: tip))
        if bases.first == tip { return [] }
        return Set(try versions.subjectsDiffering(from: try versions.snapshot(bases.first), to: try versions.snapshot(tip)))
    }

    /// Moves the branch to what the remote went back to.
    private func follow(_ tip: VersionID, dropping known: VersionID, _ round: inout Round) throws(Problem) {
        let count = try count(from: known, hiding: tip)
        let edited = Set(try versions.subjectsDiffering(from: try versions.snapshot(known), to: try versions.snapshot(tip)))
        let done = round.done
        let kept = try keepDropped(known, done)
        do throws(Problem) {
            let outcome = try withoutEdits(of: edited, &round) { () throws(Problem) in
                try recorder.record(done) { _ in Edit(forwardingTo: tip) }
            }
            tell(outcome, &round)
        } catch {
            if try versions.head.commit == known { try? release(kept) }
            throw error
        }
        round.report.dropped = (count, kept)
        // Last: who finds the remote-tracking branch there would take what was dropped for new and send it again.
        try track(round.remote, tip, from: known, done)
    }

    /// What was dropped is kept for 30 days. Returns by what.
    private func keepDropped(_ id: VersionID, _ done: Done) throws(Problem) -> String {
        let name = "refs/settings/dropped/\(done.time.seconds)-\(id.short)"
        let signature = Signature(done.committer, at: done.time)
        try recorder.underLock { () throws(Problem) in
            try journal.noted { own throws(Problem) in
                let folder = "refs/settings/dropped/"
                for (name, target) in try git(references.references(matching: folder + "*")) {
                    let time = Int64(name.dropFirst(folder.count).prefix { $0 != "-" })
                    // The same: kept by a process that died before it had followed.
                    if target == id || time.map({ $0 < done.time.seconds - Drafts.keptFor }) == true {
                        try git(references.deleteReference(name, own: own))
                    }
                }
                try git(
                    references.setReference(
                        name, to: id, from: nil, by: signature, note: "settings: dropped", own: own,
                        durability: journal.durability))
            }
        }
        return name
    }

    /// Removes what keeps versions that were not dropped after all.
    private func release(_ name: String) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            try journal.noted { own throws(Problem) in
                try git(references.deleteReference(name, own: own))
            }
        }
    }

    /// Moves the remote-tracking branch.
    func track(_ remote: Remote, _ tip: VersionID, from known: VersionID?, _ done: Done) throws(Problem) {
        guard let name = remote.trackingReference, known != tip, !done.isDryRun else { return }
        let signature = Signature(done.committer, at: done.time)
        try recorder.underLock { () throws(Problem) in
            try journal.noted { own throws(Problem) in
                // Another process may have fetched meanwhile.
                let now = try git(references.reference(named: name))
                if now == tip { return }
                try git(
                    references.setReference(
                        name, to: tip, from: now, by: signature, note: "settings: sync", own: own, durability: journal.durability)
                )
            }
        }
    }

    /// Takes in the tags whose version the branch has. A tag is never moved.
    func takeTags(_ found: Found, _ round: inout Round) throws(Problem) {
        round.report.tags.different = []
        guard round.wish.direction != .push, !found.tags.isEmpty, let head = try versions.head.commit else { return }
        let ours = try ownTags()
        round.report.tags.different = found.tags.filter { tag in ours[tag.name].map { $0 != tag.target } ?? false }.map(\.name)
        let new = try tags(found.tags.filter { ours[$0.name] == nil }, in: head)
        round.report.tags.hasMore = new.count > Self.mostTags
        guard !new.isEmpty, !round.done.isDryRun else { return }
        let (signature, durability) = (Signature(round.done.committer, at: round.done.time), journal.durability)
        let taken = try recorder.underLock { () throws(Problem) in
            try journal.noted { own throws(Problem) in
                var taken: [String] = []
                for tag in new.prefix(Self.mostTags) {
                    let name = "refs/tags/" + tag.name
                    if try git(references.reference(named: name)) != nil { continue }
                    try git(
                        references.setReference(
                            name, to: tag.target, from: nil, by: signature, note: "settings: sync", own: own,
                            durability: durability))
                    taken.append(tag.name)
                }
                return taken
            }
        }
        round.report.tags.incoming += taken
    }

    /// Those of some tags whose version a branch has, until they are more than are taken in at once.
    private func tags(
        _ tags: [(name: String, target: ObjectID)], in head: VersionID
    ) throws(Problem) -> [(name: String, target: ObjectID)] {
        // Of many it takes longer to look for each in the history than to go through it once.
        var history: Set<ObjectID>?
        if tags.count > Self.fewTags {
            var all: Set<ObjectID> = []
            var walk = try git(objects.commits(from: [head]))
            while let id = try versions.next(&walk) { all.insert(id) }
            history = all
        }
        var found: [(name: String, target: ObjectID)] = []
        for tag in tags where found.count <= Self.mostTags {
            guard let commit = try git(references.commit(peeling: tag.target)) else { continue }
            let isThere = if let history { history.contains(commit) } else { try git(objects.isAncestor(commit, of: head)) }
            if isThere { found.append(tag) }
        }
        return found
    }
}
