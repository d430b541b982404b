internal import CGit2

extension Repository {
    /// A key's value as git sees it here: the repository's, else the user's, else the machine's.
    package func configured(_ key: String) throws(GitError) -> String? {
        try configuration().value(key)
    }

    /// All values of a key, the weakest first.
    package func configuredList(_ key: String) throws(GitError) -> [String] {
        try configuration().values(key)
    }

    /// A key's value without the repository's own word: for what a repository from elsewhere must not decide.
    package func userConfigured(_ key: String) throws(GitError) -> String? {
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
        return values
    }

    /// A key's value in one file.
    package static func configured(_ key: String, inFile path: String) throws(GitError) -> String? {
        try Configuration.file(path).value(key)
    }

    /// A key's value for the user where there is no repository.
    package static func userConfigured(_ key: String) throws(GitError) -> String? {
        try Configuration.ofUser().value(key)
    }

    /// Sets a key in the repository's own file.
    package func setConfigured(_ key: String, value: String) throws(GitError) {
        guard let local = try configuration().level(GIT_CONFIG_LEVEL_LOCAL) else {
            throw GitError(.notFound, "the repository has no configuration", operation: "set \(key)")
        }
        try local.set(key, to: value)
        try sync(commonDirectory + "/config", commonDirectory)
    }

    private func configuration() throws(GitError) -> Configuration {
        Configuration(try own("read the configuration", git_config_free) { git_repository_config(&$0, pointer) })
    }
}
