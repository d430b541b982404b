#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

// What posix_spawn is told: structures in one C library, pointers in the other.

extension Child {
    #if canImport(Darwin)
        typealias SpawnActions = posix_spawn_file_actions_t?
        typealias SpawnAttributes = posix_spawnattr_t?

        static var noActions: SpawnActions { nil }
        static var noAttributes: SpawnAttributes { nil }
        static let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
        typealias SpawnActions = posix_spawn_file_actions_t
        typealias SpawnAttributes = posix_spawnattr_t

        static var noActions: SpawnActions { posix_spawn_file_actions_t() }
        static var noAttributes: SpawnAttributes { posix_spawnattr_t() }
        /// POSIX_SPAWN_SETSID of glibc, which declares it for _GNU_SOURCE only.
        static let newSession: Int16 = 0x80
    #endif
}
