import Files
import Git
package import SettingsModel

/// The merge driver in the user's own configuration of git, which serves all clones of that user: their `.gitattributes` name
/// it. `core.fsync` is left to each clone, because it would slow down the user's other repositories.
package struct UserSetup {
    private let configuration: UserConfiguration
    /// The other files that git reads.
    private let others: [UserConfiguration]

    /// Nil without a home folder; see `UserConfiguration`.
    package init?(home: String?, configuration: String?, named: String?) {
        let all = UserConfiguration.all(home: home, configuration: configuration, named: named)
        guard let first = all.first else { return nil }
        self.init(first, Array(all.dropFirst()))
    }

    private init(_ configuration: UserConfiguration, _ others: [UserConfiguration]) {
        (self.configuration, self.others) = (configuration, others)
    }

    /// On that of the files which has the driver; on the one that git writes to where none has.
    package func whereWritten() throws(Problem) -> UserSetup {
        for file in [configuration] + others {
            let setup = UserSetup(file, [])
            if try !setup.values(MergeDriver.driverKey).isEmpty { return setup }
        }
        return self
    }

    /// The configuration file.
    package var path: String { configuration.path }

    /// Writes how git runs `program`. What the user has written there stays. Returns whether anything changed; if not `isDryRun`
    /// it was written.
    package func write(program: String, isDryRun: Bool) throws(Problem) -> Bool {
        let wanted = MergeDriver.configuration(program: program, named: try values(MergeDriver.nameKey))
        var isComplete = true
        for entry in wanted where try values(entry.key) != [entry.value] { isComplete = false }
        if isComplete { return false }
        try checkDriver(try values(MergeDriver.driverKey))
        try checkFolder()
        if !isDryRun { try set(wanted) }
        return true
    }

    /// Removes what `write` has written. Returns whether there was anything.
    package func remove(isDryRun: Bool) throws(Problem) -> Bool {
        let driver = try values(MergeDriver.driverKey)
        if driver.isEmpty { return false }
        try checkDriver(driver)
        try checkFolder()
        let written = MergeDriver.configuration(program: "", named: try values(MergeDriver.nameKey))
        if !isDryRun { try set([], removing: written.map(\.key)) }
        return true
    }

    /// Whether the file has anything in the driver's section. Without a driver there, git refuses to merge the store's files.
    package var hasSection: Bool { configuration.hasSection("merge", MergeDriver.name) }

    private func checkDriver(_ values: [String]) throws(Problem) {
        guard let foreign = values.first(where: { !MergeDriver.isWritten($0) }) else { return }
        let file = path + (configuration.includesOthers ? ", or in what it includes," : "")
        throw .repository(.driverIsForeign(file: file, key: MergeDriver.driverKey, value: foreign))
    }

    private func checkFolder() throws(Problem) {
        if let refusal = FileSystem.refusal(toMakeFilesIn: FileSystem.folder(of: path)) { throw .file(.failed(refusal)) }
    }

    private func values(_ key: String) throws(Problem) -> [String] {
        try git(configuration.values(key))
    }

    private func set(_ values: [(key: String, value: String)], removing keys: [String] = []) throws(Problem) {
        try git(configuration.set(values, removing: keys))
    }
}
