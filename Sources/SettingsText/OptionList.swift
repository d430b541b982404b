package import SettingsModel

/// Options with their values, by page and section.
package struct OptionList: Sendable {
    private let settings: SettingsContent
    private let place: Key
    private let rows: [Sections.Row]

    package init(_ settings: SettingsContent, in place: Key) {
        self.settings = settings
        self.place = place
        rows = Sections(settings, from: place).rows
    }

    /// Each option with its whole key, in columns for all of them, however wide that is.
    package func whole(_ wording: Wording) -> [StyledText] {
        let table = Phrases.table(
            rows.map { row in
                [
                    StyledText("  \(row.key)", .faint), StyledText(row.option.title.string.inWords),
                    OptionList.value(of: row.option, wording),
                ]
            })
        var lines: [StyledText] = []
        for (row, line) in zip(rows, table) {
            if let titles = row.titles {
                if !lines.isEmpty { lines.append(StyledText()) }
                lines.append(StyledText(titles.joined(separator: " \(wording.glyphs.chevron) "), .heading))
            }
            lines.append(line)
        }
        return lines
    }

    /// One line an option, at most `width` wide: the key within its group, whose whole key stands above it, in columns for
    /// each group.
    package func fitted(_ wording: Wording, into width: Int) -> [StyledText] {
        var lines: [StyledText] = []
        var rest = rows[...]
        while let first = rest.first {
            let end = rest.dropFirst().firstIndex { $0.titles != nil } ?? rest.endIndex
            let isInGroup = first.titles != nil
            if isInGroup {
                if !lines.isEmpty { lines.append(StyledText()) }
                lines.append(
                    OptionList.heading(of: first.key.group, ownTitles(of: first.key.group), into: width, wording.glyphs))
            }
            let cells = rest[..<end].map { row in
                [
                    StyledText(isInGroup ? row.key.name : row.key.description),
                    StyledText(row.option.title.string.inWords, .faint),
                    OptionList.value(of: row.option, wording),
                ]
            }
            lines += OptionList.indented(cells, into: width, yields: OptionList.yields, wording.glyphs)
            rest = rest[end...]
        }
        return lines
    }

    /// Titles give way first, then values; a key is needed in full for the next command.
    private static let yields = [
        Columns.Yield(1, to: 24), .init(2, to: 24), .init(1, to: 8), .init(2, to: 12), .init(1, to: 0), .init(0, to: 12),
        .init(2, to: 0), .init(0, to: 1),
    ]

    static func indented(
        _ cells: [[StyledText]], into width: Int, yields: [Columns.Yield], _ glyphs: Glyphs
    ) -> [StyledText] {
        Columns.lines(cells, into: width - 2, yields: yields, glyphs).map { StyledText("  ") + $0 }
    }

    /// The titles, from `place` on, of the groups that have one.
    private func ownTitles(of group: Key) -> [String] {
        var titles: [String] = []
        var group = group
        while !group.isRoot, group.isWithin(place) {
            if let title = settings.groups[group]?.title, !title.isEmpty { titles.insert(title.string, at: 0) }
            group = group.group
        }
        return titles
    }

    /// The line above the options of a group: its titles and its key, with which the next command can be typed.
    static func heading(of group: Key, _ titles: [String] = [], into width: Int, _ glyphs: Glyphs) -> StyledText {
        let key = group.description
        let room = width - key.displayWidth - Columns.gap
        guard !titles.isEmpty, room >= 8 else { return StyledText(key, .heading).cut(to: width, glyphs) }
        let title = StyledText(titles.joined(separator: " \(glyphs.chevron) "), .heading)
        return title.cut(to: room, glyphs).adding(String(repeating: " ", count: Columns.gap)).adding(key, .faint)
    }

    /// A value that differs from its default stands out; a default is dimmed.
    private static func value(of option: SettingsOption, _ wording: Wording) -> StyledText {
        if let value = option.value {
            return StyledText(wording.words(value, of: option), option.differsFromDefault ? .after : .plain)
        }
        guard let value = option.defaultValue else { return StyledText("not set", .faint) }
        return StyledText("\(wording.words(value, of: option)) (default)", .faint)
    }
}

extension Phrases {
    package static let noOptions = PrintedLine.hint("there are no options yet; 'settings add' creates one")
    package static let noMatch = PrintedLine.note("no option matches")
    package static func isNotSet(_ key: Key) -> PrintedLine { .note("\(key) is not set") }
}
