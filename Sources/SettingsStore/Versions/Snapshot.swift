import Git
package import SettingsModel

/// The settings as one commit has them, read as far as they are asked for.
package struct Snapshot {
    let store: Store
    /// Nil before the first version.
    let commit: CommitHeader?
    /// What stands at each path of the store's folder, where that was looked up for all at once. ASCII alone: Swift takes
    /// some other strings for equal that are different names.
    private(set) var contents: [String: Content]?

    init(store: Store, commit: CommitHeader?) {
        self.store = store
        self.commit = commit
    }

    package var id: VersionID? { commit?.id }
    var tree: ObjectID? { commit?.tree }

    /// Nil where there is none.
    package func item(_ subject: Subject) throws(Problem) -> Settings.Item? {
        try item(subject, try content(subject))
    }

    /// The item that `content` of this version holds. `acceptingAnyValue`: as `Option.init(file:acceptingAnyValue:)`.
    func item(
        _ subject: Subject, _ content: Content?, acceptingAnyValue: Bool = false
    ) throws(Problem) -> Settings.Item? {
        guard let content else { return nil }
        return try store.read(content.id, content.mode, subject, in: commit, acceptingAnyValue: acceptingAnyValue)
    }

    /// For whoever puts right what is chosen there, or tells what came before.
    func mendable(_ subject: Subject) throws(Problem) -> Settings.Item? {
        try item(subject, try content(subject), acceptingAnyValue: true)
    }

    /// Nil also where it can't be read.
    func readable(_ subject: Subject) throws(Problem) -> Settings.Item? { try readable(subject, try content(subject)) }

    private func readable(_ subject: Subject, _ content: Content?) throws(Problem) -> Settings.Item? {
        do throws(Problem) { return try item(subject, content) } catch {
            guard error.kind == .badData else { throw error }
            return nil
        }
    }

    /// Whether anything is at this path of the store's folder.
    func hasEntry(at path: String) throws(Problem) -> Bool {
        guard let tree else { return false }
        return try git { () throws(GitError) in try store.repository.entry(at: store.prefix + path, in: tree) } != nil
    }

    package func option(_ key: Key) throws(Problem) -> Option? { try item(.option(key))?.option }

    /// Whether the two lines of a choice's file name different labels. Nil also where it can't be read.
    func disagreement(_ subject: Subject) throws(Problem) -> Selection.Disagreement? {
        do throws(Problem) {
            return try file(of: subject).flatMap { content throws(Problem) in try disagreement(subject, content) }
        } catch {
            guard error.kind == .badData else { throw error }
            return nil
        }
    }

    func disagreement(_ subject: Subject, _ content: Content) throws(Problem) -> Selection.Disagreement? {
        let bytes = try store.bytes(content.id, content.mode, subject, in: commit)
        guard let option = try store.item(subject, bytes, in: commit).option else { return nil }
        return Selection.disagreement(in: bytes, meaning: option)
    }

    /// These items and no others.
    package func settings(
        of subjects: some Sequence<Subject>, acceptingAnyValue: Bool = false
    ) throws(Problem) -> Settings {
        var settings = Settings()
        for subject in subjects {
            settings[subject] = try item(subject, try content(subject), acceptingAnyValue: acceptingAnyValue)
        }
        return settings
    }

    /// Everything that lies in `group`.
    package func settings(in group: Key = .root) throws(Problem) -> Settings {
        var settings = Settings()
        for (subject, content) in try files(in: group) {
            settings[subject] = try store.read(content.id, content.mode, subject, in: commit)
        }
        return settings
    }

    package func subjects(in group: Key = .root) throws(Problem) -> [Subject] {
        try files(in: group).map(\.subject)
    }

    /// What lies in `group`, with where it stands in git.
    func files(in group: Key = .root) throws(Problem) -> [(subject: Subject, content: Content)] {
        guard let tree else { return [] }
        let under = (store.prefix + group.parts.joined(separator: "/")).trimmingSlash
        return try git { () throws(GitError) in try store.repository.files(in: tree, under: under) }
            .compactMap { file in
                guard file.pathIsValid, let subject = store.subject(atRepositoryPath: file.path) else { return nil }
                return (subject, Content(id: file.id, mode: file.mode))
            }
    }

    /// From here on files are looked up all at once.
    static let manyFiles = 64

    /// The same, for whoever asks about `count` of its files.
    package func loaded(for count: Int) throws(Problem) -> Snapshot { count > Self.manyFiles ? try loaded() : self }

    /// The same, for whoever asks about many of its files.
    func loaded() throws(Problem) -> Snapshot {
        guard contents == nil, let tree else { return self }
        var snapshot = self
        if let last = store.lastContents, last.tree == tree {
            snapshot.contents = last.contents
        } else {
            let contents = try git { () throws(GitError) in
                try store.repository.contents(of: tree, under: store.prefix.trimmingSlash)
            }
            store.lastContents = (tree, contents)
            snapshot.contents = contents
        }
        return snapshot
    }

    func content(_ subject: Subject) throws(Problem) -> Content? {
        if let contents { return contents[subject.path] }
        return try content(at: store.repositoryPath(subject))
    }

    /// Nil also for a folder, which is no file whatever its name.
    func file(of subject: Subject) throws(Problem) -> Content? {
        let content = try content(subject)
        return content?.mode == .tree ? nil : content
    }

    /// Whether it has a file, be it one that can't be read.
    package func has(_ subject: Subject) throws(Problem) -> Bool { try file(of: subject) != nil }

    /// What stands at a path of the repository.
    func content(at path: String) throws(Problem) -> Content? {
        guard let tree else { return nil }
        return try git { () throws(GitError) in try store.repository.entry(at: path, in: tree) }.map {
            Content(id: $0.id, mode: $0.mode)
        }
    }
}

