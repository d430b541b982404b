import Testing

@testable import SettingsModel
@testable import SettingsText

struct StyledTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ＡＢ", 4), ("👍", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("🇫🇷", 2),
        ("→", 1), ("“”…", 3), ("•", 1), ("ｱ", 1), ("العربية", 7),
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
        #expect(text.rendered(coloured: true) == "\u{1B}[1mLanguage\u{1B}[0m: \u{1B}[32mfr\u{1B}[0m")
        #expect(text.rendered(coloured: false) == "Language: fr")
        #expect(StyledText("\u{1B}[0m", .id).rendered(coloured: true) == "\u{1B}[33m\\u{1B}[0m\u{1B}[0m")
    }
}
