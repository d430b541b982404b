// Changes of a configuration file's text that leave every other byte as it is.

extension ConfigurationText {
    private static let newline = UInt8(ascii: "\n")
    private static let blanks = Set(" \t\r".utf8)

    /// The text without the lines of `key`, as far as they are written as `adding` and git write them, and without the header of
    /// a section that nothing is left in.
    static func removing(_ key: String, from text: [UInt8]) -> [UInt8] {
        let entry = ConfigurationEntry(name: key, value: "")
        let (section, name) = (sectionName(of: Array(entry.header.utf8)[...])?.name, Array(entry.key.utf8))
        var kept: [ArraySlice<UInt8>] = []
        var isInside = false
        var hasRemoved = false
        for line in text.split(separator: newline, omittingEmptySubsequences: false) {
            let words = trimmed(line)
            if words.first == UInt8(ascii: "[") {
                if isInside, hasRemoved, kept.last.map({ sectionName(of: $0)?.isAlone == true }) == true { kept.removeLast() }
                (isInside, hasRemoved) = (sectionName(of: line)?.name == section, false)
            } else if isInside, words.prefix(name.count).map(small) == name,
                trimmed(words.dropFirst(name.count)).first == UInt8(ascii: "=")
            {
                hasRemoved = true
                continue
            }
            kept.append(line)
        }
        // The last one is what follows the last line break.
        if isInside, hasRemoved, kept.count > 1, kept.last?.isEmpty == true,
            sectionName(of: kept[kept.count - 2])?.isAlone == true
        {
            kept.remove(at: kept.count - 2)
        }
        return Array(kept.joined(separator: [newline]))
    }

    /// The text with entries of one section at its end.
    static func adding(_ entries: [ConfigurationEntry], to text: [UInt8]) -> [UInt8] {
        guard let first = entries.first else { return text }
        let separator = text.isEmpty || text.last == newline ? [] : [newline]
        return text + separator + Array((first.header + "\n" + entries.map(\.line).joined()).utf8)
    }

    /// The text with what stands on the line of a section's header on a line of its own: libgit2 writes such a line twice.
    static func withHeadersAlone(_ text: [UInt8]) -> [UInt8] {
        var lines: [ArraySlice<UInt8>] = []
        var continues = false
        for line in text.split(separator: newline, omittingEmptySubsequences: false) {
            let end = continues ? nil : headerEnd(of: line)
            if let end, let next = trimmed(line[end...]).first, next != UInt8(ascii: "#"), next != UInt8(ascii: ";") {
                lines += [line[..<end], [UInt8(ascii: "\t")] + trimmed(line[end...])]
            } else {
                lines.append(line)
            }
            continues = line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
        }
        return Array(lines.joined(separator: [newline]))
    }

    /// The section that a line begins, its first word in small letters, and whether the line has nothing else; nil in a line that
    /// begins none, and for sections as git wrote them long ago, `[section.Subsection]`.
    private static func sectionName(of line: ArraySlice<UInt8>) -> (name: [UInt8], isAlone: Bool)? {
        guard let end = headerEnd(of: line) else { return nil }
        let inner = trimmed(line[..<end]).dropFirst().dropLast()
        let word = inner.prefix { !blanks.contains($0) && $0 != UInt8(ascii: "\"") }
        if word.contains(UInt8(ascii: ".")) { return nil }
        return (word.map(small) + trimmed(inner[word.endIndex...]), trimmed(line[end...]).isEmpty)
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

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
