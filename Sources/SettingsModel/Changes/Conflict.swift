/// A change that can't be applied: both sides changed one facet, or their changes are invalid together.
public struct Conflict: Hashable, Sendable {
    public var subject: Subject
    public var title: ExactText
    public var facet: Facet
    public var base: Change.Content?
    public var ours: Change.Content?
    public var theirs: Change.Content?
    /// Why the sides conflict, if the difference in this facet doesn't explain it.
    public var reason: String?
    /// The value of a label that one side removed. The label is kept because the merge base's choice stays in force until this
    /// conflict is resolved.
    package var keptLabel: JSON?
    /// Labels that one side chose and the other removed. Deciding for such a label puts it back.
    package var removedLabels: [RemovedLabel] = []
    /// Whether only one side changed this: it merges, but what it leads to does not fit another conflict's sides.
    package var isHeldBack = false

    /// Whether one side removed something and the other decided to keep it, as it was or was not there before.
    package var isKept: Bool {
        facet == .existence && (ours == nil) != (theirs == nil) && (base == nil || base == ours || base == theirs)
    }

    /// Whether the sides are known: a squash or a rebase leaves none, and a shallow clone may lack them.
    package var hasSides: Bool { base != nil || ours != nil || theirs != nil }

    /// Whether a VALUE can decide it.
    package var takesValue: Bool { facet == .value || facet == .default }

    /// What a conflict about a name is about is called, on either side and in force.
    var names: Set<Subject> { Set([subject, subject.named(ours), subject.named(theirs)].compactMap { $0 }) }

    package struct RemovedLabel: Hashable, Sendable {
        package var label: ChoiceLabel
        /// The values of the labels before it.
        package var preceding: [JSON]

        /// Where it belongs among others.
        package func position(in labels: Labels) -> Int {
            preceding.last { labels.index(of: $0) != nil }.flatMap { labels.index(of: $0) }.map { $0 + 1 } ?? 0
        }
    }

    /// Notes the labels of what is chosen in `sides` where the merged option doesn't have them.
    package mutating func noteRemovedLabels(of sides: [SettingsContent.Item?], in merged: SettingsContent.Item) {
        guard let labels = merged.option?.labels else { return }
        for option in sides.compactMap({ $0?.option }) {
            let chosen = facet == .value ? option.value : facet == .default ? option.defaultValue : nil
            guard let chosen, labels.index(of: chosen) == nil, let index = option.labels.index(of: chosen),
                !removedLabels.contains(where: { $0.label.value == chosen })
            else { continue }
            removedLabels.append(RemovedLabel(label: option.labels[index], preceding: option.labels[..<index].map(\.value)))
        }
    }

    public init(
        _ subject: Subject, title: ExactText, facet: Facet,
        base: Change.Content?, ours: Change.Content?, theirs: Change.Content?, reason: String? = nil
    ) {
        self.subject = subject
        self.title = title
        self.facet = facet
        self.base = base
        self.ours = ours
        self.theirs = theirs
        self.reason = reason
    }
}

/// Changes that can't be applied. Nothing was changed.
public struct Conflicts: Error, Hashable, Sendable {
    public var conflicts: [Conflict]
}
