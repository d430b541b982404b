import Files
import Git
import SettingsModel

// Format of the file `files`:
//
//   {"format": 1, "files": [{"store": "/home/ada/shop", "repository": "66306:1234", "file": "/home/ada/.config/app.toml",
//     "format": "toml", "group": "app"}]}
//
// `files.d` beside it holds what was last written into each, by the hash of store and file, and with `.TIME.kept` and `.TIME.left`
// after that what a file held before edits were discarded, and what it held then.

/// Files outside a store's work tree, and files that git ignores, which this person has kept in step with it on this machine. A
/// store is known by its real path and its repository's folder: a copy of it, or another one in its place, has none.
package struct PersonalFiles: Hashable, Sendable {
    /// `$XDG_CONFIG_HOME/settings`; nil where the user has no folder for configuration. No such file is tracked then.
    package let folder: String?

    package init(folder: String?) { self.folder = folder }

    /// How a store is known.
    struct Place: Hashable {
        var store: String
        var repository: String
    }

    private var path: String? { folder.map { $0 + "/files" } }

    func files(of place: Place) throws(Problem) -> [TrackedFile] {
        try read().filter { $0.place == place }.map(\.file)
    }

    /// Remembers a file with what it holds.
    func track(_ file: TrackedFile, _ bytes: [UInt8], of place: Place) throws(Problem) {
        try setBase(bytes, of: file, place)
        try change { entries in
            entries.filter { $0.place != place || $0.file.file != file.file } + [Entry(place: place, file: file)]
        }
    }

    /// Files go with their groups.
    func move(_ renames: [(old: Subject, new: Subject)], of place: Place) throws(Problem) {
        guard try files(of: place).contains(where: { $0.moved(renames) != $0 }) else { return }
        try change { entries in
            entries.map { $0.place == place ? Entry(place: place, file: $0.file.moved(renames)) : $0 }
        }
    }

    /// False where it isn't tracked.
    func untrack(_ path: String, of place: Place) throws(Problem) -> Bool {
        guard let entry = try read().first(where: { $0.place == place && $0.file.file == path }) else { return false }
        try change { entries in entries.filter { $0 != entry } }
        if let base = base(entry.file, place) { try? FileSystem.remove(base) }
        return true
    }

    /// What was last written into a file; nil where that isn't known.
    func base(of file: TrackedFile, _ place: Place) throws(Problem) -> [UInt8]? {
        guard let path = base(file, place) else { return nil }
        return try onDisk(FileSystem.bytes(of: path, atMost: TrackedFile.sizeLimit + 1))
    }

    func setBase(_ bytes: [UInt8], of file: TrackedFile, _ place: Place) throws(Problem) {
        guard let folder, let path = base(file, place) else { throw .tracking(.hasNoHome) }
        try makeFolders(folder)
        try forWriting(FileSystem.replace(path, with: bytes, .strict, isPrivate: true))
    }

    /// What a file held before edits of it were discarded, and what was left of it. Whoever may not read the one may not read these.
    struct Kept {
        var time: Int64
        var kept: [UInt8]
        var left: [UInt8]
    }

    /// For 30 days.
    func keep(_ bytes: [UInt8], leaving left: [UInt8], of file: TrackedFile, _ place: Place, at time: Int64) throws(Problem) {
        guard let folder, let base = base(file, place) else { throw .tracking(.hasNoHome) }
        try makeFolders(folder)
        let times = try keptTimes(of: file, place)
        for old in times where old < time - Drafts.keptFor { drop(old, of: file, place) }
        var time = time
        while times.contains(time) { time += 1 }
        try forWriting(FileSystem.replace("\(base).\(time).left", with: left, .strict, isPrivate: true))
        try forWriting(FileSystem.replace("\(base).\(time).kept", with: bytes, .strict, isPrivate: true))
    }

    /// Newest first.
    func kept(of file: TrackedFile, _ place: Place) throws(Problem) -> [Kept] {
        guard let base = base(file, place) else { return [] }
        var all: [Kept] = []
        for time in try keptTimes(of: file, place) {
            guard let kept = try onDisk(FileSystem.bytes(of: "\(base).\(time).kept", atMost: TrackedFile.sizeLimit + 1)),
                let left = try onDisk(FileSystem.bytes(of: "\(base).\(time).left", atMost: TrackedFile.sizeLimit + 1))
            else { continue }
            all.append(Kept(time: time, kept: kept, left: left))
        }
        return all
    }

    func drop(_ time: Int64, of file: TrackedFile, _ place: Place) {
        guard let base = base(file, place) else { return }
        for end in ["kept", "left"] { try? FileSystem.remove("\(base).\(time).\(end)") }
    }

    private func keptTimes(of file: TrackedFile, _ place: Place) throws(Problem) -> [Int64] {
        guard let base = base(file, place), try onDisk(FileSystem.isThere(FileSystem.folder(of: base))) else { return [] }
        let start = FileSystem.name(of: base) + "."
        return try onDisk(FileSystem.entries(of: FileSystem.folder(of: base))).compactMap { name, _ in
            name.hasPrefix(start) && name.hasSuffix(".kept") ? Int64(name.dropFirst(start.count).dropLast(5)) : nil
        }.sorted(by: >)
    }

    private func base(_ file: TrackedFile, _ place: Place) -> String? {
        folder.map { $0 + "/files.d/" + Digest.sha256(Array("\(place.store)\0\(place.repository)\0\(file.file)".utf8)) }
    }

    private func makeFolders(_ folder: String) throws(Problem) {
        try forWriting(Folder.make(folder))
        if FileSystem.kind(of: folder + "/files.d") == nil { try forWriting(FileSystem.makePrivate(folder + "/files.d")) }
    }

    private struct Entry: Hashable {
        var place: Place
        var file: TrackedFile

        init(place: Place, file: TrackedFile) { (self.place, self.file) = (place, file) }

        init?(_ json: JSON) {
            func text(_ name: ExactText) -> String? { json[name]?.text?.string }
            guard let store = text("store"), let repository = text("repository"), let file = text("file"), file.hasPrefix("/"),
                let format = text("format").flatMap(FormatName.init(rawValue:)), let word = text("group"),
                let group = word.isEmpty ? Key.root : try? Key(word)
            else { return nil }
            place = Place(store: store, repository: repository)
            self.file = TrackedFile(file: file, format: format, group: group)
        }

        var json: JSON {
            guard case .object(let members) = file.json else { return file.json }
            return .object(
                [
                    JSON.Member("store", .string(ExactText(place.store))),
                    JSON.Member("repository", .string(ExactText(place.repository))),
                ] + members)
        }
    }

    private func read() throws(Problem) -> [Entry] {
        guard let path, let attributes = try onDisk(FileSystem.attributes(of: path, following: true)) else { return [] }
        guard attributes.owner == ThisProcess.user else { throw .tracking(.isOthers(path)) }
        guard let bytes = try onDisk(FileSystem.bytes(of: path, atMost: JSON.sizeLimit)) else { return [] }
        let document: JSON
        do { document = try JSON(parsing: bytes) } catch { throw .file(.unreadable(error, path: path)) }
        guard case .array(let entries)? = document["files"] else { return [] }
        return entries.compactMap { Entry($0) }
    }

    private func change(_ edit: ([Entry]) -> [Entry]) throws(Problem) {
        guard let folder, let path else { throw .tracking(.hasNoHome) }
        try makeFolders(folder)
        guard let lock = try forWriting(Lock.take(path + ".lock", .exclusive)) else { throw .recording(.isBusy(seconds: 10)) }
        defer { withExtendedLifetime(lock) {} }
        let entries = edit(try read())
        let document = JSON.object([JSON.Member("format", .number(1)), JSON.Member("files", .array(entries.map(\.json)))])
        try forWriting(FileSystem.replace(path, with: Array(document.pretty.utf8), .strict, isPrivate: true))
    }
}
