import SettingsStore

extension Context {
    /// Reports once in each clone that git merges the store's files as text there. Scripts that want no words on standard error
    /// do not use up the report.
    func noteMissingSetup(_ session: Session) {
        guard !output.isQuiet, (try? session.ask(LacksDriverQuery())) == true, (try? session.isFirst("setup")) == true else {
            return
        }
        output.note(
            "hint: git merges the store's files as text in this clone; run 'settings setup' to merge by meaning, or "
                + "'settings setup --global' for all your clones")
    }
}
