import Testing

@testable import SettingsModel
@testable import SettingsText

struct StyledTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ＡＢ", 4), ("👍", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("🇫🇷", 2),
        ("→", 1), ("“”…", 3), ("•", 1), ("ｱ", 1), ("العربية", 7), ("\u{200D}", 0), ("a\u{AD}b", 3), ("각", 2), ("각", 2),
        ("नमस्ते", 4), ("1️⃣", 2), ("👍🏽", 2), ("☎", 1), ("☎️", 2), ("⌚", 2), ("⛄", 2), ("が", 2), ("゙", 0), ("🫨", 2), ("𠮷", 2), ("ﾊﾞ", 2),
    ])
    func width(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test func hiddenCharactersHaveTheWidthOfTheirEscapes() {
        #expect(StyledText("a\u{1B}b").width == #"a\u{1B}b"#.count)
    }

    @Test func columnsLineUp() {
        let rows = [["日本", "x"], ["abc", "y"], ["", "z"]].map { $0.map { StyledText($0) } }
        #expect(Phrases.table(rows).map { $0.rendered(coloured: false) } == ["日本  x", "abc   y", "      z"])
        #expect(Phrases.table([]).isEmpty)
        #expect(
            Phrases.table([
                [StyledText("a")],
                [
                    StyledText("bb"),
                    StyledText("c"),
                ],
            ]).map { $0.rendered(coloured: false) } == ["a", "bb  c"])
    }

    @Test func eachRoleHasOneColourCode() {
        let text = StyledText("Language", .name).adding(": ").adding("fr", .after)
        #expect(text.rendered(coloured: true) == "\u{1B}[1mLanguage\u{1B}[0m: \u{1B}[1;32mfr\u{1B}[0m")
        #expect(text.rendered(coloured: false) == "Language: fr")
        #expect(StyledText("\u{1B}[0m", .id).rendered(coloured: true) == "\u{1B}[2m\\u{1B}[0m\u{1B}[0m")
    }

    @Test(arguments: [
        ("Language", 8, "Language"), ("Language", 7, "Langua…"), ("Language", 1, "…"), ("Language", 0, ""), ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"), ("日本語", 6, "日本語"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍👩‍👧👍", 3, "👩‍👩‍👧…"),
        ("a\u{1B}b", 4, "a…"), ("a\u{1B}b", 8, "a\\u{1B}b"), ("Fr… → Sp…", 4, "Fr…"),
    ])
    func textIsCutAtWholeCharacters(text: String, limit: Int, result: String) {
        #expect(StyledText(text).cut(to: limit, .unicode).rendered(coloured: false) == result)
    }

    @Test func aCutKeepsTheStyles() {
        let text = StyledText("Language", .name).adding(": ").adding("French", .after)
        #expect(text.cut(to: 13, .unicode) == StyledText("Language", .name).adding(": ").adding("Fr…", .after))
        #expect(text.cut(to: 10, .unicode) == StyledText("Language", .name).adding(":…"))
        #expect(text.cut(to: 10, .ascii) == StyledText("Languag...", .name))
    }

    @Test func columnsGiveWayInOrder() {
        let yields = [Columns.Yield(1, to: 10), .init(2, to: 5), .init(1, to: 0), .init(0, to: 1)]
        #expect(Columns.widths([10, 30, 20], into: 80, yields: yields) == [10, 30, 20])
        #expect(Columns.widths([10, 30, 20], into: 50, yields: yields) == [10, 16, 20])
        #expect(Columns.widths([10, 30, 20], into: 40, yields: yields) == [10, 10, 16])
        // The column that was left out makes room for the one that had given way before.
        #expect(Columns.widths([10, 30, 20], into: 28, yields: yields) == [10, 0, 16])
        #expect(Columns.widths([10, 30, 20], into: 12, yields: yields) == [5, 0, 5])
        #expect(Columns.widths([], into: 12, yields: []) == [])
    }

    @Test(arguments: [8, 20, 40, 80, 200]) func wrappedLinesFitAndLoseNothing(width: Int) {
        let long = StyledText("    ").adding("Always show the text caret (org.gnome.desktop.a11y.always-show-text-caret)", .name)
            .adding(": ").adding("Aus", .before).adding(" → ").adding("日本語 ein", .after).adding("  and more", .faint)
        let lines = long.wrapped(into: width)
        for line in lines {
            let words = line.rendered(coloured: false).split(separator: " ")
            #expect(line.width <= width || words.count == 1, "\(line.rendered(coloured: false))")
        }
        func words(_ lines: [StyledText]) -> [Substring] {
            lines.map { $0.rendered(coloured: false) }.joined(separator: " ").split(separator: " ").map { $0[...] }
        }
        #expect(words(lines) == words([long]))
        #expect(Set(lines.flatMap { $0.spans.map(\.style) }) == Set(long.spans.map(\.style)))
        if width == 200 { #expect(lines == [long]) }
    }
}
