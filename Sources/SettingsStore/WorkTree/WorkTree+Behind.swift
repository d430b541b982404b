import Files
import Git
import SettingsModel

/// Files and index entries that still are as another version has them, because the branch was moved without them: in another
/// work tree, by a push or by `git update-ref`. Nobody edited them.
struct Behind {
    /// The version that the work tree was last brought to.
    let base: Snapshot
    /// What git's index holds, where the last version has something else.
    let contents: [Subject: Content?]

    /// Whether the file is behind as well, and not edited.
    func holds(_ bytes: [UInt8]?, _ subject: Subject) -> Bool {
        contents[subject].map { ExpectedContent.content($0).matches(bytes) } ?? false
    }
}

extension WorkTree {
    /// Nil where nothing is behind the last version; that costs one look.
    func behind(_ tip: Snapshot) throws(Problem) -> Behind? {
        guard let id = tip.id,
            let left = try git(versions.repository.references.leftBehind(by: id)),
            let entries = try git(versions.repository.index.contents(under: versions.folderInRepository))
        else { return nil }
        let base = try versions.snapshot(left)
        var contents: [Subject: Content?] = [:]
        for subject in try versions.subjectsDiffering(from: base, to: tip) {
            let content = try base.content(subject)
            // What somebody staged is an edit.
            if entries[subject.path] == content.map({ .some($0) }) { contents[subject] = .some(content) }
        }
        return contents.isEmpty ? nil : Behind(base: base, contents: contents)
    }
}

extension Recorder {
    /// Brings files that are behind the last version up to it, while the store's lock is held. Edits of them are laid on that
    /// version by meaning, what both have changed as the edit has it, and stay edits; what the file held is kept for 30 days.
    func catchUpUnderLock() throws(Problem) {
        let tip = try versions.tip()
        guard let behind = try workTree.behind(tip), let base = behind.base.id, let id = tip.id,
            try versions.operation == nil
        else { return }
        let own = try journal.ownFolder()
        var updates: [FileUpdate] = []
        var held: [(path: String, bytes: [UInt8]?)] = []
        for subject in behind.contents.keys.sorted() {
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
            if !behind.holds(there, subject) {
                guard let edited = try laid(there, of: subject, from: behind.base, onto: tip) else { continue }
                held.append((update.path, there))
                update.file = edited
            }
            updates.append(update)
        }
        let locked = try workTree.lockIndex()
        if !held.isEmpty { try keep(held, beside: tip, own) }
        // An edit must be in its file before the file counts as one of the last version.
        let edited = Set(held.map(\.path))
        let kept = try workTree.writeFiles(&updates, journal.durability) { edited.contains($0.path) }
        for place in updates.indices where edited.contains(updates[place].path) { updates[place].status = nil }
        updates.removeAll { kept.contains($0.path) }
        let written = try workTree.bringInStep(&updates, journal.durability, locked) { !edited.contains($0.path) }
        updates.removeAll { update in written.failed.contains { $0.path == update.path } }
        let program = Person(name: "settings", email: "settings@localhost")
        try git(
            versions.repository.references.logCheckout(
                from: base, to: id, by: Signature(program, at: Time(seconds: max(0, ThisProcess.now), offset: 0)),
                note: "settings: brought the files up to date"))
        if !updates.isEmpty { journal.tell(.caughtUp(updates.map(\.path), from: base, edited: held.map(\.path))) }
    }

    /// An edited file with what was recorded since; nil where one of the three can't be read.
    private func laid(
        _ bytes: [UInt8]?, of subject: Subject, from base: Snapshot, onto tip: Snapshot
    ) throws(Problem) -> [UInt8]?? {
        func alone(_ item: SettingsContent.Item?) -> SettingsContent {
            var settings = SettingsContent()
            settings[subject] = item
            return settings
        }
        let (old, ours) = (try base.readable(subject), try tip.readable(subject))
        let (wasThere, isThere) = (try base.has(subject), try tip.has(subject))
        if wasThere && old == nil || isThere && ours == nil { return nil }
        var theirs: SettingsContent.Item?
        if let bytes {
            guard let item = try? versions.folder.item(subject, file: bytes) else { return nil }
            theirs = item
        }
        var merge = SettingsContent.merge(
            base: alone(old), ours: alone(ours), theirs: alone(theirs), populated: [subject.key])
        merge.putInForce(.theirs)
        return .some(merge.settings[subject]?.file)
    }
}
