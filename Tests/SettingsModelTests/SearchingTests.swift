import SettingsModel
import Testing

/// Text within text, as the standard library finds it: character by character.
@Suite struct SearchingTests {
    @Test(
        arguments: [
            ("one, two, three", ", ", ["one", "two", "three"]), ("abab", "ab", ["", "", ""]), ("aaaaa", "aa", ["", "", "a"]),
            ("aab", "ab", ["a", ""]),
            ("", "a", [""]), ("a", "abc", ["a"]), ("ab", "abc", ["ab"]), ("a", "", ["a"]), ("", "", [""]),
            // A line's end of two bytes is one character.
            ("a\r\nb\nc", "\n", ["a\r\nb", "c"]), ("a\r\nb", "\r\n", ["a", "b"]), ("a\r\nb", "\r", ["a\r\nb"]),
            // With an accent of its own it is another letter; the same letter, written in one or in two.
            ("cafe\u{301}", "e", ["cafe\u{301}"]), ("cafe\u{301} au lait", "\u{E9}", ["caf", " au lait"]),
            ("caf\u{E9}", "e\u{301}", ["caf", ""]), ("👩‍👩‍👧", "👧", ["👩‍👩‍👧"]), ("Größe, Farbe", ", ", ["Größe", "Farbe"]),
        ] as [(String, String, [String])])
    func parts(_ text: String, _ other: String, _ parts: [String]) {
        let ranges: [Range<String.Index>] = text.ranges(of: other)
        var (found, start) = ([String](), text.startIndex)
        for range in ranges where !range.isEmpty {
            found.append(String(text[start..<range.lowerBound]))
            start = range.upperBound
        }
        found.append(String(text[start...]))
        #expect(found == parts)
        #expect(text.firstRange(of: other) == ranges.first)
        #expect(!other.isEmpty || ranges == [text.startIndex..<text.startIndex])
        #expect(text.contains(other) == (other.isEmpty || parts.count > 1))
        #expect(text.replacing(other, with: "\\\\") == parts.joined(separator: "\\\\"))
        // Also in a part of a longer text.
        let within = "<\(text)>"
        #expect(within.dropFirst().dropLast().replacing(other, with: other) == text)
    }

    @Test func bytes() {
        let text = Array("<?xml?><plist>".utf8)
        #expect(text.firstRange(of: Array("<plist".utf8)) == 7..<13)
        #expect(text[3...].firstRange(of: Array("<".utf8)) == 7..<8)
        #expect(text.firstRange(of: Array("plist>>".utf8)) == nil)
        #expect(text.firstRange(of: []) == 0..<0)
    }
}
