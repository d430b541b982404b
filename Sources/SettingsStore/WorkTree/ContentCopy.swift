import Files
package import SettingsModel

/// A folder with a copy of settings as a store's files hold them, but with nothing of git.
package struct ContentCopy {
    /// Absolute, without symbolic links.
    package let path: String
    private let folder: Folder
    /// The folder as it was made: what is in another one at its path is nobody's copy.
    private var made: FileAttributes
    /// What was written last, with what each file was then.
    private var content = SettingsContent()
    private var statuses: [Subject: FileStatus] = [:]
    /// Files written by the last call. A change may have come too soon after that for the file's times to show it.
    private var fresh: Set<Subject> = []

    /// A new folder in `folder`, which nobody else may look into: the files hold masked texts as they are.
    package init(in folder: String) throws(Problem) {
        path = try onDisk(FileSystem.makeTemporary(in: folder, "settings-bisect-", SystemFailure.makingTemporary))
        made = try onDisk(FileSystem.existing(path))
        self.folder = Folder(path: path)
    }

    /// Whether the folder is still there; one that was removed is made again.
    /// - Throws: `isInPlaceOfCopy` if something else has its place, such as a link to another folder.
    private mutating func check() throws(Problem) {
        if try onDisk(FileSystem.attributes(of: path)) == nil {
            try onDisk(FileSystem.makePrivate(path))
            made = try onDisk(FileSystem.existing(path))
            (content, statuses) = (SettingsContent(), [:])
        }
        guard isOurs else { throw .file(.isInPlaceOfCopy(path)) }
    }

    private var isOurs: Bool { (try? FileSystem.existing(path))?.isSame(as: made) ?? false }

    /// Makes these settings all that is in the folder. Files that are still as they were written are left alone: in a store
    /// of 5,000 options, writing all of them takes longer than most programs that read them.
    package mutating func write(_ content: SettingsContent) throws(Problem) {
        try check()
        do throws(SystemFailure) {
            let kept = try unchanged(for: content)
            var folders: Set<String> = []
            for subject in kept {
                var folder = subject.path
                repeat { folder = Self.folder(of: folder) } while folders.insert(folder).inserted && !folder.isEmpty
            }
            try clean("", Set(kept.map(\.path)), folders)
            fresh = content.subjects.subtracting(kept)
            for subject in fresh.sorted() {
                guard let item = content[subject] else { continue }
                let parent = Self.folder(of: subject.path)
                if folders.insert(parent).inserted { try Folder.make(folder.full(parent)) }
                try FileSystem.write(item.file, to: folder.full(subject.path))
            }
            let subjects = content.subjects.sorted()
            let current = folder.statuses(of: subjects.map(\.path))
            statuses = [:]
            for (subject, status) in zip(subjects, current) { statuses[subject] = status }
            self.content = content
        } catch {
            throw .file(.failed(error))
        }
    }

    /// The files that are as they were written, and hold what they should hold next.
    private func unchanged(for next: SettingsContent) throws(SystemFailure) -> Set<Subject> {
        let same = content.subjects.filter { content[$0] == next[$0] }.sorted()
        var kept: Set<Subject> = []
        for (subject, status) in zip(same, folder.statuses(of: same.map(\.path))) {
            guard let status, status == statuses[subject] else { continue }
            if fresh.contains(subject) {
                guard try folder.read(subject.path, limit: JSON.sizeLimit) == content[subject]?.file else { continue }
            }
            kept.insert(subject)
        }
        return kept
    }

    /// Removes what is neither one of `files` nor one of `folders`.
    private func clean(_ relative: String, _ files: Set<String>, _ folders: Set<String>) throws(SystemFailure) {
        for (name, kind) in try FileSystem.entries(of: folder.full(relative)) {
            let inner = relative.isEmpty ? name : "\(relative)/\(name)"
            if kind == .folder, folders.contains(inner) {
                try clean(inner, files, folders)
            } else if kind != .file || !files.contains(inner) {
                try FileSystem.removeAll(folder.full(inner))
            }
        }
    }

    /// The folder that a path lies in; empty for the copy itself.
    private static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    package func remove() throws(Problem) {
        guard isOurs else { return }
        try onDisk(FileSystem.removeAll(path))
    }
}
