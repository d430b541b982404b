import Seeds
@testable import SettingsModel
import Testing

@Suite struct KeyWordTests {
    private let general = CurrentFolder("/home/ada/office/general", ofStore: "/home/ada/office")

    private func readings(_ word: String, from place: CurrentFolder) -> [String] {
        KeyWord(word, from: place).readings.map { $0.isRoot ? "/" : $0.description }
    }

    @Test(arguments: [
        ("general.language", ["general.language", "general.general.language"]),
        ("general/language.json", ["general.language", "general.general.language"]),
        ("language", ["language", "general.language"]),
        ("language.json", ["language.json", "general.language"]),
        ("./language", ["general.language"]), ("./language.json", ["general.language"]), ("./sub/x", ["general.sub.x"]),
        ("../sound/volume", ["sound.volume"]), ("sub/../x", ["general.x"]), ("../general/./x", ["general.x"]),
        ("/sound/volume", ["sound.volume"]), ("/language", ["language"]), ("/sound.volume", ["sound.volume"]),
        ("/home/ada/office/sound/volume.json", ["sound.volume"]), ("/home/ada/office/", ["/"]),
        (".", ["general"]), ("./", ["general"]), ("..", ["/"]), ("../", ["/"]), ("/", ["/"]),
        ("sound/", ["sound", "general.sound"]), ("/sound/", ["sound"]), ("../sound/", ["sound"]),
    ])
    func aWordInAFolderOfTheStore(word: String, expected: [String]) {
        #expect(readings(word, from: general) == expected)
    }

    @Test(arguments: [
        ("general.language", ["general.language"]), ("office", ["office"]), ("office/", ["office", "/"]),
        ("office/general/language.json", ["office.general.language", "general.language"]),
        ("./office/general", ["general"]), ("../ada/office/general/x", ["general.x"]),
    ])
    func aWordInAFolderAboveTheStore(word: String, expected: [String]) {
        #expect(readings(word, from: CurrentFolder("/home/ada", ofStore: "/home/ada/office")) == expected)
    }

    @Test(arguments: [
        "../..", "../../x", "./../../officers", "general/../../../office2/x", "../../office-2/x", "./../../../../..",
    ])
    func aPathThatLeavesTheStoreIsRefused(word: String) {
        let found = KeyWord(word, from: general)
        #expect(found.readings.isEmpty)
        #expect(throws: Problem.key(.isOutside(word, store: "/home/ada/office"))) { try found.written() }
    }

    @Test(arguments: ["", "//", "general//language", ".//x", "x//", "/..x", "a b", "général", "./.git/config", "-x", "./a/.json"])
    func whatIsNotAKeyIsMalformed(word: String) {
        let found = KeyWord(word, from: general)
        #expect(found.readings.isEmpty)
        #expect(throws: Problem.self) { try found.written() }
    }

    @Test(arguments: ["/", ".", "..", "./", "x/", "../x/", "./x/."]) func theseWordsNameGroups(word: String) {
        #expect(KeyWord(word, from: general).isGroup)
    }

    @Test func aKeyInFullIsTheFirstReadingOfItselfEverywhere() {
        let places = [nil, general, CurrentFolder("/", ofStore: "/"), CurrentFolder("/a/b", ofStore: "/a/b/c")]
        for key in Seeded.optionKeys {
            for place in places {
                for word in [key.description, key.path, "/" + key.path] {
                    let found = KeyWord(word, from: place)
                    #expect(found.readings.first == key && !found.isGroup, "\(word)")
                }
            }
        }
    }

    @Test func fileNamesAreComparedAsBytes() {
        let place = CurrentFolder("/caf\u{E9}/general", ofStore: "/cafe\u{301}")
        #expect(KeyWord("./language", from: place).readings.isEmpty)
    }
}
