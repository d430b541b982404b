#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Refuses a git directory that somebody prepared to stop its readers or to be led elsewhere; `path` is as for `open`.
    /// libgit2 would wait for ever at a pipe, read a device without end, and take minutes for a configuration of 20 MB (all
    /// versions; not reported).
    static func checkFiles(at path: String) throws(GitError) {
        let (directory, isLinked) = try gitDirectory(of: path)
        var common = directory
        if let shared = try sharedDirectory(of: directory) {
            guard isLinked else {
                throw malformed(directory + "/commondir", "leads to another repository, as only a linked work tree's may")
            }
            common = shared
        }
        for name in [
            "objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/tags", "logs", "logs/refs", "logs/refs/heads",
        ] {
            try refuseLink("\(common)/\(name)")
        }
        try refuseLink(directory + "/logs")
        for name in ["HEAD", "commondir"] { try checkFile("\(directory)/\(name)", atMost: nameLimit) }
        for name in ["index", "logs/HEAD"] { try checkFile("\(directory)/\(name)", atMost: .max) }
        for path in [directory + "/config.worktree", common + "/config"] { try checkConfiguration(path) }
        for name in ["packed-refs", "shallow", "objects/info/commit-graph"] { try checkFile("\(common)/\(name)", atMost: .max) }
        try checkFile(common + "/objects/info/alternates", atMost: configurationLimit)
        guard let head = try FileSystem.read(directory + "/HEAD", atMost: nameLimit) else { return }
        let target = firstLine(head.bytes)
        guard target.hasPrefix("ref: refs/") else { return }
        try checkFile("\(common)/\(target.dropFirst(5))", atMost: .max, orFolder: true)
        try refuseLink("\(common)/\(target.dropFirst(5))")
        try checkFile("\(common)/logs/\(target.dropFirst(5))", atMost: .max, orFolder: true)
    }

    /// Where git keeps its own for a work tree, and what all work trees of the repository share.
    static func directories(of path: String) throws(GitError) -> (directory: String, common: String) {
        let (directory, isLinked) = try gitDirectory(of: path)
        return (directory, isLinked ? try sharedDirectory(of: directory) ?? directory : directory)
    }

    /// Where a git directory says that what all work trees share is; nil where it says nothing.
    private static func sharedDirectory(of directory: String) throws(GitError) -> String? {
        guard let file = try FileSystem.read(directory + "/commondir", atMost: nameLimit) else { return nil }
        let place = firstLine(file.bytes)
        return place.hasPrefix("/") ? place : directory + "/" + place
    }

    /// The references that have a file of their own. Refuses those that are no files: a pipe stops who reads it.
    func looseReferences(in folder: String, depth: Int = 0) throws(GitError) -> [String] {
        guard depth < 32 else { return [] }
        guard let stream = opendir(commonDirectory + "/" + folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw .system(operation: "read \(commonDirectory)/\(folder)")
        }
        defer { closedir(stream) }
        var found: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return found }
                throw .system(operation: "read \(commonDirectory)/\(folder)")
            }
            let type = Int32(entry.pointee.d_type)
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name == "." || name == ".." { continue }
            let path = "\(folder)/\(name)"
            if type == Int32(DT_DIR) {
                found += try looseReferences(in: path, depth: depth + 1)
                continue
            }
            if type != Int32(DT_REG), type != Int32(DT_UNKNOWN) {
                try Self.checkFile("\(commonDirectory)/\(path)", atMost: .max, orFolder: true)
            }
            found.append(path)
        }
    }

    private static let nameLimit = 4096
    private static let configurationLimit = 1 << 20

    /// Where git keeps its own for a work tree, and whether a file leads there.
    private static func gitDirectory(of path: String) throws(GitError) -> (path: String, isLinked: Bool) {
        let own = path + "/.git"
        var status = stat()
        guard stat(own, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .system(operation: "look at \(own)") }
            return (path, false)
        }
        if status.st_mode & S_IFMT == S_IFDIR { return (own, false) }
        try checkFile(own, atMost: nameLimit)
        guard let file = try FileSystem.read(own, atMost: nameLimit) else { return (own, true) }
        let line = firstLine(file.bytes)
        guard line.hasPrefix("gitdir: ") else { return (own, true) }
        let place = String(line.dropFirst(8))
        return (place.hasPrefix("/") ? place : path + "/" + place, true)
    }

    /// What is written there would be written elsewhere.
    private static func refuseLink(_ path: String) throws(GitError) {
        guard let status = try FileSystem.status(of: path), status.st_mode & S_IFMT == S_IFLNK else { return }
        throw malformed(path, "is a symbolic link")
    }

    private static func checkFile(_ path: String, atMost limit: Int, orFolder: Bool = false) throws(GitError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // A link in a circle leads nowhere.
            guard [ENOENT, ENOTDIR, ELOOP, EACCES].contains(errno) else { throw .system(operation: "look at \(path)") }
            return
        }
        if orFolder, status.st_mode & S_IFMT == S_IFDIR { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw malformed(path, "is not a regular file") }
        guard status.st_size <= limit else { throw malformed(path, "has \(status.st_size) bytes, more than \(limit)") }
    }

    /// As files, also those that it includes: a configuration may name any file of the machine.
    private static func checkConfiguration(_ path: String, depth: Int = 0) throws(GitError) {
        try checkFile(path, atMost: configurationLimit)
        guard depth < 10, let place = realpath(path, nil) else { return }
        defer { free(place) }
        guard let file = try FileSystem.read(String(cString: place), atMost: configurationLimit) else { return }
        let text = String(decoding: file.bytes, as: UTF8.self)
        for included in ConfigurationText.includes(text) ? ConfigurationText(text).includedPaths : [] {
            guard !included.contains("\\") else { throw malformed(path, "includes \(included), which is not a plain path") }
            let expanded = (try? Configuration.expanded(path: included)) ?? included
            let isAbsolute = expanded.hasPrefix("/")
            try checkConfiguration(isAbsolute ? expanded : FileSystem.folder(of: path) + "/" + expanded, depth: depth + 1)
        }
    }

    private static func malformed(_ path: String, _ reason: String) -> GitError {
        GitError(.invalid, "\(path) \(reason)", operation: "open the repository")
    }

    private static func firstLine(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }, as: UTF8.self)
    }
}
