#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Numbers paths in the order in which they come, for looking up tens of thousands of them: their bytes lie one behind the
/// other, and none becomes a string for that.
package struct PathTable: Sendable {
    /// Each with a zero behind it, as the system wants them.
    private var bytes: [UInt8] = []
    /// Behind each path and its zero.
    private var ends: [Int] = []
    /// The number of the path at each hash, or -1; twice as many as there are paths at least, a power of two.
    private var slots: [Int32]

    package init(capacity: Int = 0) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        slots = Array(repeating: -1, count: size)
        ends.reserveCapacity(capacity)
        bytes.reserveCapacity(32 * capacity)
    }

    package var count: Int { ends.count }

    package func path(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }

    package func number(of path: UnsafeRawBufferPointer) -> Int? {
        let found = slots[slot(of: path)]
        return found < 0 ? nil : Int(found)
    }

    package func number(of path: String) -> Int? {
        var path = path
        return path.withUTF8 { number(of: UnsafeRawBufferPointer($0)) }
    }

    /// The number of the path that has `number` in another table.
    package func number(of number: Int, in other: PathTable) -> Int? {
        other.bytes.withUnsafeBytes { self.number(of: UnsafeRawBufferPointer(rebasing: $0[other.range(number)])) }
    }

    /// The number of the path, which gets the next one if it has none.
    package mutating func add(_ path: UnsafeRawBufferPointer) -> Int {
        if 2 * (count + 1) > slots.count { grow() }
        let slot = slot(of: path)
        if slots[slot] >= 0 { return Int(slots[slot]) }
        slots[slot] = Int32(count)
        bytes.append(contentsOf: path)
        bytes.append(0)
        ends.append(bytes.count)
        return count - 1
    }

    /// What `work` makes of each path, told its number and what lies there below a folder; on all processors. A path of more than
    /// one part follows links on its way. Nothing lies in a folder that can't be opened.
    package func statuses<Result: Sendable>(
        in folder: String, _ work: @escaping @Sendable (Int, FileAttributes?) -> Result
    ) -> [Result] {
        guard let open = FileDescriptor(folder: folder) else { return (0..<count).map { work($0, nil) } }
        let number = open.number
        defer { withExtendedLifetime(open) {} }
        return Workers.parts(of: count) { part in
            bytes.withUnsafeBufferPointer { bytes in
                part.map { path in
                    let attributes = bytes.baseAddress.flatMap { start in
                        (start + range(path).lowerBound).withMemoryRebound(to: CChar.self, capacity: range(path).count + 1) {
                            FileAttributes(of: $0, in: number)
                        }
                    }
                    return work(path, attributes)
                }
            }
        }.flatMap { $0 }
    }

    private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] - 1 }

    /// Where the path is, or belongs. The hash has a key of this process, so that nobody can choose paths that share one.
    private func slot(of path: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: path)
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] >= 0, !isEqual(path, Int(slots[slot])) { slot = (slot + 1) & mask }
        return slot
    }

    private func isEqual(_ path: UnsafeRawBufferPointer, _ number: Int) -> Bool {
        let range = range(number)
        guard range.count == path.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let mine = bytes.baseAddress, let theirs = path.baseAddress else { return true }
            return memcmp(mine + range.lowerBound, theirs, range.count) == 0
        }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: 2 * slots.count)
        for number in 0..<count {
            let place = bytes.withUnsafeBytes { slot(of: UnsafeRawBufferPointer(rebasing: $0[range(number)])) }
            slots[place] = Int32(number)
        }
    }
}
