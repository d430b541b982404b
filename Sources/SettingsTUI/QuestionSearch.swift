import Files
import SettingsModel
import SettingsStore
import Synchronization

/// Looks for what merges left open on a thread and in a session of its own: the first time that reads the whole history, which a
/// key must not wait for. The store keeps what was found, so that another session is answered at once then.
final class QuestionSearch: Sendable {
    private let isOver = Mutex(false)

    /// Nil where the system has no thread to spare.
    init?(_ session: Session) {
        let (folder, caller, clock) = (session.folder, session.caller, session.clock)
        let isRunning = runAside { [self] in
            _ = try? Session(folder, by: caller, at: clock).ask(ConflictsQuery())
            isOver.withLock { $0 = true }
        }
        if !isRunning { return nil }
    }

    /// How often to look whether it is over.
    static let patience = Duration.milliseconds(50)

    var hasEnded: Bool { isOver.withLock { $0 } }
}
