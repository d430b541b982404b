import Git
import SettingsModel

extension History {
    /// Groups that hold options besides `subjects`, which are the same on all sides; of those whose file a side lacks.
    private func populated(
        _ ours: Snapshot, _ sides: [Snapshot], besides subjects: Set<Subject>
    ) throws(Problem) -> Set<Key> {
        var groups: Set<Subject> = []
        for subject in subjects where subject.isGroup {
            for side in sides where try !side.has(subject) { groups.insert(subject) }
        }
        return try ours.populated(groups, besides: subjects)
    }

    /// What two lines of versions give together, with our side of it and what theirs renamed.
    func meaning(
        of ours: Snapshot, and theirs: Snapshot, since bases: [VersionID]
    ) throws(Problem) -> (merge: SettingsContent.Merge, ours: SettingsContent, theirsRenames: [(old: Subject, new: Subject)]) {
        var subjects: Set<Subject> = []
        for base in try bases.isEmpty ? [versions.snapshot(nil)] : bases.map({ id throws(Problem) in try versions.snapshot(id) })
        {
            subjects.formUnion(try versions.subjectsDiffering(from: base, to: ours))
            subjects.formUnion(try versions.subjectsDiffering(from: base, to: theirs))
        }
        let populated = try populated(ours, [ours, theirs], besides: subjects)
        let settings = try ours.settings(of: subjects)
        let (our, their) = (try side(ours.id, since: bases), try side(theirs.id, since: bases))
        let (base, other) = (try agreed(bases, on: subjects), try theirs.settings(of: subjects))
        var decided = (
            ours: our.settlesQuestions ? try decisions(in: ours.id, since: bases) : DecidedQuestions(),
            theirs: their.settlesQuestions ? try decisions(in: theirs.id, since: bases) : DecidedQuestions()
        )
        // One line confirmed what the other, which didn't know of that, reverted for want of it: both say something about it.
        let confirmed = try (
            confirmed(our.confirmed.intersection(their.unconfirmed), at: ours),
            confirmed(their.confirmed.intersection(our.unconfirmed), at: theirs)
        )
        decided.ours.questions.formUnion(confirmed.0)
        decided.theirs.questions.formUnion(confirmed.1)
        var merge = SettingsContent.merge(
            base: base, ours: settings, theirs: other, oursRenames: our.renames, theirsRenames: their.renames,
            populated: populated, decisions: (decided.ours.decisions, decided.theirs.decisions))
        // By the names of the result.
        let ourQuestions = decided.ours.questions(renamed: merge.renames)
        let theirQuestions = decided.theirs.questions(renamed: merge.theirsRenames)
        for question in Set(ourQuestions.keys).union(theirQuestions.keys)
            .sorted(by: { ($0.subject, $0.facet) < ($1.subject, $1.facet) })
        {
            let facet = question.facet
            guard let sides = merge.sides[question.subject] else { continue }
            let old = sides.base?.facets[facet]
            let (here, there) = (ourQuestions[question], theirQuestions[question])
            // A side says something about a question where it decided it, or set it otherwise.
            if here != nil || sides.ours?.facets[facet] != old, there != nil || sides.theirs?.facets[facet] != old {
                var contested: ContestedEntries?
                if facet == .labels, let own = here ?? there {
                    contested = try entries(decidedAs: own, in: here == nil ? theirs.id : ours.id)
                }
                merge.compare(question, sides, contested: contested)
            }
        }
        // What a side has only because a merge left it in force takes nobody's choice back.
        for conflict in merge.conflicts where ![.key, .existence].contains(conflict.facet) {
            let question = VersionMessage.Question(conflict.subject, conflict.facet)
            guard our.asked.contains(question) || their.asked.contains(question) else { continue }
            switch try choice(about: question, in: ours, since: bases) {
            case .informed where try choice(about: question, in: theirs, since: bases) == .none:
                merge.decide(question, for: .ours)
            case .none where try choice(about: question, in: theirs, since: bases) == .informed:
                merge.decide(question, for: .theirs)
            default: break
            }
        }
        return (merge, settings, their.renames)
    }

