/// The keys of the pages: one table that finds the act for a key and is shown as the help.
package enum KeyTable {
    package struct Binding: Sendable {
        package var act: Act
        package var keys: [Keystroke]
        /// What it does, for the help; nil where another line says it.
        package var words: String?

        init(_ act: Act, _ keys: [Keystroke], _ words: String? = nil) {
            self.act = act
            self.keys = keys
            self.words = words
        }
    }

    package static let bindings: [(heading: String, bindings: [Binding])] = [
        (
            "Move",
            [
                Binding(.up, [.up, .character("k")], "to the row above"),
                Binding(.down, [.down, .character("j"), .tab], "to the row below"),
                Binding(.up, [.backTab, .wheelUp]),
                Binding(.down, [.wheelDown]),
                Binding(.pageUp, [.pageUp, .control("b")], "a screen up"),
                Binding(.pageDown, [.pageDown, .control("f")], "a screen down"),
                Binding(.halfUp, [.control("u")], "half a screen up"),
                Binding(.halfDown, [.control("d")], "half a screen down"),
                Binding(.top, [.character("g"), .home], "to the first row"),
                Binding(.bottom, [.character("G"), .end], "to the last row"),
            ]
        ),
        (
            "Open and change",
            [
                Binding(.open, [.enter, .right, .character("l")], "open the row, or change its value"),
                Binding(.toggle, [.character(" ")], "switch on or off; choose a label and stay"),
                Binding(.back, [.left, .character("h"), .backspace], "back to the previous page"),
                Binding(.close, [.escape], "cancel or go back; on the first page, leave"),
                Binding(.less, [.character("-")], "one step less (on a slider also Left)"),
                Binding(.more, [.character("+"), .character("=")], "one step more (on a slider also Right)"),
                Binding(.tenLess, [.shiftLeft], "ten steps less (on a slider also PgDn)"),
                Binding(.tenMore, [.shiftRight], "ten steps more (on a slider also PgUp)"),
                Binding(.lineBreak, [.control("j"), .altEnter], "a line break, while typing"),
                Binding(.reset, [.delete], "reset to the default, then unset; remove a label"),
            ]
        ),
        (
            "Labels of a choice",
            [
                Binding(.add, [.character("a")], "add a label"),
                Binding(.rename, [.character("e"), .function(2)], "rename the label"),
                Binding(.moveUp, [.shiftUp, .character("K")], "move the label up"),
                Binding(.moveDown, [.shiftDown, .character("J")], "move the label down"),
            ]
        ),
        (
            "Find",
            [
                Binding(.search, [.character("/")], "search; @changed @who: @since: @why: @kind: filter"),
                Binding(.next, [.character("n")], "the next match"),
                Binding(.previous, [.character("N")], "the previous match"),
                Binding(.info, [.character("i")], "who chose this value; its version and history"),
                Binding(.history, [.character("H")], "the history of this option"),
                Binding(.help, [.character("?"), .function(1)], "show the keys"),
            ]
        ),
        (
            "Record",
            [
                Binding(.changes, [.character("v")], "list the changes; again, show them line by line"),
                Binding(.browse, [.character("1")], "the versions: browse, compare, restore"),
                Binding(.commit, [.character("2")], "edits of the files: stage, record, discard"),
                Binding(.undo, [.character("u"), .character("z")], "undo the last change"),
                Binding(.redo, [.character("U"), .character("Z"), .control("r")], "redo the last undone change"),
                Binding(.done, [.character("c"), .control("s"), .function(10)], "Done: record the changes"),
                Binding(.leave, [.character("q"), .control("c")], "leave; the changes are kept"),
                Binding(.suspend, [.control("z")], "suspend"),
                Binding(.look, [.character("L")], "more or less space between sections"),
                Binding(.redraw, [.control("l")], "reload the store and redraw the screen"),
                Binding(.delete, [.character("d")]),
            ]
        ),
    ]

    /// What keys do besides, or instead, on pages about versions.
    package static let browsing: (heading: String, bindings: [Binding]) = (
        "Browse versions",
        [
            Binding(.search, [.character("/")], "search; \(VersionSearch.filters) filter"),
            Binding(.pane, [.tab], "switch between the list and the version"),
            Binding(.restore, [.character("r")], "restore the values of the version"),
            Binding(.revert, [.character("R")], "revert what the version changed"),
            Binding(.mark, [.character("m")], "mark the version"),
            Binding(.compare, [.character("=")], "compare the version with the marked one"),
            Binding(.page, [.character("p")], "the pages as they were at the version"),
            Binding(.raw, [.character("D")], "the lines of the files that the version changed"),
            Binding(.names, [.character("b")], "branches and tags: switch, create"),
        ]
    )

    /// Everything, for the help.
    package static var all: [(heading: String, bindings: [Binding])] { bindings + [browsing] }

    /// The table as text.
    package static var lines: [String] {
        all.flatMap { heading, bindings in
            ["\(heading):"]
                + bindings.compactMap { binding in
                    guard let words = binding.words else { return nil }
                    let keys = binding.keys.map(\.name).joined(separator: ", ")
                    return "  " + keys + String(repeating: " ", count: max(1, 24 - keys.count)) + words
                }
        }
    }

    private static let acts: [Keystroke: Act] = Dictionary(
        bindings.flatMap { $0.bindings.flatMap { binding in binding.keys.map { ($0, binding.act) } } },
        uniquingKeysWith: { first, _ in first })

    /// What the keys do that move a slider.
    package static let sliderSteps: [Keystroke: Int] = [
        .left: -1, .right: 1, .shiftLeft: -10, .shiftRight: 10, .pageDown: -10, .pageUp: 10,
    ]

    private static let browsingActs: [Keystroke: Act] = Dictionary(
        browsing.bindings.flatMap { binding in binding.keys.map { ($0, binding.act) } }, uniquingKeysWith: { first, _ in first })

    package static func act(for key: Keystroke, isBrowsing: Bool = false) -> Act? {
        isBrowsing ? browsingActs[key] ?? acts[key] : acts[key]
    }
}
