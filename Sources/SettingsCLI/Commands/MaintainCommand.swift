import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct MaintainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Pack the history to keep it small and fast.",
        discussion: """
            Nothing is removed from the history, and other processes can write in the
            meantime. The index used by 'history' and 'blame' is updated, too. Maintenance
            runs automatically when it is due, unless git's gc.auto is 0.

              settings maintain
            """,
        shouldDisplay: !Help.isAsked)

    @Flag(name: .long, help: "Pack only if maintenance is due.")
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
        try context.output.print(
            json.json, context.reports.maintained(outcome.work, from: outcome.before, to: outcome.after),
            [Phrases.maintained(outcome.work, to: outcome.after)])
    }
}
