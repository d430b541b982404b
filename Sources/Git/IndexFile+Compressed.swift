// Version 4 of the index: in the place of an entry's path stands how many bytes of the path before it go, as a number of
// seven bits a byte, then what follows them and a zero byte. Entries are not padded.

extension IndexFile {
    /// A file of version 4 with whole paths, as the versions before it have them; its hash is that of the file.
    static func expanded(_ file: [UInt8]) throws(Unknown) -> [UInt8] {
        let limit = file.count - 20
        var out: [UInt8] = []
        out.reserveCapacity(file.count * 2)
        out += file[..<12]
        var path: [UInt8] = []
        var offset = 12
        for _ in 0..<number(file, 8) {
            let entry = try CompressedEntry(file, offset, limit: limit)
            // A few bytes an entry may stand for any number of them.
            guard entry.removed <= path.count, out.count <= 1 << 20 + file.count << 6 else { throw Unknown() }
            path.removeLast(entry.removed)
            path += file[entry.added]
            let length = Int(file[offset + 60] & 0x0F) << 8 | Int(file[offset + 61])
            guard min(path.count, 0xFFF) == length else { throw Unknown() }
            let fixed = start(file, offset)
            out += file[offset..<(offset + fixed)]
            out += path
            out += repeatElement(0, count: 8 - (fixed + path.count) % 8)
            offset = entry.end
        }
        return out + file[offset...]
    }

    /// A header and entries with whole paths, as version 4 has them.
    static func compressed(_ entries: [UInt8], _ count: Int) throws(Unknown) -> [UInt8] {
        // Where entries are looked for, a hash follows.
        let bytes = entries + [UInt8](repeating: 0, count: 20)
        var out: [UInt8] = []
        out.reserveCapacity(entries.count)
        out += bytes[..<12]
        var last: ArraySlice<UInt8> = []
        var offset = 12
        for _ in 0..<count {
            let length = try length(bytes, offset)
            let path = name(bytes, offset, length)
            let shared = zip(last, path).prefix { $0 == $1 }.count
            out += bytes[offset..<(offset + start(bytes, offset))]
            appendNumber(last.count - shared, to: &out)
            out += path.dropFirst(shared)
            out.append(0)
            last = path
            offset += length
        }
        return out
    }

    /// Seven bits a byte, the highest first; each but the last has its eighth bit set and stands for one more than it says.
    private static func appendNumber(_ number: Int, to out: inout [UInt8]) {
        var bytes = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            rest -= 1
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        out += bytes.reversed()
    }
}

/// An entry of version 4 in a file.
struct CompressedEntry {
    /// How many bytes of the path before it go.
    let removed: Int
    /// What follows them, in the file.
    let added: Range<Int>
    /// Where the next one begins.
    var end: Int { added.upperBound + 1 }

    init(_ file: [UInt8], _ offset: Int, limit: Int) throws(IndexFile.Unknown) {
        guard offset + 64 <= limit else { throw IndexFile.Unknown() }
        var place = offset + IndexFile.start(file, offset)
        var removed = 0
        while true {
            guard place < limit, removed < 1 << 24 else { throw IndexFile.Unknown() }
            let byte = file[place]
            place += 1
            removed = removed << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
            removed += 1
        }
        guard place <= limit, let zero = file[place..<limit].firstIndex(of: 0) else { throw IndexFile.Unknown() }
        self.removed = removed
        added = place..<zero
    }
}
