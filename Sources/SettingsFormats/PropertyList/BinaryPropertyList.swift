import SettingsModel

/// Reads the binary form of property lists (`bplist00`, described in Apple's CFBinaryPList.c).
///
/// Foundation isn't used: it loses the order of members, and if arrays share elements, its work doubles with each level:
/// a file of 170 bytes with 22 levels takes it 21 s. Here the total is counted, and limited.
struct BinaryPropertyList {
    let bytes: [UInt8]
    private let file: String
    private(set) var offsets: [Int] = []
    private(set) var referenceSize = 1
    /// Strings and data that were already read.
    private var read: [Int: PropertyList] = [:]
    private var count = 0
    private var size = 0
    private var repairs: [Repair] = []

    /// The maximum number of values in a file, and of bytes in them.
    static let countLimit = 500_000
    static let sizeLimit = 64 << 20

    static func read(_ bytes: [UInt8], in file: String, _ repairs: inout [Repair]) throws(Refusal) -> PropertyList {
        var reader = BinaryPropertyList(bytes, file)
        let top = try reader.readTrailer()
        let value = try reader.object(top, depth: 0)
        repairs += reader.repairs
        return value
    }

    /// The table of objects, and the number of the top one.
    static func opened(_ bytes: [UInt8], in file: String) throws(Refusal) -> (BinaryPropertyList, top: Int) {
        var reader = BinaryPropertyList(bytes, file)
        let top = try reader.readTrailer()
        return (reader, top)
    }

    private init(_ bytes: [UInt8], _ file: String) {
        self.bytes = bytes
        self.file = file
    }

    func damaged(_ what: String) -> Refusal {
        Refusal("is a damaged binary property list: \(what)", in: file)
    }

