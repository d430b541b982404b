import Files
package import SettingsModel

/// A file inside git's folder that keeps what a person has changed on pages and not recorded, so that a crash loses nothing.
///
/// Each process that edits has a file of its own, whose lock it holds as long as it runs. A file whose lock nobody holds was
/// left by one that ended.
package final class KeptEdits {
    private let path: String
    private let lock: Lock

    /// How many others were left with something in them.
    package private(set) var others = 0

    private init(_ path: String, _ lock: consuming Lock) {
        self.path = path
        self.lock = lock
    }

    /// More processes of one user than this keep nothing.
    private static let places = 16
    /// The most that is read of a file.
    private static let limit = 64 << 20

    /// Takes a place, if possible one that was left with something in it; not one that holds what is somebody else's. Nil if all
    /// are taken.
    fileprivate static func take(in folder: String, _ isOthers: ([UInt8]) -> Bool) throws(Problem) -> KeptEdits? {
        var (empty, left): (KeptEdits?, KeptEdits?)
        for number in 0..<places {
            let path = "\(folder)/edits-\(ThisProcess.user)-\(number)"
            let isLeft = FileSystem.kind(of: path) == .file
            if !isLeft, empty != nil || left != nil { continue }
            guard let lock = try forWriting(Lock.take(path + ".lock", .exclusive, patience: 0.01)) else { continue }
            let place = KeptEdits(path, lock)
            if isLeft {
                if let bytes = try place.read(), isOthers(bytes) { continue }
                if let left { left.others += 1 } else { left = place }
            } else if left == nil {
                empty = place
            }
        }
        return left ?? empty
    }

    /// What was left there; nil if nothing was.
    package func read() throws(Problem) -> [UInt8]? {
        return try onDisk(Folder.read(path: path, limit: Self.limit))
    }

    /// Is on the disk when this returns.
    package func write(_ bytes: [UInt8]) throws(Problem) {
        try onDisk(FileSystem.replace(path, with: bytes, .fast))
    }

    /// Leaves what can't be read to somebody who can, beside what was left before.
    package func setAside() throws(Problem) {
        var new = path + ".unreadable"
        for number in 2...Self.places where try onDisk(FileSystem.isThere(new)) { new = "\(path).unreadable-\(number)" }
        try onDisk(FileSystem.rename(path, to: new))
    }

    package func remove() throws(Problem) {
        guard FileSystem.kind(of: path) != nil else { return }
        try onDisk(FileSystem.remove(path))
    }
}

extension Session {
    /// Where this process keeps edits; nil if too many processes do. `isOthers`: whether what was left is for another version of
    /// the program.
    package func keptEdits(leaving isOthers: ([UInt8]) -> Bool = { _ in false }) throws(Problem) -> KeptEdits? {
        try KeptEdits.take(in: try store.journal.ownFolder(), isOthers)
    }
}
