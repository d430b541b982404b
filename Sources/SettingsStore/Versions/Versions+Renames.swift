import Git
import SettingsModel

extension Versions {
    /// What a version renamed: as its message says or, where git made the commit, as its files show. A merge renames nothing
    /// of its own.
    func renames(by commit: Commit) throws(Problem) -> [VersionMessage.Rename] {
        try renames(by: commit, saying: VersionMessage(commit.message))
    }

    func renames(by commit: Commit, saying message: VersionMessage) throws(Problem) -> [VersionMessage.Rename] {
        guard message.via == nil && message.renames.isEmpty || message.squashed != nil, commit.parents.count == 1,
            !isBoundary(commit.parents)
        else { return try left(of: message.renames, after: commit.parents.count == 1 ? commit.parents : []) }
        if let known = knownRenames[commit.id] { return known }
        let old: Snapshot
        let differences: [Difference]
        do throws(GitError) {
            old = Snapshot(versions: self, commit: try repository.objects.header(commit.parents[0]))
            differences = try self.differences(from: old.tree, to: commit.tree)
        } catch {
            // Folders that are too deep, or that aren't here, are no reason not to read what the version says.
            if [.exhausted, .denied, .locked].contains(error.kind) { throw Problem(error) }
            return message.renames
        }
        let shown = try old.renames(
            differences.compactMap { difference in
                difference.subject.map { ($0, difference.old?.file, difference.new?.file) }
            })
        // Of what was edited, too, only the message tells.
        let said = try left(of: Self.shortened(message.renames), after: commit.parents)
        // The files show the last names alone, so that comes after what is said.
        let found =
            said
            + shown.map { VersionMessage.Rename(old: $0.old.renamed(by: said), new: $0.new) }.filter { $0.old != $0.new }
        if knownRenames.count >= Self.mostKnown { knownRenames = [:] }
        knownRenames[commit.id] = found
        return found
    }

    /// What was renamed between two moments, in order; what lies on the way back to where they part is turned round.
    func renames(from old: VersionID?, to new: VersionID?) throws(Problem) -> [VersionMessage.Rename] {
        func hidden(_ id: VersionID?) -> [VersionID] { id.map { [$0] } ?? [] }
        if old == new { return [] }
        // Where no file is new, none shows that it was renamed.
        let trees = (old: try snapshot(old).tree, new: try snapshot(new).tree)
        let mayShow = try git(differences(from: trees.old, to: trees.new)).contains { $0.old == nil }
        func path(_ renames: (Commit) throws(Problem) -> [VersionMessage.Rename]) throws(Problem) -> [VersionMessage.Rename] {
            var (back, forth): ([VersionMessage.Rename], [VersionMessage.Rename]) = ([], [])
            try eachCommit(from: old, hiding: hidden(new)) { commit throws(Problem) in
                let made = try left(of: try renames(commit), by: commit, since: new)
                back += made.reversed().map { VersionMessage.Rename(old: $0.new, new: $0.old) }
            }
            try eachCommit(from: new, hiding: hidden(old)) { commit throws(Problem) in
                forth = try left(of: try renames(commit), by: commit, since: old) + forth
            }
            return Self.shortened(back + forth)
        }
        let said = mayShow ? [] : try path { commit in VersionMessage(commit.message).renames }
        // What is said to have been renamed back may have been renamed by git.
        return mayShow || !said.isEmpty ? try path { commit throws(Problem) in try self.renames(by: commit) } : []
    }

    /// Those of a merge that were not made yet on the side that an earlier version is on.
    private func left(
        of renames: [VersionMessage.Rename], by commit: Commit, since earlier: VersionID?
    ) throws(Problem) -> [VersionMessage.Rename] {
        guard let earlier, commit.parents.count > 1, !renames.isEmpty else { return renames }
        for parent in commit.parents {
            let isThere = try git(repository.objects.isAncestor(earlier, of: parent))
            if isThere { return try left(of: renames, after: [parent]) }
        }
        return renames
    }

    /// Those of `renames` that were not made yet in `parents`: git may have made a version again on top of one that had renamed
    /// the same.
    private func left(
        of renames: [VersionMessage.Rename], after parents: [VersionID]
    ) throws(Problem) -> [VersionMessage.Rename] {
        guard let parent = parents.first, !renames.isEmpty, !isBoundary(parents) else { return renames }
        let before = try snapshot(parent)
        func isThere(_ subject: Subject) throws(Problem) -> Bool {
            subject.isGroup ? try !before.subjects(in: subject.key).isEmpty : try before.has(subject)
        }
        var left: [VersionMessage.Rename] = []
        for rename in renames {
            let isStep = renames.contains { $0.old == rename.new || $0.new == rename.old }
            var isMade = false
            if !isStep, try !isThere(rename.old) { isMade = try isThere(rename.new) }
            if !isMade { left.append(rename) }
        }
        return left
    }

    /// What was renamed twice is renamed once. A merge repeats what its sides renamed.
    static func shortened(_ renames: [VersionMessage.Rename]) -> [VersionMessage.Rename] {
        var steps: [VersionMessage.Rename] = []
        for step in renames where !steps.contains(step) {
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

extension Snapshot {
    /// What was renamed since, as far as the files show it that differ: what each held and holds.
    func renames(
        _ differing: [(subject: Subject, before: ObjectID?, after: ObjectID?)]
    ) throws(Problem) -> [VersionMessage.Rename] {
        var moved = MovedFiles()
        for file in differing { moved.take(file.subject, before: file.before, after: file.after) }
        if !moved.hasPairs { return [] }
        var others: [(subject: Subject, id: ObjectID)] = []
        for (subject, content) in try files() where moved.removed[subject] == nil {
            if let id = content.file { others.append((subject, id)) }
        }
        for file in differing where moved.added[file.subject] == nil {
            if let after = file.after { others.append((file.subject, after)) }
        }
        return moved.renames(besides: others)
    }

    /// What leads to these items from those that stood here before, by the same bytes of files where something was renamed.
    func changes(
        _ sides: (before: SettingsContent, after: SettingsContent),
        _ differing: [(subject: Subject, before: ObjectID?, after: ObjectID?)]
    ) throws(Problem) -> [Change] {
        let renames = try renames(differing)
        return try markingRepairs(sides.after.changes(since: sides.before, renames: renames.map { ($0.old, $0.new) }))
    }
}

extension Content {
    /// The id of a regular file.
    var file: ObjectID? { mode.isRegular ? id : nil }
}