extension Store {
    /// The last version.
    package func tip() throws(Problem) -> Snapshot {
        try snapshot(try head.commit)
    }

    package func snapshot(_ id: VersionID?) throws(Problem) -> Snapshot {
        guard let id else { return Snapshot(store: self, commit: nil) }
        return Snapshot(store: self, commit: try git { () throws(GitError) in try repository.header(id) })
    }

    package func version(_ id: VersionID) throws(Problem) -> Version {
        Version(try git { () throws(GitError) in try repository.commit(id) })
    }

    /// The next version of a walk; whoever waits is told how many there were.
    func next(_ walk: inout Walk) throws(Problem) -> VersionID? {
        countOne()
        return try git { () throws(GitError) in try walk.next() }
    }

    func countOne() {
        walked += 1
        if walked & 63 == 0 { progress?(walked) }
    }

    /// One committed file.
    func read(
        _ id: ObjectID, _ mode: FileMode, _ subject: Subject, in commit: CommitHeader?, acceptingAnyValue: Bool = false
    ) throws(Problem) -> Settings.Item {
        if mode.isRegular, let last = lastItems.first(where: { $0.id == id && $0.subject == subject }) { return last.item }
        let file = try bytes(id, mode, subject, in: commit)
        do throws(Problem) {
            let item = try item(subject, file, in: commit)
            if lastItems.count == 3 { lastItems.removeFirst() }
            lastItems.append((subject, id, item))
            return item
        } catch {
            if acceptingAnyValue, let item = try? Settings.Item(file: file, of: subject, acceptingAnyValue: true) { return item }
            throw error
        }
    }

    func bytes(
        _ id: ObjectID, _ mode: FileMode, _ subject: Subject, in commit: CommitHeader?
    ) throws(Problem) -> [UInt8] {
        guard mode.isRegular else {
            throw .file(.isNotRegularIn(subject.path, commit?.id))
        }
        do throws(GitError) { return try repository.blob(id, atMost: JSON.sizeLimit) } catch {
            guard error.kind == .tooLarge else { throw Problem(error) }
            throw .file(.isTooLarge(subject.path))
        }
    }

