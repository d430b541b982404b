import Git
import SettingsModel

/// Where facets come from, version by version, on the way back through a history.
struct ChoiceWalk {
    typealias Thread = History.Thread

    let history: History
    private var undone = UndoneVersions()
    private var returns: Returns

    init(history: History) {
        self.history = history
        returns = Returns(history)
    }

    private var versions: Versions { history.versions }

    /// A version that facets come through.
    private struct Passage {
        let step: HistoryWalk.Step
        /// Nil where it says nothing but what its files say.
        let version: Version?
        let parents: [Snapshot]
        var renames: [VersionMessage.Rename] = []
        let decided: [VersionMessage.Question]
    }

    /// Takes those out of `threads` that a version touches, where the index has the files of before: whether each comes from
    /// earlier, as it was there. Nil where the trees must be asked, or what the version says; then none is taken.
    func take(_ touched: [Touched], from threads: Threads, at commit: CommitHeader) -> [(Thread, isEarlier: Bool)]? {
        guard !commit.isSaying, commit.parents.count == 1 else { return nil }
        if commit.mayRename, touched.contains(where: { $0.before == HistoryContent.none }) { return nil }
        var options: [SettingsOption?] = []
        for touch in touched {
            var option: SettingsOption?
            if touch.before != HistoryContent.none {
                guard touch.before != HistoryContent.unknown,
                    let item = try? versions.read(touch.before, .blob, .option(touch.key), in: nil, acceptingAnyValue: true)
                else { return nil }
                option = item.option
            }
            options.append(option)
        }
        var taken: [(Thread, isEarlier: Bool)] = []
        for (touch, option) in zip(touched, options) {
            for thread in threads.remove(touch.key) {
                var earlier = thread
                if let option { earlier.option = option }
                let isEarlier = thread.isSame(in: option)
                taken.append((isEarlier ? earlier : thread, isEarlier))
            }
        }
        return taken
    }

    /// Takes out of `threads` those about which a version says anything: where each came from, an earlier version, or nil
    /// where this one made it so. The others are as its first parent has them. `known`: the options that differ there,
    /// where the index says it.
    mutating func follow(
        _ threads: Threads, through step: HistoryWalk.Step, _ known: [Touched]?
    ) throws(Problem) -> [(Thread, CommitHeader?)] {
        let new = Snapshot(versions: versions, commit: step.commit)
        let parents = step.parents.map { Snapshot(versions: versions, commit: $0) }
        let version = step.commit.isSaying ? try versions.version(step.commit.id) : nil
        var passage = Passage(
            step: step, version: version, parents: parents, decided: try decided(by: version, step, known))
        // Also what stays as it is: where somebody decided, or where what is taken back had changed it and changed it back.
        var others = passage.decided.map(\.subject)
        if let version {
            others += try versions.returnedSubjects(version) + version.saidDecisions.map(\.question.subject)
        }
        var touched: [Thread] = []
        var sets: [Set<Subject>] = []
        if let first = parents.first {
            // What the index says of a merge is what it decided, too.
            let differing = step.isMerge ? nil : known?.map { Subject.option($0.key) }
            let subjects = if let differing { differing } else { try versions.subjectsDiffering(from: first, to: new) }
            for case .option(let key) in subjects + others { touched += threads.remove(key) }
            if touched.isEmpty { return [] }
            sets.append(Set(subjects))
        } else {
            touched = threads.removeAll()
        }
        if !touched.isEmpty { passage.renames = if let version { version.renames } else { try history.renames(by: step) } }
        for parent in parents.dropFirst() { sets.append(Set(try versions.subjectsDiffering(from: parent, to: new))) }
        var result: [(Thread, CommitHeader?)] = []
        for thread in touched {
            let differs = sets.map { $0.contains(.option(thread.key)) }
            if let found = try follow(thread, through: passage, differs) { result.append(found) }
        }
        return result
    }

