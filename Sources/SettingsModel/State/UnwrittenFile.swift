/// A file of which the branch and git's index have the new content, and that could not be written or removed: it still holds what
/// the version before had, or, where `base` is known, edits of that. Every command tries again, until it is in step or holds
/// something else.
package struct UnwrittenFile: Hashable, Sendable {
    /// From the repository's root.
    package let path: String
    /// What it holds; nil where it isn't there.
    package let held: ObjectID?
    package let failure: SystemFailure
    /// What its edits were made from, which are laid on the new content.
    package let base: ObjectID?

    package init(path: String, held: ObjectID?, failure: SystemFailure, base: ObjectID? = nil) {
        self.path = path
        self.held = held
        self.failure = failure
        self.base = base
    }
}
