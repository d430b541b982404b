package import SettingsModel

// What 'verify' prints.

/// What 'verify' looked at.
package enum Checked: Sendable {
    case files, versions, filesOfMerge, versionsAndObjects

    fileprivate func counted(_ count: Int) -> String {
        switch self {
        case .files: CommandLineHints.counted(count, "file")
        case .versions: CommandLineHints.counted(count, "version")
        case .filesOfMerge: CommandLineHints.counted(count, "file") + " of the merge"
        case .versionsAndObjects: CommandLineHints.counted(count, "version") + " and all objects"
        }
    }
}

extension Phrases {
    /// `wrong`: how many of the findings make it fail.
    package static func verified(_ findings: [Finding], wrong: Int, _ checked: Checked, _ count: Int) -> [PrintedLine] {
        // What could not be checked is the error, where that is all.
        findings.filter { wrong > 0 || !$0.isUnchecked }.flatMap(lines).map { .answer($0) }
            + (wrong == 0 ? [.done("\(checked.counted(count)) checked, no problems found")] : [])
    }

    /// How `verify` failed.
    package static func found(_ wrong: Int) -> String { "found \(CommandLineHints.counted(wrong, "problem"))" }

    package static func lines(_ finding: Finding) -> [StyledText] {
        let explanation = CommandLineHints.explanation(of: finding)
        let place = explanation.reason.hasPrefix(finding.path) ? "" : "\(finding.path): "
        var line = StyledText(place, .name).adding(explanation.reason)
        if let version = finding.version {
            line = line.adding("  in ").adding(version.id.short, .id).adding(" by \(version.author.name)")
        }
        return [line] + (finding.printed ?? []).map { StyledText($0) }.indented
            + (explanation.hint.map { [StyledText("    \($0)", .faint)] } ?? [])
    }
}

extension Reports {
    /// `checked`: how many files or versions were.
    package func document(_ findings: [Finding], checked: Int) -> JSON {
        let rows = findings.map { finding in
            self.finding(
                finding,
                [
                    "version": finding.version.map { reference($0) }, "candidates": .array(finding.candidates),
                    "lines": finding.printed.map { .array($0.map { .string($0) }) },
                    "note": finding.kind == .problem ? nil : .bool(true),
                    "disagreement": finding.kind == .disagreement ? .bool(true) : nil,
                ])
        }
        return Reports.document(["checked": .number(checked), "findings": .array(rows)])
    }

    func finding(_ finding: Finding, _ more: KeyValuePairs<ExactText, JSON?>) -> JSON {
        let explanation = CommandLineHints.explanation(of: finding)
        var members = [JSON.Member("path", .string(finding.path)), JSON.Member("reason", .string(explanation.reason))]
        if let hint = explanation.hint { members.append(JSON.Member("hint", .string(hint))) }
        for (name, value) in more { if let value { members.append(JSON.Member(name, value)) } }
        return .object(members)
    }
}

extension Finding {
    /// What git itself printed.
    fileprivate var printed: [String]? {
        if case .fsck(_, let lines, _) = fault { lines } else { nil }
    }

    /// Whether it says that git did not check the objects.
    package var isUnchecked: Bool {
        if case .objectsAreUnchecked = fault { true } else { false }
    }
}
