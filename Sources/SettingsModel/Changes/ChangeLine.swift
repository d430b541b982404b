/// A change as it is shown and as `--json` prints it: edits of a label list are separate lines, items are added or removed whole.
public struct ChangeLine: Hashable, Sendable {
    public var subject: Subject
    public var title: ExactText
    public var facet: Facet
    public var before: JSON?
    public var after: JSON?
    public var beforeLabel: ExactText?
    public var afterLabel: ExactText?
    /// The changed member if `facet` is `range` or `other`.
    public var member: ExactText?
    public var isMasked: Bool
    /// Whether an item that is added was there before, in a file that could not be read.
    package var isRepair = false

    /// The names in the output of `--json`.
    public enum Facet: String, Hashable, Sendable {
        case value, title, `default`, help, type, range
        case labelAdded = "label.added"
        case labelRemoved = "label.removed"
        case labelRenamed = "label.renamed"
        case labelMoved = "label.moved"
        case added, removed, renamed, other
    }

    public init(
        _ subject: Subject, title: ExactText, _ facet: Facet, before: JSON? = nil, after: JSON? = nil,
        beforeLabel: ExactText? = nil, afterLabel: ExactText? = nil, member: ExactText? = nil, isMasked: Bool = false
    ) {
        self.subject = subject
        self.title = title
        self.facet = facet
        self.before = before
        self.after = after
        self.beforeLabel = beforeLabel
        self.afterLabel = afterLabel
        self.member = member
        self.isMasked = isMasked
    }
}

extension Change {
    public var lines: [ChangeLine] {
        switch facet {
        case .existence:
            let (old, new) = (before?.option, after?.option)
            var line = ChangeLine(
                subject, title: title, after == nil ? .removed : .added,
                before: old?.value, after: new?.value,
                beforeLabel: old.flatMap { option in option.value.flatMap { option.label(of: $0) } },
                afterLabel: new.flatMap { option in option.value.flatMap { option.label(of: $0) } },
                isMasked: (new ?? old)?.isMasked ?? false
            )
            line.isRepair = isRepair
            return [line]
        case .labels: return labelLines
        case .value, .default:
            return [
                ChangeLine(
                    subject, title: title, facet == .value ? .value : .default, before: before?.json, after: after?.json,
                    beforeLabel: before?.words, afterLabel: after?.words, isMasked: isMasked
                )
            ]
        case .key: return [simple(.renamed)]
        case .title: return [simple(.title)]
        case .type: return [simple(.type)]
        case .help: return [simple(.help)]
        case .bound(let name): return [simple(.range, member: name)]
        case .order: return [simple(.other, member: "order")]
        case .member(let name): return [simple(.other, member: name)]
        }
    }

    /// Whether either side is.
    private var isMasked: Bool { before?.isMasked ?? false || after?.isMasked ?? false }

    private func simple(_ facet: ChangeLine.Facet, member: ExactText? = nil) -> ChangeLine {
        ChangeLine(
            subject, title: title, facet, before: before?.json, after: after?.json, member: member, isMasked: isMasked)
    }

    /// Removed, renamed, added and moved labels; labels outside the longest run that kept its order count as moved.
    private var labelLines: [ChangeLine] {
        guard case .labels(let old)? = before ?? .labels(Labels()), case .labels(let new)? = after ?? .labels(Labels()) else {
            return []
        }
        var lines: [ChangeLine] = []
        func add(_ facet: ChangeLine.Facet, _ before: JSON?, _ after: JSON?, _ beforeLabel: ExactText?, _ afterLabel: ExactText?)
        {
            lines.append(
                ChangeLine(
                    subject, title: title, facet, before: before, after: after,
                    beforeLabel: beforeLabel, afterLabel: afterLabel
                )
            )
        }
        let (oldIndex, newIndex) = (LabelIndex(old), LabelIndex(new))
        let places = old.map { newIndex.counterpart(of: $0, in: oldIndex) }
        let partners = places.map { $0.map { new[$0] } }
        for (label, partner) in zip(old, partners) where partner == nil { add(.labelRemoved, label.value, nil, label.text, nil) }
        for (label, partner) in zip(old, partners) {
            guard let partner, partner.text != label.text || partner.value != label.value else { continue }
            add(.labelRenamed, label.value, partner.value, label.text, partner.text)
        }
        let kept = Set(partners.compactMap { $0?.value })
        for label in new where !kept.contains(label.value) { add(.labelAdded, nil, label.value, nil, label.text) }

        let stayed = Set(LabelsMerge.longestRun(places.compactMap { $0 }))
        for (index, place) in places.enumerated() {
            guard let place, !stayed.contains(place) else { continue }
            add(.labelMoved, .number(index), .number(place), new[place].text, new[place].text)
        }
        for (label, partner) in zip(old, partners) {
            guard let partner, partner.long != label.long else { continue }
            lines.append(
                ChangeLine(
                    subject, title: title, .other, before: label.long.map { .string($0) },
                    after: partner.long.map { .string($0) },
                    member: "long label of \(partner.text)"
                )
            )
        }
        if lines.isEmpty {
            lines.append(
                ChangeLine(
                    subject, title: title, .other, before: .bool(old.writesValues), after: .bool(new.writesValues),
                    member: "values written out"
                )
            )
        }
        return lines
    }
}

extension Change.Content {
    /// Whether it has a text that could be masked, and is not.
    package var mayBeMasked: Bool {
        switch self {
        case .value(.string, nil, let isMasked): !isMasked
        case .item(.option(let option)): option.type == .text && !option.isMasked
        default: false
        }
    }

    /// The same of an option that is masked.
    package var masked: Change.Content {
        switch self {
        case .value(let json, let words, _): return .value(json, words: words, isMasked: true)
        case .item(.option(var option)) where option.type == .text:
            option.other["masked"] = .bool(true)
            return .item(.option(option))
        default: return self
        }
    }

    var option: SettingsOption? { if case .item(.option(let option)) = self { option } else { nil } }
    var words: ExactText? { if case .value(_, let words, _) = self { words } else { nil } }
    package var isMasked: Bool { if case .value(_, _, let isMasked) = self { isMasked } else { false } }
}
