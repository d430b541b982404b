package import Git
package import SettingsModel

// What `init` and `setup` write into the repository's configuration.

extension Store {
    /// What git waits for on the disk when it writes into this repository.
    package var fsync: Fsync { Fsync(versions.configured(Self.fsyncKey)) }

    /// Whether the store promises that versions outlast a loss of power.
    private var isDurable: Bool { journal.safety.durability != .none || journal.safety.source == .default }

    private static let fsyncKey = "core.fsync"
    /// What stood in this clone's configuration before this program completed it, or left it as it was.
    private static let replacedKey = "settings.replacedFsync"

    /// Has git merge the store's files by meaning in this clone, and wait for the disk as versions need it. `program` is how
    /// to run this program.
    package func configureGit(program: String) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            let names = (try? versions.repository.configuration.configuredList(MergeDriver.nameKey)) ?? []
            var values = MergeDriver.configuration(program: program, named: names)
            let fsync = fsync
            if isDurable {
                let isFirst = try git(versions.repository.configuration.ownList(MergeDriver.driverKey)).isEmpty
                let before = try git(versions.repository.configuration.ownList(Self.fsyncKey)).last
                if let before, isFirst || !fsync.missing.isEmpty { values.append((key: Self.replacedKey, value: before)) }
                if !fsync.missing.isEmpty { values.append((key: Self.fsyncKey, value: fsync.completed)) }
            }
            if !values.allSatisfy({ configuredOnce($0.key) == $0.value }) {
                try journal.noted { own throws(Problem) in
                    try git(versions.repository.configuration.setConfigured(values, own: own))
                }
            }
            try tracking.nameDriver()
        }
    }

    /// Takes out of this clone's configuration what `configureGit` wrote. What somebody wrote there stays. Returns whether there
    /// was anything; if not `isDryRun`, it is gone.
    package func removeConfiguration(isDryRun: Bool) throws(Problem) -> Bool {
        try recorder.underLock { () throws(Problem) in
            let configuration = versions.repository.configuration
            func own(_ key: String) throws(Problem) -> [String] {
                try git(configuration.ownList(key))
            }
            let driver = try own(MergeDriver.driverKey)
            if let foreign = driver.first(where: { !MergeDriver.isWritten($0) }) {
                throw .repository(
                    .driverIsForeign(
                        file: versions.repository.git.commonDirectory + "/config", key: MergeDriver.driverKey, value: foreign))
            }
            var written = MergeDriver.configuration(program: "", named: try own(MergeDriver.nameKey)).map(\.key)
            written.append(Self.replacedKey)
            var restored: [(key: String, value: String)] = []
            // What somebody has written since stays.
            let (fsync, replaced) = (try own(Self.fsyncKey), try own(Self.replacedKey).last)
            let users = try git(configuration.userConfigured(Self.fsyncKey))
            if fsync == [Fsync(replaced ?? users).completed] || replaced == nil && fsync == [Fsync(nil).completed] {
                if let replaced { restored.append((key: Self.fsyncKey, value: replaced)) } else { written.append(Self.fsyncKey) }
            }
            var keys: [String] = []
            for key in written where try !own(key).isEmpty { keys.append(key) }
            if keys.isEmpty || isDryRun { return !keys.isEmpty }
            workTree.nameDriver(for: [], former: try tracking.entries(at: versions.tip()).map(\.path))
            try journal.noted { own throws(Problem) in
                try git(configuration.setConfigured(restored, removing: keys, own: own))
            }
            return true
        }
    }

    /// Nil also where a key has several values, of which git takes the last one.
    private func configuredOnce(_ key: String) -> String? {
        let values = (try? versions.repository.configuration.configuredList(key)) ?? []
        return values.count == 1 ? values[0] : nil
    }

    /// Names the merge driver in a store that was made without; a version of its own.
    package func nameMergeDriver(_ done: Done) throws(Problem) -> Outcome {
        if try workTree.mergeDriver.isNamed { return .unchanged }
        return try recorder.record(done) { _ throws(Problem) in
            if try workTree.mergeDriver.isNamed { return Edit([]) }
            let update = workTree.attributesUpdate
            if update.isEmpty {
                throw .repository(
                    .attributesWithoutDriver(
                        file: versions.prefix + MergeDriver.attributesFile, line: MergeDriver.attributes.trimmingSpaces))
            }
            var edit = Edit([])
            edit.files = update
            edit.subject = "the store's files are merged by meaning"
            edit.needsWhy = false
            return edit
        }
    }
}
