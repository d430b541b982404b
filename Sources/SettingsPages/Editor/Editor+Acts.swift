import SettingsModel
import SettingsText

extension Editor {
    mutating func back() {
        guard visits.count > 1 else { return }
        typing = nil
        visits.removeLast()
        refresh()
    }

    /// Esc closes exactly one thing.
    mutating func close() {
        if visits.count > 1 { return back() }
        if scene.draft.isEmpty {
            effects += [.forget, .quit(.empty)]
        } else {
            open(LeavePage())
        }
    }

    /// The draft is kept.
    mutating func leave() {
        if let offered { return effects.append(.quit(.kept(offered.draft.changes.count))) }
        let count = scene.recordableCount
        if scene.draft.steps.isEmpty || count == 0 && scene.draft.openConflicts.isEmpty {
            effects += [.forget, .quit(.empty)]
        } else {
            effects += [.keep, .quit(.kept(count))]
        }
    }

    mutating func undo() {
        if let step = scene.draft.undo() {
            return changed("Undone: \(sentence(step))")
        }
        guard !scene.facts.recorded.isEmpty else { return say("There is nothing to undo", isRefusal: true) }
        // What was recorded last is taken back as a draft.
        let merge = scene.content.merging(scene.facts.recorded.inverted)
        guard merge.conflicts.isEmpty else {
            return say("what was recorded has been changed since; 'settings revert' takes it back", isRefusal: true)
        }
        let subjects = Set(scene.facts.recorded.map(\.subject)).sorted()
        scene.facts.recorded = []
        guard scene.draft.apply(subjects.map { ($0, merge.settings[$0]) }) else {
            return say("There is nothing to undo", isRefusal: true)
        }
        changed("Taken back: \(sentence(scene.draft.changes)); Done records that")
    }

    mutating func redo() {
        guard let step = scene.draft.redo() else { return say("There is nothing to redo", isRefusal: true) }
        changed("Redone: \(sentence(step))")
    }

    /// What a step did.
    private func sentence(_ step: SettingsDraft.Step) -> String {
        var (before, after) = (SettingsContent(), SettingsContent())
        for edit in step.edits {
            before[edit.subject] = edit.before
            after[edit.subject] = edit.after
        }
        let words = sentence(after.changes(since: before))
        return words.isEmpty ? "the choice of a side" : words
    }

    mutating func done() {
        if let open = scene.draft.openConflicts.first {
            if !(visit.page is ConflictsPage) { self.open(ConflictsPage()) }
            focus(on: ConflictRow(open).id)
            return say("Choose a side of each conflict first", isRefusal: true)
        }
        guard scene.recordableCount > 0 else { return say("There are no changes to record", isRefusal: true) }
        effects.append(.reasons)
        open(DonePage())
    }

    mutating func recorded(_ words: String, _ changes: [Change]) {
        scene.facts.recorded = changes
        for change in changes { if case .option(let key) = change.subject { scene.facts.origins[key] = nil } }
        scene.facts.hasAllOrigins = false
        scene.sheet = Sheet()
        scene.draft.begin(on: scene.draft.content)
        generation += 1
        let pages = visits.lastIndex { $0.page is GroupPage } ?? 0
        visits.removeLast(visits.count - 1 - pages)
        typing = nil
        effects.append(.forget)
        refresh()
        say(words)
    }

    /// The store is another one than a moment ago. What is being typed stays.
    mutating func reload(_ loaded: Loaded) {
        let hadHead = scene.facts.head
        let before = scene.draft.base
        scene.outline = Outline(loaded.content)
        scene.index = nil
        scene.facts.head = loaded.head
        scene.facts.handEdited = loaded.handEdited
        scene.facts.unreadable = loaded.unreadable
        let found = scene.draft.move(to: loaded.content)
        generation += 1
        if loaded.head != hadHead || before != loaded.content {
            scene.facts.origins = [:]
            scene.facts.hasAllOrigins = false
            scene.facts.histories = [:]
            scene.facts.questions.isKnown = false
        }
        refresh()
        let person = loaded.author ?? "somebody"
        if found > 0 {
            say(
                "\(person) recorded another change of \(found == 1 ? "an option" : "\(found) options") that you changed; c settles it"
            )
            if visit.page is DonePage {
                back()
                open(ConflictsPage())
            }
        } else if let author = loaded.author, before != loaded.content {
            say("\(author) recorded: \(sentence(loaded.content.changes(since: before)))")
        }
        if !scene.draft.steps.isEmpty { effects.append(.keep) }
    }

    mutating func takeUp() {
        guard var kept = offered else { return }
        offered = nil
        back()
        let found = kept.draft.move(to: scene.draft.base)
        scene.draft = kept.draft
        scene.sheet = kept.sheet
        changed(found > 0 ? "The earlier changes are back, some with conflicts; c settles them" : "The earlier changes are back")
    }

    mutating func history() {
        guard case .option(let key)? = row?.id else { return say("only an option has a history", isRefusal: true) }
        effects.append(.history(key))
        open(HistoryPage(key))
    }
}
