import Files
import Git
package import SettingsModel

/// How a merge is to be done.
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

    /// What counts as long as a question is open. Names are always those last agreed on.
    package enum InForce: String, Hashable, Sendable, CaseIterable {
        case ours, theirs, agreed
    }

    package init(name: String) {
        self.name = name
    }
}

extension Store {
    /// Brings another line of versions in, by meaning. Nothing is changed where questions stay open, unless they are to be
    /// kept.
    package func merge(_ other: VersionID, _ wish: MergeWish, _ done: Done) throws(Problem) -> Outcome {
        // Which of the three ways it goes depends on the last version, which may be another one once the lock is held.
        try record(done) { tip throws(Problem) in
            guard let head = tip.id else { return Edit(forwardingTo: other) }
            if try git({ () throws(GitError) in try self.repository.isAncestor(other, of: head) }) { return Edit([]) }
            let isAhead = try git { () throws(GitError) in try self.repository.isAncestor(head, of: other) }
            if isAhead, wish.values.isEmpty, !wish.neverForwards { return Edit(forwardingTo: other) }
            return try self.mergeEdit(other, wish, tip)
        }
    }

    private func mergeEdit(_ other: VersionID, _ wish: MergeWish, _ tip: Snapshot) throws(Problem) -> Edit {
        guard let head = tip.id else { throw .history(.hasNoVersion) }
        let bases = try git { () throws(GitError) in try repository.mergeBases(of: head, and: other) }
        if bases.isEmpty, !wish.allowsUnrelated {
            throw .merge(.isUnrelated(wish.name))
        }
        let theirs = try snapshot(other)
        var (merge, ours, theirsRenames) = try meaning(of: tip, and: theirs, since: bases)
        let resolved = try merge.settle(wish)
        if !merge.conflicts.isEmpty {
            guard let kept = wish.kept else { throw try unresolved(merge.conflicts, bases, head, other) }
            merge.putInForce(kept)
        }

        try checkNames(merge.settings, tip, theirs)
        // Whole groups as one rename where that fits, what is left one by one.
        let renames = theirsRenames.filter(\.old.isGroup) + merge.renames
        var edit = Edit(merge.settings.changes(since: ours, renames: renames))
        edit.merges = other
        edit.files = try otherFiles(bases.first, tip, theirs)
        edit.subject = "merge \(wish.name)"
        edit.details = edit.changes.flatMap(\.lines).map { line in
            Wording().sentence(line, name: line.subject.key.isRoot ? line.title.string : line.subject.key.description).plain
        }
        edit.conflicts = merge.conflicts.map { VersionMessage.Question($0.subject, $0.facet) }
        edit.details += resolved.map { "\($0.subject.key): \($0.facet.name) decided" }
        edit.resolves = resolved
        edit.needsWhy = false
        return edit
    }

    /// What two lines of versions give together, with our side of it and what theirs renamed.
    func meaning(
        of ours: Snapshot, and theirs: Snapshot, since bases: [VersionID]
    ) throws(Problem) -> (merge: Settings.Merge, ours: Settings, theirsRenames: [(old: Subject, new: Subject)]) {
        var subjects: Set<Subject> = []
        for base in try bases.isEmpty ? [snapshot(nil)] : bases.map({ id throws(Problem) in try snapshot(id) }) {
            subjects.formUnion(try subjectsDiffering(from: base, to: ours))
            subjects.formUnion(try subjectsDiffering(from: base, to: theirs))
        }
        let settings = try ours.settings(of: subjects)
        let (our, their) = (try side(ours.id, since: bases), try side(theirs.id, since: bases))
        let (base, other) = (try agreed(bases, on: subjects), try theirs.settings(of: subjects))
        var merge = Settings.merge(
            base: base, ours: settings, theirs: other, oursRenames: our.renames, theirsRenames: their.renames)
        if our.settlesQuestions, their.settlesQuestions {
            let decided = try decisions(in: ours.id, since: bases).intersection(try decisions(in: theirs.id, since: bases))
            for question in decided { merge.compare(question, base, settings, other) }
        }
        return (merge, settings, their.renames)
    }

