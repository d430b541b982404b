import Files
import Git
package import SettingsModel

/// git's merges of a store's files, done by meaning.
///
/// `.gitattributes` in the store's folder names the driver, git's configuration says how to run it: a clone has the one by
/// itself and needs `settings setup` for the other. Without it git merges the texts, which is caught when read. Tracked files may
/// lie outside of that folder, among files that are not the store's: a clone that runs the driver names it for them in
/// `info/attributes` of its git folder.
package enum MergeDriver {
    /// What it is called in `.gitattributes` and the configuration.
    static let name = "settings"
    static let attributesFile = ".gitattributes"
    static let attributes = "*.json merge=settings\n"

    /// The command line that git hands to a shell. Where this program can't be found, as from an editor that was started
    /// elsewhere, or fails, git's own merge of texts takes its place, with its markers: git believes any status up to 128 to
    /// mean that the file says what there is to decide. It names no sides by their branches before git 2.45.
    static func command(program: String) -> String {
        // git puts names of files in place of %A and the like.
        let program = program.replacing("%", with: "%%")
        let own = program + arguments
        let texts = "git merge-file --quiet --marker-size=%L -L ours -L base -L theirs %A %O %B"
        return "if command -v \(program) >/dev/null 2>&1; then \(own); status=$?; else status=127; fi; "
            + "test $status -le 1 && exit $status; \(texts) || exit 1"
    }

    /// Whether a configured command line is one of this program's, and whether it has a merge of texts to fall back to.
    static func state(of command: String?) -> MergeDriverSetup.State {
        guard let command, !command.isEmpty else { return .missing }
        guard command.contains("merge-driver ") else { return .foreign }
        return command.contains(arguments) && !command.contains("git merge-file") ? .outdated : .current
    }

    /// Whether a configured command line is one that this program has written, whatever its path was.
    static func isWritten(_ command: String) -> Bool { program(in: command) != nil }

    /// The program that a configured command line runs, as its shell reads it; nil for one that this program hasn't written.
    private static func program(in command: String) -> String? {
        if command == "settings" + Self.arguments { return "settings" }
        // The path stands in it twice.
        let start = "if command -v "
        let length = (command.count - Self.command(program: "").count) / 2
        let found = String(command.dropFirst(start.count).prefix(max(0, length)))
        let program = found.replacing("%%", with: "%")
        return Self.command(program: program) == command ? program : nil
    }

    /// The program that a configured command line runs, where it isn't installed there any more, so that git merges texts.
    static func lostProgram(in command: String?) -> String? {
        // What is found by PATH may be found by another one.
        guard let command, let program = program(in: command), program.hasPrefix("'/"), program.hasSuffix("'") else { return nil }
        let path = String(program.dropFirst().dropLast()).replacing("'\\''", with: "'")
        return FileSystem.isExecutable(path) ? nil : path
    }

    /// The line of attributes that names the driver for one file of the repository.
    static func line(_ path: String) -> String {
        var pattern = "/"
        for character in path.unicodeScalars {
            if "*?[\\".unicodeScalars.contains(character) { pattern += "\\" }
            pattern.unicodeScalars.append(character)
        }
        if pattern.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 || $0 == 0x7F }) {
            pattern =
                pattern.utf8.reduce("\"") { quoted, byte in
                    switch byte {
                    case 0x22, 0x5C: quoted + "\\" + String(UnicodeScalar(byte))
                    case ...0x20, 0x7F...:
                        quoted + "\\" + [6, 3, 0].map { String(byte >> $0 & 7) }.joined()
                    default: quoted + String(UnicodeScalar(byte))
                    }
                } + "\""
        }
        return "\(pattern) merge=\(name)"
    }

    private static let arguments = " merge-driver %O %A %B %P"

    static let nameKey = "merge.\(name).name"
    static let driverKey = "merge.\(name).driver"
    private static let title = "settings, by meaning"

    /// What git's configuration says about it. `names` are what it is named there: a name that a person gave it stays.
    static func configuration(program: String, named names: [String]) -> [(key: String, value: String)] {
        let driver = (key: driverKey, value: command(program: program))
        return names.allSatisfy { $0 == title } ? [(key: nameKey, value: title), driver] : [driver]
    }

    /// Merges three files as git hands them over: temporary files and the path in the repository. `ours` is written.
    /// Returns whether everything could be decided; otherwise the file carries conflict markers.
    /// Throws where the store is of a later format, whose files may mean something else: the texts are merged then.
    package static func run(
        base: String, ours: String, theirs: String, path: String, _ formats: any FileFormats
    ) throws(Problem) -> Bool {
        try checkFormat(around: path)
        let (old, our, their) = (try bytes(base), try bytes(ours), try bytes(theirs))
        let names = (ours: "ours", theirs: "theirs")
        let name = FileSystem.name(of: path)
        let formats = formats.from(FileSystem.absolute(store(around: path)?.folder ?? ""))
        let merged: (text: [UInt8], isClean: Bool)
        if let file = trackedFile(at: path),
            let merge = TrackedTexts(base: old, ours: our, theirs: their, of: file, formats)?.mergedByMembers(formats)
        {
            merged = merge
        } else if case .option? = Subject(path: name), MistakenRename.isOne(at: path, base: old, ours: our, theirs: their) {
            merged = (FileMerge.marked(our, their, names), false)
        } else if let subject = Subject(path: name),
            let merge = try? FileMerge(subject, base: old.isEmpty ? nil : old, ours: our, theirs: their, names: names)
        {
            merged = (merge.file, merge.conflicts.isEmpty)
        } else {
            // A file that isn't the store's, or can't be read: as git would by itself.
            merged = try git(Index.mergeTexts(base: old, ours: our, theirs: their, names: names))
        }
        try onDisk(FileSystem.write(merged.text, to: ours))
        return merged.isClean
    }

    private static func checkFormat(around path: String) throws(Problem) {
        guard let (folder, bytes) = store(around: path) else { return }
        if let later = StoreDefinition.laterFormat(file: bytes) {
            throw .file(.unreadable(later, path: folder + Subject.store.path))
        }
    }

    /// The folder of the store that a file lies in, empty or with a slash at its end, and what its own file holds. git runs the
    /// driver in the work tree's folder.
    private static func store(around path: String) -> (folder: String, bytes: [UInt8])? {
        var folders = path.split(separator: "/")
        while folders.popLast() != nil {
            let folder = folders.map { $0 + "/" }.joined()
            if let bytes = storeFile(in: folder) { return (folder, bytes) }
        }
        return nil
    }

    private static func storeFile(in folder: String) -> [UInt8]? {
        (try? Folder.read(path: "./" + folder + Subject.store.path, limit: JSON.sizeLimit)).flatMap { $0 }
    }

    /// The entry of a store in this repository that a file is tracked by, as the work tree has it: that is our side.
    private static func trackedFile(at path: String) -> TrackedFile? {
        func entry(_ folder: String, _ bytes: [UInt8]) -> TrackedFile? {
            guard case .store(let definition)? = try? SettingsContent.Item(file: bytes, of: .store) else { return nil }
            return definition.trackedFiles.files.first { $0.path(from: folder) == path }
        }
        if let (folder, bytes) = store(around: path) {
            if let found = entry(folder, bytes) { return found }
            if Subject(path: String(path.dropFirst(folder.count))) != nil { return nil }
        }
        let root = Folder.resolved(".")
        guard let gitDirectory = StoreFolder.gitDirectory(above: root) else { return nil }
        let folders = Index.folders(holding: Subject.store.path, workDirectory: root, gitDirectory: gitDirectory) ?? []
        for folder in folders.map({ $0.isEmpty ? "" : $0 + "/" }) {
            if let bytes = storeFile(in: folder), let found = entry(folder, bytes) { return found }
        }
        return nil
    }

    private static func bytes(_ path: String) throws(Problem) -> [UInt8] {
        let bytes = try onDisk(Folder.read(path: path, limit: WorkTree.otherFileLimit))
        guard let bytes else { throw .file(.noMergeInput(path)) }
        return bytes
    }
}

