import Files
import SettingsModel
import SettingsStore
import SettingsText

/// Syncs again and again until it is interrupted.
struct SyncLoop {
    let reporter: SyncReporter
    let wish: SyncWish
    let seconds: Int

    /// The longest pause while the remote cannot be reached.
    private static let longest = 15 * 60

    func run() throws {
        Interrupts.note()
        var pause = seconds
        var reported: String?
        while true {
            do {
                try reporter.runAll(wish)
                (pause, reported) = (seconds, nil)
            } catch let error as Output.Closed {
                throw error
            } catch {
                // Waiting does not help.
                if case .sync(.noRemote)? = error as? Problem { throw error }
                // What failed then was interrupted.
                if Interrupts.signal != nil { return }
                let failure = (error as? Problem).map { Failure($0) } ?? error as? Failure
                guard let failure else { throw error }
                // A conflict has been listed already.
                guard let reason = failure.reason else {
                    if wait(seconds) { return }
                    continue
                }
                pause = failure.status == .busy ? min(max(pause * 2, seconds), max(Self.longest, seconds)) : seconds
                // What goes on is not reported again and again.
                if reason != reported { failure.report(reporter.context.output, phrases: reporter.context.phrases) }
                reported = reason
            }
            try reporter.context.output.flush()
            if wait(pause) { return }
        }
    }

    /// Whether it was interrupted. The time varies by a tenth, so that machines that began together part.
    private func wait(_ seconds: Int) -> Bool {
        let milliseconds = seconds * 1000 + Int.random(in: -(seconds * 100)...(seconds * 100))
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {
            if Interrupts.signal != nil { return true }
            ThisProcess.pause(100_000)
        }
        return Interrupts.signal != nil
    }
}
