import Files
import Git
package import SettingsModel

/// Checks a store and keeps it small and fast.
package final class Upkeep {
    let versions: Versions
    let journal: Journal
    let workTree: WorkTree
    let history: History
    let merging: Merging

    init(
        _ versions: Versions, _ journal: Journal, _ workTree: WorkTree, _ history: History, _ merging: Merging
    ) {
        self.versions = versions
        self.journal = journal
        self.workTree = workTree
        self.history = history
        self.merging = merging
    }

    var storage: Storage { Storage(versions.repository.packs.objectStorage()) }

    /// Before git is let at it: what it would wait for, for ever.
    package func checkForGit() throws(Problem) {
        guard let path = versions.repository.packs.special() else { return }
        throw .file(.isWaitedFor(path))
    }

    /// The folder that git is told to work on, with what belongs to this work tree alone: its HEAD and its index.
    package var workGitDirectory: String { versions.repository.git.gitDirectory }
}
