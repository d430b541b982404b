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
        try follow(threads, from: start.id) { thread, version throws(Problem) in
            found[thread.index].version = try versions.telling(
                version, of: .option(thread.key), thread.facet, thread.content)
            return nil
        }
        return found
    }

    /// Follows facets back from `start` to the versions whose authors chose what they are. `chosen` is given each with that
    /// version, the newest first, and says with what to go on before it.
    ///
    /// What makes a value what it was gives it back to whoever had chosen it: undo, redo, a revert, a restore, an expiry, a merge.
    /// An edit of labels changes no value. Where several sides of a merge have the same, the first one counts, as in git.
    func follow(
        _ threads: Threads, from start: VersionID,
        _ chosen: (Thread, Version) throws(Problem) -> (thread: Thread, at: VersionID)?
    ) throws(Problem) {
        let edge = try git(versions.repository.objects.shallowEdge())
        // The one that was read last: who is asked about mostly made something so.
        var last: Commit?
        func header(_ id: VersionID) throws(Problem) -> CommitHeader {
            let commit = try git(versions.repository.objects.commit(id))
            last = commit
            return CommitHeader(commit, noticing: VersionMessage.wordsOnTheWay)
        }
        var open = OpenThreads(cache.index())
        var walk = ChoiceWalk(history: self)
        open.add(threads, at: try header(start))
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
                guard let version, let next = try chosen(thread, version) else { return }
                open.add(next.thread, at: try header(next.at))
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
                if let next { open.add(thread, at: next) } else { try made(thread) }
            }
            if !threads.isEmpty, let parent = step.parents.first ?? nil { open.add(threads, at: parent) }
        }
    }

    /// The version that chose a facet as it is at a version.
    func chooser(of thread: Thread, at id: VersionID) throws(Problem) -> VersionID? {
        let choice = Versions.Choice(version: id, key: thread.key, facet: thread.facet)
        if let known = versions.knownChoosers[choice] { return known }
        var found: VersionID?
        let threads = Threads()
        threads.insert(thread)
        try follow(threads, from: id) { _, version throws(Problem) in
            found = version.id
            return nil
        }
        versions.knownChoosers[choice] = .some(found)
        return found
    }

    /// One facet on its way back through the history.
    struct Thread {
        var index: Int
        var key: Key
        var facet: Facet
        var option: SettingsOption

        func isSame(in other: SettingsOption?) -> Bool {
            guard let other else { return false }
            return option.isSame(facet, as: other)
        }

        /// Where it comes from in `snapshot`, under its own key or `other`; nil where it isn't the same there.
        func found(in snapshot: Snapshot, _ other: Key) -> Thread? {
            for key in [key, other] {
                if let thread = read(in: snapshot, key), isSame(in: thread.option) { return thread }
            }
            return nil
        }

        /// As it is in `snapshot`, which calls it `key`; nil where that has no such option.
        func read(in snapshot: Snapshot, _ key: Key) -> Thread? {
            guard let option = (try? snapshot.mendable(.option(key)))?.option else { return nil }
            return Thread(index: index, key: key, facet: facet, option: option)
        }
    }
}