    /// What the versions of one side of a merge say.
    private struct Side {
        /// The oldest first.
        var renames: [(old: Subject, new: Subject)] = []
        var settlesQuestions = false
    }

    private func side(_ tip: VersionID?, since bases: [VersionID]) throws(Problem) -> Side {
        var side = Side()
        try eachVersion(from: tip, hiding: bases) { version in
            side.renames = version.message.renames.map { ($0.old, $0.new) } + side.renames
            if !version.message.resolves.isEmpty { side.settlesQuestions = true }
        }
        return side
    }

    /// The questions that versions of a line settled, under the names that their subjects have at its end.
    private func decisions(in tip: VersionID?, since bases: [VersionID]) throws(Problem) -> Set<VersionMessage.Question> {
        var decided: Set<VersionMessage.Question> = []
        var renames: [VersionMessage.Rename] = []
        var undone = UndoneVersions()
        try eachVersion(from: tip, hiding: bases) { version throws(Problem) in
            undone.note(try undoing(of: version))
            if !undone.contains(version.id) {
                for var question in version.message.resolves {
                    question.subject = renames.reduce(question.subject) { $0.renamed(from: $1.old, to: $1.new) }
                    decided.insert(question)
                }
            }
            renames = version.message.renames + renames
        }
        return decided
    }

    /// What a merge's parents give by meaning; several, as git's octopus does it, one after the other.
    func meaning(of merge: Version) throws(Problem) -> Settings.Merge {
        let first = merge.parents[0]
        func bases(_ other: VersionID) throws(Problem) -> [VersionID] {
            try git { () throws(GitError) in try repository.mergeBases(of: first, and: other) }
        }
        let second = merge.parents[1]
        guard merge.parents.count > 2 else {
            return try meaning(of: try snapshot(first), and: try snapshot(second), since: try bases(second)).merge
        }
        let ours = try snapshot(first)
        var subjects: Set<Subject> = []
        for other in merge.parents.dropFirst() {
            for base in try bases(other) {
                let base = try snapshot(base)
                subjects.formUnion(try subjectsDiffering(from: base, to: ours))
                subjects.formUnion(try subjectsDiffering(from: base, to: try snapshot(other)))
            }
        }
        var merged = Settings.Merge(settings: try ours.settings(of: subjects), conflicts: [])
        for other in merge.parents.dropFirst() {
            let bases = try bases(other)
            let step = Settings.merge(
                base: try agreed(bases, on: subjects), ours: merged.settings, theirs: try snapshot(other).settings(of: subjects),
                oursRenames: try side(first, since: bases).renames, theirsRenames: try side(other, since: bases).renames)
            merged.conflicts += step.conflicts
            merged.settings = step.settings
        }
        return merged
    }

    /// Names that differ by case alone, one on each side.
    private func checkNames(_ merged: Settings, _ ours: Snapshot, _ theirs: Snapshot) throws(Problem) {
        let names = FoldedNames(merged)
        for subject in merged.subjects.sorted() where try ours.content(subject) == nil {
            guard let other = names.clash(with: subject.key) else { continue }
            throw .merge(.namesDifferByCase(subject.key, other))
        }
    }

    /// What both sides last agreed on; where they did so several times, those brought together.
    func agreed(_ bases: [VersionID], on subjects: Set<Subject>, depth: Int = 0) throws(Problem) -> Settings {
        guard let first = bases.first else { return Settings() }
        var agreed = try snapshot(first).settings(of: subjects)
        guard depth < 8 else { return agreed }
        for other in bases.dropFirst() {
            let earlier = try git { () throws(GitError) in try repository.mergeBases(of: first, and: other) }
            agreed =
                Settings.merge(
                    base: try self.agreed(earlier, on: subjects, depth: depth + 1), ours: agreed,
                    theirs: try snapshot(other).settings(of: subjects),
                    oursRenames: try side(first, since: earlier).renames,
                    theirsRenames: try side(other, since: earlier).renames
                ).settings
        }
        return agreed
    }

