import SettingsModel
import SettingsText

/// Breaks text into lines at spaces.
enum Wrapping {
    /// At most so many lines; what is left out is marked.
    static func lines(_ text: String, into width: Int, atMost limit: Int, _ glyphs: Glyphs) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if longer.displayWidth <= width || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        lines.append(line)
        guard lines.count > limit else { return lines }
        let kept = StyledText(lines[limit - 1] + " " + glyphs.ellipsis).cut(to: width, glyphs)
        return lines.prefix(limit - 1) + [kept.spans.map(\.text).joined()]
    }
}
