/// A step on the way from one content of a facet to another: the version that took it, and what it changed.
package struct Origin: Hashable, Sendable {
    package var version: Version
    package var change: Change

    package init(version: Version, change: Change) {
        self.version = version
        self.change = change
    }
}
