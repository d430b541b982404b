package import SettingsModel

/// How somebody settles a question.
package enum ConflictAnswer: Hashable, Sendable {
    case ours, theirs
    /// What it was before both.
    case base
    /// A VALUE.
    case word(String)
}

/// A question, by what it is about, and how it is settled.
package struct Settlement: Hashable, Sendable {
    package var subject: Subject
    package var facet: Facet
    package var answer: ConflictAnswer

    package init(_ subject: Subject, _ facet: Facet, _ answer: ConflictAnswer) {
        self.subject = subject
        self.facet = facet
        self.answer = answer
    }
}

extension Merging {
    /// Settles the open questions about `key`, or the one about its `facet`. A word settles the one about what was chosen.
    package func resolve(_ key: Key, _ facet: Facet?, _ answer: ConflictAnswer, _ done: Done) throws(Problem) -> Outcome {
        try recorder.record(done) { tip throws(Problem) in
            // Of several merges that left the same open the newest one asks; what it decides settles the others.
            var asked: Set<VersionMessage.Question> = []
            let ofKey = try self.openConflicts().filter {
                $0.conflict.subject.key == key
                    && asked.insert(VersionMessage.Question($0.conflict.subject, $0.conflict.facet)).inserted
            }
            let open = ofKey.filter { facet == nil || $0.conflict.facet == facet }
            guard let question = open.first else {
                throw .merge(.noQuestion(key, facet, open: ofKey.map(\.conflict.facet)))
            }
            guard case .word = answer else {
                return try self.edit(settling: open.map { ($0, answer) }, with: [], at: tip)
            }
            // A VALUE decides what was chosen, if that is open.
            let chosen = open.first { $0.conflict.facet == .value } ?? open.first { $0.conflict.facet == .default }
            guard let asked = chosen ?? (Set(open.map(\.conflict.facet)).count == 1 ? question : nil) else {
                throw .merge(.severalQuestions(key, open.map(\.conflict.facet)))
            }
            return try self.edit(settling: [(asked, answer)], with: [], at: tip)
        }
    }

    /// Settles open questions, and records other changes with that. A change of what a question is about counts instead of the
    /// answer's own.
    func settle(_ settlements: [Settlement], with changes: [Change], _ done: Done) throws(Problem) -> Outcome {
        try recorder.record(done) { tip throws(Problem) in
            let open = try self.openConflicts()
            var questions: [(open: OpenConflict, answer: ConflictAnswer)] = []
            for settlement in settlements {
                guard
                    let question = open.first(where: {
                        $0.conflict.subject == settlement.subject && $0.conflict.facet == settlement.facet
                    })
                else { throw .merge(.noQuestion(settlement.subject.key)) }
                questions.append((question, settlement.answer))
            }
            return try self.edit(settling: questions, with: changes, at: tip)
        }
    }

    private func edit(
        settling questions: [(open: OpenConflict, answer: ConflictAnswer)], with changes: [Change], at tip: Snapshot
    ) throws(Problem) -> Edit {
        for (conflict, answer) in questions.map({ ($0.open.conflict, $0.answer) }) where !conflict.hasSides {
            // What takes no VALUE can still be kept.
            if answer.side == nil || answer.side == .ours && !conflict.takesValue { continue }
            throw .merge(.sidesAreGone(conflict.subject.key, conflict.facet))
        }
        var edit = try tip.edit(recording: changes)
        let withSides = questions.filter { $0.open.conflict.hasSides || $0.answer.side == nil }
        for (subject, questions) in Dictionary(grouping: withSides, by: \.open.conflict.subject).sorted(by: { $0.key < $1.key }) {
            for change in try settling(questions, of: subject, at: tip)
            where !edit.changes.contains(where: { $0.subject == change.subject && $0.facet == change.facet }) {
                edit.changes.append(change)
            }
        }
        for (conflict, answer) in questions.map({ ($0.open.conflict, $0.answer) }) {
            if conflict.facet != .key || answer != .ours && answer != .theirs { edit.touched.insert(conflict.subject) }
            edit.resolves.append(VersionMessage.Question(conflict.subject, conflict.facet))
        }
        let kept = edit.resolves.filter { question in
            !edit.changes.contains { change in
                [change.subject, change.renaming?.old].contains(question.subject)
                    && [question.facet, .existence].contains(change.facet)
            }
        }
        try edit.tell(kept.map { question throws(Problem) in Decision(question, try tip.readable(question.subject), over: []) })
        return edit
    }

