import Files
import Git
import SettingsModel

// Format of the file:
//
//   {"format": 1, "trusted": [{"repository": "/home/ada/shop/.git", "key": "core.sshcommand", "hash": "…"}]}
//
// The hash is SHA-256 of the value. `hooks` is the key of the hooks of a repository on this machine; its value is that
// repository's git directory.

/// What the user lets a repository's configuration have git do. It is kept in the user's own folder, where no repository
/// reaches.
package struct Trust: Hashable, Sendable {
    /// The file; nil where the user has no folder for configuration. Nothing is trusted then.
    package let path: String?

    package init(path: String?) { self.path = path }

    private struct Entry: Hashable {
        var repository: String
        var key: String
        var hash: String

        init(_ repository: String, _ entry: ConfigurationEntry) {
            self.repository = repository
            key = entry.name
            hash = Digest.sha256(Array(entry.value.utf8))
        }

        init?(_ json: JSON) {
            guard case .object(let members) = json else { return nil }
            func text(_ name: ExactText) -> String? { members.first { $0.name == name }?.value.text?.string }
            guard let repository = text("repository"), let key = text("key"), let hash = text("hash") else { return nil }
            (self.repository, self.key, self.hash) = (repository, key, hash)
        }

        var json: JSON {
            .object(["repository": .string(repository), "key": .string(key), "hash": .string(hash)])
        }
    }

    /// Those that are trusted in a repository, which is named by its git directory. A file that cannot be read, or is another
    /// user's, trusts nothing.
    func trusted(_ entries: [ConfigurationEntry], in repository: String) -> Set<ConfigurationEntry> {
        guard !entries.isEmpty, let all = try? read() else { return [] }
        return Set(entries.filter { all.contains(Entry(repository, $0)) })
    }

    /// Trusts entries of a repository, in place of what was trusted by their keys.
    func trust(_ entries: [ConfigurationEntry], in repository: String) throws(Problem) {
        let keys = Set(entries.map(\.name))
        try change { $0.filter { $0.repository != repository || !keys.contains($0.key) } + entries.map { Entry(repository, $0) } }
    }

    /// Trusts the keys no longer. Returns whether any was trusted.
    func distrust(_ keys: Set<String>, in repository: String) throws(Problem) -> Bool {
        var isChanged = false
        try change { all in
            let kept = all.filter { $0.repository != repository || !keys.contains($0.key) }
            isChanged = kept.count != all.count
            return kept
        }
        return isChanged
    }

    private func read() throws(Problem) -> [Entry] {
        guard let path else { return [] }
        guard let attributes = try onDisk(FileSystem.attributes(of: path, following: true)) else { return [] }
        guard attributes.owner == ThisProcess.user else { throw .sync(.trustIsUnreadable(path)) }
        let bytes = try onDisk(FileSystem.contents(of: path, following: true, limit: JSON.sizeLimit)) ?? []
        guard let json = try? JSON(parsing: bytes), case .object(let members) = json else {
            throw .sync(.trustIsUnreadable(path))
        }
        if case .number(let format)? = json["format"], Number(1) < format { throw .sync(.trustIsOfLaterVersion(path)) }
        guard members.contains(where: { $0.name == "format" && $0.value == .number(1) }),
            case .array(let rows)? = members.first(where: { $0.name == "trusted" })?.value
        else { throw .sync(.trustIsUnreadable(path)) }
        return rows.compactMap { Entry($0) }
    }

    private func change(_ changed: ([Entry]) -> [Entry]) throws(Problem) {
        guard let path else { throw .sync(.hasNoFolderForTrust) }
        let folder = FileSystem.folder(of: path)
        try onDisk(Folder.make(folder))
        let lock = try onDisk(Lock.take(folder: folder))
        defer { withExtendedLifetime(lock) {} }
        let old = try read()
        let new = changed(old)
        if new == old { return }
        let document = JSON.object(["format": .number(1), "trusted": .array(new.map(\.json))])
        let work = path + ".new"
        try onDisk(FileSystem.write(Array(document.pretty.utf8), to: work))
        try onDisk(FileSystem.forbidOthers(work))
        try onDisk(FileSystem.sync(work))
        try onDisk(FileSystem.rename(work, to: path))
        try onDisk(FileSystem.sync(folder))
    }
}
