import Files
import Base
internal import CGitObjects

// git's index, as `Documentation/gitformat-index.txt` has it: a header, entries sorted by path and stage, extensions, the
// SHA-1 of it all. An entry is 62 bytes (times, place, mode, owner, size, id, flags), two more where its flags say so, the
// path, and zero bytes up to a multiple of eight. Version 4, which has its paths shortened, is left to libgit2.

/// An index in memory, patched without being taken apart: libgit2 reads, sorts and writes every entry, which costs more
/// than a version does.
struct IndexFile {
    /// What this code leaves to libgit2.
    struct Unknown: Error {}

    private let bytes: [UInt8]
    let count: Int
    /// Behind the last entry.
    private let end: Int
    /// The contents of the extensions that are kept: the cache of trees, and how conflicts were resolved.
    private var trees: Range<Int>?
    private var resolutions: Range<Int>?

    /// The entries whose files may have been touched in the second that the index was written in: git takes a file for
    /// unchanged whose times are older than the index. `second` is when it was written.
    private(set) var racy: [Range<Int>] = []

    init(_ file: [UInt8], writtenIn second: Int64) throws(Unknown) {
        guard file.count >= 12 + 20, file.starts(with: Array("DIRC".utf8)) else { throw Unknown() }
        guard (2...3).contains(Self.number(file, 4)), Self.isHashed(file) else { throw Unknown() }
        bytes = file
        count = Int(Self.number(bytes, 8))
        var offset = 12
        for _ in 0..<count {
            let length = try Self.length(bytes, offset)
            if Int64(Self.number(bytes, offset + 8)) >= second { racy.append(offset..<(offset + length)) }
            offset += length
        }
        end = offset
        while offset < bytes.count - 20 {
            guard offset + 8 <= bytes.count - 20 else { throw Unknown() }
            let content = (offset + 8)..<(offset + 8 + Int(Self.number(bytes, offset + 4)))
            guard content.upperBound <= bytes.count - 20 else { throw Unknown() }
            switch String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) {
            case "TREE": trees = content
            case "REUC": resolutions = content
            // Where things are in the file, for threads; what git makes anew: anything that need not be understood.
            default: if Self.mustBeUnderstood(bytes[offset]) { throw Unknown() }
            }
            offset = content.upperBound
        }
    }

    /// An entry to put in place of all there is for its path, or none.
    struct Patch {
        var path: [UInt8]
        var content: Content?
        var status: FileStatus?
    }

    /// The whole file with these patches, which are sorted by path, one for each. `smudged` are entries of `racy` whose
    /// files differ from what they say: they get the size 0, by which git knows. Throws `GitError` `.conflict` where a path
    /// has other stages and those are not to be cleared.
    func patched(_ patches: [Patch], smudging smudged: Set<Int>, clearing: Bool) throws -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + patches.reduce(0) { $0 + ($1.content == nil ? 0 : $1.path.count + 72) })
        out += bytes[..<12]
        var entries = count
        var isVersion3 = false
        var next = 0
        var added: [Int] = []
        var offset = 12
        var kept = 12
        func flush() { out += bytes[kept..<offset] }
        func put(_ patch: Patch) {
            guard let content = patch.content else { return }
            Self.append(patch, content, to: &out)
            entries += 1
        }
        while offset < end {
            let length = try Self.length(bytes, offset)
            let name = Self.name(bytes, offset, length)
            isVersion3 = isVersion3 || bytes[offset + 60] & 0x40 != 0
            while next < patches.count, Self.precedes(patches[next].path[...], name) {
                flush()
                kept = offset
                if patches[next].content != nil { added.append(next) }
                put(patches[next])
                next += 1
            }
            if next < patches.count, patches[next].path.count == name.count, patches[next].path.elementsEqual(name) {
                if bytes[offset + 60] & 0x30 != 0 {
                    guard clearing else {
                        let path = String(decoding: name, as: UTF8.self)
                        throw GitError(.conflict, "\(path) is in conflict", operation: "write the index")
                    }
                }
                flush()
                entries -= 1
                offset += length
                kept = offset
                // Of several stages the last one gives place.
                let after = offset < end ? Self.name(bytes, offset, try Self.length(bytes, offset)) : []
                let isLast = !after.elementsEqual(name)
                if isLast {
                    put(patches[next])
                    next += 1
                }
                continue
            }
            if smudged.contains(offset) {
                flush()
                out += bytes[offset..<(offset + 36)] + [0, 0, 0, 0] + bytes[(offset + 40)..<(offset + length)]
                offset += length
                kept = offset
                continue
            }
            offset += length
        }
        flush()
        while next < patches.count {
            if patches[next].content != nil { added.append(next) }
            put(patches[next])
            next += 1
        }
        try checkNoFolder(at: added.map { patches[$0].path })
        Self.setNumber(UInt32(isVersion3 ? 3 : 2), in: &out, at: 4)
        Self.setNumber(UInt32(entries), in: &out, at: 8)
        if let trees { Self.append("TREE", try IndexTrees(bytes[trees]).invalidated(patches.map(\.path)), to: &out) }
        if let resolutions { Self.append("REUC", Array(bytes[resolutions]), to: &out) }
        out += Self.hash(out[...])
        return out
    }

    /// A folder where a file is wanted, or the reverse, is for libgit2 to clear away.
    private func checkNoFolder(at paths: [[UInt8]]) throws {
        guard !paths.isEmpty else { return }
        var parents: Set<[UInt8]> = []
        for path in paths { Self.insertParents(of: path, into: &parents) }
        var next = 0
        var offset = 12
        let folders = paths.map { $0 + [UInt8(ascii: "/")] }.sorted { $0.lexicographicallyPrecedes($1) }
        while offset < end {
            let length = try Self.length(bytes, offset)
            let name = Self.name(bytes, offset, length)
            while next < folders.count, Self.precedes(folders[next][...], name), !name.starts(with: folders[next]) { next += 1 }
            if parents.contains(Array(name)) || next < folders.count && name.starts(with: folders[next]) { throw Unknown() }
            offset += length
        }
    }

    /// The folders that a path lies in.
    static func insertParents(of path: [UInt8], into parents: inout Set<[UInt8]>) {
        var path = path[...]
        while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
            path = path[..<slash]
            if !parents.insert(Array(path)).inserted { return }
        }
    }

    /// Goes through the paths below a folder, given with a slash at its end; names count from there. One in conflict comes
    /// several times.
    func eachPath(under folder: [UInt8], _ take: (ArraySlice<UInt8>) -> Void) {
        eachEntry(under: folder) { name, _ in take(name) }
    }

    /// Goes through the files below a folder, given with a slash at its end; names count from there. Conflicts are left out.
    func eachFile(under folder: [UInt8], _ take: (ArraySlice<UInt8>, Content, FileStatus) -> Void) {
        eachEntry(under: folder) { name, offset in
            guard bytes[offset + 60] & 0x30 == 0, let id = ObjectID(bytes: bytes[(offset + 40)..<(offset + 60)]) else { return }
            let content = Content(id: id, mode: FileMode(bits: Self.number(bytes, offset + 24)))
            take(name, content, FileStatus(entry: bytes, at: offset))
        }
    }

    /// Goes through the paths below a folder, given with a slash at its end; names count from there. Nil for a path in conflict,
    /// which comes several times, and for one that is only meant to be added (`git add -N`).
    func eachContent(under folder: [UInt8], _ take: (ArraySlice<UInt8>, Content?) -> Void) {
        eachEntry(under: folder) { name, offset in
            let isOnlyMeant = bytes[offset + 60] & 0x40 != 0 && bytes[offset + 62] & 0x20 != 0
            guard bytes[offset + 60] & 0x30 == 0, !isOnlyMeant, let id = ObjectID(bytes: bytes[(offset + 40)..<(offset + 60)])
            else { return take(name, nil) }
            take(name, Content(id: id, mode: FileMode(bits: Self.number(bytes, offset + 24))))
        }
    }

    private func eachEntry(under folder: [UInt8], _ take: (ArraySlice<UInt8>, Int) -> Void) {
        var offset = 12
        while offset < end, let length = try? Self.length(bytes, offset) {
            defer { offset += length }
            let name = Self.name(bytes, offset, length)
            guard name.starts(with: folder) else {
                if Self.precedes(folder[...], name) { return }
                continue
            }
            take(name.dropFirst(folder.count), offset)
        }
    }

    /// Goes through the entries of paths in conflict, by path and stage: 1 is the base, 2 ours, 3 theirs.
    func eachStage(_ take: (ArraySlice<UInt8>, Int, Content) -> Void) {
        eachEntry(under: []) { name, offset in
            let stage = Int(bytes[offset + 60] >> 4 & 3)
            guard stage > 0, let id = ObjectID(bytes: bytes[(offset + 40)..<(offset + 60)]) else { return }
            take(name, stage, Content(id: id, mode: FileMode(bits: Self.number(bytes, offset + 24))))
        }
    }

    /// Goes through the paths of files that git was told not to check out.
    func eachSkipped(_ take: (ArraySlice<UInt8>) -> Void) {
        eachEntry(under: []) { name, offset in
            // Of the extended flags.
            if bytes[offset + 60] & 0x40 != 0, bytes[offset + 62] & 0x40 != 0 { take(name) }
        }
    }

    /// The extension that keeps libgit2 from reading an index that is whole; nil where none does, or the index is damaged.
    /// libgit2 understands none of those that must be (issues 6132 and 7260, open).
    static func unknownExtension(in bytes: [UInt8]) -> String? {
        let limit = bytes.count - 20
        guard limit >= 12, bytes.starts(with: Array("DIRC".utf8)) else { return nil }
        var offset = 12
        for _ in 0..<number(bytes, 8) {
            guard
                let end = try? number(bytes, 4) == 4 ? endOfShortened(bytes, offset) : offset + length(bytes, offset)
            else { return nil }
            offset = end
        }
        while offset + 8 <= limit {
            let name = bytes[offset..<(offset + 4)]
            if mustBeUnderstood(bytes[offset]) {
                return isHashed(bytes) ? String(decoding: name, as: UTF8.self) : nil
            }
            offset += 8 + Int(number(bytes, offset + 4))
        }
        return nil
    }

    /// Of an extension whose name begins so: all but those with a capital letter.
    static func mustBeUnderstood(_ first: UInt8) -> Bool { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) }

    /// Whether no path can end in `name`; said without looking at each entry.
    static func surelyLacks(_ name: String, in bytes: [UInt8]) -> Bool {
        // Version 4 leaves out how a path begins, and a split index has most of its paths elsewhere.
        guard bytes.count >= 12 + 20, number(bytes, 4) < 4 else { return false }
        return !contains(Array(name.utf8), bytes) && !contains(Array("link".utf8), bytes)
    }

    private static func contains(_ word: [UInt8], _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = UnsafeRawBufferPointer(rebasing: bytes.dropLast(word.count - 1))
            while let base = rest.baseAddress, let found = memchr(base, Int32(word[0]), rest.count) {
                if memcmp(found, word, word.count) == 0 { return true }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(UnsafeRawPointer(found) - base + 1))
            }
            return false
        }
    }

    /// What a racy entry says of its file.
    func entry(_ range: Range<Int>) -> (path: String, id: ObjectID, status: FileStatus)? {
        let name = Self.name(bytes, range.lowerBound, range.count)
        guard let path = String(validating: name, as: UTF8.self) else { return nil }
        let offset = range.lowerBound
        guard let id = ObjectID(bytes: bytes[(offset + 40)..<(offset + 60)]) else { return nil }
        return (path, id, FileStatus(entry: bytes, at: offset))
    }
}

