// What libgit2 leaves to be done where it edits a configuration file, so that every other byte stays as it is.

extension ConfigurationText {
    private static let newline = UInt8(ascii: "\n")
    private static let blanks = Set(" \t\r".utf8)
    /// A line that stands where one was split, before what is another header and before what is not.
    private static let seams = (header: Array("#\u{1}".utf8)[...], other: Array("#\u{2}".utf8)[...])

    /// The text with what stands on the line of a section's header on a line of its own: libgit2 writes it twice (1.5.1, not
    /// reported).
    static func split(_ text: [UInt8]) -> [UInt8] {
        var lines: [ArraySlice<UInt8>] = []
        var continues = false
        for line in text.split(separator: newline, omittingEmptySubsequences: false) {
            var rest = line
            while !continues, let end = headerEnd(of: rest), case let next = trimmed(rest[end...]), !next.isEmpty {
                lines += [rest[..<end], isHeader(next) ? seams.header : seams.other]
                rest = rest[end...]
            }
            lines.append(rest)
            continues = line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
        }
        return Array(lines.joined(separator: [newline]))
    }

    /// A text that was split as it was before, without the headers of the sections in which these keys were the last.
    static func joined(_ text: [UInt8], removing keys: [String]) -> [UInt8] {
        let headers = keys.map { Array(ConfigurationEntry(name: $0, value: "").header.utf8)[...] }
        var lines: [ArraySlice<UInt8>] = []
        var seam: ArraySlice<UInt8>?
        // The last one is what follows the last line break.
        let all = text.split(separator: newline, omittingEmptySubsequences: false)
        for (place, line) in all.enumerated() {
            if line == seams.header || line == seams.other {
                seam = line
                continue
            }
            let ends = isHeader(trimmed(line)) || line.isEmpty && place == all.count - 1
            // Nothing is left of what stood behind the header where another one follows.
            if seam == (isHeader(trimmed(line)) ? seams.header : seams.other), seam == seams.header || !ends {
                lines.append((lines.popLast() ?? []) + line)
            } else {
                if ends, seam != seams.header, let last = lines.last, headers.contains(last) { lines.removeLast() }
                lines.append(line)
            }
            seam = nil
        }
        return Array(lines.joined(separator: [newline]))
    }

    private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool { line.first == UInt8(ascii: "[") }

    /// Where a section's header ends, its bracket included; nil in a line that has none.
    private static func headerEnd(of line: ArraySlice<UInt8>) -> Int? {
        guard trimmed(line).first == UInt8(ascii: "[") else { return nil }
        var (isQuoted, isEscaped) = (false, false)
        for (place, byte) in zip(line.indices, line) {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "]"), !isQuoted {
                return place + 1
            }
        }
        return nil
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = line.drop { blanks.contains($0) }
        return start.prefix(start.count - start.reversed().prefix { blanks.contains($0) }.count)
    }
}
