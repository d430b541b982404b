import Files
import Git
import SettingsModel

/// Files that nothing may be written over.
extension WorkTree {
    /// Refuses where a file's folder may not be written, or is none, before anything is written.
    func checkWritable(_ files: some Sequence<(path: String, isRemoved: Bool)>) throws(Problem) {
        let root = self.root.path
        var checked: String?
        for (path, isRemoved) in files {
            let parent = FileSystem.folder(of: "\(root)/\(path)")
            if parent == checked { continue }
            var place = parent
            while (try? FileSystem.isThere(place)) == false, place.utf8.count > root.utf8.count {
                place = FileSystem.folder(of: place)
            }
            if let kind = FileSystem.kind(of: place, following: true), kind != .folder {
                // What lay there is gone already.
                if isRemoved { continue }
                throw .file(.isInPlaceOfFolder(place))
            }
            checked = parent
            guard let refusal = FileSystem.refusal(toMakeFilesIn: place) else { continue }
            throw .file(.notWritable(SystemFailure(code: refusal.code, operation: "write", path: "\(root)/\(path)")))
        }
    }

    /// Refuses to write over files that carry hand edits. Of many, those are not read that git's index knows by their times.
    /// Returns what each holds that was read.
    @discardableResult
    func checkUntouched(_ subjects: Set<Subject>, since base: Snapshot) throws(Problem) -> [Subject: ExpectedContent] {
        let subjects = subjects.sorted()
        var held: [Subject: ExpectedContent] = [:]
        var reader = Folder.Reader(versions.folder.files)
        guard subjects.count > Snapshot.manyFiles else {
            for subject in subjects { held[subject] = try checkUntouched(subject, since: base, by: &reader) }
            return held
        }
        let noted = versions.repository.index.notedFiles(under: versions.folderInRepository)
        let statuses = versions.folder.files.statuses(of: subjects.map(\.path))
        for (subject, status) in zip(subjects, statuses) {
            if let status, let note = noted[subject.path], status.isUntouched(since: note.status),
                try base.content(subject) == note.content
            {
                continue
            }
            held[subject] = try checkUntouched(subject, since: base, by: &reader)
        }
        return held
    }

    /// Refuses to write over a file that carries hand edits. Returns what it holds.
    @discardableResult
    func checkUntouched(_ subject: Subject, since base: Snapshot) throws(Problem) -> ExpectedContent {
        var reader = Folder.Reader(versions.folder.files)
        return try checkUntouched(subject, since: base, by: &reader)
    }

    private func checkUntouched(
        _ subject: Subject, since base: Snapshot, by reader: inout Folder.Reader
    ) throws(Problem) -> ExpectedContent {
        let content = try base.content(subject)
        let bytes = try versions.folder.reading(of: subject, by: &reader)?.bytes
        let held = ExpectedContent.content(content)
        if held.matches(bytes) { return held }
        if bytes == nil, try skippedPaths.contains(versions.repositoryPath(subject)) { return .bytes(nil) }
        if try behind(base)?.holds(bytes, subject) == true { return .bytes(bytes) }
        if try isUnwritten(versions.repositoryPath(subject), holding: bytes) { return .bytes(bytes) }
        if content == nil, let rule = try versions.folder.ignoreRule(for: subject) {
            throw .recording(.ignoredIsInTheWay(subject.path, rule: "\(rule)", file: rule.file))
        }
        throw .recording(.handEdited(subject, try handEdit(subject, bytes, content)))
    }

    /// What was done to a file by hand. `content`: what the last version has there.
    private func handEdit(
        _ subject: Subject, _ bytes: [UInt8]?, _ content: Content?
    ) throws(Problem) -> RecordingProblem.HandEdit {
        guard let bytes else { return .removed }
        do throws(Problem) {
            let option = try versions.folder.item(subject, file: bytes).option
            if let found = try versions.disagreement(subject, bytes, option, content), found.isIndexEdited {
                return .unrecordable(.recording(.indexEdited(found)))
            }
        } catch {
            guard error.kind == .badData else { throw error }
            if content != nil || !error.isNoOption { return .unrecordable(error) }
        }
        return content == nil ? .made : .edited
    }

    /// As for a subject's file, of any file in the repository.
    @discardableResult
    func checkUntouched(_ path: String, since base: Snapshot) throws(Problem) -> ExpectedContent {
        if let subject = versions.subject(atRepositoryPath: path) { return try checkUntouched(subject, since: base) }
        let there: [UInt8]?
        do { there = try root.read(path, limit: Self.otherFileLimit) } catch {
            throw .file(error.isLink || error.isFolder ? .inTheWay(error) : .failed(error))
        }
        let held = ExpectedContent.content(try base.content(at: path))
        if held.matches(there) { return held }
        if there == nil, try skippedPaths.contains(path) { return .bytes(nil) }
        if try isUnwritten(path, holding: there) { return .bytes(there) }
        if try base.content(at: path) == nil, let work = versions.repository.git.workDirectory,
            let rule = IgnoreRules(workDirectory: work, gitDirectory: versions.repository.git.gitDirectory).rule(for: path)
        {
            try rule.checkIsKnown()
            throw .recording(.ignoredIsInTheWay(path, rule: "\(rule)", file: rule.file))
        }
        throw .recording(.otherIsHandEdited(path))
    }

    /// Refuses an option, group or store that git would ignore, as 'git add' does.
    func checkNotIgnored(_ subject: Subject, _ ignored: Ignored) throws(Problem) {
        guard let rule = try ignored.rule(for: subject.path) else { return }
        throw .recording(.ignored(subject, rule: "\(rule)", file: rule.file))
    }

    /// Refuses a file whose attributes have git record another content than it has. Attributes that can't be read say nothing.
    func checkNotConverted(_ path: String) throws(Problem) {
        if let attribute = try? versions.repository.conversion(of: path) {
            throw .repository(.convertsFile(path: path, attribute: attribute))
        }
    }

    /// Files that a sparse checkout leaves out, by their paths in the repository. Read for what is missing only.
    var skippedPaths: Set<String> { get throws(Problem) { try git(versions.repository.index.skippedPaths()) } }

    /// Files that are not the store's are brought along by a merge up to this size.
    static let otherFileLimit = 16 << 20

    /// Without a byte order mark and with LF: what an editor on another system may have done by itself.
    static func unified(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = withLineFeeds(bytes)
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// What git makes of a file that it checked out for another system.
    static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() where !(byte == 13 && index + 1 < bytes.count && bytes[index + 1] == 10) {
            result.append(byte)
        }
        return result
    }
}