    /// What the versions of one side of a merge say.
    private struct Side {
        /// The oldest first.
        var renames: [(old: Subject, new: Subject)] = []
        var settlesQuestions = false
        /// What its merges left open.
        var asked: Set<VersionMessage.Question> = []
        /// Versions that had to be confirmed: those that it confirmed, and those that it reverted.
        var (confirmed, unconfirmed): (Set<VersionID>, Set<VersionID>) = ([], [])
    }

    private func side(_ tip: VersionID?, since bases: [VersionID]) throws(Problem) -> Side {
        var side = Side()
        try eachVersion(from: tip, hiding: bases) { version in
            side.renames = version.renames.map { ($0.old, $0.new) } + side.renames
            let message = version.message
            if !message.resolves.isEmpty { side.settlesQuestions = true }
            side.asked.formUnion(version.message.conflicts)
            if !version.message.settlesConfirmation { return }
            side.confirmed.formUnion(version.named.confirms.compactMap(\.id))
            side.unconfirmed.formUnion(version.named.unconfirmed.compactMap(\.id))
        }
        return side
    }

    /// What versions that were confirmed had changed, under the names that it has in a later one.
    func confirmed(_ ids: Set<VersionID>, at tip: Snapshot) throws(Problem) -> Set<VersionMessage.Question> {
        var questions: Set<VersionMessage.Question> = []
        for id in ids {
            let names = try renames(from: id, to: tip)
            for change in try versions.changes(of: try versions.version(id)).changes where change.renaming == nil {
                questions.insert(VersionMessage.Question(names[change.subject] ?? change.subject, change.facet))
            }
        }
        return questions
    }

    /// What a line of versions says about a question.
    private enum Choice {
        /// Nothing: what it has is what merges left in force.
        case none
        /// Somebody may have chosen something.
        case perhaps
        /// Somebody who knew everything that both lines have in common chose what it has.
        case informed
    }

    private func choice(
        about question: VersionMessage.Question, in tip: Snapshot, since bases: [VersionID]
    ) throws(Problem) -> Choice {
        var subject = question.subject
        var choice = Choice.none
        var last: Version?
        var undone = UndoneVersions()
        try eachVersion(from: tip.id, hiding: bases) { version throws(Problem) in
            undone.note(version)
            let here = VersionMessage.Question(subject, question.facet)
            var isChosen = version.message.resolves.contains(here)
            if !isChosen, !version.message.conflicts.contains(here) {
                isChosen = try versions.changes(of: version).changes.contains {
                    $0.subject == subject && [question.facet, .existence].contains($0.facet)
                }
            }
            if isChosen {
                choice = .perhaps
                // A merge may only have brought it in; what was taken back is nobody's choice any more.
                let isOwn = !version.isMerge || version.message.resolves.contains(here)
                let isNew = !version.named.isUndoing && version.named.reverts.isEmpty
                if isOwn, isNew, !undone.contains(version.id) { last = last ?? version }
            }
            for rename in version.renames.reversed() { subject = subject.renamed(from: rename.new, to: rename.old) }
        }
        guard let last, subject == question.subject else { return choice }
        for base in bases {
            guard try git(versions.repository.objects.isAncestor(base, of: last.id)) else { return choice }
        }
        let chosen = try versions.snapshot(last.id).readable(subject)?.facets[question.facet]
        return Change.Content.isSame(chosen, try tip.readable(subject)?.facets[question.facet]) ? .informed : choice
    }

