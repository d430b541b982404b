import Files
import Git
package import SettingsModel

/// A store's files as they stand, drafts included. Needs no git: a store can be read without its history, read-only,
/// owned by anybody.
package struct StoreFolder: Sendable {
    /// Absolute.
    package let path: String
    /// The same without symbolic links.
    package let resolvedPath: String
    /// Where git keeps its own; nil where the store is in no repository.
    package let gitDirectory: String?
    /// The bare repository that holds it: there are no files, and its last version is all there is to read.
    package let bareRepository: String?
    let files: Folder

    package init(path: String) {
        self.path = path
        files = Folder(path: path)
        resolvedPath = Folder.resolved(path)
        gitDirectory = StoreFolder.gitDirectory(above: resolvedPath)
        bareRepository = nil
    }

    /// A store in a folder of a bare repository, empty for its root.
    init(inBare root: String, folder: String) {
        path = folder.isEmpty ? root : "\(root)/\(folder)"
        files = Folder(path: path)
        resolvedPath = path
        gitDirectory = root
        bareRepository = root
    }

    /// Whether anything is there. What can't be looked at is no reason to go on above it, to another store or repository.
    static func isThere(_ path: String) throws(Problem) -> Bool {
        do { return try FileSystem.isThere(path) } catch {
            // What one may not look into is not one's own.
            if error.isDenied { return false }
            throw Problem(GitError(error))
        }
    }

    static func gitDirectory(above start: String) -> String? {
        for path in FileSystem.folders(upFrom: start) {
            let candidate = path + "/.git"
            guard let kind = FileSystem.kind(of: candidate, following: true) else { continue }
            return kind == .folder ? candidate : linked(candidate, in: path)
        }
        return nil
    }

    /// The repository without a work tree that a folder without a `.git` above it is or lies in.
    static func bareRepository(above start: String) -> String? {
        FileSystem.folders(upFrom: start).first { path in
            ["HEAD", "objects", "refs"].allSatisfy { (try? FileSystem.isThere("\(path)/\($0)")) == true }
        }
    }

    /// A `.git` file of a linked work tree or a submodule: `gitdir: PATH`.
    private static func linked(_ file: String, in folder: String) -> String? {
        guard let bytes = try? Folder(path: folder).read(".git", limit: 4096) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).trimmingSpaces
        guard text.hasPrefix("gitdir:") else { return nil }
        let target = text.dropFirst(7).trimmingSpaces
        return target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }

    /// One file's bytes; nil where it isn't there.
    func bytes(of subject: Subject) throws(Problem) -> [UInt8]? { try reading(of: subject)?.bytes }

    func reading(of subject: Subject) throws(Problem) -> Folder.Reading? {
        var reader = Folder.Reader(files)
        return try reading(of: subject, by: &reader)
    }

    /// The same, where several are read one after the other.
    func reading(of subject: Subject, by reader: inout Folder.Reader) throws(Problem) -> Folder.Reading? {
        if bareRepository != nil { return nil }
        do {
            return try reader.reading(of: subject.path, limit: JSON.sizeLimit)
        } catch {
            if error.isLink { throw .file(linkedGroup(above: subject.path).map(FileProblem.isStray) ?? .isLink(subject.path)) }
            if error.isFolder { throw .file(.isNotRegular(subject.path)) }
            throw .file(.failed(error))
        }
    }

    /// One item as its file has it; nil where there is none.
    package func item(_ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        try present(subject, try bytes(of: subject))
    }

    /// Nil also for another program's file.
    private func present(_ subject: Subject, _ bytes: [UInt8]?) throws(Problem) -> SettingsContent.Item? {
        guard let bytes else { return nil }
        do throws(Problem) { return try item(subject, file: bytes) } catch {
            if error.isNoOption { return nil }
            throw error
        }
    }

    func item(_ subject: Subject, file bytes: [UInt8]) throws(Problem) -> SettingsContent.Item {
        do {
            return try SettingsContent.Item(file: bytes, of: subject)
        } catch {
            throw .file(.unreadable(error, path: subject.path))
        }
    }

    /// Why a file is another program's; nil where it isn't, or where there is none.
    func faultOfOtherProgram(_ subject: Subject) -> Problem? {
        do throws(Problem) { _ = try bytes(of: subject).map { bytes throws(Problem) in try item(subject, file: bytes) } } catch {
            return error.isNoOption ? error : nil
        }
        return nil
    }

    package func isOfOtherProgram(_ subject: Subject) -> Bool { faultOfOtherProgram(subject) != nil }

    /// The paths of other programs' JSON files.
    package func filesOfOtherPrograms() throws(Problem) -> [String] {
        try listing().subjects.filter(isOfOtherProgram).map(\.path)
    }

    /// The same of many, sorted as their paths are, on all processors.
    func items(_ subjects: [Subject]) -> [Result<SettingsContent.Item?, Problem>] {
        let parts = Workers.parts(of: subjects.count) { part -> [Result<SettingsContent.Item?, Problem>] in
            var reader = Folder.Reader(files)
            return subjects[part].map { subject in
                Result { () throws(Problem) -> SettingsContent.Item? in
                    try present(subject, try reading(of: subject, by: &reader)?.bytes)
                }
            }
        }
        return parts.flatMap { $0 }
    }

    /// Refuses a store of a later format, whose files may mean something else.
    package func checkFormat() throws(Problem) {
        let file: [UInt8]?
        do throws(Problem) { file = try bytes(of: .store) } catch {
            // What is no file is told by who reads it.
            if error.kind == .badData { return }
            throw error
        }
        guard let file, let later = StoreDefinition.laterFormat(file: file) else { return }
        throw .file(.unreadable(later, path: Subject.store.path))
    }

    package func definition() throws(Problem) -> StoreDefinition {
        guard case .store(let definition)? = try item(.store) else {
            throw .file(.isNoStore(path))
        }
        return definition
    }

    /// Everything a folder of the store holds: its items, and files that are none though they look it.
    package struct Listing: Sendable {
        package var subjects: [Subject] = []
        package var strays: [Stray] = []
    }

    /// Without what git ignores.
    package func listing(of group: Key = .root) throws(Problem) -> Listing {
        try listing(of: group, Ignored(self), passing: nil)
    }

    /// Without the files for which `isPassed`, asked with the path of every one, is true.
    func listing(
        of group: Key = .root, _ ignored: Ignored?, passing isPassed: ((UnsafeRawBufferPointer) -> Bool)?
    ) throws(Problem) -> Listing {
        var listing = Listing()
        if bareRepository != nil { return listing }
        try list(group.path, depth: group.parts.count, into: &listing, ignored, isPassed)
        return listing
    }

    private func list(
        _ folder: String, depth: Int, into listing: inout Listing, _ ignored: Ignored?,
        _ isPassed: ((UnsafeRawBufferPointer) -> Bool)?
    ) throws(Problem) {
        let names: [(name: String, entry: Folder.Entry)]
        let start = folder.isEmpty ? "" : folder + "/"
        do {
            var path = Array(start.utf8)
            let length = path.count
            names =
                try files.names(
                    in: folder,
                    passing: isPassed.map { isPassed in
                        { name in
                            path.removeSubrange(length...)
                            path.append(contentsOf: name)
                            return path.withUnsafeBytes { isPassed($0) }
                        }
                    }) ?? []
        } catch {
            if error.isLink, let link = linkedGroup(above: start) { throw .file(.isStray(link)) }
            throw .file(.failed(error))
        }
        for (name, entry) in names {
            let path = start + name
            switch entry {
            case .folder where name.hasSuffix(".json") && Subject(path: path) != nil:
                if let ignored, try ignored.holds(folder: path) { continue }
                listing.strays.append(Stray(path: path, .folder))
            case .folder:
                // What can't be a group, `.git` first of all, isn't the store's.
                guard depth < Key.partLimit, (try? Key(parts: [name])) != nil, try !isForeign(path) else { continue }
                if let ignored, try ignored.holds(folder: path) { continue }
                try list(path, depth: depth + 1, into: &listing, ignored, isPassed)
            case .file where name.hasSuffix(".json"):
                if name == "_store.json", depth > 0 { continue }
                if let ignored, try ignored.rule(for: path) != nil { continue }
                guard let subject = Subject(path: path) else {
                    listing.strays.append(Stray(path: path, .name(name)))
                    continue
                }
                listing.subjects.append(subject)
            case .link where depth < Key.partLimit && (try? Key(parts: [name])) != nil:
                if try isLinkedGroup(path, ignored) { listing.strays.append(Stray(path: path, .linkedGroup)) }
            case .link where name.hasSuffix(".json"), .special where name.hasSuffix(".json"):
                if let ignored, try ignored.rule(for: path) != nil { continue }
                listing.strays.append(Stray(path: path, entry == .link ? .link : .notRegular))
            case .file, .link, .special: continue
            }
        }
    }

    /// The path from the store's folder of a file there, or one to be made there, that is read as the store's, or reported
    /// because its name suits none; nil for every other file.
    package func ownPath(of file: String) throws(Problem) -> String? {
        let file = FileSystem.target(of: file)
        let start = FileSystem.trimmed(resolvedPath) + "/"
        guard file.hasPrefix(start), file.hasSuffix(".json") else { return nil }
        let path = String(file.dropFirst(start.count))
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += folder.isEmpty ? String(name) : "/" + name
            guard (try? Key(parts: [String(name)])) != nil, try !isForeign(folder) else { return nil }
        }
        return try Ignored(self)?.rule(for: path) == nil ? path : nil
    }

    /// Another repository or another store, below this one.
    func isForeign(_ folder: String) throws(Problem) -> Bool {
        for name in [".git", "_store.json"] where try Self.isThere("\(files.full(folder))/\(name)") { return true }
        return false
    }
}

