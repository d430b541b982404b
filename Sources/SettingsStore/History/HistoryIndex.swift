// The index of a history: which versions touch which files. It lies beside the repository, in the folder of this
// program's own files (`settings` in git's), and is a cache: it may be deleted at any time.
//
//     history-1                 of the store at the repository's root
//     history-1-<16 digits>     of a store in a folder of it: the digits are a hash of the folder's path
//
// A file is written once, whole, beside its place and moved there; nobody ever writes into it. All numbers are the
// machine's own (another machine's file fails its checksum), 32 bits where nothing else is said:
//
//     16 bytes    "settings index 9"
//     64 bits     a checksum of everything behind it
//     header      versions V, touches T, merges M, paths P, bytes of paths, 1 where each version has a greater number
//                 than those it was made from
//     times       V × 64 bits: the committer's, in seconds since 1970
//     ids         V × 20 bytes
//     starts      V + 1: where a version's touches begin
//     parents     V: the number of the first version that each was made from, `none` for the first of all
//     touches     T: the number of a path that differs from the first parent, or about which a version says that it decided
//                 or confirmed something, or a merge decided it without saying so;
//                 0 for a version that renamed something, or a merge of lines of versions that renamed differently
//     contents    T × 40 bytes: which file stood there before a version that was made from one, and which after it: its
//                 id, zeros for none, ones where the trees must be asked; ones and zeros for what a merge decided
//                 without saying so
//     merges      M × 2: a merge and another version that it was made from, in the order of the merges
//     paths       P: where each ends in the bytes that follow. Path 0 is the store's folder in the repository, the others
//                 are files of the store, from its folder on; those that begin with a zero byte are, behind that, folders
//                 where the store was before the versions that touch them
//
// As its touches are, its contents are believed where the checksum fits: it is this program's own word, made from the
// trees, and a history of one option reads no tree then, which was half of its time; 'blame' needs 0.44 in place of 0.80 s.
//
// Versions are numbered from the oldest on in the reverse of the order that a history is told in, from the one on that
// HEAD was at: the last one. Whoever reads a file adds what is newer, in memory, and puts a new file in place when it has
// become much.

import Git
import SettingsModel

/// The versions in the history of one of them, and which files of the store each of them touches.
final class HistoryIndex {
    /// What came from the file, as far as it still holds.
    private let base: HistoryColumns
    private let kept: Int
    /// Numbered on from `kept`.
    let tail: HistoryTail
    /// Whether each version has a greater number than those it was made from.
    let isOrdered: Bool

    init(base: HistoryColumns, kept: Int, tail: HistoryTail, isOrdered: Bool) {
        self.base = base
        self.kept = kept
        self.tail = tail
        self.isOrdered = isOrdered
    }

    var count: Int { kept + tail.ids.count }
    /// How many versions are in no file yet.
    var newer: Int { tail.ids.count }
    /// How many files those versions touch.
    var newTouches: Int { tail.touches.count }
    var pathCount: Int { base.pathCount + tail.paths.count }

    func id(_ number: Int) -> VersionID { number < kept ? base.id(number) : tail.ids[number - kept] }
    func time(_ number: Int) -> Int64 { number < kept ? base.times[number] : tail.times[number - kept] }

    func firstParent(_ number: Int) -> Int? {
        let parent = number < kept ? base.parents[number] : tail.parents[number - kept]
        return parent == HistoryColumns.none ? nil : Int(parent)
    }

    /// The other versions that merges were made from, by merge.
    func otherParents() -> [Int: [Int]] {
        var others: [Int: [Int]] = [:]
        for index in 0..<base.mergeCount where base.merges[2 * index] < kept {
            others[Int(base.merges[2 * index]), default: []].append(Int(base.merges[2 * index + 1]))
        }
        for (merge, parent) in tail.merges { others[Int(merge), default: []].append(Int(parent)) }
        return others
    }

    /// Whether a version touches one of the marked paths.
    func touches(_ number: Int, _ marks: [Bool]) -> Bool {
        if number < kept {
            for index in base.starts[number]..<base.starts[number + 1] where marks[Int(base.touches[Int(index)])] { return true }
            return false
        }
        for path in tail.touches(number - kept) where marks[Int(path)] { return true }
        return false
    }

    /// Whether any version renamed something, or is a merge of lines that renamed differently.
    var hasRenames: Bool { keptTouches.contains(0) || tail.touches.contains(0) }

    private var keptTouches: UnsafeBufferPointer<UInt32> {
        UnsafeBufferPointer(start: base.touches, count: kept == 0 ? 0 : Int(base.starts[kept]))
    }

