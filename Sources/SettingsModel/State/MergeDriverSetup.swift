/// How a clone merges the store's files with git.
package struct MergeDriverSetup: Hashable, Sendable {
    /// Whether the store's files name the merge driver.
    package var isNamed: Bool
    /// How far this clone knows to run it.
    package var state: State
    /// Whether that is the user's word or the machine's.
    package var isOfUser: Bool

    package init(isNamed: Bool, state: State, isOfUser: Bool) {
        self.isNamed = isNamed
        self.state = state
        self.isOfUser = isOfUser
    }

    package enum State: Hashable, Sendable {
        case missing
        /// Nothing merges a file where this program isn't found.
        case outdated
        /// The program that git is to run isn't there any more.
        case lost(String)
        /// Another program, or a script around this one.
        case foreign
        case current
    }

    /// Whether git merges the store's files as text although they name the merge driver.
    package var isMissing: Bool {
        switch state {
        case .missing, .lost: isNamed
        case .outdated, .foreign, .current: false
        }
    }
}
