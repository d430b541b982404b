import SettingsModel
import SettingsStore
import SettingsText

/// Runs a pull, a push or both and prints what it did.
struct SyncReporter {
    let context: Context
    let network: NetworkOptions
    let json: Bool
    /// Whether it runs again and again: then nothing is said of what did not happen.
    var isRepeated = false
    /// Whether conflicts may be resolved at once.
    var asks = true
    /// With whom versions are exchanged, where that may be several.
    var remotes = RemotesToSync()

    /// The most versions that JSON lists.
    private static let listed = 1000

    func wish(_ direction: SyncWish.Direction, _ remote: String?) -> SyncWish {
        var wish = SyncWish(direction, remote: remote, reporting: json ? Self.listed : Phrases.versionsOfSync)
        wish.trust = context.environment.trust
        return wish
    }

    /// Exchanges versions with each of the remotes. One that fails does not keep the others from it.
    func runAll(_ wish: SyncWish) throws {
        let context = isRepeated ? context.now : context
        let session = try context.session()
        let names = try session.ask(remotes)
        guard names.count > 1 else {
            var wish = wish
            wish.remote = names.first
            return try run(wish, in: session)
        }
        var outcomes: [(remote: String, result: Result<SyncReport, Problem>)] = []
        for name in names { outcomes.append((name, try result(of: wish, name, context))) }
        // What came in from later ones is new to earlier ones.
        for (place, outcome) in outcomes.enumerated() {
            guard case .success(var report) = outcome.result, outcomes[(place + 1)...].contains(where: hasBrought) else {
                continue
            }
            switch try result(of: wish, outcome.remote, context) {
            case .success(let later):
                report.add(later)
                outcomes[place].result = .success(report)
            // What came in before stands.
            case .failure(let problem): outcomes.append((outcome.remote, .failure(problem)))
            }
        }
        let (open, isAnswered) = try print(outcomes, in: context)
        if outcomes.contains(where: hasBrought) { noteMissingSetup(session) }
        AutomaticUpkeep.startIfDue(session)
        if isAnswered { try again.runAll(wish) } else { try report(outcomes, open: open, in: context) }
        if open > 0 { throw Failure(.conflict) }
    }

    /// The same once more, which sends what was answered.
    private var again: SyncReporter {
        var again = self
        again.asks = false
        return again
    }

    /// Whether a person at a terminal may answer questions.
    private var isInteractive: Bool {
        let environment = context.environment
        return asks && !json && !isRepeated && !context.output.isQuiet && environment.isInputTerminal
            && environment.isErrorTerminal
    }

    private func hasBrought(_ outcome: (remote: String, result: Result<SyncReport, Problem>)) -> Bool {
        if case .success(let report) = outcome.result { report.hasIncoming } else { false }
    }

    private func result(of wish: SyncWish, _ name: String, _ context: Context) throws -> Result<SyncReport, Problem> {
        var wish = wish
        wish.remote = name
        let session = try context.session()
        let action = try action(wish, in: session)
        let done = try Recording(context: context, options: RecordRequest(), json: json).done(in: session)
        return try interruptibly { Result { () throws(Problem) in try session.perform(action, done) } }
    }

    /// Returns how many conflicts are left open, and whether a person has resolved others.
    private func print(
        _ outcomes: [(remote: String, result: Result<SyncReport, Problem>)], in context: Context
    ) throws -> (open: Int, isAnswered: Bool) {
        var (open, isAnswered) = (0, false)
        if json { try context.output.json(context.reports.sync(outcomes)) }
        for outcome in outcomes {
            guard case .success(let report) = outcome.result else { continue }
            if !json { try print(report) }
            let answered = isInteractive ? try ConflictAsking(context: context).ask(report.questions) : 0
            open += report.questions.count - answered
            if answered > 0 { isAnswered = true }
        }
        return (open, isAnswered)
    }

    /// Throws where a remote failed, or a conflict is open.
    private func report(
        _ outcomes: [(remote: String, result: Result<SyncReport, Problem>)], open: Int, in context: Context
    ) throws {
        var failures = outcomes.compactMap { outcome in
            if case .failure(let problem) = outcome.result { Failure(problem) } else { nil }
        }
        if open > 0 { failures.append(Failure(.conflict)) }
        let status = failures.map(\.status).max { Self.weight($0) < Self.weight($1) }
        guard let status else { return }
        // Whoever repeats it reports what goes on only once.
        let reasons = failures.compactMap(\.reason)
        if isRepeated, !reasons.isEmpty { throw Failure(status, reasons.joined(separator: "; ")) }
        try context.output.flush()
        for failure in failures { failure.report(context.output, phrases: context.phrases) }
        throw Failure(status)
    }

    /// How much a status asks of a person: what goes away by itself asks least.
    private static func weight(_ status: ExitStatus) -> Int {
        let order: [ExitStatus] = [.success, .no, .busy, .conflict, .missing, .policy, .badData]
        return order.firstIndex(of: status) ?? order.count
    }

    /// Whoever repeats it looks for signals itself.
    private func interruptibly<Value>(_ work: () throws -> Value) throws -> Value {
        isRepeated ? try work() : try context.interruptibly(work)
    }

    private func action(_ wish: SyncWish, in session: Session) throws -> SyncAction {
        var wish = wish
        wish.signatures = try SignatureConfiguration(session, context.environment).required
        return SyncAction(wish, by: try network.program(context))
    }

    func run(_ wish: SyncWish, in session: Session) throws {
        let action = try action(wish, in: session)
        let recording = Recording(context: context, options: RecordRequest(), json: json)
        let done = try recording.done(in: session)
        let report = try interruptibly { try session.perform(action, done) }
        try print(report)
        if report.incoming.count > 0 || report.otherIncoming.count > 0 { noteMissingSetup(session) }
        AutomaticUpkeep.startIfDue(session)
        let answered = isInteractive ? try ConflictAsking(context: context).ask(report.questions) : 0
        if answered > 0, wish.direction == .both { try again.run(wish, in: try context.session()) }
        if answered < report.questions.count { throw Failure(.conflict) }
    }

    private func noteMissingSetup(_ session: Session) {
        if !json, !isRepeated { context.noteMissingSetup(session) }
    }

    private func print(_ report: SyncReport) throws {
        let output = context.output
        if json { return try output.json(context.reports.sync(report)) }
        if output.isQuiet {
            try output.lines(context.wrapped(context.phrases.questions(report)))
        } else {
            if report.isEmpty, report.waiting + report.otherWaiting == 0, report.redrafted.isEmpty {
                if !isRepeated { try output.print([Phrases.isInStep(report)]) }
            } else {
                try output.lines(context.wrapped(context.phrases.sync(report)))
            }
        }
        if !report.questions.isEmpty, !isInteractive {
            try output.print([Phrases.resolves(report.questions.map(\.conflict))])
        }
        if !isRepeated { try output.print(Phrases.differentTags(report)) }
    }
}
