import Git
package import SettingsModel

/// The versions that still have to be confirmed, those whose time is over and that nobody took back yet, and those that
/// somebody has to be asked about, each with what it changed. The next deadline comes first.
package struct ConfirmationsQuery: Query {
    /// Only those that have expired and are still in force: costs one look at a folder where nothing has.
    package var isOnlyExpired: Bool

    package init(onlyExpired: Bool = false) { isOnlyExpired = onlyExpired }

    package func answer(in session: Session) throws(Problem) -> [(confirmation: Confirmation, changes: VersionChanges)] {
        let now = session.clock.now
        if isOnlyExpired, !session.deadlines.contains(where: { $0.value.seconds <= now }) { return [] }
        let store = try session.store
        let confirmations = store.confirming.confirmations
        var found = try confirmations.open(at: now)
        if isOnlyExpired {
            found.removeAll { $0.state != .expired }
        } else {
            found = try confirmations.unanswered(at: now) + found
        }
        if found.isEmpty { return [] }
        let masked = try MaskedNames(store.history)
        return try found.map { found throws(Problem) in
            (found, try masked.masking(try store.history.changes(of: found.version)))
        }
    }
}

/// Whether a version had to be confirmed, and what became of that. Nil if it hadn't.
package struct ConfirmationQuery: Query {
    package var version: Version
    /// Whether only the history is asked, which every clone has alike, and not what this one keeps beside it.
    package var isShared: Bool

    package init(_ version: Version, isShared: Bool = false) {
        self.version = version
        self.isShared = isShared
    }

    package func answer(in session: Session) throws(Problem) -> Confirmation? {
        if version.message.ownDeadline == nil { return nil }
        return try session.store.confirming.confirmations.confirmation(
            of: version, at: session.clock.now, isShared: isShared)
    }
}

/// Of what a version changed, what would stay if it was taken back now: what was changed again since.
package struct LeftQuery: Query {
    package var version: Version

    package init(_ version: Version) { self.version = version }

    package func answer(in session: Session) throws(Problem) -> [Change] { try session.store.confirming.left(of: version) }
}

/// Keeps versions that wait for it, gives them more time, or takes them back at once.
package struct ConfirmAction: Action, Sendable {
    package enum Wish: Hashable, Sendable {
        case confirm
        case extend(until: Time)
        case cancel
    }

    /// Nil for all of the caller's own.
    package var ids: [VersionID]?
    package var wish: Wish

    package init(_ ids: [VersionID]?, _ wish: Wish) {
        self.ids = ids
        self.wish = wish
    }

    package struct Outcome: Sendable {
        /// What was asked for, as it was before.
        package var settled: [Confirmation]
        /// One for all, or where they are given up one for each.
        package var outcomes: [SettingsModel.Outcome]
        /// What stays of those that were given up.
        package var left: [Change] = []
        /// What can be confirmed for longer already than an extension would allow.
        package var longer: [Confirmation] = []
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        let confirming = try session.store.confirming
        try session.takeBackExpired(done)
        let all = try confirming.open(
            ids, of: session.store.versions.mailmap.person(done.author), at: session.clock.now)
        var open = all
        switch wish {
        // Its time is over, and something stands in the way of taking it back.
        case .confirm: open.removeAll { $0.state == .expired }
        case .extend: open.removeAll { $0.state != .waiting }
        case .cancel: break
        }
        guard let first = open.first else { throw .confirming(.doesNotWait(all[0].version, all[0].state)) }
        switch wish {
        case .confirm: return Outcome(settled: open, outcomes: [try confirming.confirm(open, done)])
        case .extend(let deadline):
            let sooner = open.filter { $0.deadline.seconds < deadline.seconds }
            if sooner.isEmpty { throw .confirming(.waitsLonger(first)) }
            var outcome = Outcome(settled: sooner, outcomes: [try confirming.extend(sooner, until: deadline, done)])
            outcome.longer = open.filter { $0.deadline.seconds >= deadline.seconds }
            return outcome
        case .cancel:
            var outcome = Outcome(settled: open, outcomes: [])
            for confirmation in try confirming.newestFirst(open) {
                guard let settled = try confirming.takeBack(confirmation, isExpired: false, done) else { continue }
                outcome.outcomes.append(settled.outcome)
                outcome.left += settled.left
            }
            if outcome.outcomes.isEmpty {
                throw .confirming(.doesNotWait(first.version, first.state == .rewritten ? .rewritten : nil))
            }
            return outcome
        }
    }
}

