package import SettingsModel

/// Edits of the files that no version has recorded, as they were looked at last.
package struct FileEdits: Hashable, Sendable {
    /// From the last version to git's index, and from there to the files.
    package var staged: [Change] = []
    package var unstaged: [Change] = []
    /// Files that can't be read, or that say two things.
    package var broken: [Broken] = []
    /// Files that only are written in another way.
    package var rewritten: [Subject] = []
    package var tracked: [Tracked] = []
    /// What git is in the middle of, in a word.
    package var operation: String?

    package struct Broken: Hashable, Sendable {
        package var path: String
        /// Nil for a name that no store has.
        package var subject: Subject?
        package var reason: String
        /// Whether it is what git's index holds, not the file.
        package var isStaged: Bool

        package init(path: String, subject: Subject?, reason: String, isStaged: Bool = false) {
            self.path = path
            self.subject = subject
            self.reason = reason
            self.isStaged = isStaged
        }
    }

    /// A tracked file, whose edits are recorded as a whole.
    package struct Tracked: Hashable, Sendable {
        package var path: String
        package var changes: [Change]
        /// Whether it has edits that change no option, such as comments.
        package var hasOtherEdits: Bool

        package init(path: String, changes: [Change], hasOtherEdits: Bool = false) {
            (self.path, self.changes, self.hasOtherEdits) = (path, changes, hasOtherEdits)
        }
    }

    package init(
        staged: [Change] = [], unstaged: [Change] = [], broken: [Broken] = [], rewritten: [Subject] = [],
        tracked: [Tracked] = [], operation: String? = nil
    ) {
        self.staged = staged
        self.unstaged = unstaged
        self.broken = broken
        self.rewritten = rewritten
        self.tracked = tracked
        self.operation = operation
    }

    /// Whether there is nothing that could be staged or discarded here.
    package var isEmpty: Bool { staged.isEmpty && unstaged.isEmpty && broken.isEmpty && rewritten.isEmpty }
    /// Whether there is something that discarding puts back.
    var isDiscardable: Bool { !unstaged.isEmpty || !discardableFiles.isEmpty }
    var discardableFiles: [Subject] { broken.filter { !$0.isStaged }.compactMap(\.subject) + rewritten }
}

/// What is known of edits of the files, and what was done with them on the page.
package struct FileEditing: Sendable {
    /// Nil until they have been looked at.
    package var edits: FileEdits?
    /// What can be undone and redone.
    package internal(set) var done: [FileWork.Act] = []
    package internal(set) var undone: [FileWork.Act] = []

    package init() {}
}

/// What is to be done with edits of the files.
package struct FileWork: Hashable, Sendable {
    package var act: Act
    package var way = Way.anew

    package enum Act: Hashable, Sendable {
        /// Looks at them.
        case look
        case stage([Change])
        case unstage([Change])
        case discard([Change], files: [Subject])
        /// What was discarded last.
        case bringBack
        case record([Change], Sheet)
        /// In the person's editor.
        case edit(path: String)

        var inverse: Act? {
            switch self {
            case .stage(let changes): .unstage(changes)
            case .unstage(let changes): .stage(changes)
            case .discard: .bringBack
            case .look, .bringBack, .record, .edit: nil
            }
        }
    }

    package enum Way: Hashable, Sendable {
        case anew, undoing, redoing
    }

    package init(_ act: Act, _ way: Way = .anew) { (self.act, self.way) = (act, way) }
}