    /// The versions that touch one of the marked paths, the newest first. Looks at the touches alone: a third of what
    /// going through the versions takes.
    func versions(touching marks: [Bool]) -> [Int] {
        var versions = tail.ids.indices.reversed().filter { tail.touches($0).contains { marks[Int($0)] } }.map { kept + $0 }
        let touches = keptTouches
        var number = kept
        marks.withUnsafeBufferPointer { marks in
            for index in touches.indices.reversed() where marks[Int(touches[index])] {
                if number < kept, base.starts[number] <= index { continue }
                // The last one that begins at or before it.
                var low = 0
                while number - low > 1 {
                    let middle = (low + number) / 2
                    if base.starts[middle] <= index { low = middle } else { number = middle }
                }
                number = low
                versions.append(number)
            }
        }
        return versions
    }

    /// Takes the paths that a version touches, and where `content` has what stood and stands there.
    func eachTouch(by number: Int, _ take: (UInt32, _ place: Int) -> Void) {
        if number < kept {
            for index in base.starts[number]..<base.starts[number + 1] { take(base.touches[Int(index)], Int(index)) }
        } else {
            let range = tail.range(number - kept)
            for index in range { take(tail.touches[index], -1 - index) }
        }
    }

    /// Whether a version renamed something, or is a merge of lines that renamed differently.
    func renames(_ number: Int) -> Bool {
        var renames = false
        eachTouch(by: number) { path, _ in renames = renames || path == 0 }
        return renames
    }

    /// Whether a version is a merge that decided something without saying so.
    func decides(_ number: Int) -> Bool {
        var decides = false
        eachTouch(by: number) { _, place in decides = decides || content(place).isUndeclared }
        return decides
    }

    func content(_ place: Int) -> HistoryContent {
        if place < 0 { return tail.contents[-1 - place] }
        let address = base.contents + 40 * place
        return HistoryContent(before: VersionID(at: address), after: VersionID(at: address + 20))
    }

    /// The bytes of a path, from the store's folder on.
    func path(_ number: Int) -> [UInt8] {
        number < base.pathCount ? Array(base.path(number)) : tail.paths[number - base.pathCount]
    }

    /// The newest version of that id; nil where it isn't in this history. Looks through all of them.
    func number(of id: VersionID) -> Int? {
        if let index = tail.ids.lastIndex(of: id) { return kept + index }
        return base.number(of: id, below: kept)
    }

    /// The newest version along first parents that is not after a moment; the first of all where every one is.
    func newest(until seconds: Int64) -> VersionID? {
        var number = count - 1
        guard number >= 0 else { return nil }
        // As many steps as there are versions: a file may lie, and lead in a circle.
        for _ in 0..<count {
            guard time(number) > seconds, let parent = firstParent(number) else { break }
            number = parent
        }
        return id(number)
    }

    /// Which paths lie in one of `places`; all where there are none. What renames marks itself, as 0.
    func marks(of places: [Key]) -> [Bool] {
        var marks = [Bool](repeating: places.isEmpty, count: pathCount)
        marks[0] = true
        if places.isEmpty { for number in formerFolders { marks[number] = false } }
        for place in places {
            let folder = place.isRoot ? [] : Array(place.path.utf8)
            for number in 1..<max(pathCount, 1) where !marks[number] {
                marks[number] =
                    number < base.pathCount
                    ? Self.lies(base.path(number), in: folder)
                    : tail.paths[number - base.pathCount].withUnsafeBytes { Self.lies($0, in: folder) }
            }
        }
        return marks
    }

    /// A file of the folder, or of the option of its name.
    private static func lies(_ path: UnsafeRawBufferPointer, in folder: [UInt8]) -> Bool {
        if folder.isEmpty { return path.first != HistoryColumns.formerMark }
        guard path.count > folder.count, path[folder.count] == UInt8(ascii: "/") || path[folder.count] == UInt8(ascii: "."),
            path.starts(with: folder)
        else { return false }
        return true
    }

    /// The numbers of the paths that are folders where the store was before.
    private var formerFolders: [Int] {
        (0..<pathCount).filter { number in
            number < base.pathCount
                ? base.path(number).first == HistoryColumns.formerMark
                : tail.paths[number - base.pathCount].first == HistoryColumns.formerMark
        }
    }

