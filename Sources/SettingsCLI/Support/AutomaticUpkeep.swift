import Files
import SettingsStore

/// Starts `settings maintain --auto` in the background.
enum AutomaticUpkeep {
    /// After a version was recorded, if packing is due.
    static func startIfDue(_ session: Session) {
        if (try? session.ask(UpkeepQuery.packing)) == true { start(session) }
    }

    /// After a query that had to walk the history because there is no index.
    static func startIfIndexIsMissing(_ session: Session) {
        if (try? session.ask(UpkeepQuery.index)) == true { start(session) }
    }

    private static func start(_ session: Session) {
        guard let program = ThisProcess.program else { return }
        let words = [program, "maintain", "--auto", "--quiet", "--store", session.folder.path]
        _ = try? Command(program, words, ThisProcess.variables, .session).start()
    }
}
