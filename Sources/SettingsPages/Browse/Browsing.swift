package import SettingsModel

/// What is known of the versions that pages show: as much as is on the screen, and no more of each kind than a page needs.
package struct Browsing: Sendable {
    package internal(set) var lists: [VersionList] = []
    /// A list that is read again, until it has what the screen shows.
    var renewed: [Int: VersionList] = [:]
    /// Tags and branches; nil until they are known, or where they may be others.
    package internal(set) var names: [VersionID: Names]?
    /// The versions on the screen, and some that were on it.
    package internal(set) var entries: [VersionID: Entry] = [:]
    /// The lines beside the versions on the screen, and how wide the columns are.
    var graphs: [VersionID: String] = [:]
    var columns = Columns()
    package internal(set) var mark: VersionID?
    /// The list of the last search.
    var search: Int?
    package internal(set) var detail: Detail?
    package internal(set) var comparison: Comparison?
    package internal(set) var past: Past?
    package internal(set) var files: Files?

    package init() {}

    /// A version in a list.
    package struct Entry: Sendable {
        /// Nil where it can't be read.
        package var version: Version?
        /// Nil where there are very many.
        package var changes: VersionChanges?
        /// How many files of the store it changed.
        package var count: Int

        package init(_ version: Version?, changes: VersionChanges?, count: Int) {
            self.version = version
            self.changes = changes
            self.count = count
        }
    }

    package struct Names: Hashable, Sendable {
        package var tags: [String]
        /// Those of this clone.
        package var branches: [String]
        package var remotes: [String]
        /// Whether HEAD is detached here.
        package var isHead: Bool

        package init(tags: [String], branches: [String], remotes: [String] = [], isHead: Bool = false) {
            (self.tags, self.branches, self.remotes, self.isHead) = (tags, branches, remotes, isHead)
        }

        /// As they stand beside a version.
        package var all: [String] { (isHead ? ["HEAD"] : []) + branches + remotes + tags }
    }

    /// A version with everything that it changed.
    package struct Detail: Sendable {
        package var id: VersionID
        package var version: Version?
        package var changes = VersionChanges(changes: [])
        package var isSigned = false
        package var isComplete = true
        package var problem: String?

        package init(_ id: VersionID) { self.id = id }
    }

    /// What differs between two versions.
    package struct Comparison: Sendable {
        package var old: VersionID
        package var new: VersionID
        package var changes: [Change]
        package var problem: String?

        package init(_ old: VersionID, _ new: VersionID, _ changes: [Change], problem: String? = nil) {
            (self.old, self.new, self.changes, self.problem) = (old, new, changes, problem)
        }
    }

    /// Everything as a version had it.
    package struct Past: Sendable {
        package var id: VersionID
        package var content: SettingsContent
        package var unreadable: [String]
        /// What is called something else today: then and today.
        package var renamed: [Key: Key]
        let outline: Outline

        package init(_ id: VersionID, _ content: SettingsContent, unreadable: [String], renamed: [Key: Key] = [:]) {
            (self.id, self.content, self.unreadable, self.renamed) = (id, content, unreadable, renamed)
            outline = Outline(content)
        }
    }

    /// The files that a version changed, line by line.
    package struct Files: Sendable {
        package var id: VersionID
        package var lines: [FileLine]
        package var problem: String?
        /// Whether they are known; those of a shallow clone's first version are not.
        package var isComplete: Bool

        package init(_ id: VersionID, _ lines: [FileLine], problem: String? = nil, isComplete: Bool = true) {
            (self.id, self.lines, self.problem, self.isComplete) = (id, lines, problem, isComplete)
        }
    }

    struct Columns: Hashable, Sendable {
        var graph = 0
        var time = 0
        var person = 0
    }

    /// More entries are not kept.
    static let entryLimit = 400
    /// So many versions are read without being asked for.
    static let readAhead = 2000
    /// So many rows a page of plain mode has at first.
    static let plainRows = 40
}

/// What pages want to know about versions.
package enum BrowseRequest: Sendable {
    /// The versions of a list, from the newest on.
    case list(Int, VersionFilter)
    case names
    case entries([VersionID])
    case detail(VersionID)
    case compare(VersionID, VersionID)
    case past(VersionID)
    case files(VersionID)
    /// What restoring options and groups, or everything, would change.
    case restore([Key], VersionID)
    /// What reverting a version, or what it changed of one option or group, would change.
    case revert(VersionID, only: Subject?)
    /// What names a version is created, or checked out.
    case name(NameWork)
}

/// What is done with branches and tags.
package enum NameWork: Hashable, Sendable {
    case newBranch(String, VersionID)
    case newTag(String, VersionID)
    /// Checks out a branch.
    case checkOut(String)
}

/// What is known about versions now.
package enum BrowseAnswer: Sendable {
    case list(Int, [VersionList.Step], isAtEnd: Bool)
    /// Why a list ends before the history does.
    case listEnds(Int, VersionList.End)
    case names([VersionID: Browsing.Names])
    case entries([VersionID: Browsing.Entry])
    case detail(Browsing.Detail)
    case comparison(Browsing.Comparison)
    case past(Browsing.Past)
    case files(Browsing.Files)
    case restored(VersionID, [Change], conflicts: [Conflict])
    case reverted(VersionID, [Change])
}

/// What a person wants done with versions.
package enum BrowseWish: Sendable {
    case restore([Key], VersionID)
    /// Where a subject is given, what the version changed of it alone.
    case revert(VersionID, only: Subject? = nil)
    case mark(VersionID)
    /// With the one that is marked.
    case compare(VersionID)
    case search(String)
    /// The next match, or the one before.
    case match(Int)
    /// In plain mode: further rows.
    case more
    /// The whole list is read.
    case all
}

/// A page about versions: keys mean what they mean in a browser.
protocol BrowserPage: Page {
    /// What it has to know and doesn't.
    func need(in scene: Scene) -> BrowseRequest?
}

extension BrowserPage {
    func need(in scene: Scene) -> BrowseRequest? { nil }
}
