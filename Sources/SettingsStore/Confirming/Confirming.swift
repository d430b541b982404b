import Git
package import SettingsModel

/// Confirms versions that wait for it, and takes back those that were not confirmed in time.
package final class Confirming {
    private let versions: Versions
    private let journal: Journal
    private let recorder: Recorder
    private let reversals: Reversals
    package let confirmations: Confirmations

    init(_ versions: Versions, _ journal: Journal, _ recorder: Recorder, _ history: History) {
        self.versions = versions
        self.journal = journal
        self.recorder = recorder
        reversals = Reversals(versions, history)
        confirmations = Confirmations(versions, history, reversals)
    }

    /// What became of one version that waited.
    package struct Settled: Sendable {
        package var confirmation: Confirmation
        package var outcome: Outcome
        /// Of a version that was taken back, what stays as it is.
        package var left: [Change] = []
    }

    /// Of what a version changed, what would stay if it was taken back now.
    package func left(of version: Version) throws(Problem) -> [Change] {
        try reversals.reversal(of: version, at: try versions.snapshot(versions.head.commit)).left
    }

    /// Those that were recorded here, of `person`; or those that are named, wherever they were to be confirmed.
    package func open(_ ids: [VersionID]?, of person: Person, at now: Int64) throws(Problem) -> [Confirmation] {
        let asked = try confirmations.unanswered(at: now)
        let open = try confirmations.open(at: now) + asked.filter { $0.state == .rewritten }
        guard let ids else {
            let own = open.filter { $0.version.author.isSame(as: person) }
            guard own.isEmpty else { return own }
            throw .confirming(.nothingWaits(others: (open + asked.filter { $0.state != .rewritten }).map(\.version)))
        }
        var named: Set<VersionID> = []
        return try ids.filter { named.insert($0).inserted }.map { id throws(Problem) in
            if let found = open.first(where: { $0.version.id == id }) { return found }
            let version = try versions.version(id)
            let found = try confirmations.confirmation(of: version, at: now)
            if let found, found.state == .unanswered { return found }
            throw .confirming(.doesNotWait(version, found?.state))
        }
    }

    /// Keeps versions for good, all in one version.
    package func confirm(_ open: [Confirmation], _ done: Done) throws(Problem) -> Outcome {
        try settle(open, "confirmed", until: nil, done) { $0.confirms = $1 }
    }

    /// Gives versions time until `deadline`, counted from now on.
    package func extend(_ open: [Confirmation], until deadline: Time, _ done: Done) throws(Problem) -> Outcome {
        var done = done
        done.confirmBy = deadline
        return try settle(open, "extended", until: deadline, done) { $0.extends = $1 }
    }

    /// What is kept here comes first: a process that dies in between leaves a question, and no value that reverts itself.
    private func settle(
        _ open: [Confirmation], _ what: String, until deadline: Time?, _ done: Done,
        _ name: (inout Edit, [NamedVersions.Unconfirmed]) -> Void
    ) throws(Problem) -> Outcome {
        let before = try versions.deadlines.all().filter { id, _ in !done.isDryRun && open.contains { $0.version.id == id } }
        do throws(Problem) {
            for id in before.keys { try journal.setDeadline(of: id, deadline) }
            return try record(open, what, done, name)
        } catch {
            if case .recording(.mayBeLost) = error { throw error }
            for (id, deadline) in before { try? journal.setDeadline(of: id, deadline) }
            throw error
        }
    }

    private func record(
        _ open: [Confirmation], _ what: String, _ done: Done, _ name: (inout Edit, [NamedVersions.Unconfirmed]) -> Void
    ) throws(Problem) -> Outcome {
        try recorder.record(done) { tip throws(Problem) in
            for confirmation in open where try !isStillOpen(confirmation, at: tip.id) {
                if confirmation.state == .rewritten, let tip = tip.id,
                    try confirmations.isMadeAgain(confirmation.version, at: tip)
                {
                    continue
                }
                throw .confirming(.doesNotWait(confirmation.version, nil))
            }
            var edit = Edit([])
            name(&edit, open.map { NamedVersions.Unconfirmed($0.version.id, deadline: $0.version.message.ownDeadline) })
            edit.subject = "\(what): \(open[0].version.message.subject)\(open.count > 1 ? ", and \(open.count - 1) more" : "")"
            edit.isRecordedAnyway = true
            edit.needsWhy = false
            return edit
        }
    }

    /// Takes one version back as far as what came later leaves it to; nil where somebody has settled it meanwhile.
    /// `isExpired`: because its time is over, and not because a person gave it up.
    package func takeBack(_ confirmation: Confirmation, isExpired: Bool, _ done: Done) throws(Problem) -> Settled? {
        let version = confirmation.version
        var done = done
        done.confirmBy = nil
        // Whoever recorded it asked for this.
        if isExpired {
            (done.author, done.authorTime) = (try git(versions.repository.objects.commit(version.id)).author.person, done.time)
        }
        var found: Reversal?
        let outcome = try recorder.record(done) { tip throws(Problem) in
            guard try isStillOpen(confirmation, at: tip.id, isExpired: isExpired) else {
                found = nil
                return Edit([])
            }
            let reversal = try reversals.reversal(of: version, at: tip)
            found = reversal
            var edit = Edit(reversal.changes)
            edit.unconfirmed = [NamedVersions.Unconfirmed(version.id, deadline: version.message.ownDeadline)]
            if !reversal.changes.isEmpty || !version.message.resolves.isEmpty { edit.reverts = [version.id] }
            try recorder.conflicts.turn(&edit, by: [version], areTakenBack: true, at: tip)
            edit.isRecordedAnyway = true
            edit.needsWhy = false
            edit.subject = Self.subject(reversal, isExpired)
            edit.reason = reversal.reason(isExpired ? confirmation.deadline : nil)
            return edit
        }
        guard let reversal = found else { return nil }
        if !done.isDryRun { try? tidy() }
        return Settled(confirmation: confirmation, outcome: outcome, left: reversal.left)
    }

    /// Whether nobody was faster: confirmed it, took it back, or extended what has expired.
    private func isStillOpen(_ found: Confirmation, at tip: VersionID?, isExpired: Bool = false) throws(Problem) -> Bool {
        let id = found.version.id
        let deadline = isExpired ? try versions.deadlines.all()[id] : found.deadline
        guard let tip, let deadline else { return false }
        return try confirmations.open([id: deadline], at: tip)[id]?.seconds == found.deadline.seconds
    }

    /// Forgets the deadlines of versions that every branch which has them has settled, and of those that git has dropped.
    func tidy() throws(Problem) {
        let deadlines = try versions.deadlines.all()
        guard !deadlines.isEmpty, let head = try versions.head.commit else { return }
        let (objects, references) = (versions.repository.objects, versions.repository.references)
        let branches = try git(references.references(matching: "refs/heads/*"))
        let tips = [head] + branches.map(\.target) + versions.detachedHeads
        for (id, deadline) in deadlines {
            var isNeeded = try git(objects.exists(id))
            for tip in isNeeded ? tips : [] where try confirmations.has(id, tip) {
                isNeeded = try !confirmations.open([id: deadline], at: tip).isEmpty
                if isNeeded { break }
            }
            if !isNeeded { try journal.setDeadline(of: id, nil) }
        }
    }

    /// In the order in which they are taken back: each before those that it builds on.
    package func newestFirst(_ open: [Confirmation]) throws(Problem) -> [Confirmation] {
        if open.count < 2 { return open }
        let order = try versions.newestFirst(open.map(\.version)).map(\.id)
        return open.sorted { order.firstIndex(of: $0.version.id) ?? 0 < order.firstIndex(of: $1.version.id) ?? 0 }
    }

    private static func subject(_ reversal: Reversal, _ isExpired: Bool) -> String {
        let why = isExpired ? "not confirmed" : "given up"
        guard reversal.changes.isEmpty else { return "\(why): \(Wording().message(of: reversal.changes).subject)" }
        return "\(why): nothing was left to revert"
    }
}

/// What takes a version back.
struct Reversal {
    var changes: [Change]
    /// What it changed and something later decides.
    var left: [Change] = []

    /// `deadline`: until when it could be confirmed; nil where it was given up.
    func reason(_ deadline: Time?) -> String? {
        var lines = deadline.map { ["Not confirmed by \($0.rfc3339)."] } ?? []
        if !left.isEmpty {
            lines.append("Changed since, and so not reverted:")
            lines += Wording().details(of: left).map { "  \($0)" }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
