import Files
import Git
package import SettingsModel

/// How to merge.
package struct MergeWish: Sendable {
    /// How the other line is called in the commit's first line.
    package var name: String
    /// Which side wins where both sides differ.
    package var side: Side?
    /// What certain options become, whatever the sides say.
    package var values: [(key: Key, wish: Wish)] = []
    /// Conflicts are recorded as open questions, with this in force until they are settled; nil where they stop the merge.
    package var kept: InForce?
    /// Two lines of versions may have nothing in common.
    package var allowsUnrelated = false
    /// A version is made even where the branch could just be moved on.
    package var neverForwards = false

    package enum Side: Hashable, Sendable {
        case ours, theirs
    }

    package typealias InForce = SettingsContent.Merge.InForce

    package init(name: String) {
        self.name = name
    }
}

/// Merges branches by meaning, and keeps the questions that a merge leaves open.
package final class Merging {
    let versions: Versions
    let journal: Journal
    let workTree: WorkTree
    let recorder: Recorder
    let history: History
    let conflictCache: ConflictCache

    init(_ versions: Versions, _ journal: Journal, _ workTree: WorkTree, _ recorder: Recorder, _ history: History) {
        self.versions = versions
        self.journal = journal
        self.workTree = workTree
        self.recorder = recorder
        self.history = history
        conflictCache = ConflictCache(versions, journal)
    }

    /// Brings another line of versions in, by meaning. Nothing is changed where questions stay open, unless they are to be
    /// kept.
    package func merge(_ other: VersionID, _ wish: MergeWish, _ done: Done) throws(Problem) -> Outcome {
        // Which of the three ways it goes depends on the last version, which may be another one once the lock is held.
        try recorder.record(done) { tip throws(Problem) in
            guard let head = tip.id else { return Edit(forwardingTo: other) }
            if try git({ () throws(GitError) in try versions.repository.objects.isAncestor(other, of: head) }) { return Edit([]) }
            let isAhead = try git { () throws(GitError) in try versions.repository.objects.isAncestor(head, of: other) }
            if isAhead, wish.values.isEmpty, !wish.neverForwards { return Edit(forwardingTo: other) }
            return try self.mergeEdit(other, wish, tip)
        }
    }

    private func mergeEdit(_ other: VersionID, _ wish: MergeWish, _ tip: Snapshot) throws(Problem) -> Edit {
        guard let head = tip.id else { throw .history(.hasNoVersion) }
        let bases = try git { () throws(GitError) in try versions.repository.objects.mergeBases(of: head, and: other) }
        let isCutOff = try git { () throws(GitError) in
            try versions.repository.objects.areCutOff([head, other], before: bases)
        }
        if isCutOff { throw .merge(.baseIsBeforeClone(wish.name)) }
        if bases.isEmpty, !wish.allowsUnrelated {
            throw .merge(.isUnrelated(wish.name))
        }
        let theirs = try versions.snapshot(other)
        var (merge, ours, theirsRenames) = try history.meaning(of: tip, and: theirs, since: bases)
        let resolved = try merge.settle(wish)
        if !merge.conflicts.isEmpty {
            guard let kept = wish.kept else { throw try unresolved(merge, bases, head, other) }
            // Where nothing is in common nothing was agreed on, not even the store's own file.
            merge.putInForce(bases.isEmpty && kept == .agreed ? .ours : kept)
        }

        try checkNames(merge.settings, tip, theirs)
        // Whole groups as one rename where that fits, what is left one by one.
        let renames = theirsRenames.filter(\.old.isGroup) + merge.renames
        var edit = Edit(merge.settings.changes(since: ours, renames: renames))
        edit.merges = other
        edit.files = try otherFiles(bases.first, tip, theirs)
        edit.subject = "merge \(wish.name)"
        // What was decided is told as that.
        let brought = edit.changes.told.filter { !resolved.contains(VersionMessage.Question($0.subject, $0.facet)) }
        edit.details = brought.flatMap(\.lines).map { line in
            Wording().sentence(line, name: line.subject.key.isRoot ? line.title.string : line.subject.key.description).plain
        }
        edit.conflicts = merge.conflicts.map { VersionMessage.Question($0.subject, $0.facet) }
        for question in resolved {
            let sides =
                if let sides = merge.sides[question.subject] { [sides.ours, sides.theirs] } else {
                    [ours[question.subject], try theirs.readable(question.subject)]
                }
            let decision = Decision(question, merge.settings[question.subject], over: sides)
            edit.details.append(Wording().sentence(decision, name: question.subject.key.description).plain)
        }
        edit.resolves = resolved
        edit.needsWhy = false
        return edit
    }

    /// Names that differ by case alone, one on each side.
    private func checkNames(_ merged: SettingsContent, _ ours: Snapshot, _ theirs: Snapshot) throws(Problem) {
        let names = FoldedNames(merged)
        for subject in merged.subjects.sorted() where try ours.content(subject) == nil {
            guard let other = names.clash(with: subject.key) else { continue }
            throw .merge(.namesDifferByCase(subject.key, other))
        }
    }

    private func unresolved(
        _ merge: SettingsContent.Merge, _ bases: [VersionID], _ ours: VersionID, _ theirs: VersionID
    ) throws(Problem) -> Problem {
        .merge(.unresolved(merge.conflicts, try origins(of: merge.conflicts, in: merge, bases.first, ours, theirs), by: nil))
    }

    /// Files that aren't the store's: what only the other side changed comes along; what both did is git's to merge.
    private func otherFiles(_ base: VersionID?, _ ours: Snapshot, _ theirs: Snapshot) throws(Problem) -> [FileUpdate] {
        let base = try versions.snapshot(base)
        var updates: [FileUpdate] = []
        for difference in try git({ () throws(GitError) in
            try versions.repository.objects.differences(from: base.tree, to: theirs.tree)
        }
        ) {
            if versions.subject(atRepositoryPath: difference.path) != nil { continue }
            let here = try ours.content(at: difference.path)
            if here == difference.new { continue }
            let wantsFolder = try isUnderFile(difference.path, in: ours)
            let isUnderFile = difference.new != nil && wantsFolder
            guard here == difference.old, !isUnderFile, difference.pathIsValid, difference.isOfRegularFiles,
                FileSystem.isPlain(difference.path)
            else {
                throw .merge(.otherFile(difference.path))
            }
            let file = try recorder.broughtFile(difference.new, at: difference.path, isForwarding: false)
            var update = FileUpdate(path: difference.path, file: file)
            update.take(difference)
            updates.append(update)
        }
        return updates
    }

    private func isUnderFile(_ path: String, in snapshot: Snapshot) throws(Problem) -> Bool {
        var folder = path
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            if let there = try snapshot.content(at: folder) { return there.mode != .tree }
        }
        return false
    }
}

