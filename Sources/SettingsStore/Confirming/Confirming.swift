import Git
package import SettingsModel

/// Confirms versions that wait for it, and takes back those that were not confirmed in time.
package final class Confirming {
    let versions: Versions
    let recorder: Recorder
    let history: History
    package let confirmations: Confirmations

    init(_ versions: Versions, _ journal: Journal, _ recorder: Recorder, _ history: History) {
        self.versions = versions
        self.recorder = recorder
        self.history = history
        confirmations = Confirmations(versions, history, journal)
        let remains = Remains(versions, history)
        confirmations.isAnythingLeft = { version, snapshot throws(Problem) in
            try !remains.takingBack(version, at: snapshot).changes.isEmpty
        }
    }

    /// What became of one version that waited.
    package struct Settled: Sendable {
        package var confirmation: Confirmation
        package var outcome: Outcome
        /// Of a version that was taken back, what stays as it is.
        package var left: [Change] = []
    }

    /// Those that wait, and of which one can be asked for.
    package func open(_ ids: [VersionID]?, of person: Person, at now: Int64) throws(Problem) -> [Confirmation] {
        let open = try confirmations.open(at: now)
        guard let ids else {
            let own = open.filter { $0.version.author.isSame(as: person) }
            if own.isEmpty { throw .confirming(.nothingWaits(others: open.map(\.version))) }
            return own
        }
        var named: Set<VersionID> = []
        return try ids.filter { named.insert($0).inserted }.map { id throws(Problem) in
            if let found = open.first(where: { $0.version.id == id }) { return found }
            let version = try versions.version(id)
            throw .confirming(.doesNotWait(version, try confirmations.confirmation(of: version, at: now)?.state))
        }
    }

    /// Keeps versions for good, all in one version.
    package func confirm(_ open: [Confirmation], _ done: Done) throws(Problem) -> Outcome {
        try settle(open, "confirmed", done) { $0.confirms = $1 }
    }

    /// Gives versions time until `deadline`, counted from now on.
    package func extend(_ open: [Confirmation], until deadline: Time, _ done: Done) throws(Problem) -> Outcome {
        var done = done
        done.confirmBy = deadline
        return try settle(open, "extended", done) { $0.extends = $1 }
    }

    private func settle(
        _ open: [Confirmation], _ what: String, _ done: Done, _ name: (inout Edit, [VersionMessage.Unconfirmed]) -> Void
    ) throws(Problem) -> Outcome {
        let outcome = try recorder.record(done) { tip throws(Problem) in
            // Somebody may have been faster.
            var there: OpenConfirmations = [:]
            if let id = tip.id { there = try confirmations.open(at: id) }
            for confirmation in open where there[confirmation.version.id] == nil {
                throw .confirming(.doesNotWait(confirmation.version, nil))
            }
            var edit = Edit([])
            name(&edit, open.map { VersionMessage.Unconfirmed($0.version.id, deadline: $0.version.message.ownDeadline) })
            edit.subject = "\(what): \(open[0].version.message.subject)\(open.count > 1 ? ", and \(open.count - 1) more" : "")"
            edit.isRecordedAnyway = true
            edit.needsWhy = false
            return edit
        }
        return outcome
    }

    /// Takes one version back as far as what came later leaves it to; nil where somebody has settled it meanwhile.
    /// `isExpired`: because its time is over, and not because a person gave it up.
    package func takeBack(_ confirmation: Confirmation, isExpired: Bool, _ done: Done) throws(Problem) -> Settled? {
        let version = confirmation.version
        var done = done
        done.confirmBy = nil
        // Whoever recorded it asked for this.
        if isExpired { (done.author, done.authorTime) = (version.author, done.time) }
        var found: Taken?
        let outcome = try recorder.record(done) { tip throws(Problem) in
            guard let id = tip.id, try confirmations.open(at: id)[version.id] != nil else {
                found = nil
                return Edit([])
            }
            let taken = try Remains(versions, history).takingBack(version, at: tip)
            found = taken
            var edit = Edit(taken.changes)
            edit.unconfirmed = [VersionMessage.Unconfirmed(version.id, deadline: version.message.ownDeadline)]
            if !taken.changes.isEmpty || !version.message.resolves.isEmpty { edit.reverts = [version.id] }
            edit.isRecordedAnyway = true
            edit.needsWhy = false
            edit.subject = Self.subject(taken, isExpired)
            edit.reason = taken.reason(isExpired ? confirmation.deadline : nil)
            return edit
        }
        guard let taken = found else { return nil }
        return Settled(confirmation: confirmation, outcome: outcome, left: taken.left)
    }

    /// In the order in which they are taken back: each before those that it builds on.
    package func newestFirst(_ open: [Confirmation]) throws(Problem) -> [Confirmation] {
        if open.count < 2 { return open }
        let order = try Remains(versions, history).newestFirst(open.map(\.version)).map(\.id)
        return open.sorted { order.firstIndex(of: $0.version.id) ?? 0 < order.firstIndex(of: $1.version.id) ?? 0 }
    }

    private static func subject(_ taken: Taken, _ isExpired: Bool) -> String {
        let why = isExpired ? "not confirmed" : "given up"
        guard taken.changes.isEmpty else { return "\(why): \(Wording().message(of: taken.changes).subject)" }
        return "\(why): nothing was left to take back"
    }
}

/// What takes a version back.
struct Taken {
    var changes: [Change]
    /// What it changed and something later decides.
    var left: [Change] = []
    /// Why what is left can't be read.
    var problem: Problem?

    /// `deadline`: until when it could be confirmed; nil where it was given up.
    func reason(_ deadline: Time?) -> String? {
        var lines = deadline.map { ["Not confirmed by \($0.rfc3339)."] } ?? []
        if !left.isEmpty {
            lines.append("Changed since, and so not taken back:")
            lines += Wording().details(of: left).map { "  \($0)" }
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
