/// A change between two states, with the version that made it.
package struct TracedChange: Sendable {
    package var change: Change
    /// Nil if no version between the two states made it.
    package var origin: Origin?
    /// The version that has what was there before the change.
    package var since: VersionID

    package struct Origin: Sendable {
        package var version: Version
        /// Everything that the version changed.
        package var changes: [Change]

        package init(_ version: Version, changes: [Change]) {
            self.version = version
            self.changes = changes
        }
    }

    package init(_ change: Change, origin: Origin?, since: VersionID) {
        self.change = change
        self.origin = origin
        self.since = since
    }

    /// Whether its version made exactly this change, rather than the last of several steps.
    package var isOfOneVersion: Bool { origin?.changes.contains { Self.isSame($0, change) } ?? false }

    /// Whether two changes do the same, whatever else changed: label lists that a value was chosen from are not compared.
    package static func isSame(_ one: Change, _ other: Change) -> Bool {
        one.subject == other.subject && one.facet == other.facet && Change.Content.isSame(one.before, other.before)
            && Change.Content.isSame(one.after, other.after)
    }
}
