import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct RemoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "List, add, remove or rename remotes.",
        discussion: """
            Remotes are kept in git's own configuration, so that git's commands use them,
            too.

              settings remote
              settings remote add origin git@example.org:shop.git
              settings remote rename origin backup
            """,
        subcommands: [
            RemoteListCommand.self, RemoteAddCommand.self, RemoteRemoveCommand.self, RemoteRenameCommand.self,
        ],
        defaultSubcommand: RemoteListCommand.self)
}

struct RemoteListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List remotes. The network is not used.")

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let remotes = try context.session().ask(RemotesQuery())
        if json.json {
            let rows = remotes.map { found in
                JSON.object([
                    "name": .string(found.remote.shown), "url": .string(found.remote.shownURL),
                    "branch": .string(found.remote.branch), "ahead": found.ahead.map { .number($0) } ?? .null,
                    "behind": found.behind.map { .number($0) } ?? .null,
                    "reached": found.reached.map { .string($0.rfc3339) } ?? .null,
                ])
            }
            return try context.output.json(Reports.document(["remotes": .array(rows)]))
        }
        let rows = remotes.map { found in
            [
                StyledText(found.remote.shown, .name), StyledText(found.remote.shownURL), StyledText(found.remote.branch),
                StyledText(context.phrases.state(ahead: found.ahead, behind: found.behind, reached: found.reached), .faint),
            ]
        }
        try context.output.lines(Phrases.table(rows))
        if remotes.isEmpty { context.output.note("there are no remotes; 'settings remote add NAME URL' adds one") }
    }
}

struct RemoteAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a remote.")

    @Argument(help: "Its name, such as origin.") var name: String
    @Argument(help: ArgumentHelp("A URL or a path.", valueName: "url"), completion: .file()) var url: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try change(.add(name, url: url), "\(name) was added; 'settings sync' exchanges versions", global) }
}

struct RemoteRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a remote; the versions stay.", aliases: ["rm"])

    @Argument(help: "The remote.", completion: .word(.remote)) var name: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try change(.remove(name), "\(name) was removed", global) }
}

struct RemoteRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a remote.", aliases: ["mv"])

    @Argument(help: "The remote.", completion: .word(.remote)) var old: String
    @Argument(help: "The new name.") var new: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try change(.rename(old, to: new), "\(old) is now \(new)", global) }
}

private func change(_ action: RemoteAction, _ words: String, _ global: GlobalOptions) throws {
    let context = Context(global)
    let session = try context.session()
    let done = try Recording(context: context, options: RecordRequest(), json: false).done(in: session)
    try session.perform(action, done)
    if !context.output.isQuiet { try context.output.line(words) }
}
