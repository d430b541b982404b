/// Where this program's own files lie inside git's folder.
struct OwnFiles {
    let folder: String

    init(in gitDirectory: String) { folder = gitDirectory + "/settings" }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The lock file of those who write.
    var lock: String { path("lock") }

    /// The note of hand edits that are put aside while other versions take their place: the reference that keeps them.
    var aside: String { path("aside") }

    /// Held by whoever has put them aside.
    var asideLock: String { path("aside-lock") }

    /// The files that could not be written, see `UnwrittenFile`.
    var unwritten: String { path("unwritten") }

    var note: PendingNote { PendingNote(path: path("pending")) }
}

extension Versions {
    var ownFiles: OwnFiles { OwnFiles(in: repository.git.gitDirectory) }
}