    /// What a merge's parents give by meaning; several, as git's octopus does it, one after the other.
    func meaning(of merge: Version) throws(Problem) -> SettingsContent.Merge {
        let first = merge.parents[0]
        func bases(_ other: VersionID) throws(Problem) -> [VersionID] {
            try git(versions.repository.objects.mergeBases(of: first, and: other))
        }
        let second = merge.parents[1]
        guard merge.parents.count > 2 else {
            return try meaning(of: try versions.snapshot(first), and: try versions.snapshot(second), since: try bases(second))
                .merge
        }
        let ours = try versions.snapshot(first)
        var subjects: Set<Subject> = []
        for other in merge.parents.dropFirst() {
            for base in try bases(other) {
                let base = try versions.snapshot(base)
                subjects.formUnion(try versions.subjectsDiffering(from: base, to: ours))
                subjects.formUnion(try versions.subjectsDiffering(from: base, to: try versions.snapshot(other)))
            }
        }
        let others = try merge.parents.dropFirst().map { id throws(Problem) in try versions.snapshot(id) }
        let populated = try populated(ours, [ours] + others, besides: subjects)
        var merged = SettingsContent.Merge(settings: try ours.settings(of: subjects), conflicts: [])
        for other in merge.parents.dropFirst() {
            let bases = try bases(other)
            let step = SettingsContent.merge(
                base: try agreed(bases, on: subjects), ours: merged.settings,
                theirs: try versions.snapshot(other).settings(of: subjects),
                oursRenames: try side(first, since: bases).renames, theirsRenames: try side(other, since: bases).renames,
                populated: populated)
            merged.conflicts += step.conflicts
            merged.settings = step.settings
        }
        return merged
    }

    /// What both sides last agreed on; where they did so several times, those brought together.
    func agreed(_ bases: [VersionID], on subjects: Set<Subject>, depth: Int = 0) throws(Problem) -> SettingsContent {
        guard let first = bases.first else { return SettingsContent() }
        var agreed = try versions.snapshot(first).settings(of: subjects)
        guard depth < 8 else { return agreed }
        for other in bases.dropFirst() {
            let earlier = try git(versions.repository.objects.mergeBases(of: first, and: other))
            agreed =
                SettingsContent.merge(
                    base: try self.agreed(earlier, on: subjects, depth: depth + 1), ours: agreed,
                    theirs: try versions.snapshot(other).settings(of: subjects),
                    oursRenames: try side(first, since: earlier).renames,
                    theirsRenames: try side(other, since: earlier).renames
                ).settings
        }
        return agreed
    }
}

extension SettingsContent.Merge {
    /// Both sides decided a question, each for itself, or one set otherwise what the other decided. Where one decided for what
    /// had been in force all the time, its files don't show that.
    fileprivate mutating func compare(_ question: VersionMessage.Question, _ sides: Sides, contested: ContestedEntries?) {
        let (subject, facet) = (question.subject, question.facet)
        guard ![.existence, .key].contains(facet), let item = settings[subject], let our = sides.ours,
            let their = sides.theirs, our.facets[facet] != their.facets[facet],
            !conflicts.contains(where: { $0.subject == subject && [facet, .existence].contains($0.facet) })
        else { return }
        var conflict = Conflict(
            subject, title: item.title ?? "", facet: facet, base: sides.base?.facets[facet], ours: our.facets[facet],
            theirs: their.facets[facet])
        if facet == .labels, !conflict.narrow(to: contested) { return }
        conflict.noteRemovedLabels(of: [sides.base, our, their], in: item)
        settings.take(conflict.base, for: conflict)
        conflicts.append(conflict)
        ask(about: subject, base: sides.base, ours: our, theirs: their)
    }

    /// Puts what a side decided in force. Where that doesn't fit the rest it stays in conflict.
    fileprivate mutating func decide(_ question: VersionMessage.Question, for side: InForce) {
        guard let place = place(of: question.subject, question.facet) else { return }
        let earlier = settings[question.subject]
        settings.take(conflicts[place].content(of: side), for: conflicts[place])
        guard faults(of: question.subject).isEmpty else {
            settings[question.subject] = earlier
            return
        }
        conflicts.remove(at: place)
    }
}
