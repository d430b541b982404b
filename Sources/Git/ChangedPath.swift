/// A path that git's filters of changed paths are asked for (Bloom filters; gitformat-commit-graph(5)): a commit's holds
/// every path that differs from its first parent, and every folder on the way there. What isn't in it didn't change.
package struct ChangedPath: Sendable {
    /// Two hashes of the path itself and of each folder that it lies in; what a filter holds is made of them.
    private let hashes: [(one: UInt32, other: UInt32)]
    /// Version 1 hashes bytes beyond ASCII as the C of the machine that wrote it has its `char`: signed or not.
    private let isASCII: Bool

    /// `a/b/c`, without slashes at its ends. The root, which is empty, may differ wherever anything does.
    package init(_ path: [UInt8]) {
        var paths = path.isEmpty ? [] : [path]
        for place in path.indices.reversed() where path[place] == UInt8(ascii: "/") { paths.append(Array(path[..<place])) }
        hashes = paths.map { (Self.murmur3($0, seed: 0x293A_E76F), Self.murmur3($0, seed: 0x7E64_6E2C)) }
        isASCII = path.allSatisfy { $0 < 0x80 }
    }

    /// Whether a filter may hold it: some say so of what they don't hold. `count`: how many bits stand for a path.
    func mayBe(in filter: UnsafeRawBufferPointer, version: UInt32, count: UInt32) -> Bool {
        guard version == 2 || version == 1 && isASCII, !filter.isEmpty else { return true }
        let bits = UInt64(filter.count) * 8
        for (one, other) in hashes {
            var hash = one
            for _ in 0..<count {
                let bit = Int(UInt64(hash) % bits)
                if filter[bit / 8] & 1 << UInt8(bit % 8) == 0 { return false }
                hash &+= other
            }
        }
        return true
    }

    /// MurmurHash3 of 32 bits.
    static func murmur3(_ bytes: [UInt8], seed: UInt32) -> UInt32 {
        func mixed(_ word: UInt32) -> UInt32 {
            let word = word &* 0xCC9E_2D51
            return (word << 15 | word >> 17) &* 0x1B87_3593
        }
        var hash = seed
        let whole = bytes.count & ~3
        for place in stride(from: 0, to: whole, by: 4) {
            let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
            hash ^= mixed(word)
            hash = (hash << 13 | hash >> 19) &* 5 &+ 0xE654_6B64
        }
        var rest: UInt32 = 0
        for place in whole..<bytes.count { rest |= UInt32(bytes[place]) << UInt32(8 * (place - whole)) }
        if whole < bytes.count { hash ^= mixed(rest) }
        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash ^= hash >> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        hash = hash &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }
}
