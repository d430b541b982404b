import Files
import SettingsModel
import SettingsStore

/// The process in the background that reverts a version when its time is over: 'settings confirm --await MOMENT'.
///
/// It is only the fastest way to get there. If it ends before, as it does when the machine is switched off, the next command
/// that records a version does the same, and so does a timer, see `SystemdTimer`. It ends soon after nothing waits for that
/// moment any more: the versions were confirmed, extended or reverted, or the store is gone.
enum Waiter {
    /// Starts one. It reads and prints nothing and has a session of its own, so that neither a pipe nor the end of the
    /// terminal matters to it. With a clock that was set for this command alone, time does not go on.
    static func start(until deadline: Time, _ session: Session, _ context: Context) {
        if !start(until: deadline, session) {
            context.output.note(Self.failure)
        }
    }

    static let failure = "no process could be started to revert it in time; the next command that records a version reverts it"

    /// False if it could not be started.
    static func start(until deadline: Time, _ session: Session) -> Bool {
        if Environment.current["SETTINGS_NOW"] != nil { return true }
        let words = ["confirm", "--await", "\(deadline.seconds)", "--quiet", "--store", session.folder.path]
        guard let program = ThisProcess.program else { return false }
        return (try? Command(program, [program] + words, ThisProcess.variables, .session).start()) != nil
    }

    /// How often to try again, and how many seconds to wait at first: a minute in the end, ten in all.
    private static let attempts = 15

    /// Waits, and takes back what has expired by then. What is in the way may go away: a merge in progress, a file that is
    /// being edited.
    static func wait(until moment: Int64, _ context: Context, _ expire: (Clock) throws -> Bool) {
        ThisProcess.closeInherited()
        guard isNeeded(until: moment, context) else { return }
        for attempt in 0..<attempts {
            let now = ThisProcess.now
            if (try? expire(Clock.local(now: now))) == true { return }
            ThisProcess.wait(until: now + min(60, 1 << Int64(min(attempt, 6))))
        }
    }

    /// The microseconds from one look at the store to the next: whoever records versions all the time is not slowed down.
    private static let pause: UInt32 = 1_000_000

    /// Waits for the moment, and looks whenever a version was recorded whether something still waits for it. Where that can't
    /// be seen, the moment decides.
    private static func isNeeded(until moment: Int64, _ context: Context) -> Bool {
        func isAwaited() -> Bool { (try? context.session().deadlines.values.contains { $0.seconds == moment }) ?? false }
        let watcher = try? context.session().watcher()
        _ = try? watcher?.tip()
        guard isAwaited() else { return false }
        ThisProcess.leaveFolder()
        while ThisProcess.wait(until: moment, orReading: watcher?.descriptor) {
            ThisProcess.pause(pause)
            guard watcher?.takeHint() == true else { continue }
            _ = try? watcher?.tip()
            if !isAwaited() { return false }
        }
        return true
    }
}
