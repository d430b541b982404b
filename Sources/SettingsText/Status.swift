package import SettingsModel

// What 'status' prints.

extension Phrases {
    /// `missingSetup`: whether to say that git merges the store's files as text in this clone.
    package func status(_ status: StoreStatus, missingSetup: Bool) -> [PrintedLine] {
        repository(status, missingSetup) + confirmations(status) + conflicts(status) + recorded(status)
            + differences(of: status.draft.tracked) + edits(status)
    }

    /// How to end what git is in the middle of, which comes before any other remedy.
    private func ends(_ status: StoreStatus) -> String? { status.operation.flatMap(CommandLineHints.ends) }

    private func repository(_ status: StoreStatus, _ missingSetup: Bool) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        let ends = ends(status)
        if let operation = status.operation { lines.append(.note(CommandLineHints.inProgress(operation))) }
        if status.hasTextConflicts {
            lines.append(
                .hint("'settings conflicts' lists what git could not merge; 'settings resolve KEY' resolves a conflict"))
        }
        if let ends { lines.append(.hint(ends)) }
        if status.branch == nil, ends == nil { lines.append(.note("HEAD is detached: new versions will be on no branch")) }
        if missingSetup { lines.append(.hint(Phrases.missingSetup)) }
        return lines
    }

    /// That git merges the store's files as text in this clone.
    package static let missingSetup =
        "git merges the store's files as text in this clone; run 'settings setup' to merge by meaning, or "
        + "'settings setup --global' for all your clones"

    private func confirmations(_ status: StoreStatus) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        if let problem = status.confirmationProblem {
            lines.append(.note("note: \(CommandLineHints.reason(problem)), so the versions to confirm are not known"))
        }
        if status.confirmations.isEmpty { return lines }
        lines.append(.answer("to be confirmed:"))
        for (confirmation, changes) in status.confirmations {
            lines += waiting(confirmation, changes).indented.map { .answer($0) }
        }
        if status.confirmations.contains(where: { $0.confirmation.state == .waiting }) {
            lines.append(.hint("'settings confirm' keeps your own, and 'settings confirm --cancel' reverts them"))
        }
        return lines
    }

    private func conflicts(_ status: StoreStatus) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        if let count = status.openConflicts, count > 0 {
            lines.append(.answer(count == 1 ? "1 conflict is open" : "\(count) conflicts are open"))
            lines.append(
                .hint("'settings conflicts' lists \(count == 1 ? "it" : "them"), and 'settings resolve KEY' resolves one"))
        }
        guard !status.findings.isEmpty else { return lines }
        lines.append(.answer("merged by git, but chosen by nobody:"))
        for found in status.findings {
            let explanation = CommandLineHints.explanation(of: found)
            lines.append(.answer(StyledText("    \(found.path): \(explanation.reason)", .warning)))
            if ends(status) == nil, let hint = explanation.hint { lines.append(.hint(hint)) }
        }
        return lines
    }

    /// What the last version has and the files have not, or nobody can read.
    private func recorded(_ status: StoreStatus) -> [PrintedLine] {
        let draft = status.draft
        var lines: [PrintedLine] = []
        if !draft.unreadableRecorded.isEmpty {
            lines.append(.answer("recorded, but cannot be read:"))
            lines += draft.unreadableRecorded.map { .answer(line($0)) }
            if ends(status) == nil { lines += hints(forRecorded: draft.unreadableRecorded).map { .hint($0) } }
        }
        if let problem = status.unfinished {
            lines.append(
                .answer(StyledText("recorded, but not up to date here yet: \(CommandLineHints.reason(problem))", .warning)))
            lines.append(
                .hint(
                    "every command tries again to bring the files and git's index up to date; until then 'git commit' would "
                        + "record what they held before"))
        }
        lines += files(
            "edited, or left behind when the branch was moved:",
            draft.uncertain.map { StyledText("    \($0.path)") },
            hint: "git's index has earlier versions of these files, and no reflog explains it; 'settings done KEY' records one "
                + "as it is, and 'settings discard KEY' brings it up to date")
        lines += files(
            "behind the last version, and not edited:", draft.behind.map { StyledText("    \($0.path)") },
            hint: "the branch was moved without these files, as by a push or in another work tree; the next command that "
                + "records brings them up to date, and so does 'settings done'")
        lines += files(
            "recorded, but these files could not be written:",
            draft.unwritten.map { StyledText("    \($0.path): \($0.failure.reason)", .warning) },
            hint: "the last version and git's index have the new content; every command tries again to write these files, "
                + "and until then 'git commit -a' would record what they hold")
        return lines
    }

    /// Files under a heading, with what can be done about them; nothing where there are none.
    private func files(_ heading: String, _ files: [StyledText], hint: String) -> [PrintedLine] {
        files.isEmpty ? [] : [.answer(StyledText(heading))] + files.map { .answer($0) } + [.hint(hint)]
    }

    private func edits(_ status: StoreStatus) -> [PrintedLine] {
        let draft = status.draft
        if draft.isEmpty, draft.disagreements.isEmpty {
            if draft.hasReplacedFiles { return [] }
            if status.isBare {
                let branch = status.branch.map { ", branch \($0)" } ?? ""
                let last = status.version.map { ", at \($0.id.short), \(timeWithDistance($0.time)), \($0.author.name)" }
                return [.answer("a bare repository, which has no files\(branch)\(last ?? "")")]
            }
            let last = status.version.map {
                "; the last version is \($0.id.short), \(timeWithDistance($0.time)), \($0.author.name)"
            }
            return [.answer("no unrecorded edits\(last ?? "; no versions yet")")]
        }
        var lines: [PrintedLine] = draft.edited.isEmpty ? [] : [.answer("edits not recorded yet:")]
        for change in draft.changes {
            let overtaken = status.overtaken[change].map { self.overtaken(change, by: $0) } ?? StyledText()
            lines += sentences([change]).indented.map { .answer($0 + overtaken) }
        }
        lines += draft.removedUnread.map { .answer("    \($0.path) removed") }
        let disagreeing = Set(draft.disagreements.map(\.subject))
        let rewritten = draft.rewritten.filter { !disagreeing.contains($0) }
        if !rewritten.isEmpty { lines.append(.answer("differently formatted, with the same meaning:")) }
        lines += rewritten.map { .answer("    \($0.path)") }
        if !draft.unreadable.isEmpty { lines.append(.answer("cannot be read:")) }
        lines += draft.unreadable.map { .answer(line($0)) }
        if !draft.disagreements.isEmpty { lines.append(.answer("\"selected\" and \"value\" disagree:")) }
        lines += draft.disagreements.map { .answer(StyledText("    \($0.place): \($0.reason)", .warning)) }
        if ends(status) == nil { lines.append(.hint(hint(for: draft))) }
        return lines
    }

    /// What to do about files that cannot be read as they were recorded.
    private func hints(forRecorded files: [VersionChanges.Unreadable]) -> [String] {
        var hints: [String] = []
        for file in files {
            let hint = CommandLineHints.repair(of: file.problem, name: files.count > 1 ? "KEY" : nil)
            if !hints.contains(hint) { hints.append(hint) }
        }
        return hints
    }

    /// What to do about edits.
    private func hint(for draft: Draft) -> String {
        if draft.isEmpty { return "'settings done' corrects \"selected\"; so does any command that writes the file" }
        if let edit = draft.disagreements.first(where: \.isIndexEdited) {
            return "an edit of \"selected\" alone has no effect: drop it with 'settings discard \(edit.subject.key)', "
                + "and select a label with 'settings set \(edit.subject.key) VALUE'"
        }
        if draft.unreadable.isEmpty { return "'settings done -m REASON' records them, and 'settings discard' drops them" }
        if draft.unreadable.count == draft.strays.count {
            return "rename or remove what cannot be read; 'settings done KEY' records the others"
        }
        return "fix what cannot be read, or drop it with 'settings discard KEY'; 'settings done KEY' records the others"
    }

    private func line(_ file: VersionChanges.Unreadable) -> StyledText {
        let reason = CommandLineHints.reason(file.problem)
        return StyledText("    \(reason.contains(file.path) ? reason : "\(file.path): \(reason)")", .warning)
    }
}

