import Git
import SettingsModel

extension Syncing {
    /// Sends what the remote doesn't have. False if somebody else was faster.
    func push(_ courier: Courier, onto found: Found, _ round: inout Round) throws(Problem) -> Bool {
        guard let head = try versions.head.commit else { return true }
        let tags = round.sendsTags ? try tagsToSend(found, head, round.done) : []
        if head == found.tip, tags.isEmpty || round.done.isDryRun { return true }
        if let tip = found.tip {
            // A lease that holds would make git force what is no fast-forward.
            guard try git(objects.isAncestor(tip, of: head)) else { return false }
        }
        try checkWritable(round)
        if let checker = round.signatures { try checkSignatures(of: head, since: found.tip, round, by: checker) }
        if round.done.isDryRun {
            round.sent = head
            return true
        }
        let address = address(courier, round, isPush: true)
        if address.kind == .folder, address.gitDirectory == nil {
            throw .sync(.hooksAreUnknown(path: address.path ?? address.text))
        }
        let hook = address.pushHook
        let startsHooks = hook != nil && round.reach.startsHooks(of: address)
        if let hook, !startsHooks {
            throw .sync(
                .hook(hook, path: address.path ?? address.text, remote: round.remote.shown, isNamed: round.remote.name != nil))
        }
        let (answer, report) = courier.push(
            to: address, head, branch: round.remote.branch, expecting: found.tip,
            tags: tags.map { ("refs/tags/" + $0.name, $0.target) }, startingHooks: startsHooks,
            program: round.reach.receiveProgram)
        if answer.status == 0, report.line(of: "refs/heads/\(round.remote.branch)")?.isDone == true {
            try track(round.remote, head, from: try trackedVersion(round.remote), round.done)
            round.report.tags.outgoing += tags.map(\.name)
            round.sent = head
            return true
        }
        return try isBeaten(answer, report, onto: found.tip, &round)
    }

    /// Refuses to send what the others with the same demand would not take in.
    private func checkSignatures(
        of head: VersionID, since tip: VersionID?, _ round: Round, by checker: SignatureChecker
    ) throws(Problem) {
        let check = IncomingCheck(name: round.remote.shown, incoming: versions, known: [])
        do throws(Problem) { try check.checkSignatures([head], hiding: tip.map { [$0] } ?? [], by: checker) } catch {
            guard case .sync(.refused(_, let fault)) = error else { throw error }
            throw .sync(.isNotSigned(fault, remote: round.remote.shown))
        }
    }

    /// Refuses what is to be sent to a bundle, before git is asked.
    func checkWritable(_ round: Round) throws(Problem) {
        if round.report.isBundle { throw .sync(.isBundle(remote: round.remote.shown)) }
    }

    /// Throws what the remote refused for good; false if somebody else was faster.
    private func isBeaten(
        _ answer: NetworkProgram.Answer, _ report: PushReport, onto tip: VersionID?, _ round: inout Round
    ) throws(Problem) -> Bool {
        guard !report.lines.isEmpty, !answer.isStalled else {
            throw NetworkFailure(
                answer, of: round.remote, limit: round.program.limit, here: [try commonFolder(), versions.folder.path]
            ).problem
        }
        let failed = report.lines.filter { !$0.isDone }
        let reasons = failed.map(\.reason)
        if failed.contains(where: { $0.name.hasPrefix("refs/tags/") && $0.reason == "already exists" }) {
            round.sendsTags = false
            return false
        }
        let beaten = [
            "stale info", "fetch first", "non-fast-forward", "failed to update ref", "cannot lock ref", "failed to lock",
            "unable to lock", "incorrect old value", "reference already exists", "atomic transaction failed",
        ]
        let words = answer.errors.filter { $0.hasPrefix("remote: ") }.map { String($0.dropFirst("remote: ".count)) }
        if let reason = reasons.first(where: { reason in beaten.contains(where: reason.hasPrefix) }) {
            // Where there are hooks they may say more; git itself says why first.
            let said = words.first { $0.hasPrefix("error: ") }.map { $0.dropFirst("error: ".count).trimmingSpaces }
            round.refusals.append(Refusal(tip: tip, reason: (said ?? reason).visible))
            return false
        }
        let reason = reasons.first { !$0.hasPrefix("atomic push fail") } ?? reasons.first ?? "nothing was pushed"
        if reason == "branch is currently checked out" { throw .sync(.isCheckedOut(remote: round.remote.shown)) }
        throw .sync(
            .rejected(remote: round.remote.shown, reason: reason.visible, words: words.suffix(20).map(\.trimmingSpaces.visible)))
    }

    /// Tags of this person's that name versions of the branch and that the remote doesn't have.
    private func tagsToSend(
        _ found: Found, _ head: VersionID, _ done: Done
    ) throws(Problem) -> [(name: String, target: ObjectID)] {
        let there = Set(found.tags.map(\.name))
        var tags: [(name: String, target: ObjectID)] = []
        for tag in try git(references.tags()) where !there.contains(tag.name) && tag.tagger?.email == done.committer.email {
            guard let target = try git(references.reference(named: "refs/tags/" + tag.name)),
                try git(objects.isAncestor(tag.commit, of: head))
            else { continue }
            tags.append((tag.name, target))
        }
        return tags
    }

