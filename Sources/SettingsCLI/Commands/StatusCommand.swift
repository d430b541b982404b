import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show edits of the store's files that are not recorded yet.",
        discussion: """
            Versions that have to be confirmed and open conflicts are shown as well.

            A write that was interrupted is completed first. With --exit-code, the exit
            status is 1 if a file differs from the last version: because it was edited, or
            because a version was recorded and its files could not be written.

              settings status
              settings set sound.volume 40 && settings status -q --exit-code && reload
            """)

    @Flag(name: .long, help: "Exit with 1 if a file differs from the last version.") var exitCode = false
    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let session = try context.reader(readsOnly: true)
        let status = try session.ask(StatusQuery())
        let draft = status.draft
        // The exit status is the answer.
        if !(global.quiet && exitCode) { try report(status, session, context) }
        if exitCode, !draft.isEmpty || !draft.behind.isEmpty || !draft.unwritten.isEmpty { throw Failure(.no) }
    }

    private func report(_ status: StatusQuery.Answer, _ session: Session, _ context: Context) throws {
        let draft = status.draft
        let (open, problem) = try session.openConfirmations()
        // 'settings verify A..B' says why this isn't known.
        let nobodys = (try? session.ask(LastMergeQuery())) ?? []
        if json.json {
            return try context.output.json(
                Reports.document([
                    "store": .string(session.folder.path),
                    "version": status.version.map { .string($0.id.hex) } ?? .null,
                    "branch": status.branch.map { .string($0) } ?? .null,
                    "operation": status.operation.map { .string($0) } ?? .null,
                    "changes": context.reports.changes(draft.changes),
                    "overtaken": status.overtaken.isEmpty
                        ? nil
                        : .array(
                            draft.changes.compactMap { change in
                                status.overtaken[change].map { context.reports.overtaken(change, by: $0) }
                            }),
                    "behind": draft.behind.isEmpty ? nil : .array(draft.behind.map { .string($0.path) }),
                    "unwritten": draft.unwritten.isEmpty ? nil : .array(draft.unwritten.map(unwritten)),
                    "rewritten": .array(draft.rewritten.map { .string($0.path) }),
                    "removed": draft.removedUnread.isEmpty ? nil : .array(draft.removedUnread.map { .string($0.path) }),
                    "unreadable": .array(
                        (draft.unreadable + draft.unreadableRecorded).map(context.reports.unreadable)),
                    "disagreements": .array(draft.disagreements.map(context.reports.disagreement)),
                    "findings": nobodys.isEmpty ? nil : .array(nobodys.map(finding)),
                    "openConflicts": status.openConflicts.map { .number($0) },
                    "confirmations": open.isEmpty ? nil : context.reports.confirmations(open),
                ]))
        }
        let output = context.output
        let ends = status.operation.flatMap(CommandLineHints.ends)
        if let operation = status.operation { output.note(CommandLineHints.inProgress(operation)) }
        if status.hasTextConflicts {
            output.note("hint: 'settings conflicts' lists what git could not merge; 'settings resolve KEY' resolves a conflict")
        }
        if let ends { output.note("hint: \(ends)") }
        if status.branch == nil, ends == nil { output.note("HEAD is detached: new versions will be on no branch") }
        context.noteMissingSetup(session)
        if let problem { output.note("note: \(CommandLineHints.reason(problem)), so what is to be confirmed is not known") }
        if !open.isEmpty {
            try output.line("to be confirmed:")
            for (confirmation, changes) in open {
                try output.lines(context.phrases.waiting(confirmation, changes).map { StyledText("    ") + $0 })
            }
            if open.contains(where: { $0.confirmation.state == .waiting }) {
                output.note("hint: 'settings confirm' keeps your own, 'settings confirm --cancel' reverts them")
            }
        }
        if let count = status.openConflicts, count > 0 {
            try output.line(count == 1 ? "1 conflict is open" : "\(count) conflicts are open")
            output.note("hint: 'settings conflicts' lists \(count == 1 ? "it" : "them"), 'settings resolve KEY' resolves one")
        }
        if !nobodys.isEmpty {
            try output.line("merged by git, but chosen by nobody:")
            for found in nobodys {
                let explanation = CommandLineHints.explanation(of: found)
                try output.line(StyledText("    \(found.path): \(explanation.reason)", .warning))
                if ends == nil, let hint = explanation.hint { output.note("hint: \(hint)") }
            }
        }
        if !draft.unreadableRecorded.isEmpty {
            try output.line("recorded, but cannot be read:")
            for file in draft.unreadableRecorded { try output.line(line(file)) }
            if ends == nil {
                for hint in hints(forRecorded: draft.unreadableRecorded) { output.note("hint: \(hint)") }
            }
        }
        if !draft.behind.isEmpty {
            try output.line("behind the last version, and not edited:")
            for subject in draft.behind { try output.line("    \(subject.path)") }
            output.note(
                "hint: the branch was moved without these files, as by a push or in another work tree; the next command that "
                    + "records brings them up to date, and so does 'settings done'")
        }
        if !draft.unwritten.isEmpty {
            try output.line("recorded, but these files could not be written:")
            for file in draft.unwritten {
                try output.line(StyledText("    \(file.path): \(file.failure.reason)", .warning))
            }
            output.note(
                "hint: the last version and git's index have the new content; every command tries again to write these files, "
                    + "and until then 'git commit -a' would record what they hold")
        }
        if draft.isEmpty, draft.disagreements.isEmpty {
            try output.line(
                "no unrecorded edits"
                    + (status.version.map {
                        "; the last version is \($0.id.short), \(context.phrases.time($0.time)), \($0.author.name)"
                    }
                        ?? "; no versions yet"))
            return
        }
        if !draft.edited.isEmpty { try output.line("edits not recorded yet:") }
        for change in draft.changes {
            let overtaken = status.overtaken[change].map { context.phrases.overtaken(change, by: $0) } ?? StyledText("")
            try output.lines(context.phrases.sentences([change]).map { StyledText("    ") + $0 + overtaken })
        }
        for subject in draft.removedUnread { try output.line("    \(subject.path) removed") }
        let disagreeing = Set(draft.disagreements.map(\.subject))
        let rewritten = draft.rewritten.filter { !disagreeing.contains($0) }
        if !rewritten.isEmpty { try output.line("differently formatted, with the same meaning:") }
        for subject in rewritten { try output.line("    \(subject.path)") }
        if !draft.unreadable.isEmpty { try output.line("cannot be read:") }
        for file in draft.unreadable { try output.line(line(file)) }
        if !draft.disagreements.isEmpty { try output.line("\"selected\" and \"value\" disagree:") }
        for file in draft.disagreements { try output.line(StyledText("    \(file.place): \(file.reason)", .warning)) }
        if ends == nil { output.note("hint: \(hint(for: draft))") }
    }

    private func unwritten(_ file: UnwrittenFile) -> JSON {
        .object(["path": .string(file.path), "reason": .string(file.failure.reason)])
    }

    private func finding(_ found: Finding) -> JSON {
        let explanation = CommandLineHints.explanation(of: found)
        return .object([
            "path": .string(found.path), "reason": .string(explanation.reason),
            "hint": explanation.hint.map { .string($0) }, "candidates": .array(found.candidates),
        ])
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
        if draft.unreadable.isEmpty { return "'settings done -m REASON' records them, 'settings discard' drops them" }
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
