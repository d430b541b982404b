import Files
import Base
/// A branch that has moved, and what there is to wait for before that is sure to outlast a loss of power.
package struct BranchMove: ~Copyable {
    let name: String
    let path: String
    let new: ObjectID
    let old: ObjectID?
    /// A folder for the second name of its lock, see `LockFile`.
    let own: String?
    let durability: Durability
    let file: LockFile
    /// The one of its file, to be waited for without opening anything.
    let folder: FileDescriptor
    let logs: [LogFile]

    /// Waits for it and for all that the process has done since on the same file system, whose journal keeps the order:
    /// `last` is a folder in which a name was changed after the rest. What others do meanwhile is waited for with it.
    package func settle(with last: String) throws(GitError) {
        try system(file.sync(.strict))
        try system(FileSystem.sync(last))
    }
}
