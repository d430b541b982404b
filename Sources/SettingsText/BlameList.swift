package import SettingsModel

/// Options with the versions that chose their present values.
package struct BlameList: Sendable {
    private let blames: [Blame]

    package init(_ blames: [Blame]) {
        self.blames = blames
    }

    /// Each option with its whole key and everything about the version, however wide that is.
    package func whole(_ phrases: Phrases) -> [StyledText] {
        Phrases.table(
            blames.map { blame in
                let origin = blame.version == nil ? BlameList.unknown : phrases.origin(blame.version)
                return [StyledText(blame.key.description, .name), what(blame, phrases.wording), origin]
            })
    }

    /// At most `width` wide: the key within its group, whose whole key stands above it. What does not fit on an option's line
    /// follows on the next ones.
    package func fitted(_ phrases: Phrases, into width: Int) -> [StyledText] {
        let glyphs = phrases.wording.glyphs
        var lines: [StyledText] = []
        let groups = Dictionary(grouping: blames, by: \.key.group)
        var seen: Set<Key> = []
        for group in blames.map(\.key.group) where seen.insert(group).inserted {
            if !lines.isEmpty { lines.append(StyledText()) }
            if !group.isRoot { lines.append(OptionList.heading(of: group, into: width, glyphs)) }
            let rows = (groups[group] ?? []).map { blame in
                let origin =
                    blame.version.map(phrases.originColumns) ?? [StyledText(), StyledText(), StyledText(), BlameList.unknown]
                return [StyledText(blame.key.name), what(blame, phrases.wording)] + origin
            }
            lines += BlameList.stacked(rows, into: width, glyphs)
        }
        return lines
    }

    /// The columns are the key, the value, the id, the time, the person and the reason. On the first line stand as many as fit
    /// there for every option: all but the reason or, on a narrow terminal, the key and the value.
    private static func stacked(_ rows: [[StyledText]], into width: Int, _ glyphs: Glyphs) -> [StyledText] {
        func firstLines(_ count: Int) -> [StyledText] {
            OptionList.indented(rows.map { Array($0.prefix(count)) }, into: width, yields: yields, glyphs)
        }
        func widest(_ lines: [StyledText]) -> Int { lines.map(\.width).max() ?? 0 }
        var (heads, count) = (firstLines(5), 5)
        if widest(heads) > width { (heads, count) = (firstLines(2), 2) }
        let start = widest(heads) + Columns.gap
        return zip(rows, heads).flatMap { row, head in
            let rest = row.dropFirst(count).filter { !$0.spans.isEmpty }
            guard let first = rest.first else { return [head] }
            let tail = rest.dropFirst().reduce(first) { $0.adding("  ") + $1 }
            if start + tail.width <= width { return [head.padded(to: start) + tail] }
            return [head] + tail.wrapped(into: width - 4, isHanging: false).indented
        }
    }

    /// What is cut, with a mark, before a column moves to the next line.
    private static let yields = [Columns.Yield(1, to: 12), .init(0, to: 16)]

    private static let unknown = Phrases.beforeClone

    private func what(_ blame: Blame, _ wording: Wording) -> StyledText {
        switch blame.facet {
        case .title: StyledText("title \(blame.option.title.string.inWords)", .after)
        case .labels: StyledText("\(blame.option.labels.count) labels", .after)
        default: StyledText(wording.words(blame.option.value, of: blame.option), blame.option.value == nil ? .faint : .after)
        }
    }
}

extension Reports {
    package func blame(_ blames: [Blame], isComplete: Bool) -> JSON {
        let rows = blames.map { blame in
            let (option, isValue) = (blame.option, blame.facet == .value)
            let value = option.isMasked && !revealsMasked ? option.value.map { _ in .string(Wording.dots) } : option.value
            let label = option.value.flatMap { option.label(of: $0) }
            return JSON.object([
                "key": .string(blame.key.description), "title": .string(option.title), "facet": .string(blame.facet.name),
                "value": isValue ? value ?? .null : nil, "label": isValue ? label.map { .string($0) } ?? .null : nil,
                "version": reference(blame.version),
            ])
        }
        return Reports.document(["blame": .array(rows), "complete": .bool(isComplete)])
    }
}
