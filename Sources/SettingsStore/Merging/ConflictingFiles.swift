import Git
import SettingsModel

/// Files that git left in conflict: those of one item, or of a group about whose name the sides disagree with all that is in it.
struct ConflictingFiles {
    /// As it is called in the result.
    var subject: Subject
    var conflicts: [Conflict]
    /// What these files give by meaning, or all files of the merge.
    var merge: SettingsContent.Merge
    /// What the files are of.
    var paths: Set<Subject>
    /// What it is called on any side.
    var names: Set<Subject>
    /// What lies in the group is called, on any side.
    var inside: Set<Subject> = []
    /// The groups around it that one side removed: what becomes of their files depends on what is left in them.
    var groups: Set<Subject> = []
    /// Whether both versions are known, not these files alone.
    var isOfVersions = false
    /// The item as the sides have it; a side that can't be read is missing.
    var sides: [MergeWish.InForce: SettingsContent.Item?] = [:]
    /// What was decided on its own while more was in conflict.
    var decided: [Facet: Change.Content?] = [:]
    /// Whether it is one facet that is answered again, and the rest stays as it is staged.
    var isPart = false

    func isAbout(_ key: Key) -> Bool {
        [paths, names, inside].contains { $0.contains { $0.key == key } }
    }

    /// What is in conflict neither here nor there takes what it gives by meaning.
    mutating func add(_ other: ConflictingFiles) {
        paths.formUnion(other.paths)
        names.formUnion(other.names)
        inside.formUnion(other.inside)
    }

    /// Returns what this decided.
    mutating func settle(_ answer: ConflictAnswer, _ facet: Facet? = nil) throws(Problem) -> [VersionMessage.Question] {
        if let side = answer.side {
            if conflicts.isEmpty, paths.isEmpty, !isPart { throw .merge(.isInNoConflict(subject.key)) }
            if conflicts.isEmpty, let decided = try takeAsAsked(side, facet ?? .value) { return decided }
            let decided = try take(side)
            // Whoever asks for a side doesn't get the other one's value, even where it is in no conflict.
            guard facet == nil, isOneOption, let value = try takeAsAsked(side, .value) else { return decided }
            return decided + value
        }
        guard case .word(let word) = answer else { return [] }
        return try take(word)
    }

    /// Whether it is an option that both sides have, under one name.
    private var isOneOption: Bool {
        if case .option = subject {
            names.count == 1 && conflicts.allSatisfy { ![.existence, .key].contains($0.facet) }
        } else {
            false
        }
    }

    /// The facet that an answer is about while more of the option is in conflict; nil where it is about all that is.
    func part(_ facet: Facet?, _ answer: ConflictAnswer) -> Facet? {
        guard isOneOption, let facet = facet ?? (answer.side == nil ? .value : nil) else { return nil }
        return conflicts.contains { $0.facet != facet } ? facet : nil
    }

    /// What an answer says about a facet.
    func content(of facet: Facet, _ answer: ConflictAnswer) throws(Problem) -> Change.Content? {
        if let side = answer.side {
            guard let wanted = sides[side], let item = wanted else { throw .merge(.isInNoConflict(subject.key)) }
            return item.facets[facet]
        }
        guard case .word(let word) = answer, facet == .value else { throw .merge(.takesNoValue(facet)) }
        guard let option = merge.settings[subject]?.option else { return nil }
        // A label may be one that a side alone has.
        for one in [MergeWish.InForce.ours, .theirs].compactMap({ sides[$0]??.option }) {
            if let value = try? one.value(for: .word(word)) { return one.content(value) }
        }
        do { return try option.value(for: .word(word)).map { option.content($0) } } catch {
            throw .value(.refused(subject.key, error))
        }
    }

