import Git
package import SettingsModel

extension History {
    /// For each option who chose its present value, when and why. Edits of its labels don't count, nor does undoing
    /// something else; merges are followed to the version that chose. `facets`: others than the value. `unreadable` is given
    /// the problems of files that can't be read.
    package func blame(
        _ keys: [Key], at snapshot: Snapshot, facets: [Facet] = [.value],
        unreadable: (Problem) throws(Problem) -> Void = { problem throws(Problem) in throw problem }
    ) throws(Problem) -> [Blame] {
        guard let start = snapshot.commit else { return [] }
        var found: [Blame] = []
        let threads = Threads()
        let loaded = keys.count > 100 ? try snapshot.loaded() : snapshot
        for key in keys {
            let read: SettingsOption?
            do throws(Problem) { read = try loaded.option(key) } catch {
                guard error.kind == .badData else { throw error }
                try unreadable(error)
                continue
            }
            guard let option = read else { continue }
            for facet in facets {
                threads.insert(Thread(index: found.count, key: key, facet: facet, option: option))
                found.append(Blame(key: key, option: option, facet: facet, version: nil))
            }
        }
        let edge = try git(versions.repository.objects.shallowEdge())
        // The one that was read last: who is asked about mostly made something so.
        var last: Commit?
        func header(_ id: VersionID) throws(Problem) -> CommitHeader {
            let commit = try git(versions.repository.objects.commit(id))
            last = commit
            return CommitHeader(commit, noticing: VersionMessage.wordsOnTheWay)
        }
        var open = OpenThreads(cache.index())
        var walk = BlameWalk(history: self)
        open.add(threads, at: try header(start.id))
        while let (commit, threads, touched) = try open.pop(header) {
            try versions.countOne()
            var version: Version?
            func made(_ thread: Thread) throws(Problem) {
                if version == nil {
                    version =
                        if let last, last.id == commit.id { try versions.version(of: last) } else {
                            try versions.version(commit.id)
                        }
                }
                found[thread.index].version = try version.map { version throws(Problem) in
                    try versions.telling(version, of: .option(thread.key))
                }
            }
            if let touched, let parent = commit.parents.first, let taken = walk.take(touched, from: threads, at: commit) {
                for (thread, isEarlier) in taken {
                    if isEarlier { threads.insert(thread) } else { try made(thread) }
                }
                if !threads.isEmpty { open.add(threads, at: parent) }
                continue
            }
            let step = try git(versions.repository.objects.step(commit, edge: edge, noticing: VersionMessage.wordsOnTheWay))
            if step.isBoundary { continue }
            for (thread, next) in try walk.follow(threads, through: step, touched) {
                if let next {
                    open.add(thread, at: next)
                    continue
                }
                try made(thread)
            }
            if !threads.isEmpty, let parent = step.parents.first ?? nil { open.add(threads, at: parent) }
        }
        return found
    }

    /// One facet on its way back through the history.
    struct Thread {
        var index: Int
        var key: Key
        var facet: Facet
        var option: SettingsOption

        fileprivate func isSame(in other: SettingsOption?) -> Bool {
            guard let other else { return false }
            return option.isSame(facet, as: other)
        }

        /// Where it comes from in `snapshot`, under its own key or `other`; nil where it isn't the same there.
        fileprivate func found(in snapshot: Snapshot, _ other: Key) -> Thread? {
            for key in [key, other] {
                guard let option = (try? snapshot.mendable(.option(key)))?.option, isSame(in: option) else { continue }
                var thread = self
                (thread.key, thread.option) = (key, option)
                return thread
            }
            return nil
        }
    }
}

/// Where facets come from, version by version, on the way back through a history.
private struct BlameWalk {
    typealias Thread = History.Thread

    let history: History
    /// Decisions that a newer version took back.
    private var takenBack: Set<VersionID> = []

    init(history: History) { self.history = history }

    private var versions: Versions { history.versions }

    private func header(_ id: VersionID) throws(Problem) -> CommitHeader {
        try git(versions.repository.objects.header(id, noticing: VersionMessage.wordsOnTheWay))
    }

