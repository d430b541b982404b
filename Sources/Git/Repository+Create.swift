internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Makes a repository whose work tree is this folder (made too where it is missing). The user's template is not
    /// looked at: it may hold hooks. Fails with `.exists` where there is one already.
    package static func create(
        at path: String, branch: String, durable: Bool = true
    ) throws(GitError) -> Repository {
        try Library.start()
        try Library.sync(durable)
        let operation = "make a repository in \(path)"
        try refuseZeroByte(in: path, operation)
        try checkBranch(branch, operation)
        var options = git_repository_init_options()
        try check(operation) { git_repository_init_options_init(&options, UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)) }
        options.flags =
            GIT_REPOSITORY_INIT_NO_REINIT.rawValue | GIT_REPOSITORY_INIT_MKDIR.rawValue
            | GIT_REPOSITORY_INIT_MKPATH.rawValue
        let handle = try own(operation, git_repository_free) { handle in
            branch.withCString { name in
                options.initial_head = name
                return git_repository_init_ext(&handle, path, &options)
            }
        }
        let repository = try around(handle, durable: durable, operation)
        let folder = repository.gitDirectory
        for name in ["/config", "/HEAD", "/objects", "/refs/heads", "/refs/tags", "/refs", "", "/.."] {
            try repository.sync(folder + name)
        }
        return repository
    }

    private static func checkBranch(_ name: String, _ operation: String) throws(GitError) {
        var valid: Int32 = 0
        try refuseZeroByte(in: name, operation)
        try check(operation) { git_branch_name_is_valid(&valid, name) }
        guard valid == 1 else { throw GitError(.invalid, "‘\(name)’ is no name for a branch", operation: operation) }
    }

    /// The name that the user wants for the first branch of a repository.
    package static func userDefaultBranch() throws(GitError) -> String {
        try Configuration.ofUser().value("init.defaultBranch") ?? "main"
    }
}
