import SettingsModel
import Testing

@testable import SettingsFormats

struct KeyNamesTests {
    @Test(arguments: [
        ("font-name", "font-name"), ("Use Wi-Fi", "Use-Wi-Fi"), ("a.b/c", "a-b-c"), ("größe", "grosse"), ("_x_", "x_"),
        ("naïve café", "naive-cafe"), ("a-", "a-"), (" a ", "a"), ("日本", "key-9f26ee51"), ("", "key-811c9dc5"),
    ])
    func partsOfNames(_ name: String, _ part: String) throws {
        #expect(KeyNames.part(from: name) == part)
        #expect((try? Key(parts: [part])) != nil)
    }

    @Test func clashingNamesGetDifferentKeys() throws {
        var names = KeyNames()
        #expect(try names.key("Color", in: .root).key.name == "Color")
        let other = try names.key("color", in: .root)
        #expect(other.key.name.hasPrefix("color-") && !other.isExact)
        #expect(try names.key("Color", in: .root).key.name == "Color")
        // The key doesn't depend on the names before it.
        var later = KeyNames()
        _ = try later.key("COLOR", in: .root)
        #expect(try later.key("color", in: .root).key == other.key)
    }

    @Test(arguments: [["a", "A", "a ", "a"], ["\u{212B}", "\u{C5}", "A\u{30A}"], ["x\u{C5}", "x\u{212B}"]])
    func eachNameHasItsOwnKey(_ list: [String]) throws {
        var names = KeyNames()
        let parts = try list.map { try names.key($0, in: .root).key.name.lowercased() }
        #expect(Set(parts).count == Set(list.map { ExactText($0) }).count)
    }

    @Test func nameThatLooksLikeADisambiguatedOne() throws {
        var names = KeyNames()
        _ = try names.key("a", in: .root)
        let apart = try names.key("A", in: .root).key.name
        var others = KeyNames()
        #expect(Set(try [apart, "a", "A"].map { try others.key($0, in: .root).key.name }).count == 3)
    }

    @Test func longNamesAreTruncated() throws {
        let long = String(repeating: "x", count: 300)
        #expect(KeyNames.part(from: long).utf8.count <= 128)
        #expect(KeyNames.part(from: long) != KeyNames.part(from: long + "y"))
    }

    @Test(arguments: [
        ("fontSize", "Font Size"), ("font_size", "Font Size"), ("cD", "C D"), ("editorHTTPPort", "Editor HTTP Port"),
        ("x", "X"), ("日本", "日本"), ("---", "---"),
    ])
    func titles(_ name: String, _ title: String) {
        #expect(Titles.words(of: name) == title)
    }

    /// Compares all names of up to six characters of each kind.
    @Test func titlesOfASCIIMatchThoseOfCharacters() {
        var names = [""]
        for _ in 0..<6 { names = [""] + names.flatMap { name in ["a", "B", "1", "-"].map { name + $0 } } }
        for name in names { #expect(Titles.words(of: name) == Titles.words(ofCharacters: name)) }
    }
}
