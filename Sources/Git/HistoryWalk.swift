package import SettingsModel
/// A whole history, newest first, in the order of `Walk.Order.time`, with what each commit's header says: one look at
/// each object, the first commits at once. Its repository must outlive it.
///
/// `while let commit = try walk.next(in: repository)`
package struct HistoryWalk: ~Copyable {
    /// A commit and the parents that it has here.
    package struct Step {
        package let commit: CommitHeader
        /// Nil in a shallow clone for those that are missing.
        package let parents: [CommitHeader?]

        package var isMerge: Bool { parents.count > 1 }
        /// Whether a shallow clone ends here.
        package var isBoundary: Bool { parents.contains { $0 == nil } }
    }

    private var queue = TimeQueue<CommitHeader>()
    private var seen: Set<ObjectID> = []
    private let words: [[UInt8]]
    private let edge: Set<ObjectID>

    fileprivate init(edge: Set<ObjectID>, noticing words: [[UInt8]]) {
        self.edge = edge
        self.words = words
    }

    fileprivate mutating func push(_ header: CommitHeader) {
        if seen.insert(header.id).inserted { queue.push(header, time: header.time) }
    }

    /// The only commit that is known to come; nil where there are several, or none. From there on a history is told as if
    /// it began there, but for what came before it.
    package var only: CommitHeader? { queue.only }

    /// The next commit; nil at the end.
    package mutating func next(in objects: Objects) throws(GitError) -> Step? {
        guard let commit = queue.pop() else { return nil }
        let step = try objects.step(commit, edge: edge, noticing: words)
        if !edge.contains(commit.id) { for case let parent? in step.parents { push(parent) } }
        return step
    }
}

extension Objects {
    /// The history of `start`. `words`: see `CommitHeader`.
    package func history(of start: ObjectID, noticing words: [[UInt8]] = []) throws(GitError) -> HistoryWalk {
        var walk = HistoryWalk(edge: try shallowEdge(), noticing: words)
        walk.push(try header(start, noticing: words))
        return walk
    }

    /// One commit with its parents. `edge`: see `shallowEdge`.
    package func step(
        _ commit: CommitHeader, edge: Set<ObjectID>, noticing words: [[UInt8]] = []
    ) throws(GitError) -> HistoryWalk.Step {
        var parents: [CommitHeader?] = []
        for id in commit.parents {
            let isMissing = edge.contains(commit.id) ? try !exists(id) : false
            parents.append(isMissing ? nil : try header(id, noticing: words))
        }
        return HistoryWalk.Step(commit: commit, parents: parents)
    }
}

/// What waits to be visited: the newest first, of the same time what came first.
package struct TimeQueue<Element> {
    private var heap: [(time: Int64, number: Int, element: Element)] = []
    private var count = 0

    package init() {}

    /// Of what comes next.
    package var time: Int64? { heap.first?.time }
    var only: Element? { heap.count == 1 ? heap[0].element : nil }

    package mutating func push(_ element: Element, time: Int64) {
        heap.append((time, count, element))
        count += 1
        var place = heap.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    package mutating func pop() -> Element? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return last.element }
        heap[0] = last
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, place) else { break }
            heap.swapAt(child, place)
            place = child
        }
        return first.element
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        heap[one].time != heap[other].time ? heap[one].time > heap[other].time : heap[one].number < heap[other].number
    }
}