extension WorkTree {
    package var mergeDriver: MergeDriverSetup {
        get throws(Problem) {
            var file: [UInt8] = []
            do { file = try versions.folder.files.read(MergeDriver.attributesFile, limit: JSON.sizeLimit) ?? [] } catch {
                guard error.isLink || error.isFolder else { throw .file(.failed(error)) }
            }
            let isNamed = String(decoding: file, as: UTF8.self).contains("merge=\(MergeDriver.name)")
            let driver = try? versions.repository.configuration.configuredWithOrigin(MergeDriver.driverKey)
            let lost = MergeDriver.lostProgram(in: driver?.value).map { MergeDriverSetup.State.lost($0) }
            return MergeDriverSetup(
                isNamed: isNamed, state: lost ?? MergeDriver.state(of: driver?.value), isOfUser: driver?.isOwn == false)
        }
    }

    /// The last version's files that git does not merge by this driver: another line, a `.gitattributes` in a folder below, or
    /// git's own `info/attributes` say otherwise. By their paths in the repository. `others`: tracked files, which are named in a
    /// clone that runs the driver.
    func filesWithoutDriver(and others: [String] = []) throws(Problem) -> [String] {
        var paths: [String] = []
        let tracked = try mergeDriver.state == .current ? others : []
        for path in try versions.tip().files().map({ versions.prefix + $0.subject.path }) + tracked {
            let driver = try git(versions.repository.attribute("merge", of: path))
            if driver != MergeDriver.name { paths.append(path) }
        }
        return paths
    }

    /// Names the driver for tracked files, in a clone that runs it, and no longer for those that are `former`ly tracked. What can't
    /// be written is merged as text.
    func nameDriver(for paths: [String], former: [String] = []) {
        guard !paths.isEmpty || !former.isEmpty, versions.folder.bareRepository == nil, (try? mergeDriver.state) == .current
        else { return }
        let path = versions.repository.git.commonDirectory + "/info/attributes"
        guard let bytes = try? FileSystem.bytes(of: path, atMost: JSON.sizeLimit) ?? [],
            let text = String(validating: bytes, as: UTF8.self)
        else { return }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let gone = Set(former.map(MergeDriver.line))
        lines.removeAll { gone.contains($0) }
        if lines.last == "" { lines.removeLast() }
        let present = Set(lines)
        for path in paths {
            let line = MergeDriver.line(path)
            // Whoever names another driver for it means that one.
            guard !present.contains(line), (try? versions.repository.attribute("merge", of: path)) == .some(nil) else { continue }
            lines.append(line)
        }
        let new = Array(lines.map { $0 + "\n" }.joined().utf8)
        if new == bytes { return }
        try? Folder.make(FileSystem.folder(of: path))
        try? FileSystem.replace(path, with: new, journal.durability)
    }

    /// `.gitattributes`, where the store's folder has none.
    var attributesUpdate: [FileUpdate] {
        guard (try? versions.folder.files.entry(at: MergeDriver.attributesFile)) == .some(nil) else { return [] }
        return [FileUpdate(path: versions.prefix + MergeDriver.attributesFile, file: Array(MergeDriver.attributes.utf8))]
    }
}
