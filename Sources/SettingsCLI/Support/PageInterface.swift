package import SettingsModel
package import SettingsStore
package import SettingsText

/// Shows pages at a terminal.
package protocol PageInterface: Sendable {
    /// Returns how many changes are left that are not recorded.
    func run(_ request: PageRequest) throws -> Int
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
    /// Has the person edit a file. False if that failed.
    package var edit: (_ path: String) -> Bool
    /// What the session has reported since it was last asked.
    package var notices: () -> [String]
    /// A version was recorded that is taken back at that time unless it is confirmed.
    package var waits: (Session, Time) -> Void
    /// What time it is.
    package var clock: () -> Clock
}