    /// The last 32 bytes are the trailer. Returns the index of the top object.
    private mutating func readTrailer() throws(Refusal) -> Int {
        guard bytes.starts(with: "bplist0".utf8), bytes.count >= 8 + 32 else { throw damaged("it is truncated") }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw damaged("its trailer is wrong") }
        let (objects, top) = (integer(trailer + 8, 8), integer(trailer + 16, 8))
        let table = integer(trailer + 24, 8)
        guard let objects = Int(exactly: objects), let top = Int(exactly: top), let table = Int(exactly: table), objects > 0,
            top < objects, table >= 8, table <= trailer, objects <= (trailer - table) / offsetSize
        else { throw damaged("its trailer is wrong") }
        offsets.reserveCapacity(objects)
        for index in 0..<objects {
            guard let offset = Int(exactly: integer(table + index * offsetSize, offsetSize)), (8..<table).contains(offset) else {
                throw damaged("an object is outside the file")
            }
            offsets.append(offset)
        }
        return top
    }

    /// A big-endian integer; the range must be within the bytes.
    func integer(_ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<(start + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    func checked(_ start: Int, _ count: Int) throws(Refusal) -> Range<Int> {
        guard count >= 0, count <= bytes.count - 32 - start else { throw damaged("an object extends beyond its end") }
        return start..<(start + count)
    }

    private mutating func object(_ index: Int, depth: Int) throws(Refusal) -> PropertyList {
        guard offsets.indices.contains(index) else { throw damaged("it refers to an object that does not exist") }
        guard depth <= PropertyList.depthLimit else {
            throw Refusal("is nested more than \(PropertyList.depthLimit) levels deep, or contains itself", in: file)
        }
        count += 1
        if let value = read[index] {
            try grow(value)
            return value
        }
        try grow(nil)
        var start = offsets[index]
        let marker = bytes[start]
        start += 1
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            if marker == 0x08 || marker == 0x09 { return .boolean(marker == 0x09) }
            if marker == 0 { return .null }
        case 0x1: return try integerObject(start, low)
        case 0x2:
            if low == 2 { return PropertyList(Double(Float(bitPattern: UInt32(integer(try checked(start, 4).lowerBound, 4))))) }
            if low == 3 { return PropertyList(Double(bitPattern: integer(try checked(start, 8).lowerBound, 8))) }
        case 0x3:
            if low == 3 { return try date(Double(bitPattern: integer(try checked(start, 8).lowerBound, 8))) }
        case 0x4, 0x5, 0x6, 0x7:
            let value = try run(marker >> 4, &start, low)
            read[index] = value
            try grow(value)
            return value
        case 0x8: return .uid(integer(try checked(start, min(low + 1, 8)).lowerBound, min(low + 1, 8)))
        case 0xA, 0xC:
            let count = try length(&start, low)
            var elements: [PropertyList] = []
            for reference in try references(start, count) { elements.append(try object(reference, depth: depth + 1)) }
            return marker >> 4 == 0xA ? .array(elements) : .set(elements)
        case 0xD:
            let count = try length(&start, low)
            let references = try references(start, count * 2)
            var entries: [PropertyList.Members.Entry] = []
            for index in 0..<count {
                guard case .string(let name) = try object(references[index], depth: depth + 1) else {
                    throw damaged("a member's name is not a string")
                }
                entries.append(.init(name: name, value: try object(references[count + index], depth: depth + 1)))
            }
            return .dictionary(.unique(entries, line: nil, in: file, &repairs))
        default: break
        }
        throw damaged("it has an object of the unknown kind \(String(marker, radix: 16))")
    }

    private mutating func grow(_ value: PropertyList?) throws(Refusal) {
        switch value {
        case .string(let text)?: size += text.string.utf8.count
        case .data(let data)?: size += data.count
        default: break
        }
        guard count <= BinaryPropertyList.countLimit, size <= BinaryPropertyList.sizeLimit else {
            throw Refusal(
                "contains more than \(BinaryPropertyList.countLimit) values or \(BinaryPropertyList.sizeLimit >> 20) MiB",
                in: file, hint: "settings are small: is this the right file?")
        }
    }

    /// The number of elements, characters or bytes: in the marker, or in an integer after it.
    func length(_ start: inout Int, _ low: Int) throws(Refusal) -> Int {
        if low != 0xF { return low }
        let marker = bytes[try checked(start, 1).lowerBound]
        guard marker >> 4 == 0x1, marker & 0x0F <= 3 else { throw damaged("a length is not an integer") }
        let size = 1 << Int(marker & 0x0F)
        let value = integer(try checked(start + 1, size).lowerBound, size)
        start += 1 + size
        guard let length = Int(exactly: value), length <= bytes.count else { throw damaged("an object extends beyond its end") }
        return length
    }

    func references(_ start: Int, _ count: Int) throws(Refusal) -> [Int] {
        let range = try checked(start, count * referenceSize)
        return stride(from: range.lowerBound, to: range.upperBound, by: referenceSize).map {
            Int(exactly: integer($0, referenceSize)) ?? Int.max
        }
    }

    /// Integers of 1, 2 and 4 bytes are unsigned, those of 8 signed; 16 bytes hold larger numbers.
    private func integerObject(_ start: Int, _ low: Int) throws(Refusal) -> PropertyList {
        guard low <= 4 else { throw damaged("an integer has 2^\(low) bytes") }
        let range = try checked(start, 1 << low)
        var number = integer(range.lowerBound, min(range.count, 8))
        if low == 4 {
            guard number == 0 else { throw damaged("an integer has more than 64 bits") }
            number = integer(range.lowerBound + 8, 8)
        }
        let text = low == 3 ? String(Int64(bitPattern: number)) : String(number)
        guard let value = PropertyList(integer: text) else { throw damaged("an integer has more than 64 bits") }
        return value
    }

    private func run(_ kind: UInt8, _ start: inout Int, _ low: Int) throws(Refusal) -> PropertyList {
        let count = try length(&start, low)
        let range = try checked(start, kind == 0x6 ? count * 2 : count)
        switch kind {
        case 0x4: return .data(Array(bytes[range]))
        case 0x6:
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { UInt16(integer($0, 2)) }
            guard let text = String(validating: units, as: UTF16.self) else { throw damaged("a string is not valid UTF-16") }
            return .string(text)
        default:
            guard let text = String(validating: bytes[range], as: UTF8.self) else { throw damaged("a string is not valid text") }
            return .string(text)
        }
    }

    /// A date in seconds since the start of 2001, UTC.
    private mutating func date(_ seconds: Double) throws(Refusal) -> PropertyList {
        guard let whole = Int(exactly: seconds.rounded(.down)), whole.magnitude < 200_000_000_000 else {
            throw damaged("a date is out of range")
        }
        let value = PropertyList.moment(since2001: whole)
        guard case .date(let word) = value, PropertyList.isDate(word) else { throw damaged("a date is out of range") }
        if Double(whole) != seconds {
            repairs.append(
                Repair(
                    file: file, found: "the date \(word) has a fraction of a second (\(seconds - Double(whole)))",
                    done: "the fraction is dropped"))
        }
        return value
    }
}

extension PropertyList {
    /// The date in the Gregorian calendar.
    static func moment(since2001 seconds: Int) -> PropertyList {
        func divided(_ number: Int, by divisor: Int) -> (Int, Int) {
            let rest = ((number % divisor) + divisor) % divisor
            return ((number - rest) / divisor, rest)
        }
        let (days, second) = divided(seconds, by: 86_400)
        // With years that begin in March, the leap day comes last; 2001-01-01 is day 730,791 since 0000-03-01.
        let (era, day) = divided(days + 730_791, by: 146_097)
        let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        let year = era * 400 + yearOfEra + (number <= 2 ? 1 : 0)
        func digits(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(digits(year, 4))-\(digits(number, 2))-\(digits(dayOfYear - (153 * month + 2) / 5 + 1, 2))"
        return .date("\(date)T\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))Z")
    }
}
