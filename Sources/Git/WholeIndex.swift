import SettingsModel
// Forms of git's index that libgit2 cannot read, as `Documentation/gitformat-index.txt` has them:
//
//     link   a split index: the file lacks what stands in `sharedindex.<id>` beside it. The extension holds that id and two
//            compressed rows of bits, for the shared entries that are gone and for those that the file's first entries
//            take the place of (these have no name).
//     sdir   a sparse index: a folder that is not checked out is one entry, `name/` with the id of its tree.
//
// And where `index.skipHash` is set, zeros stand in place of the hash.

/// An index with every entry in it, each by itself.
struct WholeIndex {
    /// Of an entry's extended flags: its file is not checked out, and its absence means nothing.
    private static let skipped: UInt16 = 0x4000

    private struct Entry {
        /// Times, place, mode, owner, size and id.
        var head: [UInt8]
        var flags: UInt16
        var extended: UInt16
        var name: [UInt8]

        var stage: UInt16 { flags & 0x3000 }
        var isFolder: Bool { head[24...27].elementsEqual([0, 0, 0x40, 0]) }

        static func precedes(_ left: Entry, _ right: Entry) -> Bool {
            left.name == right.name ? left.stage < right.stage : left.name.lexicographicallyPrecedes(right.name)
        }
    }

    /// Every entry's path.
    var names: [[UInt8]] { entries.map(\.name) }

    private struct Link {
        var shared: ObjectID?
        var gone: [Bool] = []
        var replaced: [Bool] = []
    }

    /// The entries of one file.
    private struct Part {
        var entries: [Entry] = []
        var link: Link?
        var isSparse = false
        var resolutions: ArraySlice<UInt8>?
    }

    private var entries: [Entry]
    private let resolutions: ArraySlice<UInt8>?
    private let isAsRead: Bool

    /// `shared` has the file that a split index leans on, `files` what lies in a tree.
    init(
        _ bytes: [UInt8], shared: (ObjectID) throws(GitError) -> [UInt8]?, files: (ObjectID) throws(GitError) -> [TreeFile]
    ) throws {
        let own = try Self.part(of: bytes)
        resolutions = own.resolutions
        entries = own.entries
        if let link = own.link { entries = try Self.joined(own.entries, link, shared) }
        // Only what takes the place of a shared entry has no name.
        guard !entries.contains(where: \.name.isEmpty) else { throw IndexFile.Unknown() }
        isAsRead = own.link == nil && !own.isSparse && bytes.suffix(20).contains { $0 != 0 }
        guard entries.contains(where: \.isFolder) else { return }
        var whole: [Entry] = []
        for entry in entries {
            guard entry.isFolder else {
                whole.append(entry)
                continue
            }
            guard let tree = ObjectID(bytes: entry.head[40..<60]) else { throw IndexFile.Unknown() }
            for file in try files(tree) where file.pathIsValid {
                var inner = Entry(head: [UInt8](repeating: 0, count: 60), flags: 0, extended: Self.skipped, name: entry.name)
                inner.name += Array(file.path.utf8)
                withUnsafeBytes(of: file.mode.rawValue.bigEndian) { inner.head.replaceSubrange(24..<28, with: $0) }
                inner.head.replaceSubrange(40..<60, with: file.id.bytes)
                whole.append(inner)
            }
        }
        entries = whole
    }

    /// The paths of files that are not checked out.
    var skipped: Set<[UInt8]> { Set(entries.filter { $0.extended & Self.skipped != 0 }.map(\.name)) }

    /// A file that libgit2 and `IndexFile` can read; nil where the one that was read is.
    var bytes: [UInt8]? {
        if isAsRead { return nil }
        var out = Array("DIRC".utf8)
        func append(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { out += $0 } }
        append(entries.contains { $0.extended != 0 } ? 3 : 2)
        append(UInt32(entries.count))
        for entry in entries {
            let begin = out.count
            let flags = entry.flags & 0xB000 | UInt16(min(entry.name.count, 0xFFF)) | (entry.extended == 0 ? 0 : 0x4000)
            out += entry.head + [UInt8(flags >> 8), UInt8(flags & 0xFF)]
            if entry.extended != 0 { out += [UInt8(entry.extended >> 8), UInt8(entry.extended & 0xFF)] }
            out += entry.name
            out += repeatElement(0, count: 8 - (out.count - begin) % 8)
        }
        if let resolutions {
            out += Array("REUC".utf8)
            append(UInt32(resolutions.count))
            out += resolutions
        }
        return out + IndexFile.hash(out[...])
    }

