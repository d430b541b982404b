import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct RemoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "List, add, remove, rename or trust remotes.",
        discussion: """
            Remotes are kept in git's own configuration, so that git's commands use them,
            too.

            Programs that a repository's own configuration names, such as core.sshCommand
            or a credential helper, and addresses that it rewrites, are not used until you
            trust them. Your own configuration (~/.gitconfig) is always used.

              settings remote
              settings remote add origin git@example.org:shop.git
              settings remote rename origin backup
              settings remote trust origin
            """,
        subcommands: [
            RemoteListCommand.self, RemoteAddCommand.self, RemoteRemoveCommand.self, RemoteRenameCommand.self,
            RemoteTrustCommand.self, RemoteUntrustCommand.self,
        ],
        defaultSubcommand: RemoteListCommand.self)
}

struct RemoteListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List remotes. The network is not used.")

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let remotes = try context.session().ask(RemotesQuery(context.environment.trust)).map(KnownRemote.init)
        try context.output.print(json.json, context.reports.remotes(remotes), context.phrases.remotes(remotes))
    }
}

struct RemoteAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a remote.")

    @Argument(help: "The remote's name, such as origin.") var name: String
    @Argument(help: ArgumentHelp("A URL or a path.", valueName: "url"), completion: .file()) var url: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try change(.add(name, url: url), Phrases.added(name), global) }
}

struct RemoteRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a remote; the versions stay.", aliases: ["rm"])

    @Argument(help: "The remote.", completion: .word(.remote)) var name: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try change(.remove(name), Phrases.removed(name), global) }
}

struct RemoteRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a remote.", aliases: ["mv"])

    @Argument(help: "The remote.", completion: .word(.remote)) var old: String
    @Argument(help: "The new name.") var new: String
    @OptionGroup var global: GlobalOptions

    func run() throws { try change(.rename(old, to: new), Phrases.renamed(old, to: new), global) }
}

struct RemoteTrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Allow the programs that the repository's configuration names for reaching a remote to run.",
        discussion: """
            git then uses the programs, addresses and options that the repository's own
            configuration names for this remote, and pushing to a repository on this
            machine runs its hooks. They are listed; one that changes later is not used
            until it is trusted again. What is trusted is kept in
            ~/.config/settings/trusted.

              settings remote trust origin
            """)

    @Argument(help: "The remote.", completion: .word(.remote)) var name: String
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws { try trust(name, true, json.json, global) }
}

struct RemoteUntrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust", abstract: "Stop trusting a remote.",
        discussion: """
            Configuration of the repository that applies to all remotes is no longer used
            for the other ones, either.

              settings remote untrust origin
            """)

    @Argument(help: "The remote.", completion: .word(.remote)) var name: String
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws { try trust(name, false, json.json, global) }
}

private func trust(_ name: String, _ isTrusted: Bool, _ json: Bool, _ global: GlobalOptions) throws {
    let context = Context(global)
    let session = try context.session()
    let done = try Recording(context: context, options: RecordRequest(), json: json).done(in: session)
    let programs = try session.perform(TrustAction(name, isTrusted: isTrusted, context.environment.trust), done)
    try context.output.print(
        json, context.reports.trust(name, isTrusted: isTrusted, programs),
        context.phrases.trust(name, isTrusted: isTrusted, programs))
}

private func change(_ action: RemoteAction, _ line: PrintedLine, _ global: GlobalOptions) throws {
    let context = Context(global)
    let session = try context.session()
    let done = try Recording(context: context, options: RecordRequest(), json: false).done(in: session)
    try session.perform(action, done)
    try context.output.print([line])
}

extension KnownRemote {
    init(_ known: RemotesQuery.Known) {
        self.init(
            known.remote.shown, known.remote.shownURL, branch: known.remote.branch, ahead: known.ahead, behind: known.behind,
            reached: known.reached, programs: known.programs)
    }
}