    /// Notes what was decided on its own: the sides in the index agree about it.
    mutating func noteDecided(ours: SettingsContent.Item, theirs: SettingsContent.Item) {
        let (our, their) = (ours.facets, theirs.facets)
        for conflict in conflicts where Change.Content.isSame(our[conflict.facet], their[conflict.facet]) {
            decided[conflict.facet] = .some(our[conflict.facet])
        }
        guard let merged = merge.settings[subject]?.facets else { return }
        for facet in Set(our.keys).union(their.keys) where Change.Content.isSame(our[facet], their[facet]) {
            if !Change.Content.isSame(merged[facet], our[facet]) { decided[facet] = .some(our[facet]) }
        }
        (sides[.ours], sides[.theirs]) = (ours, theirs)
    }

    /// Takes over what was decided on its own.
    mutating func settleDecided() {
        conflicts.removeAll { decided[$0.facet] != nil }
        guard var item = merge.settings[subject] else { return }
        for (facet, content) in decided { item.set(facet, to: content) }
        merge.settings[subject] = item
    }

    /// Where the sides fit together by meaning, a person who asks for one of them doesn't get the value of the other, although
    /// it alone changed it. Nil where both are the same there.
    private mutating func takeAsAsked(_ side: MergeWish.InForce, _ facet: Facet) throws(Problem) -> [VersionMessage.Question]? {
        guard !subject.isGroup, let wanted = sides[side] else { return nil }
        guard let item = wanted, var merged = merge.settings[subject] else {
            // A side may have it under another name.
            if (wanted == nil) == (merge.settings[subject] == nil) || names.count > 1 { return nil }
            merge.settings[subject] = wanted
            return [VersionMessage.Question(subject, .existence)]
        }
        if Change.Content.isSame(merged.facets[facet], item.facets[facet]) { return nil }
        let states = [merged, item].compactMap(\.option)
        merged.set(facet, to: item.facets[facet])
        if let problem = merged.option?.faults(comparedWith: states).first {
            throw .value(.unfitting(subject.key, problem, in: .question))
        }
        merge.settings[subject] = merged
        return [VersionMessage.Question(subject, facet)]
    }

    private mutating func take(_ side: MergeWish.InForce) throws(Problem) -> [VersionMessage.Question] {
        try merge.take(side, for: conflicts)
        try merge.fit(conflicts, to: side, in: .question)
        names.formUnion(names.map { conflicts.name(of: $0, on: side) })
        inside.formUnion(inside.map { conflicts.name(of: $0, on: side) })
        let keys = names.union(inside).map(\.key)
        groups = merge.removedGroups.filter { group in keys.contains { $0.isWithin(group.key) } }
        return conflicts.questions(taking: side)
    }

    private mutating func take(_ word: String) throws(Problem) -> [VersionMessage.Question] {
        guard case .option(let key) = subject, var option = merge.settings.options[key],
            conflicts.allSatisfy({ $0.facet == .value })
        else {
            throw .merge(.moreThanValueIsOpen(subject.key))
        }
        do { option.value = try option.value(for: .word(word)) } catch {
            if let side = side(offering: word) { return try take(side) }
            throw .value(.refused(key, error))
        }
        merge.settings.options[key] = option
        for conflict in conflicts { merge.settings.dropLabel(keptFor: conflict) }
        if let problem = merge.faults(of: subject).first { throw .value(.unfitting(key, problem, in: .question)) }
        return (conflicts.isEmpty ? [VersionMessage.Question(subject, .value)] : [])
            + conflicts.map { VersionMessage.Question($0.subject, $0.facet) }
    }

    /// The side that chose what `word` names, with a label that the other side removed.
    private func side(offering word: String) -> MergeWish.InForce? {
        let states = merge.sides[subject]
        return [(MergeWish.InForce.ours, states?.ours), (.theirs, states?.theirs)].first { side, item in
            guard let option = item?.option, let value = try? option.value(for: .word(word)) else { return false }
            return option.value == value && conflicts.contains { $0.facet == .value && $0.content(of: side)?.json == value }
        }?.0
    }
}

