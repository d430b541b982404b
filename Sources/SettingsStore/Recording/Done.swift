package import SettingsModel

/// Who records a version, and what they say of it.
package struct Done: Sendable {
    /// Who made the change.
    package var author: Person
    package var authorTime: Time
    /// Who ran the tool.
    package var committer: Person
    package var time: Time
    package var why: String?
    package var requestedBy: [String] = []
    package var tickets: [String] = []
    /// By which interface it came: `cli`.
    package var via: String
    /// Nothing is written.
    package var isDryRun = false
    /// The store must be at this version, else somebody was faster.
    package var expected: VersionID?

    package init(author: Person, authorTime: Time, committer: Person, time: Time, via: String) {
        self.author = author
        self.authorTime = authorTime
        self.committer = committer
        self.time = time
        self.via = via
    }
}

/// What a Done does to the settings.
package struct Edit: Sendable {
    package var changes: [Change]
    package var reverts: [VersionID] = []
    package var undoes: [VersionID] = []
    package var redoes: [VersionID] = []
    package var restoredFrom: VersionID?
    /// The files that carry hand edits which this records; no other may carry any where it writes.
    package var recordsDraft: Set<Subject> = []
    /// Files that must carry no hand edits even where nothing is written to them.
    package var untouched: Set<Subject> = []
    /// Whether the store's policy is asked; undo and redo say why by themselves.
    package var needsWhy = true
    /// In place of the generated first line.
    package var subject: String?

    package init(_ changes: [Change]) {
        self.changes = changes
    }
}

/// What became of a Done.
package enum Outcome: Sendable {
    case recorded(Version, [Change], notes: [String])
    /// What a dry run would record.
    case planned(subject: String, [Change])
    /// All is so already.
    case unchanged
}
