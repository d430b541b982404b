import SettingsModel
internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Damage {
    /// What is wrong with a git directory's own files, looked at without libgit2, which opens none that lacks its HEAD.
    /// `path` is as for `Repository.open`.
    package static func inFiles(of path: String) -> [Damage] {
        guard let (directory, common) = try? Repository.directories(of: path) else { return [] }
        var files = GitFiles(directory: directory, common: common)
        files.checkFolders()
        files.checkHead()
        files.checkReferences("refs")
        files.checkPackedReferences()
        files.checkLogs("logs", in: directory)
        if common != directory { files.checkLogs("logs", in: common) }
        files.checkIndex()
        files.checkPacks()
        files.checkGraph()
        files.checkAlternates()
        files.checkLocks(directory)
        if common != directory { files.checkLocks(common) }
        return files.damages
    }
}

/// The files of a git directory that are read one by one.
private struct GitFiles {
    let directory: String
    let common: String
    var damages: [Damage] = []

    private static let smallLimit = 1 << 20

    init(directory: String, common: String) {
        self.directory = directory
        self.common = common
    }

    private mutating func add(_ kind: Damage.Kind, _ place: String, _ reason: String) {
        damages.append(Damage(kind, place, reason))
    }

    private mutating func addUnreadable(_ kind: Damage.Kind, _ place: String, _ code: Int32 = errno) {
        var damage = Damage(kind, place, "it can't be read: \(String(cString: strerror(code)))")
        damage.isUnreadable = true
        damages.append(damage)
    }