extension SettingsContent.Merge {
    /// Takes `wish`'s side, or its values, where the sides conflict. Returns what this decided.
    fileprivate mutating func settle(_ wish: MergeWish) throws(Problem) -> [VersionMessage.Question] {
        var decided: [Conflict] = []
        var named: [VersionMessage.Question] = []
        var names: [(old: Subject, new: Subject)] = []
        if let side = wish.side {
            conflicts.removeAll { conflict in
                conflict.facet == .value && wish.values.contains { .option($0.key) == conflict.subject }
            }
            // Labels before what is chosen from them.
            for conflict in conflicts.sorted(by: { $0.facet == .labels && $1.facet != .labels }) where conflict.facet != .key {
                settings.take(side == .ours ? conflict.ours : conflict.theirs, for: conflict)
            }
            // Names last, for the others go by the old ones.
            for conflict in conflicts.names {
                if let new = conflict.subject.named(side == .ours ? conflict.ours : conflict.theirs), new != conflict.subject {
                    guard settings.canRename(conflict.subject, to: new) else {
                        throw .merge(.nameIsTaken(new.key, by: conflict.subject.key, asked: false))
                    }
                    names.append((conflict.subject, new))
                }
                putNameInForce(side == .ours ? .ours : .theirs, of: conflict)
            }
            decided = conflicts
            conflicts = []
        }
        for (name, wish) in wish.values {
            let renamed = (names + renames).first { $0.old == .option(name) }?.new.key
            let key = settings.options[name] == nil ? renamed ?? name : name
            guard var option = settings.options[key] else {
                throw .merge(.noOption(name))
            }
            do { option.value = try option.value(for: wish) } catch {
                throw .value(.refused(key, error))
            }
            settings.options[key] = option
            for conflict in conflicts where conflict.subject == .option(key) && conflict.facet == .value {
                settings.dropLabel(keptFor: conflict)
            }
            conflicts.removeAll { $0.subject == .option(key) && $0.facet == .value }
            named.append(VersionMessage.Question(.option(key), .value))
        }
        for conflict in decided {
            guard case .option(let key) = conflict.subject, !faults(of: .option(key)).isEmpty else { continue }
            // All of the side that has to do with it.
            let sides = sides[conflict.subject]
            if let item = wish.side == .ours ? sides?.ours : sides?.theirs {
                settings[conflict.subject]?.takeDependentFacets(of: item)
            }
            guard let problem = faults(of: .option(key)).first else { continue }
            throw .value(.unfitting(key, problem, in: .merge))
        }
        return named + decided.map { VersionMessage.Question($0.subject, $0.facet) }
    }
}
