import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct MaintainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Pack the history to keep it small and fast.",
        discussion: """
            Nothing is removed from the history, and other processes can write meanwhile.
            The index used by 'history' and 'blame' is updated, too. Maintenance runs
            automatically when it is due, unless git's gc.auto is 0.

              settings maintain
            """)

    @Flag(name: .long, help: "Do so only if it is due.")
    var auto = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let git = GitProgram(environment: context.environment)
        let maintenance = Maintenance(
            isAutomatic: auto,
            runGit: git.map { git in { git.run($0, in: $1, configuration: $2, variables: $3) } },
            progress: { step in
                switch step {
                case .git(nil): context.output.progress("git is packing")
                case .git(let command?): context.output.progress("git \(command)")
                case .packed(let done, let all): context.output.progress("\(done) of \(all) objects packed")
                }
            })
        guard let outcome = try context.session().maintain(maintenance) else { return }
        try report(outcome, context)
    }

    private func report(_ outcome: Maintenance.Outcome, _ context: Context) throws {
        let done =
            switch outcome.work {
            case .nothingIsDue: "nothing is due"
            case .onlyIndex: "the index is up to date"
            case .packedByGit: "packed by git"
            case .packed(let count):
                "\(count) objects packed by libgit2; git, which is not installed, would make smaller packs"
            }
        if json.json {
            return try context.output.json(
                Reports.document([
                    "done": .string(done), "before": context.reports.storage(outcome.before),
                    "after": context.reports.storage(outcome.after),
                ]))
        }
        guard !context.output.isQuiet else { return }
        try context.output.line("\(done): \(Phrases.words(outcome.after))")
    }
}
