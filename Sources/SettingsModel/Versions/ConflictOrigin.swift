/// The versions that last changed each side of a conflict.
package struct ConflictOrigin: Hashable, Sendable {
    package var ours: Version?
    package var theirs: Version?

    package init(ours: Version?, theirs: Version?) {
        self.ours = ours
        self.theirs = theirs
    }
}
