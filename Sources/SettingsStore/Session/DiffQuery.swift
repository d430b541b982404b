import Git
package import SettingsModel

/// What differs between two versions, or between one and the files as they stand.
package struct DiffQuery: Query {
    /// Options and groups; everything where there are none.
    package var keys: [String]
    /// Nil for the last version.
    package var old: VersionID?
    /// Nil for the files.
    package var new: VersionID?
    /// Whether to look for the version behind each change.
    package var wantsOrigins: Bool

    package init(_ keys: [String], from old: VersionID?, to new: VersionID?, wantsOrigins: Bool = false) {
        self.keys = keys
        self.old = old
        self.new = new
        self.wantsOrigins = wantsOrigins
    }

    package struct Answer: Sendable {
        package var from: VersionID?
        package var to: VersionID?
        package var changes: [Change]
        package var unreadable: [VersionChanges.Unreadable]
        /// For each change the versions behind it, as `History.origins` orders them; none for hand edits, and where they
        /// weren't asked for.
        package var origins: [[Origin]] = []
        /// Whether everything between the two versions is there: a shallow clone may lack versions behind the changes.
        package var isComplete = true
        /// The places in `changes` of those that no version of the shallow clone made.
        package var unknown: Set<Int> = []
        fileprivate var renames: [VersionMessage.Rename] = []
        /// What was edited by hand.
        fileprivate var draft: [Change] = []

        package var isEmpty: Bool { changes.isEmpty && unreadable.isEmpty }
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        var answer = try told(store, session)
        let masked = try MaskedNames(store.history)
        answer.changes = try masked.masking(answer.changes)
        for place in answer.origins.indices {
            let changes = try masked.masking(answer.origins[place].map(\.change))
            for (step, change) in changes.enumerated() { answer.origins[place][step].change = change }
        }
        return answer
    }

    private func told(_ store: Store, _ session: Session) throws(Problem) -> Answer {
        var answer = try compare(store, session)
        answer.renames = try store.history.renames(from: answer.from, to: answer.to)
        answer.isComplete = try !isCutOff(answer, store)
        guard wantsOrigins else {
            answer.origins = answer.changes.map { _ in [] }
            return answer
        }
        let history = store.history
        var origins = try history.origins(of: answer.changes, from: answer.from, to: answer.to, renames: answer.renames)
        try history.addEdits(since: &origins, of: answer.changes, from: answer.from, to: answer.to)
        answer.origins = zip(answer.changes.indices, origins).map { index, origin in
            let change = answer.changes[index]
            let isByHand = answer.draft.contains { edit in
                edit.subject == change.subject && (edit.facet == change.facet || edit.facet == .existence)
            }
            if !isByHand, origin.isEmpty, store.versions.isShallow { answer.unknown.insert(index) }
            return isByHand ? [] : origin
        }
        return answer
    }

    private func isCutOff(_ answer: Answer, _ store: Store) throws(Problem) -> Bool {
        guard store.versions.isShallow, let from = answer.from, let to = answer.to, from != to else { return false }
        let objects = store.versions.repository.objects
        return try git(objects.areCutOff([from, to], before: objects.mergeBases(of: from, and: to)))
    }

    private func compare(_ store: Store, _ session: Session) throws(Problem) -> Answer {
        let tip = try store.versions.tip()
        let old = try self.old.map { id throws(Problem) in try store.versions.snapshot(id) } ?? tip
        let new = try self.new.map { id throws(Problem) in try store.versions.snapshot(id) }
        let places = try places([old, new ?? tip], store, session)
        let renames = try store.history.renames(from: old.id, to: new?.id ?? tip.id)
        if let new {
            var made = try store.versions.changes(from: old, to: new, renames: renames)
            made.unreadable += try store.versions.misfits(among: made.changes.map(\.subject), at: new)
            return Answer(
                from: old.id, to: new.id, changes: made.changes.filter { $0.lies(in: places) }, unreadable: made.unreadable)
        }
        let draft = try store.workTree.draft(in: places)
        let inFiles = try store.tracking.handEdits(in: places, at: tip)
        let byHandInFiles = inFiles.after.changes(since: inFiles.before).filter { !draft.edited.contains($0.subject) }
        if self.old == nil {
            let changes = draft.changes + byHandInFiles
            return Answer(from: tip.id, to: tip.id, changes: changes, unreadable: draft.unreadable, draft: changes)
        }
        var made = try store.versions.changes(from: old, to: tip, renames: renames)
        made.changes = made.changes.filter { $0.lies(in: places) }
        made.unreadable += try store.versions.misfits(among: made.changes.map(\.subject), at: tip)
        let edited = Set(draft.edited + byHandInFiles.map(\.subject))
        made.unreadable.removeAll { file in edited.contains { $0.path == file.path } }
        guard !edited.isEmpty else {
            return Answer(from: old.id, to: tip.id, changes: made.changes, unreadable: made.unreadable + draft.unreadable)
        }
        // The files as they stand: what hand edits touch is compared as it is now.
        var (before, after) = draft.sides
        for subject in edited.subtracting(draft.edited) {
            (before[subject], after[subject]) = (inFiles.before[subject], inFiles.after[subject])
        }
        for subject in try store.versions.subjectsDiffering(from: old, to: tip) {
            let isEdited = edited.contains(subject)
            if try old.isUnreadable(subject) { continue }
            if try tip.isUnreadable(subject), !isEdited { continue }
            before[subject] = try old.mendable(subject)
            if !isEdited { after[subject] = try tip.mendable(subject) }
        }
        let byHand = draft.changes.compactMap(\.renaming).map { VersionMessage.Rename(old: $0.old, new: $0.new) }
        let all = Versions.shortened(renames + byHand)
        let changes = after.changes(since: before, renames: all.map { ($0.old, $0.new) }).filter { $0.lies(in: places) }
        return Answer(
            from: old.id, to: tip.id, changes: changes, unreadable: made.unreadable + draft.unreadable,
            draft: draft.changes + byHandInFiles)
    }

    /// What is there on either side.
    private func places(_ sides: [Snapshot], _ store: Store, _ session: Session) throws(Problem) -> [Key] {
        let files = keys.isEmpty ? [] : try session.folder.listing().subjects
        return try keys.places { word throws(Problem) in
            let typed = session.caller.word(word)
            for key in typed.readings {
                // A hand edit may have added it.
                if KeyLookup.isThere(key, onlyAsGroup: typed.isGroup, among: files) { return key }
                if try sides.hold(key, onlyAsGroup: typed.isGroup) { return key }
            }
            do throws(Problem) { return try sides.place(word, session.caller) } catch {
                let isVersion = (try? VersionQuery(word).answer(in: session)) != nil
                throw isVersion ? .key(.isVersion(word)) : error
            }
        }
    }
}

extension Change {
    /// Whether it is about something in `places`, by either name.
    func lies(in places: [Key]) -> Bool {
        subject.lies(in: places) || renaming.map { $0.old.lies(in: places) } ?? false
    }
}
