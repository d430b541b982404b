package import SettingsModel

/// A line of text with the roles of its parts; an interface decides how they look.
package struct StyledText: Hashable, Sendable {
    package struct Span: Hashable, Sendable {
        package var text: String
        package var style: Style
    }

    package enum Style: Hashable, Sendable {
        case plain, name, before, after, id, person, faint, heading, warning
    }

    package var spans: [Span] = []

    package init(_ text: String = "", _ style: Style = .plain) {
        if !text.isEmpty { spans = [Span(text: text, style: style)] }
    }

    package init(_ sentence: Sentence) {
        spans = sentence.pieces.map { piece in
            let style: Style =
                switch piece.role {
                case .plain: .plain
                case .name: .name
                case .before: .before
                case .after: .after
                }
            return Span(text: piece.text, style: style)
        }
    }

    package static func + (left: StyledText, right: StyledText) -> StyledText {
        var result = left
        result.spans += right.spans
        return result
    }

    package func adding(_ text: String, _ style: Style = .plain) -> StyledText { self + StyledText(text, style) }

    /// The text with control characters escaped, so that no file content can control a terminal.
    package func rendered(coloured: Bool) -> String {
        spans.map { span in
            let text = span.text.visible
            guard coloured, let code = span.style.code else { return text }
            return "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }.joined()
    }

    /// The number of terminal columns.
    package var width: Int { spans.reduce(0) { $0 + $1.text.visible.displayWidth } }

    package func padded(to width: Int) -> StyledText {
        let missing = width - self.width
        return missing > 0 ? adding(String(repeating: " ", count: missing)) : self
    }

    /// The text with its end replaced by an ellipsis where it is wider than that, with control characters escaped.
    package func cut(to limit: Int, _ glyphs: Glyphs) -> StyledText {
        guard width > limit else { return self }
        let mark = String(glyphs.ellipsis.prefix(columns: limit))
        var room = limit - mark.displayWidth
        var result = StyledText()
        for span in spans {
            var taken = ""
            for character in span.text {
                let columns = String(character).visible.displayWidth
                guard columns <= room else { return result.adding(taken + (taken.hasSuffix(mark) ? "" : mark), span.style) }
                room -= columns
                taken.append(character)
            }
            result = result.adding(span.text, span.style)
        }
        return result
    }
}

extension StyledText.Style {
    /// ANSI; only the eight basic colours, which every theme keeps legible.
    fileprivate var code: String? {
        switch self {
        case .plain: nil
        case .name: "1"
        case .before: "31"
        case .after: "1;32"
        case .id, .person, .faint: "2"
        case .heading: "1;4"
        case .warning: "1;31"
        }
    }
}