    /// A version that facets come through.
    private struct Passage {
        let step: HistoryWalk.Step
        var renames: [VersionMessage.Rename] = []
        let named: NamedVersions
        let parents: [Snapshot]
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
        let says = step.commit.isSaying
        let version = says ? try versions.version(step.commit.id) : nil
        let message = version?.message ?? VersionMessage(subject: "")
        let named = version?.named ?? NamedVersions()
        var decided = step.isMerge ? message.resolves : []
        if step.isMerge, known?.contains(where: \.isUndeclared) ?? true,
            let undeclared = try history.undeclared(step.commit.id, from: step.commit.parents)
        {
            decided += undeclared.questions + undeclared.choices
        }
        if says, onlyDecides(step) {
            if !takenBack.contains(step.commit.id) {
                decided = message.resolves
                takenBack.formUnion(named.undoes + named.reverts)
                for id in named.redoes { decided += (try? versions.version(id))?.message.resolves ?? [] }
            }
        }
        var passage = Passage(step: step, named: named, parents: parents, decided: decided)
        var touched: [Thread] = []
        var sets: [Set<Subject>] = []
        if let first = parents.first {
            // What the index says of a merge is what it decided, too.
            let differing = step.isMerge ? nil : known?.map { Subject.option($0.key) }
            let subjects = if let differing { differing } else { try versions.subjectsDiffering(from: first, to: new) }
            // Whoever decided chose, whatever was in force before.
            for case .option(let key) in subjects + decided.map(\.subject) { touched += threads.remove(key) }
            if touched.isEmpty { return [] }
            sets.append(Set(subjects))
        } else {
            touched = threads.removeAll()
        }
        if !touched.isEmpty { passage.renames = try history.renames(by: step) }
        for parent in parents.dropFirst() { sets.append(Set(try versions.subjectsDiffering(from: parent, to: new))) }
        var result: [(Thread, CommitHeader?)] = []
        for thread in touched {
            let differs = sets.map { $0.contains(.option(thread.key)) }
            result.append(try follow(thread, through: passage, differs))
        }
        return result
    }

    /// `differs`: whether the option differs from each parent.
    private func follow(
        _ thread: Thread, through passage: Passage, _ differs: [Bool]
    ) throws(Problem) -> (Thread, CommitHeader?) {
        let (step, named, parents) = (passage.step, passage.named, passage.parents)
        if passage.decided.contains(VersionMessage.Question(.option(thread.key), thread.facet)) { return (thread, nil) }
        if let same = zip(differs, parents).first(where: { !$0.0 }) { return (thread, same.1.commit) }
        var earlier = thread
        for rename in passage.renames.reversed() {
            earlier.key = Subject.option(earlier.key).renamed(from: rename.new, to: rename.old).key
        }
        for parent in parents {
            if step.isMerge {
                // What one side renamed has its new name there and its old one here.
                if let same = thread.found(in: parent, earlier.key) { return (same, parent.commit) }
                continue
            }
            guard let option = (try? parent.mendable(.option(earlier.key)))?.option, thread.isSame(in: option) else { continue }
            earlier.option = option
            return (earlier, parent.commit)
        }
        // A merge that asks about it left in force what both sides last agreed on, which nobody chose with that.
        if let agreed = try agreed(before: step, about: VersionMessage.Question(.option(thread.key), thread.facet)),
            let same = thread.found(in: agreed, earlier.key)
        {
            return (same, agreed.commit)
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
        // What is reverted may have chosen nothing of its own: it restored, reverted or removed. Its revert brings back what
        // somebody chose before that.
        for id in named.reverts {
            guard let reverted = try? versions.version(id),
                reverted.named.restoredFrom != nil || !reverted.named.reverts.isEmpty
                    || (try? versions.snapshot(id).has(.option(earlier.key))) == false,
                let before = try? reverted.parents.first.map(header),
                let same = thread.found(in: Snapshot(versions: versions, commit: before), earlier.key)
            else { continue }
            return (same, before)
        }
        // So does an undo; a redo brings back what the redone version chose.
        for id in named.undoes {
            guard let undone = try? header(id), let id = undone.parents.first, let before = try? header(id),
                let same = thread.found(in: Snapshot(versions: versions, commit: before), earlier.key)
            else { continue }
            return (same, before)
        }
        for id in named.redoes {
            guard let redone = try? header(id),
                let same = thread.found(in: Snapshot(versions: versions, commit: redone), earlier.key)
            else { continue }
            return (same, redone)
        }
        return (thread, nil)
    }

    /// Where the sides of a merge part that left a question open.
    private func agreed(
        before step: HistoryWalk.Step, about question: VersionMessage.Question
    ) throws(Problem) -> Snapshot? {
        guard step.isMerge, step.parents.count == 2,
            try versions.version(step.commit.id).message.conflicts.contains(question)
        else { return nil }
        let parents = step.commit.parents
        return try git(versions.repository.objects.mergeBases(of: parents[0], and: parents[1]).first).map { id throws(Problem) in
            try versions.snapshot(id)
        }
    }
}