extension StoreFolder {
    package var exists: Bool { get throws(Problem) { try Self.isThere(path + "/_store.json") } }

    /// Whether a process ended between recording a version and writing its files, or is about to write them; or could not
    /// write one; or while hand edits were put aside.
    package var hasUnfinishedDone: Bool {
        guard bareRepository == nil, let own = gitDirectory.map({ OwnFiles(in: $0) }) else { return false }
        return [own.aside, own.unwritten].contains { FileSystem.kind(of: $0) != nil } || own.note.isThere
    }

    /// Without opening the repository.
    var deadlines: Deadlines? { commonDirectory.map { Deadlines(in: $0) } }

    /// git's folder that all work trees share.
    var commonDirectory: String? {
        guard let gitDirectory else { return nil }
        // A linked work tree has a folder of its own inside that of the repository.
        guard let file = (try? Folder(path: gitDirectory).read("commondir", limit: 4096)).flatMap({ $0 }) else {
            return gitDirectory
        }
        let path = String(decoding: file, as: UTF8.self).trimmingSpaces
        return path.hasPrefix("/") ? path : "\(gitDirectory)/\(path)"
    }

    /// Reads several files as one version has them: no Done is written meanwhile. `goesOn`: as for `Lock.take`.
    package func reading<Result>(
        goesOn: () -> Bool = { true }, _ work: (StoreFolder) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        guard let gitDirectory, let lock = try forWriting(Lock.take(OwnFiles(in: gitDirectory).lock, .shared, goesOn: goesOn))
        else {
            return try work(self)
        }
        defer { withExtendedLifetime(lock) {} }
        return try work(self)
    }
}
