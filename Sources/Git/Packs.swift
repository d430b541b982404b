import Files
import Base
internal import CGit2

/// Objects that lie in files of their own, and packs of many.
package struct ObjectStorage: Hashable, Sendable {
    /// About how many objects lie in a file of their own.
    package var loose = 0
    package var packs = 0
    /// Bytes that the packs and their indexes take.
    package var packedBytes = 0
    /// Whether there is a commit-graph, which makes walks of the history fast.
    package var hasCommitGraph = false
}

/// How objects are stored, and making that smaller and faster.
package struct Packs {
    let git: GitDirectory
    let configuration: RepositoryConfiguration

    /// What the object folder holds. Objects spread evenly over 256 folders, so one of them tells of all, as git has it.
    package func objectStorage() -> ObjectStorage {
        var storage = ObjectStorage()
        storage.loose = git.names(in: git.objectFolder + "/17").count { $0.utf8.count == 38 } * 256
        for name in git.names(in: git.objectFolder + "/pack") where name.hasPrefix("pack-") {
            if name.hasSuffix(".pack") { storage.packs += 1 }
            storage.packedBytes += (try? FileSystem.attributes(of: "\(git.objectFolder)/pack/\(name)"))??.size ?? 0
        }
        storage.hasCommitGraph = ["commit-graph", "commit-graphs"].contains {
            (try? FileSystem.isThere("\(git.objectFolder)/info/\($0)")) ?? false
        }
        return storage
    }

    /// Every object that lies in a file of its own.
    func looseObjects() -> [ObjectID] {
        Self.looseFolders.flatMap { folder in
            git.names(in: "\(git.objectFolder)/\(folder)").compactMap { ObjectID(hex: folder + $0) }.sorted { $0.hex < $1.hex }
        }
    }

    /// Named by the beginnings of the ids that are in them.
    private static let looseFolders = (0..<256).map { number in
        let hex = String(number, radix: 16)
        return hex.utf8.count == 1 ? "0" + hex : hex
    }

    /// Puts all loose objects into one pack, by libgit2 alone, and removes their files once the pack is on the disk.
    /// What nothing refers to is kept as well. Returns how many there were. `progress`: so many of so many.
    package func packLooseObjects(progress: (Int, Int) -> Void) throws(GitError) -> Int {
        let operation = "pack objects"
        let ids = looseObjects()
        guard ids.count > 1 else { return 0 }
        let builder = try own(operation, git_packbuilder_free) { git_packbuilder_new(&$0, git.pointer) }
        for (count, id) in ids.enumerated() {
            var raw = id.raw
            try check(operation) { git_packbuilder_insert(builder.pointer, &raw, nil) }
            progress(count, ids.count)
        }
        // Syncs the pack, its index and their folder: writing with a repository asks for that.
        try check(operation) { git_packbuilder_write(builder.pointer, nil, 0, nil, nil) }
        // What an alternate has may go away with it: only this repository's packs count.
        let packed = try packs(operation)
        for id in ids {
            let file = git.objectFolder + "/" + id.hex.prefix(2) + "/" + id.hex.dropFirst(2)
            var (raw, size, type) = (id.raw, 0, GIT_OBJECT_ANY)
            guard git_odb_read_header(&size, &type, packed.pointer, &raw) == 0 else { continue }
            try? FileSystem.remove(file)
        }
        return ids.count
    }

    /// This repository's own packs alone, as they are now.
    func packs(_ operation: String) throws(GitError) -> Owned {
        let packed = try own(operation, git_odb_free) { git_odb_new(&$0) }
        var packs: UnsafeMutablePointer<git_odb_backend>?
        try check(operation) { git_odb_backend_pack(&packs, git.objectFolder) }
        try check(operation) { git_odb_add_backend(packed.pointer, packs, 1) }
        return packed
    }

    /// A folder of objects for `git commit-graph`, which writes its file into it; the objects themselves are elsewhere.
    /// What a process left there that ended before it was done is removed. For whoever has the lock of the upkeep.
    ///
    /// In its usual place git makes a lock first, which stays when it is killed, and nobody writes a commit-graph any more.
    package func prepareCommitGraph() throws(GitError) -> String {
        for name in git.names(in: graphFolder + "/info") { try? FileSystem.remove("\(graphFolder)/info/\(name)") }
        try system(Folder.make(graphFolder + "/info", shared: git.sharedMode))
        try system(FileSystem.write(Array("../..\n".utf8), to: graphFolder + "/info/alternates"))
        return graphFolder
    }

    /// Puts the commit-graph that was made there into its place.
    package func placeCommitGraph() throws(GitError) {
        let operation = "write the commit-graph"
        let made = graphFolder + "/info/commit-graph"
        // A history without versions has none.
        guard try system(FileSystem.attributes(of: made)) != nil else { return }
        try git.sync(made)
        try system(FileSystem.rename(made, to: git.objectFolder + "/info/commit-graph"), for: operation)
        try? FileSystem.remove(graphFolder + "/info/alternates")
        try? FileSystem.removeFolder(graphFolder + "/info")
        try? FileSystem.removeFolder(graphFolder)
        try git.sync(git.objectFolder + "/info")
    }

    private var graphFolder: String { git.objectFolder + "/info/settings" }

    /// A pipe or a device where git looks for objects and references: it would wait there for ever. Nil where all is well.
    package func special() -> String? {
        for folder in [git.objectFolder, git.commonDirectory + "/refs", git.commonDirectory + "/logs"] {
            if let path = FileSystem.special(in: folder) { return path }
        }
        // `git fsck` reads a list that the configuration names.
        guard let list = (try? configuration.configured("fsck.skipList")).flatMap({ $0 }),
            let path = try? Configuration.expanded(path: list)
        else { return nil }
        return FileSystem.kind(of: path, following: true).flatMap { $0 == .file ? nil : path }
    }

    /// Removes what processes left that ended while they wrote objects; `age` in seconds is more than any pack takes.
    package func removeUnfinishedPacks(age: Int = 24 * 3600) {
        // libgit2's and our own; git removes its own by itself.
        for name in git.names(in: git.objectFolder + "/pack")
        where name.hasPrefix("pack_git2_") || name.hasPrefix("tmp_") && name.contains("_settings_") {
            let path = "\(git.objectFolder)/pack/\(name)"
            guard let attributes = (try? FileSystem.attributes(of: path)).flatMap({ $0 }), attributes.kind == .file,
                attributes.status.modified.seconds + Int64(age) < ThisProcess.now
            else { continue }
            try? FileSystem.remove(path)
        }
        for folder in Self.looseFolders { TemporaryName.removeLeft(in: "\(git.objectFolder)/\(folder)") { $0 == "tmp_obj_" } }
        removeLeftKeepFiles()
    }

    /// Lets go of packs that dead processes were about to give a reference to.
    package func removeLeftKeepFiles() { KeepFile.removeLeft(in: git.objectFolder + "/pack") }

    /// Writes what makes walks of the history fast, by libgit2 alone.
    package func writeCommitGraph() throws(GitError) {
        let operation = "write the commit-graph"
        let walk = try own(operation, git_revwalk_free) { git_revwalk_new(&$0, git.pointer) }
        try check(operation) { git_revwalk_push_glob(walk.pointer, "*") }
        let folder = try prepareCommitGraph()
        let writer = try own(operation, git_commit_graph_writer_free) {
            git_commit_graph_writer_new(&$0, folder + "/info")
        }
        try check(operation) { git_commit_graph_writer_add_revwalk(writer.pointer, walk.pointer) }
        try check(operation) { git_commit_graph_writer_commit(writer.pointer, nil) }
        try placeCommitGraph()
    }
}
