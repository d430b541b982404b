package import SettingsModel

/// A question that a merge left open.
package struct OpenQuestion: Hashable, Sendable {
    package var conflict: Conflict
    /// The versions that last changed the sides.
    package var origin: ConflictOrigin
    package var merge: Version
    /// What is in force until somebody settles it.
    package var inForce: Change.Content?
    /// The whole of what it is about, as each side has it.
    package var sides: [SettingsDraft.Pick: SettingsContent.Item] = [:]
    /// What the merge left of that.
    package var merged: SettingsContent.Item?
    /// The other facets that the merge left open, and that somebody has decided since.
    package var decided: Set<Facet> = []

    package init(
        _ conflict: Conflict, origin: ConflictOrigin, merge: Version, inForce: Change.Content?,
        sides: [SettingsDraft.Pick: SettingsContent.Item] = [:], merged: SettingsContent.Item? = nil, decided: Set<Facet> = []
    ) {
        self.conflict = conflict
        self.origin = origin
        self.merge = merge
        self.inForce = inForce
        self.sides = sides
        self.merged = merged
        self.decided = decided
    }

    package var id: VersionMessage.Question { VersionMessage.Question(conflict.subject, conflict.facet) }

    func side(_ pick: SettingsDraft.Pick) -> Change.Content? { conflict.side(pick) }

    /// Who made a side.
    func version(_ pick: SettingsDraft.Pick) -> Version? {
        switch pick {
        case .yours: origin.ours
        case .theirs: origin.theirs
        case .before: nil
        }
    }
}

/// The questions that merges left open.
package struct OpenQuestions: Hashable, Sendable {
    /// Whether somebody has looked for them since the store changed.
    package var isKnown = false
    package var open: [OpenQuestion] = []
    /// What git left in conflict in the files.
    package var texts: [Conflict] = []

    package init() {}

    package init(_ open: [OpenQuestion], texts: [Conflict]) {
        isKnown = true
        self.open = open
        self.texts = texts
    }

    var count: Int { open.count + texts.count }
}

extension Conflict {
    /// A side of a question of a merge; `yours` is our side.
    func side(_ pick: SettingsDraft.Pick) -> Change.Content? {
        switch pick {
        case .yours: ours
        case .theirs: theirs
        case .before: base
        }
    }
}

extension SettingsDraft {
    /// Answers a question of a merge with one of its sides. The reason why that side can't be had; nil if it can.
    mutating func answer(_ open: OpenQuestion, _ pick: Pick) -> String? {
        let (conflict, question) = (open.conflict, open.id)
        let content = taking(pick, of: open)
        if let fault = faults(in: content[conflict.subject], for: open).first { return fault.reason }
        if answers[question] == pick, content[conflict.subject] == self.content[conflict.subject] {
            return "this side is already chosen"
        }
        let edit = PickEdit(
            subject: conflict.subject, facet: conflict.facet, before: answers[question], after: pick, isAnswer: true)
        apply([(conflict.subject, content[conflict.subject])], picks: [edit])
        return nil
    }

    /// Whether the draft still has what the answer to a question gave it.
    func stands(_ pick: Pick, for question: OpenQuestion) -> Bool {
        taking(pick, of: question)[question.conflict.subject] == content[question.conflict.subject]
    }

    /// What is wrong with an option, with a default that doesn't fit its bounds only if none of the sides is like that.
    private func faults(in item: SettingsContent.Item?, for question: OpenQuestion) -> [SettingsOption.Fault] {
        let states = SettingsDraft.Pick.allCases.map { question.sides[$0] } + [content[question.conflict.subject]]
        return item?.option?.faults(comparedWith: states.compactMap { $0?.option }) ?? []
    }

    private func taking(_ pick: Pick, of question: OpenQuestion) -> SettingsContent {
        let conflict = question.conflict
        var content = content
        // A name is changed by whoever records it: a draft has no renames.
        if conflict.facet == .key { return content }
        content.take(
            conflict.side(pick), for: conflict, since: question.merged, of: SettingsDraft.Pick.allCases.map { question.sides[$0] }
        )
        // Where a side does not fit what it meets, all of that side that has to do with it counts, except for what was decided on
        // its own, where that fits.
        if !faults(in: content[conflict.subject], for: question).isEmpty, let side = question.sides[pick] {
            let before = self.content[conflict.subject]
            content[conflict.subject]?.takeDependentFacets(of: side, keeping: question.decided, of: before) {
                faults(in: $0, for: question).isEmpty
            }
        }
        return content
    }
}

extension Scene {
    /// The questions that the draft settles.
    package var settled: [(question: OpenQuestion, pick: SettingsDraft.Pick)] {
        facts.questions.open.compactMap { question in
            guard let pick = draft.answers[question.id], draft.stands(pick, for: question) else { return nil }
            return (question, pick)
        }
    }

    /// The questions about an option or a group that nobody has settled.
    func openQuestions(of subject: Subject) -> [OpenQuestion] {
        facts.questions.open.filter { question in
            guard question.conflict.subject == subject else { return false }
            return draft.answers[question.id].map { !draft.stands($0, for: question) } ?? true
        }
    }

    /// How many questions nobody has settled.
    var openQuestionCount: Int { facts.questions.count - settled.count }

    /// Those that are settled without a change.
    var settledAsTheyAre: [(question: OpenQuestion, pick: SettingsDraft.Pick)] {
        settled.filter { settled in
            !draft.changes.contains {
                $0.subject == settled.question.conflict.subject && $0.facet == settled.question.conflict.facet
            }
        }
    }

    /// How many changes and answers Done records.
    var recordableCount: Int { draft.changes.count + settledAsTheyAre.count }
}

extension Editor {
    mutating func heard(_ questions: OpenQuestions) {
        scene.facts.questions = questions
        pages.expire()
        refresh()
    }

    mutating func answer(_ question: OpenQuestion, _ pick: SettingsDraft.Pick) {
        if case .option(let key) = question.conflict.subject, scene.content.options[key] != nil,
            let reason = scene.refusal(for: key)
        {
            return refuse(reason, .badData)
        }
        if let reason = scene.draft.answer(question, pick) { return refuse(reason, .badData) }
        report(.changed("\(question.conflict.title): \(scene.wording.words(pick, of: question))"))
    }
}
