package import SettingsModel

extension Phrases {
    /// What follows a number of versions.
    package static func words(_ verdict: SignatureCheck.Verdict) -> String {
        switch verdict {
        case .good: "signed by a known signer"
        case .unknown: "signed by an unknown key"
        case .bad: "with a bad signature"
        case .none: "not signed"
        case .unchecked: "signed but not checked"
        }
    }

    /// A version and its signature, as 'verify --signatures' lists them.
    package func signed(_ version: Version, _ check: SignatureCheck) -> StyledText {
        headline(version).adding("  ") + Phrases.signature(check)
    }

    /// How many versions of a kind there are.
    package static func signatures(_ counts: [SignatureCheck.Verdict: Int]) -> PrintedLine {
        let words = SignatureCheck.Verdict.allCases.compactMap { verdict in
            counts[verdict].map { "\($0) \(Phrases.words(verdict))" }
        }
        let checked = CommandLineHints.counted(counts.values.reduce(0, +), "version")
        return .done("\(checked) checked: \(words.joined(separator: ", "))")
    }

    /// What is wrong with signatures, if anything is.
    package static func wrongSignatures(_ counts: [SignatureCheck.Verdict: Int], areRequired: Bool) -> String? {
        if let bad = counts[.bad] { return "found \(CommandLineHints.counted(bad, "bad signature"))" }
        if let count = counts[.unchecked] { return "\(CommandLineHints.counted(count, "signature")) could not be checked" }
        let wrong = areRequired ? counts.values.reduce(0, +) - (counts[.good] ?? 0) : 0
        return wrong == 0 ? nil : "found \(CommandLineHints.counted(wrong, "version")) not signed by a known signer"
    }

    /// A version's signature in a line.
    package static func signature(_ check: SignatureCheck) -> StyledText {
        let key = check.key.map { "\(check.format == .ssh ? "ssh" : "openpgp") key \($0)" }
        let reason = check.reason.map(CommandLineHints.words)
        switch check.verdict {
        case .none: return StyledText("not signed", .faint)
        case .good:
            return StyledText("signed by ").adding(check.signer ?? "a known signer", .name)
                .adding(key.map { ", \($0)" } ?? "", .faint)
        case .unknown:
            let whose = check.signer.map { " (\($0))" } ?? ""
            return StyledText("signed by an unknown key", .warning)
                .adding([": \(key ?? "openpgp")\(whose)", reason].compactMap(\.self).joined(separator: "; "))
        case .bad:
            return StyledText("bad signature", .warning)
                .adding(": \([reason, key].compactMap(\.self).joined(separator: "; "))")
        case .unchecked:
            return StyledText("signed, but this cannot be checked", .warning).adding(reason.map { ": \($0)" } ?? "")
        }
    }
}

extension Reports {
    /// A version's signature.
    package func signature(_ check: SignatureCheck) -> JSON {
        .object([
            "status": .string(check.verdict.rawValue),
            "format": check.format.map { .string($0.rawValue) } ?? .null,
            "signer": check.signer.map { .string($0) } ?? .null,
            "key": check.key.map { .string($0) } ?? .null,
            "reason": check.reason.map { .string(CommandLineHints.words($0)) } ?? .null,
        ])
    }

    /// The signatures of several versions, and how many of each kind there are.
    package func signatures(
        _ checked: [(version: Version, check: SignatureCheck)], _ counts: [SignatureCheck.Verdict: Int]
    ) -> JSON {
        let rows = checked.map { JSON.object(["version": reference($0.version), "signature": signature($0.check)]) }
        let numbers = SignatureCheck.Verdict.allCases.map { JSON.Member(ExactText($0.rawValue), .number(counts[$0] ?? 0)) }
        return Reports.document([
            "checked": .number(counts.values.reduce(0, +)), "counts": .object(numbers), "signatures": .array(rows),
        ])
    }
}
