import SettingsStore
import SettingsText

extension DoctorCommand {
    /// How git merges the store's files, and whether that is by meaning.
    static func words(
        _ driver: (isNamed: Bool, state: MergeDriver.State, isOfUser: Bool), withoutDriver files: [String]
    ) -> (text: String, isFine: Bool) {
        switch driver.state {
        case _ where !driver.isNamed:
            (
                "git merges the store's files as text, because .gitattributes does not name the merge driver; run 'settings setup' "
                    + "to merge by meaning", false
            )
        case .foreign:
            ("git merges the store's files with another program; run 'settings setup' to replace it", false)
        case .outdated:
            (
                "git merges the store's files by meaning, but only where it finds 'settings'; run 'settings setup' to update it",
                false
            )
        case .lost(let program):
            (
                "git merges the store's files as text, because its merge driver runs \(program.visible), which is not there; run "
                    + "'settings setup\(driver.isOfUser ? " --global" : "")' to replace it", false
            )
        case .current where !files.isEmpty:
            (
                "git merges \(CommandLineHints.some(of: files)) as text, because its attributes do not name the merge "
                    + "driver for \(files.count > 1 ? "them" : "it"); 'git check-attr merge FILE' shows the value", false
            )
        case .current:
            (
                "git merges the store's files by meaning\(driver.isOfUser ? ", in all your clones" : ""); 'git am', "
                    + "'rebase --apply' and merges of several branches at once merge their texts", true
            )
        case .missing:
            (
                "git merges the store's files as text in this clone; run 'settings setup' to merge by meaning, or 'settings setup "
                    + "--global' for all your clones", false
            )
        }
    }
}
