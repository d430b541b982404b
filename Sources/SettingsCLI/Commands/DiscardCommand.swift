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
            let heading = dryRun ? "would restore as unrecorded edits:" : "restored as unrecorded edits:"
            return try report(heading, brought.changes, brought.unreadable, context)
        }
        let draft = try session.perform(DiscardAction(keys), done)
        if draft.isEmpty {
            if json.json { return try report("", [], [], context) }
            if !context.output.isQuiet { try context.output.line("nothing to discard: there are no unrecorded edits") }
            return
        }
        let unreadable = draft.unreadable.filter { file in !draft.strays.contains { $0.path == file.path } }
        try report(
            dryRun ? "would discard:" : "discarded:", draft.changes, unreadable, context, draft.rewritten, draft.removedUnread,
            draft.unmerged)
        for stray in draft.strays {
            context.output.error(
                StyledText("warning: ", .warning) + StyledText(CommandLineHints.reason(.file(.cannotDiscard(stray)))))
        }
        let isKept = !draft.edited.isEmpty || !draft.rewritten.isEmpty || !unreadable.isEmpty
        if isKept, !dryRun, !json.json { context.output.note("hint: 'settings discard --undo' restores them") }
    }

    private func report(
        _ heading: String, _ changes: [Change], _ unreadable: [VersionChanges.Unreadable], _ context: Context,
        _ rewritten: [Subject] = [], _ removed: [Subject] = [], _ unmerged: [Subject] = []
    ) throws {
        if json.json {
            return try context.output.json(
                Reports.document([
                    "changes": context.reports.changes(changes), "unreadable": .array(unreadable.map(context.reports.unreadable)),
                    "rewritten": .array(rewritten.map { .string($0.path) }),
                    "removed": removed.isEmpty ? nil : .array(removed.map { .string($0.path) }),
                    "unmerged": unmerged.isEmpty ? nil : .array(unmerged.map { .string($0.path) }),
                ]))
        }
        if context.output.isQuiet { return }
        try context.output.line(heading)
        try context.output.lines(context.phrases.sentences(changes).map { StyledText("    ") + $0 })
        for subject in rewritten { try context.output.line("    \(subject.path) (formatting only)") }
        for file in unreadable { try context.output.line("    \(file.path)") }
        for subject in removed { try context.output.line("    \(subject.path) removed") }
        for subject in unmerged { try context.output.line("    \(subject.path) (conflict in git's index)") }
    }

    private func printKept(_ session: Session, _ context: Context) throws {
        let kept = try session.ask(DiscardedQuery())
        if json.json {
            let rows = kept.map {
                JSON.object(["time": .string($0.time.rfc3339), "changes": context.reports.changes($0.changes.changes)])
            }
            return try context.output.json(Reports.document(["discarded": .array(rows)]))
        }
        for draft in kept {
            try context.output.line(context.phrases.time(draft.time))
            try context.output.lines(context.phrases.sentences(draft.changes.changes).map { StyledText("    ") + $0 })
            for file in draft.changes.unreadable { try context.output.line("    \(file.path)") }
        }
        if kept.isEmpty { context.output.note("no edits were discarded in the last 30 days") }
    }
}
