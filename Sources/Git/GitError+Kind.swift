import Files
package import Base
internal import CGit2

extension GitError.Kind {
    /// What libgit2 means by a return value and its error class. Its words decide nothing: they contain paths.
    init(code: Int32, category: Int32, message: String) {
        self =
            switch git_error_code(code) {
            case GIT_ENOTFOUND: .notFound
            case GIT_EEXISTS: .exists
            case GIT_EAMBIGUOUS: .ambiguous
            // libgit2 says so of a file that it may not open, too.
            case GIT_ELOCKED: Self.system(category, message) ?? .locked
            case GIT_EMODIFIED: .modified
            case GIT_EUNBORNBRANCH: .unborn
            case GIT_EINVALIDSPEC, GIT_EINVALID, GIT_EPEEL: .invalid
            case GIT_EUNMERGED, GIT_ECONFLICT, GIT_EMERGECONFLICT: .conflict
            case GIT_EOWNER: .foreignOwner
            case GIT_EBAREREPO: .bare
            case GIT_EMISMATCH: .corrupt
            default: Self.system(category, message) ?? Self(category: git_error_t(UInt32(bitPattern: category)))
            }
    }

    /// What libgit2 says "error" of and no more: what it reads, but for trees and indexes, which are made here.
    private init(category: git_error_t) {
        self =
            switch category {
            case GIT_ERROR_ZLIB, GIT_ERROR_ODB, GIT_ERROR_OBJECT, GIT_ERROR_TREE, GIT_ERROR_TAG, GIT_ERROR_REFERENCE,
                GIT_ERROR_INDEX, GIT_ERROR_INVALID:
                .corrupt
            case GIT_ERROR_CONFIG: .configuration
            case GIT_ERROR_REPOSITORY: .unsupported
            case GIT_ERROR_NOMEMORY: .exhausted
            default: .other
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
            } else if failure.isExhausted {
                .exhausted
            } else {
                .other
            }
    }

    /// What the system said to libgit2, which keeps no errno: it sets it to 0 once it has written ": " and the system's words
    /// for it behind its own, paths included, where the error is of this class (all versions).
    private static func system(_ category: Int32, _ message: String) -> Self? {
        guard category == GIT_ERROR_OS.rawValue else { return nil }
        return SystemFailure.distinct.first { message.hasSuffix(": " + $0.reason) }.map { Self($0) }
    }
}

extension GitError {
    /// libgit2's class of errors about objects.
    static let objects = Int32(bitPattern: GIT_ERROR_ODB.rawValue)

    /// The pack that libgit2 says it could not open: whatever the reason, its words and its code are the same (all versions).
    static func unopenedPack(_ category: Int32, _ message: String) -> String? {
        let beginning = "invalid packfile '"
        guard category == GIT_ERROR_OS.rawValue, message.hasPrefix(beginning), let end = message.lastIndex(of: "'"),
            end > message.startIndex
        else { return nil }
        return String(message[..<end].dropFirst(beginning.count))
    }

    /// Why such a pack could not be opened.
    static func unopened(_ pack: String, _ operation: String) -> GitError {
        do {
            try FileSystem.checkOpens(pack)
            if try FileSystem.isThere(pack) {
                // It may just have taken the place of one of the same name, and its index comes next.
                ThisProcess.pause(100_000)
                do throws(GitError) { try PackIndexes.checkWhole(pack: pack) } catch { return error }
                return GitError(.exhausted, "\(pack) could not be opened", operation: operation)
            }
        } catch { return GitError(error, operation: operation) }
        if let several = PackIndexes.indexOfSeveral(naming: pack) {
            let name = FileSystem.name(of: pack)
            return GitError(.damagedIndex(path: several), "it lists \(name), which is missing", operation: operation)
        }
        return GitError(.repacked, "\(pack) was removed meanwhile", operation: operation)
    }

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
