package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Notices that names in folders were made, moved, written or removed: inotify on Linux, kqueue on macOS.
///
/// It is a hint to look again and no more. Events are merged, and where too many come, the system drops them and says only
/// that it did, which counts as an event of every folder. File systems of other hosts report nothing of what is done there.
/// Folders are watched, not files: who replaces a file by renaming another one ends a watch of the file itself.
package final class FolderWatch {
    /// A folder, and the names in it that matter; all of them where there are none.
    package struct Place: Hashable, Sendable {
        package var folder: String
        package var names: Set<String>

        package init(_ folder: String, _ names: Set<String> = []) {
            self.folder = folder
            self.names = names
        }
    }

    private let queue: FileDescriptor
    /// The names that matter in each folder that is watched, by the number that the system knows it by.
    private var watched: [Int32: Set<String>] = [:]

    private init(_ queue: consuming FileDescriptor) { self.queue = queue }

    deinit {
        #if canImport(Darwin)
            for number in watched.keys { remove(number) }
        #else
            // They end with the queue.
        #endif
    }

    /// Can be read from once there is an event; it is to be waited for and not to be read.
    package var descriptor: Int32 { queue.number }

    /// Watches these folders from now on, and no longer those before. A folder that isn't there is left out. Returns whether
    /// others are watched than before: then something may have happened in between.
    package func watch(_ places: [Place]) throws(SystemFailure) -> Bool {
        var now: [Int32: Set<String>] = [:]
        for place in places {
            guard let number = try add(place.folder) else { continue }
            if let names = now[number] {
                now[number] = names.isEmpty || place.names.isEmpty ? [] : names.union(place.names)
            } else {
                now[number] = place.names
            }
        }
        let before = watched
        watched = now
        for number in before.keys where now[number] == nil { remove(number) }
        return before != now
    }

    private func matters(_ name: String, in number: Int32) -> Bool {
        guard let names = watched[number] else { return false }
        return names.isEmpty || names.contains(name)
    }
}

#if canImport(Glibc)
    extension FolderWatch {
        /// Fails where the user has too many of them already.
        package convenience init() throws(SystemFailure) {
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard number >= 0 else { throw .last("watch", "folders") }
            self.init(FileDescriptor(number))
        }

        private static let events =
            UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
            | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

        /// The same number for the same folder. Nil where there is none.
        private func add(_ folder: String) throws(SystemFailure) -> Int32? {
            let number = inotify_add_watch(queue.number, folder, Self.events)
            if number >= 0 { return number }
            let failure = SystemFailure.last("watch", folder)
            if failure.isMissing { return nil }
            throw failure
        }

        private func remove(_ number: Int32) { _ = inotify_rm_watch(queue.number, number) }

        /// Takes the events that have come, and says whether any of them is about a name that matters or about a watched
        /// folder itself.
        package func takeEvents() -> Bool {
            var matter = false
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: MemoryLayout<inotify_event>.alignment) { room in
                guard let start = room.baseAddress else { return }
                while true {
                    let count = retrying { read(queue.number, start, room.count) }
                    if count <= 0 { return }
                    var offset = 0
                    while offset + MemoryLayout<inotify_event>.size <= count {
                        let event = room.load(fromByteOffset: offset, as: inotify_event.self)
                        let name = start + offset + MemoryLayout<inotify_event>.size
                        if take(event, name.assumingMemoryBound(to: CChar.self)) { matter = true }
                        offset += MemoryLayout<inotify_event>.size + Int(event.len)
                    }
                }
            }
            return matter
        }

        private func take(_ event: inotify_event, _ name: UnsafePointer<CChar>) -> Bool {
            // The queue of 16,384 events was full.
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            // The folder is gone, or was unmounted; of a watch that was removed here this comes, too.
            if event.mask & UInt32(IN_IGNORED) != 0 { return watched.removeValue(forKey: event.wd) != nil }
            if event.len == 0 { return watched[event.wd] != nil }
            return matters(String(cString: name), in: event.wd)
        }
    }
#elseif canImport(Darwin)
    extension FolderWatch {
        package convenience init() throws(SystemFailure) {
            let number = kqueue()
            guard number >= 0 else { throw .last("watch", "folders") }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            self.init(FileDescriptor(number))
        }

        /// The number is that of the open folder. It is closed by `remove`, and the system forgets it then.
        private func add(_ folder: String) throws(SystemFailure) -> Int32? {
            guard let open = FileDescriptor(folder, O_EVTONLY | O_DIRECTORY) else {
                let failure = SystemFailure.last("watch", folder)
                if failure.isMissing { return nil }
                throw failure
            }
            var (new, known) = (stat(), stat())
            fstat(open.number, &new)
            for number in watched.keys where fstat(number, &known) == 0 {
                if (known.st_dev, known.st_ino) == (new.st_dev, new.st_ino) { return number }
            }
            var change = kevent(
                ident: UInt(open.number), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                fflags: UInt32(NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE), data: 0, udata: nil)
            guard kevent(queue.number, &change, 1, nil, 0, nil) == 0 else { throw .last("watch", folder) }
            return open.released()
        }

        private func remove(_ number: Int32) { close(number) }

        /// Takes the events that have come. The system tells no names, so that every event matters.
        package func takeEvents() -> Bool {
            var matter = false
            var event = kevent()
            var atOnce = timespec()
            while kevent(queue.number, nil, 0, &event, 1, &atOnce) == 1 {
                let number = Int32(event.ident)
                guard watched[number] != nil else { continue }
                matter = true
                if event.fflags & UInt32(NOTE_DELETE | NOTE_REVOKE) != 0 {
                    watched.removeValue(forKey: number)
                    remove(number)
                }
            }
            return matter
        }
    }
#endif
