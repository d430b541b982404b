package import CFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How what is written is made to outlast a loss of power.
package enum Durability: String, Hashable, Sendable, CaseIterable {
    /// Not at all: the system writes it when it likes.
    case none
    /// Everything is sent to the disk, and waited for once, at the end: two flushes of the disk's cache. For file systems
    /// whose journal keeps the order of names, which makes all of it last together.
    case fast
    /// Every file and every folder is waited for: twenty flushes.
    case strict

    /// Waits for an open file's content, as far as its name on the disk needs it. False, with `errno`, where that fails.
    package func wait(for file: Int32) -> Bool {
        if self == .strict { Trace.count(.syncs) }
        return settings_sync_file(file, sync) == 0
    }

    /// What a file is waited for before it gets its name.
    package var sync: settings_sync {
        switch self {
        case .none: SETTINGS_SYNC_NONE
        case .fast: SETTINGS_SYNC_PUSH
        case .strict: SETTINGS_SYNC_FULL
        }
    }

    #if canImport(Darwin)
        /// The fastest that loses nothing in these folders: what the file systems there do with a flush is not known.
        package static func safe(in folders: [String]) -> Durability { .strict }
    #else
        /// The fastest that loses nothing in these folders: `fast` where they are all on one file system that is known to have
        /// an ordered journal, ext4 or XFS; `none` where they lie in memory, which no waiting makes last.
        package static func safe(in folders: [String]) -> Durability {
            var device: dev_t?
            for folder in folders {
                guard let found = FileAttributes(of: folder, following: true)?.device, found == device ?? found else {
                    return .strict
                }
                device = found
            }
            guard let device, let folder = folders.first else { return .strict }
            switch settings_file_system(folder) {
            case 0x5846_5342: return .fast  // XFS
            case 0x0102_1994, 0x8584_58F6: return .none  // tmpfs, ramfs
            case 0xEF53: return hasJournal(device) ? .fast : .strict  // ext2, ext3, ext4
            default: return .strict
            }
        }

        /// ext4 runs with and without a journal; the kernel tells which.
        private static func hasJournal(_ device: dev_t) -> Bool {
            let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            let minor = device & 0xFF | (device >> 12) & ~0xFF
            guard let path = FileSystem.link(at: "/sys/dev/block/\(major):\(minor)") else { return false }
            let task = "/sys/fs/ext4/\(FileSystem.name(of: path))/journal_task"
            let first = FileDescriptor(task, O_RDONLY)?.read(1)?.first
            return first.map((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ?? false
        }
    #endif
}
