import Files
import Git
package import SettingsModel

/// The settings as one commit has them, read as far as they are asked for.
package struct Snapshot {
    let versions: Versions
    /// Nil before the first version.
    let commit: CommitHeader?
    /// What stands at each path of the store's folder, where that was looked up for all at once.
    private(set) var contents: FolderContents?

    init(versions: Versions, commit: CommitHeader?) {
        self.versions = versions
        self.commit = commit
    }

    package var id: VersionID? { commit?.id }
    /// All of the repository.
    var tree: ObjectID? { commit?.tree }
    /// The tree of the store's folder; nil where it isn't there.
    var folder: ObjectID? { get throws(GitError) { try versions.storeFolder(in: tree) } }

    /// Nil where there is none.
    package func item(_ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        try item(subject, try content(subject))
    }

    /// The item that `content` of this version holds. `acceptingAnyValue`: as `SettingsOption.init(file:acceptingAnyValue:)`.
    func item(
        _ subject: Subject, _ content: Content?, acceptingAnyValue: Bool = false
    ) throws(Problem) -> SettingsContent.Item? {
        guard let content else { return nil }
        do throws(Problem) {
            return try versions.read(content.id, content.mode, subject, in: commit, acceptingAnyValue: acceptingAnyValue)
        } catch {
            if error.isNoOption { return nil }
            throw error
        }
    }

    /// For whoever puts right what is chosen there, or tells what came before.
    func mendable(_ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        try item(subject, try content(subject), acceptingAnyValue: true)
    }

    /// Whether it has a file that can't even be read for repairing it.
    func isUnreadable(_ subject: Subject) throws(Problem) -> Bool {
        do throws(Problem) { _ = try mendable(subject) } catch {
            guard error.kind == .badData else { throw error }
            return true
        }
        return false
    }

    /// As `mendable`; nil also where it can't be read.
    func mendableIfReadable(_ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        do throws(Problem) { return try mendable(subject) } catch {
            guard error.kind == .badData else { throw error }
            return nil
        }
    }

    /// The same changes, with those marked that bring an item whose file is there and can't be read.
    func markingRepairs(_ changes: [Change]) throws(Problem) -> [Change] {
        var changes = changes
        for place in changes.indices where changes[place].facet == .existence && changes[place].before == nil {
            changes[place].isRepair = try isUnreadable(changes[place].subject)
        }
        return changes
    }

    /// Nil also where it can't be read.
    func readable(_ subject: Subject, acceptingAnyValue: Bool = false) throws(Problem) -> SettingsContent.Item? {
        try readable(subject, try content(subject), acceptingAnyValue: acceptingAnyValue)
    }

    func readable(
        _ subject: Subject, _ content: Content?, acceptingAnyValue: Bool = false
    ) throws(Problem) -> SettingsContent.Item? {
        do throws(Problem) { return try item(subject, content, acceptingAnyValue: acceptingAnyValue) } catch {
            guard error.kind == .badData else { throw error }
            return nil
        }
    }

    /// Works with this version to make a new one: a file of it that can't be read is one to be repaired.
    func editing<Result>(_ work: (Snapshot) throws(Problem) -> Result) throws(Problem) -> Result {
        do throws(Problem) { return try work(self) } catch {
            guard case .file(.unreadable(let fault, let path, let version?)) = error, version == id else { throw error }
            throw .recording(.lastIsUnreadable(fault, path: path, in: version))
        }
    }

    /// Refuses a version whose store is of a later format, so that its files may mean something else.
    func checkFormat() throws(Problem) {
        guard let content = try content(.store), content.mode.isRegular,
            let later = StoreDefinition.laterFormat(file: try versions.bytes(content.id, content.mode, .store, in: commit))
        else { return }
        throw .file(.unreadable(later, path: Subject.store.path, in: id))
    }

    /// Whether anything is at this path of the store's folder.
    func hasEntry(at path: String) throws(Problem) -> Bool {
        try entry(at: path) != nil
    }

    package func option(_ key: Key) throws(Problem) -> SettingsOption? { try item(.option(key))?.option }

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
        let bytes = try versions.bytes(content.id, content.mode, subject, in: commit)
        guard let option = try versions.item(subject, bytes, in: commit).option else { return nil }
        return Selection.disagreement(in: bytes, meaning: option)
    }

    /// These items and no others.
    package func settings(
        of subjects: some Sequence<Subject>, acceptingAnyValue: Bool = false
    ) throws(Problem) -> SettingsContent {
        var settings = SettingsContent()
        for subject in subjects {
            settings[subject] = try item(subject, try content(subject), acceptingAnyValue: acceptingAnyValue)
        }
        return settings
    }

    /// Everything that lies in `group`.
    package func settings(in group: Key = .root) throws(Problem) -> SettingsContent {
        var settings = SettingsContent()
        let files = try files(in: group)
        settings.options.reserveCapacity(files.count)
        try eachItem(of: files) { subject, file throws(Problem) in settings[subject] = try file.item.get() }
        return settings
    }

    /// A file of this version as it was read; no bytes where that was not possible.
    struct ReadFile: Sendable {
        var bytes: [UInt8]
        var item: Result<SettingsContent.Item, Problem>
    }

    /// Gives each of these files that is of the store, in their order: git's objects are read one after the other, what they
    /// mean is worked out on all processors. Throws what keeps git from reading its objects; what is wrong with a file is in `item`.
    func eachItem(
        of files: [(subject: Subject, content: Content)], _ take: (Subject, ReadFile) throws(Problem) -> Void
    ) throws(Problem) {
        var start = files.startIndex
        while start < files.endIndex {
            var read: [(subject: Subject, bytes: Result<[UInt8], Problem>)] = []
            var size = 0
            while start + read.count < files.endIndex, size < Self.batchSize {
                let (subject, content) = files[start + read.count]
                let bytes = Result { () throws(Problem) in try versions.bytes(content.id, content.mode, subject, in: commit) }
                if case .failure(let problem) = bytes, problem.kind != .badData { throw problem }
                read.append((subject, bytes))
                size += (try? bytes.get().count) ?? 0
            }
            let batch = read
            let id = commit?.id
            let items = Workers.parts(of: batch.count) { part in
                batch[part].map { subject, bytes in bytes.flatMap { Versions.item(subject, $0, in: id) } }
            }
            for ((subject, bytes), item) in zip(batch, items.joined()) {
                if case .failure(let problem) = item, problem.isNoOption { continue }
                try take(subject, ReadFile(bytes: (try? bytes.get()) ?? [], item: item))
            }
            start += batch.count
        }
    }

    /// So many bytes of files are read before they are looked into.
    private static let batchSize = 32 << 20

    package func subjects(in group: Key = .root) throws(Problem) -> [Subject] {
        try files(in: group).map(\.subject)
    }

    /// The same without files of other programs.
    func held(in group: Key) throws(Problem) -> [Subject] {
        var held: [Subject] = []
        for subject in try subjects(in: group) {
            let isOther = subject.isGroup ? false : try !holdsOption(subject.key)
            if !isOther { held.append(subject) }
        }
        return held
    }

    /// What lies in `group`, with where it stands in git.
    func files(in group: Key = .root) throws(Problem) -> [(subject: Subject, content: Content)] {
        guard let folder = try git(folder) else { return [] }
        return try git(versions.repository.objects.files(in: folder, under: group.path))
            .compactMap { file in
                guard file.pathIsValid, let subject = Subject(path: file.path) else { return nil }
                return (subject, Content(id: file.id, mode: file.mode))
            }
    }

    /// From here on files are looked up all at once.
    static let manyFiles = 64

    /// The same, for whoever asks about `count` of its files.
    package func loaded(for count: Int) throws(Problem) -> Snapshot { count > Self.manyFiles ? try loaded() : self }

    /// The same, for whoever asks about many of its files.
    func loaded() throws(Problem) -> Snapshot {
        guard contents == nil, let folder = try git(folder) else { return self }
        var snapshot = self
        if let last = versions.lastContents, last.folder == folder {
            snapshot.contents = last.contents
        } else {
            let contents = try git(versions.repository.objects.contents(of: folder))
            versions.lastContents = (folder, contents)
            snapshot.contents = contents
        }
        return snapshot
    }

    func content(_ subject: Subject) throws(Problem) -> Content? {
        if let contents { return contents[subject.path] }
        return try entry(at: subject.path)
    }

    private func entry(at path: String) throws(Problem) -> Content? {
        guard let folder = try git(folder) else { return nil }
        return try git(versions.repository.objects.entry(at: path, in: folder)).map { Content(id: $0.id, mode: $0.mode) }
    }

    /// Nil also for a folder, which is no file whatever its name.
    func file(of subject: Subject) throws(Problem) -> Content? {
        let content = try content(subject)
        return content?.mode == .tree ? nil : content
    }

    /// Whether it has a file, be it one that can't be read.
    package func has(_ subject: Subject) throws(Problem) -> Bool { try file(of: subject) != nil }

    /// Whether there is an option, be it one whose file can't be read.
    func holdsOption(_ key: Key) throws(Problem) -> Bool {
        guard try has(.option(key)) else { return false }
        do throws(Problem) { return try option(key) != nil } catch {
            guard error.kind == .badData else { throw error }
            return true
        }
    }

    /// As `StoreFolder.faultOfOtherProgram`.
    func faultOfOtherProgram(_ subject: Subject) -> Problem? {
        do throws(Problem) {
            guard let content = try content(subject) else { return nil }
            _ = try versions.read(content.id, content.mode, subject, in: commit)
        } catch {
            return error.isNoOption ? error : nil
        }
        return nil
    }

    /// Those of the groups that hold options besides `subjects`.
    func populated(_ groups: Set<Subject>, besides subjects: Set<Subject>) throws(Problem) -> Set<Key> {
        var populated: Set<Key> = []
        for case .group(let key) in groups where !key.isRoot {
            if try self.subjects(in: key).contains(where: { !$0.isGroup && !subjects.contains($0) }) { populated.insert(key) }
        }
        return populated
    }

    /// The groups that hold options besides `subjects`, of those whose file is added or removed, or isn't there.
    func populated(by changes: [Change], besides subjects: Set<Subject>) throws(Problem) -> Set<Key> {
        var groups: Set<Subject> = []
        for change in changes where change.subject.isGroup {
            let hasFile = try has(change.subject)
            if change.facet == .existence || !hasFile { groups.insert(change.subject) }
        }
        return try populated(groups, besides: subjects)
    }

    /// What stands at a path of the repository.
    func content(at path: String) throws(Problem) -> Content? {
        guard let tree else { return nil }
        return try git(versions.repository.objects.entry(at: path, in: tree)).map { Content(id: $0.id, mode: $0.mode) }
    }
}
