import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Configure git in this clone to merge the store's files by meaning.",
        discussion: """
            'git merge', 'rebase', 'cherry-pick' and 'stash pop' then run this program for
            the store's files. Git is also configured (core.fsync) to wait until
            references and objects are on disk. Run this once in each clone; running it
            again changes nothing. 'git am', 'git rebase --apply' and merges of more than
            two branches still merge the text: the result is read correctly, and what a
            person has to decide is listed by 'settings verify'. --undo removes what this
            wrote; what you have written yourself is kept.

            --global writes the merge driver into your own git configuration, which serves
            every clone of every store; core.fsync is left to each clone. Here, too, --undo
            removes it.

            --ci prints a job for a hosting service that checks what its own merge of a
            branch would select.

              settings setup
              settings setup --undo
              settings setup --global
              settings setup --global --undo
              mkdir -p .github/workflows
              settings setup --ci github > .github/workflows/settings.yml
            """)

    @Flag(name: .customLong("global"), help: "Configure all your clones, in your own git configuration.")
    var isGlobal = false

    @Flag(help: "Remove what 'setup' wrote, or what 'setup --global' did.")
    var undo = false

    @Flag(help: "Print a CI job that runs 'settings verify --merge'.")
    var ci = false

    @Argument(help: ArgumentHelp("With --ci: github or gitlab (default: where 'origin' is hosted).", valueName: "service"))
    var service: ContinuousIntegration?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if service != nil, !ci { throw ValidationError("a service requires --ci") }
        if record.confirm != nil { throw ValidationError("'setup' does not take --confirm") }
        if ci, isGlobal || undo { throw ValidationError("--ci and \(undo ? "--undo" : "--global") cannot be combined") }
        if isGlobal || undo { try record.refuse(except: ["--dry-run"], for: isGlobal ? "'setup --global'" : "'setup --undo'") }
        guard ci else { return }
        if json.json { throw ValidationError("--ci and --json cannot be combined") }
        try record.refuse(for: "'setup --ci'")
    }

    func run() throws {
        let context = Context(global)
        if isGlobal { return try configureUser(context) }
        if ci {
            let session: Session?
            // A job can be printed before there is a store, but not for one of several.
            do { session = try context.session() } catch is Failure { session = nil }
            let origin = session?.configured("remote.origin.url") ?? ""
            let service = service ?? (origin.contains("gitlab") ? .gitlab : .github)
            let folder = (try? session?.ask(RepositoryQuery()))?.folder ?? ""
            return try context.output.lines(service.lines(storeIn: folder).map { StyledText($0) })
        }
        let session = try context.session()
        if undo { return try removeFromClone(session, context) }
        let program = Program.command(context.environment)
        let done = try Recording(context: context, options: record, json: json.json).done(in: session)
        try session.perform(SetUpAction(program: program), done)
        let outcome = try session.perform(.nameMergeDriver, done)
        if json.json { return try context.output.json(Reports.document(["driver": .string("\(program) merge-driver")])) }
        if done.isDryRun {
            if !context.output.isQuiet { try context.output.line("would configure git in this clone") }
            return
        }
        if case .recorded(let version, _, _) = outcome {
            try context.output.line(StyledText(version.id.short, .id).adding("  \(version.message.subject)"))
        }
        if !context.output.isQuiet { try context.output.line("git now merges this store's files by meaning in this clone") }
    }

    private func removeFromClone(_ session: Session, _ context: Context) throws {
        let done = try Recording(context: context, options: record, json: json.json).done(in: session)
        let hasChanged = try session.perform(UndoSetUpAction(), done)
        if json.json {
            return try context.output.json(Reports.document(["status": .string(status(hasChanged)), "driver": .null]))
        }
        if context.output.isQuiet { return }
        switch (hasChanged, record.dryRun) {
        case (false, _): try context.output.line("nothing to do: git was not configured by settings in this clone")
        case (true, true): try context.output.line("would remove the merge driver from this clone's configuration")
        case (true, false): try context.output.line("the merge driver was removed from this clone's configuration")
        }
        if !record.dryRun, case .current = try session.ask(MergeDriverQuery()).state {
            context.output.note(
                "hint: your own git configuration has the merge driver, too; 'settings setup --global --undo' removes it")
        }
    }

    private func status(_ hasChanged: Bool) -> String {
        !hasChanged ? "unchanged" : record.dryRun ? "planned" : undo ? "removed" : "written"
    }

    private func configureUser(_ context: Context) throws {
        let environment = context.environment
        let named = ThisProcess.variable(orEmpty: "GIT_CONFIG_GLOBAL")
        guard
            var setup = UserSetup(home: environment.home, configuration: environment["XDG_CONFIG_HOME"], named: named)
        else {
            if named != nil {
                throw Failure(
                    .missing, "GIT_CONFIG_GLOBAL is empty, so git reads no configuration of yours",
                    hint: "unset it, or run 'settings setup' in each clone")
            }
            throw Failure(
                .missing, "cannot find your git configuration: HOME is \(environment.homeFault)",
                hint: "set HOME, or run 'settings setup' in each clone")
        }
        let program = Program.command(environment)
        let hasChanged: Bool
        if !undo, program.contains("\u{FFFD}") {
            throw Failure(
                .usage, "git cannot run \(program): its path is not UTF-8", hint: "move it, or add its folder to PATH")
        }
        do throws(Problem) {
            if undo { setup = try setup.whereWritten() }
            hasChanged =
                undo ? try setup.remove(isDryRun: record.dryRun) : try setup.write(program: program, isDryRun: record.dryRun)
        } catch {
            var failure = Failure(error)
            if failure.hint == nil, !undo { failure.hint = "'settings setup' configures one clone" }
            throw failure
        }
        if json.json {
            return try context.output.json(
                Reports.document([
                    "status": .string(status(hasChanged)), "file": .string(setup.path),
                    "driver": undo ? .null : .string("\(program) merge-driver"),
                ]))
        }
        if context.output.isQuiet { return }
        let file = setup.path.visible
        switch (hasChanged, record.dryRun, undo) {
        case (false, _, false):
            try context.output.line("nothing to do: \(file) already has the merge driver")
            noteUnnamedDriver(context)
        case (false, _, true): try context.output.line("nothing to do: \(file) has no merge driver of settings")
        case (true, true, false): try context.output.line("would write the merge driver into \(file)")
        case (true, true, true): try context.output.line("would remove the merge driver from \(file)")
        case (true, false, false):
            try context.output.line("git now merges stores by meaning in all your clones: \(file) has the merge driver")
            noteUnnamedDriver(context)
        case (true, false, true):
            try context.output.line("the merge driver was removed from \(file)")
            if setup.hasSection {
                context.output.note(
                    "hint: what you wrote about merge.settings is still there, and git does not merge a store's files without a "
                        + "driver; 'git config --global --remove-section merge.settings' removes it")
            }
        }
    }

    /// In a store that was made without the merge driver.
    private func noteUnnamedDriver(_ context: Context) {
        guard let session = try? context.session(), (try? session.ask(MergeDriverQuery()))?.isNamed == false else {
            return
        }
        context.output.note(
            "hint: this store's .gitattributes does not name the merge driver, so git merges its files as text; 'settings setup' "
                + "adds it, or reports what prevents it")
    }
}
