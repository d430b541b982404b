import SettingsModel

/// Values with quotes, escapes and comments behind them.
extension KeyFileScanner {
    /// A value that is spelled by itself; nil if these bytes are not one value and nothing else.
    static func value(of word: [UInt8], as dialect: KeyFileDialect) -> KeyFileValue? {
        let scanner = KeyFileScanner(word, dialect, "")
        guard let (value, end) = try? scanner.scanned(from: 0, to: word.count), end == word.count else { return nil }
        return value.span == 0..<word.count ? value : nil
    }

    /// The value that begins at `start`, and the end of its last line.
    func scanned(from start: Int, to limit: Int) throws(Refusal) -> (value: KeyFileValue, end: Int) {
        var place = start
        while place < limit, isBlank(bytes[place]) || bytes[place] == 13 && lineEnd(at: place) == nil { place += 1 }
        if dialect.quoting == .json {
            let line = bytes[place..<lineEnd(place)]
            for sign in ["\u{2028}", "\u{2029}"] where line.firstRange(of: Array(sign.utf8)) != nil {
                throw refusal("a value has a line separator of Unicode, for which npm skips the line", at: place)
            }
            if let string = stringOfJSON(at: place) { return (string, string.span.upperBound) }
        }
        var reading = Reading(start: place)
        scan: while place < limit {
            let byte = bytes[place]
            reading.next = place
            if let next = lineEnd(at: place) {
                guard let quote = reading.quote, dialect.quoting != .whole else { break scan }
                guard dialect.quotesLines else {
                    throw refusal("a value begins with a quote (\(UnicodeScalar(quote))) that is not closed", at: reading.start)
                }
                reading.append(Array(bytes[place..<next]), to: next)
                place = next
            } else if reading.quote == nil || dialect.quoting == .whole, isBlank(byte) || byte == 13 {
                // Blanks that nothing follows are no part of the value. To git a tab is a blank.
                if reading.quote == nil { reading.bare.append(byte) }
                place += 1
                if dialect.keepsBlanks || !reading.text.isEmpty {
                    reading.blanks.append((dialect.names == .git ? 32 : byte, place))
                }
            } else if reading.quote == nil, isComment(at: place, reading) {
                break scan
            } else if byte == UInt8(ascii: "\\"), try escape(&reading, &place) {
                continue
            } else if dialect.quotes.contains(byte), dialect.quoting != .json, reading.quote ?? byte == byte {
                let dropsBlanks = dialect.dropsBlanks(byQuote: byte)
                if dropsBlanks, reading.quote == nil { reading.blanks = [] }
                quote(byte, &reading, &place)
                while dropsBlanks, reading.quote == nil, place < limit, bytes[place].isKeyFileBlank { place += 1 }
            } else {
                if byte == dialect.separator { reading.separate(at: place) }
                if reading.quote == nil { reading.bare.append(byte) }
                reading.append(byte >= 0x80 && text.isLatin ? Array(text.string([byte]).utf8) : [byte], to: place + 1)
                place += 1
            }
        }
        if reading.quote != nil, dialect.quoting != .whole {
            throw refusal("a value begins with a quote that is not closed", at: reading.start)
        }
        if dialect.keepsBlanks { reading.append([], to: place) }
        let value = value(of: reading)
        if dialect.isBare != nil { try check(value, reading) }
        if dialect.name == .mySQL, bytes[value.span].last == 0xA0 {
            throw refusal(
                "a value ends in a character whose last byte MySQL treats as a blank", at: value.span.upperBound - 1,
                hint: "put the value in quotes")
        }
        return (value, min(limit, lineEnd(place)))
    }

    /// What is known of a value so far.
    struct Reading {
        let start: Int
        var end: Int
        var text: [UInt8] = []
        /// Where each byte of the text is spelled.
        var places: [Range<Int>] = []
        /// Where the spelling of the next one begins.
        var next = 0
        /// Blanks that belong to the text if more of it follows, and where each ends.
        var blanks: [(byte: UInt8, end: Int)] = []
        var quote: UInt8?
        /// What is outside of quotes; a text in quotes is `"` there.
        var bare: [UInt8] = []
        var hasQuotes = false
        /// Whether all escapes are known, and none is the separator's.
        var isText = true
        var isList = true
        /// The elements before the last separator, and where the next one begins, there and in the text.
        var items: [(span: Range<Int>, text: [UInt8])] = []
        var item: (start: Int, text: Int)

