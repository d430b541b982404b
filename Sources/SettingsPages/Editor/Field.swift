/// A line of text that is being typed. Positions are characters as people count them.
package struct Field: Hashable, Sendable {
    package private(set) var characters: [Character]
    package private(set) var cursor: Int

    package init(_ text: String) {
        characters = Array(text)
        cursor = characters.count
    }

    package var text: String { String(characters) }

    package mutating func insert(_ text: String) {
        let before = String(characters[..<cursor]) + text
        let after = String(characters[cursor...])
        // What is inserted may combine with what is there.
        characters = Array(before + after)
        cursor = min(before.count, characters.count)
    }

    /// Whether the key means something while typing.
    package mutating func edit(_ key: Keystroke) -> Bool {
        switch key {
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace, .control("h"): remove(from: cursor - 1, to: cursor)
        case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
        case .control("u"): remove(from: 0, to: cursor)
        case .control("k"): remove(from: cursor, to: characters.count)
        case .control("w"): remove(from: wordStart, to: cursor)
        case .character(let character): insert(String(character))
        default: return false
        }
        return true
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private mutating func remove(from start: Int, to end: Int) {
        let range = max(0, start)..<min(characters.count, max(end, 0))
        guard !range.isEmpty else { return }
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }
}

/// What is being typed, and into which row.
package struct Typing: Hashable, Sendable {
    package var row: RowID
    package var field: Field
    package var isMasked: Bool
    /// Whether the text may have several lines.
    package var takesBreaks: Bool
    /// The option that it is for, as it was when typing began; nil where it is for none.
    var found: SettingsDraft.Found?

    package init(row: RowID, field: Field, isMasked: Bool = false, takesBreaks: Bool = false) {
        self.row = row
        self.field = field
        self.isMasked = isMasked
        self.takesBreaks = takesBreaks
    }

    /// What is pasted into one line has spaces where lines end.
    mutating func insert(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        field.insert(lines.joined(separator: takesBreaks ? "\n" : " "))
    }
}
