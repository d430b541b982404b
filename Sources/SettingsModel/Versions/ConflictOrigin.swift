/// Who made each side of a conflict what it is.
package struct ConflictOrigin: Hashable, Sendable {
    package var ours: Version?
    package var theirs: Version?

    package init(ours: Version?, theirs: Version?) {
        self.ours = ours
        self.theirs = theirs
    }
}
