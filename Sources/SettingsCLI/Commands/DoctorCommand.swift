import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report the store's setup, its safety and what maintenance is due.",
        discussion: """
            --systemd prints a service and a timer for systemd that revert versions that
            were not confirmed in time, even after a restart of the machine.

              settings doctor
              settings doctor --systemd
            """)

    @Flag(name: .long, help: "Print a systemd unit and timer that run 'settings confirm --expire'.")
    var systemd = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if systemd, json.json { throw ValidationError("--systemd and --json cannot be combined") }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        if !systemd { context.warnOfExpired(in: session) }
        let timer = SystemdTimer(session.folder.path, context.environment)
        if systemd { return try context.output.lines(timer.units.map { StyledText($0) }) }
        let health = try session.ask(HealthQuery())
        var checks = try HealthCheck.store(health) + persons(session, context) + HealthCheck.merging(health)
        if GitProgram.path(context.environment) == nil { checks.append(HealthCheck.noGit) }
        checks += HealthCheck.durability(health) + HealthCheck.upkeep(health)
        for found in try session.ask(RemotesQuery(context.environment.trust)) {
            checks.append(context.phrases.check(KnownRemote(found), signing: session.userConfigured("push.gpgSign")))
        }
        let (open, problem) = try session.openConfirmations()
        checks += context.phrases.checks(open, problem) { (timer.afterRestart, timer.isEnabled) }
        if json.json {
            try context.output.json(Reports.document(checks))
        } else {
            try context.output.lines(Phrases.lines(checks))
        }
        if checks.contains(where: { $0.state == .wrong }) { throw Failure(.badData) }
    }

    /// Who records versions, and with which signature.
    private func persons(_ session: Session, _ context: Context) throws -> [HealthCheck] {
        let identity = context.environment.identity { session.configured($0) }
        var checks: [HealthCheck] = []
        do throws(Problem) { checks.append(.author(try identity.author)) } catch {
            checks.append(.author(nil, unknown: CommandLineHints.reason(error)))
        }
        if let committer = try? identity.committer {
            checks.append(SignatureConfiguration(session, context.environment).check(as: committer))
        }
        if context.isUnnamed(session) { checks.append(.unnamed) }
        return checks
    }
}
