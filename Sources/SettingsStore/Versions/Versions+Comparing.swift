import Git
package import SettingsModel

extension Versions {
    /// The files of the store's folder that differ between two trees of the repository, by their paths in it.
    func differences(from old: ObjectID?, to new: ObjectID?, in group: Key = .root) throws(GitError) -> [Difference] {
        if old == new { return [] }
        return try repository.objects.differences(from: storeFolder(in: old), to: storeFolder(in: new), under: group.path)
    }

    /// The items that differ between two snapshots, and files that are none.
    package func subjectsDiffering(from old: Snapshot, to new: Snapshot, in group: Key = .root) throws(Problem) -> [Subject] {
        try git(differences(from: old.tree, to: new.tree, in: group)).compactMap(\.subject)
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
        var (before, after) = (SettingsContent(), SettingsContent())
        var unreadable: [VersionChanges.Unreadable] = []
        func read(_ subject: Subject, _ contents: (old: Content?, new: Content?)) throws(Problem) {
            do throws(Problem) {
                // Where neither can be read, the later one is named.
                let later = try new.item(subject, contents.new, acceptingAnyValue: true)
                let earlier = try old.item(subject, contents.old, acceptingAnyValue: true)
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
            for difference in try git(differences(from: old.tree, to: new.tree)) {
                guard let subject = difference.subject else { continue }
                try read(subject, (difference.old, difference.new))
            }
        }
        return VersionChanges(
            changes: after.changes(since: before, renames: renames.map { ($0.old, $0.new) }), unreadable: unreadable
        )
    }

    /// Those of the files that a snapshot has and that are only understood for repairing them.
    func misfits(among subjects: some Sequence<Subject>, at new: Snapshot) throws(Problem) -> [VersionChanges.Unreadable] {
        var found: [VersionChanges.Unreadable] = []
        for subject in Set(subjects).sorted() where !subject.isGroup {
            do throws(Problem) { _ = try new.item(subject) } catch {
                guard error.kind == .badData else { throw error }
                if try !new.isUnreadable(subject) { found.append(VersionChanges.Unreadable(path: subject.path, error)) }
            }
        }
        return found
    }

    /// What a version changed; a merge, since its first parent.
    package func changes(of version: Version) throws(Problem) -> VersionChanges {
        // Before the boundary of a shallow clone nothing is known, so nothing is claimed.
        if isBoundary(version) { return VersionChanges(changes: [], unreadable: []) }
        return try changes(
            from: try snapshot(version.parents.first), to: try snapshot(version.id), renames: version.renames)
    }
}

extension Difference {
    /// What a file of the store's folder is about; nil where it isn't the store's.
    var subject: Subject? { pathIsValid ? Subject(path: path) : nil }
}

extension Key {
    /// The folder of a group in that of the store.
    var path: String { parts.joined(separator: "/") }
}
