import SettingsModel
import SettingsStore
import SettingsText

extension Context {
    /// Reading changes nothing. Whoever reads at a terminal what should have been taken back is told that it was not yet; what
    /// programs read is only the value. `keys`: options, or a group that holds them.
    func noteExpired(in session: Session, _ keys: [Key]) {
        guard environment.isErrorTerminal, !output.isQuiet, let open = try? session.openConfirmations().open else { return }
        for (confirmation, made) in open where confirmation.state == .expired {
            let isAbout = made.changes.contains { $0.subject.lies(in: keys) }
            guard isAbout else { continue }
            output.note("note: \(confirmation.version.id.short) was \(phrases.state(of: confirmation).rendered(coloured: false))")
        }
    }
}
