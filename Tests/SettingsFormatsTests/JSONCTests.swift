import SettingsModel
import Testing

@testable import SettingsFormats

struct JSONCTests {
    private func read(_ text: String) throws -> JSONC { try JSONC(Array(text.utf8), in: "settings.json") }

    private func refusal(_ text: String) -> Refusal? {
        #expect(throws: Refusal.self) { try read(text) }
    }

    @Test func commentsAndTrailingCommas() throws {
        let document = try read(
            "\u{FEFF}// first\n{ /* a */ \"a\" /*:*/ : [1, 2.50, // two\n], \"b\": \"//é\\u00e9\", }\n/* end */")
        #expect(document.root?.json.compact == #"{"a":[1,2.50],"b":"//éé"}"#)
        #expect(document.hasExtras)
        #expect(document.root.map(document.line) == 2)
        #expect(try read(#"{"a": 1}"#).hasExtras == false)
    }

    @Test func nothingButComments() throws {
        #expect(try read("").root == nil)
        #expect(try read("// nothing\n/* yet */\n").root == nil)
    }

    @Test func lastOfTwoMembersCounts() throws {
        let document = try read("{\"a\": 1,\n\"b\": 2, \"a\": 3}")
        #expect(document.root?.json.compact == #"{"b":2,"a":3}"#)
        #expect(document.duplicates.map { $0.name } == ["a"])
        #expect(document.root?["a"]?.json == .number(3))
    }

    @Test func errorsHavePositions() {
        for (text, line, column, word) in [
            ("{\n  \"a\": 1\n  \"b\": 2}", 3, 3, "','"), ("{\"a\": tru}", 1, 7, "value"), ("{'a': 1}", 1, 2, "name"),
            ("{\"a\": 1, /* b", 1, 10, "not closed"), ("{\"a\": 01}", 1, 8, "begin with 0"), ("[1,,2]", 1, 4, "value"),
            ("{\"é\": \"a\nb\"}", 1, 9, "line"), ("{\"a\": 1} x", 1, 10, "end of input"), ("{\"a\": \"\\x\"}", 1, 8, "escape"),
            ("{\"a\" 1}", 1, 6, "':'"), ("{", 1, 2, "ends"), ("{\"a\": /", 1, 7, "comment"),
        ] {
            let found = refusal(text)
            #expect(found?.position == BadFile.Position(line: line, column: column), "\(text): \(found.debugDescription)")
            #expect(found?.reason.contains(word) == true, "\(text): \(found?.reason ?? "")")
        }
        #expect(refusal("{\n<<<<<<< ours\n\"a\": 1\n")?.reason.contains("conflict") == true)
    }

    @Test func invalidUTF8IsRejected() {
        let refusal = #expect(throws: Refusal.self) { try JSONC(Array("{\"a\": \"".utf8) + [0xE9] + Array("\"}".utf8), in: "a") }
        #expect(refusal?.reason.contains("UTF-8") == true)
    }

    @Test func depthIsLimited() throws {
        #expect(try read(String(repeating: "[", count: 128) + String(repeating: "]", count: 128)).root != nil)
        #expect(refusal(String(repeating: "[", count: 129) + String(repeating: "]", count: 129))?.reason.contains("128") == true)
        #expect(refusal(String(repeating: "{\"a\":", count: 1_000_000))?.reason.contains("128") == true)
    }
}
