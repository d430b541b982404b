package import Base
/// What a git operation failed with: libgit2's words, and a kind to decide by.
package struct GitError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case notFound
        /// An object that a partial clone leaves with its remote until git asks for it.
        case promised
        case exists
        case ambiguous
        /// Somebody else's lock file is in the way: try again.
        case locked
        /// Somebody else moved the reference in between.
        case modified
        case unborn
        /// A name, path, key or argument that git does not allow.
        case invalid
        /// A file of git's configuration can't be read as one.
        case configuration
        /// A merge's conflict, or a file where a folder is wanted.
        case conflict
        case tooLarge
        /// Folders in folders, more of them than are read.
        case tooDeep
        case foreignOwner
        case bare
        case corrupt
        /// An index of git's own files, or a pack, is not as git writes them.
        case damagedIndex(path: String)
        /// It names no commit and nothing below `refs/`.
        case damagedHead
        /// `git repack` or the like keeps removing packs before they can be read.
        case repacked
        /// Git's index has an extension that libgit2 does not know and that must be understood: `link` where the index is
        /// split, `sdir` where it is sparse.
        case unknownIndex(extension: String)
        /// A branch that is gone though its log knows it, at a version.
        case lost(branch: String, last: ObjectID)
        /// The repository uses a feature that libgit2 does not know.
        case unsupported
        /// It names objects by another hash than SHA-1.
        case otherFormat
        case noSpace
        /// The system refuses access: permissions, or a file system that is read-only.
        case denied
        /// The system has no descriptor, process or memory left.
        case exhausted
        /// The reference has moved, but whether that survives a power loss is not known.
        case durabilityUnknown
        case other
    }

    package let kind: Kind
    /// libgit2's return value; 0 where the error is not libgit2's.
    package let code: Int32
    /// libgit2's error class; 0 where the error is not libgit2's.
    package let category: Int32
    package let message: String
    /// What was being done, as words that follow "cannot".
    package let operation: String

    init(_ kind: Kind, _ message: String, operation: String, code: Int32 = 0, category: Int32 = 0) {
        self.kind = kind
        self.code = code
        self.category = category
        self.message = message
        self.operation = operation
    }

    /// Whether an object that something refers to was looked for and isn't there.
    package var isMissingObject: Bool { kind == .notFound && category == Self.objects }

    /// The same failure, known to be of another kind.
    func of(_ kind: Kind) -> GitError {
        GitError(kind, message, operation: operation, code: code, category: category)
    }
}

extension GitError: CustomStringConvertible {
    package var description: String { "cannot \(operation): \(message)" }
}
