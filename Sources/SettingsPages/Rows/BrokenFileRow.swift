import SettingsText

/// A file that can't be read, or that says two things: it opens in the person's editor.
package struct BrokenFileRow: Row {
    let file: FileEdits.Broken

    package init(_ file: FileEdits.Broken) { self.file = file }

    package var id: RowID { .named("broken \(file.path) \(file.isStaged)") }
    package var titleRole: Cell.Role { .warning }

    package func title(in scene: Scene) -> String { file.path }

    package func accessory(in scene: Scene) -> Accessory {
        Accessory(StyledText(file.isStaged ? "staged" : "", .faint), opens: !file.isStaged)
    }

    package func open(in scene: Scene) -> Response {
        if file.isStaged { return .refuse("this is staged in git's index; unstage it with git") }
        return .effect(.files(FileWork(.edit(path: file.path))))
    }

    package func toggle(in scene: Scene) -> Response {
        .refuse("an invalid file cannot be recorded; Enter opens it in an editor")
    }

    /// Discards the edits of the file.
    package func reset(in scene: Scene) -> Response {
        guard let subject = file.subject, !file.isStaged else {
            return .refuse("the edits of this file cannot be discarded here")
        }
        return .effect(.files(FileWork(.discard([], files: [subject]))))
    }

    package func hint(in scene: Scene) -> String {
        file.isStaged ? "Staged in git's index" : "Enter opens the file in an editor, Del discards its edits"
    }
}
