package import SettingsModel
import SettingsText

/// Edits of the files, by change: what is staged in git's index, and what isn't. Done records what is staged.
package struct CommitPage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Commit" }

    package func badge(in scene: Scene) -> String? {
        guard let count = scene.files.edits?.staged.count, count > 0 else { return "" }
        return "\(count) staged"
    }

    package func showsDifference(in scene: Scene) -> Bool {
        scene.files.edits.map { !$0.staged.isEmpty || !$0.unstaged.isEmpty } ?? false
    }

    package func changes(at row: RowID?, in scene: Scene) -> [Change] {
        guard let edits = scene.files.edits else { return [] }
        switch row {
        case .fileChange(_, _, isStaged: true), .named(Name.done), .named(Name.unstageAll): return edits.staged.shown(at: row)
        case .fileChange, .named(Name.stageAll), .named(Name.discardAll): return edits.unstaged.shown(at: row)
        default: return []
        }
    }

    private enum Name {
        static let stageAll = "stage all"
        static let unstageAll = "unstage all"
        static let discardAll = "discard all"
        static let done = "done"
    }

    package func rows(in scene: Scene) -> [any Row] {
        guard let edits = scene.files.edits else {
            return [NoteRow("Reading the files\(scene.glyphs.ellipsis)", "waiting")]
        }
        var rows: [any Row] = []
        if let operation = edits.operation {
            for (words, id) in zip(PageHints.inProgress(operation), ["operation", "ends of the operation"]) {
                rows.append(NoteRow(PageHints.statement(words), id))
            }
        }
        if !scene.facts.questions.texts.isEmpty { rows += LinkRow.questions(in: scene) }
        if !edits.broken.isEmpty { rows.append(HeadingRow("Not valid", .named("heading broken"))) }
        for file in edits.broken {
            rows.append(BrokenFileRow(file))
            rows.append(NoteRow(PageHints.sentence(file.reason), "reason \(file.path) \(file.isStaged)"))
        }
        if edits.isDiscardable || !edits.staged.isEmpty { rows.append(HeadingRow("Not staged", .named("heading unstaged"))) }
        rows += edits.unstaged.map { FileChangeRow($0, isStaged: false) }
        rows += edits.rewritten.map { RewrittenFileRow($0) }
        if edits.unstaged.isEmpty, edits.rewritten.isEmpty, edits.broken.allSatisfy(\.isStaged), !edits.staged.isEmpty {
            rows.append(NoteRow("There are no other edits.", "all staged"))
        }
        if !edits.unstaged.isEmpty {
            rows.append(
                ButtonRow(
                    "Stage All", id: Name.stageAll, hint: "Done then records every edit",
                    .effect(.files(FileWork(.stage(edits.unstaged))))))
        }
        if edits.isDiscardable, edits.operation.map(PageHints.isInTheWay) != true {
            rows.append(
                ButtonRow(
                    "Discard All", id: Name.discardAll, hint: "Resets the files to what is staged; u brings the edits back",
                    .effect(.files(FileWork(.discard(edits.unstaged, files: edits.discardableFiles))))))
        }
        let tracked = Self.rows(of: edits.tracked, in: scene)
        guard !edits.isEmpty else {
            return rows + (tracked.isEmpty ? [NoteRow("The files have no unrecorded edits.", "empty")] : tracked)
        }
        rows.append(HeadingRow("Staged", .named("heading staged")))
        rows += edits.staged.map { FileChangeRow($0, isStaged: true) }
        if edits.staged.isEmpty {
            let stage = scene.command("Space", plain: "stage NUMBER")
            rows.append(NoteRow("\(stage) stages an edit; Done records what is staged.", "none staged"))
        } else {
            rows.append(
                ButtonRow(
                    "Unstage All", id: Name.unstageAll, hint: "The edits stay in the files",
                    .effect(.files(FileWork(.unstage(edits.staged))))))
        }
        rows.append(
            ButtonRow("Done", id: Name.done, hint: "c: asks for the reason, then records what is staged", .perform(.done)))
        return rows + tracked
    }

    private static func rows(of files: [FileEdits.Tracked], in scene: Scene) -> [any Row] {
        if files.isEmpty { return [] }
        var rows: [any Row] = [HeadingRow("Tracked files", .named("heading tracked"))]
        for file in files {
            var edits = file.changes.isEmpty ? [] : [scene.sentence(file.changes)]
            if file.hasOtherEdits { edits.append("other lines") }
            rows.append(NoteRow("\(file.path): \(edits.joined(separator: "; "))", "tracked \(file.path)"))
        }
        rows.append(FactRow("Record", StyledText("settings done"), id: "tracked record"))
        rows.append(FactRow("Discard", StyledText("settings discard"), id: "tracked discard"))
        return rows
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .undo:
            guard let inverse = scene.files.done.last?.inverse else {
                return .refuse("There is nothing to undo here; recorded versions are reverted in the list of versions (1)")
            }
            return .effect(.files(FileWork(inverse, .undoing)))
        case .redo:
            guard let act = scene.files.undone.last else { return .refuse("There is nothing to redo here") }
            return .effect(.files(FileWork(act, .redoing)))
        case .delete: return .refuse("d does nothing: Del discards a change, u brings it back")
        case .done:
            if let reason = DonePage.nothingStaged(in: scene) { return .refuse(reason) }
            return .all([.effect(.reasons), .open(DonePage(.staged))])
        default: return nil
        }
    }
}
