import SettingsStore
import SettingsText

extension Context {
    /// Reports once in each clone that git merges the store's files as text there.
    func noteMissingSetup(_ session: Session) {
        if isSetupMissing(session) { try? output.print([.hint(Phrases.missingSetup)]) }
    }

    /// Whether that is to be reported now. Scripts that want no words on standard error do not use up the report.
    func isSetupMissing(_ session: Session) -> Bool {
        !output.isQuiet && (try? session.ask(MergeDriverQuery()).isMissing) == true && (try? session.isFirst("setup")) == true
    }
}
