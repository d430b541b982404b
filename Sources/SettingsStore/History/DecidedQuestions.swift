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
            subject.renamed(by: version.isMerge ? later : own)
        }

        /// The same of a name that it gave.
        func lastGiven(_ subject: Subject) -> Subject { subject.renamed(by: later) }
    }

    /// What a line of versions decided, as long as none of them left it open again.
    func decisions(in tip: VersionID?, since bases: [VersionID]) throws(Problem) -> DecidedQuestions {
        var speakers: [Speaker] = []
        var renames: [VersionMessage.Rename] = []
        try eachVersion(from: tip, hiding: bases) { version in
            let later = renames
            renames = version.renames + renames
            if version.message.resolves.isEmpty, version.message.conflicts.isEmpty { return }
            speakers.append(Speaker(version: version, later: later, own: renames))
        }
        var decided = DecidedQuestions()
        var removed: [VersionMessage.Question: Set<Subject>] = [:]
        for speaker in speakers.reversed() {
            for question in speaker.version.message.resolves {
                let last = VersionMessage.Question(speaker.last(question.subject), question.facet)
                decided.questions.insert(last)
                removed[last] = Set(try namesRemoved(by: question, in: speaker.version).map(speaker.last))
            }
            for question in speaker.version.message.conflicts {
                decided.questions.remove(VersionMessage.Question(speaker.lastGiven(question.subject), question.facet))
            }
        }
        for question in decided.questions {
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
