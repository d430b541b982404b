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

    /// The most versions that JSON lists.
    private static let listed = 1000

    func wish(_ direction: SyncWish.Direction, _ remote: String?) -> SyncWish {
        var wish = SyncWish(direction, remote: remote, reporting: json ? Self.listed : Phrases.versionsOfSync)
        wish.trust = context.environment.trust
        return wish
    }

    func run(_ wish: SyncWish, in session: Session) throws {
        let program = try network.program(context)
        let recording = Recording(context: context, options: RecordRequest(), json: json)
        let done = try recording.done(in: session)
        var wish = wish
        wish.signatures = try SignatureConfiguration(session, context.environment).required
        let report = try session.perform(SyncAction(wish, by: program), done)
        try print(report)
        AutomaticUpkeep.startIfDue(session)
        if !report.questions.isEmpty { throw Failure(.conflict) }
    }

    private func print(_ report: SyncReport) throws {
        let output = context.output
        if json { return try output.json(context.reports.sync(report)) }
        if output.isQuiet {
            try output.lines(context.wrapped(context.phrases.questions(report)))
        } else {
            if report.isEmpty, report.waiting == 0, report.redrafted.isEmpty {
                if !isRepeated { try output.line("in step with \(report.remote)") }
            } else {
                try output.lines(context.wrapped(context.phrases.sync(report)))
            }
        }
        if !report.questions.isEmpty {
            output.note("hint: 'settings resolve KEY VALUE', or KEY --ours or --theirs, resolves one")
        }
        for name in isRepeated ? [] : report.tags.different {
            output.note("the tag \(name) names another version on \(report.remote); neither was moved")
        }
    }
}