extension Merging {
    /// What git left in conflict in the store's files.
    func conflictingFiles() throws(Problem) -> [ConflictingFiles] {
        var paths: [(conflict: PathConflict, subject: Subject)] = []
        for conflict in try git(versions.repository.index.conflicts()) {
            guard let subject = versions.subject(atRepositoryPath: conflict.path) else { continue }
            paths.append((conflict, subject))
        }
        if paths.isEmpty { return [] }
        guard let whole = try gitMerge() else {
            let isRenamedTwice = paths.contains { $0.conflict.ours == nil && $0.conflict.theirs == nil }
            return try paths.map { conflict, subject throws(Problem) in
                let merge = try mergeAlone(conflict, subject, isRenamedTwice: isRenamedTwice)
                var files = ConflictingFiles(
                    subject: subject, conflicts: merge.conflicts, merge: merge, paths: [subject], names: [subject])
                try note(conflict, subject, in: &files)
                return files
            }
        }
        var found: [ConflictingFiles] = []
        for (conflict, subject) in paths {
            let item = try self.subject(of: conflict, subject, in: whole)
            let disputed = whole.disputed(item)
            if let place = found.firstIndex(where: { $0.subject == disputed }) {
                found[place].paths.insert(subject)
            } else {
                found.append(whole.files(of: disputed, at: subject))
            }
            if let place = found.firstIndex(where: { $0.subject == disputed }) {
                try note(conflict, subject, in: &found[place], theirs: whole.theirs)
            }
        }
        let merge = try present(whole, besides: Set(found.map(\.subject)))
        for place in found.indices {
            found[place].merge = merge
            found[place].settleDecided()
        }
        return found
    }

    /// What the sides of a file in conflict are: ours is the last version's, whatever it is called there.
    private func note(
        _ conflict: PathConflict, _ subject: Subject, in files: inout ConflictingFiles, theirs other: Snapshot? = nil
    ) throws(Problem) {
        let tip = try versions.tip()
        if files.sides[.ours] == nil {
            var isThere = false
            for name in files.names.sorted() where !isThere {
                isThere = try tip.has(name)
                if isThere, let item = try? tip.item(name) { files.sides[.ours] = .some(item) }
            }
            if !isThere { files.sides[.ours] = .some(nil) }
        }
        if files.sides[.theirs].flatMap({ $0 }) == nil {
            let theirs = try content(conflict.theirs, of: subject)[subject]
            if theirs != nil || conflict.theirs == nil { files.sides[.theirs] = .some(theirs) }
        }
        let known = (ours: try tip.file(of: subject), theirs: try other?.file(of: subject))
        let isDecided = known.ours?.id != conflict.ours?.id || other != nil && known.theirs?.id != conflict.theirs?.id
        guard isDecided, files.names == [subject],
            let ours = try content(conflict.ours, of: subject)[subject],
            let theirs = try content(conflict.theirs, of: subject)[subject]
        else { return }
        files.noteDecided(ours: ours, theirs: theirs)
    }

    /// The merge with what was settled already, of which the index says how.
    func present(_ whole: GitMerge, besides open: Set<Subject>) throws(Problem) -> SettingsContent.Merge {
        var merge = whole.meaning
        let settled = Set(merge.conflicts.map(\.subject)).filter { !$0.isGroup && !open.contains(whole.disputed($0)) }
        if settled.isEmpty { return merge }
        let index = try git(versions.repository.index.contents(under: versions.folderInRepository))
        for subject in settled {
            merge.settings[subject] = nil
            for name in whole.names(of: subject) where merge.settings[name] == nil {
                merge.settings[name] = try content(index?[name.path].flatMap(\.self), of: name)[name]
            }
        }
        merge.settleRemovedGroups()
        return merge
    }

