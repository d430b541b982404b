import SettingsModel
import SettingsText

/// Where the parts of a row stand in its line: its title at the left, its value at the right edge, a slider before it.
struct RowLine {
    private(set) var title: String
    private(set) var titleWidth: Int
    /// The key beside the title; empty where the title says it all.
    private(set) var key = ""
    private(set) var accessory: StyledText
    /// Where the value begins, counted from the title.
    private(set) var accessoryColumn: Int
    let chevron: String
    private(set) var bar: Bar?

    /// Where the slider begins, counted from the title.
    var barColumn: Int { accessoryColumn - Bar.width - 1 }

    /// Where the key begins, counted from the title.
    var keyColumn: Int { titleWidth + 2 }

    init(_ row: any Row, width: Int, namesKeys: Bool, in scene: Scene) {
        title = row.title(in: scene)
        let value = row.accessory(in: scene)
        accessory = value.text
        chevron = value.opens ? " " + scene.glyphs.chevron : ""
        if title.visible.displayWidth + accessory.width + 2 > width, let short = row.shortTitle(in: scene) { title = short }
        if let short = value.short, title.visible.displayWidth + accessory.width + chevron.displayWidth + 2 > width {
            accessory = short
        }
        var right = accessory.width + chevron.displayWidth
        bar = value.fraction.map(Bar.init)
        if bar != nil, title.visible.displayWidth + right + Bar.width + 4 > width { bar = nil }
        let barWidth = bar == nil ? 0 : Bar.width + 1
        right += barWidth
        // The title keeps what the value leaves, and at least 2 of 5 columns.
        let gap = right > 0 ? 2 : 0
        let nameRoom = max(width - right - gap, width * 2 / 5)
        if let key = row.key(in: scene) ?? (namesKeys ? scene.key(beside: row.id) : nil) {
            // What is typed comes before what is read.
            if title.visible.displayWidth + 2 + key.displayWidth <= nameRoom { self.key = key } else { title = key }
        }
        titleWidth = min(title.visible.displayWidth, nameRoom)
        let nameWidth = key.isEmpty ? titleWidth : titleWidth + 2 + key.displayWidth
        let room = max(0, width - nameWidth - gap - chevron.displayWidth - barWidth)
        if accessory.width > room { accessory = accessory.cut(to: room, scene.glyphs) }
        accessoryColumn = width - accessory.width - chevron.displayWidth
    }
}

/// A slider of ten steps.
struct Bar {
    let filled: Int

    static let width = 12

    init(_ fraction: Double) { filled = Int((fraction * 10).rounded()) }

    /// What a click on a column of it means, the first of which is its left end; nil beside it.
    static func fraction(at column: Int) -> Double? {
        (0..<width).contains(column) ? Double(min(column, 10)) / 10 : nil
    }

    func text(_ glyphs: Glyphs) -> String {
        let isASCII = glyphs == .ascii
        let (full, empty) = isASCII ? ("#", "-") : ("█", "░")
        let bar = String(repeating: full, count: filled) + String(repeating: empty, count: 10 - filled)
        return isASCII ? "[\(bar)]" : "▕\(bar)▏"
    }
}
