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

    /// Throws `.damagedIndex` for damage that libgit2 sees itself, but without a word: it passes over the pack then, as if its
    /// objects were missing. For where one is. `objects` is as for `check`.
    static func checkWhole(in objects: String) throws(GitError) {
        let indexes = PackIndexes(folder: objects + "/pack")
        for (name, _) in (try? FileSystem.entries(of: indexes.folder)) ?? [] {
            if name.hasSuffix(".idx") { try indexes.checkWhole(name) }
            if name == "multi-pack-index" { try indexes.checkPacksOfSeveral(name) }
        }
    }

    /// As `checkWhole(in:)`, of one pack and its index.
    static func checkWhole(pack: String) throws(GitError) {
        try PackIndexes(folder: FileSystem.folder(of: pack)).checkWhole(FileSystem.name(of: pack).dropLast(5) + ".idx")
    }

    /// The multi-pack-index beside a pack, if it lists it.
    static func indexOfSeveral(naming pack: String) -> String? {
        let path = FileSystem.folder(of: pack) + "/multi-pack-index"
        guard let memory = FileSystem.mapped(path, sizes: 1..<Int.max, following: true) else { return nil }
        defer { FileSystem.unmap(memory) }
        let bytes = UnsafeRawBufferPointer(memory)
        let name = FileSystem.name(of: pack).dropLast(5) + ".idx"
        guard let names = Chunks(bytes, table: 12).place("PNAM") else { return nil }
        return bytes[names...].split(separator: 0).contains { $0.elementsEqual(name.utf8) } ? path : nil
    }

    private func checkWhole(_ name: String) throws(GitError) {
        let path = "\(folder)/\(name)"
        try Self.refuseEmpty(path)
        var found: (objects: Int, hash: [UInt8])?
        try Self.reading(path) { bytes throws(GitError) in
            let isSecond = bytes.starts(with: [0xFF, 0x74, 0x4F, 0x63])
            let start = isSecond ? 8 : 0
            guard bytes.count >= start + Self.fanOut + 40 else { throw Self.damaged(path, "it has only \(bytes.count) bytes") }
            if isSecond, bytes.number(at: 4) != 2 { throw Self.damaged(path, "it is of an unknown version") }
            let counts = (0..<256).map { bytes.number(at: start + $0 * 4) ?? 0 }
            guard zip(counts, counts.dropFirst()).allSatisfy({ $0 <= $1 }) else {
                throw Self.damaged(path, "the numbers of objects at its beginning do not ascend")
            }
            let objects = counts[255]
            let least = start + Self.fanOut + objects * (isSecond ? 28 : 24) + 40
            guard bytes.count >= least, isSecond ? bytes.count <= least + objects * 8 : bytes.count == least else {
                throw Self.damaged(path, "it has \(bytes.count) bytes, but its \(objects) objects take \(least)")
            }
            found = (objects, bytes[(bytes.count - 40)..<(bytes.count - 20)].map { $0 })
        }
        guard let (objects, hash) = found else { return }
        let pack = "\(folder)/\(name.dropLast(4)).pack"
        try Self.refuseEmpty(pack)
        try Self.reading(pack) { bytes throws(GitError) in
            guard bytes.starts(with: "PACK".utf8), let version = bytes.number(at: 4), (2...3).contains(version),
                bytes.number(at: 8) == objects
            else { throw Self.damaged(pack, "it does not begin as a pack of \(objects) objects") }
            guard bytes.suffix(20).elementsEqual(hash) else {
                throw Self.damaged(pack, "the hash at its end is not the one that its index lists")
            }
        }
    }

    private func checkPacksOfSeveral(_ name: String) throws(GitError) {
        let path = "\(folder)/\(name)"
        try Self.refuseEmpty(path)
        try Self.reading(path) { bytes throws(GitError) in
            let chunks = Chunks(bytes, table: 12)
            guard let entries = chunks.place("OOFF"), let packs = bytes.number(at: 8),
                entries + chunks.count * 8 <= bytes.count
            else { throw Self.damaged(path, "its table of contents is not valid") }
            for object in 0..<chunks.count where (bytes.number(at: entries + object * 8) ?? 0) >= packs {
                throw Self.damaged(path, "an object that it lists is in none of its \(packs) packs")
            }
        }
    }

    private static func refuseEmpty(_ path: String) throws(GitError) {
        guard let found = (try? FileSystem.attributes(of: path, following: true)).flatMap({ $0 }), found.size == 0 else { return }
        throw damaged(path, "it is empty")
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
