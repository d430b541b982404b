import SettingsModel
import Seeds
import Testing

@Suite struct KeyTests {
    @Test(arguments: ["general.language", "general/language", "general/language.json"])
    func threeSpellingsOfAKeyAreEquivalent(spelling: String) throws {
        #expect(try Key(spelling).parts == ["general", "language"])
    }

    @Test(arguments: [
        "", ".", "..", "a..b", ".git", "a/../b", "/a", "a/", "-a", "_a", "a b", "a\u{1}", "é", "a//b", "a\\b", "~", "a:b", "ﬁ",
        "a\u{301}", "a/.json", ".json", String(repeating: "x", count: 129),
    ])
    func invalidKeysAreRejected(text: String) {
        #expect(throws: Key.Malformed.self) { try Key(text) }
    }

    @Test func keysHaveAMaximumLengthAndDepth() throws {
        let part = String(repeating: "x", count: 128)
        #expect(try Key(part).parts == [part])
        #expect(try Key(Array(repeating: "a", count: 16).joined(separator: ".")).parts.count == 16)
        #expect(throws: Key.Malformed.self) { try Key(Array(repeating: "a", count: 17).joined(separator: ".")) }
    }

    @Test func aPartCantContainADotSoNoFileEndsInLock() {
        for part in ["a.lock", "a.b", "."] { #expect(throws: Key.Malformed.self) { try Key(parts: [part]) } }
    }

    @Test func theExtensionJsonIsDroppedOnlyFromAPathWithASlash() throws {
        #expect(try Key("a.json").parts == ["a", "json"])
        #expect(try Key("a/b.json").parts == ["a", "b"])
    }

    @Test func theGroupsAroundAKeyFromTheInnermost() throws {
        #expect(try Key("a.b.c").enclosingGroups == [Key("a.b"), Key("a")])
        #expect(try Key("a").enclosingGroups.isEmpty && Key.root.enclosingGroups.isEmpty)
    }

    @Test func aSubjectCanBeRestoredFromItsPath() {
        for key in Seeded.optionKeys { #expect(Subject(path: Subject.option(key).path) == .option(key)) }
        for key in Seeded.groupKeys { #expect(Subject(path: Subject.group(key).path) == .group(key)) }
        #expect(Subject(path: "_store.json") == .store)
        for path in [
            "", "README.md", ".json", "a/.json", "_x.json", "a/_store.json", "../a.json", "a//b.json", "/a.json", "a.b.json",
        ] {
            #expect(Subject(path: path) == nil, "\(path)")
        }
    }
}
