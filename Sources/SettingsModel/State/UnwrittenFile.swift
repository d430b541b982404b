/// A file of which the branch and git's index have the new content, and that could not be written or removed: it still holds what
/// the version before had, and nobody edited it. Every command tries again, until it is in step or holds something else.
package struct UnwrittenFile: Hashable, Sendable {
    /// From the repository's root.
    package let path: String
    /// What it holds; nil where it isn't there.
    package let held: ObjectID?
    package let failure: SystemFailure

    package init(path: String, held: ObjectID?, failure: SystemFailure) {
        self.path = path
        self.held = held
        self.failure = failure
    }
}
