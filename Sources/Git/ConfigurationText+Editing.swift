// What libgit2 leaves to be done where it edits a configuration file, so that every other byte stays as it is.

extension ConfigurationText {
    private static let newline = UInt8(ascii: "\n")
    private static let blanks = Set(" \t\r".utf8)
    /// The lines that stand where one was split, before what is another header and before what is not: comments that a text
    /// doesn't have.
    struct Seams {
        fileprivate let header: ArraySlice<UInt8>
        fileprivate let other: ArraySlice<UInt8>

        init(notIn text: [UInt8]) {
            let lines = Set(text.split(separator: ConfigurationText.newline))
            var sign = Array("#\u{1}".utf8)
            while lines.contains(sign[...]) || lines.contains((sign + [2])[...]) { sign.append(1) }
            (header, other) = (sign[...], (sign + [2])[...])
        }
    }

    /// The text with what stands on the line of a section's header on a line of its own: libgit2 writes it twice (1.5.1, not
    /// reported).
    /// `renaming`: which headers are written anew.
    static func split(_ text: [UInt8], _ seams: Seams, _ renaming: RepositoryConfiguration.Renaming? = nil) -> [UInt8] {
        var lines: [ArraySlice<UInt8>] = []
        var continues = false
        for line in text.split(separator: newline, omittingEmptySubsequences: false) {
            var rest = line
            while !continues, let end = headerEnd(of: rest), case let next = trimmed(rest[end...]), !next.isEmpty {
                lines += [renamed(rest[..<end], renaming), isHeader(next) ? seams.header : seams.other]
                rest = rest[end...]
            }
            lines.append(continues ? rest : renamed(rest, renaming))
            continues = line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
        }
        return Array(lines.joined(separator: [newline]))
    }

    /// A text that was split as it was before, without the headers of the sections in which these keys were the last.
    static func joined(_ text: [UInt8], _ seams: Seams, removing keys: [String]) -> [UInt8] {
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

    /// A line with the header of another section where it is the one to rename.
    private static func renamed(_ line: ArraySlice<UInt8>, _ renaming: RepositoryConfiguration.Renaming?) -> ArraySlice<UInt8> {
        guard let renaming, let end = headerEnd(of: line), let start = line.firstIndex(of: UInt8(ascii: "[")) else { return line }
        let words = String(decoding: line[(start + 1)..<(end - 1)], as: UTF8.self)
        guard let quote = words.firstIndex(of: "\""), words.hasSuffix("\""),
            words[..<quote].filter({ !$0.isWhitespace }).lowercased() == renaming.section
        else { return line }
        var (name, isEscaped) = ("", false)
        for character in words[words.index(after: quote)...].dropLast() {
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { name.append(character) }
        }
        guard name == renaming.old else { return line }
        let header = ConfigurationEntry(name: "\(renaming.section).\(renaming.new).", value: "").header
        return line[..<start] + Array(header.utf8) + line[end...]
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