    /// What a version decided, by its own names, unless a later one took that back.
    private mutating func decided(
        by version: Version?, _ step: HistoryWalk.Step, _ known: [Touched]?
    ) throws(Problem) -> [VersionMessage.Question] {
        if let version { undone.note(version) }
        if undone.contains(step.commit.id) { return [] }
        let said = version?.message.resolves ?? []
        guard step.isMerge else {
            // What takes something back, or repeats it, gives it back: it says what becomes of conflicts, and decides nothing.
            if let named = version?.named, named.isUndoing || !named.reverts.isEmpty || named.restoredFrom != nil { return [] }
            let renames = version?.renames ?? []
            return said.map { question in
                VersionMessage.Question(
                    question.subject.renamed(by: renames), question.facet)
            }
        }
        guard known?.contains(where: \.isUndeclared) ?? true,
            let undeclared = try history.undeclared(step.commit.id, from: step.commit.parents)
        else { return said }
        return said + undeclared.questions + undeclared.choices
    }

    /// `differs`: whether the option differs from each parent. Nil where it comes from a version that a shallow clone lacks.
    private mutating func follow(
        _ thread: Thread, through passage: Passage, _ differs: [Bool]
    ) throws(Problem) -> (Thread, CommitHeader?)? {
        let (step, parents) = (passage.step, passage.parents)
        let question = VersionMessage.Question(.option(thread.key), thread.facet)
        if passage.decided.contains(question) { return (thread, nil) }
        var earlier = thread
        earlier.key = Subject.option(thread.key).before(passage.renames).key
        if !step.isMerge {
            if let version = passage.version {
                let told = try versions.telling(version, of: .option(thread.key), thread.facet, thread.content)
                if let given = try returns.source(of: thread, earlier.key, through: told) { return given }
            }
            if let parent = parents.first, let same = differs[0] ? earlier.read(in: parent, earlier.key) : earlier,
                thread.isSame(in: same.option)
            {
                return (same, parent.commit)
            }
            if versions.isShallow, passage.version?.named.unknown.isEmpty == false { return nil }
            return (thread, nil)
        }
        for (parent, differs) in zip(parents, differs) {
            if !differs { return (thread, parent.commit) }
            // What one side renamed has its new name there and its old one here.
            if let same = thread.found(in: parent, earlier.key) { return (same, parent.commit) }
        }
        // A merge that asks about it left in force what both sides last agreed on, which nobody chose with that.
        for agreed in try agreed(before: step, about: question) {
            if let same = thread.found(in: agreed, earlier.key) { return (same, agreed.commit) }
        }
        // Both sides renamed something about it.
        if parents.count == 2, let given = try? history.meaning(of: try versions.version(step.commit.id)) {
            for (renames, parent) in zip([given.renames, given.theirsRenames], parents) {
                guard let old = renames.first(where: { $0.new == .option(thread.key) })?.old,
                    let same = thread.found(in: parent, old.key)
                else { continue }
                return (same, parent.commit)
            }
        }
        return (thread, nil)
    }

    /// Where the sides of a merge part that left a question open. Where they had been merged crosswise, they part in several
    /// places, and what these agree on is from before them.
    private func agreed(
        before step: HistoryWalk.Step, about question: VersionMessage.Question
    ) throws(Problem) -> [Snapshot] {
        guard step.isMerge, step.parents.count == 2 else { return [] }
        let asked = try versions.version(step.commit.id).message.conflicts
        // What is kept against a removal is in force as a whole.
        guard asked.contains(where: { $0 == question || $0.subject == question.subject && $0.facet == .existence }) else {
            return []
        }
        var (ids, agreed): ([VersionID], [Snapshot]) = (step.commit.parents, [])
        // As deep as `History.agreed` looks.
        while ids.count > 1, agreed.count < 16 {
            ids = try git(versions.repository.objects.mergeBases(of: ids[0], and: ids[1]))
            for id in ids { agreed.append(try versions.snapshot(id)) }
        }
        return agreed
    }
}
