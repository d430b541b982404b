package import Files

extension References {
    /// Where git writes when HEAD comes to another commit: HEAD itself, the branch that it names, and the packed references.
    ///
    /// The branch's file is renamed into place. Its folder may be missing, because `git pack-refs` removes empty ones: then the
    /// nearest one above it is where the next commit makes it. The folders are to be asked for again after every event.
    package func placesWhereHeadMoves() throws(GitError) -> [FolderWatch.Place] {
        var places = [
            // Where the work tree is moved or removed as a whole.
            FolderWatch.Place(git.workDirectory ?? git.gitDirectory, [".git"]),
            FolderWatch.Place(git.gitDirectory, ["HEAD", "rebase-merge", "rebase-apply"]),
            FolderWatch.Place(git.commonDirectory, ["packed-refs"]),
        ]
        guard let branch = try unresolvedHead().branch else { return places }
        var path = "\(git.commonDirectory)/\(branch)"
        while FileSystem.folder(of: path) != git.commonDirectory, try !system(FileSystem.isThere(FileSystem.folder(of: path))) {
            path = FileSystem.folder(of: path)
        }
        places.append(FolderWatch.Place(FileSystem.folder(of: path), [FileSystem.name(of: path)]))
        return places
    }

    /// Where branches and tags are made, moved and removed.
    package func placesOfNames() throws(GitError) -> [FolderWatch.Place] {
        var places = [FolderWatch.Place(git.commonDirectory, ["packed-refs"])]
        func add(_ folder: String, depth: Int) throws(GitError) {
            guard depth < 16, places.count < 1000 else { return }
            places.append(FolderWatch.Place(folder))
            guard try system(FileSystem.isThere(folder)) else { return }
            for (name, kind) in try system(FileSystem.entries(of: folder), for: "read \(folder)") where kind == .folder {
                try add("\(folder)/\(name)", depth: depth + 1)
            }
        }
        try add(git.commonDirectory + "/refs", depth: 0)
        return places
    }

    /// Whether HEAD is detached for as long as git applies the commits of a rebase, one after the other.
    package var isRebasing: Bool {
        get throws(GitError) {
            guard try unresolvedHead().branch == nil else { return false }
            return try git.operation == .rebase
        }
    }

    /// Whether the repository is no longer where it was opened.
    package var isGone: Bool {
        get throws(GitError) {
            for path in [git.gitDirectory + "/HEAD", git.objectFolder] where try !system(FileSystem.isThere(path)) { return true }
            return false
        }
    }
}