// MARK: - Bytes

extension IndexFile {
    static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    private static func setNumber(_ number: UInt32, in bytes: inout [UInt8], at offset: Int) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt32.self) }
    }

    private static func append(_ number: UInt32, to out: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { out += $0 }
    }

    private static func append(_ name: String, _ content: [UInt8], to out: inout [UInt8]) {
        out += Array(name.utf8)
        append(UInt32(content.count), to: &out)
        out += content
    }

    static func start(_ bytes: [UInt8], _ offset: Int) -> Int { bytes[offset + 60] & 0x40 == 0 ? 62 : 64 }

    /// How long the entry is that begins here.
    static func length(_ bytes: [UInt8], _ offset: Int) throws(Unknown) -> Int {
        let limit = bytes.count - 20
        guard offset + 64 <= limit else { throw Unknown() }
        let start = start(bytes, offset)
        var name = Int(bytes[offset + 60] & 0x0F) << 8 | Int(bytes[offset + 61])
        if name == 0xFFF {
            while offset + start + name < limit, bytes[offset + start + name] != 0 { name += 1 }
        }
        let length = (start + name + 8) & ~7
        guard offset + length <= limit, bytes[offset + start + name] == 0 else { throw Unknown() }
        return length
    }

    /// Where an entry of version 4 ends: a number says how much of the path before it goes, in bytes of which each but the last
    /// has its highest bit set; the rest of the path and a zero byte follow.
    private static func endOfShortened(_ bytes: [UInt8], _ offset: Int) throws(Unknown) -> Int {
        let limit = bytes.count - 20
        guard offset + 64 <= limit else { throw Unknown() }
        let path = bytes[(offset + start(bytes, offset))..<limit].drop { $0 & 0x80 != 0 }.dropFirst()
        guard let zero = path.firstIndex(of: 0) else { throw Unknown() }
        return zero + 1
    }

    static func name(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> ArraySlice<UInt8> {
        let first = offset + start(bytes, offset)
        var last = offset + length
        while last > first, bytes[last - 1] == 0 { last -= 1 }
        return bytes[first..<last]
    }

    private static func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let shared = min(left.count, right.count)
                let order = shared == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, shared)
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }

    private static func append(_ patch: Patch, _ content: Content, to out: inout [UInt8]) {
        let begin = out.count
        let status = patch.status ?? .unknown
        for number in [
            UInt32(truncatingIfNeeded: status.changed.seconds), status.changed.nanoseconds,
            UInt32(truncatingIfNeeded: status.modified.seconds), status.modified.nanoseconds,
            status.device, status.inode, content.mode.rawValue, status.user, status.group, status.size,
        ] { append(number, to: &out) }
        out += content.id.bytes
        let length = min(patch.path.count, 0xFFF)
        out += [UInt8(length >> 8), UInt8(length & 0xFF)]
        out += patch.path
        out += repeatElement(0, count: 8 - (out.count - begin) % 8)
    }

    /// Whether the hash at its end is right. Where `index.skipHash` is set there are zeros in its place.
    static func isHashed(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(20).allSatisfy { $0 == 0 } || hash(bytes[..<(bytes.count - 20)]).elementsEqual(bytes.suffix(20))
    }

    /// The file with its hash where `index.skipHash` left it out, which libgit2 takes for damage.
    static func hashed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.suffix(20).allSatisfy({ $0 == 0 }) else { return bytes }
        return bytes.dropLast(20) + hash(bytes.dropLast(20))
    }

    static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sha = settings_sha1()
        settings_sha1_begin(&sha)
        bytes.withUnsafeBytes { settings_sha1_add(&sha, $0.baseAddress, $0.count) }
        return [UInt8](unsafeUninitializedCapacity: 20) { buffer, count in
            settings_sha1_end(&sha, buffer.baseAddress)
            count = 20
        }
    }
}
