import Files
package import SettingsModel
internal import CGit2

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

    init(_ failure: SystemFailure) {
        self =
            if failure.isMissing {
                .notFound
            } else if failure.isThereAlready {
                .exists
            } else if failure.isFull {
                .noSpace
            } else if failure.isDenied {
                .denied
            } else {
                .other
            }
    }

    /// libgit2 keeps no errno; it ends its message with the system's words for it.
    private static func system(_ message: String) -> Self? {
        SystemFailure.fullOrDenied.first { message.hasSuffix($0.reason) }.map { Self($0) }
    }
}

extension GitError {
    package init(_ failure: SystemFailure, operation: String? = nil) {
        self.init(
            Kind(failure), failure.reason, operation: operation ?? "\(failure.operation) \(failure.path)")
    }
}

/// Calls the system, whose failures are git's. `operation`: what they keep from being done, if not the call itself.
package func system<Result: ~Copyable>(
    _ call: @autoclosure () throws(SystemFailure) -> Result, for operation: String? = nil
) throws(GitError) -> Result {
    do { return try call() } catch { throw GitError(error, operation: operation) }
}
