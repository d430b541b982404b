import SettingsModel

/// A line of plain mode.
package enum PlainCommand: Hashable, Sendable {
    /// Opens or toggles the row of a number or a title.
    case open(String)
    /// Gives a row a value.
    case set(String, String)
    case act(Act)
    case actOn(Act, String)
    case search(String)
    /// Adds a label, or renames one.
    case add(String)
    case rename(String, String)
    /// Shows the page again.
    case show

    private static let acts: [String: Act] = [
        "back": .back, "b": .back, "done": .done, "c": .done, "undo": .undo, "u": .undo, "redo": .redo, "changes": .changes,
        "v": .changes, "quit": .leave, "q": .leave, "help": .help, "?": .help, "close": .close, "next": .next,
        "previous": .previous, "restore": .restore, "revert": .revert, "files": .raw, "pages": .page, "browse": .browse,
        "commit": .commit, "names": .names,
    ]

    private static let actsOnRows: [String: Act] = [
        "info": .info, "i": .info, "reset": .reset, "unset": .unset, "remove": .reset, "dismiss": .reset, "up": .moveUp,
        "down": .moveDown, "history": .history, "restore": .restore, "revert": .revert, "mark": .mark, "compare": .compare,
        "stage": .stage, "unstage": .unstage, "discard": .reset, "files": .raw, "pages": .page, "more": .more, "less": .less,
        "toggle": .toggle, "choose": .toggle, "names": .names,
    ]

    /// The help of plain mode.
    package static let help = [
        "NUMBER or a title opens a row or switches it; you are then asked for a text",
        "NUMBER = VALUE sets a value",
        "back goes back; done shows what will be recorded, and a second done records it; quit leaves and keeps the changes",
        "undo, redo, changes; reset NUMBER to its default, unset NUMBER, info NUMBER",
        "/WORDS searches; filters are @changed @who: @since: @why: @kind:",
        "on versions, the filters are \(VersionSearch.filters)",
        "on versions: mark NUMBER, compare NUMBER, restore NUMBER, revert NUMBER, pages NUMBER, files NUMBER",
        "names lists branches and tags; names NUMBER creates one at that version",
        "commit opens the edits of the files; there: stage NUMBER, unstage NUMBER, discard NUMBER, done",
        "on a choice: add LABEL, rename NUMBER = LABEL, remove NUMBER, up NUMBER, down NUMBER",
    ]

    package init(_ line: String) {
        let line = line.trimmingSpaces
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1].trimmingSpaces : ""
        if line.isEmpty {
            self = .show
        } else if line.hasPrefix("/") {
            self = .search(String(line.dropFirst()).trimmingSpaces)
        } else if let act = Self.acts[line] {
            self = .act(act)
        } else if words[0] == "add", !rest.isEmpty {
            self = .add(rest)
        } else if words[0] == "rename", let (row, text) = Self.parts(rest) {
            self = .rename(row, text)
        } else if let act = Self.actsOnRows[words[0]], !rest.isEmpty {
            self = .actOn(act, rest)
        } else if words[0] == "open", !rest.isEmpty {
            self = .open(rest)
        } else if let (row, value) = Self.parts(line) {
            self = .set(row, value)
        } else {
            self = .open(line)
        }
    }

    private static func parts(_ text: String) -> (String, String)? {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        return (String(text[..<equals]).trimmingSpaces, String(text[text.index(after: equals)...]).trimmingSpaces)
    }
}
