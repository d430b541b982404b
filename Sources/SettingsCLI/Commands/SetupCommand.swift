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
            the store's files. Git is also configured (core.fsync) to wait until references
            and objects are on disk. Run this once in each clone; running it again changes
            nothing. 'git am', 'git rebase --apply' and merges of more than two branches
            still merge the text: the result is read correctly, and what a person has to
            decide is listed by 'settings verify'. --undo removes what this command wrote;
            what you have written yourself is kept.

            --global writes the merge driver into your own git configuration, which applies
            to every clone of every store; core.fsync is still set in each clone. 'settings
            setup --global --undo' removes the merge driver again.

            --ci prints a job for a hosting service that checks what its own merge of a
            branch would select.

            --hook prints a pre-receive hook for the repository that people push to, on
            your own server. It refuses versions in which 'settings verify' finds a
            problem, such as a value that nobody chose, and accepts everything else.

              settings setup
              settings setup --undo
              settings setup --global
              settings setup --global --undo
              mkdir -p .github/workflows
              settings setup --ci github > .github/workflows/settings.yml
              settings setup --hook > /srv/shop.git/hooks/pre-receive
              chmod +x /srv/shop.git/hooks/pre-receive
            """)

    @Flag(name: .customLong("global"), help: "Configure all your clones, in your own git configuration.")
    var isGlobal = false

    @Flag(help: "Remove what 'setup' or 'setup --global' wrote.")
    var undo = false

    @Flag(help: "Print a CI job that runs 'settings verify --merge'.")
    var ci = false

    @Flag(help: "Print a pre-receive hook that checks what is pushed to a server.")
    var hook = false

    @Argument(help: ArgumentHelp("With --ci: github or gitlab (default: where 'origin' is hosted).", valueName: "service"))
    var service: ContinuousIntegration?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if service != nil, !ci { throw ValidationError("a service requires --ci") }
        if record.confirm != nil { throw ValidationError("'setup' does not take --confirm") }
        if ci, isGlobal || undo { throw ValidationError("--ci and \(undo ? "--undo" : "--global") cannot be combined") }
        if hook, ci || isGlobal || undo {
            throw ValidationError("--hook and \(ci ? "--ci" : undo ? "--undo" : "--global") cannot be combined")
        }
        if hook, json.json { throw ValidationError("--hook and --json cannot be combined") }
        if hook { try record.refuse(for: "'setup --hook'") }
        if isGlobal || undo { try record.refuse(except: ["--dry-run"], for: isGlobal ? "'setup --global'" : "'setup --undo'") }
        guard ci else { return }
        if json.json { throw ValidationError("--ci and --json cannot be combined") }
        try record.refuse(for: "'setup --ci'")
    }

    func run() throws {
        let context = Context(global)
        if isGlobal { return try configureUser(context) }
        if hook { return try context.output.lines(Self.preReceiveHook.map { StyledText($0) }) }
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
        let version: Version? = if case .recorded(let version, _, _) = outcome { version } else { nil }
        try context.output.print(
            json.json, Reports.setup(driver: "\(program) merge-driver"), Phrases.setUp(version, isPlanned: done.isDryRun))
    }

    /// Where there is no 'settings', the shell fails and nothing is accepted.
    private static let preReceiveHook = [
        "#!/bin/sh", "# Refuses a push with versions in which 'settings verify' finds a problem.",
        "# This is hooks/pre-receive of the repository that is pushed to. It must be executable,",
        "# and 'settings' must be on its PATH.", "exec settings verify --pre-receive",
    ]

    private func removeFromClone(_ session: Session, _ context: Context) throws {
        let done = try Recording(context: context, options: record, json: json.json).done(in: session)
        let hasChanged = try session.perform(UndoSetUpAction(), done)
        var isInUsers = false
        if !json.json, !context.output.isQuiet, !record.dryRun, case .current = try session.ask(MergeDriverQuery()).state {
            isInUsers = true
        }
        try context.output.print(
            json.json, Reports.setup(status(hasChanged), driver: nil),
            Phrases.setupUndone(hasChanged: hasChanged, isPlanned: record.dryRun, isInUsers: isInUsers))
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
            throw Failure(.missing, CommandLineHints.noConfiguration(named == nil ? environment.homeFault : nil))
        }
        let program = Program.command(environment)
        let hasChanged: Bool
        if !undo, program.contains("\u{FFFD}") {
            throw Failure(.usage, CommandLineHints.cannotBeRun(program))
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
        let (file, isPlanned) = (setup.path.visible, record.dryRun)
        try context.output.print(
            json.json,
            Reports.setup(status(hasChanged), in: setup.path, driver: undo ? nil : "\(program) merge-driver"),
            undo
                ? Phrases.userSetupUndone(
                    in: file, hasChanged: hasChanged, isPlanned: isPlanned, keepsOthers: setup.hasSection)
                : Phrases.userSetUp(
                    in: file, hasChanged: hasChanged, isPlanned: isPlanned,
                    isUnnamed: !(hasChanged && isPlanned) && isDriverUnnamed(context)))
    }

    /// Whether the store here was made without the merge driver.
    private func isDriverUnnamed(_ context: Context) -> Bool {
        guard !context.output.isQuiet, let session = try? context.session() else { return false }
        return (try? session.ask(MergeDriverQuery()))?.isNamed == false
    }
}
