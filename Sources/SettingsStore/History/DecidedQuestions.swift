import Git
import SettingsModel

/// What versions of a line decided, under the names that it has at its end.
struct DecidedQuestions {
    var questions: Set<VersionMessage.Question> = []
    var formerNames: [Subject: Subject] = [:]

    var decisions: SettingsContent.Decisions {
        var decisions = SettingsContent.Decisions()
        decisions.subjects = Set(questions.map(\.subject)).union(formerNames.keys)
        decisions.names = Set(questions.filter { $0.facet == .key }.map(\.subject))
        decisions.formerNames = formerNames
        return decisions
    }

    /// By other names, each with what it is here.
    func questions(
        renamed renames: [(old: Subject, new: Subject)]
    ) -> [VersionMessage.Question: VersionMessage.Question] {
        let names = Dictionary(renames.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
        return Dictionary(
            questions.map { (VersionMessage.Question(names[$0.subject] ?? $0.subject, $0.facet), $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension History {
    /// A version that says something about questions, and what was renamed since.
    private struct Speaker {
        var version: Version
        /// After it, and together with what it renamed itself.
        var later: [VersionMessage.Rename]
        var own: [VersionMessage.Rename]

        /// What it names, by the name at the end. A merge tells of its decisions by the names that it gave.
        func last(_ subject: Subject) -> Subject {
            (version.isMerge ? later : own).reduce(subject) { $0.renamed(from: $1.old, to: $1.new) }
        }
    }

    /// What a line of versions decided and did not take back, neither by an undo nor by a revert; what it repeats of earlier
    /// versions counts as well. What a merge of the line asks again is open, and kept by that.
    func decisions(in tip: VersionID?, since bases: [VersionID]) throws(Problem) -> DecidedQuestions {
        var speakers: [Speaker] = []
        var renames: [VersionMessage.Rename] = []
        try eachVersion(from: tip, hiding: bases) { version throws(Problem) in
            let (message, later) = (version.message, renames)
            renames = version.renames + renames
            let named = version.named
            if message.resolves.isEmpty, message.conflicts.isEmpty, named.reverts.isEmpty, !named.isUndoing { return }
            speakers.append(Speaker(version: version, later: later, own: renames))
        }
        var words: [VersionMessage.Question: StandingWords] = [:]
        var removed: [VersionMessage.Question: Set<Subject>] = [:]
        let mayRevert = speakers.contains { !$0.version.named.reverts.isEmpty }
        var known: Set<VersionID> = []
        for speaker in speakers.reversed() {
            let (version, message, named) = (speaker.version, speaker.version.message, speaker.version.named)
            var edited: Set<Subject> = []
            func edit(of question: VersionMessage.Question) throws(Problem) -> StandingWords.Edit {
                if edited.contains(question.subject) { return .question }
                return try versions.isEmpty(version) ? .nothing : .other
            }
            if mayRevert, !versions.isBoundary(version) {
                for change in try versions.changes(of: version).changes {
                    edited.formUnion([change.subject, change.renaming?.old ?? change.subject].map(speaker.last))
                }
            }
            for question in message.conflicts {
                let question = VersionMessage.Question(speaker.last(question.subject), question.facet)
                for (id, _) in words[question]?.standing ?? [:] {
                    let isEarlier = try git(versions.repository.objects.isAncestor(id, of: version.id))
                    if isEarlier { words[question]?.remove(id) }
                }
            }
            for question in words.keys where !named.reverts.isEmpty || named.isUndoing {
                let edit = try edit(of: question)
                words[question]?.take(version, edit)
            }
            for question in message.resolves {
                let last = VersionMessage.Question(speaker.last(question.subject), question.facet)
                words[last, default: StandingWords()].say(version.id, isEdit: edited.contains(last.subject), asks: true)
                for name in try namesRemoved(by: question, in: version) {
                    removed[last, default: []].insert(speaker.last(name))
                }
            }
            known.insert(version.id)
            // What is decided again though that was taken back before this line began.
            guard !named.reverts.isEmpty || !named.redoes.isEmpty else { continue }
            for said in try questions(decidedBy: version) where !said.isTakenBack && !known.contains(said.settler.id) {
                let last = VersionMessage.Question(speaker.last(said.question.subject), said.question.facet)
                words[last, default: StandingWords()]
                    .repeatWord(said.settler.id, by: version.id, isEdit: edited.contains(last.subject))
                for name in try namesRemoved(by: said.question, in: version) {
                    removed[last, default: []].insert(speaker.last(name))
                }
            }
        }
        var decided = DecidedQuestions()
        for (question, words) in words where !words.standing.isEmpty {
            decided.questions.insert(question)
            for name in removed[question] ?? [] { decided.formerNames[name] = question.subject }
        }
        return decided
    }

    /// The other names of what a version removed, or decided to leave removed, where another line had renamed it.
    private func namesRemoved(by question: VersionMessage.Question, in version: Version) throws(Problem) -> [Subject] {
        guard question.facet == .key, !question.subject.isGroup, try !versions.snapshot(version.id).has(question.subject) else {
            return []
        }
        guard let merge = try merge(asking: question, before: version.id) else { return [] }
        return merge.names(of: question).filter { $0 != question.subject }
    }

    /// The newest merge before a version that left a question open.
    private func merge(asking question: VersionMessage.Question, before tip: VersionID) throws(Problem) -> RebuiltMerge? {
        var found: RebuiltMerge?
        try eachMerge(from: tip) { merge throws(Problem) in
            guard found == nil, merge.parents.count == 2, merge.message.conflicts.contains(question), !versions.isBoundary(merge)
            else { return }
            found = try RebuiltMerge(merge, self)
        }
        return found
    }

    /// The entries of a list that a question, which this line decided, was about.
    func entries(decidedAs question: VersionMessage.Question, in tip: VersionID?) throws(Problem) -> ContestedEntries? {
        guard let tip else { return nil }
        return try merge(asking: question, before: tip)?.entries(contestedIn: question)
    }
}
