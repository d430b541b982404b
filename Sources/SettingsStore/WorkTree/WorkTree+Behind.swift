import Files
import Git
import SettingsModel

/// Files and index entries that still are as another version has them. Nobody edited them: the branch was moved without them, in
/// another work tree, by a push or by `git update-ref`; or a file could not be written.
struct Behind {
    /// The version that the work tree was last brought to, where the branch was moved without it.
    var base: VersionID?
    /// What git's index holds then, where the last version has something else.
    var contents: [Subject: Content?] = [:]
    /// Files that could not be written and were not edited since.
    var unwritten: [UnwrittenFile] = []
    /// What those held that were edited since.
    var editedUnwritten: [Subject: Content?] = [:]
    /// Subjects of which nobody can tell whether somebody put an earlier content there or the branch was moved without them.
    var uncertain: Set<Subject> = []

    var isEmpty: Bool { contents.isEmpty && unwritten.isEmpty && editedUnwritten.isEmpty && uncertain.isEmpty }

    /// Whether the file is behind as well, and not edited.
    func holds(_ bytes: [UInt8]?, _ subject: Subject) -> Bool {
        contents[subject].map { ExpectedContent.content($0).matches(bytes) } ?? false
    }

    /// What an edited file was edited from, where that is not the last version's.
    func former(_ subject: Subject) -> Content?? { editedUnwritten[subject] ?? contents[subject] }
}

extension WorkTree {
    /// Nil where nothing is behind the last version; that costs two looks.
    func behind(_ tip: Snapshot) throws(Problem) -> Behind? {
        guard let id = tip.id else { return nil }
        var behind = Behind()
        let noted = try stillUnwritten(at: tip)
        behind.unwritten = noted.left
        for (subject, held) in noted.edited {
            if let held, try !git(versions.repository.objects.exists(held)) {
                behind.uncertain.insert(subject)
            } else {
                behind.editedUnwritten[subject] = .some(held.map { Content(id: $0, mode: .blob) })
            }
        }
        switch try git(versions.repository.references.standing(at: id, noted: journal.pending.checkout)) {
        case .atTip: break
        case .behind(let left): try addContents(of: left, to: &behind, tip)
        case .unknown(let last): behind.uncertain.formUnion(try former(than: tip, last))
        }
        return behind.isEmpty ? nil : behind
    }

    private func addContents(of left: VersionID, to behind: inout Behind, _ tip: Snapshot) throws(Problem) {
        guard let entries = try git(versions.repository.index.contents(under: versions.folderInRepository)) else { return }
        let base = try versions.snapshot(left)
        for subject in try versions.subjectsDiffering(from: base, to: tip) {
            let content = try base.content(subject)
            // What somebody staged is an edit.
            if entries[subject.path] == content.map({ .some($0) }) { behind.contents[subject] = .some(content) }
        }
        if !behind.contents.isEmpty { behind.base = left }
    }

    /// Of what git's index holds and the last version does not: what an earlier version had, or the one that the work tree was
    /// last known to be at. What no version has had, somebody staged.
    private func former(than tip: Snapshot, _ last: VersionID?) throws(Problem) -> Set<Subject> {
        var left = try indexContents(differingFrom: tip.loaded())
        guard let id = tip.id, !left.isEmpty else { return [] }
        var found: Set<Subject> = []
        func take(from version: Snapshot) throws(Problem) {
            for (subject, content) in left where try version.content(subject) == content {
                found.insert(subject)
                left[subject] = nil
            }
        }
        let objects = versions.repository.objects
        do throws(Problem) {
            if let last { try take(from: try versions.snapshot(last)) }
            var walk = try git(objects.history(of: id))
            while !left.isEmpty, let step = try git(walk.next(in: objects)) {
                try take(from: Snapshot(versions: versions, commit: step.commit))
            }
        } catch {
            // What an earlier version had is not here any more, or in a partial clone not yet.
            found.formUnion(left.keys)
        }
        return found
    }

    /// Notes that files and index are known to be at the last version, if that is not noted yet.
    func noteCheckout(at tip: Snapshot) {
        guard let id = tip.id, let state = try? versions.repository.references.checkoutState() else { return }
        let checkout = Checkout(commit: id, state: state)
        guard journal.pending.checkout != checkout, !journal.pending.isThere, (try? versions.head.commit) == id else { return }
        journal.pending.write(checkout)
    }

