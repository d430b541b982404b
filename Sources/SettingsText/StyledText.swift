package import SettingsModel

/// A line of text with the roles of its parts; an interface decides how they look.
package struct StyledText: Hashable, Sendable {
    package struct Span: Hashable, Sendable {
        package var text: String
        package var style: Style
    }

    package enum Style: Hashable, Sendable {
        case plain, name, before, after, id, faint, heading, warning
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
}

extension StyledText.Style {
    /// ANSI; only the eight basic colours, which every theme keeps legible.
    fileprivate var code: String? {
        switch self {
        case .plain: nil
        case .name: "1"
        case .before: "31"
        case .after: "32"
        case .id: "33"
        case .faint: "2"
        case .heading: "1;4"
        case .warning: "1;31"
        }
    }
}

extension String {
    /// The number of terminal columns: two for wide characters and emoji, none for combining marks.
    package var displayWidth: Int {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.count }
        return reduce(0) { width, character in width + character.displayWidth }
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        if scalar.properties.generalCategory == .nonspacingMark { return 0 }
        if scalar.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        return scalar.isWide ? 2 : 1
    }
}

extension Unicode.Scalar {
    /// East Asian wide and full-width blocks (Unicode Standard Annex 11), by range.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
