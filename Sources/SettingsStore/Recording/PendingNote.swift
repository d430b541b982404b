import Files
import Git
import SettingsModel

/// What a Done is about to do, noted before the branch moves: `old <id or none>`, `new <id>`, `boot <id>` and, where the
/// Dones before may not be on the disk yet, `since <id or none>`, what the files held before them, and `unsettled <number>`,
/// how many they are, a line each.
///
/// When the work is done, either an empty line stands in its place; or, where files and index were not waited for, `was`
/// instead of `old`: then there is nothing to do as long as the system runs, and everything to look into after it has been
/// started anew, be it that the power was lost.
///
/// Behind that stands `settled <id>`: a version that is on the disk for sure, with its files, so that a restart leaves
/// nothing to look into. It is written without the store's lock, by whoever has waited for the disk, so of several the last
/// one to come counts.
///
/// Behind that stands `checkout <id> <state>`: the version that files and index of this work tree were last known to be at, see
/// `Standing`. It is written without the lock as well, and says nothing of work to be done.
///
/// A note in another format begins with `format`, so that this program leaves it to the one that can read it.
///
/// One small file, written in place; making and removing a file for each Done would cost a folder's sync and, where the
/// disk is told of freed blocks, a millisecond.
struct PendingNote {
    /// `settings/pending` in git's folder.
    let path: String
    var shared = SharedMode.none

    struct Work: Equatable {
        /// Nil before the first version.
        var old: VersionID?
        var new: VersionID?
        /// What the files may have held before the Dones before, and how many those are; see above.
        var since: VersionID??
        var unsettled = 0
        /// When the system was started under which it was noted.
        var boot: String?
        /// Finished, but perhaps not on the disk.
        var isFinished = false
        /// What was on the disk when this was read.
        var settled: VersionID?

        var isSettled: Bool { isFinished && new != nil && settled == new }

        var wasUnderThisBoot: Bool { boot != nil && boot == PendingNote.boot }
        var isToDo: Bool { !isFinished || !wasUnderThisBoot && !isSettled }
    }

    /// All of the note, so that a shorter one covers a longer one; behind it stands what is settled, and behind that the checkout.
    private static let size = 256
    private static let placeOfCheckout = 320

    /// Which start of the system this is; nil where it doesn't tell.
    static var boot: String? { ThisProcess.boot }

    func write(_ work: Work, _ durability: Durability) throws(SystemFailure) {
        var text = "\(work.isFinished ? "was" : "old") \(work.old?.hex ?? "none")\nnew \(work.new?.hex ?? "none")\n"
        if let boot = work.boot { text += "boot \(boot)\n" }
        if let since = work.since { text += "since \(since?.hex ?? "none")\nunsettled \(work.unsettled)\n" }
        let isNew = try put(text, durability)
        if isNew, durability != .none { try? FileSystem.sync(FileSystem.folder(of: path)) }
    }

    /// Not synced: a note that comes back is looked into once more, and nothing is found to do.
    func clear() throws(SystemFailure) { try put("\n", .none) }

    /// Says that a version is on the disk. Where that fails, one that comes later says so for this one too.
    func settle(_ id: VersionID) {
        FileSystem.patch(path, Array("\nsettled \(id)\n".utf8), at: Self.size)
    }

    func write(_ checkout: Checkout) {
        FileSystem.patch(path, Array("\ncheckout \(checkout.commit) \(checkout.state)\n".utf8), at: Self.placeOfCheckout)
    }

    var checkout: Checkout? {
        let bytes = (try? FileSystem.bytes(of: path, atMost: Self.limit)) ?? nil
        let line = bytes?.dropFirst(Self.placeOfCheckout + 1).prefix { $0 != UInt8(ascii: "\n") }
        let words = line?.split(separator: UInt8(ascii: " ")) ?? []
        guard words.count == 3, words[0].elementsEqual("checkout".utf8), let commit = VersionID(hex: words[1]),
            let state = VersionID(hex: words[2])
        else { return nil }
        return Checkout(commit: commit, state: state)
    }

    /// Whether there was none before.
    @discardableResult
    private func put(_ text: String, _ durability: Durability) throws(SystemFailure) -> Bool {
        let bytes = Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: max(0, Self.size - text.utf8.count))
        return try FileSystem.writeBeginning(bytes, of: path, durability, shared)
    }

    /// What a note in a later format begins with.
    private static let laterFormat = "format "

    /// Throws where a file has a note in a later format.
    static func checkFormat(_ bytes: some Collection<UInt8>, of path: String) throws(Problem) {
        if bytes.starts(with: laterFormat.utf8) { throw .repository(.noteIsOfLaterVersion(path: path)) }
    }

    /// Whether it is something else than this program writes, or a later one.
    var isDamaged: Bool {
        guard (try? FileSystem.isThere(path)) == true else { return false }
        guard let bytes = try? FileSystem.bytes(of: path, atMost: Self.limit) else { return true }
        if bytes.starts(with: Self.laterFormat.utf8) { return false }
        let isEmpty = bytes.prefix(Self.size).allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        return !isEmpty && (try? read())?.new == nil
    }

    private static let limit = 4096

    /// Whether there is, or may be, work to finish; costs the reading of a few bytes.
    var isThere: Bool {
        do throws(Problem) { return try read()?.isToDo ?? false } catch { return true }
    }

    func read() throws(Problem) -> Work? {
        let bytes = try git(system(FileSystem.bytes(of: path, atMost: Self.limit)))
        if let bytes { try Self.checkFormat(bytes, of: path) }
        guard let bytes, bytes.starts(with: "old ".utf8) || bytes.starts(with: "was ".utf8)
        else { return nil }
        var work = Work(isFinished: bytes.first == UInt8(ascii: "w"))
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2 else { continue }
            let id = VersionID(hex: String(words[1]))
            switch words[0] {
            case "old", "was": work.old = id
            case "new": work.new = id
            case "since": work.since = .some(id)
            case "unsettled": work.unsettled = Int(words[1]) ?? 0
            case "settled": work.settled = id
            case "boot": work.boot = String(words[1])
            default: break
            }
        }
        return work
    }
}
