import SettingsFormats
import SettingsModel
import Testing

struct JSONFormatTests {
    private func refusal(_ text: String) -> Refusal? {
        #expect(throws: Refusal.self) { try JSONFormat.read(["a.json": text]) }
    }

    @Test func theSameValuesInTheSameOrder() throws {
        let text = """
            {
              "z": 15.0,
              "a": [
                1,
                "1",
                null
              ],
              "m": {
                "é": "YES",
                "empty": {}
              },
              "none": null
            }

            """
        let imported = try JSONFormat.read(["a.json": text])
        #expect(imported.givesValues && imported.repairs.isEmpty && imported.format == .json)
        #expect(try JSONFormat.write(imported.settings, WriteRequest()) == .text(Array(text.utf8)))
    }

    @Test func commentsAndDuplicateNames() throws {
        let text = "{\n  // why\n  \"a\": 1, /* so */\n  \"b\": [1, 2,],\n  \"a\": 2,\n}\n"
        let imported = try JSONFormat.read(["a.json": text])
        #expect(try PlainSettings.tree(of: imported.settings, as: .json).root.compact == #"{"b":[1,2],"a":2}"#)
        #expect(imported.repairs.map(\.line) == [2, 3] && imported.repairs.allSatisfy { $0.kind == .repaired })
        #expect(imported.repairs.last?.key == "a")
    }

    @Test func errorsHavePositionsAndHints() {
        #expect(refusal("{\n\"a\": 1\n\"b\": 2}")?.position?.line == 3)
        #expect(refusal("{\n// why\n\"a\":1\n\"b\": 2}")?.position?.line == 4)
        #expect(refusal("{\n<<<<<<< HEAD\n\"a\":1}")?.hint?.contains("resolve") == false)
        #expect(refusal("")?.hint?.contains("discard") != true)
        #expect(refusal("// nothing")?.hint?.contains("discard") != true)
        #expect(refusal("[1]")?.hint?.contains("object") == true)
        #expect(refusal(String(repeating: "[", count: 1_000_000))?.position != nil)
    }

    @Test func oneFileWithoutDefinitions() throws {
        #expect(throws: Refusal.self) { try JSONFormat.read(["a.json": "{}", "b.json": "{}"]) }
        var request = WriteRequest()
        request.part = .definitions
        #expect(throws: Refusal.self) { try JSONFormat.write(SettingsContent(), request) }
        #expect(try Formats.recognised(Source(files: [(path: "x/A.JSON", bytes: Array("{}".utf8))])) == JSONFormat.self)
        #expect(try Formats.recognised(Source(files: [(path: "x/a.yml", bytes: [])])) == YAMLFormat.self)
    }
}