/// Takes back every version that was not confirmed in time.
package struct ExpireAction: Action, Sendable {
    /// Whether nobody can be asked for a passphrase: what can't be signed then is taken back unsigned, because it must not stay
    /// in force for want of that.
    package var isUnattended: Bool

    package init(isUnattended: Bool = false) { self.isUnattended = isUnattended }

    package struct Outcome: Sendable {
        package var settled: [Confirming.Settled] = []
        /// Those that can't be taken back yet, and why.
        package var failed: [(confirmation: Confirmation, problem: Problem)] = []
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        guard isUnattended else { return try takeBack(in: session, done) }
        var done = done
        done.signing = done.signing?.map { $0.unattended }
        var outcome = try takeBack(in: session, done)
        guard outcome.failed.contains(where: { if case .signing = $0.problem { true } else { false } }) else { return outcome }
        done.signing = nil
        let again = try takeBack(in: session, done)
        outcome.settled += again.settled
        outcome.failed = again.failed
        return outcome
    }

    private func takeBack(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        let confirming = try session.store.confirming
        var outcome = Outcome()
        try confirming.tidy()
        // The newest first: what an older one changed may come to light only then.
        let expired = try confirming.confirmations.open(at: session.clock.now).filter { $0.state == .expired }
        for confirmation in try confirming.newestFirst(expired) {
            do throws(Problem) {
                guard let settled = try confirming.takeBack(confirmation, isExpired: true, done) else { continue }
                outcome.settled.append(settled)
            } catch { outcome.failed.append((confirmation, error)) }
        }
        return outcome
    }
}

extension Session {
    /// Until when versions recorded here can be confirmed; of other branches and other stores of the repository, too.
    package var deadlines: [VersionID: Time] { (try? folder.deadlines?.all()).flatMap { $0 } ?? [:] }

    /// What was not confirmed in time is taken back before anything else is recorded. If that isn't possible, it is reported,
    /// and the next command tries again. Throws where another process keeps everybody from recording.
    func takeBackExpired(_ done: Done) throws(Problem) {
        if done.isDryRun || deadlines.isEmpty { return }
        var done = done
        (done.why, done.requestedBy, done.tickets, done.expected) = (nil, [], [], nil)
        let outcome: ExpireAction.Outcome
        do throws(Problem) { outcome = try ExpireAction().perform(in: self, done) } catch {
            if error.kind == .busy || error == .interrupted { throw error.at(clock) }
            return
        }
        for settled in outcome.settled {
            guard case .recorded(let version, let changes, let notes) = settled.outcome else { continue }
            report(
                changes.isEmpty
                    ? .nothingLeft(settled.confirmation) : .tookBack(settled.confirmation, by: version.id, left: settled.left))
            notes.forEach(report)
        }
        for (_, problem) in outcome.failed where problem.kind == .busy || problem == .interrupted { throw problem }
        for (confirmation, problem) in outcome.failed { report(.cannotTakeBack(confirmation, problem)) }
    }
}

extension Session {
    /// What is to be confirmed, or why that isn't known: a history that can't be read so far back is no reason not to tell
    /// what else is known of a store.
    package func openConfirmations() throws(Problem) -> (open: ConfirmationsQuery.Answer, problem: Problem?) {
        do throws(Problem) { return (try ask(ConfirmationsQuery()), nil) } catch {
            guard error.kind == .badData || error.kind == .missing else { throw error }
            return ([], error)
        }
    }
}
