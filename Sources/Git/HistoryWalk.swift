package import Base
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
    /// What was visited already, in the order in which it comes.
    private var waiting: ArraySlice<Step> = []
    private let keepsChildrenFirst: Bool
    private var seen: Set<ObjectID> = []
    private let words: [[UInt8]]
    private let edge: Set<ObjectID>

    fileprivate init(edge: Set<ObjectID>, noticing words: [[UInt8]], keepsChildrenFirst: Bool) {
        self.edge = edge
        self.words = words
        self.keepsChildrenFirst = keepsChildrenFirst
    }

    fileprivate mutating func push(_ header: CommitHeader) {
        if seen.insert(header.id).inserted { queue.push(header, time: header.time) }
    }

    /// The only commit that is known to come; nil where there are several, or none. From there on a history is told as if
    /// it began there, but for what came before it.
    package var only: CommitHeader? { queue.only }

    /// The next commit; nil at the end.
    package mutating func next(in objects: Objects) throws(GitError) -> Step? {
        if let step = waiting.popFirst() { return step }
        guard let time = queue.time, let first = try visit(objects) else { return nil }
        guard keepsChildrenFirst, queue.time.map({ $0 >= time }) ?? false else { return first }
        var steps = [first]
        while let next = queue.time, next >= time, let step = try visit(objects) { steps.append(step) }
        waiting = Self.childrenFirst(steps)[...]
        return waiting.popFirst()
    }

    /// The same steps, none before a child of its own.
    private static func childrenFirst(_ steps: [Step]) -> [Step] {
        var places: [ObjectID: Int] = [:]
        for (place, step) in steps.enumerated() { places[step.commit.id] = place }
        func parents(_ step: Step) -> [Int] { step.parents.compactMap { $0.flatMap { places[$0.id] } } }
        var children = [Int](repeating: 0, count: steps.count)
        for step in steps { for place in parents(step) { children[place] += 1 } }
        var ordered: [Step] = []
        var ready = TimeQueue<Int>()
        for place in steps.indices where children[place] == 0 { ready.push(place, time: steps[place].commit.time) }
        while let place = ready.pop() {
            ordered.append(steps[place])
            for parent in parents(steps[place]) {
                children[parent] -= 1
                if children[parent] == 0 { ready.push(parent, time: steps[parent].commit.time) }
            }
        }
        return ordered
    }

    private mutating func visit(_ objects: Objects) throws(GitError) -> Step? {
        guard let commit = queue.pop() else { return nil }
        let step = try objects.step(commit, edge: edge, noticing: words)
        if !edge.contains(commit.id) { for case let parent? in step.parents { push(parent) } }
        return step
    }
}

extension Objects {
    /// The history of `start`. `words`: see `CommitHeader`. `keepsChildrenFirst`: no commit comes before a child that was made
    /// in the same second.
    package func history(
        of start: ObjectID, noticing words: [[UInt8]] = [], keepsChildrenFirst: Bool = false
    ) throws(GitError) -> HistoryWalk {
        var walk = HistoryWalk(edge: try shallowEdge(), noticing: words, keepsChildrenFirst: keepsChildrenFirst)
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
