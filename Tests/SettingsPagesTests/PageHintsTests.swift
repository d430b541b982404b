import Testing

@testable import SettingsPages

struct PageHintsTests {
    @Test func reasonsBecomeSentences() {
        for (reason, sentence) in [
            ("removed on one side, changed on the other", "Removed on one side, changed on the other"),
            ("a number cannot be a string", "A number cannot be a string"),
            ("a is not set", "a is not set"), ("net.a: not a number", "net.a: not a number"), ("", ""), ("a", "a"),
        ] { #expect(PageHints.sentence(reason) == sentence) }
    }
}
