import Files
internal import CGit2

/// Settings of git itself, from one or several files.
struct Configuration: ~Copyable {
    /// Where the user and the machine keep theirs, the strongest last; never the repository's.
    static let userLevels = [
        GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
    ]

    private let handle: Owned
    /// What is on top of the files.
    private let given: EnvironmentConfiguration

    private init(_ handle: consuming Owned, given: EnvironmentConfiguration = .none) {
        self.handle = handle
        self.given = given
    }

    /// What applies without a repository.
    static func ofUser() throws(GitError) -> Configuration {
        try Library.start()
        // libgit2 doesn't say which.
        for path in Library.configurationFiles where FileSystem.kind(of: path, following: true) == .folder {
            throw GitError(.invalid, "it is a directory", operation: "read \(path)")
        }
        let handle = try own("read the configuration", git_config_free) { git_config_open_default(&$0) }
        try replaceFiles(of: handle.pointer)
        return Configuration(handle, given: Library.environment)
    }

    /// What applies in a repository.
    static func of(_ repository: OpaquePointer) throws(GitError) -> Configuration {
        let handle = try own("read the configuration", git_config_free) { git_repository_config(&$0, repository) }
        return Configuration(handle, given: Library.environment)
    }

    /// Puts those files in the place of the machine's and the user's that the environment names.
    static func replaceFiles(of configuration: OpaquePointer) throws(GitError) {
        let (machine, user) = Library.environment.files
        for (path, level) in [(machine, GIT_CONFIG_LEVEL_SYSTEM), (user, GIT_CONFIG_LEVEL_GLOBAL)] {
            guard let path else { continue }
            // libgit2 wants one that is there.
            let isThere = FileSystem.kind(of: path, following: true) != nil
            let file = isThere ? path : "/dev/null"
            try check("read \(path)") { git_config_add_file_ondisk(configuration, file, level, nil, 1) }
        }
    }

    /// One file, which may be missing.
    static func file(_ path: String) throws(GitError) -> Configuration {
        try Library.start()
        try refuseZeroByte(in: path, "read a configuration")
        return Configuration(try own("read \(path)", git_config_free) { git_config_open_ondisk(&$0, path) })
    }

    /// One level of several; nil where there is no such file.
    func level(_ level: git_config_level_t) throws(GitError) -> Configuration? {
        guard
            let handle = try ownIfFound(
                "read the configuration", git_config_free,
                {
                    git_config_open_level(&$0, handle.pointer, level)
                })
        else { return nil }
        return Configuration(handle)
    }

    func value(_ key: String) throws(GitError) -> String? {
        try refuseZeroByte(in: key, "read the configuration")
        if let value = given.value(key) { return value }
        return try text("read \(key)") { git_config_get_string_buf(&$0, handle.pointer, key) }
    }

    /// A value, and whether it is another's word than the user's and the machine's.
    func valueWithOrigin(_ key: String) throws(GitError) -> (value: String, isOwn: Bool)? {
        try refuseZeroByte(in: key, "read the configuration")
        if let value = given.value(key) { return (value, false) }
        var entry: UnsafeMutablePointer<git_config_entry>?
        guard try finds("read \(key)", { git_config_get_entry(&entry, handle.pointer, key) }), let entry else { return nil }
        defer { git_config_entry_free(entry) }
        // A key without `=` has no value.
        let value = entry.pointee.value.map { String(cString: $0) } ?? ""
        return (value, !Self.userLevels.contains(entry.pointee.level))
    }

    /// Every value of a key, in the files' order.
    func values(_ key: String) throws(GitError) -> [String] {
        let operation = "read \(key)"
        try refuseZeroByte(in: key, operation)
        let iterator = try own(operation, { git_config_iterator_free($0) }) {
            git_config_multivar_iterator_new(&$0, handle.pointer, key, nil)
        }
        var values: [String] = []
        while true {
            var entry: UnsafeMutablePointer<git_config_entry>?
            let code = git_config_next(&entry, iterator.pointer)
            if code == GIT_ITEROVER.rawValue { return values + given.values(key) }
            try check(operation) { code }
            // A key without `=` has no value.
            values.append(entry?.pointee.value.map { String(cString: $0) } ?? "")
        }
    }

    func set(_ key: String, to value: String) throws(GitError) {
        try refuseZeroByte(in: key + value, "set \(key)")
        // Several values can't be set as one: all but the last one go.
        if try values(key).count > 1 {
            _ = try finds("set \(key)") { git_config_delete_multivar(handle.pointer, key, ".*") }
        }
        try check("set \(key)") { git_config_set_string(handle.pointer, key, value) }
    }