    /// The shared entries that stay, those in place of others, and the file's own.
    private static func joined(
        _ own: [Entry], _ link: Link, _ shared: (ObjectID) throws(GitError) -> [UInt8]?
    ) throws -> [Entry] {
        guard let id = link.shared else { return own }
        guard let base = try shared(id), base.suffix(20).elementsEqual(id.bytes) else { throw IndexFile.Unknown() }
        let part = try part(of: base)
        guard part.link == nil else { throw IndexFile.Unknown() }
        var rest = own[...]
        var entries: [Entry] = []
        for (index, entry) in part.entries.enumerated() {
            if index < link.replaced.count, link.replaced[index] {
                guard var other = rest.popFirst() else { throw IndexFile.Unknown() }
                other.name = entry.name
                entries.append(other)
            } else if index >= link.gone.count || !link.gone[index] {
                entries.append(entry)
            }
        }
        return (entries + rest).sorted(by: Entry.precedes)
    }
}

/// Reading.
extension WholeIndex {
    private static func part(of bytes: [UInt8]) throws(IndexFile.Unknown) -> Part {
        guard bytes.count >= 12 + 20, bytes.starts(with: Array("DIRC".utf8)) else { throw IndexFile.Unknown() }
        let version = IndexFile.number(bytes, 4)
        let limit = bytes.count - 20
        let hash = bytes[limit...]
        guard (2...4).contains(version),
            hash.allSatisfy({ $0 == 0 }) || IndexFile.hash(bytes[..<limit]).elementsEqual(hash)
        else { throw IndexFile.Unknown() }
        var part = Part()
        var offset = 12
        for _ in 0..<IndexFile.number(bytes, 8) {
            part.entries.append(try entry(bytes, &offset, limit, version, after: part.entries.last?.name ?? []))
        }
        while offset < limit {
            guard offset + 8 <= limit else { throw IndexFile.Unknown() }
            let content = (offset + 8)..<(offset + 8 + Int(IndexFile.number(bytes, offset + 4)))
            guard content.upperBound <= limit else { throw IndexFile.Unknown() }
            switch String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) {
            case "link": part.link = try link(bytes[content])
            case "sdir": part.isSparse = true
            case "REUC": part.resolutions = bytes[content]
            // What begins with a small letter must be understood.
            case let name where name.utf8.first.map({ $0 > UInt8(ascii: "Z") }) ?? true: throw IndexFile.Unknown()
            default: break
            }
            offset = content.upperBound
        }
        return part
    }

    private static func entry(
        _ bytes: [UInt8], _ offset: inout Int, _ limit: Int, _ version: UInt32, after last: [UInt8]
    ) throws(IndexFile.Unknown) -> Entry {
        guard offset + 62 < limit else { throw IndexFile.Unknown() }
        func short(_ place: Int) -> UInt16 { UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]) }
        var entry = Entry(head: Array(bytes[offset..<(offset + 60)]), flags: short(offset + 60), extended: 0, name: [])
        var place = offset + 62
        if entry.flags & 0x4000 != 0 {
            guard version > 2, place + 2 < limit else { throw IndexFile.Unknown() }
            entry.extended = short(place)
            place += 2
        }
        if version == 4 {
            var byte = bytes[place]
            var dropped = Int(byte & 0x7F)
            place += 1
            while byte & 0x80 != 0 {
                guard place < limit, dropped < 1 << 24 else { throw IndexFile.Unknown() }
                byte = bytes[place]
                dropped = (dropped + 1) << 7 | Int(byte & 0x7F)
                place += 1
            }
            guard dropped <= last.count, place < limit, let end = bytes[place..<limit].firstIndex(of: 0) else {
                throw IndexFile.Unknown()
            }
            entry.name = last.dropLast(dropped) + bytes[place..<end]
            offset = end + 1
            return entry
        }
        guard let end = bytes[place..<limit].firstIndex(of: 0) else { throw IndexFile.Unknown() }
        entry.name = Array(bytes[place..<end])
        offset += (end - offset + 8) & ~7
        guard offset <= limit else { throw IndexFile.Unknown() }
        return entry
    }

    private static func link(_ content: ArraySlice<UInt8>) throws(IndexFile.Unknown) -> Link {
        guard content.count >= 20 else { throw IndexFile.Unknown() }
        var link = Link()
        if content.prefix(20).contains(where: { $0 != 0 }) { link.shared = ObjectID(bytes: content.prefix(20)) }
        var rest = content.dropFirst(20)
        guard !rest.isEmpty else { return link }
        link.gone = try bits(&rest)
        link.replaced = try bits(&rest)
        return link
    }

    /// No index has as many entries; a few bytes can stand for more.
    private static let bitLimit = 1 << 26

    /// A row of bits as EWAH packs it: how many bits, how many words of 64 bits, the words, one number more. A word says
    /// how many words of zeros or ones come (bit 0: which; 32 bits) and how many follow as they are (31 bits).
    private static func bits(_ rest: inout ArraySlice<UInt8>) throws(IndexFile.Unknown) -> [Bool] {
        func number(_ size: Int) throws(IndexFile.Unknown) -> UInt64 {
            guard rest.count >= size else { throw IndexFile.Unknown() }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let count = Int(try number(4))
        var words = Int(try number(4))
        guard count <= bitLimit, words <= rest.count / 8 else { throw IndexFile.Unknown() }
        var bits: [Bool] = []
        while words > 0 {
            let mark = try number(8)
            let (run, literal) = (Int(mark >> 1 & 0xFFFF_FFFF), Int(mark >> 33))
            words -= 1 + literal
            guard words >= 0, bits.count + 64 * (run + literal) <= count + 63 else { throw IndexFile.Unknown() }
            bits += repeatElement(mark & 1 == 1, count: 64 * run)
            for _ in 0..<literal {
                let word = try number(8)
                for bit in 0..<64 { bits.append(word >> UInt64(bit) & 1 == 1) }
            }
        }
        _ = try number(4)
        return bits
    }
}

