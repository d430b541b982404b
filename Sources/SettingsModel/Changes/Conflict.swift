/// A change that no longer fits: both sides changed one facet, or what they changed can't hold together.
public struct Conflict: Hashable, Sendable {
    public var subject: Subject
    public var title: Text
    public var facet: Facet
    public var base: Change.Content?
    public var ours: Change.Content?
    public var theirs: Change.Content?
    /// What can't be, where the sides differ in more than this facet.
    public var reason: String?
    /// The value of a label that a side removed, and which stays only because the last agreed choice is in force until this is
    /// decided.
    package var keptLabel: JSON?

    public init(
        _ subject: Subject, title: Text, facet: Facet,
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

/// Changes that can't be applied as they are. Nothing was changed.
public struct Conflicts: Error, Hashable, Sendable {
    public var conflicts: [Conflict]
}
