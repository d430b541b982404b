import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Fetch new versions from a remote, merge them by meaning, and push.",
        discussion: """
            If both sides changed the same part of an option, the value that is already on
            the remote stays in force and yours becomes an open conflict, which 'settings
            conflicts' lists and 'settings resolve' resolves. If the branch belongs to
            another remote, yours stays in force instead. At a terminal, you are asked
            immediately. Edits that are not recorded yet are kept.

            Nothing is forced, and no hook or program that a repository names is run unless
            'settings remote trust' allows it. git uses your ssh configuration, agents and
            credential helpers. If settings.requireSignatures is set in git's
            configuration, versions without a signature from a known signer are refused.

            Commits that change no settings, such as those of other files, are also
            exchanged, and listed after the versions. --every cannot be combined with
            --json.

            Exit status: 0 up to date, 2 a conflict came up or the remote's history was
            rewritten, 65 the fetched versions were refused, 66 no such remote, 69 git is
            missing or older than 2.29, 75 the remote cannot be reached or other pushes
            kept getting in first, 77 the remote refuses, or it is a bundle and there is
            something to send. With several remotes, each is tried in turn, and the exit
            status is the first of 65, 77, 66, 2 and 75 that occurred.

              settings sync
              settings sync origin backup
              settings sync --all
              settings sync --in-force ours
              settings sync --every 1m -q
            """)

    @Argument(help: "Remotes, or URLs (default: the branch's remote, or the only one).", completion: .word(.remote))
    var remotes: [String] = []

    @Flag(name: .long, help: "Sync with every remote, the branch's own first.") var all = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Keep running, and sync again after each interval: 30s, 5m.", valueName: "time"))
    var every: String?

    @OptionGroup var merging: JoinOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, !remotes.isEmpty { throw ValidationError("--all and REMOTE cannot be combined") }
        guard let every else { return }
        if json.json { throw ValidationError("--every and --json cannot be combined") }
        guard let span = TimeSpan(every), (1...86400).contains(span.seconds) else {
            throw ValidationError("invalid duration '\(every)': expected 1 second to 1 day, such as 30s or 5m")
        }
    }

    func run() throws {
        let context = Context(global)
        var reporter = SyncReporter(context: context, network: network, json: json.json)
        let wish = merging.applied(to: reporter.wish(.both, nil))
        reporter.remotes = .init(words: remotes, all: all)
        guard let span = every.flatMap({ TimeSpan($0) }) else { return try reporter.runAll(wish) }
        reporter.isRepeated = true
        try SyncLoop(reporter: reporter, wish: wish, seconds: Int(span.seconds)).run()
    }
}

struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Fetch new versions from a remote or a bundle and merge them by meaning.",
        discussion: """
            This works like 'settings sync', but sends nothing.

              settings pull
              settings pull origin --ask
              settings pull /mnt/backup/shop.bundle
            """)

    @Argument(help: "A remote, a URL or a bundle (default: the branch's remote, or the only one).", completion: .word(.remote))
    var remote: String?

    @OptionGroup var merging: JoinOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let reporter = SyncReporter(context: context, network: network, json: json.json)
        try reporter.run(merging.applied(to: reporter.wish(.pull, remote)), in: try context.session())
    }
}

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Send versions and tags to a remote.",
        discussion: """
            Nothing is ever forced: if the remote has versions that this branch doesn't
            have, nothing is sent.

              settings push
              settings push backup
            """)

    @Argument(help: "A remote, or a URL (default: the branch's remote, or the only one).", completion: .word(.remote))
    var remote: String?

    @OptionGroup var network: NetworkOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let reporter = SyncReporter(context: context, network: network, json: json.json)
        try reporter.run(reporter.wish(.push, remote), in: try context.session())
    }
}

/// How what comes in is joined with what is here.
struct JoinOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "The value in force until a conflict is resolved: ours, theirs, or the one both sides last agreed on "
                + "(default: theirs, or ours if the branch belongs to another remote).",
            valueName: "side"))
    var inForce: MergeWish.InForce?

    @Flag(name: .long, help: "Stop before merging if there would be a conflict.") var ask = false
    @Flag(name: .long, help: "Keep the versions that the remote no longer has; 'sync' and 'push' send them again.")
    var putBack = false
    @Flag(
        name: .long,
        help: "Also drop here the versions that the remote no longer has; refs/settings/dropped keeps them for 30 days.")
    var follow = false

    func validate() throws {
        if ask, inForce != nil { throw ValidationError("--ask and --in-force cannot be combined") }
        if putBack, follow { throw ValidationError("--put-back and --follow cannot be combined") }
    }

    func applied(to wish: SyncWish) -> SyncWish {
        var wish = wish
        (wish.inForce, wish.stopsAtConflicts) = (inForce, ask)
        wish.rewound = putBack ? .putBack : follow ? .follow : .refuse
        return wish
    }
}