    /// One more value of a key.
    func add(_ value: String, to key: String) throws(GitError) {
        try refuseZeroByte(in: key + value, "set \(key)")
        // What nothing matches is replaced nowhere.
        try check("set \(key)") { git_config_set_multivar(handle.pointer, key, "a^", value) }
    }

    /// All values of a key.
    func remove(_ key: String) throws(GitError) {
        try refuseZeroByte(in: key, "remove \(key)")
        _ = try finds("remove \(key)") { git_config_delete_multivar(handle.pointer, key, ".*") }
    }

    /// The text of the file at `path` with a section renamed, keys removed and others set, and every other byte as it is. Refuses
    /// to change a file that would not read as meant then. `work`: where libgit2 may write its copy, which the caller removes.
    static func edited(
        _ text: [UInt8], _ values: [(key: String, value: String)], removing keys: [String],
        renaming: RepositoryConfiguration.Renaming? = nil,
        of path: String, work: String
    ) throws(GitError) -> [UInt8] {
        let includes = ConfigurationText.includes(String(decoding: text, as: UTF8.self))
        do throws(GitError) {
            try system(FileSystem.write(text, to: work))
            let before = try file(work).entries()
            // libgit2 writes none (1.5.1).
            let byteOrderMark = Array(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.prefix(3) : [])
            let seams = ConfigurationText.Seams(notIn: text)
            let split = ConfigurationText.split(Array(text.dropFirst(byteOrderMark.count)), seams, renaming)
            try system(FileSystem.write(split, to: work))
            let configuration = try file(work)
            for key in keys { try configuration.remove(key) }
            for (place, (key, value)) in values.enumerated() where !values[..<place].contains(where: { $0.key == key }) {
                let all = values.filter { $0.key == key }.map(\.value)
                if try configuration.values(key) == all { continue }
                do throws(GitError) { try configuration.set(key, to: value) } catch {
                    // libgit2 has no code for it.
                    throw includes ? GitError(.other, "\(key) \(isIncluded)", operation: "change \(path)") : error
                }
                for further in all.dropFirst() { try configuration.add(further, to: key) }
            }
            let edited = try system(FileSystem.whole(work).bytes)
            let changed = byteOrderMark + ConfigurationText.joined(edited, seams, removing: keys)
            try system(FileSystem.write(changed, to: work))
            if hold(try file(work).entries(), values, removing: keys, from: before) { return changed }
            throw GitError(.other, includes ? "it \(isIncluded)" : isUnusual, operation: "change \(path)")
        } catch {
            // The copy is there: libgit2 takes what it can't look at for missing.
            throw error.kind == .notFound ? error.of(.other) : error
        }
    }

    /// Whether entries are those of `before` with keys removed and others set.
    private static func hold(
        _ entries: [ConfigurationEntry], _ values: [(key: String, value: String)], removing keys: [String],
        from before: [ConfigurationEntry]
    ) -> Bool {
        func comparable(_ key: String) -> String { ConfigurationEntry(name: key, value: "").comparableName }
        let values = values.map { (key: comparable($0.key), value: $0.value) }
        let names = Set(keys.map(comparable) + values.map(\.key))
        func others(_ entries: [ConfigurationEntry]) -> [ConfigurationEntry] { entries.filter { !names.contains($0.name) } }
        return others(entries) == others(before)
            && names.allSatisfy { name in
                entries.filter { $0.name == name }.map(\.value) == values.filter { $0.key == name }.map(\.value)
            }
    }

    private static let isUnusual = "it is written in an unusual form; edit it by hand"
    static let isIncluded = "is set in a file that is included there"

    /// Everything that these levels say, the weakest first.
    func entries(_ isWanted: (git_config_level_t) -> Bool = { _ in true }) throws(GitError) -> [ConfigurationEntry] {
        let operation = "read the configuration"
        let iterator = try own(operation, { git_config_iterator_free($0) }) { git_config_iterator_new(&$0, handle.pointer) }
        var found: [ConfigurationEntry] = []
        while true {
            var entry: UnsafeMutablePointer<git_config_entry>?
            let code = git_config_next(&entry, iterator.pointer)
            if code == GIT_ITEROVER.rawValue { return found }
            try check(operation) { code }
            guard let entry = entry?.pointee, let name = entry.name, isWanted(entry.level) else { continue }
            // A key without `=` has no value.
            found.append(
                ConfigurationEntry(name: String(cString: name), value: entry.value.map { String(cString: $0) } ?? ""))
        }
    }

    /// A path as it may stand in a configuration, with `~/`.
    static func expanded(path: String) throws(GitError) -> String {
        try refuseZeroByte(in: path, "read a path")
        return try text("read the path \(path)") { git_config_parse_path(&$0, path) } ?? path
    }
}
