import Files
import Git
package import SettingsModel

/// Another repository that versions are exchanged with.
package struct Remote: Sendable {
    /// Nil for one that was named by its address alone.
    package var name: String?
    package var url: String
    /// Where pushes go, if that is somewhere else.
    package var pushURL: String?
    /// The branch there, in short.
    package var branch: String

    /// As people may see it.
    package var shown: String { name ?? Login.shown(url) }

    func noRepository(_ reason: String) -> SyncProblem { .noRepository(address: shownURL, name: name, reason: reason) }

    package var shownURL: String { Login.shown(url) }

    /// What this repository remembers of that branch.
    var trackingReference: String? { name.map { "refs/remotes/\($0)/\(branch)" } }
}

/// The remotes that git's configuration names, and what else it says about reaching them.
package struct Remotes {
    /// Of the repository, the user and the machine, the weakest first.
    let entries: [ConfigurationEntry]
    /// Of the repository alone.
    let own: [ConfigurationEntry]
    /// The repository's git directory, without symbolic links.
    let repository: String

    init(_ versions: Versions) throws(Problem) {
        let configuration = versions.repository.configuration
        (entries, own) = try git((configuration.allEntries(), configuration.ownEntries()))
        let directory = FileSystem.trimmed(versions.repository.git.commonDirectory)
        repository = (try? FileSystem.resolved(directory)) ?? directory
    }

    /// Without what the repository says. What both say stays.
    var users: [ConfigurationEntry] {
        var rest = Dictionary(own.map { ($0, 1) }, uniquingKeysWith: +)
        return entries.reversed().filter { entry in
            guard let count = rest[entry], count > 0 else { return true }
            rest[entry] = count - 1
            return false
        }.reversed()
    }

    package var names: [String] {
        var names: [String] = []
        for entry in entries where entry.section == "remote" && entry.key == "url" {
            if let name = entry.subsection, !names.contains(name) { names.append(name) }
        }
        return names.sorted()
    }

    private func value(_ section: String, _ subsection: String, _ key: String) -> String? {
        entries.last { $0.section == section && $0.subsection == subsection && $0.key == key }?.value
    }

    /// The remote of that name or address; without one, the one that the branch is set up for, else the only one, else `origin`.
    package func remote(_ word: String?, for branch: String) throws(Problem) -> Remote {
        if let word {
            if names.contains(word) { return remote(named: word, for: branch) }
            guard word.contains("/") || word.contains(":") || word.hasSuffix(".bundle") else {
                throw .sync(.noSuchRemote(word, near: Nearest.words(to: word, among: names), orAddress: true))
            }
            return Remote(name: nil, url: word, pushURL: nil, branch: branch)
        }
        if let name = value("branch", branch, "remote"), names.contains(name) { return remote(named: name, for: branch) }
        guard let first = names.first else { throw .sync(.noRemote) }
        if names.count == 1 { return remote(named: first, for: branch) }
        guard names.contains("origin") else { throw .sync(.severalRemotes(names)) }
        return remote(named: "origin", for: branch)
    }

    package func remote(named name: String, for branch: String) -> Remote {
        var there = branch
        if value("branch", branch, "remote") == name, let merge = value("branch", branch, "merge"),
            merge.hasPrefix("refs/heads/")
        {
            there = String(merge.dropFirst("refs/heads/".count))
        }
        // The first address is what git fetches from.
        let url = entries.first { $0.section == "remote" && $0.subsection == name && $0.key == "url" }?.value
        return Remote(name: name, url: url ?? "", pushURL: value("remote", name, "pushurl"), branch: there)
    }
}
