import Git
package import SettingsModel

/// Goes through a history in steps, newest first, so that whoever shows it can do other things in between.
package final class VersionWalk {
    /// A version on the way, with the parents that it has here. One that is not shown still connects those that are.
    package struct Step: Hashable, Sendable {
        package var id: VersionID
        package var parents: [VersionID]
        package var isShown: Bool
    }

    /// Which versions are shown beside those of a filter: the second one is asked where the first says yes.
    package struct Condition {
        package var takes: (Version) -> Bool
        package var takesChanges: (Version, VersionChanges) -> Bool

        package init(
            takes: @escaping (Version) -> Bool, takesChanges: @escaping (Version, VersionChanges) -> Bool
        ) {
            self.takes = takes
            self.takesChanges = takesChanges
        }
    }

    private let store: Store
    private let filter: HistoryFilter
    /// Nil where every version of the store is shown.
    private let condition: Condition?
    private let everything: Places
    /// Nothing is found by what is hidden.
    private let masked: MaskedNames
    private let landmarks: Landmarks
    private var plain: PlainHistory
    private var walk: HistoryWalk?
    /// What could not be read behind the versions that were told last.
    private var problem: Problem?
    /// Whether nothing comes any more.
    package private(set) var isAtEnd: Bool
    /// Whether the history goes on before the end of a shallow clone.
    package var isComplete: Bool { plain.isComplete }

    init(_ store: Store, _ filter: HistoryFilter, _ condition: Condition?) throws(Problem) {
        self.store = store
        self.filter = filter
        self.condition = condition
        everything = Places([])
        masked = try MaskedNames(store.history)
        plain = PlainHistory(filter, store.history)
        let head = try store.versions.head.commit
        landmarks = try Landmarks(store.history, from: head)
        if let head {
            walk = try git(store.versions.repository.objects.history(of: head, noticing: VersionMessage.wordsOnTheWay))
            isAtEnd = false
        } else {
            walk = nil
            isAtEnd = true
        }
    }

    /// The next versions: until `shown` of them are shown, but no more commits are examined than `limit`.
    package func next(_ shown: Int, examining limit: Int) throws(Problem) -> [Step] {
        if let problem { throw problem }
        var steps: [Step] = []
        var rest = shown
        do throws(Problem) {
            for _ in 0..<limit where rest > 0 && !isAtEnd {
                guard let step = try git(walk?.next(in: store.versions.repository.objects)) else {
                    isAtEnd = true
                    break
                }
                try store.versions.countOne()
                let isShown = try shows(step)
                if isShown { rest -= 1 }
                steps.append(Step(id: step.commit.id, parents: step.parents.compactMap { $0?.id }, isShown: isShown))
            }
        } catch {
            if steps.isEmpty { throw error }
            problem = error
        }
        return steps
    }

    private func shows(_ step: HistoryWalk.Step) throws(Problem) -> Bool {
        guard let condition else {
            if step.isBoundary { plain.endsHere() }
            if step.isBoundary { return true }
            if try landmarks.contains(step) { return true }
            return step.isMerge ? false : try store.history.mayChange(step, everything)
        }
        guard let found = try landmarks.match(step, in: &plain, filter) else { return false }
        let (version, changes) = try masked.masking(found.0, found.1)
        return condition.takes(version) && condition.takesChanges(version, changes)
    }
}

extension Session {
    /// The versions that changed something of `places`, of everything where there are none.
    package func versionWalk(
        in places: [Key] = [], since: Int64? = nil, until: Int64? = nil, author: String? = nil,
        where condition: VersionWalk.Condition? = nil
    ) throws(Problem) -> VersionWalk {
        var filter = HistoryFilter()
        filter.places = places
        filter.since = since
        filter.until = until
        filter.author = author
        let isEverything = filter.takesAll && condition == nil
        let all = VersionWalk.Condition(takes: { _ in true }, takesChanges: { _, _ in true })
        return try VersionWalk(try store, filter, isEverything ? nil : condition ?? all)
    }
}
