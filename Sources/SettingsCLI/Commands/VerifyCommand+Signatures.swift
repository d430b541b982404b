import SettingsModel
import SettingsStore
import SettingsText

extension VerifyCommand {
    /// `settings verify --signatures`
    func checkSignatures(_ context: Context) throws {
        if merge || deep || strict {
            throw Failure(.usage, "--signatures cannot be combined with --merge, --deep or --strict")
        }
        let session = try context.reader(readsOnly: true)
        let range = try range(session, context)
        let new = try range?.new ?? session.ask(RevisionQuery("HEAD")).id
        var checked: [(version: Version, check: SignatureCheck)] = []
        var counts: [SignatureCheck.Verdict: Int] = [:]
        var failure: (any Error)?
        try session.walkSignatures(from: range?.old, to: new, by: context.signaturePrograms(session)) { version, check in
            counts[check.verdict, default: 0] += 1
            guard failure == nil else { return }
            do {
                if json.json {
                    checked.append((version, check))
                } else if check.verdict != .good, check.verdict != .none || require {
                    try context.output.line(context.phrases.signed(version, check))
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        try context.output.print(json.json, context.reports.signatures(checked, counts), [Phrases.signatures(counts)])
        let wrong = Phrases.wrongSignatures(counts, areRequired: require)
        if let wrong { throw Failure(counts[.bad] == nil && counts[.unchecked] != nil ? .unavailable : .badData, wrong) }
    }
}
