extension SettingsContent {
    /// What the versions of one side of a merge decided, under the names that things have there. No file shows a decision for
    /// what was so already.
    package struct Decisions: Sendable {
        /// Those about which something was decided: that they are there, or that they are not.
        package var subjects: Set<Subject> = []
        /// Those whose name was decided.
        package var names: Set<Subject> = []
        /// What was removed, by another name that it had, as this side called it.
        package var formerNames: [Subject: Subject] = [:]

        package init() {}
    }
}

extension SettingsContent.Merge {
    /// `result`: what a name of ours (0) or theirs (1) is in the result.
    mutating func note(
        _ decisions: (ours: SettingsContent.Decisions, theirs: SettingsContent.Decisions), _ result: (Subject, Int) -> Subject
    ) {
        decided.ours = Set(decisions.ours.subjects.map { result($0, 0) })
        decided.theirs = Set(decisions.theirs.subjects.map { result($0, 1) })
        for (side, names) in [decisions.ours.formerNames, decisions.theirs.formerNames].enumerated() {
            for (name, former) in names { formerNames[result(name, side)] = former }
        }
    }

    func isDecided(_ subject: Subject) -> Bool { decided.ours.contains(subject) || decided.theirs.contains(subject) }

    /// Whether one side decided that an item is there, or that it isn't, and the other one removed it or put it back.
    func contradictsDecision(_ subject: Subject, _ sides: Sides) -> Bool {
        guard (sides.ours == nil) != (sides.theirs == nil) else { return false }
        let isUnchangedByUs = (sides.ours == nil) == (sides.base == nil)
        guard (isUnchangedByUs ? decided.ours : decided.theirs).contains(subject) else { return false }
        // A group needs no file to be there.
        return !subject.isGroup || !holds(subject)
    }
}
