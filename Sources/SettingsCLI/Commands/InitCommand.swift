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
            return try report(plan, target, context)
        }
        let (store, outcome) = try Store.create(
            at: target, title: ExactText(title ?? "Settings"), done: done, sudoUser: environment.sudoUser,
            durability: disk.durability)
        if case .recorded = outcome {
            do throws(Problem) {
                try store.configureGit(program: Program.command(environment))
            } catch {
                // The store was created; only the merge driver is missing.
                try context.output.print([Phrases.notSetUp(error)])
            }
            if (try? store.workTree.mergeDriver.isNamed) == false {
                try context.output.print([Phrases.addsAttribute])
            }
        }
        if json.json, case .recorded = outcome { context.output.hasRecorded = true }
        try report(outcome, target, context)
        if case .recorded = outcome {
            try context.output.print(Phrases.holdsOthers((try? store.folder.filesOfOtherPrograms()) ?? []))
        }
    }

    private func report(_ outcome: Outcome, _ target: String, _ context: Context) throws {
        try context.output.print(
            json.json, context.reports.outcome(outcome), Phrases.created(outcome, at: target, isTitled: title != nil))
    }
}
