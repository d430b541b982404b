import Files
internal import CGit2

/// What git's configuration says here.
package struct RepositoryConfiguration {
    let git: GitDirectory

    /// A key's value as git sees it here: the repository's, else the user's, else the machine's.
    package func configured(_ key: String) throws(GitError) -> String? {
        try configuration().value(key)
    }

    /// The same, and whether it is the repository's own word; nil where the key isn't set.
    package func configuredWithOrigin(_ key: String) throws(GitError) -> (value: String, isOwn: Bool)? {
        try configuration().valueWithOrigin(key)
    }

    /// A path as it may stand in a configuration: `~/` is the user's folder.
    package static func expanded(path: String) throws(GitError) -> String { try Configuration.expanded(path: path) }

    /// Whether a key has one of git's words for no; nil where it isn't set.
    func isOff(_ key: String) throws(GitError) -> Bool? {
        try configured(key).map { ["false", "no", "off", "0", ""].contains($0.lowercased()) }
    }

    /// All values of a key, the weakest first.
    package func configuredList(_ key: String) throws(GitError) -> [String] {
        try configuration().values(key)
    }

    /// A key's value without the repository's own word: for what a repository from elsewhere must not decide.
    package func userConfigured(_ key: String) throws(GitError) -> String? {
        if let value = Library.environment.value(key) { return value }
        let all = try configuration()
        for level in Configuration.userLevels.reversed() {
            if let configuration = try all.level(level), let value = try configuration.value(key) { return value }
        }
        return nil
    }

    /// As `userConfigured`, all values, the weakest first.
    package func userConfiguredList(_ key: String) throws(GitError) -> [String] {
        let all = try configuration()
        var values: [String] = []
        for level in Configuration.userLevels {
            if let configuration = try all.level(level) { values += try configuration.values(key) }
        }
        return values + Library.environment.values(key)
    }

    /// All values of a key in the repository's own file, without what it includes.
    package func ownList(_ key: String) throws(GitError) -> [String] {
        try Configuration.file(git.commonDirectory + "/config").values(key)
    }

    /// A key's value in one file.
    package static func configured(_ key: String, inFile path: String) throws(GitError) -> String? {
        try Configuration.file(path).value(key)
    }

    /// A key's value for the user where there is no repository.
    package static func ofUser(_ key: String) throws(GitError) -> String? {
        try Configuration.ofUser().value(key)
    }

    /// What a section with a subsection is called afterwards.
    package struct Renaming {
        let section: String
        let old: String
        let new: String

        package init(_ section: String, from old: String, to new: String) {
            (self.section, self.old, self.new) = (section, old, new)
        }
    }

    /// Renames a section, removes keys and sets others in the repository's own file, all at once. `own` is a folder for second
    /// names of locks.
    ///
    /// libgit2 writes a copy of it: where it dies, its lock of the file would keep everybody out.
    package func setConfigured(
        _ values: [(key: String, value: String)], removing keys: [String] = [], renaming: Renaming? = nil, own: String
    ) throws(GitError) {
        // As git does it, a symbolic link stays and the file that it leads to is replaced.
        let path = FileSystem.target(of: git.commonDirectory + "/config")
        var lock = try git.takeLock(of: path, "config", own)
        let old = try system(FileSystem.whole(path))
        // What it includes may be named from where it is.
        let includes = ConfigurationText.includes(String(decoding: old.bytes, as: UTF8.self))
        let work = includes ? git.commonDirectory + "/config.settings" : own + "/config.work"
        func clear() { for name in [work, work + ".lock"] { try? FileSystem.remove(name) } }
        clear()
        defer { clear() }
        let changed = try Configuration.edited(old.bytes, values, removing: keys, renaming: renaming, of: path, work: work)
        try system(lock.write(changed))
        lock.setMode(of: old.attributes)
        try system(lock.sync(.strict))
        try system(lock.place())
        try git.sync(FileSystem.folder(of: path))
    }

    private func configuration() throws(GitError) -> Configuration { try Configuration.of(git.pointer) }
}
