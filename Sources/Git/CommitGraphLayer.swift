import SettingsModel
internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

// A file of git's commit-graph, as gitformat-commit-graph(5) describes it; all numbers are big-endian.
//
//     8 bytes   "CGPH", version 1, hash 1 (SHA-1), how many chunks C, how many layers it builds on
//     (C + 1) × 12 bytes: a chunk's name and where it begins; the last one, without a name, where they end
//     OIDF      256 × 4: how many commits have an id whose first byte is no greater
//     OIDL      N × 20: the ids, sorted
//     CDAT      N × 36: tree, two parents (by number; see below), level (30 bits), committer's time (34 bits)
//     EDGE      4 each: the other parents of those that have more than two; the last one of each with its first bit set
//     BIDX      N × 4: where the filter of each ends in BDAT's, the first one beginning at 0
//     BDAT      version, hashes a path, bits a path; then the filters of changed paths: see ChangedPath
//     BASE      20 each: the layers it builds on, the lowest first
//     20 bytes  the SHA-1 of everything before
//
// What else there is (GDA2, GDO2: finer levels) isn't needed here.

/// One file of git's commit-graph, in memory. Plain addresses: whoever has them keeps the file (`CommitGraph`).
struct CommitGraphLayer {
    static let none: UInt32 = 0x7000_0000
    static let more: UInt32 = 0x8000_0000

    let memory: UnsafeRawBufferPointer
    /// The hash at its end.
    let hash: ObjectID
    /// Its commits' numbers go on from here: how many those have that it builds on.
    let first: Int
    let count: Int
    private let fanout: UnsafeRawPointer
    private let ids: UnsafeRawPointer
    private let commits: UnsafeRawPointer
    private let edges: UnsafeRawBufferPointer
    private let filterEnds: UnsafeRawPointer?
    private let filters: UnsafeRawBufferPointer
    /// Of the filters: which way of hashing, and how many hashes a path has.
    private let filterVersion: UInt32
    private let filterHashes: UInt32

