package import SettingsModel

extension StyledText {
    /// The text in lines of at most `width` terminal columns, broken at spaces. A word that is wider stays whole, so that a key
    /// can be copied. `isHanging`: the lines after the first are indented further.
    package func wrapped(into width: Int, isHanging: Bool = true) -> [StyledText] {
        guard self.width > width else { return [self] }
        let indent = spans.first.map { $0.text.prefix { $0 == " " }.count } ?? 0
        let hanging = isHanging ? indent + 4 <= width / 2 ? indent + 4 : indent : 0
        let start = String(repeating: " ", count: hanging)
        var lines: [StyledText] = []
        var (line, columns) = (StyledText(), 0)
        var gap = StyledText()
        var isBlank = true
        for word in words {
            guard !word.isSpace else {
                gap = gap + word.text
                continue
            }
            if !isBlank, columns + gap.width + word.text.width > width {
                lines.append(line)
                (line, columns) = (StyledText(start), start.count)
            } else {
                line = line + gap
                columns += gap.width
            }
            gap = StyledText()
            line = line + word.text
            columns += word.text.width
            isBlank = false
        }
        return lines + [line]
    }

    /// At most so many lines, none of them indented; what is left out is marked. A word that is wider is broken: there are
    /// languages without spaces.
    package func wrapped(into width: Int, atMost limit: Int, _ glyphs: Glyphs) -> [StyledText] {
        let lines = wrapped(into: width, isHanging: false).flatMap { $0.broken(into: width) }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + [lines[limit - 1].adding(" " + glyphs.ellipsis).cut(to: width, glyphs)]
    }

    private func broken(into width: Int) -> [StyledText] {
        guard self.width > width else { return [self] }
        var lines: [StyledText] = []
        var (line, columns) = (StyledText(), 0)
        for span in spans {
            var taken = ""
            for character in span.text {
                let needed = String(character).visible.displayWidth
                if columns + needed > width, columns > 0 {
                    lines.append(line.adding(taken, span.style))
                    (line, columns, taken) = (StyledText(), 0, "")
                }
                taken.append(character)
                columns += needed
            }
            line = line.adding(taken, span.style)
        }
        return lines + [line]
    }

    /// Words, which may have several styles, and what is between them.
    private var words: [(text: StyledText, isSpace: Bool)] {
        var words: [(text: StyledText, isSpace: Bool)] = []
        for span in spans {
            var rest = span.text[...]
            while let first = rest.first {
                let isSpace = first == " "
                let part = rest.prefix { ($0 == " ") == isSpace }
                rest = rest[part.endIndex...]
                if words.last?.isSpace == isSpace {
                    words[words.count - 1].text = words[words.count - 1].text.adding(String(part), span.style)
                } else {
                    words.append((StyledText(String(part), span.style), isSpace))
                }
            }
        }
        return words
    }
}
