/// Edits of a file: bytes outside the edited ranges are kept.
struct FileEdits {
    let bytes: [UInt8]
    /// The line ending of the file.
    let newline: String
    private var edits: [Edit] = []

    private struct Edit {
        var range: Range<Int>
        /// With LF; converted to the file's line endings when it is applied.
        var text: String
        /// Whether it is inserted as whole lines.
        var isLine: Bool
        /// Whether it follows other edits at the same offset.
        var isLast = false
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let first = bytes.firstIndex(of: 10)
        newline = first.map { $0 > 0 && bytes[$0 - 1] == 13 } == true ? "\r\n" : "\n"
    }

    var isEmpty: Bool { edits.isEmpty }

    mutating func replace(_ range: Range<Int>, by text: String) {
        edits.append(Edit(range: range, text: text, isLine: false))
    }

    mutating func remove(_ range: Range<Int>) { replace(range, by: "") }

    mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, by: text) }

    /// Inserts whole lines at the start of a line or the end of the file. `isSection`: after other lines that are inserted there.
    mutating func insertLines(_ text: String, at offset: Int, isSection: Bool = false) {
        edits.append(Edit(range: offset..<offset, text: text, isLine: true, isLast: isSection))
    }

    /// Whether the line is the last one and has no newline.
    func isUnended(_ offset: Int) -> Bool { nextLine(after: offset) == bytes.count && bytes.last != 10 }

    /// Removes all lines that `range` touches.
    mutating func removeLines(_ range: Range<Int>) {
        remove(lineStart(of: range.lowerBound)..<nextLine(after: max(range.lowerBound, range.upperBound)))
    }

    /// The edited file. A file without a final newline stays without one, unless `mayEnd` is true.
    func applied(mayEnd: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        var cursor = 0
        func rank(_ edit: (offset: Int, element: Edit)) -> (Int, Int, Int) {
            (edit.element.range.lowerBound, edit.element.isLast ? 1 : 0, edit.offset)
        }
        let ordered = edits.enumerated().sorted { rank($0) < rank($1) }
        for (_, edit) in ordered {
            if edit.range.lowerBound > cursor { out += bytes[cursor..<edit.range.lowerBound] }
            cursor = max(cursor, edit.range.upperBound)
            if edit.isLine, let last = out.last, last != 10 { out += newline.utf8 }
            out += (newline == "\n" ? edit.text : edit.text.replacing("\n", with: newline)).utf8
        }
        out += bytes[cursor...]
        if !mayEnd, !edits.isEmpty, let last = bytes.last, last != 10 {
            while out.last == 10 { out.removeLast(out.count > 1 && out[out.count - 2] == 13 ? 2 : 1) }
        }
        return out
    }
}

/// Positions of lines.
extension FileEdits {
    func lineStart(of offset: Int) -> Int {
        var start = offset
        while start > 0, bytes[start - 1] != 10 { start -= 1 }
        return start
    }

    /// The end of the line's text, before its newline.
    func lineEnd(of offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] != 10 { end += 1 }
        return end > offset && end < bytes.count && bytes[end - 1] == 13 ? end - 1 : end
    }

    /// The start of the next line; after the last line, the end of the file.
    func nextLine(after offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] != 10 { end += 1 }
        return min(end + 1, bytes.count)
    }

    /// The white space at the start of the line.
    func indent(of offset: Int) -> String {
        let start = lineStart(of: offset)
        return String(decoding: bytes[start...].prefix { $0 == 32 || $0 == 9 }, as: UTF8.self)
    }

    /// Whether only white space precedes `offset` on its line.
    func isFirstOnLine(_ offset: Int) -> Bool {
        bytes[lineStart(of: offset)..<offset].allSatisfy { $0 == 32 || $0 == 9 }
    }

    /// Skips spaces and tabs.
    func skippingSpace(from offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, bytes[offset] == 32 || bytes[offset] == 9 { offset += 1 }
        return offset
    }

    /// Skips white space and line breaks.
    func skippingBreaks(from offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, [32, 9, 10, 13].contains(bytes[offset]) { offset += 1 }
        return offset
    }

    /// Skips white space, line breaks and comments that begin with `#`.
    func skippingBlank(from offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count {
            switch bytes[offset] {
            case 32, 9, 10, 13: offset += 1
            case UInt8(ascii: "#"): offset = lineEnd(of: offset)
            default: return offset
            }
        }
        return offset
    }

    /// Whether only white space and a comment follow `offset` on its line.
    func isRestBlank(from offset: Int) -> Bool {
        let next = skippingSpace(from: offset)
        return next >= bytes.count || [10, 13, UInt8(ascii: "#")].contains(bytes[next])
    }
}