    private func unresolved(
        _ conflicts: [Conflict], _ bases: [VersionID], _ ours: VersionID, _ theirs: VersionID
    ) throws(Problem) -> Problem {
        let changes = conflicts.map { Change($0.subject, title: $0.title, facet: $0.facet, before: nil, after: nil) }
        let our = try origins(of: changes, from: bases.first, to: ours)
        let their = try origins(of: changes, from: bases.first, to: theirs)
        return .merge(.unresolved(conflicts, zip(our, their).map { ConflictOrigin(ours: $0, theirs: $1) }))
    }

    /// Files that aren't the store's: what only the other side changed comes along; what both did is git's to merge.
    private func otherFiles(_ base: VersionID?, _ ours: Snapshot, _ theirs: Snapshot) throws(Problem) -> [FileUpdate] {
        let base = try snapshot(base)
        var updates: [FileUpdate] = []
        for difference in try git({ () throws(GitError) in try repository.differences(from: base.tree, to: theirs.tree) }) {
            if subject(atRepositoryPath: difference.path) != nil { continue }
            let here = try ours.content(at: difference.path)
            if here == difference.new { continue }
            let wantsFolder = try isUnderFile(difference.path, in: ours)
            let isUnderFile = difference.new != nil && wantsFolder
            guard here == difference.old, !isUnderFile, difference.pathIsValid, difference.old?.mode ?? .blob == .blob,
                difference.new?.mode ?? .blob == .blob, FileSystem.isPlain(difference.path)
            else {
                throw .merge(.otherFile(difference.path))
            }
            let file = try broughtFile(difference.new, at: difference.path, isForwarding: false)
            updates.append(FileUpdate(path: difference.path, file: file))
        }
        return updates
    }

    /// What the other side has there.
    private func broughtFile(_ content: Content?, at path: String, isForwarding: Bool) throws(Problem) -> [UInt8]? {
        guard let content else { return nil }
        let isOurs = subject(atRepositoryPath: path) != nil
        do throws(GitError) {
            return try repository.blob(content.id, atMost: isOurs ? JSON.sizeLimit : Self.otherFileLimit)
        } catch {
            guard error.kind == .tooLarge else { throw Problem(error) }
            throw isOurs ? .file(.bringsTooLarge(path)) : .merge(.otherFileIsTooLarge(path, forwarding: isForwarding))
        }
    }

    private func isUnderFile(_ path: String, in snapshot: Snapshot) throws(Problem) -> Bool {
        var folder = path
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            if let there = try snapshot.content(at: folder) { return there.mode != .tree }
        }
        return false
    }

    /// Moves the branch on, and the files with it.
    func forwarded(from tip: Snapshot, to new: VersionID, moving: Bool, _ done: Done) throws(Problem) -> Outcome {
        let target = try snapshot(new)
        var updates: [FileUpdate] = []
        for difference in try git({ () throws(GitError) in try repository.differences(from: tip.tree, to: target.tree) }) {
            let isOurs = subject(atRepositoryPath: difference.path) != nil
            guard difference.pathIsValid, difference.old?.mode ?? .blob == .blob, difference.new?.mode ?? .blob == .blob,
                isOurs || FileSystem.isPlain(difference.path)
            else {
                throw .merge(.otherIsNotPlain(difference.path))
            }
            let old = try checkUntouched(difference.path, since: tip)
            let file = try broughtFile(difference.new, at: difference.path, isForwarding: true)
            updates.append(FileUpdate(path: difference.path, file: file, content: difference.new, old: old))
        }
        let version = try version(new)
        let made = try changes(from: tip, to: target)
        // A store of another format, or files that can't be read, are not moved on to.
        if let file = made.unreadable.first { throw .history(.unreadable(file.problem, change: true)) }
        guard moving else { return .planned(subject: "fast-forward to \(new.short)", made.changes) }
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        let lock = try lockIndex()
        try moveBranch(to: new, from: tip.id, Signature(done.committer, at: done.time), note: "fast-forward")
        var notes: [Notice] = []
        do throws(Problem) { notes = try bringInStep(updates, lock) } catch {
            notes.append(.isNotInStep(error, isForwarded: true))
        }
        return .forwarded(version, made.changes, notes: notes)
    }
}

