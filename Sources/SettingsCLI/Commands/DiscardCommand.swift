import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct DiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Drop unrecorded edits to files; they can be restored for 30 days.",
        discussion: """
            Edits that are staged in git's index are also dropped; --undo restores them in
            the files.

              settings discard general.language
              settings discard --list
              settings discard --undo
              settings discard --undo general.language
            """)

    @Argument(
        help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .word(.placeOrDiscarded))
    var keys: [String] = []
    @Flag(name: .long, help: "Restore the edits that were discarded last; with keys, only the last edit of each key.") var undo =
        false
    @Flag(name: .long, help: "List discarded edits that can still be restored.") var list = false
    @Flag(name: [.customShort("n"), .long], help: "Show what would be dropped or restored.") var dryRun = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if list, undo || !keys.isEmpty { throw ValidationError("--list cannot be combined with --undo or with keys") }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.sessionOfAnyFormat()
        var done = try Recording(context: context, options: RecordRequest(), json: json.json).done(in: session)
        done.isDryRun = dryRun
        if list { return try printKept(session, context) }
        if undo {
            let brought = try session.perform(BringBackAction(keys), done)
            return try context.output.print(
                json.json, context.reports.discarded(brought), context.phrases.broughtBack(brought, isPlanned: dryRun))
        }
        let draft: Draft
        do throws(Problem) { draft = try session.perform(DiscardAction(keys), done) } catch {
            guard case .key = error, let file = try session.ask(TrackedQuery()).first(where: { keys.contains($0.path) }) else {
                throw error
            }
            throw Failure(.usage, CommandLineHints.isTracked(file.path, discardedWith: file.group))
        }
        try context.output.print(
            json.json, context.reports.discarded(draft), context.phrases.discarded(draft, isPlanned: dryRun))
        if json.json { try context.output.print(Phrases.notDiscarded(draft)) }
    }

    private func printKept(_ session: Session, _ context: Context) throws {
        let kept = try session.ask(DiscardedQuery())
        try context.output.print(
            json.json, context.reports.kept(kept.map { ($0.time, $0.changes.changes + $0.tracked.flatMap(\.edits)) }),
            context.phrases.kept(kept.map { ($0.time, $0.changes, $0.tracked) }))
    }
}
