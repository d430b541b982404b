import Files

/// The user's own configuration file of git, which `git config --global` writes.
package struct UserConfiguration {
    /// What links lead to, as git writes it.
    package let path: String
    private let isLink: Bool

    /// All files that git reads as the user's own, the one that it writes to first: the file that GIT_CONFIG_GLOBAL names, else
    /// `~/.gitconfig`, else `git/config` in the user's folder of configuration if only that file is there. None without a home
    /// folder, and where that variable is empty.
    package static func all(home: String?, configuration: String?, named: String?) -> [UserConfiguration] {
        if let named { return named.isEmpty ? [] : [UserConfiguration(named)] }
        guard let home else { return [] }
        let usual = home + "/.gitconfig"
        let other = (configuration ?? home + "/.config") + "/git/config"
        // A link that leads nowhere yet is a file that git would make.
        let isUsual = FileSystem.kind(of: usual, following: false) != nil
        guard (try? FileSystem.isThere(other)) == true else { return [UserConfiguration(usual)] }
        return [UserConfiguration(isUsual ? usual : other)] + (isUsual ? [UserConfiguration(other)] : [])
    }

    private init(_ path: String) {
        self.path = FileSystem.target(of: path)
        isLink = FileSystem.kind(of: path, following: false) == .link
    }

    /// All values of a key in this file and in what it includes.
    package func values(_ key: String) throws(GitError) -> [String] {
        if let kind = FileSystem.kind(of: path, following: true), kind != .file {
            throw GitError(.other, "it is not a regular file", operation: "read \(path)")
        }
        if FileSystem.isUnreadable(path) { throw GitError(.other, "Permission denied", operation: "read \(path)") }
        return try Configuration.file(path).values(key)
    }

    /// Whether it may take in other files.
    package var includesOthers: Bool { text.map(ConfigurationText.includes) ?? false }

    /// Whether anything is written in such a section of this file.
    package func hasSection(_ section: String, _ subsection: String) -> Bool {
        text.map { ConfigurationText($0).hasSection(section, subsection) } ?? false
    }

    private var text: String? {
        (try? FileSystem.read(path, atMost: Self.limit)).flatMap { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
    }

    /// Removes keys and sets others, all at once. Everything else in the file stays as it is, byte by byte.
    package func set(_ values: [(key: String, value: String)], removing keys: [String] = []) throws(GitError) {
        guard var lock = try system(LockFile.take(path, second: nil, .none)) else {
            throw GitError(.locked, "\(path).lock exists", operation: "lock \(path)")
        }
        let old = try system(FileSystem.read(path, atMost: Self.limit))
        if old == nil, try system(FileSystem.isThere(path)) {
            throw GitError(.other, "it is not a regular file, or too large", operation: "write \(path)")
        }
        let before = old?.bytes ?? []
        let folder = try system(WorkFolder.make(in: FileSystem.folder(of: path), Self.workPrefix))
        defer { withExtendedLifetime(folder) {} }
        // What it includes may be named from where it is. Nobody else has the lock.
        let work = includesOthers ? path + ".settings" : folder.path + "/config"
        func clear() { for name in [work, work + ".lock"] { try? FileSystem.remove(name) } }
        clear()
        defer { clear() }
        let start = old != nil && before.isEmpty ? Self.emptyBefore : before
        var text = try Configuration.edited(start, values, removing: keys, of: path, work: work)
        if text == before {
            throw GitError(.other, "it \(Configuration.isIncluded)", operation: "change \(path)")
        }
        if text == Self.emptyBefore, values.isEmpty {
            text = []
        } else if text.isEmpty, values.isEmpty, !isLink {
            // Made for these values: git would go on to read an empty one in place of the other file that it knows.
            try system(FileSystem.remove(path))
            return try system(FileSystem.sync(FileSystem.folder(of: path)))
        }
        try system(lock.write(text))
        if let old { lock.setMode(of: old.attributes) }
        try system(lock.sync(.strict))
        try system(lock.place())
        try system(FileSystem.sync(FileSystem.folder(of: path)))
    }

    /// What the names of folders for copies begin with.
    private static let workPrefix = ".gitconfig-settings-"
    private static let limit = 16 << 20
    /// What a file begins with that was there without a word in it, and that stays when the values are removed again.
    private static let emptyBefore = Array("\n".utf8)
}