        init(start: Int) {
            (self.start, end) = (start, start)
            item = (start, 0)
        }

        mutating func append(_ bytes: [UInt8], to end: Int) {
            text += blanks.map(\.byte) + bytes
            // A long value is spelled anew.
            if text.count < 1 << 16 { places += blanks.map { $0.end - 1..<$0.end } + bytes.map { _ in next..<end } }
            blanks = []
            self.end = end
        }

        mutating func separate(at place: Int) {
            append([], to: place)
            items.append((item.start..<place, Array(text[item.text...])))
            item = (place + 1, text.count + 1)
        }
    }

    /// Git knows two blanks.
    private func isBlank(_ byte: UInt8) -> Bool { dialect.names == .git ? byte == 32 || byte == 9 : byte.isKeyFileBlank }

    /// The start of the next line, if a line ends here.
    private func lineEnd(at place: Int) -> Int? {
        if bytes[place] == 10 { return place + 1 }
        return bytes[place] == 13 && place + 1 < bytes.count && bytes[place + 1] == 10 ? place + 2 : nil
    }

    private func isComment(at place: Int, _ reading: Reading) -> Bool {
        dialect.inlineComments.contains(bytes[place])
            && (!dialect.spacesComments || !reading.blanks.isEmpty || reading.text.isEmpty)
    }

    /// A quote begins or ends.
    private func quote(_ byte: UInt8, _ reading: inout Reading, _ place: inout Int) {
        place += 1
        let isData = dialect.quoting == .doubled && reading.quote == nil && place - 1 > reading.start
        reading.append(dialect.quoting == .whole || isData ? [byte] : [], to: place)
        if isData { return reading.bare.append(byte) }
        if dialect.quoting == .doubled, reading.quote != nil, place < bytes.count, bytes[place] == byte {
            reading.append([byte], to: place + 1)
            place += 1
            return
        }
        if reading.quote == nil { reading.bare += Array(" \" ".utf8) }
        reading.quote = reading.quote == nil ? byte : nil
        reading.hasQuotes = true
    }

    /// False for a backslash that is nothing else.
    private func escape(_ reading: inout Reading, _ place: inout Int) throws(Refusal) -> Bool {
        let next = place + 1
        let isEnd = next == bytes.count
        if isEnd || lineEnd(at: next) != nil, [.backslash, .trimming, .blank].contains(dialect.continuation) {
            if dialect.continuation == .backslash { reading.append([], to: next) }
            if dialect.continuation == .blank, !reading.text.isEmpty { reading.blanks.append((32, next)) }
            place = isEnd ? next : lineEnd(at: next) ?? next
            if dialect.continuation == .trimming {
                while place < bytes.count, bytes[place].isKeyFileBlank { place += 1 }
                reading.append([], to: place)
            } else if dialect.continuation == .blank {
                place = afterComments(place)
            }
            return true
        }
        if dialect.continuation == .blank, !isEnd, bytes[next] == UInt8(ascii: "\\") {
            // Two of them at the end of a line don't continue it.
            reading.append(Array(bytes[place...next]), to: next + 1)
            place = next + 1
            return true
        }
        guard dialect.escapes(in: reading.quote), !isEnd else {
            if dialect.otherEscapes == .unreadable { (reading.isText, reading.isList) = (false, false) }
            return false
        }
        let letter = bytes[next]
        if let meaning = dialect.escapes[letter] {
            reading.append([meaning], to: next + 1)
            // To MySQL it also hides comments.
            if dialect.quoting == .whole, reading.quote == nil, dialect.quotes.contains(letter) { reading.quote = letter }
        } else if letter == dialect.separator {
            reading.isText = false
            reading.append([letter], to: next + 1)
        } else {
            switch dialect.otherEscapes {
            case .refused: throw refusal("a backslash stands before a character that it can't escape", at: next)
            case .kept: return false
            case .unreadable:
                (reading.isText, reading.isList) = (false, false)
                return false
            case .itself where letter == UInt8(ascii: "u"): return try character(&reading, &place)
            case .octal where (48...55).contains(letter):
                let digits = bytes[next...].prefix(3).prefix { (48...55).contains($0) }
                reading.append([UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1) - 48 })], to: digits.endIndex)
                place = digits.endIndex
                return true
            case .itself, .octal: reading.append([letter], to: next + 1)
            }
        }
        place = next + 1
        return true
    }

    /// `\u00e9`, or two of them for a character beyond U+FFFF.
    private func character(_ reading: inout Reading, _ place: inout Int) throws(Refusal) -> Bool {
        func unit(_ place: Int) -> UInt16? {
            guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
                return nil
            }
            let digits = bytes[place + 2..<place + 6]
            return digits.contains(UInt8(ascii: "+")) ? nil : UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        }
        guard let first = unit(place) else {
            throw refusal("'\\u' must be followed by four hexadecimal digits", at: place)
        }
        let second = UTF16.isLeadSurrogate(first) ? unit(place + 6) : nil
        let units = second.map { UTF16.isTrailSurrogate($0) ? [first, $0] : [first] } ?? [first]
        guard let text = String(validating: units, as: UTF16.self) else {
            throw refusal("one half of a surrogate pair stands alone", at: place)
        }
        place += units.count * 6
        reading.append(Array(text.utf8), to: place)
        return true
    }

    /// The start of the next line that is no comment.
    private func afterComments(_ start: Int) -> Int {
        var place = start
        while place < bytes.count {
            var first = place
            while first < bytes.count, bytes[first].isKeyFileBlank { first += 1 }
            guard first < bytes.count, dialect.comments.contains(bytes[first]) else { return place }
            place = nextLine(first)
        }
        return place
    }

    /// A value of npm's that is in quotes from its beginning to the end of the line.
    private func stringOfJSON(at start: Int) -> KeyFileValue? {
        guard start < bytes.count, dialect.quotes.contains(bytes[start]) else { return nil }
        var end = lineEnd(start)
        while end > start, bytes[end - 1].isKeyFileBlank { end -= 1 }
        guard end > start, bytes[end - 1] == bytes[start] else { return nil }
        // One quote alone begins and ends a value.
        let inner = text.string(start + 1..<max(start + 1, end - 1))
        let word = bytes[start] == UInt8(ascii: "'") ? inner : text.string(start..<end)
        let json = try? JSON(parsing: Array(word.utf8))
        return KeyFileValue(span: start..<end, text: json?.text ?? ExactText(json.map(\.compact) ?? word))
    }
}

