#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// While it lives, a Ctrl-C waits: between moving the branch and bringing the files in step is no good moment to stop.
package struct BlockedSignals: ~Copyable {
    private var before = sigset_t()

    package init() {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&blocked, signal) }
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
    }

    deinit {
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
