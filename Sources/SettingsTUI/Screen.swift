internal import CTerminal
import SettingsPages

/// A terminal that cells are drawn on and keys come from. There is one in a process.
final class Screen {
    private var shown: Grid?
    private let isColoured: Bool
    private let colours: Int
    /// When the last of a paste came that has not ended yet.
    private var pasting: ContinuousClock.Instant?
    /// What was read and is to be done, the next one first.
    private var ahead: ArraySlice<Event> = []
    /// When the last text came that may go on.
    private var lastText: ContinuousClock.Instant?
    /// Signals that came while more of a text was waited for.
    private var missed: Ready = []

    private init(isColoured: Bool) {
        self.isColoured = isColoured
        colours = Int(settings_terminal_colors())
    }

    /// Nil where the terminal can't show pages.
    static func open(isColoured: Bool) -> Screen? {
        guard settings_terminal_open() == Int32(SETTINGS_TERMINAL_OK.rawValue) else { return nil }
        return Screen(isColoured: isColoured)
    }

    func close() { settings_terminal_close() }

    var isUTF8: Bool { settings_terminal_is_utf8() != 0 }

    var size: Grid.Size {
        var (rows, columns) = (Int32(0), Int32(0))
        settings_terminal_size(&rows, &columns)
        return Grid.Size(columns: Int(columns), rows: Int(rows))
    }

    /// What there is to read after at most so long, from the terminal or from one of `others`.
    func wait(_ limit: Duration, _ others: [Int32] = []) -> Ready {
        defer { missed = [] }
        return missed.union(poll(missed.isEmpty ? limit : .zero, others))
    }

    /// Whether more keys come within so long.
    private func hasMore(within limit: Duration) -> Bool {
        let ready = poll(limit, [])
        missed.formUnion(ready.subtracting(.keys))
        return ready.contains(.keys)
    }

    private func poll(_ limit: Duration, _ others: [Int32]) -> Ready {
        // Rounded up, so that it is not over a moment too early.
        let milliseconds = Int32(min(limit / .milliseconds(1) + 1, 60_000))
        return Ready(rawValue: settings_terminal_wait(milliseconds, others, others.count))
    }

    struct Ready: OptionSet {
        let rawValue: Int32
        static let keys = Ready(rawValue: 1)
        static let size = Ready(rawValue: 2)
        static let suspend = Ready(rawValue: 4)
        static let end = Ready(rawValue: 8)
        /// One of the others.
        static let other = Ready(rawValue: 16)
    }

    /// Everything is drawn anew the next time.
    func forget() { shown = nil }

    func lend(_ work: () -> Void) {
        settings_terminal_lend(1)
        work()
        settings_terminal_lend(0)
        forget()
    }

    func stop() {
        settings_terminal_stop()
        forget()
    }

