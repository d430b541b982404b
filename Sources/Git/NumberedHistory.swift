package import SettingsModel
/// A whole history, newest first, in the order of `Walk.Order.time`, each commit by a number, and no object of those read
/// that git's commit-graph has: they have its numbers, others those that follow. Its repository must outlive it.
///
/// `while let commit = try history.next(in: repository)`
package struct NumberedHistory: ~Copyable {
    package struct Commit {
        package let number: Int
        package let tree: ObjectID
        /// In a shallow clone parents may be missing.
        package let first: Parent?
        package let others: [Parent?]
        /// Whether a shallow clone ends here.
        package let isBoundary: Bool
        /// As it was read; nil where the graph has it.
        fileprivate let header: CommitHeader?

        package var isMerge: Bool { !others.isEmpty }
    }

    package struct Parent {
        package let number: Int
        package let tree: ObjectID
        fileprivate let time: Int64
    }

    private let graph: CommitGraph?
    private let graphCount: Int
    private let edge: Set<ObjectID>
    private var queue = TimeQueue<Int>()
    private var seen: [Bool]
    /// Of those that the graph doesn't have: their numbers, and what is known of them until they were told.
    private var numbers: [ObjectID: Int] = [:]
    private var headers: [Int: CommitHeader] = [:]

    fileprivate init(_ graph: CommitGraph?, edge: Set<ObjectID>) {
        self.graph = graph
        self.edge = edge
        graphCount = graph?.count ?? 0
        seen = Array(repeating: false, count: graphCount)
    }

    /// The next commit; nil at the end.
    package mutating func next(in repository: borrowing Repository) throws(GitError) -> Commit? {
        guard let number = queue.pop() else { return nil }
        guard number >= graphCount else {
            let commit = told(number)
            if let first = commit.first { push(first) }
            for case let other? in commit.others { push(other) }
            return commit
        }
        guard let header = headers.removeValue(forKey: number) else { return nil }
        let isEdge = edge.contains(header.id)
        var parents: [Parent?] = []
        for id in header.parents {
            let isMissing = isEdge ? try !repository.exists(id) : false
            parents.append(isMissing ? nil : try parent(id, in: repository))
        }
        if !isEdge { for case let parent? in parents { push(parent) } }
        return Commit(
            number: number, tree: header.tree, first: parents.first ?? nil, others: Array(parents.dropFirst()),
            isBoundary: parents.contains { $0 == nil }, header: header)
    }

    /// One that the graph has.
    private func told(_ number: Int) -> Commit {
        func parent(_ number: Int) -> Parent? {
            graph.map { Parent(number: number, tree: $0.tree(number), time: $0.time(number)) }
        }
        return Commit(
            number: number, tree: graph?.tree(number) ?? .emptyTree, first: graph?.firstParent(number).flatMap(parent),
            others: graph?.otherParents(number).map(parent) ?? [], isBoundary: false, header: nil)
    }

    private mutating func push(_ commit: Parent) {
        if seen[commit.number] { return }
        seen[commit.number] = true
        queue.push(commit.number, time: commit.time)
    }

    private mutating func parent(_ id: ObjectID, in repository: borrowing Repository) throws(GitError) -> Parent {
        if let graph, let number = graph.number(of: id) {
            return Parent(number: number, tree: graph.tree(number), time: graph.time(number))
        }
        let number = numbers[id] ?? seen.count
        let header = if let header = headers[number] { header } else { try repository.header(id) }
        if number == seen.count {
            numbers[id] = number
            seen.append(false)
        }
        if !seen[number] { headers[number] = header }
        return Parent(number: number, tree: header.tree, time: header.time)
    }

    /// A commit as its object has it, with its parents: what the graph tells of one that matters is checked.
    package func step(
        of commit: Commit, in repository: borrowing Repository, noticing words: [[UInt8]]
    ) throws(GitError) -> HistoryWalk.Step {
        guard let graph, commit.number < graphCount else {
            guard let header = commit.header else {
                throw GitError(.corrupt, "nothing is known of it", operation: "read a commit")
            }
            return try repository.step(try repository.header(header.id, noticing: words), edge: edge, noticing: words)
        }
        let told = graph.header(commit.number)
        let header = try repository.header(told.id, noticing: words)
        guard header.tree == told.tree, header.parents == told.parents else {
            throw GitError(.corrupt, "git's commit-graph tells something else of it", operation: "read commit \(told.id)")
        }
        let parents = (commit.first.map { [$0.number] } ?? []) + commit.others.compactMap { $0?.number }
        return HistoryWalk.Step(commit: header, parents: parents.map { graph.header($0) })
    }

    fileprivate mutating func start(at id: ObjectID, in repository: borrowing Repository) throws(GitError) {
        push(try parent(id, in: repository))
    }

    /// How many numbers there are so far.
    package var count: Int { seen.count }

    /// False where a commit surely has all of these paths as its first parent has them.
    package func mayTouch(_ commit: Commit, _ paths: [ChangedPath]) -> Bool { mayTouch(commit.number, paths) }

    private func mayTouch(_ number: Int, _ paths: [ChangedPath]) -> Bool {
        guard let graph, number < graphCount else { return true }
        for path in paths where graph.mayTouch(number, path) { return true }
        return false
    }

    /// Whether a merge, and all that it brings together since the two lines parted, surely touches none of these paths.
    package func bringsNothing(_ merge: Commit, of paths: [ChangedPath]) -> Bool {
        guard let graph, merge.number < graphCount, let first = merge.first, merge.others.count == 1, let other = merge.others[0],
            !mayTouch(merge, paths)
        else { return false }
        return graph.haveParted(first.number, other.number) { !mayTouch($0, paths) }
    }
}

extension Repository {
    /// The history of `start`. `graph`: this repository's, where it has one.
    package func history(of start: ObjectID, by graph: CommitGraph?) throws(GitError) -> NumberedHistory {
        var history = NumberedHistory(graph, edge: try shallowEdge())
        try history.start(at: start, in: self)
        return history
    }
}
