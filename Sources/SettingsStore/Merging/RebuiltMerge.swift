import Git
import SettingsModel

/// A merge in the history, worked out again from what it brought together.
struct RebuiltMerge {
    /// Several where the branches had been merged crosswise; the content of the first one stands for all.
    let bases: [VersionID]
    let base: Snapshot
    let ours: Snapshot
    let theirs: Snapshot
    let meaning: SettingsContent.Merge
    /// Its conflicts under the names that it left in force.
    let known: [Conflict]
    private let questions: [VersionMessage.Question]
    private let places: [VersionMessage.Question: Int]

    /// A merge of two versions.
    init(_ merge: Version, _ history: History) throws(Problem) {
        let versions = history.versions
        questions = merge.message.conflicts
        bases = try git(versions.repository.objects.mergeBases(of: merge.parents[0], and: merge.parents[1]))
        base = try versions.snapshot(bases.first)
        ours = try versions.snapshot(merge.parents[0])
        theirs = try versions.snapshot(merge.parents[1])
        meaning = try history.meaning(of: ours, and: theirs, since: bases).merge
        var known = meaning.conflicts
        for (name, inForce) in Self.namesInForce(known, questions) {
            for place in known.indices { known[place].subject = known[place].subject.renamed(from: name, to: inForce) }
        }
        self.known = known
        places = Dictionary(
            zip(known.map { VersionMessage.Question($0.subject, $0.facet) }, known.indices),
            uniquingKeysWith: { first, _ in first })
    }

    /// Where the conflict of one of its questions is among `known`; nil for one that is not found again.
    func place(of question: VersionMessage.Question) -> Int? { places[question] }

    /// The entries of a list that one of its questions is about.
    func entries(contestedIn question: VersionMessage.Question) -> ContestedEntries? {
        place(of: question).flatMap { known[$0].contestedEntries }
    }

    /// What its sides call what one of its questions is about.
    func names(of question: VersionMessage.Question) -> [Subject] {
        guard let conflict = place(of: question).map({ meaning.conflicts[$0] }) else { return [] }
        return [conflict.ours, conflict.theirs].compactMap { conflict.subject.named($0) }
    }

    /// What its questions are about, under every name that it had.
    var subjects: Set<Subject> {
        var subjects = Set(questions.map(\.subject))
        for place in questions.compactMap(place) {
            let conflict = meaning.conflicts[place]
            subjects.insert(conflict.subject)
            subjects.formUnion([conflict.ours, conflict.theirs].compactMap { conflict.subject.named($0) })
        }
        return subjects
    }

    /// What has the name that one side gave it in a merge that asks about that: by the name that both sides last agreed on.
    private static func namesInForce(
        _ known: [Conflict], _ questions: [VersionMessage.Question]
    ) -> [(agreed: Subject, inForce: Subject)] {
        var renames: [(agreed: Subject, inForce: Subject)] = []
        // A group comes before what is in it.
        for conflict in known where conflict.facet == .key {
            func inForce(_ name: Subject) -> Subject { renames.reduce(name) { $0.renamed(from: $1.agreed, to: $1.inForce) } }
            let subject = inForce(conflict.subject)
            if questions.contains(VersionMessage.Question(subject, .key)) { continue }
            let names = [conflict.ours, conflict.theirs].compactMap { conflict.subject.named($0).map(inForce) }
            guard let name = names.first(where: { questions.contains(VersionMessage.Question($0, .key)) }) else { continue }
            renames.append((subject, name))
        }
        return renames
    }
}
