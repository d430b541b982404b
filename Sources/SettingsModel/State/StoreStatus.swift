/// How a store stands: its last version, its branch, and what no version has recorded yet.
package struct StoreStatus: Sendable {
    /// The store's folder.
    package var path: String
    /// The last version.
    package var version: Version?
    /// Nil where HEAD is detached.
    package var branch: String?
    /// What git is in the middle of, in a word.
    package var operation: String?
    package var draft: Draft
    /// What keeps files and git's index from being brought to the last version.
    package var unfinished: Problem?
    /// Changes of the draft that were there before a version changed the same; with that version.
    package var overtaken: [Change: Version] = [:]
    /// How many conflicts merges left open; nil where that isn't known.
    package var openConflicts: Int?
    /// Whether it is in a bare repository, which has no files.
    package var isBare = false
    /// Whether git left a file of the store in conflict.
    package var hasTextConflicts = false
    /// Versions that have to be confirmed.
    package var confirmations: [(confirmation: Confirmation, changes: VersionChanges)] = []
    /// Why these aren't known.
    package var confirmationProblem: Problem?
    /// Values and labels that a merge by git, the last version, left and that nobody chose.
    package var findings: [Finding] = []

    package init(path: String, version: Version? = nil, branch: String?, operation: String? = nil, draft: Draft) {
        self.path = path
        self.version = version
        self.branch = branch
        self.operation = operation
        self.draft = draft
    }

    /// Whether a file differs from the last version.
    package var filesDiffer: Bool {
        !draft.isEmpty || draft.tracked.contains { $0.standing != .inStep } || !draft.behind.isEmpty || !draft.unwritten.isEmpty
            || unfinished != nil
    }
}
