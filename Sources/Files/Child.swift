internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program that was started.
package struct Child {
    private let process: pid_t
    /// Whom signals are for: all that it started as well, where it has a group of its own.
    let target: pid_t
    private let trace: Trace?

    /// How a program ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(Int32)
        case notStarted(SystemFailure)

        /// Its exit status; nil where it has none.
        package var status: Int32? { if case .exited(let status) = self { status } else { nil } }

        fileprivate var words: String {
            switch self {
            case .exited(let status): "exited with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            case .notStarted: "was not started"
            }
        }
    }

    init(_ process: pid_t, _ words: [String], hasGroup: Bool) {
        self.process = process
        target = hasGroup ? -process : process
        Trace.note("started \(process): \(Trace.shown(words))")
        trace = Trace.begin()
    }

    /// How it ended; nil as long as it runs. To be asked no more once it is known.
    package func ending() -> Ending? { reap(WNOHANG) }

    /// Waits for its end.
    @discardableResult
    package func wait() -> Ending {
        while true { if let ending = reap(0) { return ending } }
    }

    /// Nil where a signal came in between, too.
    private func reap(_ options: Int32) -> Ending? {
        var status: Int32 = 0
        let ended = waitpid(process, &status, options)
        if ended == 0 || ended < 0 && errno == EINTR { return nil }
        var ending = Ending.killed(SIGKILL)
        if ended == process { ending = status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(status & 0x7F) }
        trace?.end("\(process) \(ending.words)")
        return ending
    }

    /// Waits for its end. `Interrupts` are passed on to it; then it has ended within seconds, with what it started.
    func waitPassingInterrupts() -> Ending {
        Interrupts.pass(to: self)
        defer { Interrupts.pass(to: nil) }
        while Interrupts.signal == nil {
            guard let ending = reap(0) else { continue }
            if Interrupts.signal != nil { killRest() }
            return ending
        }
        return end(isAsked: true)
    }

    /// Asks it to end, unless it was asked already, and waits for that; after two seconds it is killed. What it started and left
    /// behind goes with it, unless that may stay.
    @discardableResult
    package func end(isAsked: Bool = false, leavingRest: Bool = false) -> Ending {
        if !isAsked { kill(target, SIGTERM) }
        let deadline = ContinuousClock.now + .seconds(2)
        var pause: UInt32 = 500
        while ContinuousClock.now < deadline {
            if let ending = ending() {
                if !leavingRest { killRest() }
                return ending
            }
            ThisProcess.pause(pause)
            pause = min(pause * 2, 20_000)
        }
        kill(target, SIGKILL)
        return wait()
    }

    private func killRest() { if target < 0 { kill(target, SIGKILL) } }

    /// As git has it with its pager: Ctrl-C closes `input`, from which this reads, and ends this process once that one has ended.
    package func holdsInterrupts(closing input: Int32) { settings_end_after(process, input) }

    /// Ctrl-C ends this process at once again.
    package static func releaseInterrupts() { settings_end_at_once() }
}
