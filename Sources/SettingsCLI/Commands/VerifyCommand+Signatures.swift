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
        var counts: [SignatureCheck.Verdict: Int] = [:]
        var rows: [JSON] = []
        var failure: (any Error)?
        try session.walkSignatures(from: range?.old, to: new, by: context.signaturePrograms(session)) { version, check in
            counts[check.verdict, default: 0] += 1
            guard failure == nil else { return }
            do {
                if json.json {
                    rows.append(
                        .object(["version": context.reports.reference(version), "signature": context.reports.signature(check)]))
                } else if check.verdict != .good, check.verdict != .none || require {
                    try context.output.line(context.phrases.headline(version).adding("  ") + Phrases.signature(check))
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        let checked = counts.values.reduce(0, +)
        if json.json {
            let numbers = SignatureCheck.Verdict.allCases.map { JSON.Member(ExactText($0.rawValue), .number(counts[$0] ?? 0)) }
            try context.output.json(
                Reports.document(["checked": .number(checked), "counts": .object(numbers), "signatures": .array(rows)]))
        } else if !context.output.isQuiet {
            let words = SignatureCheck.Verdict.allCases.compactMap { verdict in
                counts[verdict].map { "\($0) \(Phrases.words(verdict))" }
            }
            try context.output.line("\(Self.count(checked, "version")) checked: \(words.joined(separator: ", "))")
        }
        let wrong = require ? checked - (counts[.good] ?? 0) : counts[.bad] ?? 0
        if let bad = counts[.bad] { throw Failure(.badData, "found \(Self.count(bad, "bad signature"))") }
        if let count = counts[.unchecked] {
            throw Failure(.unavailable, "\(Self.count(count, "signature")) could not be checked")
        }
        if wrong > 0 {
            throw Failure(.badData, "found \(Self.count(wrong, "version")) not signed by somebody known")
        }
    }
}
