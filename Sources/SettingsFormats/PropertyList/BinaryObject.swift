import SettingsModel

/// An object of a binary property list: its bytes, or what a container refers to by number.
enum BinaryObject: Equatable {
    case leaf([UInt8])
    /// The kind is 0xA for an array, 0xC for a set.
    case array(UInt8, [Int])
    case dictionary([Int], [Int])

    var references: [Int] {
        switch self {
        case .leaf: []
        case .array(_, let elements): elements
        case .dictionary(let keys, let values): keys + values
        }
    }

    var isLeaf: Bool { if case .leaf = self { true } else { false } }

    /// The marker of a leaf and what follows it.
    var bytes: [UInt8] { if case .leaf(let bytes) = self { bytes } else { [] } }

    func encoded(referenceSize: Int) -> [UInt8] {
        let (kind, count): (UInt8, Int)
        switch self {
        case .leaf(let bytes): return bytes
        case .array(let own, let elements): (kind, count) = (own, elements.count)
        case .dictionary(let keys, _): (kind, count) = (0xD, keys.count)
        }
        return BinaryObject.marker(kind, count)
            + references.flatMap { BinaryPropertyList.bigEndian(UInt64($0), referenceSize) }
    }

    /// A marker with a length, which an integer follows if it is 15 or more.
    static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        if count < 15 { return [kind << 4 | UInt8(count)] }
        return [kind << 4 | 0xF] + integer(UInt64(count), atLeast: 0)
    }

    /// An unsigned integer of at least 2^`exponent` bytes; those of 8 bytes are signed.
    static func integer(_ value: UInt64, atLeast exponent: UInt8) -> [UInt8] {
        var exponent = exponent
        while exponent < 3, value >> (8 << UInt64(exponent)) != 0 { exponent += 1 }
        if exponent == 3, value > UInt64(Int64.max) { exponent = 4 }
        let digits = BinaryPropertyList.bigEndian(value, min(1 << Int(exponent), 8))
        return [0x10 | exponent] + (exponent == 4 ? Array(repeating: 0, count: 8) : []) + digits
    }
}

extension BinaryPropertyList {
    static func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
    }

    /// How many bytes a number takes: 1, 2, 4 or 8.
    static func width(of value: Int) -> Int { value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1 << 32 ? 4 : 8 }

    /// The end of an object and its content; nil if it is damaged.
    private func extent(at index: Int) -> (range: Range<Int>, object: BinaryObject)? {
        let offset = offsets[index]
        var start = offset + 1
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0xF))
        let size: Int
        do throws(Refusal) {
            switch kind {
            case 0x1, 0x2, 0x3: size = 1 << min(low, 4)
            case 0x4, 0x5, 0x7: size = try length(&start, low)
            case 0x6: size = try length(&start, low) * 2
            case 0x8: size = low + 1
            case 0xA, 0xC:
                let count = try length(&start, low)
                let elements = try references(start, count)
                return (offset..<start + count * referenceSize, .array(kind, elements))
            case 0xD:
                let count = try length(&start, low)
                let all = try references(start, count * 2)
                return (offset..<start + count * 2 * referenceSize, .dictionary(Array(all[..<count]), Array(all[count...])))
            default: size = 0
            }
            let end = try checked(start, size).upperBound
            return (offset..<end, .leaf(Array(bytes[offset..<end])))
        } catch { return nil }
    }

    func object(at index: Int) -> BinaryObject? { extent(at: index)?.object }

    /// The text of a string object.
    func text(at index: Int) -> ExactText? {
        guard offsets.indices.contains(index), case .leaf(let object)? = object(at: index),
            let kind = object.first.map({ $0 >> 4 })
        else {
            return nil
        }
        var start = offsets[index] + 1
        guard (try? length(&start, Int(object[0] & 0xF))) != nil else { return nil }
        let body = object[(start - offsets[index])...]
        if kind != 0x6 { return kind == 0x5 || kind == 0x7 ? ExactText(String(decoding: body, as: UTF8.self)) : nil }
        let units = stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map {
            UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
        }
        return ExactText(String(decoding: units, as: UTF16.self))
    }

    /// The file with other content for some of its objects, and with those beyond its own at the end.
    func replacing(
        _ objects: [Int: BinaryObject], count: Int, top: Int, referenceSize: Int
    ) throws(Refusal) -> [UInt8] {
        let trailer = bytes.count - 32
        let table = Int(integer(trailer + 24, 8))
        let extents = offsets.indices.compactMap { index in extent(at: index).map { (index: index, range: $0.range) } }
            .sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        var out: [UInt8] = []
        var places = Array(repeating: 0, count: max(count, offsets.count))
        var appended: [Int] = []
        var cursor = 0
        for (position, extent) in extents.enumerated() {
            let overlaps =
                extent.range.lowerBound < cursor
                || position + 1 < extents.count && extents[position + 1].range.lowerBound < extent.range.upperBound
            if extent.range.lowerBound >= cursor {
                out += bytes[cursor..<extent.range.lowerBound]
                cursor = extent.range.lowerBound
            }
            places[extent.index] = out.count - (cursor - extent.range.lowerBound)
            guard let object = objects[extent.index] else { continue }
            if overlaps {
                appended.append(extent.index)
            } else {
                out += object.encoded(referenceSize: referenceSize)
                cursor = extent.range.upperBound
            }
        }
        out += bytes[cursor..<max(cursor, table)]
        for index in appended + Array(min(offsets.count, count)..<count) {
            places[index] = out.count
            out += objects[index]?.encoded(referenceSize: referenceSize) ?? [0]
        }
        let offsetSize = max(Int(bytes[trailer + 6]), BinaryPropertyList.width(of: out.count))
        let start = out.count
        for place in places.prefix(count) { out += BinaryPropertyList.bigEndian(UInt64(place), offsetSize) }
        out += bytes[table + offsets.count * Int(bytes[trailer + 6])..<trailer]
        out += bytes[trailer..<trailer + 6] + [UInt8(offsetSize), UInt8(referenceSize)]
        for number in [count, top, start] { out += BinaryPropertyList.bigEndian(UInt64(number), 8) }
        return out
    }
}

