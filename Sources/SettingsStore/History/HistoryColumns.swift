import Files
import Git
import SettingsModel

/// The columns of an index's file, in memory. Whatever the file says, nothing is looked up outside of them.
final class HistoryColumns {
    static let none = UInt32.max
    static let magic = Array("settings index 9".utf8)
    /// What a path begins with that is a folder where the store was before.
    static let formerMark: UInt8 = 0
    static let headerSize = 16 + 8 + 6 * 4
    /// Many times what a million versions need.
    private static let sizeLimit = 4 << 30

    /// The file, which nobody writes into: it is replaced as a whole.
    private let memory: UnsafeMutableRawBufferPointer
    private let isMapped: Bool
    private(set) var count = 0
    private(set) var mergeCount = 0
    private(set) var pathCount = 0
    private(set) var isOrdered = true

    let times: UnsafePointer<Int64>
    let ids: UnsafeRawPointer
    let starts: UnsafePointer<UInt32>
    let parents: UnsafePointer<UInt32>
    let touches: UnsafePointer<UInt32>
    /// 40 bytes each.
    let contents: UnsafeRawPointer
    /// Pairs.
    let merges: UnsafePointer<UInt32>
    private let pathEnds: UnsafePointer<UInt32>
    private let pathBytes: UnsafeRawPointer

    deinit { Self.free(memory, isMapped: isMapped) }

    private static func free(_ memory: UnsafeMutableRawBufferPointer, isMapped: Bool) {
        if isMapped { FileSystem.unmap(memory) } else { memory.deallocate() }
    }

    /// An index without versions, of the store in `prefix`.
    static func empty(prefix: String) -> HistoryColumns? {
        var file = HistoryFile(capacity: 256)
        file.header([0, 0, 0, 1, prefix.utf8.count, 1])
        file.append([UInt32(0)])
        file.append([UInt32(prefix.utf8.count)])
        file.append(Array(prefix.utf8))
        return HistoryColumns(file.finished(), prefix: prefix)
    }

    /// Nil where there is no such file, or it is damaged, of another format or of another store.
    static func read(_ path: String, prefix: String) -> HistoryColumns? {
        guard let memory = FileSystem.mapped(path, sizes: headerSize..<sizeLimit) else { return nil }
        return HistoryColumns(owning: memory, isMapped: true, prefix: prefix)
    }

    /// Whether a file is an index as another release writes it: that is replaced in time, and not damaged.
    static func isOfOtherRelease(_ path: String) -> Bool {
        guard let memory = FileSystem.mapped(path, sizes: headerSize..<sizeLimit) else { return false }
        defer { FileSystem.unmap(memory) }
        return memory.starts(with: magic.dropLast()) && !memory.starts(with: magic)
    }

