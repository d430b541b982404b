/// A key as a person presses it, whatever a terminal or a browser sends for it.
package enum Keystroke: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case up, down, left, right
    case shiftUp, shiftDown, shiftLeft, shiftRight
    case pageUp, pageDown, home, end
    case enter, altEnter, escape, backspace, delete, tab, backTab
    case function(Int)
    /// The wheel of a mouse.
    case wheelUp, wheelDown
    /// A key that means nothing here.
    case other

    /// What it adds to a text; nil where it isn't part of one.
    package var text: String? {
        switch self {
        case .character(let character): String(character)
        case .enter, .altEnter, .control("j"): "\n"
        case .tab: "\t"
        default: nil
        }
    }

    /// Its name in the help and in scripts.
    package var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let letter): "Ctrl-\(letter.uppercased())"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .shiftUp: "Shift-Up"
        case .shiftDown: "Shift-Down"
        case .shiftLeft: "Shift-Left"
        case .shiftRight: "Shift-Right"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .enter: "Enter"
        case .altEnter: "Alt-Enter"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .function(let number): "F\(number)"
        case .wheelUp: "Wheel-Up"
        case .wheelDown: "Wheel-Down"
        case .other: "That key"
        }
    }

    private static let named: [Keystroke] = [
        .character(" "), .up, .down, .left, .right, .shiftUp, .shiftDown, .shiftLeft, .shiftRight, .pageUp, .pageDown, .home,
        .end, .enter, .altEnter, .escape, .backspace, .delete, .tab, .backTab, .wheelUp, .wheelDown,
    ]

    /// The key of that name; nil if there is none.
    package init?(name: String) {
        let lower = name.lowercased()
        if let key = Self.named.first(where: { $0.name.lowercased() == lower }) {
            self = key
        } else if lower.hasPrefix("ctrl-"), let letter = lower.last, lower.count == 6 {
            self = .control(letter)
        } else if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...12).contains(number) {
            self = .function(number)
        } else if name.count == 1, let character = name.first {
            self = .character(character)
        } else {
            return nil
        }
    }
}
