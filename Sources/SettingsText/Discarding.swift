package import SettingsModel

// What 'discard' prints.

extension Phrases {
    /// What was dropped, by its draft, or restored.
    package func discarded(_ heading: String, _ draft: Draft) -> [PrintedLine] {
        var lines = [StyledText(heading)] + sentences(draft.changes).indented
        lines += draft.rewritten.map { StyledText("    \($0.path) (formatting only)") }
        lines += draft.unreadableFiles.map { StyledText("    \($0.path)") }
        lines += draft.removedUnread.map { StyledText("    \($0.path) removed") }
        lines += draft.unmerged.map { StyledText("    \($0.path) (conflict in git's index)") }
        return lines.map { .done($0) }
    }

    /// Edits that were discarded at a time and can be restored.
    package func kept(_ changes: VersionChanges, since time: Time) -> [StyledText] {
        [StyledText(self.time(time))] + sentences(changes.changes).indented
            + changes.unreadable.map { StyledText("    \($0.path)") }
    }
}

extension Reports {
    package func discarded(_ draft: Draft) -> JSON {
        Reports.document([
            "changes": changes(draft.changes), "unreadable": .array(draft.unreadableFiles.map(unreadable)),
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
