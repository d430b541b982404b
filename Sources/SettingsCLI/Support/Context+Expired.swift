import SettingsModel
import SettingsStore
import SettingsText

extension Context {
    /// A session of a command that reads the store as it is today, or as of `version`.
    func reader(readsOnly: Bool = false, at version: String? = nil) throws -> Session {
        let session = session(in: try readFolder(), readsOnly: readsOnly || version != nil)
        if version == nil { warnOfExpired(in: session) }
        return session
    }

    /// Reading changes nothing. Whoever reads while something is in force that should have been reverted is told, in one line.
    func warnOfExpired(in session: Session) {
        guard !output.isQuiet, let expired = try? session.ask(ConfirmationsQuery(onlyExpired: true)),
            let words = CommandLineHints.stillInForce(expired, phrases)
        else { return }
        output.error(StyledText("warning: ", .warning) + StyledText(words))
    }
}
