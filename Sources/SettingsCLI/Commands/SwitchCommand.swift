import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct SwitchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch",
        abstract: "Check out a branch: its settings take effect here.",
        discussion: """
            Unrecorded edits to a file stay if both branches have the same content for that
            file; otherwise nothing is switched. Where the repository also has files of
            other programs, only 'git switch' can check out a branch.

              settings switch winter
              settings switch -             the previous branch
              settings switch -c winter
              settings switch --create before-opening 'yesterday 18:00'
            """)

    @Argument(help: "The branch, or - for the previous one.", completion: .word(.branch)) var name: String
    @Argument(
        help: ArgumentHelp(
            "With -c, the version or time at which the branch begins (default: the latest version).", valueName: "when"),
        completion: .word(.when))
    var when: String?

    @Flag(name: [.customShort("c"), .long], help: "Create the branch first.") var create = false

    @OptionGroup var json: JSONOption
    @OptionGroup var dry: DryRunOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if when != nil, !create { throw ValidationError("only a branch that is created with -c takes a version or time") }
        if create, dry.dryRun { throw ValidationError("--create and --dry-run cannot be combined") }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let done = try Recording(context: context, options: RecordRequest(dryRun: dry.dryRun), json: json.json).done(in: session)
        let name = name == "-" && !create ? try session.ask(FormerBranchQuery()) : name
        let isDetached = try session.ask(RepositoryQuery()).isDetached
        let before = isDetached ? try session.ask(RevisionQuery("HEAD")).id : nil
        if create {
            let start = try when.map { try context.version($0, in: session).id }
            _ = try session.perform(BranchAction.add(name, start), done)
        }
        let outcome: Outcome
        do throws(Problem) { outcome = try session.perform(SwitchAction(name), done) } catch {
            if !create, case .branch(.isMissing) = error, (try? session.ask(VersionQuery(name))) != nil {
                throw Failure(ExitStatus(error.kind), CommandLineHints.isNoBranch(name))
            }
            guard create else { throw error }
            // A command that fails leaves everything as it was.
            _ = try? session.perform(BranchAction.remove(name, forced: true), done)
            var failure = Failure(error)
            if case .branch(.hasOtherFiles) = error {
                let words = [name, when].compactMap { $0?.shellWord }.joined(separator: " ")
                failure.hint = "'settings branch \(words)' creates it, and 'git switch \(name.shellWord)' switches all files"
            }
            throw failure
        }
        let left = try before.flatMap { try session.ask(IsOnBranchQuery($0)) ? nil : $0 }
        try context.output.print(
            json.json, context.reports.switched(to: name, outcome), context.phrases.switched(to: name, outcome, leaving: left))
    }
}
