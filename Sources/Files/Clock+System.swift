package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Clock {
    /// A clock of the process's time zone that shows `now`, in seconds since 1970.
    package static func local(now: Int64) -> Clock {
        Clock(now: now) { moment in
            var seconds = time_t(moment)
            var parts = tm()
            localtime_r(&seconds, &parts)
            return parts.tm_gmtoff
        }
    }
}