    /// A file that was edited while it was not as the last version has it, with what that version changed; nil where one of the
    /// three can't be read. `former`: what it was edited from.
    func laid(
        _ bytes: [UInt8]?, of subject: Subject, from former: Content?, onto tip: Snapshot
    ) throws(Problem) -> SettingsContent.Item?? {
        func alone(_ item: SettingsContent.Item?) -> SettingsContent {
            var settings = SettingsContent()
            settings[subject] = item
            return settings
        }
        let (old, ours) = (try tip.readable(subject, former), try tip.readable(subject))
        if former != nil && old == nil { return nil }
        if ours == nil, try tip.has(subject) { return nil }
        var theirs: SettingsContent.Item?
        if let bytes {
            guard let item = try? versions.folder.item(subject, file: bytes) else { return nil }
            theirs = item
        }
        var merge = SettingsContent.merge(
            base: alone(old), ours: alone(ours), theirs: alone(theirs), populated: [subject.key])
        merge.putInForce(.theirs)
        return .some(merge.settings[subject])
    }
}

extension Recorder {
    /// Brings files that are behind the last version up to it, while the store's lock is held. Edits of them are laid on that
    /// version by meaning, what both have changed as the edit has it, and stay edits; what the file held is kept for 30 days.
    func catchUpUnderLock() throws(Problem) {
        let tip = try versions.tip()
        guard let behind = try workTree.behind(tip), let id = tip.id, try versions.operation == nil else { return }
        if !behind.uncertain.isEmpty { try workTree.noteUncertain(behind.uncertain) }
        var updates: [FileUpdate] = []
        var held: [(path: String, bytes: [UInt8]?)] = []
        for subject in Set(behind.contents.keys).union(behind.editedUnwritten.keys).sorted() {
            var update = FileUpdate(path: versions.repositoryPath(subject), content: try tip.content(subject))
            guard update.content?.mode.isRegular != false else { continue }
            let there: [UInt8]?
            do throws(Problem) { there = try versions.folder.bytes(of: subject) } catch {
                // Nobody knows what it is: left alone, and no draft that can be recorded.
                if error.kind == .badData { continue }
                throw error
            }
            update.mode = update.content?.mode ?? .blob
            update.isOld = true
            update.old = .bytes(there)
            update.file = try workTree.committedFile(subject, in: tip)
            if !behind.holds(there, subject), !behind.unwritten.contains(where: { $0.path == update.path }),
                let former = behind.former(subject)
            {
                // It still can't be written.
                if behind.editedUnwritten[subject] != nil,
                    FileSystem.refusal(toReplace: workTree.root.full(update.path)) != nil
                {
                    continue
                }
                guard let edited = try workTree.laid(there, of: subject, from: former, onto: tip) else { continue }
                held.append((update.path, there))
                update.file = edited?.file
            }
            updates.append(update)
        }
        if updates.isEmpty, behind.base == nil { return }
        let own = try journal.ownFolder()
        let locked = try workTree.lockIndex()
        if !held.isEmpty { try keep(held, beside: tip, own) }
        // An edit must be in its file before the file counts as one of the last version.
        let edited = Set(held.map(\.path))
        let kept = try workTree.writeFiles(&updates, journal.durability) { edited.contains($0.path) }
        for place in updates.indices where edited.contains(updates[place].path) { updates[place].status = nil }
        updates.removeAll { kept.contains($0.path) }
        let written = try workTree.bringInStep(&updates, journal.durability, locked, at: id) { !edited.contains($0.path) }
        updates.removeAll { update in written.failed.contains { $0.path == update.path } }
        let laid = updates.map(\.path)
        guard let base = behind.base else {
            if !laid.isEmpty { journal.tell(.finished(laid, edited: laid)) }
            return
        }
        let program = Person(name: "settings", email: "settings@localhost")
        try git(
            versions.repository.references.logCheckout(
                from: base, to: id, by: Signature(program, at: Time(seconds: max(0, ThisProcess.now), offset: 0)),
                note: "settings: brought the files up to date"))
        if !laid.isEmpty { journal.tell(.caughtUp(laid, from: base, edited: held.map(\.path))) }
    }
}