    fileprivate func item(
        _ subject: Subject, _ file: [UInt8], in commit: CommitHeader?
    ) throws(Problem) -> Settings.Item {
        do throws(BadFile) { return try Settings.Item(file: file, of: subject) } catch {
            throw .file(.unreadable(error, path: subject.path, in: commit?.id))
        }
    }

    /// The items that differ between two snapshots, and files that are none.
    package func subjectsDiffering(from old: Snapshot, to new: Snapshot, in group: Key = .root) throws(Problem) -> [Subject] {
        let under = (prefix + group.parts.joined(separator: "/")).trimmingSlash
        return try git { () throws(GitError) in try repository.differences(from: old.tree, to: new.tree, under: under) }
            .compactMap { $0.pathIsValid ? subject(atRepositoryPath: $0.path) : nil }
    }

    /// Those of them that lie in one of `places`.
    func subjectsDiffering(from old: Snapshot, to new: Snapshot, in places: [Key]) throws(Problem) -> [Subject] {
        if places.isEmpty || places.contains(where: \.isRoot) {
            return try subjectsDiffering(from: old, to: new).filter { $0.lies(in: places) }
        }
        var subjects: Set<Subject> = []
        for place in places {
            if try old.file(of: .option(place)) != new.file(of: .option(place)) { subjects.insert(.option(place)) }
            subjects.formUnion(try subjectsDiffering(from: old, to: new, in: place))
        }
        // As git sorts their paths.
        return subjects.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// What leads from one moment to another. Files that can't be read on either side are named instead.
    package func changes(
        from old: Snapshot, to new: Snapshot, renames: [VersionMessage.Rename] = [], of subjects: [Subject]? = nil
    ) throws(Problem) -> VersionChanges {
        var (before, after) = (Settings(), Settings())
        var unreadable: [VersionChanges.Unreadable] = []
        func read(_ subject: Subject, _ contents: (old: Content?, new: Content?)) throws(Problem) {
            do throws(Problem) {
                let earlier = try old.item(subject, contents.old, acceptingAnyValue: true)
                let later = try new.item(subject, contents.new, acceptingAnyValue: true)
                before[subject] = earlier
                after[subject] = later
            } catch {
                guard error.kind == .badData else { throw error }
                unreadable.append(VersionChanges.Unreadable(path: subject.path, error))
            }
        }
        if let subjects {
            for subject in subjects { try read(subject, (try old.file(of: subject), try new.file(of: subject))) }
        } else {
            let under = prefix.trimmingSlash
            for difference in try git({ () throws(GitError) in
                try repository.differences(from: old.tree, to: new.tree, under: under)
            }) where difference.pathIsValid {
                guard let subject = subject(atRepositoryPath: difference.path) else { continue }
                try read(subject, (difference.old, difference.new))
            }
        }
        return VersionChanges(
            changes: after.changes(since: before, renames: renames.map { ($0.old, $0.new) }), unreadable: unreadable
        )
    }

    /// What a version changed; a merge, since its first parent.
    package func changes(of version: Version) throws(Problem) -> VersionChanges {
        // Before the boundary of a shallow clone nothing is known, so nothing is claimed.
        if isBoundary(version) { return VersionChanges(changes: [], unreadable: []) }
        return try changes(
            from: try snapshot(version.parents.first), to: try snapshot(version.id), renames: version.message.renames)
    }

    /// Whether a shallow clone ends at this version.
    package func isBoundary(_ version: Version) -> Bool { isBoundary(version.parents) }

    func isBoundary(_ parents: [VersionID]) -> Bool {
        isShallow && !parents.isEmpty && !parents.allSatisfy { (try? repository.exists($0)) ?? true }
    }
}
