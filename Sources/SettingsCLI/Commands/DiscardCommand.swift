import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct DiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Drop unrecorded edits of files; they can be restored for 30 days.",
        discussion: """
            Edits that are staged in git's index are dropped as well; --undo restores
            them in the files.

              settings discard general.language
              settings discard --list
              settings discard --undo
              settings discard --undo general.language
            """)

    @Argument(
        help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .word(.placeOrDiscarded))
    var keys: [String] = []
    @Flag(name: .long, help: "Restore the edits that were discarded last; with keys, the last of each key alone.") var undo =
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
            var draft = Draft()
            (draft.changes, draft.unreadable) = (brought.changes, brought.unreadable)
            return try report(dryRun ? "would restore as unrecorded edits:" : "restored as unrecorded edits:", draft, context)
        }
        let draft = try session.perform(DiscardAction(keys), done)
        if draft.isEmpty, !json.json {
            return try context.output.print([.done(StyledText("nothing to discard: there are no unrecorded edits"))])
        }
        try report(dryRun ? "would discard:" : "discarded:", draft, context)
        for stray in draft.strays {
            try context.output.print([.warning(CommandLineHints.reason(.file(.cannotDiscard(stray))))])
        }
        let isKept = !draft.edited.isEmpty || !draft.rewritten.isEmpty || draft.unreadable.count > draft.strays.count
        if isKept, !dryRun, !json.json { context.output.note("hint: 'settings discard --undo' restores them") }
    }

    private func report(_ heading: String, _ draft: Draft, _ context: Context) throws {
        if json.json { return try context.output.json(context.reports.discarded(draft)) }
        try context.output.print(context.phrases.discarded(heading, draft))
    }

    private func printKept(_ session: Session, _ context: Context) throws {
        let kept = try session.ask(DiscardedQuery())
        if json.json { return try context.output.json(context.reports.kept(kept.map { ($0.time, $0.changes.changes) })) }
        for draft in kept { try context.output.lines(context.phrases.kept(draft.changes, since: draft.time)) }
        if kept.isEmpty { context.output.note("no edits were discarded in the last 30 days") }
    }
}
