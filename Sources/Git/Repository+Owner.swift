import Files

extension Repository {
    /// Refuses a repository that somebody else could have prepared, by git's rule: the work tree, its `.git` and the git
    /// directory must be ours, or the user's own configuration must name the repository in `safe.directory`.
    func checkOwner(sudoUser: UInt32?) throws(GitError) {
        var places = [git.gitDirectory]
        if let workDirectory = git.workDirectory { places += [workDirectory, workDirectory + "/.git"] }
        for place in places {
            guard let owner = try system(FileSystem.attributes(of: place))?.owner else {
                if place.hasSuffix("/.git") { continue }
                throw GitError(.notFound, "\(place) is not there", operation: "open the repository")
            }
            let user = ThisProcess.user
            if owner == user || user == 0 && owner == sudoUser { continue }
            let directory = git.workDirectory ?? git.gitDirectory
            if try isDeclaredSafe(directory) { return }
            throw GitError(
                .foreignOwner, "\(place) belongs to user \(owner), not to you, user \(user)",
                operation: "open the repository \(directory)")
        }
    }

    /// An empty value takes back those before it.
    private func isDeclaredSafe(_ directory: String) throws(GitError) -> Bool {
        var safe = false
        for value in try configuration.userConfiguredList("safe.directory") {
            if value.isEmpty {
                safe = false
            } else {
                let path = value == "*" ? directory : try Configuration.expanded(path: value)
                safe = safe || FileSystem.trimmed(path) == directory
            }
        }
        return safe
    }
}
