import Files
internal import CGitObjects

/// Looks at indexes before libgit2 maps and follows them: damage that it takes for sound, and then reads far beyond the end of a
/// file (1.5; not reported). All other damage it sees itself.
///
/// - It counts the bytes of all entries in 32 bits, so that a number that is too large by 2³⁰ fits.
/// - It reads an object's header wherever an offset leads, also behind the end of the pack.
///
/// Formats: `Documentation/gitformat-pack.txt`, `gitformat-commit-graph.txt`.
struct PackIndexes {
    private let folder: String

    /// Throws `.damagedIndex`. `objects`: a folder of objects. Those that it borrows from are looked at as well, as deep as
    /// libgit2 goes.
    static func check(in objects: String, depth: Int = 0) throws(GitError) {
        let indexes = PackIndexes(folder: objects + "/pack")
        for (name, _) in (try? FileSystem.entries(of: indexes.folder)) ?? [] {
            if name.hasSuffix(".idx") { try indexes.checkIndex(name) }
            if name == "multi-pack-index" { try indexes.checkIndexOfSeveral(name) }
        }
        let graph = objects + "/info/commit-graph"
        try reading(graph) { bytes throws(GitError) in
            let chunks = Chunks(bytes, table: 8)
            for size in [20, 36] { try fits(chunks.count * size, bytes, graph) }
        }
        guard depth < 5, let file = try? FileSystem.bytes(of: objects + "/info/alternates", atMost: 1 << 20) else { return }
        for line in file.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let other = String(decoding: line, as: UTF8.self)
            try check(in: other.hasPrefix("/") ? other : "\(objects)/\(other)", depth: depth + 1)
        }
    }

    /// A pack's index in its first or second version: how many ids begin with each byte or a lower one, then the entries.
    private func checkIndex(_ name: String) throws(GitError) {
        let path = "\(folder)/\(name)"
        try Self.reading(path) { bytes throws(GitError) in
            let isSecond = bytes.starts(with: [0xFF, 0x74, 0x4F, 0x63])
            let start = (isSecond ? 8 : 0) + Self.fanOut
            guard let count = bytes.number(at: start - 4), let base = bytes.baseAddress else { return }
            let size = start + count * (isSecond ? 28 : 24) + 40
            try Self.fits(size, bytes, path)
            guard size <= bytes.count, let end = end(of: name) else { return }
            let first = base + start + (isSecond ? count * 24 : 0)
            let far = first + count * 4
            let table = settings_offsets(
                offsets: first, count: count, stride: isSecond ? 4 : 24, packs: nil, far: isSecond ? far : nil,
                far_count: isSecond ? (bytes.count - (far - base)) / 8 : 0)
            try Self.check(table, [end], path)
        }
    }

    private func checkIndexOfSeveral(_ name: String) throws(GitError) {
        let path = "\(folder)/\(name)"
        try Self.reading(path) { bytes throws(GitError) in
            let chunks = Chunks(bytes, table: 12)
            for size in [20, 8] { try Self.fits(chunks.count * size, bytes, path) }
            guard let base = bytes.baseAddress, let entries = chunks.place("OOFF"), let names = chunks.place("PNAM"),
                entries + chunks.count * 8 <= bytes.count
            else { return }
            // A pack that isn't there has no end, and is never opened.
            let packs = bytes[names...].split(separator: 0, maxSplits: bytes.number(at: 8) ?? 0, omittingEmptySubsequences: false)
            let ends = packs.dropLast().map { end(of: String(decoding: $0, as: UTF8.self)) ?? .max }
            let far = chunks.place("LOFF")
            let table = settings_offsets(
                offsets: base + entries + 4, count: chunks.count, stride: 8, packs: base + entries, far: far.map { base + $0 },
                far_count: far.map { (bytes.count - $0) / 8 } ?? 0)
            try Self.check(table, ends, path)
        }
    }

    /// Where the hash at the end of an index's pack begins; nil where there is no pack.
    private func end(of index: String) -> UInt64? {
        let size = (try? FileSystem.attributes(of: "\(folder)/\(index.dropLast(4)).pack", following: true))??.size
        return size.map { UInt64(max(0, $0 - 20)) }
    }

    private static func check(_ table: settings_offsets, _ ends: [UInt64], _ path: String) throws(GitError) {
        var table = table
        let object = settings_offset_beyond(&table, ends, ends.count)
        if object >= 0 { throw damaged(path, "an object that it lists is behind the end of its pack") }
    }

    private static func fits(_ needed: Int, _ bytes: UnsafeRawBufferPointer, _ path: String) throws(GitError) {
        guard needed > UInt32.max, needed > bytes.count else { return }
        throw damaged(path, "its entries would take \(needed) bytes, but it has \(bytes.count)")
    }

    private static func damaged(_ path: String, _ reason: String) -> GitError {
        GitError(.damagedIndex(path: path), reason, operation: "read \(path)")
    }

    /// What can't be mapped can't be by libgit2 either.
    private static func reading(
        _ path: String, _ body: (UnsafeRawBufferPointer) throws(GitError) -> Void
    ) throws(GitError) {
        guard let memory = FileSystem.mapped(path, sizes: 1..<Int.max, following: true) else { return }
        defer { FileSystem.unmap(memory) }
        try body(UnsafeRawBufferPointer(memory))
    }

    fileprivate static let fanOut = 256 * 4
}

/// A file of chunks, which a table names. Whether they lie within the file libgit2 looks itself.
private struct Chunks {
    private let bytes: UnsafeRawBufferPointer
    private let table: Int
    /// How many objects it says it lists.
    private(set) var count = 0

    init(_ bytes: UnsafeRawBufferPointer, table: Int) {
        self.bytes = bytes
        self.table = table
        count = place("OIDF").flatMap { bytes.number(at: $0 + PackIndexes.fanOut - 4) } ?? 0
    }

    /// Where the last chunk of a name begins, which is the one that libgit2 takes.
    func place(_ name: String) -> Int? {
        // The seventh byte is how many there are.
        let number = bytes.count > 6 ? Int(bytes[6]) : 0
        for row in (0..<number).reversed() where bytes.dropFirst(table + row * 12).starts(with: name.utf8) {
            guard bytes.number(at: table + row * 12 + 4) == 0, let place = bytes.number(at: table + row * 12 + 8),
                place < bytes.count
            else { return nil }
            return place
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    /// The four bytes there, the highest first.
    fileprivate func number(at place: Int) -> Int? {
        guard place + 4 <= count else { return nil }
        return self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
