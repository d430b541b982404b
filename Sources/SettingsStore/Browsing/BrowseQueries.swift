import Git
package import SettingsModel

/// Versions with what each changed, for a list of them. A version that changed more than `limit` files only has their number.
package struct ListedVersionsQuery: Query {
    package var ids: [VersionID]
    package var limit: Int

    package init(_ ids: [VersionID], limit: Int = 50) {
        self.ids = ids
        self.limit = limit
    }

    package struct Listed: Sendable {
        package var version: Version
        /// Nil where there are too many.
        package var changes: VersionChanges?
        /// How many files of the store differ from those of the first parent.
        package var count: Int
    }

    /// Versions that can't be read are left out.
    package func answer(in session: Session) throws(Problem) -> [Listed] {
        let store = try session.store
        let masked = try MaskedNames(store.history)
        var found: [Listed] = []
        for id in ids {
            guard let version = try? store.versions.version(id) else { continue }
            found.append(Listed(version: version, changes: VersionChanges(changes: []), count: 0))
            guard !store.versions.isBoundary(version), let place = found.indices.last else { continue }
            let count = try? store.versions.subjectsDiffering(
                from: store.versions.snapshot(version.parents.first), to: store.versions.snapshot(id)
            ).count
            found[place].count = count ?? 0
            guard let count, count <= limit, let changes = try? store.history.changes(of: version) else {
                found[place].changes = nil
                continue
            }
            let (shown, told) = try masked.masking(version, changes)
            (found[place].version, found[place].changes) = (shown, told)
        }
        return found
    }
}

/// A version with everything that it changed.
package struct VersionDetailQuery: Query {
    package var id: VersionID

    package init(_ id: VersionID) { self.id = id }

    package struct Answer: Sendable {
        package var version: Version
        package var changes: VersionChanges
        /// Whether it carries a signature, which is not checked here.
        package var isSigned: Bool
        /// Whether its changes are known; those of a shallow clone's first version are not.
        package var isComplete: Bool
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        let made = try store.versions.version(id)
        let (version, changes) = try MaskedNames(store.history).masking(made, try store.history.changes(of: made))
        let object = try git(store.versions.repository.objects.signature(of: id))
        return Answer(
            version: version, changes: changes, isSigned: !object.signature.isEmpty,
            isComplete: !store.versions.isBoundary(version))
    }
}

/// What versions are called: tags, and branches that are at them.
package struct VersionNamesQuery: Query {
    package init() {}

    package struct Names: Hashable, Sendable {
        package var tags: [String] = []
        package var branches: [String] = []
        /// Remote-tracking branches.
        package var remotes: [String] = []
        /// Whether HEAD is detached here.
        package var isHead = false
    }

    package func answer(in session: Session) throws(Problem) -> [VersionID: Names] {
        let store = try session.store
        var names: [VersionID: Names] = [:]
        for tag in try store.tags.list() { names[tag.commit, default: Names()].tags.append(tag.name) }
        let references = store.versions.repository.references
        let branches = try git(
            references.references(matching: "refs/heads/*") + references.references(matching: "refs/remotes/*"))
        for (name, target) in branches where !(name.hasPrefix("refs/remotes/") && name.hasSuffix("/HEAD")) {
            let short = name.split(separator: "/", maxSplits: 2).last.map(String.init) ?? name
            let kind = name.hasPrefix("refs/heads/") ? \Names.branches : \.remotes
            names[target, default: Names()][keyPath: kind].append(short)
        }
        if try store.versions.branch == nil, let head = try store.versions.head.commit {
            names[head, default: Names()].isHead = true
        }
        return names
    }
}