extension Repository {
    /// The index in a form that libgit2 can read; nil where it is already, or is damaged.
    func whole(_ bytes: [UInt8]) throws(GitError) -> [UInt8]? { try wholeIndex(bytes)?.bytes }

    /// Nil where it is damaged.
    private func wholeIndex(_ bytes: [UInt8]) throws(GitError) -> WholeIndex? {
        do {
            return try WholeIndex(
                bytes,
                shared: { id throws(GitError) in
                    try FileSystem.read("\(gitDirectory)/sharedindex.\(id.hex)", atMost: .max)?.bytes
                },
                files: { tree throws(GitError) in try files(in: tree) })
        } catch let error as GitError {
            throw error
        } catch { return nil }
    }

    /// The paths of files that git was told not to check out (`git sparse-checkout`): that they are missing says nothing.
    package func skippedPaths() throws(GitError) -> Set<String> {
        guard let (bytes, _) = try FileSystem.read(gitDirectory + "/index", atMost: .max), let index = try wholeIndex(bytes)
        else { return [] }
        return Set(index.skipped.compactMap { String(validating: $0, as: UTF8.self) })
    }

    /// The paths in the index of a work tree below a folder, given with a slash at its end or empty; they count from there.
    /// A repository is opened only for forms of the index that need one. Nil where the index can't be read.
    package static func indexedPaths(
        under folder: String, workDirectory: String, gitDirectory: String
    ) -> [String]? {
        let bytes: [UInt8]
        do {
            guard let found = try FileSystem.bytes(of: gitDirectory + "/index", atMost: .max) else { return [] }
            bytes = found
        } catch { return nil }
        var paths: [String] = []
        func take(_ name: ArraySlice<UInt8>) { if let path = String(validating: name, as: UTF8.self) { paths.append(path) } }
        let under = Array(folder.utf8)
        if let index = try? IndexFile(bytes, writtenIn: 0) {
            index.eachPath(under: under, take)
        } else {
            guard let repository = try? open(at: workDirectory), let index = try? repository.wholeIndex(bytes) else { return nil }
            for name in index.names where name.starts(with: under) { take(name.dropFirst(under.count)) }
        }
        return paths
    }
}