/// What was read.
extension KeyFileScanner {
    private func value(of reading: Reading) -> KeyFileValue {
        var (span, bytes) = (reading.start..<reading.end, reading.text[...])
        if dialect.quoting == .json {
            // To npm blanks beyond ASCII at the ends are no part of a value either.
            let inner = trimmed(span)
            bytes = bytes.dropFirst(inner.lowerBound - span.lowerBound).dropLast(span.upperBound - inner.upperBound)
            span = inner
        }
        if unquoted(self.bytes[span]).count < span.count { bytes = bytes.dropFirst().dropLast() }
        let isList = reading.isList && (!reading.isText || !reading.items.isEmpty && reading.text.last == dialect.separator)
        guard reading.isText || isList else {
            return KeyFileValue(span: span, text: ExactText(text.string(span)), isReadable: false)
        }
        var items = reading.items.map { (span: $0.span, text: ExactText(String(decoding: $0.text, as: UTF8.self))) }
        if isList, reading.item.start < reading.end {
            let last = String(decoding: reading.text[reading.item.text...], as: UTF8.self)
            items.append((reading.item.start..<reading.end, ExactText(last)))
        }
        return KeyFileValue(
            span: span, text: ExactText(String(decoding: bytes, as: UTF8.self)), items: isList ? items : nil,
            places: self.bytes[span].contains(10) ? reading.places : [])
    }

    /// Refuses what its reader takes for an error.
    private func check(_ value: KeyFileValue, _ reading: Reading) throws(Refusal) {
        let word = Array(bytes[value.span])
        if reading.hasQuotes {
            if dialect.quoting == .doubled, reading.bare.filter({ !$0.isKeyFileBlank }) != Array("\"".utf8) {
                throw refusal("there is text beside a value in quotes", at: reading.start)
            }
            if dialect.quoting == .anywhere, dialect.isBare?(reading.bare) == false {
                throw refusal("a value has words or signs beside its quotes that need quotes, too", at: reading.start)
            }
        } else if dialect.isBare?(word) == false, !(word.isEmpty && dialect.quoting == .anywhere) {
            throw refusal("a value has characters that need quotes", at: reading.start)
        }
    }
}
