import Files
import Git
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
    /// Unless somebody confirms it by then, the version is taken back.
    package var confirmBy: Time?
    /// How it is wanted to last, whatever the store says.
    package var durability: Durability?
    /// How many seconds to wait for others who write; nil for as long as is usual.
    package var patience: Double?
    /// With what the person signs it, or why that can't be done; nil where it isn't wanted.
    package var signing: Result<Signing, SigningProblem>?

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
    package var confirms: [NamedVersions.Unconfirmed] = []
    package var extends: [NamedVersions.Unconfirmed] = []
    package var unconfirmed: [NamedVersions.Unconfirmed] = []
    package var importedFrom: [VersionMessage.ImportSource] = []
    package var importedInto = Key.root
    package var importedDocument: Int?
    /// The files that carry hand edits which this records; no other may carry any where it writes.
    package var recordsDraft: Set<Subject> = []
    /// The files that can't be read as the last version has them, and that this removes or writes anew.
    var replaces: Set<Subject> = []
    /// The files that carry further hand edits, which stay in them; only the version and git's index get what is recorded.
    var leaves: Set<Subject> = []
    /// What `changes` lead from and to, where that is known already.
    package var sides: (before: SettingsContent, after: SettingsContent)?
    /// Those files as they were read: what has its final form already is not written again.
    var draftFiles: [Subject: Folder.Reading] = [:]
    /// What a person named, or an import brings: a choice among them whose two lines disagree is written anew, and none may
    /// carry hand edits, even where nothing changes.
    package var touched: Set<Subject> = []
    /// The branch only moves on to this version, which was made from the last one. Nothing else of the edit counts then.
    package var forwardsTo: VersionID?
    /// The branch that is checked out in place of the present one, in full; `forwardsTo` is where it is at.
    var checksOut: String?
    /// The other line of versions that this brings in, as the second parent.
    package var merges: VersionID?
    /// Files of the repository that aren't options, groups or the store's definition.
    var files: [FileUpdate] = []
    /// Tracked files of the last version that have what this brings already.
    var inFiles: Set<String> = []
    /// Those of which it records lines that are no option's.
    var otherLines: [String] = []
    /// Sentences for the commit's text.
    package var details: [String] = []
    /// Questions that a merge leaves open, and those that this settles.
    package var conflicts: [VersionMessage.Question] = []
    package var resolves: [VersionMessage.Question] = []
    /// A version even where it changes no file: it settles a question for what is in force already, or opens that again.
    package var isRecordedAnyway = false
    /// Whether the store's policy is asked; undo and redo say why by themselves.
    package var needsWhy = true
    /// What the program has to say about it, after the person's own words.
    package var reason: String?
    /// In place of the generated first line.
    package var subject: String?

    package init(_ changes: [Change]) {
        self.changes = changes
    }

    init(forwardingTo version: VersionID) {
        self.init([])
        forwardsTo = version
    }

    /// Has it write the files anew that can't be read as the last version has them, and that it brings back.
    mutating func replaceUnreadable(at tip: Snapshot) throws(Problem) {
        for change in try tip.markingRepairs(changes) where change.isRepair { replaces.insert(change.subject) }
    }

    /// Whether what it adds is, or was, in another version.
    var bringsBack: Bool {
        merges != nil || restoredFrom != nil || !reverts.isEmpty || !undoes.isEmpty || !redoes.isEmpty
    }
}

/// What becomes of one file.
struct FileUpdate: Sendable {
    /// From the repository's root.
    var path: String
    /// Nil where it goes.
    var file: [UInt8]?
    /// What it is recorded as, and whether that is new.
    var mode = FileMode.blob
    var changesMode = false
    /// It carries hand edits, which are what is recorded.
    var isDraft = false
    /// It carries hand edits of which only a part is recorded, so it stays as it is.
    var isLeft = false
    /// Its file holds what the version before has, or what a dead writer left: not what it is to hold.
    var isOld = false
    /// What stands for it in the version's tree.
    var content: Content?
    /// What the file is, where it holds these very bytes already.
    var status: FileStatus?
    /// What the file gets where it carries other edits, which stay in it; only the version has `file`.
    var edited: [UInt8]?
    /// What these edits were made from.
    var editedFrom: ObjectID?
    /// What git's index gets in the place of `file`, where edits are staged; and what stands for it there.
    var staged: [UInt8]?
    var stagedContent: Content?
    /// What it holds before; whatever else it holds is an edit that was made meanwhile, and stays. Nil: whatever it holds.
    var old: ExpectedContent?
}
