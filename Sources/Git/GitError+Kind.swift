internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension GitError.Kind {
    /// What libgit2 means by a return value, its error class and, where both say only "error", its words.
    init(code: Int32, category: Int32, message: String) {
        self =
            switch git_error_code(code) {
            case GIT_ENOTFOUND: .notFound
            case GIT_EEXISTS: .exists
            case GIT_EAMBIGUOUS: .ambiguous
            // libgit2 says so of a file that it may not open, too.
            case GIT_ELOCKED: Self.system(message) ?? .locked
            case GIT_EMODIFIED: .modified
            case GIT_EUNBORNBRANCH: .unborn
            case GIT_EINVALIDSPEC, GIT_EINVALID, GIT_EPEEL: .invalid
            case GIT_EUNMERGED, GIT_ECONFLICT, GIT_EMERGECONFLICT: .conflict
            case GIT_EOWNER: .foreignOwner
            case GIT_EBAREREPO: .bare
            case GIT_EMISMATCH: .corrupt
            default: GitError.Kind(category: git_error_t(UInt32(bitPattern: category)), message: message)
            }
    }

    private init(category: git_error_t, message: String) {
        if let known = Self.system(message) {
            self = known
        } else if message.contains("unsupported") {
            self = .unsupported
        } else if message.contains("corrupt") || message.contains("parse") {
            self = category == GIT_ERROR_CONFIG ? .invalid : .corrupt
        } else {
            self =
                switch category {
                case GIT_ERROR_ZLIB, GIT_ERROR_ODB, GIT_ERROR_OBJECT: .corrupt
                case GIT_ERROR_TREE, GIT_ERROR_INVALID, GIT_ERROR_CONFIG: .invalid
                case GIT_ERROR_INDEX: message.contains("invalid data") ? .corrupt : .invalid
                default: .other
                }
        }
    }

    init(errno: Int32) {
        self =
            switch errno {
            case ENOENT, ENOTDIR: .notFound
            case EEXIST: .exists
            case ENOSPC, EDQUOT: .noSpace
            case EACCES, EPERM, EROFS: .denied
            default: .other
            }
    }

    /// libgit2 keeps no errno; it ends its message with the system's words for it.
    private static func system(_ message: String) -> Self? {
        for code in [ENOSPC, EDQUOT, EACCES, EPERM, EROFS] {
            if let words = strerror(code), message.hasSuffix(String(cString: words)) { return Self(errno: code) }
        }
        return nil
    }
}

extension GitError {
    /// A system call's failure; to be made before anything else can change `errno`.
    static func system(_ code: Int32 = errno, operation: String) -> GitError {
        let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return GitError(Kind(errno: code), words, operation: operation)
    }
}
