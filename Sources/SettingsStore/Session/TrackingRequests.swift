package import SettingsModel

extension Session {
    /// Without a store that tracks files, that costs reading `_store.json`.
    func trackedStates() throws(Problem) -> [TrackedState] {
        if folder.bareRepository != nil { return [] }
        return try store.tracking.states()
    }
}

/// The files that the store keeps in step, and how each stands.
package struct TrackedQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [TrackedState] { try session.trackedStates() }
}

/// Whether a file is one that git ignores, or that only its owner may read: what looks like a secret stays there.
package struct PrivateFileQuery: Query {
    /// Absolute.
    package var path: String

    package init(_ path: String) { self.path = path }

    package func answer(in session: Session) throws(Problem) -> Bool { try session.store.tracking.isPrivate(path) }
}

/// Throws if a file is tracked for another group: what is imported of it would be there twice.
package struct UntrackedFileQuery: Query {
    /// Absolute.
    package var path: String
    package var group: Key

    package init(_ path: String, into group: Key) {
        self.path = path
        self.group = group
    }

    package func answer(in session: Session) throws(Problem) {
        let tracking = try session.store.tracking
        let shown = try tracking.place(of: path) ?? path
        let entries = try tracking.entries(at: session.store.versions.tip()) + tracking.entriesElsewhere()
        guard let entry = entries.first(where: { $0.path == shown }), entry.file.group != group else { return }
        throw .tracking(.isTracked(shown, group: entry.file.group))
    }
}

/// Tracks files: brings in what they mean, and remembers them, in one version.
package struct TrackAction: Action, Sendable {
    /// Absolute paths, and how the history names them.
    package var files: [(path: String, name: String)]
    package var group: Key
    package var format: FormatName?
    package var takesSecrets: Bool

    package init(_ files: [(path: String, name: String)], into group: Key, format: FormatName?, takesSecrets: Bool) {
        self.files = files
        self.group = group
        self.format = format
        self.takesSecrets = takesSecrets
    }

    package struct Outcome {
        package var outcome: SettingsModel.Outcome
        package var files: [TrackedFile] = []
        /// Members that look like secrets and stay in their files.
        package var left: [Key] = []
        /// Those that became options.
        package var masked: [Key] = []
        package var unmaskable: [Key] = []
        /// What there is to know about the files.
        package var notes: [Repair] = []
        /// Whether a file was tracked that no version has, so that there need not be a version.
        package var isNews = false

        package init() { outcome = .unchanged }
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        let store = try session.store
        try session.takeBackExpired(done)
        var result = Outcome()
        var elsewhere: [(file: TrackedFile, bytes: [UInt8])] = []
        defer { store.tracking.adding = [] }
        let outcome = try store.recorder.record(done) { tip throws(Problem) in
            result = Outcome()
            elsewhere = []
            var candidates: [Tracking.Candidate] = []
            var problems: [Problem] = []
            var names: [String] = []
            for (path, name) in files {
                let candidate: Tracking.Candidate
                do throws(Problem) {
                    candidate = try store.tracking.candidate(
                        at: try store.tracking.place(of: path), path, format: format, group: group, takesSecrets: takesSecrets,
                        at: tip)
                } catch {
                    if error.isPassing { throw error }
                    problems.append(error)
                    continue
                }
                candidates.append(candidate)
                names.append(name)
                if candidate.entry.isElsewhere { elsewhere.append((candidate.entry.file, candidate.bytes)) }
                result.left += candidate.imported.parts.left
                result.files.append(candidate.entry.file)
                result.masked += candidate.imported.parts.masked
                result.unmaskable += candidate.imported.parts.unmaskable
                result.notes += candidate.imported.repairs.filter { $0.kind == .noted }
            }
            if let problem = Problem.tracking(problems) { throw problem }
            var wish = ImportWish(
                zip(candidates, names).map { VersionMessage.ImportSource(format: $0.entry.file.format, name: $1) })
            wish.group = group
            store.tracking.adding = candidates
            return try store.tracking.adding(candidates, wish, store.importing, at: tip)
        }
        result.outcome = outcome
        for (file, bytes) in elsewhere {
            result.isNews = try store.tracking.remember(file, bytes, isDryRun: done.isDryRun) || result.isNews
        }
        return result
    }
}

/// Forgets files; they stay, and so do the options.
package struct UntrackAction: Action, Sendable {
    /// Absolute paths, and what was typed: an entry that can't be followed is named as it stands.
    package var files: [(path: String, word: String)]

    package init(_ files: [(path: String, word: String)]) { self.files = files }

    private var paths: [String] { files.map(\.path) }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> SettingsModel.Outcome {
        let store = try session.store
        try session.takeBackExpired(done)
        let former = try store.tracking.entries(at: store.versions.tip()).map(\.path)
        defer { if !done.isDryRun { for path in paths { store.tracking.forget(path) } } }
        let outcome = try store.recorder.record(done) { tip throws(Problem) in
            var places: [String] = []
            for (path, word) in files {
                let isElsewhere = try store.tracking.entriesElsewhere().contains { $0.path == path }
                if !isElsewhere {
                    places.append(try store.tracking.named(word, at: tip) ? word : store.tracking.place(of: path) ?? path)
                }
            }
            return places.isEmpty ? Edit([]) : try store.tracking.removing(places, at: tip)
        }
        if !done.isDryRun { try? store.tracking.nameDriver(former: former) }
        return outcome
    }
}

/// Brings all tracked files and the store together, in one direction.
package struct TrackedExchange: Action, Sendable {
    package enum Direction: Sendable { case importing, exporting }

    package var direction: Direction
    package var overwrites: Bool
    package var prunes: Bool

    package init(_ direction: Direction, overwrites: Bool, prunes: Bool) {
        self.direction = direction
        self.overwrites = overwrites
        self.prunes = prunes
    }

    package struct Outcome {
        package var outcome: SettingsModel.Outcome
        /// What only a file has, by the file.
        package var kept: [(path: String, changes: [Change])] = []
        package var states: [TrackedState] = []
        /// What was written into files that no version has.
        package var written: [TrackedWriting] = []

        package init() { outcome = .unchanged }
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome {
        let store = try session.store
        try session.takeBackExpired(done)
        let states = try store.tracking.states()
        if states.isEmpty { throw .tracking(.tracksNothing) }
        try store.tracking.checkAgreement(states, overwrites: overwrites)
        if let problem = Problem.tracking(states.compactMap(\.problem)) { throw problem }
        let wish = Tracking.Wish(overwrites: overwrites, prunes: prunes)
        var result = Outcome()
        result.states = states
        switch direction {
        case .importing:
            func taking() throws(Problem) -> SettingsModel.Outcome {
                try store.recorder.record(done) { tip throws(Problem) in try store.tracking.importing(wish, at: tip) }
            }
            result.outcome =
                done.isDryRun ? try taking() : try store.tracking.takeIn(in: [], done, by: store.recorder, then: taking)
        case .exporting:
            result.outcome = try store.recorder.record(done) { tip throws(Problem) in
                let (edit, kept) = try store.tracking.exporting(wish, at: tip)
                result.kept = kept
                return edit
            }
            var elsewhere = Tracking.ElsewhereWish()
            (elsewhere.overwrites, elsewhere.restores, elsewhere.isDryRun) = (overwrites, true, done.isDryRun)
            let brought = try store.tracking.bringElsewhere(Set(store.tracking.optionsElsewhere()), elsewhere)
            result.kept += brought.kept
            result.written = brought.written
            if let problem = Problem.tracking(brought.failed.map(\.problem)) { throw problem }
        }
        return result
    }
}