    /// The file's bytes where it is a whole commit-graph on these layers, by what it says of itself and by its hash: git's
    /// `verify` looks at no more but for asking the objects. Nil where it is not.
    ///
    /// The hash makes sure that nobody but a writer of graphs made it: 4 ms for 100,000 versions, 100 times less than what
    /// a graph saves. That it tells of commits what they are is taken on trust, as git does.
    init?(_ memory: UnsafeRawBufferPointer, on layers: [CommitGraphLayer]) {
        guard let base = memory.baseAddress, memory.count >= 8 + 12 + 20, memory.starts(with: Array("CGPH".utf8)),
            memory[4] == 1, memory[5] == 1, Int(memory[7]) == layers.count,
            Self.hash(of: memory) == ObjectID(at: base + memory.count - 20)
        else { return nil }
        guard let chunks = Self.chunks(memory, Int(memory[6])), let fanout = chunks["OIDF"], fanout.count == 1024,
            let ids = chunks["OIDL"], let commits = chunks["CDAT"], let fanoutStart = fanout.baseAddress,
            let idsStart = ids.baseAddress, let commitsStart = commits.baseAddress
        else { return nil }
        self.memory = memory
        hash = ObjectID(at: base + memory.count - 20)
        first = layers.last.map { $0.first + $0.count } ?? 0
        count = Int(fanoutStart.number(255))
        (self.fanout, self.ids, self.commits) = (fanoutStart, idsStart, commitsStart)
        edges = chunks["EDGE"] ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let (ends, all) = (chunks["BIDX"], chunks["BDAT"])
        if let ends, let all, ends.count == 4 * count, all.count >= 12, let data = all.baseAddress {
            (filterVersion, filterHashes) = (data.number(0), min(data.number(1), 64))
            filterEnds = ends.baseAddress
            filters = UnsafeRawBufferPointer(rebasing: all[12...])
        } else {
            (filterVersion, filterHashes, filterEnds) = (0, 0, nil)
            filters = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let bases = chunks["BASE"]
        guard ids.count == 20 * count, commits.count == 36 * count, first + count < Int(Self.none), edges.count % 4 == 0,
            bases?.count ?? 0 == 20 * layers.count, leadsNowhereElse
        else { return nil }
        for (index, layer) in layers.enumerated() {
            guard let hash = bases?.baseAddress, ObjectID(at: hash + 20 * index) == layer.hash else { return nil }
        }
    }

    static func hash(of memory: UnsafeRawBufferPointer) -> ObjectID? {
        var sha = settings_sha1()
        settings_sha1_begin(&sha)
        settings_sha1_add(&sha, memory.baseAddress, memory.count - 20)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { hash in
            settings_sha1_end(&sha, hash.baseAddress)
            return hash.baseAddress.map { ObjectID(at: $0) }
        }
    }

    /// The chunks by their names; nil where they aren't in order, or some lie outside.
    private static func chunks(_ memory: UnsafeRawBufferPointer, _ count: Int) -> [String: UnsafeRawBufferPointer]? {
        let table = 8 + 12 * (count + 1)
        guard let base = memory.baseAddress, memory.count >= table + 20 else { return nil }
        var chunks: [String: UnsafeRawBufferPointer] = [:]
        func start(_ index: Int) -> UInt64 { UInt64(bigEndian: (base + 12 + 12 * index).loadUnaligned(as: UInt64.self)) }
        for index in 0..<count {
            let (begin, end) = (start(index), start(index + 1))
            guard begin >= UInt64(table), begin <= end, end <= UInt64(memory.count - 20) else { return nil }
            let name = String(decoding: memory[(8 + 12 * index)..<(12 + 12 * index)], as: UTF8.self)
            let chunk = UnsafeRawBufferPointer(rebasing: memory[Int(begin)..<Int(end)])
            guard chunks.updateValue(chunk, forKey: name) == nil else { return nil }
        }
        return chunks
    }

    /// Whether every number is one of what it counts, and no list of parents is told twice.
    private var leadsNowhereElse: Bool {
        var isFine = true
        for byte in 1..<256 where fanout.number(byte) < fanout.number(byte - 1) { isFine = false }
        let total = UInt32(first + count)
        var rest = edges.count / 4
        for index in 0..<rest where edge(index) & ~Self.more >= total { isFine = false }
        guard isFine, rest == 0 || edge(rest - 1) & Self.more != 0 else { return false }
        for row in 0..<count {
            let (one, other) = (parent(row, 0), parent(row, 1))
            isFine =
                isFine && (one < total || one == Self.none) && (other < total || other == Self.none || other & Self.more != 0)
            guard other & Self.more != 0 else { continue }
            var index = Int(other & ~Self.more)
            guard index < edges.count / 4 else { return false }
            repeat { (rest, index) = (rest - 1, index + 1) } while rest >= 0 && edge(index - 1) & Self.more == 0
            guard rest >= 0 else { return false }
        }
        return isFine
    }

    private func edge(_ index: Int) -> UInt32 { edges.baseAddress?.number(index) ?? Self.more }
    private func parent(_ row: Int, _ index: Int) -> UInt32 { (commits + 36 * row + 20).number(index) }

    func row(of id: ObjectID) -> Int? {
        let byte = id.firstByte
        var (low, high) = (byte == 0 ? 0 : Int(fanout.number(byte - 1)), Int(fanout.number(byte)))
        while low < high {
            let middle = (low + high) / 2
            let there = self.id(middle)
            if there == id { return middle }
            if there < id { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    func id(_ row: Int) -> ObjectID { ObjectID(at: ids + 20 * row) }
    func tree(_ row: Int) -> ObjectID { ObjectID(at: commits + 36 * row) }
    func level(_ row: Int) -> Int { Int((commits + 36 * row + 28).number(0) >> 2) }

    func time(_ row: Int) -> Int64 {
        let place = commits + 36 * row + 28
        return Int64(place.number(0) & 3) << 32 | Int64(place.number(1))
    }

    func firstParent(_ row: Int) -> Int? {
        let parent = parent(row, 0)
        return parent == Self.none ? nil : Int(parent)
    }

    /// The second one and those that follow.
    func otherParents(_ row: Int) -> [Int] {
        let parent = parent(row, 1)
        if parent == Self.none { return [] }
        guard parent & Self.more != 0 else { return [Int(parent)] }
        var others: [Int] = []
        var index = Int(parent & ~Self.more)
        while index < edges.count / 4 {
            others.append(Int(edge(index) & ~Self.more))
            if edge(index) & Self.more != 0 { break }
            index += 1
        }
        return others
    }

    /// False where the filter of a commit says that it has a path as its first parent has it.
    func mayTouch(_ row: Int, _ path: ChangedPath) -> Bool {
        guard let filterEnds, let data = filters.baseAddress else { return true }
        let start = row == 0 ? 0 : Int(filterEnds.number(row - 1))
        let end = Int(filterEnds.number(row))
        // Without bytes it was not made.
        guard start < end, end <= filters.count else { return true }
        let filter = UnsafeRawBufferPointer(start: data + start, count: end - start)
        return path.mayBe(in: filter, version: filterVersion, count: filterHashes)
    }
}

extension UnsafeRawPointer {
    fileprivate func number(_ index: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
}
