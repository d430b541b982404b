import SettingsModel
import SettingsText

/// What became of the draft.
enum DraftOutcome: Sendable {
    /// It is another one, and this says how.
    case changed(String?)
    case refused(String, Problem.Kind = .no)
    case same
}

extension Scene {
    /// Shows the store as it is now, with the draft moved on top of it. Returns the number of new conflicts.
    @discardableResult
    mutating func take(_ loaded: Loaded) -> Int {
        let (head, before) = (facts.head, draft.base)
        outline = Outline(loaded.content)
        index = nil
        facts.head = loaded.head
        begun(on: draftBranch, now: loaded.branch)
        facts.handEdited = loaded.handEdited
        facts.unreadable = loaded.unreadable
        draft.follow(loaded.renames, to: loaded.content)
        let found = draft.move(to: loaded.content)
        if loaded.head != head || before != loaded.content {
            facts.origins = [:]
            facts.hasAllOrigins = false
            browsing.renewAll()
            facts.questions.isKnown = false
        }
        return found
    }

    /// The name of an option or a group after others were renamed; its own where that is still another's.
    func subject(_ subject: Subject, after renames: [VersionMessage.Rename]) -> Subject {
        func isThere(_ subject: Subject) -> Bool {
            subject.isGroup ? outline.holds(subject.key) : content[subject] != nil
        }
        let name = renames.reduce(subject) { $0.renamed(from: $1.old, to: $1.new) }
        return isThere(subject) || !isThere(name) ? subject : name
    }

    /// Whether it shows this store already.
    package func shows(_ loaded: Loaded) -> Bool {
        facts.head == loaded.head && facts.branch == loaded.branch && facts.handEdited == loaded.handEdited
            && facts.unreadable == loaded.unreadable
            && draft.base == loaded.content
    }

    /// Somebody may check out another branch under a draft.
    private mutating func begun(on branch: String, now: String) {
        facts.branch = now
        otherBranch = branch == now || draft.isEmpty && draft.undone.isEmpty ? nil : branch
    }

    mutating func makeIndex() { if index == nil { index = SearchIndex(content) } }

    mutating func edit(
        _ items: [(subject: Subject, item: SettingsContent.Item?)], isAdjustment: Bool, _ words: String?
    ) -> DraftOutcome {
        var before = SettingsContent()
        for (subject, _) in items { before[subject] = content[subject] }
        if draft.isEmpty { otherBranch = nil }
        guard draft.apply(items, isAdjustment: isAdjustment) else { return .same }
        var after = SettingsContent()
        for (subject, _) in items {
            after[subject] = content[subject]
            if before[subject]?.option?.labels != after[subject]?.option?.labels { index = nil }
        }
        return .changed(words ?? sentence(after.changes(since: before)))
    }

    /// A change of what somebody else has changed since it was found.
    mutating func merge(_ item: SettingsContent.Item?, _ found: SettingsDraft.Found) -> DraftOutcome {
        let before = content.only(found.subject)
        if draft.isEmpty { otherBranch = nil }
        let conflicts = draft.apply(item, to: found)
        index = nil
        if conflicts > 0 {
            let title = content.title(of: found.subject)
            return .changed("\(title) was changed while you typed; \(command("c", plain: "done")) resolves it")
        }
        let words = sentence(content.only(found.subject).changes(since: before))
        return .changed(words.isEmpty ? "Your change is already recorded" : words)
    }

    mutating func dismiss(_ change: Change) -> DraftOutcome {
        draft.dismiss(change) ? .changed("Dismissed: \(sentence([change]))") : .same
    }

    mutating func settle(_ open: SettingsDraft.OpenConflict, _ pick: SettingsDraft.Pick) -> DraftOutcome {
        if let reason = draft.settle(open, pick) { return .refused(reason, .badData) }
        return .changed("\(open.conflict.title): \(wording.words(pick, of: open))")
    }

    mutating func undo() -> DraftOutcome {
        if takesBackRecorded { return .refused("There is nothing to undo") }
        while let step = draft.undo() { if step.hasEffect { return .changed("Undone: \(sentence(step))") } }
        if facts.recorded.isEmpty, let discarded {
            (offered, self.discarded) = (discarded, nil)
            return takeUp()
        }
        return takeBackRecorded("Reverted")
    }

    /// Whether the last step took back what was recorded last.
    private var takesBackRecorded: Bool {
        if case .undo(let id)? = draft.lastStep?.source { id == facts.recordedBy } else { false }
    }

    /// What was recorded last is taken back as a draft.
    private mutating func takeBackRecorded(_ verb: String) -> DraftOutcome {
        guard !facts.recorded.isEmpty else { return .refused("There is nothing to undo") }
        let merge = content.merging(facts.recorded.inverted)
        guard merge.conflicts.isEmpty else {
            return .refused(
                "What was recorded has been changed since; \(command("1", plain: "browse")) lists the versions, where it can be reverted"
            )
        }
        let subjects = Set(facts.recorded.map(\.subject)).sorted()
        let source = facts.recordedBy.map { SettingsDraft.Source.undo($0) }
        if source == nil { facts.recorded = [] }
        guard draft.apply(subjects.map { ($0, merge.settings[$0]) }, source: source) else {
            return .refused("There is nothing to undo")
        }
        return .changed("\(verb): \(sentence(draft.changes)); Done records that")
    }

    mutating func redo() -> DraftOutcome {
        while let step = draft.redo() { if step.hasEffect { return .changed("Redone: \(sentence(step))") } }
        if takesBackRecorded {
            draft.forgetLastStep()
            return .changed("Redone: \(sentence(facts.recorded))")
        }
        guard facts.recordedIsUndo, draft.isEmpty else { return .refused("There is nothing to redo") }
        return takeBackRecorded("Redone")
    }

    /// Goes on with the draft that was kept.
    mutating func takeUp() -> DraftOutcome {
        guard var kept = offered else { return .same }
        offered = nil
        kept.draft.follow(kept.renames, to: draft.base)
        let found = kept.draft.move(to: draft.base)
        (draft, sheet) = (kept.draft, kept.sheet)
        begun(on: kept.branch ?? facts.branch, now: facts.branch)
        if sheet.confirm.isEmpty { sheet.confirm = freshSheet.confirm }
        let conflicts = found > 0 ? ", some with conflicts; \(command("c", plain: "done")) resolves them" : ""
        return .changed("The earlier changes are back\(conflicts)")
    }

    /// The draft was recorded.
    mutating func begin(with recorded: [Change], by version: VersionID?) {
        (facts.recorded, facts.recordedBy, facts.recordedIsUndo) = (recorded, version, draft.undoes != nil)
        for change in recorded { if case .option(let key) = change.subject { facts.origins[key] = nil } }
        facts.hasAllOrigins = false
        sheet = freshSheet
        otherBranch = nil
        draft.begin(on: draft.content)
    }

    /// What a step did.
    private func sentence(_ step: SettingsDraft.Step) -> String {
        var (before, after) = (SettingsContent(), SettingsContent())
        for edit in step.edits {
            before[edit.subject] = edit.before
            after[edit.subject] = edit.after
        }
        let words = sentence(after.changes(since: before))
        return words.isEmpty ? "a choice between two sides" : words
    }

    func sentence(_ changes: [Change]) -> String {
        changes.told.flatMap(\.lines).map { sentence($0).plain }.joined(separator: "; ")
    }

    /// With the key where the title doesn't tell what the change is about.
    func sentence(_ line: ChangeLine) -> Sentence {
        let name = outline.isShared(line.title) ? Phrases.name(line.title, line.subject) : nil
        return wording.sentence(line, name: name)
    }
}