extension Reports {
    package func status(_ status: StoreStatus) -> JSON {
        let draft = status.draft
        let overtaken = draft.changes.compactMap { change in status.overtaken[change].map { self.overtaken(change, by: $0) } }
        return Reports.document([
            "store": .string(status.path),
            "version": status.version.map { .string($0.id.hex) } ?? .null,
            "branch": status.branch.map { .string($0) } ?? .null,
            "operation": status.operation.map { .string($0) } ?? .null,
            "changes": changes(draft.changes),
            "overtaken": status.overtaken.isEmpty ? nil : .array(overtaken),
            "behind": draft.behind.isEmpty ? nil : paths(draft.behind),
            "unwritten": draft.unwritten.isEmpty ? nil : .array(draft.unwritten.map(unwritten)),
            "mayBeBehind": draft.uncertain.isEmpty ? nil : paths(draft.uncertain),
            "unfinished": status.unfinished.map { .string(CommandLineHints.reason($0)) },
            "rewritten": paths(draft.rewritten),
            "removed": draft.removedUnread.isEmpty ? nil : paths(draft.removedUnread),
            "unreadable": .array((draft.unreadable + draft.unreadableRecorded).map(unreadable)),
            "disagreements": .array(draft.disagreements.map(disagreement)),
            "files": draft.tracked.isEmpty ? nil : .array(draft.tracked.map(tracked)),
            "findings": status.findings.isEmpty ? nil : .array(status.findings.map(finding)),
            "openConflicts": status.openConflicts.map { .number($0) },
            "confirmations": status.confirmations.isEmpty ? nil : confirmations(status.confirmations),
        ])
    }

    func paths(_ subjects: [Subject]) -> JSON { .array(subjects.map { .string($0.path) }) }

    private func unwritten(_ file: UnwrittenFile) -> JSON {
        .object(["path": .string(file.path), "reason": .string(file.failure.reason)])
    }

    private func finding(_ found: Finding) -> JSON { finding(found, ["candidates": .array(found.candidates)]) }
}
