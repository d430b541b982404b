import Git
package import SettingsModel

extension History {
    /// As `walk`, with every version on the way and the parents that it has here; without changes where the filter doesn't
    /// want it. Landmarks are wanted, whether or not they changed something, unless the filter is about changes.
    func walkAll(
        _ filter: HistoryFilter, from start: VersionID?, hiding: VersionID?,
        visit: (HistoryWalk.Step, (Version, VersionChanges)?) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        var start = start
        if start == nil { start = try versions.head.commit }
        guard let start else { return true }
        var plain = PlainHistory(filter, self)
        let landmarks = try Landmarks(self, from: start)
        if let hiding {
            let edge = try git(versions.repository.objects.shallowEdge())
            var walk = try git(versions.repository.objects.commits(from: [start], hiding: [hiding], order: .topological))
            while let id = try versions.next(&walk) {
                let step = try step(id, edge: edge)
                if try !visit(step, try landmarks.match(step, in: &plain, filter)) { break }
            }
        } else {
            let words = VersionMessage.wordsOnTheWay
            var walk = try git(versions.repository.objects.history(of: start, noticing: words, keepsChildrenFirst: true))
            while let step = try git(walk.next(in: versions.repository.objects)) {
                try versions.countOne()
                if try !visit(step, try landmarks.match(step, in: &plain, filter)) { break }
            }
        }
        return plain.isComplete
    }
}

/// A version with the versions before it that are shown as well.
package typealias ShownVersion = ShownHistory<ShownVersionContent>.Entry

package struct ShownVersionContent: Sendable {
    package let version: Version
    package let changes: VersionChanges
    package let tags: [String]
}

extension Session {
    /// As `walk`, with the lines between the versions.
    @discardableResult
    package func walkGraph(
        _ query: HistoryQuery, _ visit: (ShownVersion) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        let store = try store
        var filter = query.filter
        filter.places = try pastPlaces(query.keys)
        if filter.requestedBy != nil { filter.people = store.versions.mailmap }
        let tags = Dictionary(grouping: try store.tags.list(), by: \.commit)
        let masked = try MaskedNames(store.history)
        var rest = query.limit ?? .max
        guard rest > 0 else { return !store.versions.isShallow }
        var shown = ShownHistory<ShownVersionContent>()
        var isWanted = true
        func tell(_ entries: [ShownVersion]) throws(Problem) {
            for entry in entries where isWanted { isWanted = try visit(entry) }
        }
        let isComplete = try store.history.walkAll(filter, from: query.end, hiding: query.start) { step, found throws(Problem) in
            var content: ShownVersionContent?
            if let found {
                let (version, changes) = query.revealsMasked ? found : try masked.masking(found.0, found.1)
                // Nothing is found by what is hidden.
                if filter.takes(version, changes) {
                    content = ShownVersionContent(version: version, changes: changes, tags: tags[version.id]?.map(\.name) ?? [])
                }
            }
            if content != nil { rest -= 1 }
            let parents = step.parents.compactMap { $0?.id }
            try tell(shown.add(step.commit.id, parents: parents, lacksParents: step.isBoundary, content))
            return isWanted && rest > 0
        }
        try tell(shown.finish())
        return isComplete
    }
}