    /// Where the store's folder was before, the latest first, each as `Versions.prefix` is.
    var formerPrefixes: [String] {
        let former = formerFolders
        if former.isEmpty { return [] }
        var marks = [Bool](repeating: false, count: pathCount)
        for number in former { marks[number] = true }
        var found: [UInt32] = []
        for version in versions(touching: marks) {
            eachTouch(by: version) { path, _ in if marks[Int(path)], !found.contains(path) { found.append(path) } }
        }
        return found.map { String(decoding: path(Int($0)).dropFirst(), as: UTF8.self) }
    }

    /// Everything as the file has it.
    func file() -> [UInt8] {
        let versions = kept + tail.ids.count
        let keptTouches = keptTouches
        var file = HistoryFile(capacity: versions * 88 + base.pathCount * 32)
        var ends: [UInt32] = []
        var names: [UInt8] = []
        for number in 0..<pathCount {
            names += path(number)
            ends.append(UInt32(names.count))
        }
        let merges = (0..<base.mergeCount).filter { base.merges[2 * $0] < kept }
        file.header([
            versions, keptTouches.count + tail.touches.count, merges.count + tail.merges.count, pathCount, names.count,
            isOrdered ? 1 : 0,
        ])
        file.append(UnsafeBufferPointer(start: base.times, count: kept))
        file.append(tail.times)
        file.append(UnsafeRawBufferPointer(start: base.ids, count: kept * 20))
        for id in tail.ids { file.append(id.bytes) }
        file.append(UnsafeBufferPointer(start: base.starts, count: kept))
        for start in tail.starts { file.append([UInt32(keptTouches.count) + start]) }
        file.append(UnsafeBufferPointer(start: base.parents, count: kept))
        file.append(tail.parents)
        file.append(keptTouches)
        file.append(tail.touches)
        file.append(UnsafeRawBufferPointer(start: base.contents, count: 40 * keptTouches.count))
        for content in tail.contents {
            file.append(content.before.bytes)
            file.append(content.after.bytes)
        }
        for index in merges { file.append([base.merges[2 * index], base.merges[2 * index + 1]]) }
        for (merge, parent) in tail.merges { file.append([merge, parent]) }
        file.append(ends)
        file.append(names)
        return file.finished()
    }
}

extension HistoryIndex {
    /// How the two sides of a cut look back: which version is the last one before which everything older comes.
    /// `isCut(n)`: no version with a greater number than n was made from one with a smaller.
    func cuts() -> (_ number: Int) -> Bool {
        var lowest = [UInt32](repeating: .max, count: count + 1)
        var others: [Int: [Int]] = otherParents()
        for number in stride(from: count - 1, through: 0, by: -1) {
            lowest[number] = min(lowest[number + 1], firstParent(number).map { UInt32($0) } ?? .max)
            for parent in others.removeValue(forKey: number) ?? [] { lowest[number] = min(lowest[number], UInt32(parent)) }
        }
        return { lowest[$0 + 1] >= UInt32($0) }
    }

    /// Numbers by the first bits of the ids.
    func numbers() -> [UInt64: Int] {
        var numbers: [UInt64: Int] = [:]
        numbers.reserveCapacity(count)
        for number in 0..<count { numbers[id(number).beginning] = number }
        return numbers
    }
}

/// Versions that are in no file yet.
struct HistoryTail {
    var ids: [VersionID] = []
    var times: [Int64] = []
    /// One more than versions.
    var starts: [UInt32] = [0]
    var touches: [UInt32] = []
    /// Of each touch.
    var contents: [HistoryContent] = []
    var parents: [UInt32] = []
    var merges: [(merge: UInt32, parent: UInt32)] = []
    /// Numbered on from the file's.
    var paths: [[UInt8]] = []

    func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }
    func touches(_ index: Int) -> ArraySlice<UInt32> { touches[range(index)] }
}

/// The files that stand at a path before and after a version.
struct HistoryContent: Sendable {
    var before: ObjectID
    var after: ObjectID

    static let none = ObjectID(repeating: 0)
    /// No regular file, or what a merge has from several: the trees know.
    static let unknown = ObjectID(repeating: 0xFF)

    static let notRecorded = HistoryContent(before: unknown, after: unknown)
    /// Of what a merge decided without saying so.
    static let undeclared = HistoryContent(before: unknown, after: none)

    var isUndeclared: Bool { before == Self.unknown && after == Self.none }

    init(before: ObjectID, after: ObjectID) { (self.before, self.after) = (before, after) }

    init(_ difference: Difference) {
        func id(_ content: Content?) -> ObjectID {
            guard let content else { return Self.none }
            return content.mode.isRegular ? content.id : Self.unknown
        }
        (before, after) = (id(difference.old), id(difference.new))
    }
}