/// Everything as a version had it.
package struct PastSettingsQuery: Query {
    package var id: VersionID

    package init(_ id: VersionID) { self.id = id }

    package struct Answer: Sendable {
        package var settings = SettingsContent()
        package var unreadable: [Problem] = []
        /// What is called something else today: then and today.
        package var renamed: [Key: Key] = [:]
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        let snapshot = try store.versions.snapshot(id)
        let masked = try MaskedNames(store.history)
        var answer = Answer()
        for (subject, content) in try snapshot.files() {
            do throws(Problem) {
                var item = try snapshot.item(subject, content)
                if let option = item?.option { item = .option(try masked.masking(option, named: subject.key)) }
                answer.settings[subject] = item
            } catch {
                guard error.kind == .badData else { throw error }
                answer.unreadable.append(error)
            }
        }
        let tip = try store.versions.tip()
        let today = Set(try tip.subjects())
        guard answer.settings.options.keys.contains(where: { !today.contains(.option($0)) }) else { return answer }
        for (then, now) in try store.history.renames(from: id, to: tip) {
            if case .option(let key) = then, case .option(let new) = now { answer.renamed[key] = new }
        }
        return answer
    }
}

/// The files that a version changed, as they were before and after it.
package struct ChangedFilesQuery: Query {
    package var id: VersionID
    /// No more files.
    package var limit: Int

    package init(_ id: VersionID, limit: Int = 100) {
        self.id = id
        self.limit = limit
    }

    package struct File: Sendable {
        package var subject: Subject
        package var before: [UInt8]?
        package var after: [UInt8]?
        /// Whether it may hold a text that is masked, then or today.
        package var isMasked: Bool
    }

    package func answer(in session: Session) throws(Problem) -> (files: [File], more: Int, isComplete: Bool) {
        let store = try session.store
        let version = try store.versions.version(id)
        if store.versions.isBoundary(version) { return ([], 0, false) }
        let (old, new) = (try store.versions.snapshot(version.parents.first), try store.versions.snapshot(id))
        func bytes(_ subject: Subject, _ snapshot: Snapshot) throws(Problem) -> [UInt8]? {
            guard let content = try snapshot.file(of: subject) else { return nil }
            return try store.versions.bytes(content.id, content.mode, subject, in: snapshot.commit)
        }
        let masked = try MaskedNames(store.history)
        let subjects = try store.versions.subjectsDiffering(from: old, to: new)
        let files = try subjects.prefix(limit).map { subject throws(Problem) in
            var file = File(subject: subject, before: try bytes(subject, old), after: try bytes(subject, new), isMasked: false)
            for side in [file.before, file.after] where !file.isMasked {
                file.isMasked = try side.map { side throws(Problem) in try masked.hides(side, of: subject) } ?? false
            }
            return file
        }
        return (files, max(0, subjects.count - limit), true)
    }
}

/// What restoring would change, without recording it.
package struct RestoreQuery: Query {
    /// Options and groups; everything where there are none.
    package var places: [Key]
    package var version: VersionID

    package init(_ places: [Key], from version: VersionID) {
        self.places = places
        self.version = version
    }

    package struct Answer: Sendable {
        package var changes: [Change]
        /// What no longer fits, which `changes` leave as it is.
        package var conflicts: [Conflict]
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        let found = try store.reverting.restoring(places, from: version, exactly: false, at: try store.versions.tip())
        return Answer(changes: found.after.changes(since: found.before), conflicts: found.conflicts)
    }
}

/// The changes that take a version back, under the names that what it changed has today; they may no longer fit.
package struct RevertQuery: Query {
    package var version: VersionID
    /// What it changed of this alone, under the name that it had then; nil for all of it.
    package var subject: Subject?

    package init(_ version: VersionID, only subject: Subject? = nil) { (self.version, self.subject) = (version, subject) }

    package func answer(in session: Session) throws(Problem) -> [Change] {
        let store = try session.store
        let found = try store.versions.version(version)
        if store.versions.isBoundary(found) { throw .history(.isFirstOfClone(version)) }
        let changes = try store.history.inverse(of: found, only: subject, at: try store.versions.tip())
        if changes.contains(where: { $0.subject == .store && $0.facet == .existence && $0.after == nil }) {
            throw .recording(.removesStore)
        }
        return changes
    }
}

/// The key of what is there now, or was there once.
package struct PastPlaceQuery: Query {
    package var word: String

    package init(_ word: String) { self.word = word }

    package func answer(in session: Session) throws(Problem) -> Key { try session.pastPlace(word) }
}
