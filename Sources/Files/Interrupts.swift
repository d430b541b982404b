internal import CFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Ctrl-C and the like, for a program that has something to clean up.
package enum Interrupts {
    /// From now on they are noted instead of ending the process at once.
    package static func note() { settings_note_interrupts() }

    /// They end the process again.
    package static func forget() { settings_forget_interrupts() }

    /// The signal that came, if any.
    package static var signal: Int32? { settings_interrupt() == 0 ? nil : settings_interrupt() }

    /// Whether a signal asks a program that runs until it is stopped to end, as Ctrl-C and `kill` do.
    package static func isOrderly(_ signal: Int32) -> Bool { signal == SIGINT || signal == SIGTERM }

    /// From now on they are passed on to a program that runs beside this one, or to none.
    package static func pass(to child: Child?) { settings_pass_interrupts(child?.target ?? 0) }

    /// Can be read from once one has come, or a command has ended; -1 where the system has no more descriptors.
    package static var descriptor: Int32 { settings_interrupt_descriptor() }

    /// From now on, the descriptor tells of what comes next. What has come is to be looked for after this.
    package static func takeHints() { settings_take_interrupts() }
}