extension PropertyList {
    /// The object of a value that is no container, in the width and the encoding of `old` where it fits.
    func binaryLeaf(like old: [UInt8]?) -> [UInt8] {
        let (kind, low) = (old?.first.map { $0 >> 4 }, (old?.first ?? 0) & 0xF)
        switch self {
        case .boolean(let isTrue): return [isTrue ? 0x09 : 0x08]
        case .integer(let number):
            let width = kind == 0x1 ? low : 0
            if let value = UInt64(number.text) { return BinaryObject.integer(value, atLeast: width) }
            return [0x13] + BinaryPropertyList.bigEndian(UInt64(bitPattern: Int64(number.text) ?? 0), 8)
        case .real(let word):
            let value = word == "nan" ? Double.nan : Double(word) ?? 0
            if kind == 0x2, low == 2, value.isNaN || Double(Float(value)) == value {
                return [0x22] + BinaryPropertyList.bigEndian(UInt64(Float(value).bitPattern), 4)
            }
            return [0x23] + BinaryPropertyList.bigEndian(value.bitPattern, 8)
        case .date(let word):
            return [0x33] + BinaryPropertyList.bigEndian(Double(PropertyList.secondsSince2001(word)).bitPattern, 8)
        case .data(let bytes): return BinaryObject.marker(0x4, bytes.count) + bytes
        case .uid(let number):
            let size = max(kind == 0x8 ? Int(low) + 1 : 1, BinaryPropertyList.width(of: Int(clamping: number)))
            return [0x80 | UInt8(size - 1)] + BinaryPropertyList.bigEndian(number, size)
        case .string(let text):
            let utf8 = Array(text.string.utf8)
            if kind != 0x6, utf8.allSatisfy({ $0 < 0x80 }) { return BinaryObject.marker(0x5, utf8.count) + utf8 }
            if kind == 0x7 { return BinaryObject.marker(0x7, utf8.count) + utf8 }
            let units = Array(text.string.utf16)
            return BinaryObject.marker(0x6, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case .null, .array, .set, .dictionary: return [0]
        }
    }

    /// The seconds from the start of 2001 to a date, UTC.
    static func secondsSince2001(_ date: String) -> Int {
        let parts = date.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map {
            Int(String(Substring($0))) ?? 0
        }
        guard parts.count == 6 else { return 0 }
        // With years that begin in March, the leap day comes last; see `moment(since2001:)`.
        let year = parts[1] <= 2 ? parts[0] - 1 : parts[0]
        let month = parts[1] <= 2 ? parts[1] + 9 : parts[1] - 3
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + parts[2] - 1 - 730_791
        return days * 86_400 + parts[3] * 3600 + parts[4] * 60 + parts[5]
    }
}
