import Git
package import SettingsModel

/// Conflicts that git left in the store's files while it merges, rebases or picks.
extension Merging {
    /// What git could not merge, by meaning: from what it knows of both sides.
    package func textConflicts() throws(Problem) -> [Conflict] {
        let files = try conflictingFiles()
        let found = files.flatMap(\.conflicts)
        // What fits together by meaning is settled with the last of the others.
        return found
            + files.filter { $0.conflicts.isEmpty && (found.isEmpty || !$0.isOfVersions) }.map { files in
                let (subject, merge) = (files.subject, files.merge)
                return Conflict(
                    subject, title: merge.settings.title(of: subject), facet: .existence, base: nil, ours: nil, theirs: nil,
                    reason: "git could not merge the texts, but their meanings do not conflict")
            }
    }

    /// Whether git left the file of `key` in conflict.
    package func hasTextConflict(_ key: Key) throws(Problem) -> Bool { try conflictingFiles().contains { $0.isAbout(key) } }

    /// Settles the file that git left in conflict for `key`, and tells git so, with what is said of it. Until git's commit this
    /// can be done again, and for an option that was in no conflict. Nil where that isn't known.
    package func resolveText(_ key: Key, _ facet: Facet?, _ answer: ConflictAnswer, _ done: Done) throws(Problem) -> ResolvedText?
    {
        try journal.underLock { () throws(Problem) in try resolveTextUnderLock(key, facet, answer, done) }
    }

    private func resolveTextUnderLock(
        _ key: Key, _ facet: Facet?, _ answer: ConflictAnswer, _ done: Done
    ) throws(Problem) -> ResolvedText? {
        let all = try conflictingFiles()
        let inConflict = all.first { $0.subject.key == key } ?? all.first { $0.isAbout(key) }
        var found = inConflict
        if found == nil { found = try settledFiles(of: key, facet, answer, besides: all) }
        guard var files = found else { return nil }
        if inConflict != nil, let part = files.part(facet, answer) { return try decide(part, of: files, answer, done) }
        for one in files.conflicts {
            if let facet, one.facet != facet { throw .merge(.moreIsOpen(key, besides: facet, one.facet)) }
        }
        if files.subject.isGroup, !files.inside.isEmpty, !files.names.contains(where: { $0.key == key }) {
            throw .merge(.groupIsOpen(key, in: files.subject.key))
        }
        let decided =
            try files.decided.keys.sorted().map { VersionMessage.Question(files.subject, $0) } + files.settle(answer, facet)
        var rest = all.filter { $0.paths != files.paths }
        if files.isOfVersions, rest.allSatisfy(\.conflicts.isEmpty) {
            for other in rest { files.add(other) }
            rest = []
        }
        let tip = try versions.tip()
        if let expected = done.expected, tip.id != expected { throw .recording(.isNotAt(expected, but: tip.id)) }
        let subjects = files.names.union(files.inside).union(files.paths).union(files.groups)
            .subtracting(rest.reduce(into: Set<Subject>()) { $0.formUnion($1.paths) })
        var result = SettingsContent()
        for subject in subjects { result[subject] = files.merge.settings[subject] }
        let changes = result.changes(since: try tip.settings(of: subjects), renames: files.merge.renames)
        if done.isDryRun { return ResolvedText(changes: changes) }
        // Git's commit of a merge says what was decided in it; other commits have one parent, and chose by themselves.
        let isMerge = try isMergeByGit
        let renames = isMerge ? changes.compactMap(\.renaming).map { VersionMessage.Rename(old: $0.old, new: $0.new) } : []
        var picked = try picked(resolving: result, of: subjects, renames: files.merge.renames, isLast: rest.isEmpty)
        if inConflict == nil { picked?.earlier = try stagedSubject(renames: files.merge.renames) }
        var updates = try self.updates(of: subjects, to: result, clearing: files.paths)
        updates += try trackedUpdates(result, of: subjects, isLast: rest.isEmpty)
        // An index that can't be written is found out before anything else is.
        var locked = try workTree.lockIndex()
        try addToGitMessage(
            done, resolving: isMerge ? decided : [], renaming: renames, picking: picked,
            about: files.isPart ? [] : files.names.union(files.inside))
        let durability: Durability = journal.durability == .none ? .none : .strict
        if let kept = try workTree.writeFiles(&updates, durability, { _ in true }).first {
            throw .recording(.handEdited(versions.subject(atRepositoryPath: kept) ?? files.subject, .editedMeanwhile))
        }
        let own = try journal.ownFolder()
        let written = try updates.map { update throws(Problem) in
            var change = TreeUpdate.Change.remove
            if let file = update.file { change = .put(try git(versions.repository.objects.write(blob: file)), update.mode) }
            return TreeUpdate(path: update.path, change: change)
        }
        try git(versions.repository.index.recordInIndex(written, clearingConflicts: true, locked: &locked, own: own))
        return ResolvedText(changes: changes)
    }

    /// The files that differ from what they become, and those in conflict. Another one that carries an edit is refused.
    private func updates(
        of subjects: Set<Subject>, to result: SettingsContent, clearing conflicts: Set<Subject>
    ) throws(Problem) -> [FileUpdate] {
        let index = try git(versions.repository.index.contents(under: versions.folderInRepository))
        var updates: [FileUpdate] = []
        for subject in subjects.sorted() {
            var update = FileUpdate(path: versions.repositoryPath(subject), file: result[subject]?.file)
            if !conflicts.contains(subject) {
                let noted = index?[subject.path].flatMap(\.self)
                if update.file.map({ ObjectID.hash(ofBlob: $0) }) == noted?.id { continue }
                update.old = .content(noted)
                if update.old?.matches(try file(of: subject)) == false {
                    throw .recording(.handEdited(subject, .editedMeanwhile))
                }
            }
            updates.append(update)
        }
        return updates
    }

    private func file(of subject: Subject) throws(Problem) -> [UInt8]? {
        return try onDisk(versions.folder.files.read(subject.path, limit: JSON.sizeLimit))
    }
}
