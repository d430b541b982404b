import Git
import SettingsModel

/// A version and the files that it changed, as an index names them, read but not understood yet: that any thread can do, and
/// no tree is needed for it.
struct IndexedVersion: Sendable {
    let commit: Commit
    let named: NamedVersions
    let people: Mailmap
    /// What stood in each before and after it.
    let files: [(subject: Subject, before: [UInt8]?, after: [UInt8]?)]

    enum Meaning: Sendable {
        /// The filter doesn't want it.
        case unwanted
        case changes(Version, VersionChanges)
        /// Only trees tell.
        case unclear
    }

    func meaning(_ filter: HistoryFilter) -> Meaning {
        let version = Version(commit, people, renames: [], named: named)
        var (before, after) = (SettingsContent(), SettingsContent())
        for file in files {
            do throws(BadFile) {
                before[file.subject] = try Self.item(file.before, of: file.subject, acceptingAnyValue: true)
                after[file.subject] = try Self.item(file.after, of: file.subject)
            } catch { return .unclear }
        }
        let changes = VersionChanges(changes: after.changes(since: before))
        guard !changes.changes.isEmpty, filter.takes(version), filter.takes(version, changes) else { return .unwanted }
        return .changes(version, changes)
    }

    private static func item(
        _ file: [UInt8]?, of subject: Subject, acceptingAnyValue: Bool = false
    ) throws(BadFile) -> SettingsContent.Item? {
        guard let file else { return nil }
        return try SettingsContent.Item(file: file, of: subject, acceptingAnyValue: acceptingAnyValue)
    }
}

/// Reads versions that an index names, the newest first.
final class IndexedVersions {
    private let index: HistoryIndex
    private let versions: Versions
    private let filter: HistoryFilter
    /// Of each path of the index; nil where it is in no place that is asked for, or no file of a store.
    private let subjects: [Subject?]
    /// What stood at a path before the version that was read last: it stands there after the next one that touches it.
    private var earlier: [UInt32: (id: ObjectID, file: [UInt8])] = [:]
    /// Of a larger file it isn't kept.
    private static let sizeLimit = 4096

    init(_ index: HistoryIndex, of places: [Key], _ marks: [Bool], _ filter: HistoryFilter, in versions: Versions) {
        self.index = index
        self.versions = versions
        self.filter = filter
        subjects = marks.indices.map { path in
            guard marks[path], let subject = Subject(path: String(decoding: index.path(path), as: UTF8.self)) else { return nil }
            return subject.lies(in: places) ? subject : nil
        }
    }

    /// Nil for a merge, a version that renamed something, and where a file can't be read.
    func read(_ number: Int) throws(Problem) -> IndexedVersion? {
        let commit = try git(versions.repository.objects.commit(index.id(number)))
        guard commit.parents.count < 2, !index.renames(number) else { return nil }
        // No file is read of what isn't wanted anyway.
        if filter.isAboutPeople, !filter.takes(Version(commit, versions.mailmap)) {
            return IndexedVersion(commit: commit, named: NamedVersions(), people: versions.mailmap, files: [])
        }
        let named = try versions.named(by: commit)
        var files: [(subject: Subject, before: [UInt8]?, after: [UInt8]?)]? = []
        index.eachTouch(by: number) { path, place in
            guard let subject = subjects[Int(path)] else { return }
            let content = index.content(place)
            guard let after = file(content.after, path), let before = file(content.before, path) else { return files = nil }
            earlier[path] = nil
            if let before, before.count < Self.sizeLimit { earlier[path] = (content.before, before) }
            files?.append((subject, before, after))
        }
        return files.map { IndexedVersion(commit: commit, named: named, people: versions.mailmap, files: $0) }
    }

    /// A file that may not be there; nil where it can't be read.
    private func file(_ id: ObjectID, _ path: UInt32) -> [UInt8]?? {
        if id == HistoryContent.none { return .some(nil) }
        if let earlier = earlier[path], earlier.id == id { return earlier.file }
        if id == HistoryContent.unknown { return nil }
        // Not `try?`, which would make of a file that can't be read one that isn't there.
        do { return .some(try versions.repository.objects.blob(id, atMost: JSON.sizeLimit)) } catch { return nil }
    }
}

extension HistoryFilter {
    /// Whether it asks who recorded a version, or for whom.
    fileprivate var isAboutPeople: Bool { author != nil || requestedBy != nil || ticket != nil }
}
