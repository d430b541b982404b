import Git
package import SettingsModel

/// A question that a merge left open.
package struct OpenConflict: Sendable {
    package var merge: Version
    package var conflict: Conflict
    package var origin: ConflictOrigin
}

/// How somebody settles a question.
package enum Answer: Hashable, Sendable {
    case ours, theirs
    /// A VALUE.
    case word(String)
}

extension Store {
    /// The questions that merges in this history left open: named in the merge, made anew from what it brought together,
    /// and settled by a version behind it that says so or sets the facet.
    package func openConflicts() throws(StoreError) -> [OpenConflict] {
        guard let head = try tip().id else { return [] }
        var open: [OpenConflict] = []
        var walk = try git { () throws(GitError) in try repository.commits(from: [head], order: .topological) }
        while let id = try next(&walk) {
            let merge = try version(id)
            guard merge.parents.count == 2, !merge.message.conflicts.isEmpty else { continue }
            var questions = merge.message.conflicts
            func settle(_ version: Version, _ settled: [VersionMessage.Question]) throws(StoreError) {
                guard !settled.isEmpty, try git({ () throws(GitError) in try self.repository.isAncestor(id, of: version.id) })
                else { return }
                questions.removeAll { question in
                    settled.contains(question) || settled.contains { $0.subject == question.subject && $0.facet == .existence }
                }
            }
            // Settling a question for what is in force already changes nothing.
            var later = try git { () throws(GitError) in try repository.commits(from: [head], hiding: [id], order: .topological) }
            // What was undone settles nothing, nor does what undid it.
            var undone = UndoneVersions()
            var idle: Set<VersionID> = []
            while !questions.isEmpty, let next = try next(&later) {
                let version = try version(next)
                let named = try undoing(of: version)
                undone.note(named)
                if named.isEmpty, !undone.contains(version.id) {
                    try settle(version, version.message.resolves)
                } else {
                    idle.insert(version.id)
                }
            }
            if questions.isEmpty { continue }
            try history(from: head, hiding: id) { version, made throws(StoreError) in
                if idle.contains(version.id) { return true }
                try settle(version, made.changes.map { VersionMessage.Question($0.subject, $0.facet) })
                return !questions.isEmpty
            }
            open += try conflicts(of: merge, questions)
        }
        return open
    }

    private func conflicts(of merge: Version, _ questions: [VersionMessage.Question]) throws(StoreError) -> [OpenConflict] {
        guard !questions.isEmpty else { return [] }
        let bases = try git { () throws(GitError) in try repository.mergeBases(of: merge.parents[0], and: merge.parents[1]) }
        let (base, ours, theirs) = (try snapshot(bases.first), try snapshot(merge.parents[0]), try snapshot(merge.parents[1]))
        let changes = questions.map { Change($0.subject, title: "", facet: $0.facet, before: nil, after: nil) }
        let our = try origins(of: changes, from: bases.first, to: ours.id)
        let their = try origins(of: changes, from: bases.first, to: theirs.id)
        // As the merge found them: names are those of its result.
        let known = try meaning(of: ours, and: theirs, since: bases).merge.conflicts
        var found: [OpenConflict] = []
        for (index, question) in questions.enumerated() {
            func content(_ snapshot: Snapshot) throws(StoreError) -> Change.Content? {
                let item = try snapshot.readable(question.subject)
                return question.facet == .existence ? item.map { .item($0) } : item?.facets[question.facet]
            }
            let (mine, other) = (try ours.readable(question.subject), try theirs.readable(question.subject))
            let asTheyStand = Conflict(
                question.subject, title: mine?.title ?? other?.title ?? "", facet: question.facet,
                base: try content(base), ours: try content(ours), theirs: try content(theirs)
            )
            let conflict = known.first { $0.subject == question.subject && $0.facet == question.facet } ?? asTheyStand
            found.append(
                OpenConflict(merge: merge, conflict: conflict, origin: ConflictOrigin(ours: our[index], theirs: their[index])))
        }
        return found
    }

    /// Settles the open question about `key`, and its `facet` where there are several.
    package func resolve(_ key: Key, _ facet: Facet?, _ answer: Answer, _ done: Done) throws(StoreError) -> Outcome {
        try record(done) { tip throws(StoreError) in
            let open = try self.openConflicts().filter {
                $0.conflict.subject.key == key && (facet == nil || $0.conflict.facet == facet)
            }
            guard let question = open.first else {
                throw StoreError(.missing, "no question about \(key) is open", hint: "'settings conflicts' lists those that are")
            }
            guard Set(open.map(\.conflict.facet)).count == 1 else {
                let facets = open.map(\.conflict.facet.token).joined(separator: ", ")
                throw StoreError(
                    .usage, "\(key) has \(open.count) open questions: \(facets)",
                    hint: "name one as \(key):\(open[0].conflict.facet.token)")
            }
            var edit = Edit(try self.settling(question.conflict, answer, at: tip))
            if answer != .ours && answer != .theirs || question.conflict.facet != .key {
                edit.touched = [question.conflict.subject]
            }
            edit.resolves = [VersionMessage.Question(question.conflict.subject, question.conflict.facet)]
            if edit.changes.isEmpty {
                let name = question.conflict.subject.key
                edit.subject = "\(name): \(question.conflict.facet.name) stays"
                edit.isRecordedAnyway = true
            }
            return edit
        }
    }

    private func settling(_ conflict: Conflict, _ answer: Answer, at tip: Snapshot) throws(StoreError) -> [Change] {
        var subjects: Set<Subject> = [conflict.subject]
        var renames: [(old: Subject, new: Subject)] = []
        let content = answer == .ours ? conflict.ours : answer == .theirs ? conflict.theirs : nil
        if conflict.facet == .key, case .key(let key)? = content, key != conflict.subject.key {
            let new: Subject = conflict.subject.isGroup ? .group(key) : .option(key)
            subjects.insert(new)
            if conflict.subject.isGroup {
                subjects.formUnion(try tip.subjects(in: conflict.subject.key))
                subjects.formUnion(try tip.subjects(in: key))
            }
            renames = [(conflict.subject, new)]
        }
        let before = try tip.settings(of: subjects)
        var after = before
        if let rename = renames.first, !before.canRename(rename.old, to: rename.new) {
            throw StoreError(
                .conflict, "\(rename.old.key) can't become \(rename.new.key): \(rename.new.key) is there already",
                hint: "keep the name with the other side's answer, or rename with 'settings rename'"
            )
        }
        switch answer {
        case .ours, .theirs: after.take(content, for: conflict)
        case .word(let word):
            guard case .option(let key) = conflict.subject, var option = after.options[key],
                conflict.facet == .value || conflict.facet == .default
            else {
                throw StoreError(
                    .usage, "\(conflict.facet.name) can't be given as a VALUE here",
                    hint: "say --ours or --theirs, or edit it with 'settings define'")
            }
            do {
                let value = try option.value(for: .word(word))
                if conflict.facet == .value { option.value = value } else { option.defaultValue = value }
            } catch {
                throw StoreError(.badData, "\(key): \(error.reason)", hint: error.hint)
            }
            after.options[key] = option
            after.dropLabel(keptFor: conflict)
        }
        if case .option(let key) = conflict.subject, let problem = after.options[key]?.problems().first {
            throw StoreError(.conflict, "\(key): decided so, \(problem.reason)", hint: "decide it with a VALUE that is offered")
        }
        return after.changes(since: before, renames: renames)
    }
}
