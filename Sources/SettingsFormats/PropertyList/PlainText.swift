import SettingsModel

/// The text of a file, converted to UTF-8.
struct PlainText {
    /// Without a byte order mark.
    var bytes: [UInt8]
    /// The encoding that was guessed, if the file doesn't declare one.
    var guessed: String?
    private(set) var encoding = Encoding.utf8

    enum Encoding: Hashable {
        case utf8
        case utf16(isBig: Bool)
        /// ISO-8859-1, with Windows-1252 in place of control characters.
        case latin
    }

    init(_ file: [UInt8], in path: String) throws(Refusal) {
        try self.init(decoding: file, in: path)
        if PlainText.declaredEncoding(bytes) != nil { blankDeclaration() }
    }

    /// The text as it is, with an XML declaration that may name another encoding.
    init(decoding file: [UInt8], in path: String) throws(Refusal) {
        if file.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes = Array(file.dropFirst(3))
        } else if file.starts(with: [0xFF, 0xFE]) {
            encoding = .utf16(isBig: false)
            bytes = try PlainText.utf16(file.dropFirst(2), isBig: false, path)
        } else if file.starts(with: [0xFE, 0xFF]) {
            encoding = .utf16(isBig: true)
            bytes = try PlainText.utf16(file.dropFirst(2), isBig: true, path)
        } else if let isBig = PlainText.unmarkedUTF16(file) {
            encoding = .utf16(isBig: isBig)
            bytes = try PlainText.utf16(file[...], isBig: isBig, path)
            guessed = isBig ? "UTF-16BE" : "UTF-16LE"
        } else {
            bytes = file
        }
        if String(validating: bytes, as: UTF8.self) == nil {
            let declared = PlainText.declaredEncoding(bytes)
            // Unknown encodings that an XML file declares are left to the XML reader.
            guard declared == nil || ["utf-8", "iso-8859-1", "windows-1252", "us-ascii"].contains(declared) else { return }
            encoding = .latin
            bytes = PlainText.latin(bytes)
            if declared != "iso-8859-1", declared != "windows-1252" { guessed = "ISO-8859-1" }
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// Whether it is UTF-16 in big-endian order, judging by the zero bytes of ASCII; nil if it isn't UTF-16.
    private static func unmarkedUTF16(_ file: [UInt8]) -> Bool? {
        let start = file.prefix(512)
        guard file.count >= 2, file.count.isMultiple(of: 2), start.contains(0) else { return nil }
        var zeros = (even: 0, odd: 0)
        for (index, byte) in start.enumerated() where byte == 0 {
            if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
        }
        if zeros.even * 4 >= start.count, zeros.odd == 0 { return true }
        if zeros.odd * 4 >= start.count, zeros.even == 0 { return false }
        return nil
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool, _ path: String) throws(Refusal) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
            index += 2
        }
        guard index == bytes.endIndex, let text = String(validating: units, as: UTF16.self) else {
            throw Refusal("is UTF-16, but damaged", in: path, hint: "save it as UTF-8")
        }
        return Array(text.utf8)
    }

    /// The characters of Windows-1252 from 0x80 on.
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]

    /// Decodes ISO-8859-1, with Windows-1252 in place of control characters.
    private static func latin(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            let scalar = byte < 0xA0 ? Unicode.Scalar(windows[Int(byte) - 0x80]) : Unicode.Scalar(byte)
            text += UTF8.encode(scalar ?? "?") ?? UTF8.encodedReplacementCharacter
        }
        return text
    }

    /// The range of `<?xml … ?>`, which may follow white space in files that were edited by hand.
    private static func declaration(_ text: [UInt8]) -> Range<Int>? {
        guard let start = text.firstIndex(where: { !isSpace($0) }), text[start...].starts(with: "<?xml".utf8),
            let end = text[start...].prefix(1024).firstRange(of: Array("?>".utf8))
        else { return nil }
        return start..<end.upperBound
    }

    /// The encoding in lower case; `utf-8` if an XML declaration names none.
    private static func declaredEncoding(_ text: [UInt8]) -> String? {
        guard let range = declaration(text) else { return nil }
        let words = text[range]
        guard let name = words.firstRange(of: Array("encoding".utf8)) else { return "utf-8" }
        let quotes: [UInt8] = Array("\"'".utf8)
        guard let open = words[name.upperBound...].firstIndex(where: quotes.contains),
            let close = words[(open + 1)...].firstIndex(of: words[open])
        else { return "utf-8" }
        return String(decoding: words[(open + 1)..<close], as: UTF8.self).lowercased()
    }

    /// Replaces the declaration with spaces, because the text is now UTF-8 and a declaration must come first. Lines are kept.
    private mutating func blankDeclaration() {
        guard let range = PlainText.declaration(bytes) else { return }
        for index in range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
    }
}

extension PlainText {
    /// `text` in UTF-8 as a file like `file`: in its encoding, with its byte order mark.
    static func encoded(_ text: [UInt8], like file: [UInt8], in path: String) throws(Refusal) -> [UInt8] {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        let mark = marks.first { file.starts(with: $0) } ?? []
        switch try PlainText(decoding: file, in: path).encoding {
        case .utf8: return mark + text
        case .utf16(let isBig):
            return mark
                + String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
                    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                    return isBig ? [high, low] : [low, high]
                }
        case .latin:
            var out: [UInt8] = []
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                let byte = PlainText.windows.firstIndex(of: scalar.value).map { UInt8($0 + 0x80) }
                guard let byte = byte ?? UInt8(exactly: scalar.value) else {
                    throw Refusal(
                        "a text has the character '\(scalar)', which the file's encoding can't hold", in: path,
                        hint: "save the file as UTF-8", remedy: .rewriting)
                }
                out.append(byte)
            }
            return out
        }
    }
}
