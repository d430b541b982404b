package import SettingsModel
package import SettingsStore
package import SettingsText

/// Shows pages at a terminal.
package protocol PageInterface: Sendable {
    /// Returns how they were left.
    func run(_ request: PageRequest) throws -> PageOutcome
    /// What the keys do, one line each.
    var keys: [String] { get }
}

package struct PageRequest {
    package var session: Session
    /// An option or a group; nil for everything.
    package var place: String?
    /// Whether it opens on versions instead of settings.
    package var isBrowser: Bool
    package var phrases: Phrases
    /// Keys and commands from a file.
    package var script: [UInt8]?
    package var isPlain: Bool
    /// How long the versions recorded from here wait to be confirmed; nil where they don't have to be.
    package var confirm: String?
    package var isColoured: Bool
    package var isTerminal: Bool
    /// Who records a version and when.
    package var done: (Session) throws -> Done
    /// Has the person edit a file. Why that failed; nil if it didn't.
    package var edit: (_ path: String) -> String?
    /// What the session has reported since it was last asked.
    package var notices: () -> [String]
    /// A version was recorded that is taken back at that time unless it is confirmed.
    package var waits: (Session, Time) -> Void
}

/// How pages were left.
package struct PageOutcome {
    /// How many changes are not recorded.
    var kept: Int
    /// Whether they could not be kept either.
    var isLost: Bool
    /// Whether the input ended in the middle of Done.
    var isCutOff: Bool
    /// Why a line of the input could not be done; it has been said.
    var failure: Problem.Kind?

    package init(kept: Int = 0, isLost: Bool = false, isCutOff: Bool = false, failure: Problem.Kind? = nil) {
        self.failure = failure
        self.kept = kept
        self.isLost = isLost
        self.isCutOff = isCutOff
    }
}

/// What a script expects isn't so, or a line of it is no instruction.
package struct PageScriptFailure: Error {
    var reason: String
    var isInvalid: Bool

    package init(_ reason: String, isInvalid: Bool) {
        self.reason = reason
        self.isInvalid = isInvalid
    }
}
