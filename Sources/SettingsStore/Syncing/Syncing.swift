// How versions are exchanged with another repository.
//
// 1. fetch    git fetches into a courier, a git directory of ours that borrows the store's objects (see `Courier`).
// 2. check    What is new is looked at there: see `IncomingCheck`. What is refused goes with the courier.
// 3. rewound  If the remote has lost versions that it had, nothing is changed unless somebody decides.
// 4. adopt    The objects are synced and moved into the store, then the remote-tracking branch moves. A process that dies
//             before leaves objects that nothing refers to.
// 5. join     Fast-forward, or merge by meaning, as any version is recorded.
// 6. push     git pushes from the courier, with a lease on what was fetched. If somebody was faster, from 1 again.
//
// The network is waited for without the store's lock.

package import Git
package import SettingsModel

/// The `git` program as it is run where it may use the network.
package typealias NetworkProgram = Git.NetworkProgram

/// Which versions to exchange, and how.
package struct SyncWish: Sendable {
    package enum Direction: Hashable, Sendable {
        case pull, push, both
    }

    /// What to do if the remote has lost versions that it had.
    package enum Rewound: Hashable, Sendable {
        case refuse
        /// They are sent again.
        case putBack
        /// They are dropped here, too.
        case follow
    }

    package var direction: Direction
    /// A remote's name or an address; nil for the one that the branch is set up for.
    package var remote: String?
    /// What is in force where both sides changed the same; nil for what is published on the branch's own remote: see
    /// `Syncing.inForce`.
    package var inForce: MergeWish.InForce?
    /// The merge is to stop there instead.
    package var stopsAtConflicts = false
    package var rewound = Rewound.refuse
    /// What the repository's configuration may have git do.
    package var trust = Trust(path: nil)
    /// What checks that every version that comes in is signed; nil where that is not asked for.
    package var signatures: SignaturePrograms?
    /// Of so many versions the changes are reported.
    package var reported: Int

    package init(_ direction: Direction, remote: String?, reporting reported: Int) {
        self.direction = direction
        self.remote = remote
        self.reported = reported
    }
}

