import SettingsModel
import SettingsText

/// Edits of the files: what the page of them asks for, and what became of it.
extension Editor {
    mutating func commitFiles() {
        guard !(visit.page is CommitPage) else { return say("These are the edits of the files", isRefusal: true) }
        effects += [.files(FileWork(.look)), .reasons]
        open(CommitPage())
    }

    /// `work`: what was done; nil where they only were looked at.
    mutating func heard(_ edits: FileEdits, _ work: FileWork?) {
        scene.files.edits = edits
        pages.expire()
        guard let work else { return refresh() }
        switch work.way {
        case .anew where work.act.inverse != nil:
            scene.files.done.append(work.act)
            scene.files.undone = []
        case .anew: break
        case .undoing: if let act = scene.files.done.popLast() { scene.files.undone.append(act) }
        case .redoing: if let act = scene.files.undone.popLast() { scene.files.done.append(act) }
        }
        switch work.act {
        case .look, .edit: break
        case .stage(let changes): say("Staged: \(scene.sentence(changes))")
        case .unstage(let changes): say("No longer staged: \(scene.sentence(changes))")
        case .discard(let changes, let files):
            let words = [scene.sentence(changes)] + files.map(\.path)
            say(
                "Discarded: \(words.filter { !$0.isEmpty }.joined(separator: "; ")); \(scene.command("u", plain: "undo")) brings it back"
            )
        case .bringBack: say("What was discarded is back in the files")
        case .record:
            scene.files.done = []
            scene.files.undone = []
            scene.sheet = scene.freshSheet
            pages.close(to: (visits.lastIndex { $0.page is CommitPage } ?? 0) + 1, layout)
            effects.append(scene.draft.steps.isEmpty ? .forget : .keep)
        }
        refresh()
    }
}