    /// What settling questions about one subject changes. Together they have to leave it valid.
    private func settling(
        _ questions: [(open: OpenConflict, answer: ConflictAnswer)], of subject: Subject, at tip: Snapshot
    ) throws(Problem) -> [Change] {
        // Labels before what is chosen from them; names last, for the others go by the old ones.
        func rank(_ conflict: Conflict) -> Int { conflict.facet == .labels ? 0 : conflict.facet == .key ? 2 : 1 }
        let questions = questions.sorted { rank($0.open.conflict) < rank($1.open.conflict) }
        let isThere = subject.isGroup ? true : try tip.item(subject) != nil
        var renames: [(old: Subject, new: Subject)] = []
        for (open, answer) in questions where open.conflict.facet == .key {
            guard let new = subject.named(answer.content(of: open.conflict)) else { continue }
            if !isThere { return try bringingBack(answer.item(of: open), as: new, by: (open, answer), at: tip) }
            if new != subject { renames.append((subject, new)) }
        }
        var subjects: Set<Subject> = [subject]
        for new in renames.map(\.new) {
            subjects.insert(new)
            guard subject.isGroup else { continue }
            subjects.formUnion(try tip.subjects(in: subject.key))
            subjects.formUnion(try tip.subjects(in: new.key))
        }
        var before = try tip.settings(of: subjects)
        for rename in renames where !before.canRename(rename.old, to: rename.new) {
            throw .merge(.nameIsTaken(rename.new.key, by: rename.old.key, asked: true))
        }
        var after = before
        for (open, answer) in questions {
            let conflict = open.conflict
            guard case .word(let word) = answer else {
                let sides = [open.sides.ours, open.sides.theirs, open.sides.base]
                after.take(answer.content(of: conflict), for: conflict, since: open.merged, of: sides)
                continue
            }
            guard case .option(let key) = subject, var option = after.options[key], conflict.takesValue else {
                throw .merge(.takesNoValue(conflict.facet))
            }
            do {
                let value = try option.value(for: .word(word))
                if conflict.facet == .value { option.value = value } else { option.defaultValue = value }
            } catch {
                throw .value(.refused(key, error))
            }
            after.options[key] = option
            after.dropLabel(keptFor: conflict)
        }
        let last = renames.last?.new ?? subject
        let states = questions.flatMap { [$0.open.sides.base, $0.open.sides.ours, $0.open.sides.theirs] } + [before[subject]]
        func faults(_ item: SettingsContent.Item?) -> [SettingsOption.Fault] {
            item?.option?.faults(comparedWith: states.compactMap { $0?.option }) ?? []
        }
        // What was changed since does not fit a side: all of that side that has to do with it counts, except for what was decided
        // on its own, where that fits.
        if !faults(after[last]).isEmpty,
            let side = questions.lazy.compactMap({ $0.answer.item(of: $0.open) }).first
        {
            let decided = questions.reduce(into: Set<Facet>()) { $0.formUnion($1.open.decided) }
            after[last]?.takeDependentFacets(of: side, keeping: decided, of: before[subject]) { faults($0).isEmpty }
        }
        if let problem = faults(after[last]).first {
            throw .value(.unfitting(subject.key, problem, in: .question))
        }
        for question in questions.prefix(1) { try settleGroups(around: subject, by: question, &before, &after, at: tip) }
        return after.changes(since: before, renames: renames)
    }

    /// The groups that a side removed come back with an option that comes back, and go with the last one.
    private func settleGroups(
        around subject: Subject, by question: (open: OpenConflict, answer: ConflictAnswer), _ before: inout SettingsContent,
        _ after: inout SettingsContent, at tip: Snapshot
    ) throws(Problem) {
        let merge = question.open.merge
        guard case .option(let key) = subject, (before[subject] == nil) != (after[subject] == nil),
            question.answer == .ours || question.answer == .theirs
        else { return }
        let (left, side) = (
            try versions.snapshot(merge.id), try versions.snapshot(merge.parents[question.answer == .ours ? 0 : 1])
        )
        for group in sequence(first: key.group, next: { $0.group }).prefix(while: { !$0.isRoot }) {
            let group = Subject.group(group)
            if merge.message.conflicts.contains(VersionMessage.Question(group, .existence)) { continue }
            let (here, there) = (try tip.readable(group), try side.readable(group))
            guard (here == nil) != (there == nil) else { continue }
            let others = try tip.subjects(in: group.key).filter { $0 != group && $0 != subject }
            if after[subject] == nil {
                guard there == nil, !others.contains(where: { !$0.isGroup }), try left.readable(group) == here else { continue }
            } else if there == nil {
                continue
            }
            before[group] = here
            after[group] = there?.ordering(only: others + [subject], in: group.key)
        }
    }

    /// The changes that put an item, whose removal was in force, back under the name that a side gave it.
    private func bringingBack(
        _ item: SettingsContent.Item?, as subject: Subject, by question: (open: OpenConflict, answer: ConflictAnswer),
        at tip: Snapshot
    ) throws(Problem) -> [Change] {
        var before = try tip.settings(of: [subject])
        guard before[subject] == nil else { throw .merge(.nameIsTaken(subject.key, by: subject.key, asked: true)) }
        var after = before
        after[subject] = item
        try settleGroups(around: subject, by: question, &before, &after, at: tip)
        return after.changes(since: before)
    }
}

extension Edit {
    /// Says what an edit decides for that is in force already. One that changes nothing is recorded for that.
    mutating func tell(_ decisions: [Decision]) {
        let sentences = decisions.map { Wording().sentence($0, name: $0.subject.key.description).plain }
        if !changes.isEmpty || sentences.count > 1 { details = sentences }
        guard changes.isEmpty, let first = sentences.first else { return }
        subject = first + (sentences.count > 1 ? ", and \(sentences.count - 1) more" : "")
        isRecordedAnyway = true
    }
}

extension ConflictAnswer {
    /// The side that it takes; nil for a word.
    var side: MergeWish.InForce? {
        switch self {
        case .ours: .ours
        case .theirs: .theirs
        case .base: .agreed
        case .word: nil
        }
    }

    fileprivate func item(of open: OpenConflict) -> SettingsContent.Item? {
        switch side {
        case .ours?: open.sides.ours
        case .theirs?: open.sides.theirs
        case .agreed?: open.sides.base
        case nil: nil
        }
    }

    fileprivate func content(of conflict: Conflict) -> Change.Content? { side.flatMap(conflict.content(of:)) }
}
