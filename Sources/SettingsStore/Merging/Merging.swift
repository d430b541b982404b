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
    package let conflicts: Conflicts

    init(
        _ versions: Versions, _ journal: Journal, _ workTree: WorkTree, _ recorder: Recorder, _ history: History,
        _ conflicts: Conflicts
    ) {
        self.versions = versions
        self.journal = journal
        self.workTree = workTree
        self.recorder = recorder
        self.history = history
        self.conflicts = conflicts
    }

    /// Brings another line of versions in, by meaning. Nothing is changed where questions stay open, unless they are to be
    /// kept.
    package func merge(_ other: VersionID, _ wish: MergeWish, _ done: Done) throws(Problem) -> Outcome {
        // Which of the three ways it goes depends on the last version, which may be another one once the lock is held.
        try recorder.record(done) { tip throws(Problem) in
            guard let head = tip.id else { return Edit(forwardingTo: other) }
            if try git(versions.repository.objects.isAncestor(other, of: head)) { return Edit([]) }
            let isAhead = try git(versions.repository.objects.isAncestor(head, of: other))
            if isAhead, wish.values.isEmpty, !wish.neverForwards { return Edit(forwardingTo: other) }
            return try self.mergeEdit(other, wish, tip)
        }
    }

    private func mergeEdit(_ other: VersionID, _ wish: MergeWish, _ tip: Snapshot) throws(Problem) -> Edit {
        guard let head = tip.id else { throw .history(.hasNoVersion) }
        let bases = try git(versions.repository.objects.mergeBases(of: head, and: other))
        let isCutOff = try git(versions.repository.objects.areCutOff([head, other], before: bases))
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

        try checkNames(merge.settings, since: ours, at: tip)
        // Whole groups as one rename where that fits, what is left one by one.
        let renames = theirsRenames.filter(\.old.isGroup) + merge.renames
        var edit = Edit(merge.settings.changes(since: ours, renames: renames))
        edit.merges = other
        let result = Tracking.Merged(
            settings: merge.settings, ours: ours, versions: (try versions.snapshot(bases.first), tip, theirs),
            side: wish.side)
        edit.files = try otherFiles(result)
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
        edit.resolves = resolved + (try moot(in: merge, tip, theirs))
        edit.needsWhy = false
        return edit
    }

    /// Names that differ by case alone, one on each side.
    private func checkNames(_ merged: SettingsContent, since ours: SettingsContent, at tip: Snapshot) throws(Problem) {
        var names = Names(base: tip, removing: ours.subjects.subtracting(merged.subjects))
        for subject in merged.subjects.sorted() where try tip.content(subject) == nil {
            guard let clash = try names.clash(adding: subject) else { continue }
            throw .merge(.namesDifferByCase(clash.name.key, clash.other.key))
        }
    }

    private func unresolved(
        _ merge: SettingsContent.Merge, _ bases: [VersionID], _ ours: VersionID, _ theirs: VersionID
    ) throws(Problem) -> Problem {
        .merge(.unresolved(merge.conflicts, try origins(of: merge.conflicts, in: merge, bases, ours, theirs), by: nil))
    }

    /// Files that aren't the store's: what only the other side changed comes along; what both did is merged by meaning where the
    /// file is tracked, and else is git's to merge.
    private func otherFiles(_ result: Tracking.Merged) throws(Problem) -> [FileUpdate] {
        let (base, ours, theirs) = result.versions
        let tracking = recorder.tracking
        let tracked = Set(try tracking.entries(of: result.settings.definition, at: ours).map(\.path))
        var updates: [FileUpdate] = []
        for difference in try git(versions.repository.objects.differences(from: base.tree, to: theirs.tree)) {
            // The other side may have moved the store's folder.
            let tree = difference.new == nil ? base.tree : theirs.tree
            let there = try git(versions.subject(atRepositoryPath: difference.path, in: tree))
            let subject = there ?? versions.subject(atRepositoryPath: difference.path)
            // A file of another program may have an option's name.
            let isOther =
                if case .option(let key)? = subject { try !result.knows(key) } else { subject == nil }
            if !isOther { continue }
            let here = try ours.content(at: difference.path)
            if here == difference.new { continue }
            // Also where only the other side changed the file: its options may have been decided otherwise.
            let isTracked = tracked.contains(difference.path)
            if isTracked, let here, here.mode.isRegular, difference.new != nil,
                let bytes = try tracking.merged(difference.path, result)
            {
                var update = FileUpdate(path: difference.path, file: bytes, mode: here.mode)
                try tracking.layEdits(on: &update, from: here, at: ours)
                updates.append(update)
                continue
            }
            let wantsFolder = try isUnderFile(difference.path, in: ours)
            let isUnderFile = difference.new != nil && wantsFolder
            guard here == difference.old, !isUnderFile, difference.pathIsValid, difference.isOfRegularFiles,
                FileSystem.isPlain(difference.path)
            else {
                throw .merge(.otherFile(difference.path, tracked: isTracked))
            }
            let file = try recorder.broughtFile(difference.new, at: difference.path, isForwarding: false)
            var update = FileUpdate(path: difference.path, file: file)
            update.take(difference)
            try tracking.layEdits(on: &update, from: here, at: ours)
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
        let side: InForce = wish.side == .ours ? .ours : .theirs
        if wish.side != nil {
            decided = conflicts.filter { conflict in
                conflict.facet != .value || !wish.values.contains { .option($0.key) == conflict.subject }
            }
            try take(side, for: decided)
        }
        for (name, wish) in wish.values {
            let renamed = renames.first { $0.old == .option(name) }?.new.key ?? decided.name(of: .option(name), on: side).key
            let key = settings.options[name] == nil ? renamed : name
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
        try fit(decided, to: side, in: .merge)
        return named + decided.questions(taking: side)
    }

    /// Takes one side of some of the conflicts, which are none any more then.
    mutating func take(_ side: InForce, for decided: [Conflict]) throws(Problem) {
        // Labels before what is chosen from them; names last, for the others go by the old ones, and those of groups after
        // those of what is in them.
        func rank(_ conflict: Conflict) -> (Int, Int) {
            (conflict.facet == .labels ? 0 : conflict.facet == .key ? 2 : 1, -conflict.subject.key.parts.count)
        }
        let decided = decided.sorted { rank($0) < rank($1) }
        let questions = Set(decided.map { VersionMessage.Question($0.subject, $0.facet) })
        conflicts.removeAll { questions.contains(VersionMessage.Question($0.subject, $0.facet)) }
        for conflict in decided {
            guard conflict.facet == .key else {
                settings.take(conflict.content(of: side), for: conflict)
                continue
            }
            if let new = conflict.subject.named(conflict.content(of: side)), new != conflict.subject,
                !settings.canRename(conflict.subject, to: new)
            {
                throw .merge(.nameIsTaken(new.key, by: conflict.subject.key, asked: false))
            }
            putNameInForce(side, of: conflict)
        }
        settleRemovedGroups(taking: side)
    }

    /// Where an option is not valid with the side that was taken, all of that side that has to do with it counts.
    mutating func fit(_ decided: [Conflict], to side: InForce, in decision: ValueProblem.Decision) throws(Problem) {
        for subject in Set(decided.map(\.subject)).sorted() {
            let name = decided.name(of: subject, on: side)
            guard let option = settings[name]?.option, !faults(option, of: subject).isEmpty else { continue }
            let states = sides[subject]
            if let item = side == .ours ? states?.ours : side == .theirs ? states?.theirs : states?.base {
                settings[name]?.takeDependentFacets(of: item)
            }
            guard let problem = faults(settings[name]?.option, of: subject).first else { continue }
            throw .value(.unfitting(name.key, problem, in: decision))
        }
    }
}

extension [Conflict] {
    /// What is decided once one side of these is taken, under the names that it has then.
    func questions(taking side: MergeWish.InForce) -> [VersionMessage.Question] {
        map { VersionMessage.Question(name(of: $0.subject, on: side), $0.facet) }
    }

    /// What an item is called once one side of these is taken.
    func name(of subject: Subject, on side: MergeWish.InForce) -> Subject {
        filter { $0.facet == .key }.sorted { $0.subject.key.parts.count > $1.subject.key.parts.count }
            .reduce(subject) { name, conflict in
                conflict.subject.named(conflict.content(of: side)).map { name.renamed(from: conflict.subject, to: $0) } ?? name
            }
    }
}
