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

    /// One line an option, at most `width` wide: the key within its group, whose whole key stands above it.
    package func fitted(_ phrases: Phrases, into width: Int) -> [StyledText] {
        let glyphs = phrases.wording.glyphs
        var lines: [StyledText] = []
        let groups = Dictionary(grouping: blames, by: \.key.group)
        var seen: Set<Key> = []
        for group in blames.map(\.key.group) where seen.insert(group).inserted {
            if !lines.isEmpty { lines.append(StyledText()) }
            if !group.isRoot { lines.append(OptionList.heading(of: group, into: width, glyphs)) }
            let cells = (groups[group] ?? []).map { blame in
                let origin =
                    blame.version.map(phrases.originColumns) ?? [StyledText(), StyledText(), StyledText(), BlameList.unknown]
                return [StyledText(blame.key.name), what(blame, phrases.wording)] + origin
            }
            lines += OptionList.indented(cells, into: width, yields: BlameList.yields, glyphs)
        }
        return lines
    }

    /// The columns are the key, the value, the id, the time, the person and the reason.
    private static let yields = [
        Columns.Yield(5, to: 20), .init(1, to: 20), .init(4, to: 12), .init(5, to: 12), .init(1, to: 12), .init(5, to: 0),
        .init(0, to: 16), .init(4, to: 8), .init(1, to: 8), .init(3, to: 0), .init(0, to: 12), .init(4, to: 6), .init(0, to: 8),
        .init(1, to: 6), .init(1, to: 0), .init(4, to: 0), .init(2, to: 0), .init(0, to: 1),
    ]

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
