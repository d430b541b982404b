import Files
internal import CGit2

extension Repository {
    /// Makes a repository whose work tree is this folder (made too where it is missing). The user's template is not
    /// looked at: it may hold hooks. Fails with `.exists` where there is one already.
    ///
    /// It is made in a folder of its own and moved here when it is whole: half a repository would keep everybody out.
    package static func create(
        at path: String, branch: String, durable: Bool = true
    ) throws(GitError) -> Repository {
        try Library.start()
        let operation = "make a repository in \(path)"
        try refuseZeroByte(in: path, operation)
        try checkBranch(branch, operation)
        try system(Folder.make(path, durable: durable))
        guard try system(FileSystem.attributes(of: path + "/.git")) == nil else {
            throw GitError(.exists, "there is one already", operation: operation)
        }
        let lock = try system(Lock.take(folder: path), for: operation)
        defer { withExtendedLifetime(lock) {} }
        let new = path + unfinished
        // What a dead process left.
        try system(FileSystem.removeAll(new))
        do throws(GitError) {
            try make(at: new, branch: branch, durable: durable, operation)
            try system(FileSystem.rename(new + "/.git", to: path + "/.git"), for: operation)
        } catch {
            try? FileSystem.removeAll(new)
            throw error
        }
        do throws(GitError) {
            if durable { try system(FileSystem.sync(path)) }
            if (try? FileSystem.removeFolder(new)) == nil { try system(FileSystem.removeAll(new)) }
            return try open(at: path, durable: durable)
        } catch {
            try? takeAway(path)
            throw error
        }
    }

    /// Removes a repository that has just been made, as long as nothing was committed to it.
    package static func remove(newAt path: String) throws(GitError) {
        let operation = "remove the repository in \(path)"
        let lock = try system(Lock.take(folder: path), for: operation)
        defer { withExtendedLifetime(lock) {} }
        guard try open(at: path).references.references(matching: "refs/*").isEmpty else { return }
        try takeAway(path)
    }

    /// All at once: who looks sees a repository or none.
    private static func takeAway(_ path: String) throws(GitError) {
        try system(Folder.make(path + unfinished))
        try system(
            FileSystem.rename(path + "/.git", to: path + unfinished + "/.git"), for: "remove the repository in \(path)")
        try system(FileSystem.removeAll(path + unfinished))
    }

    private static let unfinished = "/.git.new"

    private static func make(at path: String, branch: String, durable: Bool, _ operation: String) throws(GitError) {
        var options = git_repository_init_options()
        try check(operation) { git_repository_init_options_init(&options, UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)) }
        options.flags =
            GIT_REPOSITORY_INIT_NO_REINIT.rawValue | GIT_REPOSITORY_INIT_MKDIR.rawValue
            | GIT_REPOSITORY_INIT_MKPATH.rawValue
        _ = try own(operation, git_repository_free) { handle in
            branch.withCString { name in
                options.initial_head = name
                return git_repository_init_ext(&handle, path, &options)
            }
        }
        // libgit2 leaves these where it can't remove them (all versions; not reported).
        for name in ["HEAD", "config"] { try? FileSystem.remove(path + "/.git/\(name).lock") }
        guard durable else { return }
        for name in ["config", "HEAD", "objects/info", "objects/pack", "objects", "refs/heads", "refs/tags", "refs", ""] {
            try system(FileSystem.sync(path + "/.git/" + name))
        }
    }

    private static func checkBranch(_ name: String, _ operation: String) throws(GitError) {
        var valid: Int32 = 0
        try refuseZeroByte(in: name, operation)
        try check(operation) { git_branch_name_is_valid(&valid, name) }
        guard valid == 1 else { throw GitError(.invalid, "'\(name)' is not a valid branch name", operation: operation) }
    }

    /// The name that the user wants for the first branch of a repository.
    package static func userDefaultBranch() throws(GitError) -> String {
        try Configuration.ofUser().value("init.defaultBranch") ?? "main"
    }
}
