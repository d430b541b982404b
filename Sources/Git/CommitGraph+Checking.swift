#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Whether git's commit-graph says of any commit what it is not. Its checksum tells only that it was written whole.
    package func commitGraphIsWrong(progress: (Int) -> Void) throws(GitError) -> Bool {
        guard let graph = CommitGraph(in: objectFolder) else { return false }
        for number in 0..<graph.count {
            progress(number)
            let header = graph.header(number)
            guard try exists(header.id) else { return true }
            let commit = try commit(header.id)
            // It has 34 bits for a time.
            let differ = UInt64(bitPattern: header.time ^ commit.committer.time) & (1 << 34 - 1)
            guard header.tree == commit.tree, header.parents == commit.parents, differ == 0 else { return true }
            let parents = (graph.firstParent(number).map { [$0] } ?? []) + graph.otherParents(number)
            let level = graph.level(number)
            // Without levels all have 0.
            guard level == 0 || level == 1 + (parents.map(graph.level).max() ?? 0) else { return true }
            if try !filterHolds(commit, number, of: graph) { return true }
        }
        return false
    }

    /// Whether a commit's filter leaves out nothing that it changed.
    private func filterHolds(_ commit: Commit, _ number: Int, of graph: CommitGraph) throws(GitError) -> Bool {
        let parent = try commit.parents.first.map { id throws(GitError) in try self.commit(id).tree }
        return try differences(from: parent, to: commit.tree).allSatisfy {
            !$0.pathIsValid || graph.mayTouch(number, ChangedPath(Array($0.path.utf8)))
        }
    }

    /// Removes git's commit-graph, which is made anew at any time.
    package func removeCommitGraph() throws(GitError) {
        for name in ["commit-graph", "commit-graphs"] { try FileSystem.removeAll("\(objectFolder)/info/\(name)") }
    }
}
