package import Files
package import Base
internal import CGit2

/// What an entry of a tree is.
package enum FileMode: UInt32, Hashable, Sendable {
    case tree = 0o040000
    case blob = 0o100644
    case executable = 0o100755
    case link = 0o120000
    /// Another repository's commit: a submodule.
    case commit = 0o160000

    package var isRegular: Bool { self == .blob || self == .executable }

    init(_ raw: git_filemode_t) { self = FileMode(rawValue: UInt32(raw.rawValue)) ?? .blob }

    /// As libgit2 reads what old and foreign programs wrote: who may execute it is all that counts of a file's rights.
    init(bits: UInt32) {
        switch bits {
        case 0o040000: self = .tree
        case 0o100644: self = .blob
        default:
            switch bits & 0o170000 {
            case 0o040000: self = .tree
            case _ where bits & 0o111 != 0: self = .executable
            case 0o160000: self = .commit
            case 0o120000: self = .link
            default: self = .blob
            }
        }
    }
}

/// An object and what stands for it in the work tree.
package struct Content: Hashable, Sendable {
    package let id: ObjectID
    package let mode: FileMode

    package init(id: ObjectID, mode: FileMode) {
        self.id = id
        self.mode = mode
    }
}

/// One entry of a tree. Git allows any bytes but `/` and zero in a name.
package struct TreeEntry: Hashable, Sendable {
    package let name: String
    /// Whether the name is UTF-8; otherwise `name` has replacement characters and leads to nothing.
    package let nameIsValid: Bool
    package let mode: FileMode
    package let id: ObjectID
}

/// A file of a tree, with its whole path.
package struct TreeFile: Hashable, Sendable {
    package let path: String
    /// Whether the path is UTF-8; otherwise `path` has replacement characters and leads to nothing.
    package let pathIsValid: Bool
    package let mode: FileMode
    package let id: ObjectID
}

/// What is to become of one path of a tree.
package struct TreeUpdate: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case put(ObjectID, FileMode)
        case remove
    }

    package let path: String
    package let change: Change
    /// For the index: what the file in the work tree is, where it is known to hold this.
    package let status: FileStatus?

    package init(path: String, change: Change, status: FileStatus? = nil) {
        self.path = path
        self.change = change
        self.status = status
    }
}

/// A path at which two trees, or a tree and the index, differ.
package struct Difference: Hashable, Sendable {
    package let path: String
    /// Whether the path is UTF-8; otherwise `path` has replacement characters and leads to nothing.
    package let pathIsValid: Bool
    /// Nil where the path is new.
    package let old: Content?
    /// Nil where the path is gone.
    package let new: Content?

    /// Neither a link nor a submodule.
    package var isOfRegularFiles: Bool { old?.mode.isRegular ?? true && new?.mode.isRegular ?? true }
}
