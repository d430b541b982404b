package import SettingsModel

extension Phrases {
    /// What follows a number of versions.
    package static func words(_ verdict: SignatureCheck.Verdict) -> String {
        switch verdict {
        case .good: "signed by somebody known"
        case .unknown: "signed by an unknown key"
        case .bad: "with a bad signature"
        case .none: "not signed"
        case .unchecked: "signed but not checked"
        }
    }

    /// A version's signature in a line.
    package static func signature(_ check: SignatureCheck) -> StyledText {
        let key = check.key.map { "\(check.format == .ssh ? "ssh" : "openpgp") key \($0)" }
        let reason = check.reason.map(CommandLineHints.words)
        switch check.verdict {
        case .none: return StyledText("not signed", .faint)
        case .good:
            return StyledText("signed by ").adding(check.signer ?? "somebody known", .name)
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
}