    // MARK: What happened

    func count(from tip: VersionID, hiding hidden: VersionID?) throws(Problem) -> Int {
        var count = 0
        var walk = try git(objects.commits(from: [tip], hiding: hidden.map { [$0] } ?? []))
        while try versions.next(&walk) != nil { count += 1 }
        return count
    }

    /// Notes what came in and what went out since the beginning. `tip`: what the remote had before the push.
    ///
    /// What was exchanged is exchanged: what a partial clone cannot read of it is a warning.
    func tell(of tip: VersionID?, _ round: inout Round) throws(Problem) {
        var decided: Set<VersionID> = []
        var unread: [Problem] = []
        func movedVersions(_ tip: VersionID, _ old: VersionID?, _ limit: Int) throws(Problem) -> Moved {
            let moved = try moved(to: tip, since: old, limit)
            decided.formUnion(moved.decided)
            unread += moved.unread
            return moved
        }
        for (tip, onto) in round.joined {
            let moved = try movedVersions(tip, onto, round.wish.reported)
            round.report.incoming.add(moved.versions)
            round.report.otherIncoming.add(moved.others)
        }
        guard let head = try versions.head.commit else { return }
        if round.wish.direction == .pull {
            let moved = try moved(to: head, since: tip, 0)
            (round.report.waiting, round.report.otherWaiting) = (moved.versions.count, moved.others.count)
        } else if let sent = round.sent, sent != tip {
            let since = if let tip { tip } else { try published(of: sent, round.remote) }
            let moved = try movedVersions(sent, since, round.wish.reported)
            (round.report.outgoing, round.report.otherOutgoing) = (moved.versions, moved.others)
        }
        do throws(Problem) { round.report.resolved = try merging.resolved(by: decided) } catch { try note(error, in: &unread) }
        if head != round.start, let start = round.start {
            do throws(Problem) { try tellQuestions(of: head, since: start, &round) } catch { try note(error, in: &unread) }
        }
        if let problem = unread.first { journal.tell(.isNotReported(problem)) }
    }

    /// The last version before a new branch that another branch of the remote has.
    private func published(of head: VersionID, _ remote: Remote) throws(Problem) -> VersionID? {
        guard let name = remote.name else { return nil }
        var last: VersionID?
        for (reference, tip) in try git(references.references(matching: "refs/remotes/\(name)/*"))
        where reference != remote.trackingReference {
            guard let base = try git(objects.mergeBases(of: head, and: tip).first) else { continue }
            if let known = last, try !git(objects.isAncestor(known, of: base)) { continue }
            last = base
        }
        return last
    }

    /// The versions between two, and the commits that changed no settings. Merges that decided nothing are neither.
    struct Moved {
        var versions = SyncReport.Versions()
        var others = SyncReport.OtherCommits()
        var decided: Set<VersionID> = []
        /// Why changes of theirs cannot be read.
        var unread: [Problem] = []
    }

    func moved(to tip: VersionID, since old: VersionID?, _ limit: Int) throws(Problem) -> Moved {
        var moved = Moved()
        if tip == old { return moved }
        var plain = PlainHistory(HistoryFilter(), history)
        try history.eachStep(from: tip, hiding: old) { step throws(Problem) in
            moved.decided.insert(step.commit.id)
            if let (version, changes) = try match(step, &plain, &moved.unread) {
                moved.versions.count += 1
                if moved.versions.shown.count < limit { moved.versions.shown.append((version, changes)) }
            } else if !step.isMerge, !step.isBoundary {
                moved.others.count += 1
                if moved.others.shown.count < limit { moved.others.shown.append(try otherCommit(step)) }
            }
            return true
        }
        moved.versions.shown.reverse()
        moved.others.shown.reverse()
        return moved
    }

    /// More files of one commit than this are only counted.
    private static let mostFiles = 100

    private func otherCommit(_ step: HistoryWalk.Step) throws(Problem) -> SyncReport.OtherCommit {
        let old = step.parents.first.flatMap { $0?.tree }
        // Folders that are too deep, or too many files, are no reason to keep back what was done.
        let files = (try? objects.differences(from: old, to: step.commit.tree))?.map(\.path) ?? []
        return SyncReport.OtherCommit(
            try versions.version(step.commit.id), files: Array(files.prefix(Self.mostFiles)), fileCount: files.count)
    }

    private func tellQuestions(of head: VersionID, since start: VersionID, _ round: inout Round) throws(Problem) {
        let open = try merging.conflicts(openedSince: start).map(\.conflict)
        round.report.questions = open.map { SyncReport.Question($0.conflict, $0.origin, inForce: $0.inForce) }
        // What was resolved on both sides in different ways is open again.
        let questions = round.report.questions
        round.report.resolved.removeAll { one in questions.contains { one.isContradicted(by: $0) } }
    }
}
