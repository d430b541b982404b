import SettingsModel
import SettingsText

extension Editor {
    /// The store is another one than a moment ago. What is being typed stays, and so does the sheet of Done.
    mutating func reload(_ loaded: Loaded) {
        let before = scene.draft.base
        var wanted = scene.draft.changes.map { (subject: $0.subject, facet: Facet?.some($0.facet), title: $0.title) }
        for open in scene.draft.openConflicts { wanted.append((open.conflict.subject, nil, open.conflict.title)) }
        let found = scene.take(loaded)
        for rename in loaded.renames {
            for index in wanted.indices {
                wanted[index].subject = wanted[index].subject.renamed(from: rename.old, to: rename.new)
            }
        }
        pages.follow(loaded.renames, in: scene)
        pages.expire()
        refresh()
        if let typing { focus(on: typing.row) }
        effects += visit.page.questions(in: scene)
        let lost = typesInVain.map { "; \($0) no longer accepts the text that you are typing" } ?? ""
        if found > 0 {
            say("\(conflicts(found, loaded)); \(remedy(found))\(lost)")
        } else if before == loaded.content {
            if let words = loaded.movedWords { say(words + lost) }
        } else {
            let changes = loaded.content.changes(since: before, renames: loaded.renames.map { ($0.old, $0.new) })
            let recorded = loaded.movedWords ?? loaded.author.map { "\($0) recorded" }
            let what = recorded.map { "\($0): \(scene.sentence(changes))" } ?? editedWords(changes)
            let gone = wanted.filter { change in
                !scene.draft.openConflicts.contains { $0.conflict.subject == change.subject }
                    && !scene.draft.changes.contains {
                        $0.subject == change.subject && (change.facet == nil || $0.facet == change.facet)
                    }
            }
            let place = loaded.author == nil && loaded.movedTo == nil ? "in the file" : "recorded"
            let same =
                switch gone.count {
                case 0: ""
                case 1: "; your change to \(gone[0].title) is already \(place)"
                default: "; your changes to \(gone[0].title) and more are already \(place)"
                }
            say("\(what)\(same)\(lost)")
        }
        if !scene.draft.steps.isEmpty { effects.append(.keep) }
    }

    /// What became of files, where nobody recorded anything.
    private func editedWords(_ changes: [Change]) -> String {
        let subjects = changes.map(\.subject)
        if let fault = subjects.lazy.compactMap({ scene.fault(inFileOf: $0) }).first { return "Not valid: \(fault)" }
        let isHandEdited = subjects.contains { scene.facts.handEdited.contains($0) }
        return "\(isHandEdited ? "Edited by hand" : "No longer edited by hand"): \(scene.sentence(changes))"
    }

    /// What was recorded or edited where the draft has something else.
    private func conflicts(_ count: Int, _ loaded: Loaded) -> String {
        let one = count == 1 ? scene.draft.conflicts.last?.conflict.title.string : nil
        let what = one ?? "\(count) options that you changed"
        if let words = loaded.movedWords {
            return "\(words), where \(what) \(one == nil ? "are" : "is") different"
        }
        if let author = loaded.author { return "\(author) recorded another change to \(what)" }
        let subjects = scene.draft.conflicts.suffix(count).map(\.conflict.subject)
        if let fault = subjects.lazy.compactMap({ scene.fault(inFileOf: $0) }).first {
            return "The file of \(what) is not valid (\(fault))"
        }
        let isHandEdited = subjects.allSatisfy { scene.facts.handEdited.contains($0) }
        return "\(what) \(one == nil ? "were" : "was") also \(isHandEdited ? "edited by hand" : "changed")"
    }

    private func remedy(_ count: Int) -> String {
        if visit.page is DonePage { return "Done asks which side to use" }
        return "\(scene.command("c", plain: "done")) resolves \(count == 1 ? "it" : "them")"
    }
}

extension Loaded {
    /// What is checked out now.
    fileprivate var movedWords: String? {
        movedTo.map { place in resetTo.map { "\(place) is now at \($0.short)" } ?? "The store is on \(place) now" }
    }
}
