package import SettingsModel

/// Brings what another program's files have into the store, in one version.
package struct ImportAction: Action {
    package var imported: Imported
    package var wish: ImportWish
    /// Is told how many changes are about to be recorded.
    package var progress: (Int) -> Void

    package init(_ imported: Imported, _ wish: ImportWish, progress: @escaping (Int) -> Void = { _ in }) {
        self.imported = imported
        self.wish = wish
        self.progress = progress
    }

    package func perform(
        in session: Session, _ done: Done
    ) throws(Problem) -> (outcome: SettingsModel.Outcome, result: ImportResult) {
        let store = try session.store
        try session.takeBackExpired(done)
        var result = ImportResult()
        let outcome = try store.recorder.record(done) { tip throws(Problem) in
            let (edit, found) = try store.importing.importing(imported, wish, tip)
            result = found
            progress(result.changes.count)
            return edit
        }
        return (outcome, result)
    }
}

/// Names a version, moves its name or takes it away.
package enum TagAction: Action, Sendable {
    /// Nil names the last version. `moving`: a tag of that name is moved.
    case add(String, VersionID?, moving: Bool = false)
    case remove(String)

    package struct Outcome: Sendable {
        package var version: Version
        /// What the tag named before; nil for a new one.
        package var before: VersionID?
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        let store = try session.store
        switch self {
        case .add(let name, let version, let moving):
            let old = moving ? try store.tags.list().first { $0.name == name } : nil
            return Outcome(version: try store.tags.add(name, version, moving: moving, done), before: old?.commit)
        case .remove(let name):
            let tag = try store.tags.remove(name, done)
            return Outcome(version: try store.versions.version(tag.commit), before: tag.commit)
        }
    }
}

/// Creates a branch, or deletes one, and returns the version that it is at.
package enum BranchAction: Action, Sendable {
    /// Nil begins at the last version.
    case add(String, VersionID?)
    /// `forced`: also where its versions are on no other branch.
    case remove(String, forced: Bool)

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Version {
        let store = try session.store
        switch self {
        case .add(let name, let version): return try store.branches.add(name, version, done)
        case .remove(let name, let forced):
            let version = try store.branches.remove(name, forced: forced, done)
            let keys = try Remotes(store.versions).keys(ofBranch: name)
            if !done.isDryRun, !keys.isEmpty { try store.syncing.configure([], removing: keys) }
            return version
        }
    }
}

/// Checks out a branch: its files take the place of those of the one that is checked out.
package struct SwitchAction: Action, Sendable {
    package var name: String

    package init(_ name: String) { self.name = name }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> SettingsModel.Outcome {
        try session.store.branches.checkOut(name, done)
    }
}

/// Puts files back to the last version; what they held is kept for 30 days.
package struct DiscardAction: Action, Sendable {
    /// Options and groups; everything where there are none.
    package var keys: [String]

    package init(_ keys: [String] = []) { self.keys = keys }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Draft {
        do throws(Problem) { return try session.store.drafts.discard(in: try session.draftPlaces(keys), done) } catch {
            if case .file(.isStray(let stray)) = error { throw .file(.cannotDiscard(stray)) }
            throw error
        }
    }
}

/// Makes changes in what git's index holds; the files stay as they are. The inverse of a change takes it out again.
package struct StageAction: Action, Sendable {
    package var changes: [Change]

    package init(_ changes: [Change]) { self.changes = changes }

    package func perform(in session: Session, _ done: Done) throws(Problem) {
        if !done.isDryRun { try session.store.drafts.stage(changes) }
    }
}

/// Takes changes back in the files, and puts whole files back to what git's index holds; what they held is kept for 30 days.
package struct DiscardChangesAction: Action, Sendable {
    package var changes: [Change]
    package var files: [Subject]

    package init(_ changes: [Change], files: [Subject] = []) {
        self.changes = changes
        self.files = files
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) {
        try session.store.drafts.discard(changes, files: files, done)
    }
}

/// Brings back what was discarded last.
package struct BringBackAction: Action, Sendable {
    /// Options and groups, of each of which the last edits come back; the last discarded ones where there are none.
    package var keys: [String]

    package init(_ keys: [String] = []) { self.keys = keys }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Draft {
        try session.store.drafts.bringBack(in: try session.discardedPlaces(keys), done)
    }
}

/// Settles a file that git left in conflict, and tells git so, also once more. Nil where that isn't known.
package struct ResolveTextAction: Action, Sendable {
    package var key: Key
    package var facet: Facet?
    package var answer: ConflictAnswer

    package init(_ key: Key, _ facet: Facet?, _ answer: ConflictAnswer) {
        self.key = key
        self.facet = facet
        self.answer = answer
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> ResolvedText? {
        try session.store.merging.resolveText(key, facet, answer, done)
    }
}

/// Takes out of git's configuration in this clone what `SetUpAction` wrote. Returns whether there was anything.
package struct UndoSetUpAction: Action, Sendable {
    package init() {}

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Bool {
        try session.store.removeConfiguration(isDryRun: done.isDryRun)
    }
}

/// Has git merge the store's files by meaning in this clone, and wait for the disk as versions need it.
package struct SetUpAction: Action, Sendable {
    /// How to run this program.
    package var program: String

    package init(program: String) { self.program = program }

    package func perform(in session: Session, _ done: Done) throws(Problem) {
        if !done.isDryRun { try session.store.configureGit(program: program) }
    }
}
