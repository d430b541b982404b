import Files
import Git
package import SettingsModel

/// What the repository says about reaching a remote, as git is told it.
struct Reach {
    /// For the courier's configuration.
    var settings: [ConfigurationEntry] = []
    /// The programs of the other side, where the repository names others and they are trusted.
    var uploadProgram: String?
    var receiveProgram: String?
    /// What would start programs, or lead elsewhere, and is not trusted.
    var withheld: [ConfigurationEntry] = []
    var trust = Trust(path: nil)
    var repository = ""

    /// Whether a repository on this machine may start its hooks.
    func startsHooks(of address: RemoteAddress) -> Bool {
        guard let entry = Remotes.hooks(of: address) else { return false }
        return !trust.trusted([entry], in: repository).isEmpty
    }
}

extension Remotes {
    /// How a remote is reached, and the remote as git has to be told of it.
    func reach(_ remote: inout Remote, _ trust: Trust) -> Reach {
        let guarded = own.filter { isGuarded($0, for: remote) }
        let trusted = trust.trusted(guarded, in: repository)
        var reach = Reach(trust: trust, repository: repository)
        for entry in own {
            if isData(entry) || entry.section != "remote" && trusted.contains(entry) { reach.settings.append(entry) }
            guard entry.section == "remote", trusted.contains(entry) else { continue }
            switch entry.key {
            case "uploadpack": reach.uploadProgram = entry.value
            case "receivepack": reach.receiveProgram = entry.value
            case "proxy": reach.settings.append(ConfigurationEntry(name: "http.proxy", value: entry.value))
            case "vcs":
                // git is given the address alone, which names the program, too.
                remote.url = "\(entry.value)::\(remote.url)"
                remote.pushURL = remote.pushURL.map { "\(entry.value)::\($0)" }
                reach.settings.append(ConfigurationEntry(name: "protocol.\(entry.value).allow", value: "always"))
            default: break
            }
        }
        reach.withheld = guarded.filter { !trusted.contains($0) }
        return reach
    }

    /// What the repository says about reaching others that git is told: data alone.
    private func isData(_ entry: ConfigurationEntry) -> Bool {
        switch (entry.section, entry.key) {
        case ("http", "extraheader"), ("http", "version"), ("http", "postbuffer"), ("http", "lowspeedlimit"),
            ("http", "lowspeedtime"):
            true
        case ("ssh", "variant"): entry.subsection == nil
        default: false
        }
    }

    /// Whether it would start a program, or lead elsewhere, if git were told.
    private func isGuarded(_ entry: ConfigurationEntry, for remote: Remote) -> Bool {
        switch (entry.section, entry.key) {
        case ("core", "sshcommand"), ("core", "gitproxy"), ("core", "askpass"): true
        case ("credential", _), ("protocol", _): true
        case ("url", "insteadof"), ("url", "pushinsteadof"): true
        case ("http", _): !isData(entry)
        case ("remote", "uploadpack"), ("remote", "receivepack"), ("remote", "proxy"), ("remote", "vcs"):
            remote.name != nil && entry.subsection == remote.name
        default: false
        }
    }

    /// What can be trusted for a remote: what the repository says, and the hooks that a push would start on this machine.
    func guarded(for remote: Remote, in folder: String) -> [ConfigurationEntry] {
        let rewriting = AddressRewriting(users)
        let address = RemoteAddress(remote.pushURL ?? remote.url, from: folder, rewriting, isPush: remote.pushURL == nil)
        let hooks = address.pushHook == nil ? nil : Self.hooks(of: address)
        return own.filter { isGuarded($0, for: remote) } + (hooks.map { [$0] } ?? [])
    }

    /// The hooks of a repository on this machine, as something to be trusted.
    fileprivate static func hooks(of address: RemoteAddress) -> ConfigurationEntry? {
        guard let directory = address.gitDirectory, let path = try? FileSystem.resolved(directory) else { return nil }
        return ConfigurationEntry(name: hooksKey, value: path)
    }

    static let hooksKey = "hooks"

    /// Whether the configuration has parts that depend on where git runs, so that only git knows all of it.
    var includesOthers: Bool { entries.contains { ["include", "includeif"].contains($0.section) } }
}

/// Trusts, or trusts no longer, what a repository's configuration says about reaching a remote, and the hooks of a remote on
/// this machine.
package struct TrustAction: Action {
    package var name: String
    package var isTrusted: Bool
    package var trust: Trust

    package init(_ name: String, isTrusted: Bool, _ trust: Trust) {
        (self.name, self.isTrusted, self.trust) = (name, isTrusted, trust)
    }

    /// Returns what is trusted, or was.
    package func perform(in session: Session, _ done: Done) throws(Problem) -> [RemoteProgram] {
        let syncing = try session.store.syncing
        let remotes = try Remotes(syncing.versions)
        guard remotes.names.contains(name) else {
            throw .sync(.noSuchRemote(name, near: Nearest.words(to: name, among: remotes.names)))
        }
        let remote = remotes.remote(named: name, for: try syncing.versions.branch ?? "main")
        let guarded = remotes.guarded(for: remote, in: syncing.baseFolder)
        if isTrusted {
            try trust.trust(guarded, in: remotes.repository)
            return guarded.map { RemoteProgram($0, isTrusted: true) }
        }
        // Also what it was trusted for before it said something else.
        let keys = ["uploadpack", "receivepack", "proxy", "vcs"].map { "remote.\(name).\($0)" } + [Remotes.hooksKey]
        guard try trust.distrust(Set(guarded.map(\.name) + keys), in: remotes.repository) else { return [] }
        return guarded.map { RemoteProgram($0, isTrusted: false) }
    }
}

extension RemoteProgram {
    init(_ entry: ConfigurationEntry, isTrusted: Bool) {
        self.init(
            key: entry.name == Remotes.hooksKey ? nil : Login.shown(entry.name), value: Login.shown(entry.value),
            isTrusted: isTrusted)
    }
}
