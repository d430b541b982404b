import SettingsModel
import Testing

@testable import SettingsText

struct GraphLinesTests {
    /// Versions are named by letters, newest first; `?` after a parent: there are others between.
    private func drawn(_ history: [String], _ glyphs: Glyphs, isSpaced: Bool = false) throws -> [String] {
        var lines = GraphLines(glyphs)
        func id(_ letter: Character) throws -> ObjectID {
            try #require(ObjectID(hex: String(repeating: String(letter, radix16: true), count: 20)))
        }
        return try history.flatMap { version in
            let parts = version.split(separator: " ")
            let parents = try parts.dropFirst().filter { $0 != "~" }.map {
                VersionGraph.Parent(try id($0[$0.startIndex]), isIndirect: $0.hasSuffix("?"))
            }
            let text = [StyledText(String(parts[0]))] + (isSpaced ? [StyledText("  text")] : [])
            return lines.lines(
                try id(parts[0][parts[0].startIndex]), parents: parents, isCut: parts.last == "~", beside: text,
                isSpaced: isSpaced
            ).map { $0.rendered(coloured: false) }
        }
    }

    @Test func mergesAndBranches() throws {
        let history = ["a b c", "b d", "c d", "d e f g", "e h", "f h", "g h?", "h ~"]
        #expect(
            try drawn(history, .unicode) == [
                "○ a", "├─╮", "○ │ b", "│ ○ c", "├─╯", "○ d", "├─┬─╮", "○ │ │ e", "│ ○ │ f", "├─╯ │", "│   ○ g", "├───╯", "○ h",
                "~",
            ])
        #expect(
            try drawn(history, .ascii) == [
                "* a", "|\\", "* | b", "| * c", "|/", "* d", "|\\__", "* | | e", "| * | f", "|/  |", "|   * g", "|__/", "* h",
                "~",
            ])
    }

    @Test func linesPassEachOther() throws {
        let history = ["a b c", "b d c", "c e", "d f", "e f", "f"]
        #expect(
            try drawn(history, .unicode) == [
                "○ a", "├─╮", "○ │ b", "├─┤", "│ ○ c", "○ │ d", "│ ○ e", "├─╯", "○ f",
            ])
        let crossed = ["a b c", "b d e", "c f", "e f", "d f", "f"]
        #expect(
            try drawn(crossed, .unicode) == [
                "○ a", "├─╮", "○ │ b", "├─│─╮", "│ ○ │ c", "│ │ ○ e", "│ ├─╯", "○ │ d", "├─╯", "○ f",
            ])
        #expect(
            try drawn(crossed, .ascii) == [
                "* a", "|\\", "* | b", "|\\|_", "| * | c", "| | * e", "| |/", "* | d", "|/", "* f",
            ])
    }

    @Test func textsStandBesideTheLines() throws {
        #expect(
            try drawn(["a b c?", "b d", "c d", "d"], .unicode, isSpaced: true) == [
                "○   a", "├─╮   text", "│ ┊", "○ ┊ b", "│ ┊   text", "│ ┊", "│ ○ c", "├─╯   text", "│", "○ d", "    text",
            ])
        // Two histories that have nothing to do with each other.
        #expect(try drawn(["a", "b"], .ascii) == ["* a", "", "* b"])
    }
}

extension String {
    /// The two hexadecimal digits of a character.
    fileprivate init(_ letter: Character, radix16: Bool) { self = String(letter.asciiValue ?? 0, radix: 16) }
}
