import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a store here or in PATH.",
        discussion: """
            Inside a git repository, the store becomes part of it and commits only its own
            files; elsewhere a new repository is created. An existing store is left
            unchanged.

              settings init
              settings init config/settings --title 'Web shop'
              settings init --user
            """)

    @Argument(help: "The store's folder.", completion: .directory)
    var path: String?

    @Option(name: .long, parsing: .unconditional, help: "The store's title.")
    var title: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var reason: ReasonOption
    @OptionGroup var wish: WishOptions
    @OptionGroup var person: AuthorOption
    @OptionGroup var dry: DryRunOption
    @OptionGroup var disk: DurabilityOption
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    private var request: RecordRequest {
        RecordRequest(
            paragraphs: reason.paragraphs, requestedBy: wish.requestedBy, ticket: wish.ticket, author: person.author,
            dryRun: dry.dryRun, sign: signing.sign, signKey: signing.signKey)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }

    func run() throws {
        let context = Context(global)
        let environment = context.environment
        if global.user, path != nil { throw Failure(.usage, "--user and PATH cannot be combined") }
        let target: String
        if global.user {
            target = try environment.userStore
        } else {
            let path = path ?? global.store ?? environment["SETTINGS_STORE"] ?? "."
            if environment.isNowhere, !path.hasPrefix("/"), !path.hasPrefix("~") { throw Failure.nowhere }
            target = environment.absolute(path)
        }
        let recording = Recording(context: context, options: request, json: json.json)
        let identity = environment.identity { Store.configured($0, around: target) }
        var done = Done(
            author: try request.author.map { try recording.person($0) } ?? identity.author,
            authorTime: try identity.time("GIT_AUTHOR_DATE"), committer: try identity.committer,
            time: try identity.time("GIT_COMMITTER_DATE"), via: "cli"
        )
        done.why = request.message.flatMap(VersionMessage.cleaned)
        done.isDryRun = request.dryRun
        done.requestedBy = request.requestedBy
        done.tickets = request.ticket
        let signatures = SignatureConfiguration(
            environment: environment, configured: { Store.configured($0, around: target) },
            userConfigured: { Store.userConfigured($0) })
        done.signing = signatures.signing(request, askedFor: ["commit.gpgSign"], as: done.committer)
        if done.isDryRun, let plan = try Store.plan(at: target, title: ExactText(title ?? "Settings")) {
            return try report(plan: plan, in: target, recording)
        }
        let (store, outcome) = try Store.create(
            at: target, title: ExactText(title ?? "Settings"), done: done, sudoUser: environment.sudoUser,
            durability: disk.durability)
        if case .recorded = outcome {
            do throws(Problem) {
                try store.configureGit(program: Program.command(environment))
            } catch {
                // The store was created; only the merge driver is missing.
                let words =
                    "git does not merge by meaning here yet (\(CommandLineHints.reason(error))); 'settings setup' tries again"
                context.output.error(StyledText("warning: ", .warning) + StyledText(words))
            }
            if (try? store.workTree.mergeDriver.isNamed) == false {
                context.output.note(
                    "hint: add the line '*.json merge=settings' to .gitattributes, so that git merges the settings by meaning")
            }
        }
        let session = Session(store, by: context.caller(in: store.folder), at: context.environment.clock)
        if case .planned = outcome { return try report(plan: outcome, in: target, recording) }
        if json.json { return try recording.report(outcome, session) }
        if case .recorded(let version, _, _) = outcome {
            if !context.output.isQuiet { try context.output.line("\(version.id.short)  new store in \(target)") }
            context.output.note(
                "hint: 'settings add general.language --title Language --choice English French' creates the first option")
        } else if !context.output.isQuiet {
            try context.output.line("\(target) is already a store")
            if title != nil { context.output.note("hint: 'settings define / --title TITLE' changes its title") }
        }
    }

    private func report(plan: Outcome, in target: String, _ recording: Recording) throws {
        let output = recording.context.output
        if json.json { return try output.json(recording.context.reports.outcome(plan)) }
        if !output.isQuiet { try output.line("would create a store in \(target)") }
    }
}