    /// Draws what differs from what is shown.
    func draw(_ grid: Grid) {
        let size = grid.size
        let old = shown?.size == size ? shown : nil
        if old == nil { settings_terminal_clear() }
        settings_terminal_cursor(0)
        var look: Cell.Look?
        for row in 0..<size.rows {
            var place = -1
            // The last cell of the last row stays empty: writing it would scroll some terminals.
            let end = row == size.rows - 1 ? size.columns - 1 : size.columns
            var column = 0
            while column < end {
                let cell = grid[row, column]
                defer { column += 1 }
                guard !cell.text.isEmpty, old == nil ? cell != Cell() : old?[row, column] != cell || isCut(old, grid, row, column)
                else { continue }
                if place != column { settings_terminal_move(Int32(row), Int32(column)) }
                if look != cell.look {
                    set(cell.look)
                    look = cell.look
                }
                var text = cell.text
                text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { settings_terminal_text($0.baseAddress, $0.count) }
                }
                // Terminals disagree on the width of anything but ASCII, so the next cell is gone to.
                place = cell.text.utf8.count == 1 ? column + 1 : -1
            }
        }
        settings_terminal_look(0, -1)
        settings_terminal_move(Int32(grid.cursor.row), Int32(grid.cursor.column))
        settings_terminal_cursor(grid.showsCursor ? 1 : 0)
        settings_terminal_flush()
        shown = grid
    }

    /// Whether a wide character before it was there, or is there now: such a cell may have been overwritten.
    private func isCut(_ old: Grid?, _ new: Grid, _ row: Int, _ column: Int) -> Bool {
        guard let old, column > 0 else { return false }
        return old[row, column].text.isEmpty
            || old[row, column - 1] != new[row, column - 1] && old[row, column - 1].text.utf8.count > 1
    }

    private func set(_ look: Cell.Look) {
        let (bold, dim, underline, reverse) = (1, 2, 4, 8)
        var flags = 0
        var colour = -1
        switch look.role {
        case .plain, .value: break
        case .title, .button: flags = bold
        case .heading: flags = bold
        case .before: colour = 1
        case .after: (flags, colour) = (bold, 2)
        case .faint: flags = dim
        case .warning: (flags, colour) = (bold, 1)
        }
        if look.role == .button { colour = 6 }
        // One color for the whole of the focused row, which every theme keeps legible.
        if look.isFocused { (flags, colour) = (bold | reverse, -1) }
        if look.isField { flags |= underline }
        if look.isSign { flags ^= reverse }
        settings_terminal_look(Int32(flags), isColoured && colours >= 8 ? Int32(colour) : -1)
    }

    /// The next thing that was pressed, clicked or pasted; nil if there is none.
    func event() -> Event? {
        if let event = ahead.popFirst() { return event }
        if let started = pasting, started.duration(to: .now) < Self.longestPause {
            guard let code = next() else { return nil }
            let text = pasted(code)
            return text.isEmpty ? event() : .paste(text)
        }
        readAhead()
        return ahead.popFirst()
    }

    private func next() -> Int32? {
        let code = settings_terminal_key()
        return code < 0 ? nil : code
    }

    /// Nobody presses so many keys at once, with a line break among them.
    private static let leastText = 3

    private static func isText(_ keys: [Keystroke]) -> Bool {
        let texts = keys.compactMap(\.text)
        return texts.count >= leastText && texts.contains("\n") && texts.contains { $0 != "\n" }
    }

    /// What follows a text so soon may be the rest of it.
    private static let rest = Duration.milliseconds(500)

    /// Reads all that is there. Keys that came together may be a text that was typed while the program was busy, or pasted
    /// into a terminal that doesn't say so.
    private func readAhead() {
        var keys: [Keystroke] = []
        var end: Event?
        while end == nil {
            if let code = next() {
                end = other(code)
                if end == nil { keys.append(Keystroke(code: code)) }
            } else if !Self.isText(keys) || !hasMore(within: .milliseconds(50)) {
                // A long text comes in pieces.
                break
            }
        }
        if Self.isText(keys) {
            lastText = .now
            ahead = [.burst(keys)]
        } else {
            let isRest = lastText.map { $0.duration(to: .now) < Self.rest } ?? false
            let isAlone = !isRest && keys.count(where: { $0.text != nil }) < 2
            ahead = ArraySlice(keys.map { isAlone ? .key($0) : .together($0) })
        }
        if let end { ahead.append(end) }
    }

    /// What is no key: a paste or a click.
    private func other(_ code: Int32) -> Event? {
        if code == Int32(SETTINGS_KEY_PASTE_BEGIN.rawValue) { return .paste(pasted()) }
        guard code == Int32(SETTINGS_KEY_MOUSE.rawValue) else { return nil }
        var (row, column) = (Int32(0), Int32(0))
        settings_terminal_mouse(&row, &column)
        return .click(row: Int(row), column: Int(column))
    }

    private static func append(_ code: Int32, to text: inout String) {
        if code == 13 {
            text += "\n"
        } else if let scalar = Unicode.Scalar(UInt32(code)), code < 0x110000 {
            text.unicodeScalars.append(scalar)
        }
    }

    /// A terminal that ends no paste has its keys back after so long.
    private static let longestPause = Duration.seconds(10)

    /// Up to the end of the paste, or as far as it has come after a moment: what follows on a slow connection is still text,
    /// and no command.
    private func pasted(_ first: Int32? = nil) -> String {
        var text = ""
        pasting = nil
        if let first {
            if first == Int32(SETTINGS_KEY_PASTE_END.rawValue) { return text }
            Self.append(first, to: &text)
        }
        while true {
            guard let code = next() else {
                if hasMore(within: .milliseconds(500)) { continue }
                pasting = .now
                return text
            }
            if code == Int32(SETTINGS_KEY_PASTE_END.rawValue) { return text }
            Self.append(code, to: &text)
        }
    }
}

extension Keystroke {
    private static let codes: [UInt32: Keystroke] = [
        SETTINGS_KEY_UP.rawValue: .up, SETTINGS_KEY_DOWN.rawValue: .down, SETTINGS_KEY_LEFT.rawValue: .left,
        SETTINGS_KEY_RIGHT.rawValue: .right, SETTINGS_KEY_SHIFT_UP.rawValue: .shiftUp,
        SETTINGS_KEY_SHIFT_DOWN.rawValue: .shiftDown, SETTINGS_KEY_SHIFT_LEFT.rawValue: .shiftLeft,
        SETTINGS_KEY_SHIFT_RIGHT.rawValue: .shiftRight, SETTINGS_KEY_PAGE_UP.rawValue: .pageUp,
        SETTINGS_KEY_PAGE_DOWN.rawValue: .pageDown, SETTINGS_KEY_HOME.rawValue: .home, SETTINGS_KEY_END.rawValue: .end,
        SETTINGS_KEY_ENTER.rawValue: .enter, SETTINGS_KEY_BACKSPACE.rawValue: .backspace,
        SETTINGS_KEY_DELETE.rawValue: .delete, SETTINGS_KEY_BACK_TAB.rawValue: .backTab,
        SETTINGS_KEY_ESCAPE.rawValue: .escape, SETTINGS_KEY_WHEEL_UP.rawValue: .wheelUp,
        SETTINGS_KEY_WHEEL_DOWN.rawValue: .wheelDown, SETTINGS_KEY_ALT_ENTER.rawValue: .altEnter,
        13: .enter, 10: .control("j"), 9: .tab, 8: .backspace, 127: .backspace,
    ]

    /// What the terminal sent.
    fileprivate init(code: Int32) {
        let code = UInt32(code)
        if let key = Self.codes[code] {
            self = key
        } else if (1...26).contains(code) {
            self = .control(Character(Unicode.Scalar(UInt8(code) + 96)))
        } else if (SETTINGS_KEY_FUNCTION.rawValue + 1...SETTINGS_KEY_FUNCTION.rawValue + 12).contains(code) {
            self = .function(Int(code - SETTINGS_KEY_FUNCTION.rawValue))
        } else if code >= 32, let scalar = Unicode.Scalar(code) {
            self = .character(Character(scalar))
        } else {
            self = .other
        }
    }
}
