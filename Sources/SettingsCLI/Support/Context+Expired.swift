import SettingsModel
import SettingsStore
import SettingsText

extension Context {
    /// Reading changes nothing. Whoever reads while something is in force that should have been reverted is told, in one line.
    func warnOfExpired(in session: Session) {
        guard !output.isQuiet, let expired = try? session.ask(ConfirmationsQuery(onlyExpired: true)),
            let words = CommandLineHints.stillInForce(expired, phrases)
        else { return }
        output.error(StyledText("warning: ", .warning) + StyledText(words))
    }
}
