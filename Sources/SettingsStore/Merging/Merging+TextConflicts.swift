import Git
package import SettingsModel

/// Conflicts that git left in the store's files while it merges, rebases or picks.
extension Merging {
    /// What git could not merge, by meaning: from what it knows of both sides.
    package func textConflicts() throws(Problem) -> [Conflict] {
        var found: [Conflict] = []
        for conflict in try git({ () throws(GitError) in try versions.repository.index.conflicts() }) {
            guard let subject = versions.subject(atRepositoryPath: conflict.path) else { continue }
            let merge = try merge(conflict, subject)
            found += merge.conflicts
            // Texts that git couldn't merge though their meanings can be.
            if merge.conflicts.isEmpty {
                found.append(
                    Conflict(
                        subject, title: merge.settings.title(of: subject), facet: .existence, base: nil, ours: nil, theirs: nil,
                        reason: "git could not merge the texts; by meaning they fit together"
                    )
                )
            }
        }
        return found
    }

    private func merge(_ conflict: PathConflict, _ subject: Subject) throws(Problem) -> SettingsContent.Merge {
        func side(_ content: Content?) throws(Problem) -> SettingsContent {
            var settings = SettingsContent()
            guard let content else { return settings }
            let bytes = try git { () throws(GitError) in try versions.repository.objects.blob(content.id, atMost: JSON.sizeLimit)
            }
            do {
                settings[subject] = try SettingsContent.Item(file: bytes, of: subject)
            } catch {
                throw .file(.unreadable(error, path: subject.path))
            }
            return settings
        }
        let (base, ours, theirs) = (try side(conflict.base), try side(conflict.ours), try side(conflict.theirs))
        let sides = [base, ours, theirs].compactMap { $0[subject]?.option }
        if sides.count == 3, try isMistakenRename(conflict.path, base: sides[0], ours: sides[1], theirs: sides[2]) {
            var merge = SettingsContent.merge(base: ours, ours: ours, theirs: ours)
            merge.conflicts = [
                Conflict(
                    subject, title: sides[1].title, facet: .existence, base: nil, ours: .item(.option(sides[1])),
                    theirs: .item(.option(sides[2])),
                    reason: "these are two options: git took '\(sides[1].title)' for '\(sides[2].title)' renamed")
            ]
            return merge
        }
        // Of a group, the file alone is in conflict.
        return SettingsContent.merge(base: base, ours: ours, theirs: theirs, populated: [subject.key])
    }

    /// Whether git left the file of `key` in conflict.
    package func hasTextConflict(_ key: Key) throws(Problem) -> Bool {
        try git { () throws(GitError) in try versions.repository.index.conflicts() }
            .contains { versions.subject(atRepositoryPath: $0.path)?.key == key }
    }

    /// Settles the file that git left in conflict for `key`, and tells git so, with what is said of it. Nil where git left none
    /// there.
    package func resolveText(_ key: Key, _ facet: Facet?, _ answer: Answer, _ done: Done) throws(Problem) -> [Change]? {
        try journal.underLock { () throws(Problem) in try resolveTextUnderLock(key, facet, answer, done) }
    }

    private func resolveTextUnderLock(
        _ key: Key, _ facet: Facet?, _ answer: Answer, _ done: Done
    ) throws(Problem) -> [Change]? {
        let conflicts = try git { () throws(GitError) in try versions.repository.index.conflicts() }
        guard
            let (conflict, subject) = conflicts.lazy.compactMap({ conflict in
                self.versions.subject(atRepositoryPath: conflict.path).map { (conflict, $0) }
            })
            .first(where: { $0.1.key == key })
        else { return nil }
        let merge = try merge(conflict, subject)
        var settings = merge.settings
        for one in merge.conflicts.sorted(by: { $0.facet == .labels && $1.facet != .labels }) {
            if let facet, one.facet != facet {
                throw .merge(.moreIsOpen(key, besides: facet, one.facet))
            }
            switch answer {
            case .base: settings.take(one.base, for: one)
            case .ours: settings.take(one.ours, for: one)
            case .theirs: settings.take(one.theirs, for: one)
            case .word: continue
            }
        }
        if case .word(let word) = answer {
            guard var option = settings.options[key], merge.conflicts.allSatisfy({ $0.facet == .value }) else {
                throw .merge(.moreThanValueIsOpen(key))
            }
            do { option.value = try option.value(for: .word(word)) } catch {
                throw .value(.refused(key, error))
            }
            settings.options[key] = option
            for conflict in merge.conflicts { settings.dropLabel(keptFor: conflict) }
        }
        if case .option(let key) = subject, let problem = settings.options[key]?.faults().first {
            throw .value(.unfitting(key, problem, in: .question))
        }
        let tip = try versions.tip()
        if let expected = done.expected, tip.id != expected { throw .recording(.isNotAt(expected, but: tip.id)) }
        let changes = settings.changes(since: try tip.settings(of: [subject]))
        if done.isDryRun { return changes }
        // Git's commit of a merge says what was decided in it; other commits have one parent, and chose by themselves.
        let settled =
            try versions.operation == "merge" ? merge.conflicts.map { VersionMessage.Question($0.subject, $0.facet) } : []
        // An index that can't be written is found out before anything else is.
        var locked = try workTree.lockedIndex()
        try addToGitMessage(done, resolving: settled)
        let file = settings[subject]?.file
        try workTree.writeFile(file, of: subject, over: nil)
        let own = try journal.ownFolder()
        try git { () throws(GitError) in
            var change = TreeUpdate.Change.remove
            if let file { change = .put(try versions.repository.objects.write(blob: file), .blob) }
            try versions.repository.index.recordInIndex(
                [TreeUpdate(path: conflict.path, change: change)], clearingConflicts: true, locked: &locked, own: own)
        }
        return changes
    }
}