/// Exchanges versions with other repositories.
package final class Syncing {
    let versions: Versions
    let journal: Journal
    let recorder: Recorder
    let history: History
    let merging: Merging
    let drafts: Drafts

    init(
        _ versions: Versions, _ journal: Journal, _ recorder: Recorder, _ history: History, _ merging: Merging, _ drafts: Drafts
    ) {
        self.versions = versions
        self.journal = journal
        self.recorder = recorder
        self.history = history
        self.merging = merging
        self.drafts = drafts
    }

    var objects: Objects { versions.repository.objects }
    var references: References { versions.repository.references }

    static let mostTries = 8

    /// Exchanges versions of the branch that is checked out.
    package func sync(
        _ wish: SyncWish, by program: NetworkProgram, _ done: Done, _ clock: Clock
    ) throws(Problem) -> SyncReport {
        try recorder.checkOperation()
        guard let branch = try versions.branch else { throw .sync(.isDetached) }
        let remotes = try Remotes(versions)
        var remote = try remotes.remote(wish.remote, for: branch)
        let reach = remotes.reach(&remote, wish.trust)
        tellWithheld(reach.withheld, remote)
        var round = Round(wish: wish, remote: remote, branch: branch, program: program, done: done)
        round.reach = reach
        round.signatures = wish.signatures.map { SignatureChecker(programs: $0, clock: clock) }
        if !remotes.includesOthers, !program.hasOtherConfiguration {
            round.rewriting = AddressRewriting(remotes.users + reach.settings)
        }
        round.start = try versions.head.commit
        let namedDriver = (try? drafts.workTree.mergeDriver.isNamed) ?? false
        defer {
            if namedDriver { tellLostDriver(since: round.start) }
            tellTrackedFiles()
        }
        for attempt in 1...Self.mostTries {
            round.report.tries = attempt
            do throws(Problem) { if try exchange(&round) { return round.report } } catch {
                switch error {
                case .sync(.unreachable(let name, let reason, _)):
                    throw .sync(.unreachable(remote: name, reason: reason, waiting: waiting(for: remote)))
                case .sync(.rewound(let name, let lost, let count, _)):
                    throw .sync(.rewound(remote: name, lost, count: count, changes: changes(of: lost)))
                default: throw error
                }
            }
            try journal.pause(attempt: attempt)
        }
        // Nobody was faster where the branch stood still.
        if let last = round.refusals.last, round.refusals.count == Self.mostTries,
            round.refusals.allSatisfy({ $0.tip == last.tip })
        {
            throw .sync(.isNotMoved(remote: remote.shown, reason: last.reason))
        }
        throw .sync(.beaten(remote: remote.shown, tries: Self.mostTries))
    }

    /// How many versions a remote didn't have when it was last reached.
    private func waiting(for remote: Remote) -> Int {
        guard let known = (try? trackedVersion(remote)).flatMap({ $0 }), let head = (try? versions.head)?.commit, head != known
        else { return 0 }
        return (try? moved(to: head, since: known, 0)).map { $0.versions.count + $0.others.count } ?? 0
    }

    /// Reports tracked files that commits which are not the store's have changed, or left behind.
    private func tellTrackedFiles() {
        for state in (try? recorder.tracking.states()) ?? [] {
            if !state.ahead.isEmpty { journal.tell(.trackedFileDiffers(.isAhead(state.ahead, state.path))) }
            if !state.behind.isEmpty { journal.tell(.trackedFileDiffers(.isBehind(state.behind, state.path))) }
        }
    }

    /// Reports where what came in no longer names the merge driver, for all of the store's files or some.
    private func tellLostDriver(since start: VersionID?) {
        guard let driver = try? drafts.workTree.mergeDriver else { return }
        let path = versions.prefix + MergeDriver.attributesFile
        if !driver.isNamed { return journal.tell(.lostMergeDriver(path: path, files: [])) }
        guard let changed = try? changedAttributes(since: start) else { return }
        let files = (try? drafts.workTree.filesWithoutDriver()) ?? []
        if !files.isEmpty { journal.tell(.lostMergeDriver(path: changed, files: files)) }
    }

    /// A `.gitattributes` that differs from a version's, by its path in the repository.
    private func changedAttributes(since start: VersionID?) throws(Problem) -> String? {
        let tip = try versions.tip()
        // As after most: nothing came in.
        if tip.id == start { return nil }
        let old = try versions.snapshot(start).tree
        let differences = try git(versions.repository.objects.differences(from: old, to: tip.tree))
        return differences.map(\.path).first { $0.split(separator: "/").last == MergeDriver.attributesFile[...] }
    }

    /// What each of some versions changed; nothing where that can't be read.
    private func changes(of lost: [Version]) -> [[Change]] {
        lost.map { version in
            var changes: [Change] = []
            _ = try? history.walk(from: version.id, hiding: version.parents.first) { found, made in
                if found.id == version.id { changes = made.changes }
                return found.id != version.id
            }
            return changes
        }
    }

    /// One try.
    struct Round {
        let wish: SyncWish
        let remote: Remote
        let branch: String
        let program: NetworkProgram
        let done: Done
        var reach = Reach()
        /// How configuration leads from one address to another; nil where git has to be asked.
        var rewriting: AddressRewriting?
        /// The last version here when all began.
        var start: VersionID?
        /// What was joined with the branch, and where that was before.
        var joined: [(tip: VersionID, onto: VersionID?)] = []
        /// What was pushed.
        var sent: VersionID?
        /// Checks what comes in; nil where signatures are not asked for.
        var signatures: SignatureChecker?
        /// Each time that the remote did not move its branch.
        var refusals: [Refusal] = []
        /// Whether tags are sent; not after the remote has refused one.
        var sendsTags = true
        var report: SyncReport

        init(wish: SyncWish, remote: Remote, branch: String, program: NetworkProgram, done: Done) {
            (self.wish, self.remote, self.branch, self.program, self.done) = (wish, remote, branch, program, done)
            report = SyncReport(remote: remote.shown, branch: remote.branch)
        }
    }

    /// Why a remote did not move its branch from where it stood.
    struct Refusal {
        let tip: VersionID?
        let reason: String
    }

    /// False if somebody else was faster.
    private func exchange(_ round: inout Round) throws(Problem) -> Bool {
        let courier = try courier(round)
        defer { courier.remove() }
        // git is asked once.
        if round.rewriting == nil { round.rewriting = courier.rewriting() }
        var found = try fetch(courier, round)
        round.report.isBundle = BundleHeader.isBundle(address(courier, round, isPush: true))
        let known = try trackedVersion(round.remote)
        if let known, let tip = found.tip, lags(tip, behind: known, courier, round) {
            journal.tell(.lagsBehind(remote: round.remote.shown, count: try count(from: known, hiding: tip)))
            found.tip = known
        }
        if found.tip == nil { try checkMissing(known, round) }
        let head = try versions.head.commit
        if found.tip == nil, head == nil { throw .sync(.isUnborn(branch: round.branch, remote: round.remote.shown)) }
        if round.wish.direction == .push, found.tip != head { try checkWritable(round) }
        let new = try takeIn(found, courier, since: known, head, &round)
        if let tip = found.tip {
            let before = try versions.head.commit
            try join(tip, new: new, known, &round)
            if round.wish.direction != .push, tip != before { round.joined.append((tip, before)) }
        }
        try takeTags(found, &round)
        guard round.wish.direction != .pull else {
            try tell(of: found.tip, &round)
            return true
        }
        guard try push(courier, onto: found, &round) else { return false }
        try tell(of: found.tip, &round)
        return true
    }

    /// Whether what is fetched is only older than what was pushed to another address.
    private func lags(_ tip: VersionID, behind known: VersionID, _ courier: Courier, _ round: Round) -> Bool {
        let (address, branch) = (address(courier, round, isPush: true), "refs/heads/\(round.remote.branch)")
        guard tip != known, round.wish.rewound == .refuse, address != self.address(courier, round) else { return false }
        // Where it isn't here, it isn't older.
        guard (try? git(objects.isAncestor(tip, of: known))) == true else { return false }
        return courier.references(of: address, [branch])?[branch] == known
    }

    // MARK: The courier

    func courier(_ round: Round) throws(Problem) -> Courier {
        var references = try git(
            self.references.references(matching: "refs/heads/*") + self.references.references(matching: "refs/remotes/*")
        ).map { (name: "refs/ours/" + $0.name.dropFirst("refs/".count), target: $0.target) }
        // What the remote has of our tags needs no fetching; what it doesn't have is pruned.
        references += try git(self.references.references(matching: "refs/tags/*"))
            .map { (name: "refs/in/tags/" + $0.name.dropFirst("refs/tags/".count), target: $0.target) }
        var settings = round.reach.settings
        if let name = round.remote.name {
            settings.append(ConfigurationEntry(name: "remote.\(name).url", value: round.remote.url))
        }
        let contents = Courier.Contents(branch: round.branch, references: references, settings: settings)
        let own = try commonFolder()
        return try git(Courier.make(for: versions.repository, in: own, contents, round.program))
    }

    /// This program's own folder in the git directory that all work trees share.
    func commonFolder() throws(Problem) -> String {
        let directory = versions.repository.git
        let own = OwnFiles(in: directory.commonDirectory)
        if directory.gitDirectory == directory.commonDirectory { return try journal.ownFolder() }
        try journal.makeFolder(own.folder)
        return own.folder
    }

    /// What relative addresses count from.
    var baseFolder: String { versions.repository.git.workDirectory ?? versions.folder.path }

    /// Where git goes, with what the user's configuration makes of an address.
    func address(_ courier: Courier, _ round: Round, isPush: Bool = false) -> RemoteAddress {
        let rewriting = round.rewriting ?? courier.rewriting()
        guard isPush else { return RemoteAddress(round.remote.url, from: baseFolder, rewriting) }
        return RemoteAddress(round.remote.pushURL ?? round.remote.url, from: baseFolder, rewriting, isPush: true)
    }

    func trackedVersion(_ remote: Remote) throws(Problem) -> VersionID? {
        guard let name = remote.trackingReference else { return nil }
        return try git(references.reference(named: name))
    }

    /// Reports programs that the repository's configuration names, once until it names others.
    private func tellWithheld(_ entries: [ConfigurationEntry], _ remote: Remote) {
        guard let first = entries.first,
            let hash = ObjectID.hash(ofBlob: Array(entries.map { "\($0.name)=\($0.value)\n" }.joined().utf8)),
            journal.tellOnce("programs-\(hash.short)")
        else { return }
        journal.tell(
            .programsNotStarted(
                key: Login.shown(first.name), value: Login.shown(first.value), others: entries.count - 1,
                remote: remote.shown,
                isNamed: remote.name != nil))
    }
}
