import SettingsModel
import SettingsStore
import SettingsText

/// Applies a command's change to the store: asks for a reason if required, records the change and prints the outcome.
struct Recording {
    let context: Context
    let options: RecordRequest
    let json: Bool
    /// By which interface it is recorded.
    var via = "cli"
    /// The message if there is nothing to record.
    var nothing = { Phrases.alreadySet }
    /// If a version has more changes, only its first line is printed.
    var mostSentences = Int.max
    /// Additional members for `--json`.
    var more: () -> [JSON.Member] = { [] }

    /// The metadata of the version. `signingKeys`: what of git's configuration asks for its signature.
    func done(in session: Session, signingKeys: [String] = ["commit.gpgSign"]) throws -> Done {
        let identity = context.environment.identity { session.configured($0) }
        var done = Done(
            author: try options.author.map(person) ?? identity.author,
            authorTime: try identity.time("GIT_AUTHOR_DATE"),
            committer: try identity.committer,
            time: try identity.time("GIT_COMMITTER_DATE"), via: via
        )
        done.why = options.message.flatMap(VersionMessage.cleaned)
        done.requestedBy = options.requestedBy.map(\.trimmingSpaces)
        done.tickets = options.ticket.map(\.trimmingSpaces)
        done.isDryRun = options.dryRun
        done.durability = options.durability
        if let word = options.confirm { done.confirmBy = try RecordRequest.deadline(word, context.environment.clock) }
        done.signing = SignatureConfiguration(session, context.environment)
            .signing(options, askedFor: signingKeys, as: done.committer)
        if let word = options.ifVersion { done.expected = try session.ask(RevisionQuery(word)).id }
        return done
    }

    func person(_ text: String) throws -> Person {
        if let person = Person(text) { return person }
        throw Failure(.usage, "invalid author '\(text)'", hint: "write it as 'Name <e-mail>'")
    }

    /// `asks`: whether the store's policy applies.
    func record(in session: Session, asks: Bool = true, _ work: (Done) throws -> Outcome) throws {
        var done = try done(in: session)
        var questions = asks ? questions(for: done, session) : []
        var written: String?
        if !done.isDryRun, options.edit || !questions.isEmpty {
            // A change that fails or changes nothing needs no reason.
            done.isDryRun = true
            guard case .planned(_, let changes) = try work(done) else { return try report(.unchanged, session) }
            done.isDryRun = false
            if options.edit {
                written = try Asking(context).reason(for: changes, in: session)
                done.why = written
                questions.removeAll { $0.demanded == .why }
            }
            try keeping(written, session) { try Asking(context).complete(&done, questions, changes: changes) }
            if options.message == nil { written = done.why }
        }
        let outcome = try keeping(written, session) { try work(done) }
        try report(outcome, session)
        if let deadline = outcome.deadline { Waiter.start(until: deadline, session, context) }
        if case .recorded = outcome { AutomaticUpkeep.startIfDue(session) }
        if !json, outcome.isNews {
            context.noteMissingName(session, done.author)
            context.noteMissingSetup(session)
        }
    }

    /// Does `work`. If it fails, the reason that was typed for it is kept in a file, which the failure names.
    private func keeping<Result>(_ reason: String?, _ session: Session, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch {
            guard let reason else { throw error }
            if case Problem.recording(.mayBeLost)? = error as? Problem { throw error }
            guard var failure = (error as? Problem).map({ Failure($0) }) ?? error as? Failure else { throw error }
            do {
                let path = try session.keep(reason: reason)
                failure.reason = [failure.reason, "the reason was saved in \(path)"].compactMap(\.self).joined(separator: "; ")
            } catch {
                context.output.error(StyledText("warning: ", .warning) + StyledText("the reason could not be saved; it was:"))
                for line in reason.split(separator: "\n", omittingEmptySubsequences: false) {
                    context.output.error(StyledText("    \(line)"))
                }
            }
            throw failure
        }
    }

    func edit(_ request: EditRequest) throws { try record(.edit(request)) }

    /// Records a request in the store that the command names.
    func record(_ request: Request) throws { try record(request, in: try context.session()) }

    func record(_ request: Request, in session: Session) throws {
        try record(in: session, asks: request.needsReason) { done in try session.perform(request, done) }
    }

    private func questions(for done: Done, _ session: Session) -> [Asking.Question] {
        guard context.environment.isInputTerminal, context.environment.isErrorTerminal, !json,
            let policy = try? session.folder.definition().policy
        else { return [] }
        return Asking.questions(of: policy, for: done)
    }

    func report(_ outcome: Outcome, _ session: Session) throws {
        let output = context.output
        if case .recorded = outcome { output.hasRecorded = true }
        if json { return try output.json(Reports.adding(more(), to: context.reports.outcome(outcome))) }
        var facts = RecordingFacts()
        facts.mostSentences = mostSentences
        switch outcome {
        case .unchanged: facts.nothing = nothing()
        case .reformatted: break
        case .planned:
            facts.plannedDeadline = try options.confirm.map { try RecordRequest.deadline($0, context.environment.clock) }
        case .forwarded(let version, let changes, _), .recorded(let version, let changes, _):
            if changes.isEmpty, !output.isQuiet { facts.decisions = decisions(of: version, session) }
            if version.message.ownDeadline != nil {
                facts.afterRestart = SystemdTimer(session.folder.path, context.environment).afterRestart
            }
            facts.isDetached = (try? session.ask(RepositoryQuery()))?.isDetached == true
        }
        try output.print(context.phrases.outcome(outcome, facts))
    }

    /// What a version resolved without changing anything, as 'history' has it.
    private func decisions(of version: Version, _ session: Session) -> [StyledText] {
        if version.message.resolves.isEmpty { return [] }
        var query = HistoryQuery()
        (query.start, query.end, query.limit) = (version.parents.first, version.id, 1)
        var lines: [StyledText] = []
        _ = try? session.walk(query) { found, changes, _ in
            if found.id == version.id { lines = context.phrases.changed(by: found, changes) }
            return false
        }
        return lines
    }
}
