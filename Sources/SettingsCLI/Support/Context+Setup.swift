import SettingsModel
import SettingsStore
import SettingsText

extension Context {
    /// Reports once in each clone that git merges the store's files as text there.
    func noteMissingSetup(_ session: Session) {
        if isSetupMissing(session) { try? output.print([.hint(Phrases.missingSetup)]) }
    }

    /// Reports once in each clone that nothing says who the user is, so that versions carry a guess.
    func noteMissingName(_ session: Session, _ author: Person) {
        guard isUnnamed(session), !output.isQuiet, (try? session.isFirst("name")) == true else { return }
        try? output.print([Phrases.isUnnamed(author)])
    }

    /// Whether git's configuration and variables leave the user's name or address open.
    func isUnnamed(_ session: Session) -> Bool {
        func isMissing(_ part: String) -> Bool {
            environment["GIT_AUTHOR_\(part.uppercased())"] == nil
                && ["author.\(part)", "user.\(part)"].allSatisfy { (session.configured($0) ?? "").isEmpty }
        }
        return isMissing("name") || isMissing("email")
    }

    /// Whether that is to be reported now. Scripts that want no words on standard error do not use up the report.
    func isSetupMissing(_ session: Session) -> Bool {
        !output.isQuiet && (try? session.ask(MergeDriverQuery()).isMissing) == true && (try? session.isFirst("setup")) == true
    }
}
