extension VersionMessage {
    /// A reason as it is recorded: LF, no white space at the ends. Nil if nothing is left.
    ///
    /// A space is put before lines that git would take for something else, and lose what follows: the end of the message, in
    /// `git am` and `git interpret-trailers`; a comment, where the message is edited; the author, where it is sent by mail. And
    /// before those that could pass for what the program says itself once versions are squashed: see `SquashedMessages`.
    package static func cleaned(_ why: String) -> String? {
        var lines = why.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line -> Substring in
            var scalars = line.unicodeScalars.filter { $0 == "\t" || !$0.isControl }[...]
            while let last = scalars.last, last.properties.isWhitespace { scalars = scalars.dropLast() }
            return Substring(String(String.UnicodeScalarView(scalars)))
        }
        guard let first = lines.firstIndex(where: { !MessageLines.isBlank($0) }) else { return nil }
        lines[first] = Substring(String(lines[first]).trimmingSpaces)
        var guarded: [String] = []
        for line in MessageLines.trimmed(lines[...]) {
            guarded.append(guarding(line, isFirst: guarded.isEmpty, beginsParagraph: guarded.last?.isEmpty ?? true))
        }
        return guarded.joined(separator: "\n")
    }

    /// The reason as people are shown it: without the spaces that `cleaned` put before lines, and, where versions were squashed,
    /// without what each of them says for the program.
    package var shownWhy: String? {
        guard let why, via != nil || squashed != nil else { return why }
        var lines = why.split(separator: "\n", omittingEmptySubsequences: false)
        if squashed != nil { lines = Self.withoutGenerated(lines) }
        var shown: [Substring] = []
        for (number, line) in lines.enumerated() {
            let beginsParagraph = number == 0 || lines[number - 1].isEmpty
            let typed = line.dropFirst()
            let isGuarded =
                line.first == " " && Self.guarding(typed, isFirst: number == 0, beginsParagraph: beginsParagraph) == line
            shown.append(isGuarded ? typed : line)
        }
        return shown.isEmpty ? nil : shown.joined(separator: "\n")
    }

    /// Paragraphs of trailers, and lists of changes.
    private static func withoutGenerated(_ lines: [Substring]) -> [Substring] {
        let paragraphs = lines.split(whereSeparator: MessageLines.isBlank).filter { paragraph in
            let indented = paragraph.allSatisfy { $0.hasPrefix("    ") }
            let paragraph = indented ? paragraph.map { $0.dropFirst(4) }[...] : paragraph
            if ["Changes:", "Brings in:"].contains(paragraph.first) {
                return !paragraph.dropFirst().allSatisfy { SquashedMessages.key(ofSentence: $0.drop { $0 == " " }) != nil }
            }
            guard let trailers = Trailers(paragraph: paragraph) else { return true }
            return trailers.values(of: "via").isEmpty && trailers.values(of: "change-id").isEmpty
        }
        return Array(paragraphs.joined(separator: [""]))
    }

    /// git leaves out what stands behind this line.
    static let scissors = "# ------------------------ >8 ------------------------"

    private static func guarding(_ line: Substring, isFirst: Bool, beginsParagraph: Bool) -> String {
        if isCut(line) || isFirst && isHeader(line) || line == SquashedMessages.listed { return " " + line }
        let text = line.drop { $0 == " " }
        let column = line.utf8.count - text.utf8.count
        if let token = Trailers.token(of: text), ["change-id", "via"].contains(token) {
            // At the columns 0 and 4 it counts.
            return String(repeating: " ", count: column == 3 ? 2 : 1) + line
        }
        return beginsParagraph && SquashedMessages.key(ofSentence: line) != nil ? " " + line : String(line)
    }

    /// Whether git would cut a message off at this line, or leave it out: `patchbreak` in mailinfo.c, `is_from_line` in mailsplit.c.
    private static func isCut(_ line: Substring) -> Bool {
        if line.hasPrefix("#") || line.hasPrefix("diff -") || line.hasPrefix("Index: ") { return true }
        if line.hasPrefix("---") { return line.dropFirst(3).first?.isWhitespace ?? true }
        guard line.hasPrefix("From ") else { return false }
        let rest = line.dropFirst(5)
        return rest.prefix { $0.isHexDigit }.count >= 7 || rest.contains(":")
    }

    /// Whether `git am` would take the first line for the author, the date or the subject, or drop a part of it.
    private static func isHeader(_ line: Substring) -> Bool {
        let lower = line.prefix(16).lowercased()
        return ["from:", "date:", "subject:", ">from ", "[patch"].contains { lower.hasPrefix($0) }
    }
}
