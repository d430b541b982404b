import Files
import Git
package import SettingsModel

/// git's merges of a store's files, done by meaning.
///
/// `.gitattributes` in the store's folder names the driver, git's configuration says how to run it: a clone has the one by
/// itself and needs `settings setup` for the other. Without it git merges the texts, which is caught when read.
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
    package static func run(base: String, ours: String, theirs: String, path: String) throws(Problem) -> Bool {
        try checkFormat(around: path)
        let (old, our, their) = (try bytes(base), try bytes(ours), try bytes(theirs))
        let names = (ours: "ours", theirs: "theirs")
        let name = FileSystem.name(of: path)
        let merged: (text: [UInt8], isClean: Bool)
        if case .option? = Subject(path: name), MistakenRename.isOne(at: path, base: old, ours: our, theirs: their) {
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

    /// git runs the driver in the work tree's folder.
    private static func checkFormat(around path: String) throws(Problem) {
        var folders = path.split(separator: "/")
        while folders.popLast() != nil {
            let file = (folders + [Subject.store.path[...]]).joined(separator: "/")
            guard let bytes = try? Folder.read(path: "./" + file, limit: JSON.sizeLimit) else { continue }
            if let later = StoreDefinition.laterFormat(file: bytes) { throw .file(.unreadable(later, path: file)) }
            return
        }
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
    /// git's own `info/attributes` say otherwise. By their paths in the repository.
    func filesWithoutDriver() throws(Problem) -> [String] {
        var paths: [String] = []
        for (subject, _) in try versions.tip().files() {
            let path = versions.prefix + subject.path
            let driver = try git(versions.repository.attribute("merge", of: path))
            if driver != MergeDriver.name { paths.append(path) }
        }
        return paths
    }

    /// `.gitattributes`, where the store's folder has none.
    var attributesUpdate: [FileUpdate] {
        guard (try? versions.folder.files.entry(at: MergeDriver.attributesFile)) == .some(nil) else { return [] }
        return [FileUpdate(path: versions.prefix + MergeDriver.attributesFile, file: Array(MergeDriver.attributes.utf8))]
    }
}