    /// A small file's text; what it is instead is noted. Nil also where it isn't there.
    private mutating func text(_ path: String, _ kind: Damage.Kind, isNeeded: Bool = false, limit: Int = smallLimit) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if isNeeded || errno != ENOENT && errno != ENOTDIR {
                if errno == ENOENT { add(kind, path, "it is missing") } else { addUnreadable(kind, path) }
            }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            add(kind, path, status.st_mode & S_IFMT == S_IFREG ? "it has \(status.st_size) bytes" : "it is no regular file")
            return nil
        }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            addUnreadable(kind, path)
            return nil
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else {
            addUnreadable(kind, path)
            return nil
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    mutating func checkHead() {
        let path = directory + "/HEAD"
        guard let text = text(path, .head, isNeeded: true) else { return }
        let line = text.prefix { !$0.isNewline }
        if ObjectID(hex: String(line)) != nil { return }
        if line.isEmpty { return add(.head, path, "it is empty") }
        guard line.hasPrefix("ref: refs/"), !line.contains("..") else {
            return add(.head, path, "it names neither a branch nor a version")
        }
        let branch = String(line.dropFirst(5))
        guard access("\(common)/\(branch)", F_OK) != 0,
            let log = try? FileSystem.read("\(common)/logs/\(branch)", atMost: 1 << 30),
            !log.bytes.isEmpty
        else { return }
        // What can't be read may hold it, and is named by itself.
        guard access(common + "/packed-refs", F_OK) != 0 || access(common + "/packed-refs", R_OK) == 0 else { return }
        let packed = (try? FileSystem.read(common + "/packed-refs", atMost: 256 << 20))?.bytes ?? []
        if packed.split(separator: UInt8(ascii: "\n")).contains(where: { $0.dropFirst(41).elementsEqual(branch.utf8) }) { return }
        add(.reference(branch), "\(common)/\(branch)", "HEAD is on this branch, which is missing though it had versions")
    }

    mutating func checkFolders() {
        for name in ["objects", "refs"] where !Self.isFolder("\(common)/\(name)") {
            add(.folder, "\(common)/\(name)", "the folder is missing")
        }
    }

    mutating func checkReferences(_ folder: String, depth: Int = 0) {
        guard depth < 32 else { return }
        for name in Self.names(in: "\(common)/\(folder)") where !name.hasSuffix(".lock") {
            let (path, reference) = ("\(common)/\(folder)/\(name)", "\(folder)/\(name)")
            if Self.isFolder(path) {
                checkReferences(reference, depth: depth + 1)
                continue
            }
            guard let text = text(path, .reference(reference), limit: 4096) else { continue }
            let line = text.prefix { !$0.isNewline }
            if ObjectID(hex: String(line)) != nil || line.hasPrefix("ref: refs/") { continue }
            add(.reference(reference), path, line.isEmpty ? "it is empty" : "it holds no id of a version")
        }
    }

    mutating func checkPackedReferences() {
        let path = common + "/packed-refs"
        guard let text = text(path, .packedReferences, limit: 256 << 20) else { return }
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let digits = line.hasPrefix("^") ? line.dropFirst() : line.prefix { $0 != " " }
            if ObjectID(hex: String(digits)) != nil, line.hasPrefix("^") || line.dropFirst(41).hasPrefix("refs/") { continue }
            return add(.packedReferences, path, "line \(number + 1) is no reference")
        }
    }

    /// A line is `OLD NEW NAME <E-MAIL> TIME ZONE`, a tab, what was done.
    mutating func checkLogs(_ folder: String, in place: String, depth: Int = 0) {
        guard depth < 32 else { return }
        for name in Self.names(in: "\(place)/\(folder)") where !name.hasSuffix(".lock") {
            let path = "\(place)/\(folder)/\(name)"
            if Self.isFolder(path) {
                checkLogs("\(folder)/\(name)", in: place, depth: depth + 1)
                continue
            }
            guard let text = text(path, .log, limit: 1 << 30) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where !line.isEmpty {
                let words = line.split(separator: " ", maxSplits: 2)
                let isLine =
                    words.count == 3 && words[0...1].allSatisfy { ObjectID(hex: String($0)) != nil } && line.contains(">")
                if isLine, number < lines.count - 1 { continue }
                add(.log, path, isLine ? "its last line has no end" : "line \(number + 1) is no entry of a log")
                break
            }
        }
    }

    mutating func checkIndex() {
        let path = directory + "/index"
        guard let (bytes, _) = try? FileSystem.read(path, atMost: 1 << 30) else {
            // Before the first version there may be none.
            let isBorn = !Self.names(in: common + "/refs/heads").isEmpty || access(common + "/packed-refs", F_OK) == 0
            if access(path, F_OK) == 0 { return add(.index, path, "it can't be read") }
            return isBorn ? add(.index, path, "it is missing") : ()
        }
        if bytes.isEmpty { return add(.index, path, "it is empty") }
        guard bytes.count > 32, bytes.starts(with: Array("DIRC".utf8)) else { return add(.index, path, "it is no index") }
        let isHashed = bytes.suffix(20).contains { $0 != 0 }
        if isHashed, !IndexFile.hash(bytes[..<(bytes.count - 20)]).elementsEqual(bytes.suffix(20)) {
            add(.index, path, "it is damaged: its checksum is wrong")
        }
    }

    mutating func checkPacks() {
        let folder = common + "/objects/pack"
        let names = Set(Self.names(in: folder))
        for name in names.sorted() where name.hasPrefix("pack-") {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".pack") {
                if !names.contains(name.dropLast(5) + ".idx") {
                    add(.packIndex, path, "its index, the .idx beside it, is missing")
                }
                if let reason = Self.wrongChecksum(path, begins: "PACK") { add(.pack, path, reason) }
            } else if name.hasSuffix(".idx") {
                if !names.contains(name.dropLast(4) + ".pack") { add(.pack, path, "its pack is missing") }
                if let reason = Self.wrongChecksum(path, begins: "\u{FF}tOc") { add(.packIndex, path, reason) }
            }
        }
    }

    mutating func checkGraph() {
        let path = common + "/objects/info/commit-graph"
        if access(path, F_OK) == 0, let reason = Self.wrongChecksum(path, begins: "CGPH") { add(.graph, path, reason) }
    }

    mutating func checkAlternates() {
        let path = common + "/objects/info/alternates"
        guard let text = text(path, .alternates) else { return }
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let folder = line.hasPrefix("/") ? String(line) : "\(common)/objects/\(line)"
            if !Self.isFolder(folder) { add(.alternates, path, "it names \(line), which is no folder") }
        }
    }

    mutating func checkLocks(_ place: String) {
        let folder = place + "/"
        for name in ["index", "HEAD", "config", "config.worktree", "packed-refs", "shallow", "objects/info/commit-graph"]
        where access("\(folder)\(name).lock", F_OK) == 0 {
            add(.lock, "\(folder)\(name).lock", "it keeps everybody from writing \(name)")
        }
        if place == common { checkLocks(in: "refs", of: place) }
    }

    private mutating func checkLocks(in folder: String, of place: String, depth: Int = 0) {
        guard depth < 32 else { return }
        for name in Self.names(in: "\(place)/\(folder)") {
            let path = "\(place)/\(folder)/\(name)"
            if Self.isFolder(path) {
                checkLocks(in: "\(folder)/\(name)", of: place, depth: depth + 1)
            } else if name.hasSuffix(".lock") {
                add(.lock, path, "it keeps everybody from moving \(folder)/\(name.dropLast(5))")
            }
        }
    }

    /// Packs, their indexes and the commit-graph end in the SHA-1 of what comes before.
    private static func wrongChecksum(_ path: String, begins magic: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return "it can't be read: \(String(cString: strerror(errno)))" }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "it is no regular file" }
        guard status.st_size > 20 else { return status.st_size == 0 ? "it is empty" : "it is cut short" }
        var sha = settings_sha1()
        settings_sha1_begin(&sha)
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        var place: off_t = 0
        while place < status.st_size - 20 {
            let wanted = min(chunk.count, Int(status.st_size - 20 - place))
            let count = chunk.withUnsafeMutableBytes { pread(file, $0.baseAddress, wanted, place) }
            guard count > 0 else { return "it can't be read: \(String(cString: strerror(errno)))" }
            // A single scalar of the magic stands for one byte.
            if place == 0, !chunk.prefix(4).elementsEqual(magic.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) {
                return "it doesn't begin as such a file does"
            }
            chunk.withUnsafeBytes { settings_sha1_add(&sha, $0.baseAddress, count) }
            place += off_t(count)
        }
        var (hash, end) = ([UInt8](repeating: 0, count: 20), [UInt8](repeating: 0, count: 20))
        settings_sha1_end(&sha, &hash)
        guard pread(file, &end, 20, place) == 20, hash == end else { return "it is damaged: its checksum is wrong" }
        return nil
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func names(in folder: String) -> [String] {
        FileSystem.names(in: folder).filter { $0 != "." && $0 != ".." }.sorted()
    }
}
