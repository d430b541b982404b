#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// While it lives, a Ctrl-C waits: between moving the branch and bringing the files in step is no good moment to stop.
package struct BlockedSignals: ~Copyable {
    private var before = sigset_t()

    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// `endingOnly`: Ctrl-Z still suspends.
    package init(endingOnly: Bool = false) {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in Self.ending + (endingOnly ? [] : [SIGTSTP]) { sigaddset(&blocked, signal) }
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
    }

    /// Whether one that ends this process waits.
    static var isEndPending: Bool {
        var pending = sigset_t()
        guard sigpending(&pending) == 0 else { return false }
        return ending.contains { sigismember(&pending, $0) == 1 }
    }

    deinit {
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
