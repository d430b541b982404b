import Files

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
            "packed-refs", "shallow",
        ] {
            try refuseLink("\(common)/\(name)")
        }
        try refuseLink(directory + "/logs")
        for name in ["HEAD", "commondir"] { try checkFile("\(directory)/\(name)", atMost: nameLimit) }
        for name in ["index", "logs/HEAD"] { try checkFile("\(directory)/\(name)", atMost: .max) }
        for path in [directory + "/config.worktree", common + "/config"] { try checkConfiguration(path) }
        for name in ["packed-refs", "shallow", "objects/info/commit-graph"] { try checkFile("\(common)/\(name)", atMost: .max) }
        try checkFile(common + "/objects/info/alternates", atMost: configurationLimit)
        try PackIndexes.check(in: common + "/objects")
        guard let head = try system(FileSystem.bytes(of: directory + "/HEAD", atMost: nameLimit)) else { return }
        let target = firstLine(head)
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
        guard let file = try system(FileSystem.bytes(of: directory + "/commondir", atMost: nameLimit)) else { return nil }
        let place = firstLine(file)
        return place.hasPrefix("/") ? place : directory + "/" + place
    }

    private static let nameLimit = 4096
    private static let configurationLimit = 1 << 20

    /// Where git keeps its own for a work tree, and whether a file leads there.
    private static func gitDirectory(of path: String) throws(GitError) -> (path: String, isLinked: Bool) {
        let own = path + "/.git"
        guard let attributes = try system(FileSystem.attributes(of: own, following: true)) else { return (path, false) }
        if attributes.kind == .folder { return (own, false) }
        try checkFile(own, atMost: nameLimit)
        guard let file = try system(FileSystem.bytes(of: own, atMost: nameLimit)) else { return (own, true) }
        let line = firstLine(file)
        guard line.hasPrefix("gitdir: ") else { return (own, true) }
        let place = String(line.dropFirst(8))
        return (place.hasPrefix("/") ? place : path + "/" + place, true)
    }

    /// What is written there would be written elsewhere.
    private static func refuseLink(_ path: String) throws(GitError) {
        guard try system(FileSystem.attributes(of: path))?.kind == .link else { return }
        throw malformed(path, "is a symbolic link")
    }

    static func checkFile(_ path: String, atMost limit: Int, orFolder: Bool = false) throws(GitError) {
        let found: FileAttributes?
        do { found = try FileSystem.attributes(of: path, following: true) } catch {
            // A link in a circle leads nowhere.
            if error.isLink || error.isForbidden { return }
            throw GitError(error)
        }
        guard let found else { return }
        if orFolder, found.kind == .folder { return }
        guard found.kind == .file else { throw malformed(path, "is not a regular file") }
        guard found.size <= limit else { throw malformed(path, "has \(found.size) bytes, more than \(limit)") }
    }

    /// As files, also those that it includes: a configuration may name any file of the machine.
    private static func checkConfiguration(_ path: String, depth: Int = 0) throws(GitError) {
        do { try checkFile(path, atMost: configurationLimit) } catch {
            throw error.kind == .invalid ? error.of(.configuration) : error
        }
        guard depth < 10, let place = try? FileSystem.resolved(path),
            let file = try system(FileSystem.bytes(of: place, atMost: configurationLimit))
        else { return }
        let text = String(decoding: file, as: UTF8.self)
        for included in ConfigurationText.includes(text) ? ConfigurationText(text).includedPaths : [] {
            guard !included.contains("\\") else {
                throw malformed(path, "includes \(included), which is not a plain path").of(.configuration)
            }
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
