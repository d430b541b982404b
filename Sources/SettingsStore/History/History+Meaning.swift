import Git
import SettingsModel

extension History {
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
        let settings = try ours.settings(of: subjects)
        let (our, their) = (try side(ours.id, since: bases), try side(theirs.id, since: bases))
        let (base, other) = (try agreed(bases, on: subjects), try theirs.settings(of: subjects))
        var merge = SettingsContent.merge(
            base: base, ours: settings, theirs: other, oursRenames: our.renames, theirsRenames: their.renames)
        let (ourDecisions, theirDecisions) = (
            our.settlesQuestions ? try decisions(in: ours.id, since: bases) : [],
            their.settlesQuestions ? try decisions(in: theirs.id, since: bases) : []
        )
        for question in ourDecisions.union(theirDecisions) {
            let (subject, facet) = (question.subject, question.facet)
            let old = base[subject]?.facets[facet]
            // A side says something about a question where it decided it, or set it otherwise.
            if ourDecisions.contains(question) || settings[subject]?.facets[facet] != old,
                theirDecisions.contains(question) || other[subject]?.facets[facet] != old
            {
                merge.compare(question, base, settings, other)
            }
        }
        return (merge, settings, their.renames)
    }

    /// What the versions of one side of a merge say.
    private struct Side {
        /// The oldest first.
        var renames: [(old: Subject, new: Subject)] = []
        var settlesQuestions = false
    }

    private func side(_ tip: VersionID?, since bases: [VersionID]) throws(Problem) -> Side {
        var side = Side()
        try eachVersion(from: tip, hiding: bases) { version in
            side.renames = version.message.renames.map { ($0.old, $0.new) } + side.renames
            if !version.message.resolves.isEmpty { side.settlesQuestions = true }
        }
        return side
    }

    /// The questions that versions of a line settled, under the names that their subjects have at its end.
    private func decisions(in tip: VersionID?, since bases: [VersionID]) throws(Problem) -> Set<VersionMessage.Question> {
        var decided: Set<VersionMessage.Question> = []
        var renames: [VersionMessage.Rename] = []
        var undone = UndoneVersions()
        try eachVersion(from: tip, hiding: bases) { version throws(Problem) in
            undone.note(try undoing(of: version))
            if !undone.contains(version.id) {
                for var question in version.message.resolves {
                    question.subject = renames.reduce(question.subject) { $0.renamed(from: $1.old, to: $1.new) }
                    decided.insert(question)
                }
            }
            renames = version.message.renames + renames
        }
        return decided
    }

    /// What a merge's parents give by meaning; several, as git's octopus does it, one after the other.
    func meaning(of merge: Version) throws(Problem) -> SettingsContent.Merge {
        let first = merge.parents[0]
        func bases(_ other: VersionID) throws(Problem) -> [VersionID] {
            try git { () throws(GitError) in try versions.repository.objects.mergeBases(of: first, and: other) }
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
        var merged = SettingsContent.Merge(settings: try ours.settings(of: subjects), conflicts: [])
        for other in merge.parents.dropFirst() {
            let bases = try bases(other)
            let step = SettingsContent.merge(
                base: try agreed(bases, on: subjects), ours: merged.settings,
                theirs: try versions.snapshot(other).settings(of: subjects),
                oursRenames: try side(first, since: bases).renames, theirsRenames: try side(other, since: bases).renames)
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
            let earlier = try git { () throws(GitError) in try versions.repository.objects.mergeBases(of: first, and: other) }
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
    fileprivate mutating func compare(
        _ question: VersionMessage.Question, _ base: SettingsContent, _ ours: SettingsContent, _ theirs: SettingsContent
    ) {
        let (subject, facet) = (question.subject, question.facet)
        guard ![.existence, .key, .labels].contains(facet), let item = settings[subject], let our = ours[subject],
            let their = theirs[subject], our.facets[facet] != their.facets[facet],
            !conflicts.contains(where: { $0.subject == subject && [facet, .existence].contains($0.facet) })
        else { return }
        var conflict = Conflict(
            subject, title: item.title ?? "", facet: facet, base: base[subject]?.facets[facet], ours: our.facets[facet],
            theirs: their.facets[facet])
        conflict.noteRemovedLabels(of: [base[subject], our, their], in: item)
        settings.take(conflict.base, for: conflict)
        conflicts.append(conflict)
        ask(about: subject, base: base[subject], ours: our, theirs: their)
    }
}
