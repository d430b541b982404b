import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct ConfirmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Keep versions that were recorded with --confirm.",
        discussion: """
            A version that was recorded with --confirm reverts itself when its time is
            over, unless you confirm it before then. Without VERSION, all your pending
            versions are confirmed. Later changes stay.

            A version reverts itself only in the clone that recorded it. In another clone,
            or after a rebase, 'settings status' lists it, and 'settings confirm VERSION'
            keeps it.

              settings set network.mtu 9000 --confirm 10m
              settings confirm
              settings confirm 3f2a91c
              settings confirm --extend 1h
              settings confirm --cancel
              settings confirm --list
            """)

    @Argument(
        help: ArgumentHelp("Versions (default: all your pending versions).", valueName: "version"), completion: .word(.waiting))
    var versions: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Restart the timer with this much time: 10m, 1h30m, '2 hours'.", valueName: "time"))
    var extend: String?

    @Flag(name: .long, help: "Revert the versions now.") var cancel = false
    @Flag(name: .long, help: "List the pending versions of all authors.") var list = false
    @Flag(name: .long, help: "Revert expired versions now.") var expire = false

    /// Waits for a moment first, see `Waiter`.
    @Option(name: .long, parsing: .unconditional, help: .hidden) var await: Int64?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if record.confirm != nil { throw ValidationError("'confirm' does not take --confirm; --extend gives more time") }
        if [extend != nil, cancel, list, expire].count(where: { $0 }) > 1 {
            throw ValidationError("--extend, --cancel, --list and --expire cannot be combined")
        }
        if list || expire, !versions.isEmpty { throw ValidationError("--list and --expire take no VERSION") }
        if record.edit { throw ValidationError("'confirm' does not take --edit") }
        if list { try record.refuse(for: "'confirm --list'") }
        if expire { try record.refuse(except: ["--durability"], for: "'confirm --expire'") }
        if let extend, case .failure(let problem) = RecordRequest.span(extend) { throw ValidationError(problem.reason ?? "") }
    }

    func run() throws {
        let context = Context(global)
        if let moment = self.await {
            return Waiter.wait(until: moment, context) { clock in
                // A store that is gone has nothing to take back.
                guard let session = try? context.session(at: clock) else { return true }
                return try takeBackExpired(session, context, at: clock.time(clock.now), isUnattended: true).failed.isEmpty
            }
        }
        let session = try context.session()
        if list { return try showList(session, context) }
        if expire {
            return try report(try takeBackExpired(session, context, isUnattended: !session.caller.isAtTerminal), context)
        }
        let ids = versions.isEmpty ? nil : try versions.map { try session.ask(RevisionQuery($0)).id }
        var wish = cancel ? ConfirmAction.Wish.cancel : .confirm
        if let extend { wish = .extend(until: try RecordRequest.deadline(extend, context.environment.clock)) }
        let recording = Recording(context: context, options: record, json: json.json)
        let outcome = try session.perform(ConfirmAction(ids, wish), try recording.done(in: session))
        try report(outcome, wish, recording, session)
        if case .extend(let deadline) = wish, !record.dryRun { Waiter.start(until: deadline, session, context) }
    }

    private func report(
        _ outcome: ConfirmAction.Outcome, _ wish: ConfirmAction.Wish, _ recording: Recording, _ session: Session
    ) throws {
        let context = recording.context
        for one in outcome.outcomes { try recording.report(one, session) }
        if json.json { return }
        let deadline: Time? = if case .extend(let deadline) = wish, !record.dryRun { deadline } else { nil }
        try context.output.print(
            context.phrases.settled(
                outcome.settled, isGivenUp: cancel, until: deadline, longer: outcome.longer, left: outcome.left))
    }

    private func showList(_ session: Session, _ context: Context) throws {
        let open = try session.ask(ConfirmationsQuery())
        try context.output.print(
            json.json, context.reports.document(open),
            context.phrases.waiting(open))
    }

    private func takeBackExpired(
        _ session: Session, _ context: Context, at time: Time? = nil, isUnattended: Bool
    ) throws -> ExpireAction.Outcome {
        var done = try Recording(context: context, options: record.request, json: json.json).done(in: session)
        // What a long wait began with is not the time of what it ends with.
        if let time { (done.time, done.authorTime) = (time, time) }
        return try session.perform(ExpireAction(isUnattended: isUnattended), done)
    }

    private func report(_ outcome: ExpireAction.Outcome, _ context: Context) throws {
        let recorded: [(version: Version, changes: [Change])] = outcome.settled.compactMap { settled in
            if case .recorded(let version, let changes, _) = settled.outcome { (version, changes) } else { nil }
        }
        let isInStep = outcome.settled.allSatisfy { settled in
            if case .recorded(_, _, let notes) = settled.outcome { notes.filesAreInStep } else { true }
        }
        try context.output.print(
            json.json, context.reports.reverted(recorded, filesAreInStep: isInStep),
            Phrases.reverted(recorded.map(\.version), isAll: outcome.failed.isEmpty))
        try context.output.print(
            outcome.failed.map { .warning(CommandLineHints.words(.cannotTakeBack($0.confirmation, $0.problem))) })
        if let first = outcome.failed.first { throw Failure(Failure(first.problem).status) }
    }
}
