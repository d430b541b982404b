import SettingsModel
import SettingsText

extension Editor {
    /// The store is another one than a moment ago. What is being typed stays, and so does the sheet of Done.
    mutating func reload(_ loaded: Loaded) {
        let before = scene.draft.base
        let wanted = scene.draft.changes
        let found = scene.take(loaded)
        pages.expire()
        refresh()
        effects += visit.page.questions(in: scene)
        let lost = typesInVain.map { "; \($0) no longer takes the text that you are typing" } ?? ""
        if found > 0 {
            say("\(conflicts(found, loaded)); \(remedy(found))\(lost)")
        } else if before == loaded.content {
            if let words = loaded.movedWords { say(words + lost) }
        } else {
            let act = loaded.movedWords ?? loaded.author.map { "\($0) recorded" } ?? "Edited by hand"
            let gone = wanted.filter { change in
                !scene.draft.changes.contains { $0.subject == change.subject && $0.facet == change.facet }
            }
            let place = loaded.author == nil && loaded.movedTo == nil ? "in the file" : "recorded"
            let same =
                switch gone.count {
                case 0: ""
                case 1: "; your change to \(gone[0].title) is already \(place)"
                default: "; your changes to \(gone[0].title) and more are already \(place)"
                }
            say("\(act): \(scene.sentence(loaded.content.changes(since: before)))\(same)\(lost)")
        }
        if !scene.draft.steps.isEmpty { effects.append(.keep) }
    }

    /// What was recorded or edited where the draft has something else.
    private func conflicts(_ count: Int, _ loaded: Loaded) -> String {
        let one = count == 1 ? scene.draft.conflicts.last?.conflict.title.string : nil
        let what = one ?? "\(count) options that you changed"
        if let words = loaded.movedWords {
            return "\(words), where \(what) \(one == nil ? "are" : "is") different"
        }
        if let author = loaded.author { return "\(author) recorded another change to \(what)" }
        return "\(what) \(one == nil ? "were" : "was") edited by hand as well"
    }

    private func remedy(_ count: Int) -> String {
        if visit.page is DonePage { return "Done asks which side counts" }
        return "\(scene.command("c", plain: "done")) settles \(count == 1 ? "it" : "them")"
    }
}

extension Loaded {
    /// What is checked out now.
    fileprivate var movedWords: String? {
        movedTo.map { place in resetTo.map { "\(place) is now at \($0.short)" } ?? "The store is on \(place) now" }
    }
}
