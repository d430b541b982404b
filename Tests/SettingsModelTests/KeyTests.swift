import SettingsModel
import Testing

@Suite struct KeyTests {
    @Test(arguments: ["general.language", "general/language", "general/language.json"])
    func `three spellings mean one key`(spelling: String) throws {
        #expect(try Key(spelling).parts == ["general", "language"])
    }

    @Test(arguments: ["", ".", "..", "a..b", ".git", "a/../b", "/a", "a/", "-a", "_a", "a b", "a\u{1}", "é", String(repeating: "x", count: 129)])
    func `what is no key is refused`(text: String) {
        #expect(throws: Key.Malformed.self) { try Key(text) }
    }
}