extension Settings.Merge {
    /// Both sides decided a question, each for itself. Where one decided for what had been in force all the time, its files
    /// don't show that.
    fileprivate mutating func compare(
        _ question: VersionMessage.Question, _ base: Settings, _ ours: Settings, _ theirs: Settings
    ) {
        let (subject, facet) = (question.subject, question.facet)
        guard ![.existence, .key, .labels].contains(facet), let item = settings[subject], let our = ours[subject],
            let their = theirs[subject], our.facets[facet] != their.facets[facet],
            !conflicts.contains(where: { $0.subject == subject && [facet, .existence].contains($0.facet) })
        else { return }
        let conflict = Conflict(
            subject, title: item.title ?? "", facet: facet, base: base[subject]?.facets[facet], ours: our.facets[facet],
            theirs: their.facets[facet])
        settings.take(conflict.base, for: conflict)
        conflicts.append(conflict)
    }

    /// Puts a side of the open questions in force. Where an option would not hold together so, it stays as last agreed.
    fileprivate mutating func putInForce(_ side: MergeWish.InForce) {
        if side == .agreed { return }
        // Labels before what is chosen from them.
        let open = conflicts.filter { $0.facet != .key }
        let named = Set(conflicts.filter { $0.facet == .key }.map(\.subject))
        for (subject, conflicts) in Dictionary(grouping: open, by: \.subject) where !named.contains(subject) {
            let agreed = settings[subject]
            for conflict in conflicts.sorted(by: { $0.facet == .labels && $1.facet != .labels }) {
                settings.take(side == .ours ? conflict.ours : conflict.theirs, for: conflict)
            }
            if settings[subject]?.option?.faults().isEmpty == false { settings[subject] = agreed }
        }
    }

    /// Takes `wish`'s side, or its values, where the sides conflict. Returns what this decided.
    fileprivate mutating func settle(_ wish: MergeWish) throws(Problem) -> [VersionMessage.Question] {
        var decided: [Conflict] = []
        var named: [VersionMessage.Question] = []
        if let side = wish.side {
            // Labels before what is chosen from them; names last, for the others go by the old ones.
            func rank(_ conflict: Conflict) -> Int { conflict.facet == .labels ? 0 : conflict.facet == .key ? 2 : 1 }
            for conflict in conflicts.sorted(by: { rank($0) < rank($1) }) {
                if conflict.facet == .value, wish.values.contains(where: { .option($0.key) == conflict.subject }) { continue }
                let content = side == .ours ? conflict.ours : conflict.theirs
                settings.take(content, for: conflict)
                if case .key(let key)? = content, key != conflict.subject.key {
                    guard settings[conflict.subject] == nil else {
                        throw .merge(.nameIsTaken(key, by: conflict.subject.key, asked: false))
                    }
                    let new: Subject = if case .group = conflict.subject { .group(key) } else { .option(key) }
                    renames.append((conflict.subject, new))
                }
                decided.append(conflict)
            }
            conflicts = []
        }
        for (name, wish) in wish.values {
            let key = settings.options[name] == nil ? renames.first { $0.old == .option(name) }?.new.key ?? name : name
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
            guard case .option(let key) = conflict.subject, let problem = settings.options[key]?.faults().first else {
                continue
            }
            throw .value(.unfitting(key, problem, in: .merge))
        }
        return named + decided.map { VersionMessage.Question($0.subject, $0.facet) }
    }
}