    /// What a file is of by meaning. git takes a file for another one renamed that was only like it, and brings what the other
    /// side did to that one in: then it is about the one that was changed.
    private func subject(
        of conflict: PathConflict, _ subject: Subject, in whole: GitMerge
    ) throws(Problem) -> Subject {
        let item = whole.subject(of: conflict, subject)
        guard !whole.isInConflict(item), let base = try content(conflict.base, of: subject)[subject] else { return item }
        let changed = whole.meaning.conflicts.first { $0.facet == .existence && $0.base == .item(base) }
        return changed?.subject ?? item
    }

    /// One side of a file in conflict; nothing where git left its markers in it.
    func content(_ content: Content?, of subject: Subject, isNeeded: Bool = false) throws(Problem) -> SettingsContent {
        var settings = SettingsContent()
        guard let content else { return settings }
        let bytes = try git(versions.repository.objects.blob(content.id, atMost: JSON.sizeLimit))
        do {
            settings[subject] = try SettingsContent.Item(file: bytes, of: subject)
        } catch {
            if isNeeded { throw .file(.unreadable(error, path: subject.path)) }
        }
        return settings
    }

    /// A file alone, where the versions are not known.
    private func mergeAlone(
        _ conflict: PathConflict, _ subject: Subject, isRenamedTwice: Bool
    ) throws(Problem) -> SettingsContent.Merge {
        let base = try content(conflict.base, of: subject, isNeeded: true)
        let (ours, theirs) = (
            try content(conflict.ours, of: subject, isNeeded: true), try content(conflict.theirs, of: subject, isNeeded: true)
        )
        let sides = [base, ours, theirs].compactMap { $0[subject]?.option }
        if sides.count == 3, try isMistakenRename(conflict.path, base: sides[0], ours: sides[1], theirs: sides[2]) {
            var merge = SettingsContent.merge(base: ours, ours: ours, theirs: ours)
            merge.conflicts = [
                Conflict(
                    subject, title: sides[1].title, facet: .existence, base: nil, ours: .item(.option(sides[1])),
                    theirs: .item(.option(sides[2])),
                    reason: "these are two options: git mistook '\(sides[1].title)' for a rename of '\(sides[2].title)'")
            ]
            return merge
        }
        // Of a group, the file alone is in conflict.
        var merge = SettingsContent.merge(base: base, ours: ours, theirs: theirs, populated: [subject.key])
        // A file that one side alone has is in conflict because it had another name.
        if merge.conflicts.isEmpty, (conflict.ours == nil) != (conflict.theirs == nil), conflict.base != nil || isRenamedTwice {
            let item = ours[subject] ?? theirs[subject]
            merge.settings[subject] = item
            merge.conflicts = [
                Conflict(
                    subject, title: merge.settings.title(of: subject), facet: .existence, base: item.map { .item($0) },
                    ours: ours[subject].map { .item($0) }, theirs: theirs[subject].map { .item($0) },
                    reason: conflict.base == nil
                        ? "renamed on both sides, differently" : "renamed on one side, removed on the other")
            ]
        }
        return merge
    }
}

extension GitMerge {
    fileprivate func isInConflict(_ subject: Subject) -> Bool {
        let disputed = disputed(subject)
        return meaning.conflicts.contains { $0.subject == disputed }
    }

    /// Nothing is in conflict in git's index where no `path` is given.
    func files(of subject: Subject, at path: Subject? = nil) -> ConflictingFiles {
        let isGroup = subject.isGroup && meaning.conflicts.contains { $0.subject == subject && $0.facet == .key }
        func isAbout(_ other: Subject) -> Bool { other == subject || isGroup && other.key.isWithin(subject.key) }
        var files = ConflictingFiles(
            subject: subject, conflicts: meaning.conflicts.filter { isAbout($0.subject) }, merge: meaning,
            paths: path.map { [$0] } ?? [],
            names: names(of: subject), isOfVersions: true)
        guard isGroup else { return files }
        let all = meaning.settings.subjects.union(meaning.conflicts.map(\.subject))
        for other in all where other != subject && isAbout(other) { files.inside.formUnion(names(of: other)) }
        return files
    }
}
