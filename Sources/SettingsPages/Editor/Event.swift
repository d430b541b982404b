package import SettingsModel

/// What happens to the editor.
package enum Event: Sendable {
    case key(Keystroke)
    /// A key that came together with others, as those of a text do: it records nothing.
    case together(Keystroke)
    /// Keys that came together and are a text, with a line break among them: they are no commands.
    case burst([Keystroke])
    case paste(String)
    case click(row: Int, column: Int)
    case resize(Grid.Size)
    /// What a row, a page or plain mode asks for, without a key.
    case act(Act)
    case focus(RowID)
    /// A word for the value of the row, as in plain mode.
    case set(RowID, String)
    case search(String)
    /// In place of what is in the field.
    case type(String)

    case loaded(Loaded)
    case recorded(words: String, [Change], by: VersionID?)
    /// Something was asked for that could not be done.
    case failed(String, Problem.Kind = .no)
    /// The draft can't be kept any more, and why, or it can again. `isLeaving`: somebody wanted to leave it there.
    case unkept(String?, isLeaving: Bool)
    /// What the person's editor made of a text; nil if it failed.
    case edited(RowID, String?)
    case origins([Key: Version?], areAll: Bool)
    case browsed(BrowseAnswer)
    case fileEdits(FileEdits, FileWork? = nil)
    case questions(OpenQuestions)
    case reasons([String])
    /// What waits to be confirmed.
    case waiting([WaitingVersion])
    /// An earlier draft was kept; and how many others.
    case offered(KeptDraft, others: Int = 0)
    /// Nothing has happened for a while.
    case idle
    /// It is later than it was.
    case clock(Clock)
    /// Something to say that nobody asked for.
    case notice(String)
}

/// The store as it is.
package struct Loaded: Sendable {
    package var content: SettingsContent
    package var head: VersionID?
    /// The branch that is checked out; `HEAD` where none is.
    package var branch: String
    package var handEdited: Set<Subject>
    package var unreadable: [Problem]
    /// Who recorded the last version; nil at the start, and where it is one's own.
    package var author: String?
    /// What is checked out now, where that is another branch or doesn't continue the version before.
    package var movedTo: String?
    /// The version that the same branch was set to, where it doesn't continue the one before.
    package var resetTo: VersionID?
    /// What was renamed since the store was loaded last, the earliest first.
    package var renames: [VersionMessage.Rename] = []

    package init(
        _ content: SettingsContent, head: VersionID? = nil, branch: String? = nil, handEdited: Set<Subject> = [],
        unreadable: [Problem] = [], author: String? = nil
    ) {
        self.content = content
        self.head = head
        self.branch = branch ?? "HEAD"
        self.handEdited = handEdited
        self.unreadable = unreadable
        self.author = author
    }
}

/// What the editor wants done outside.
package enum Effect: Sendable {
    /// The draft changed: its file is written.
    case keep
    /// Nothing of the draft needs to be kept.
    case forget
    case record([Change], Sheet)
    /// In the person's editor.
    case edit(RowID, text: String, name: String)
    /// Who chose the values of these options; of all of them where there are none.
    case origins([Key])
    /// What pages want to know about versions.
    case browse(BrowseRequest)
    case reasons
    /// Keeps a version that waits to be confirmed, or takes it back.
    case confirm(VersionID, keeps: Bool)
    /// Something with edits of the files.
    case files(FileWork)
    /// What merges left open.
    case questions
    /// The draft that was kept is taken up, or dropped.
    case take, drop
    case suspend, redraw
    case quit(Ending)

    package enum Ending: Hashable, Sendable {
        case empty, discarded
        case kept(Int)
        /// So many changes are not recorded, and could not be kept.
        case lost(Int)
        /// The input ended before so many changes were recorded.
        case cutOff(Int)
    }
}