    /// A file that is in memory.
    convenience init?(_ file: [UInt8], prefix: String) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: file.count, alignment: 16)
        memory.copyBytes(from: file)
        self.init(owning: memory, isMapped: false, prefix: prefix)
    }

    private init?(owning memory: UnsafeMutableRawBufferPointer, isMapped: Bool, prefix: String) {
        self.memory = memory
        self.isMapped = isMapped
        let bytes = UnsafeRawBufferPointer(memory)
        guard let base = bytes.baseAddress, bytes.count >= Self.headerSize, bytes.starts(with: Self.magic),
            bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self) == HistoryFile.checksum(of: bytes.dropFirst(24))
        else {
            Self.free(memory, isMapped: isMapped)
            return nil
        }
        let numbers = (0..<6).map { Int(bytes.loadUnaligned(fromByteOffset: 24 + 4 * $0, as: UInt32.self)) }
        let (versions, touched, pairs, names, nameBytes) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        var places: [UnsafeRawPointer] = []
        var place = Self.headerSize
        let sizes = [
            8 * versions, 20 * versions, 4 * (versions + 1), 4 * versions, 4 * touched, 40 * touched, 8 * pairs, 4 * names,
            nameBytes,
        ]
        for size in sizes {
            places.append(base + place)
            place += size
        }
        guard place == bytes.count, names > 0 else {
            Self.free(memory, isMapped: isMapped)
            return nil
        }
        times = places[0].bindMemory(to: Int64.self, capacity: versions)
        ids = places[1]
        starts = places[2].bindMemory(to: UInt32.self, capacity: versions + 1)
        parents = places[3].bindMemory(to: UInt32.self, capacity: versions)
        touches = places[4].bindMemory(to: UInt32.self, capacity: touched)
        contents = places[5]
        merges = places[6].bindMemory(to: UInt32.self, capacity: 2 * pairs)
        pathEnds = places[7].bindMemory(to: UInt32.self, capacity: names)
        pathBytes = places[8]
        (count, mergeCount, pathCount, isOrdered) = (versions, pairs, names, numbers[5] == 1)
        guard hasValidOffsets(touched, nameBytes), path(0).elementsEqual(prefix.utf8) else { return nil }
        // All of it was looked at once, little of it will be again: it needs not count as this process's.
        if isMapped { FileSystem.release(memory) }
    }

    /// Whether every number is one of what it counts.
    private func hasValidOffsets(_ touched: Int, _ nameBytes: Int) -> Bool {
        var last: UInt32 = 0
        var isFine = starts[0] == 0 && starts[count] == touched
        for number in 0..<count {
            // Where each version is greater than those it was made from, a way back ends.
            let end = isOrdered ? number : count
            isFine = isFine && starts[number + 1] >= last && (parents[number] == Self.none || parents[number] < end)
            last = starts[number + 1]
        }
        for index in 0..<touched where touches[index] >= pathCount { isFine = false }
        for index in 0..<2 * mergeCount where merges[index] >= count { isFine = false }
        for index in 0..<mergeCount where isOrdered && merges[2 * index + 1] >= merges[2 * index] { isFine = false }
        last = 0
        for number in 0..<pathCount {
            isFine = isFine && pathEnds[number] >= last
            last = pathEnds[number]
        }
        return isFine && last == nameBytes
    }

    func id(_ number: Int) -> VersionID { VersionID(at: ids + 20 * number) }

    func number(of id: VersionID, below end: Int) -> Int? {
        let beginning = id.beginning.bigEndian
        for number in stride(from: end - 1, through: 0, by: -1)
        where (ids + 20 * number).loadUnaligned(as: UInt64.self) == beginning && self.id(number) == id { return number }
        return nil
    }

    func path(_ number: Int) -> UnsafeRawBufferPointer {
        let start = number == 0 ? 0 : Int(pathEnds[number - 1])
        return UnsafeRawBufferPointer(start: pathBytes + start, count: Int(pathEnds[number]) - start)
    }
}

/// An index's file while it is made.
struct HistoryFile {
    private var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes = HistoryColumns.magic + [UInt8](repeating: 0, count: 8)
    }

    mutating func header(_ numbers: [Int]) { append(numbers.map { UInt32(truncatingIfNeeded: $0) }) }

    mutating func append<Number: FixedWidthInteger>(_ numbers: [Number]) {
        numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    mutating func append<Number: FixedWidthInteger>(_ numbers: UnsafeBufferPointer<Number>) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(numbers))
    }

    mutating func append(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

    consuming func finished() -> [UInt8] {
        let sum = bytes.withUnsafeBytes { Self.checksum(of: $0.dropFirst(24)) }
        withUnsafeBytes(of: sum) { bytes.replaceSubrange(16..<24, with: $0) }
        return bytes
    }

    /// Finds every change of up to eight neighbouring bytes, and any other but for one in 2^64: each step can be undone,
    /// so two files that differ in one word never meet again. 4 GB a second.
    static func checksum(of slice: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(rebasing: slice)
        var sums: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
            let mixed = (sum ^ word) &* factor
            return mixed ^ (mixed >> 29)
        }
        var place = 0
        if var address = bytes.baseAddress {
            // Not by the buffer, which looks at its bounds for each word.
            let end = address + bytes.count / 32 * 32
            while address < end {
                sums.0 = step(sums.0, address.loadUnaligned(as: UInt64.self))
                sums.1 = step(sums.1, address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                sums.2 = step(sums.2, address.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                sums.3 = step(sums.3, address.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
                address += 32
            }
            place = bytes.count / 32 * 32
        }
        var sum = UInt64(bytes.count)
        for lane in [sums.0, sums.1, sums.2, sums.3] { sum = step(sum, lane) }
        for byte in bytes[place...] { sum = step(sum, UInt64(byte)) }
        return sum
    }
}
