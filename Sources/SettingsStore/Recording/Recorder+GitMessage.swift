import Files
import Git
import SettingsModel

extension Recorder {
    /// Removes the message that git keeps for a commit to come, of a squash or of a pick that made none, once all of it is
    /// recorded: nothing that is staged differs from the last version any more. git's own commit removes it as well; what was left
    /// would be the reason of the next one.
    func dropUsedGitMessage(at tip: VersionID) {
        let git = Folder(path: versions.repository.git.gitDirectory)
        let left = ["SQUASH_MSG", "MERGE_MSG", "AUTO_MERGE"].filter { (try? git.entry(at: $0)) == .some(.file) }
        guard !left.isEmpty, (try? versions.operation) == nil, (try? isInStep(with: tip)) == true else { return }
        for name in left { try? FileSystem.remove(git.full(name)) }
    }

    /// Whether git's index has what a version has, and nothing in conflict.
    private func isInStep(with version: VersionID) throws(Problem) -> Bool {
        guard let tree = try versions.snapshot(version).commit?.tree,
            let entries = try git(versions.repository.index.contents(under: ""))
        else { return false }
        let recorded = try git(versions.repository.objects.files(in: tree, under: ""))
        return recorded.count == entries.count
            && recorded.allSatisfy { entries[$0.path] == .some(Content(id: $0.id, mode: $0.mode)) }
    }
}
