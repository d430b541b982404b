import Git
import SettingsModel

/// The versions that have a place in a history even where they changed nothing: merges, and those that a branch or a tag names.
struct Landmarks {
    /// What branches and tags name, and where the history is looked at from.
    private let named: Set<VersionID>
    private let history: History
    private let everything: Places

    init(_ history: History, from start: VersionID?) throws(Problem) {
        self.history = history
        everything = Places([])
        let references = history.versions.repository.references
        var named = Set(try git(references.tags()).map(\.commit))
        for pattern in ["refs/heads/*", "refs/remotes/*"] {
            named.formUnion(try git(references.references(matching: pattern)).map(\.target))
        }
        if let start { named.insert(start) }
        self.named = named
    }

    func contains(_ step: HistoryWalk.Step) throws(Problem) -> Bool {
        if named.contains(step.commit.id) { return true }
        return try history.isMergeOfStore(step, everything)
    }

    /// The next version of the walk, where the filter wants what it changed, or what a landmark says of itself.
    func match(
        _ step: HistoryWalk.Step, in plain: inout PlainHistory, _ filter: HistoryFilter
    ) throws(Problem) -> (Version, VersionChanges)? {
        if let found = try plain.match(step) { return found }
        guard filter.takesLandmarks, filter.takes(step.commit.time), try contains(step) else { return nil }
        return try history.unchanged(step, filter)
    }
}

extension History {
    /// Whether a version merges branches of the store. Where the store is a folder of a larger repository, most merges are about
    /// other files.
    func isMergeOfStore(_ step: HistoryWalk.Step, _ everything: Places) throws(Problem) -> Bool {
        guard step.isMerge else { return false }
        if versions.prefix.isEmpty { return true }
        for parent in step.parents where try differ(parent?.tree, step.commit.tree, in: everything) { return true }
        return try versions.version(step.commit.id).message.via != nil
    }

    /// A merge that changed nothing, whose message is what the filter asks for.
    func mergeByMessage(_ step: HistoryWalk.Step, _ filter: HistoryFilter) throws(Problem) -> (Version, VersionChanges)? {
        guard filter.isAboutMessage, filter.takesLandmarks, filter.takes(step.commit.time),
            try isMergeOfStore(step, Places([]))
        else { return nil }
        return try unchanged(step, filter)
    }

    fileprivate func unchanged(_ step: HistoryWalk.Step, _ filter: HistoryFilter) throws(Problem) -> (Version, VersionChanges)? {
        let version = try versions.version(step.commit.id)
        let changes = VersionChanges(changes: [])
        return filter.takes(version) && filter.takes(version, changes) ? (version, changes) : nil
    }
}

extension HistoryFilter {
    /// Whether it isn't about changes alone.
    fileprivate var takesLandmarks: Bool { places.isEmpty && became == nil }
    /// Whether it asks for what a version says of itself.
    var isAboutMessage: Bool { search != nil || ticket != nil || requestedBy != nil }
}
