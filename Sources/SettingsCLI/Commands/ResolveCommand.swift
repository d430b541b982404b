import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Settle a question that a merge left open, in a version of its own.",
        discussion: """
              settings resolve general.language German -m 'Berlin decides'
              settings resolve general.language:title --theirs
            """)

    @Argument(
        help: ArgumentHelp("The option, and the facet where more than one is open.", valueName: "key[:facet]"), completion: .key)
    var place: String

    @Argument(help: ArgumentHelp("What it becomes.", valueName: "value"), completion: .label, transform: Words.plain)
    var value: String?

    @Flag(name: .long, help: "What our side had.") var ours = false
    @Flag(name: .long, help: "What their side had.") var theirs = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if [value != nil, ours, theirs].count(where: { $0 }) != 1 { throw ValidationError("say how: VALUE, --ours or --theirs") }
    }

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        let parts = place.split(separator: ":", maxSplits: 1).map(String.init)
        let key = try KeyLookup.parse(parts[0])
        let facet = try parts.dropFirst().first.map { name in
            guard let facet = Facet(token: name) else { throw Failure(.usage, "there is no facet '\(name)'") }
            return facet
        }
        let answer: Answer = ours ? .ours : theirs ? .theirs : .word(value ?? "")
        let recorder = Recorder(context: context, options: record, json: json.json)
        // In the middle of a merge by git the file is mended, and git's own commit records it, with the reason.
        let operation = try store.operation
        if try store.hasTextConflict(key), let changes = try store.resolveText(key, facet, answer, saying(recorder, store)) {
            if json.json {
                return try context.output.json(
                    Reports.document([
                        "status": .string(record.dryRun ? "planned" : "mended"), "changes": context.reports.changes(changes),
                    ]))
            }
            if context.output.isQuiet { return }
            for line in context.phrases.sentences(changes) { try context.output.line(line) }
            if changes.isEmpty { try context.output.line("\(key) stays as it is on our side") }
            if record.dryRun { return }
            // A stash or a squash that stopped is no operation to git.
            let end = operation == nil || operation == "merge" ? "commit" : "\(operation ?? "") --continue"
            context.output.note("hint: git has it as resolved; finish with 'git \(end)'")
            return
        }
        try recorder.record(store) { done in
            try store.resolve(key, facet, answer, done)
        }
    }

    /// What git's commit is to say.
    private func saying(_ recorder: Recorder, _ store: Store) throws -> Done {
        if record.author != nil {
            throw Failure(
                .usage, "--author can't be kept in the middle of git's \(try store.operation ?? "work")",
                hint: "leave it out here; 'git commit --author' says it")
        }
        var done = try recorder.done(store)
        if done.isDryRun { done.why = nil }
        return done
    }
}
