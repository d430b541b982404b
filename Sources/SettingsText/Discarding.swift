package import SettingsModel

// What 'discard' prints.

extension Phrases {
    /// What was dropped.
    package func discarded(_ draft: Draft, isPlanned: Bool) -> [PrintedLine] {
        if draft.isEmpty, !draft.hasReplacedFiles { return [.done("nothing to discard: there are no unrecorded edits")] }
        let isKept =
            !draft.edited.isEmpty || !draft.rewritten.isEmpty || draft.unreadable.count > draft.strays.count
            || !draft.tracked.isEmpty
        return list(isPlanned ? "would discard:" : "discarded:", draft) + Phrases.notDiscarded(draft)
            + (isKept && !isPlanned ? [.hint("'settings discard --undo' restores them")] : [])
    }

    /// What was restored.
    package func broughtBack(_ draft: Draft, isPlanned: Bool) -> [PrintedLine] {
        list(isPlanned ? "would restore as unrecorded edits:" : "restored as unrecorded edits:", draft)
    }

    package static func notDiscarded(_ draft: Draft) -> [PrintedLine] {
        draft.strays.map { .warning(CommandLineHints.reason(.file(.cannotDiscard($0)))) }
    }

    private func list(_ heading: String, _ draft: Draft) -> [PrintedLine] {
        var lines = [StyledText(heading)] + sentences(draft.changes).indented
        lines += draft.tracked.flatMap(edits)
        lines += draft.rewritten.map { subject in
            guard let edit = draft.disagreements.first(where: { $0.isIndexEdited && $0.subject == subject }) else {
                return StyledText("    \(subject.path) (formatting only)")
            }
            return StyledText("    \(subject.path): \"selected\" was \(edit.index); \"value\" is still \(edit.value)")
        }
        lines += draft.unreadableFiles.map { StyledText("    \($0.path)") }
        lines += draft.removedUnread.map { StyledText("    \($0.path) removed") }
        lines += draft.unmerged.map { StyledText("    \($0.path) (conflict in git's index)") }
        return lines.map { .done($0) }
    }

    /// The edits of a tracked file.
    private func edits(of state: TrackedState) -> [StyledText] {
        let path = state.path
        if state.absence == .missing { return [StyledText("    \(path) removed")] }
        if state.isReplaced { return [StyledText("    all of \(path), which cannot be read")] }
        var lines = sentences(state.edits).map { StyledText("    ") + $0 + StyledText(" (in \(path))") }
        lines += state.gone.map { StyledText("    \($0) removed (in \(path))") }
        if state.hasOtherEdits { lines.append(StyledText("    other lines of \(path)")) }
        return lines
    }

    /// Edits that were discarded and can be restored.
    package func kept(_ drafts: [(time: Time, changes: VersionChanges, tracked: [TrackedState])]) -> [PrintedLine] {
        if drafts.isEmpty { return [.note("no edits were discarded in the last 30 days")] }
        return drafts.flatMap { draft in
            ([StyledText(time(draft.time))] + sentences(draft.changes.changes).indented
                + draft.changes.unreadable.map { StyledText("    \($0.path)") } + draft.tracked.flatMap(edits)).map {
                    .answer($0)
                }
        }
    }
}

extension Reports {
    package func discarded(_ draft: Draft) -> JSON {
        Reports.document([
            "changes": changes(draft.changes + draft.tracked.flatMap(\.edits)),
            "unreadable": .array(draft.unreadableFiles.map(unreadable)),
            "rewritten": paths(draft.rewritten), "removed": draft.removedUnread.isEmpty ? nil : paths(draft.removedUnread),
            "unmerged": draft.unmerged.isEmpty ? nil : paths(draft.unmerged),
        ])
    }

    package func kept(_ drafts: [(time: Time, changes: [Change])]) -> JSON {
        let rows = drafts.map { JSON.object(["time": .string($0.time.rfc3339), "changes": changes($0.changes)]) }
        return Reports.document(["discarded": .array(rows)])
    }
}

extension Draft {
    /// The files among those that can't be read.
    fileprivate var unreadableFiles: [VersionChanges.Unreadable] {
        unreadable.filter { file in !strays.contains { $0.path == file.path } }
    }
}
