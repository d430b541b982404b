import Files
import SettingsModel
import SettingsStore
import SettingsText

extension VerifyCommand {
    /// More would hide the rest of what git prints to whoever pushes.
    private static let findingLimit = 8

    /// Checks what standard input says of a push, as git's pre-receive hook gets it; the first reference that brings a problem
    /// is reported.
    func checkPush(_ context: Context) throws {
        guard words.isEmpty, !merge, !deep, !strict, !json.json else {
            throw Failure(.usage, "--pre-receive cannot be combined with other arguments")
        }
        let environment = context.environment
        let gitDirectory = environment["GIT_DIR"].map(environment.absolute) ?? environment.folder
        let input = String(decoding: try ThisProcess.standardInput(atMost: 64 << 20), as: UTF8.self)
        for line in input.split(separator: "\n") {
            guard let pushed = PushedReference(line) else {
                throw Failure(.usage, "invalid line '\(line)': expected OLD NEW NAME, as git's pre-receive hook reads them")
            }
            let findings = try Store.findings(in: pushed, to: gitDirectory, sudoUser: environment.sudoUser)
            if findings.isEmpty { continue }
            try report(findings, pushed, context)
        }
    }

    private func report(_ findings: [Finding], _ pushed: PushedReference, _ context: Context) throws {
        for finding in findings.prefix(Self.findingLimit) { try context.output.lines(Phrases.lines(finding)) }
        let more = findings.count - Self.findingLimit
        if more > 0 { try context.output.line("and \(more) more") }
        let range = pushed.old.flatMap { old in pushed.new.map { "\(old.short)..\($0.short)" } }
        throw Failure(
            .badData, CommandLineHints.notAccepted(pushed.name, problems: findings.count, range: range))
    }
}
