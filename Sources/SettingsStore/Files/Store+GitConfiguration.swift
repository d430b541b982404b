package import Git
package import SettingsModel

// What `init` and `setup` write into the repository's configuration.

extension Store {
    /// What git waits for on the disk when it writes into this repository.
    package var fsync: Fsync { Fsync(configured("core.fsync")) }

    /// Whether the store promises that versions outlast a loss of power.
    private var isDurable: Bool { safety.durability != .none || safety.source == .default }

    /// Has git merge the store's files by meaning in this clone, and wait for the disk as versions need it. `program` is how
    /// to run this program.
    package func configureGit(program: String) throws(Problem) {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        let name = "merge.\(MergeDriver.name)"
        var values = [
            (key: "\(name).name", value: "settings, by meaning"),
            (key: "\(name).driver", value: MergeDriver.command(program: program)),
        ]
        let fsync = fsync
        if isDurable, !fsync.missing.isEmpty { values.append((key: "core.fsync", value: fsync.completed)) }
        if values.allSatisfy({ configuredOnce($0.key) == $0.value }) { return }
        try noted { own throws(Problem) in
            try git { () throws(GitError) in try repository.setConfigured(values, own: own) }
        }
    }

    /// Nil also where a key has several values, of which git takes the last one.
    private func configuredOnce(_ key: String) -> String? {
        let values = (try? repository.configuredList(key)) ?? []
        return values.count == 1 ? values[0] : nil
    }
}
