package import SettingsModel

/// Changes that are not recorded yet, on top of what is; each can be undone and redone.
package struct SettingsDraft: Sendable {
    /// What is recorded.
    package private(set) var base: SettingsContent
    /// What is recorded, with the draft.
    package private(set) var content: SettingsContent
    package internal(set) var steps: [Step] = []
    package internal(set) var undone: [Step] = []
    /// Where somebody recorded something else meanwhile.
    package internal(set) var conflicts: [OpenConflict] = []
    /// The questions of merges that are answered, and with which side; `yours` is our side.
    package internal(set) var answers: [VersionMessage.Question: Pick] = [:]
    /// What differs from what is recorded, by key.
    package private(set) var changes: [Change] = []
    /// What the person changed before something else was recorded, until the person changes it again.
    var forks: [Subject: Fork] = [:]

    /// An item as the person found it and as the person wants it. Whatever is recorded meanwhile, in however many versions,
    /// is merged with these two, as when a kept draft is read again: nothing in between can lose what the person wants.
    struct Fork: Hashable, Sendable {
        var before: SettingsContent.Item?
        var yours: SettingsContent.Item?
    }

    /// One change as a person made it: what undo takes back.
    package struct Step: Hashable, Sendable {
        package var edits: [Edit]
        package var picks: [PickEdit] = []
        /// Whether it belongs to a series of small steps, as on a slider, that is taken back at once.
        package var isAdjustment = false
        /// The version that it takes back or brings back.
        package var source: Source?
        /// Conflicts that it opened: what is undone with it.
        package var opened: [OpenConflict] = []

        /// False once somebody else recorded the same.
        var hasEffect: Bool { edits.contains { $0.before != $0.after } || !picks.isEmpty || !opened.isEmpty }
    }

    package enum Source: Hashable, Sendable {
        case revert(VersionID)
        case restore(VersionID)
        /// One's own last version, which a person takes back right after it was recorded.
        case undo(VersionID)
    }

    package struct Edit: Hashable, Sendable {
        package var subject: Subject
        package var before: SettingsContent.Item?
        package var after: SettingsContent.Item?

        package init(_ subject: Subject, before: SettingsContent.Item?, after: SettingsContent.Item?) {
            self.subject = subject
            self.before = before
            self.after = after
        }
    }

    package struct PickEdit: Hashable, Sendable {
        package var subject: Subject
        package var facet: Facet
        package var before: Pick?
        package var after: Pick?
        /// Whether it answers a question that a merge left, rather than one between the draft and what was recorded.
        package var isAnswer = false
    }

    /// Which side of a conflict counts.
    package enum Pick: String, Hashable, Sendable, CaseIterable {
        case yours, theirs, before
    }

    /// A conflict between the draft and what somebody recorded. `ours` is what is recorded, `theirs` what the draft had.
    package struct OpenConflict: Hashable, Sendable {
        package var conflict: Conflict
        package var pick: Pick?

        package var yours: Change.Content? { conflict.theirs }
        package var recorded: Change.Content? { conflict.ours }
        package var before: Change.Content? { conflict.base }

        package func side(_ pick: Pick) -> Change.Content? {
            switch pick {
            case .yours: yours
            case .theirs: recorded
            case .before: before
            }
        }
    }

    package init(_ base: SettingsContent = SettingsContent()) {
        self.base = base
        content = base
    }

    package var isEmpty: Bool { changes.isEmpty && answers.isEmpty && conflicts.allSatisfy { $0.pick != nil } }
    package var openConflicts: [OpenConflict] { conflicts.filter { $0.pick == nil } }

    /// What is undone or redone next.
    package var lastStep: Step? { steps.last }
    package var nextStep: Step? { undone.last }

    /// Makes these items so, in one step. False where nothing changes.
    @discardableResult
    package mutating func apply(
        _ items: [(subject: Subject, item: SettingsContent.Item?)], picks: [PickEdit] = [], isAdjustment: Bool = false,
        source: Source? = nil, opening opened: [OpenConflict] = []
    ) -> Bool {
        let edits = items.compactMap { subject, item in
            content[subject] == item ? nil : Edit(subject, before: content[subject], after: item)
        }
        guard !edits.isEmpty || !picks.isEmpty || !opened.isEmpty else { return false }
        var step = Step(edits: edits, picks: picks, isAdjustment: isAdjustment, source: source, opened: opened)
        if isAdjustment, let last = steps.last, last.isAdjustment, last.edits.map(\.subject) == edits.map(\.subject) {
            for index in step.edits.indices { step.edits[index].before = last.edits[index].before }
            step.edits.removeAll { $0.before == $0.after }
            steps.removeLast()
        }
        undone = []
        // A series of small steps may end where it began.
        if !step.edits.isEmpty || !step.picks.isEmpty || !step.opened.isEmpty { steps.append(step) }
        conflicts += opened
        perform(Step(edits: edits, picks: picks, opened: opened), undoes: false)
        return true
    }

    /// The step that was taken back; nil if there is none.
    package mutating func undo() -> Step? {
        guard let step = steps.popLast() else { return nil }
        undone.append(step)
        conflicts.removeAll { open in step.opened.contains { open.isAbout($0.conflict.subject, $0.conflict.facet) } }
        perform(step, undoes: true)
        return step
    }

    package mutating func redo() -> Step? {
        guard let step = undone.popLast() else { return nil }
        steps.append(step)
        conflicts += step.opened
        perform(step, undoes: false)
        return step
    }

    /// Takes the last step back, as if it had never been made.
    mutating func forgetLastStep() {
        if undo() != nil { undone.removeLast() }
    }

    /// Takes one change back and keeps the others, in a step of its own.
    @discardableResult
    package mutating func dismiss(_ change: Change) -> Bool {
        guard let item = content[change.subject] else { return apply([(change.subject, base[change.subject])]) }
        guard change.facet != .existence, let old = base[change.subject] else {
            return apply([(change.subject, base[change.subject])])
        }
        var back = item
        back.set(change.facet, to: old.facets[change.facet])
        // A value that was chosen from labels that are dismissed with it.
        if let option = back.option, !option.faults().isEmpty { back = old }
        return apply([(change.subject, back)])
    }

    /// Everything is as it was recorded.
    package mutating func discard() { self = SettingsDraft(base) }

    private mutating func perform(_ step: Step, undoes: Bool) {
        for edit in step.edits { content[edit.subject] = undoes ? edit.before : edit.after }
        for edit in step.picks {
            let pick = undoes ? edit.before : edit.after
            if edit.isAnswer {
                answers[VersionMessage.Question(edit.subject, edit.facet)] = pick
                continue
            }
            guard let place = conflicts.firstIndex(where: { $0.isAbout(edit.subject, edit.facet) }) else { continue }
            conflicts[place].pick = pick
        }
        compare(step.edits.map(\.subject))
        let decided = step.picks.filter { !$0.isAnswer }.map(\.subject)
        for subject in step.edits.map(\.subject) + decided + step.opened.map(\.conflict.subject) { fork(subject) }
    }

    /// The person changed the item on top of what is recorded now: what is still in conflict is left of what was wanted.
    private mutating func fork(_ subject: Subject) {
        forks[subject] = nil
        for open in openConflicts where open.conflict.subject == subject {
            var fork = forks[subject] ?? Fork(before: base[subject], yours: content[subject])
            fork.before.take(open.before, for: open.conflict.facet)
            fork.yours.take(open.yours, for: open.conflict.facet)
            forks[subject] = fork
        }
    }

    private mutating func compare(_ subjects: [Subject]) {
        let touched = Set(subjects)
        changes.removeAll { touched.contains($0.subject) }
        changes += touched.sorted().flatMap { subject in
            base[subject] == content[subject] ? [] : content.only(subject).changes(since: base.only(subject))
        }
        changes.sort { $0.subject < $1.subject || $0.subject == $1.subject && $0.facet < $1.facet }
    }

    /// For what reads a draft anew or moves it to another base.
    mutating func replace(base: SettingsContent, content: SettingsContent, touched: Set<Subject>) {
        self.base = base
        self.content = content
        changes = []
        compare(Array(touched))
    }
}

extension SettingsDraft.OpenConflict {
    func isAbout(_ subject: Subject, _ facet: Facet) -> Bool { conflict.subject == subject && conflict.facet == facet }
}

extension SettingsContent {
    /// One item alone.
    func only(_ subject: Subject) -> SettingsContent {
        var settings = SettingsContent()
        settings[subject] = self[subject]
        return settings
    }

    static func only(_ subject: Subject, _ item: Item?) -> SettingsContent {
        var settings = SettingsContent()
        settings[subject] = item
        return settings
    }
}
