import Files
import Git
import SettingsModel

/// The files that other programs read and that a store keeps in step: what versions write into them, and what was edited there.
package final class Tracking {
    let versions: Versions
    let workTree: WorkTree
    /// Nil in a program that reads no other programs' files.
    var formats: (any FileFormats)? {
        didSet { formats = formats?.from("\(workTree.root.path)/\(versions.folderInRepository)") }
    }
    /// Which files this person has kept in step that no version has.
    var personal: PersonalFiles?
    /// Those that are being tracked, and are not remembered yet.
    var adding: [Candidate] = []
    /// Texts of earlier versions that were read, and those that can't be.
    var knownTexts: [ObjectID: TrackedText?] = [:]

    init(_ versions: Versions, _ workTree: WorkTree) {
        self.versions = versions
        self.workTree = workTree
    }

    /// An entry of `_store.json`, with its path from the repository's root.
    struct Entry: Hashable {
        var file: TrackedFile
        var path: String
        /// Outside the work tree, or ignored by git; `path` is absolute then, and no version has the file.
        var isElsewhere = false
    }

    /// What a store tracks inside its work tree as this version has it, or as `definition` does. An entry that can't be followed
    /// is none.
    func entries(of definition: StoreDefinition? = nil, at snapshot: Snapshot) throws(Problem) -> [Entry] {
        try entriesAndFaults(of: definition, at: snapshot).entries
    }

    /// The same, and what is wrong with each of the others.
    func entriesAndFaults(
        of definition: StoreDefinition? = nil, at snapshot: Snapshot
    ) throws(Problem) -> (entries: [Entry], faults: [TrackedFile.Fault]) {
        guard let definition = if let definition { definition } else { try recorded(snapshot) }, definition.namesFiles else {
            return ([], [])
        }
        var (files, faults) = definition.trackedFiles
        var entries: [Entry] = []
        for file in files {
            if let reason = try reasonAgainst(file, at: snapshot) {
                faults.append(TrackedFile.Fault(file, reason))
            } else if let path = file.path(from: versions.prefix) {
                entries.append(Entry(file: file, path: path))
            }
        }
        return (entries, faults)
    }

    func recorded(_ snapshot: Snapshot) throws(Problem) -> StoreDefinition? {
        guard case .store(let definition)? = try snapshot.readable(.store) else { return nil }
        return definition
    }

    static func refused(_ file: TrackedFile, _ reason: String) -> Problem { TrackedFile.Fault(file, reason).problem }

    /// What git reads in every folder of a work tree.
    private static let ofGit: Set<String> = [".gitattributes", ".gitignore"]

    /// Why an entry isn't followed: a store from elsewhere names no file that it could not have brought itself.
    private func reasonAgainst(_ file: TrackedFile, at snapshot: Snapshot) throws(Problem) -> String? {
        guard let path = file.path(from: versions.prefix) else { return "is not a plain path in the repository" }
        let parts = path.split(separator: "/")
        guard FileSystem.isPlain(path), !parts.contains(where: { Self.ofGit.contains($0.lowercased()) }) else {
            return "has a name that is reserved by git or invalid on another system"
        }
        if versions.subject(atRepositoryPath: path) != nil { return "is one of the store's own files" }
        var folder = ""
        for part in parts.dropLast() {
            folder += folder.isEmpty ? String(part) : "/" + part
            if let there = try snapshot.content(at: folder), there.mode != .tree {
                return "lies under \(folder), which is not a folder of this repository"
            }
            if folder + "/" != versions.prefix, try snapshot.content(at: folder + "/_store.json") != nil {
                return "belongs to the store in \(folder)"
            }
        }
        return nil
    }

    /// What a version has of a file; nil where it has none. Refuses what is no regular file, is too large, or is converted by git.
    func recordedText(_ entry: Entry, at snapshot: Snapshot) throws(Problem) -> (content: Content, text: TrackedText)? {
        if entry.isElsewhere {
            guard let text = try base(of: entry), let id = ObjectID.hash(ofBlob: text.bytes) else { return nil }
            return (Content(id: id, mode: .blob), text)
        }
        guard let content = try snapshot.content(at: entry.path) else { return nil }
        guard content.mode.isRegular else { throw Self.refused(entry.file, "is not a regular file") }
        if let attribute = try? versions.repository.conversion(of: entry.path) {
            throw Self.refused(entry.file, "is converted by git (\(attribute))")
        }
        return (content, try text(try blob(content, of: entry.file), of: entry))
    }

    /// The same; nil also where it can't be followed or read, which `states` says.
    func readableText(_ entry: Entry, at snapshot: Snapshot) throws(Problem) -> (content: Content, text: TrackedText)? {
        do throws(Problem) { return try recordedText(entry, at: snapshot) } catch {
            if error.isPassing { throw error }
            return nil
        }
    }

    /// Has git merge the tracked files by meaning in a clone that runs the merge driver.
    func nameDriver(former: [String] = []) throws(Problem) {
        let paths = try entries(at: versions.tip()).map(\.path)
        workTree.nameDriver(for: paths, former: former.filter { !paths.contains($0) })
    }

    /// The files of the store, and those that it tracks, that git does not merge by meaning.
    func filesWithoutDriver() throws(Problem) -> [String] {
        let tracked = (try? entries(at: versions.tip()).map(\.path)) ?? []
        return try workTree.filesWithoutDriver(and: tracked)
    }

    func blob(_ content: Content, of file: TrackedFile) throws(Problem) -> [UInt8] {
        do throws(GitError) { return try versions.repository.objects.blob(content.id, atMost: TrackedFile.sizeLimit) } catch {
            throw error.kind == .tooLarge ? Self.refused(file, "is larger than 1 MiB") : Problem(error)
        }
    }

    func text(_ bytes: [UInt8], of entry: Entry) throws(Problem) -> TrackedText {
        let formats = try known(entry)
        return try explaining(entry) { () throws(Refusal) in try TrackedText(bytes, of: entry.file, formats) }
    }

    /// The same of a file as somebody edited it, which may be one that can't be read.
    func editedText(_ bytes: [UInt8], of entry: Entry) throws(Problem) -> TrackedText {
        do throws(Problem) { return try text(bytes, of: entry) } catch {
            guard case .tracking(.refused(let path, let refusal, _)) = error else { throw error }
            throw .tracking(.isUnreadable(path, refusal))
        }
    }

    func known(_ entry: Entry) throws(Problem) -> any FileFormats {
        guard let formats else { throw .tracking(.hasNoFormats(entry.path)) }
        return formats
    }

    func explaining<Result>(_ entry: Entry, _ work: () throws(Refusal) -> Result) throws(Problem) -> Result {
        do throws(Refusal) { return try work() } catch { throw .tracking(.refused(entry.path, error, entry.file)) }
    }

    /// What the file holds; nil where it isn't there. A link in its place or on the way is refused.
    func bytes(of entry: Entry) throws(Problem) -> [UInt8]? {
        if entry.isElsewhere { return try bytesElsewhere(entry.path) }
        let bytes: [UInt8]?
        do { bytes = try workTree.root.read(entry.path, limit: TrackedFile.sizeLimit) } catch {
            if error.isLink { throw .tracking(.isReplaced(entry.path, reason: "is behind a symbolic link")) }
            if error.isFolder { throw .tracking(.isReplaced(entry.path, reason: "is not a regular file")) }
            throw .file(.failed(error))
        }
        if let bytes, bytes.count > TrackedFile.sizeLimit { throw Self.refused(entry.file, "is larger than 1 MiB") }
        if let bytes, bytes.firstRange(of: [0x0D, 0x0A]) != nil, try git(versions.repository.convertsLineEnds(of: entry.path)) {
            throw Self.refused(entry.file, "is converted by git (its line ends)")
        }
        return bytes
    }

    /// The part of settings that lies in an entry's group, with keys relative to it, and the groups around what it has.
    func relative(_ content: SettingsContent, to group: Key, with snapshot: Snapshot) throws(Problem) -> SettingsContent {
        var content = content
        var asked: Set<Key> = []
        for key in content.options.keys where key.isWithin(group) && key != group {
            for above in key.enclosingGroups + [.root] where above.isWithin(group) && content.groups[above] == nil {
                guard asked.insert(above).inserted else { continue }
                if case .group(let known)? = try snapshot.readable(.group(above)) { content.groups[above] = known }
            }
        }
        return content.relative(to: group)
    }
}

extension Key {
    /// The key below `group`.
    func below(_ group: Key) -> Key { moved(from: .root, to: group) }
}
