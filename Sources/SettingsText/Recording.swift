package import SettingsModel

// What every command prints that records a version.

/// What the outcome of a request to record is told with, besides the outcome itself.
package struct RecordingFacts: Sendable {
    /// The message if there is nothing to record.
    package var nothing = Phrases.alreadySet
    /// If a version has more changes, only its first line is printed.
    package var mostSentences = Int.max
    /// What a version resolved without changing anything, as 'history' has it.
    package var decisions: [StyledText] = []
    /// Until when what is only planned would have to be confirmed.
    package var plannedDeadline: Time?
    /// What reverts a version that nobody confirmed after a restart, in a sentence.
    package var afterRestart: String?
    /// Whether HEAD is.
    package var isDetached = false

    package init() {}
}

extension Phrases {
    package static let alreadySet = "nothing to do: already set"
    package static let alreadyNamed = "nothing to do: it already has that key"
    /// Changes with which pages were left.
    package static func notRecorded(_ count: Int, isLost: Bool) -> String {
        (count == 1 ? "1 change is" : "\(count) changes are") + " not recorded"
            + (isLost ? ", and could not be kept" : "; 'settings edit' offers \(count == 1 ? "it" : "them") again")
    }

    package static let notEncrypted = PrintedLine.note(
        "note: masked text is shown as dots, but it is not encrypted: the file and its history contain it")

    package func outcome(_ outcome: Outcome, _ facts: RecordingFacts) -> [PrintedLine] {
        switch outcome {
        case .unchanged: return [.done(facts.nothing)]
        case .reformatted(let subjects):
            let files = subjects.map(\.path).joined(separator: ", ")
            return [.done("nothing to record: \(files) differed only in formatting, which was corrected")]
        case .planned(let subject, let changes):
            var lines: [PrintedLine] = [.done("would record:")]
            if changes.isEmpty { lines.append(.answer("    \(subject)")) }
            lines += sentences(changes).indented.map { .answer($0) }
            if let deadline = facts.plannedDeadline {
                lines.append(.note("it would have to be confirmed by \(self.deadline(deadline))"))
            }
            return lines
        case .forwarded(let version, let changes, let notes), .recorded(let version, let changes, let notes):
            return recorded(version, changes, facts) + waiting(version, changes, facts)
                + notes.map { .warning(CommandLineHints.words($0)) }
                + (facts.isDetached ? [.hint("HEAD is detached; 'git switch -c NAME' keeps these versions on a branch")] : [])
        }
    }

    private func recorded(_ version: Version, _ changes: [Change], _ facts: RecordingFacts) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        let id = StyledText(version.id.short, .id)
        let subject = PrintedLine.done(id.adding("  \(version.message.subject)"))
        // A version without changes of its own: a merge of equal sides, or a conflict resolved with the current content.
        if changes.isEmpty, facts.decisions.isEmpty { lines.append(subject) }
        let sentences = facts.decisions + sentences(changes)
        if sentences.count > facts.mostSentences {
            lines += [subject, .note("'settings show \(version.id.short)' lists every change")]
        } else {
            lines += sentences.enumerated().map { index, line in
                .done((index == 0 ? id : StyledText("       ")).adding("  ") + line)
            }
        }
        return lines
    }

    /// What is to be done about a version that was recorded.
    private func waiting(_ version: Version, _ changes: [Change], _ facts: RecordingFacts) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        let count = version.message.conflicts.count
        if count > 0 {
            let (remain, them) = count == 1 ? (" remains", "it") : ("s remain", "them")
            lines.append(.note("\(count) conflict\(remain) open: 'settings conflicts' lists \(them)"))
        }
        if version.named.isUndoing || !version.named.reverts.isEmpty, !changes.isEmpty, !version.message.resolves.isEmpty {
            let keys = Set(version.message.resolves.map(\.subject.key)).sorted().map(\.description)
            lines.append(.note("note: this also resolves the conflict in \(keys.joined(separator: ", "))"))
        }
        if let deadline = version.message.ownDeadline {
            lines.append(
                .note(
                    "to be confirmed by \(self.deadline(deadline)): 'settings confirm \(version.id.short)' keeps it, "
                        + "otherwise it reverts itself"))
        }
        if let afterRestart = facts.afterRestart { lines.append(.note(afterRestart)) }
        return lines
    }
}

extension Reports {
    package func outcome(_ outcome: Outcome) -> JSON {
        switch outcome {
        case .unchanged, .reformatted:
            Reports.document(["status": "unchanged", "version": .null, "changes": .array([]), "filesInStep": .bool(true)])
        case .planned(let subject, let changes):
            Reports.document([
                "status": "planned", "version": .null, "subject": .string(subject), "changes": self.changes(changes),
            ])
        case .recorded(let version, let changes, let notes), .forwarded(let version, let changes, let notes):
            Reports.document([
                "status": outcome.isForwarded ? "forwarded" : "recorded",
                "version": self.version(
                    version, VersionChanges(changes: changes, unreadable: []),
                    confirmation: version.message.ownDeadline.map { Confirmation(version, deadline: $0, .waiting) }),
                "changes": self.changes(changes), "filesInStep": .bool(notes.filesAreInStep),
                "notes": notes.isEmpty ? nil : .array(notes.map { .string(CommandLineHints.words($0)) }),
            ])
        }
    }
}
