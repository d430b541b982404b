import Git
import SettingsModel

extension Versions {
    /// What was renamed between two moments, in order; what lies on the way back to where they part is turned round.
    func renames(from old: VersionID?, to new: VersionID?) throws(Problem) -> [VersionMessage.Rename] {
        var (back, forth): ([VersionMessage.Rename], [VersionMessage.Rename]) = ([], [])
        func hidden(_ id: VersionID?) -> [VersionID] { id.map { [$0] } ?? [] }
        try eachCommit(from: old, hiding: hidden(new)) { commit in
            back += VersionMessage(commit.message).renames.reversed().map { VersionMessage.Rename(old: $0.new, new: $0.old) }
        }
        try eachCommit(from: new, hiding: hidden(old)) { commit in forth = VersionMessage(commit.message).renames + forth }
        var steps: [VersionMessage.Rename] = []
        for step in back + forth {
            // What was renamed twice is renamed once.
            guard let index = steps.lastIndex(where: { $0.new == step.old }) else {
                steps.append(step)
                continue
            }
            steps[index].new = step.new
            if steps[index].old == step.new { steps.remove(at: index) }
        }
        return steps
    }

    /// The commits in the history of `start` and in none of those `hidden`, each before those that it builds on.
    func eachCommit(
        from start: VersionID?, hiding hidden: [VersionID], visit: (Commit) throws(Problem) -> Void
    ) throws(Problem) {
        guard let start, !hidden.contains(start) else { return }
        var walk = try git(repository.objects.commits(from: [start], hiding: hidden, order: .topological))
        while let id = try next(&walk) { try visit(try git(repository.objects.commit(id))) }
    }
}
