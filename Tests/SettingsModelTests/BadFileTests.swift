@testable import SettingsModel
import Seeds
import Testing

/// Unreadable files, and the position of the error.
@Suite struct BadFileTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        var file: String
        /// `line:column`; nil if the error concerns the whole file.
        var place: String?
        var words: String
        var testDescription: String { words + " in " + String(file.prefix(60)) }

        init(_ file: String, _ place: String?, _ words: String) {
            (self.file, self.place, self.words) = (file, place, words)
        }
    }

    private func check(_ bad: Bad, _ bytes: [UInt8]? = nil) {
        do {
            let option = try SettingsOption(file: bytes ?? Array(bad.file.utf8))
            Issue.record("read as \(option.json.compact)")
        } catch {
            #expect(error.position.map { "\($0.line):\($0.column)" } == bad.place, "\(error.reason)")
            #expect(error.reason.contains(bad.words), "\(error.reason)")
        }
    }

    @Test(arguments: [
        Bad("", nil, "empty"),
        Bad(" \n", nil, "empty"),
        Bad("{", "1:2", "found the end of input"),
        Bad("{\n  \"title\": \"T\",\n}", "3:1", "expected a name in double quotes, found '}'"),
        Bad("{\"a\": [1, 2,]}", "1:13", "expected a value, found ']'"),
        Bad("{\"a\" 1}", "1:6", "expected ':', found '1'"),
        Bad("{\"a\": 1 \"b\": 2}", "1:9", "expected ',' or '}'"),
        Bad("{\"é日\": x}", "1:8", "expected a value, found 'x'"),
        Bad("{\"a\": 01}", "1:8", "must not begin with 0"),
        Bad("{\"a\": -}", "1:8", "expected a digit"),
        Bad("{\"a\": 1.}", "1:9", "expected a digit"),
        Bad("{\"a\": .5}", "1:7", "'.'"),
        Bad("{\"a\": +1}", "1:7", "'+'"),
        Bad("{\"a\": NaN}", "1:7", "'N'"),
        Bad("{\"a\": Infinity}", "1:7", "'I'"),
        Bad("{\"a\": -Infinity}", "1:8", "'I'"),
        Bad("{\"a\": nul}", "1:7", "'n'"),
        Bad("// note\n{}", "1:1", "'/'"),
        Bad("{} {}", "1:4", "expected the end of input"),
        Bad("{\"a\": 1, \"a\": 2}", "1:10", "\"a\" appears twice"),
        Bad("{\"a\": \"x", "1:9", "ends inside a string"),
        Bad("{\"a\": \"x\n\"}", "1:9", "not closed on its line"),
        Bad("{\"a\": \"x\u{1}\"}", "1:9", "\\u0001"),
        Bad("{\"a\": \"\\x\"}", "1:8", "invalid escape"),
        Bad("{\"a\": \"\\u12g4\"}", "1:12", "four hexadecimal digits"),
        Bad("{\"a\": \"\\ud800\"}", "1:8", "surrogate"),
        Bad("{\"a\": \"\\udc00\\ud800\"}", "1:8", "surrogate"),
        Bad("{\"a\": 'x'}", "1:7", "'''"),
        Bad("[1]", "1:1", "an array, not an object"),
        Bad("null", "1:1", "null, not an object"),
        Bad("{\n<<<<<<< ours\n  \"title\": \"A\"\n=======\n", "2:1", "conflict markers"),
        Bad("{\n  \"title\": \"A\",\n=======\n", "3:1", "conflict markers"),
    ])
    func theErrorForInvalidJSONHasAPosition(bad: Bad) { check(bad) }

    static let choice = "\"title\": \"T\", \"type\": \"choice\", "

    @Test(arguments: [
        Bad("{\"type\": \"switch\"}", nil, "\"title\" is missing"),
        Bad("{\"title\": \"T\"}", nil, "\"type\" is missing"),
        Bad("{\"title\": 1, \"type\": \"switch\"}", "1:11", "must be a string, not a number"),
        Bad("{\n\"title\": \"T\",\n\"type\": \"slider\"}", "3:9", "\"slider\", not one of"),
        Bad("{\(choice)\"selected\": 0}", nil, "\"labels\" is missing"),
        Bad("{\(choice)\"labels\": {}}", "1:44", "must be an array, not an object"),
        Bad("{\(choice)\"labels\": [\"A\", 1]}", "1:50", "must be a string, not a number"),
        Bad("{\(choice)\"selected\": 2, \"labels\": [\"A\", \"B\"]}", "1:46", "is 2, but there are 2 labels"),
        Bad("{\(choice)\"selected\": -1, \"labels\": [\"A\"]}", "1:46", "is -1"),
        Bad("{\(choice)\"selected\": 0.5, \"labels\": [\"A\"]}", "1:46", "must be an index or null"),
        Bad("{\(choice)\"selected\": \"0\", \"labels\": [\"A\"]}", "1:46", "must be an index or null"),
        Bad("{\(choice)\"selected\": 0, \"labels\": []}", "1:46", "there are 0 labels"),
        Bad(
            "{\(choice)\"labels\": [\"A\", \"B\"], \"values\": [1]}", "1:50",
            "element 1 (\"B\") has no counterpart in \"values\""
        ),
        Bad("{\(choice)\"labels\": [\"A\"], \"values\": [1, 2]}", "1:65", "element 1 has no counterpart in \"labels\""),
        Bad("{\(choice)\"labels\": [\"A\"], \"longLabels\": []}", "1:45", "has no counterpart in \"longLabels\""),
        Bad("{\(choice)\"labels\": [\"A\", \"B\"], \"values\": [1, 1]}", "1:70", "the same as element 0"),
        Bad("{\(choice)\"labels\": [\"A\", \"A\"]}", "1:50", "the same as element 0"),
        Bad("{\(choice)\"labels\": [\"A\"], \"values\": [[]]}", "1:62", "not an array"),
        Bad("{\(choice)\"value\": \"x\", \"labels\": [\"A\"]}", "1:43", "not one of the option's values"),
        Bad("{\(choice)\"default\": \"x\", \"labels\": [\"A\"]}", "1:45", "not among the option's values"),
        Bad("{\"title\": \"T\", \"type\": \"switch\", \"value\": 1}", "1:43", "true"),
        Bad("{\"title\": \"T\", \"type\": \"switch\", \"values\": [1, 1]}", "1:44", "[off, on]"),
        Bad("{\"title\": \"T\", \"type\": \"number\", \"value\": \"1\"}", "1:43", "expected a number, not a string"),
        Bad("{\"title\": \"T\", \"type\": \"number\", \"value\": 11, \"maximum\": 10}", "1:43", "above the maximum"),
        Bad("{\"title\": \"T\", \"type\": \"number\", \"value\": 3, \"step\": 2}", "1:43", "not a step"),
        Bad("{\"title\": \"T\", \"type\": \"number\", \"minimum\": 2, \"maximum\": 1}", "1:45", "above the maximum"),
        Bad("{\"title\": \"T\", \"type\": \"number\", \"minimum\": \"2\"}", "1:45", "must be a number"),
        Bad("{\"title\": \"T\", \"type\": \"text\", \"value\": \"x\", \"pattern\": \"^[0-9]+$\"}", "1:41", "does not match"),
        Bad("{\"title\": \"T\", \"type\": \"text\", \"pattern\": \"(\"}", "1:43", "invalid pattern '('"),
        Bad("{\"title\": \"T\", \"type\": \"text\", \"masked\": 1}", "1:42", "true or false"),
        Bad("{\"title\": \"T\", \"type\": \"text\", \"readOnly\": \"yes\"}", "1:44", "true or false"),
        Bad("{\"title\": \"T\", \"type\": \"text\", \"help\": []}", "1:40", "must be a string"),
    ])
    func theErrorForAnInvalidMemberHasItsNameAndPosition(bad: Bad) { check(bad) }

    @Test func inputThatWouldExhaustTheMachineIsRejected() {
        let time = processorTime {
            check(Bad("", nil, "larger than the limit of 1 MiB"), Array(repeating: 32, count: 10 << 20))
            let deep = Array(repeating: UInt8(ascii: "["), count: 10_000)
            check(Bad("", "1:129", "more than 128 levels"), deep)
        }
        #expect(time < .seconds(5))
    }

    @Test func theErrorForInvalidUTF8HasAPosition() {
        check(Bad("", "2:3", "not UTF-8"), Array("{\n\"é".utf8) + [0xFF] + Array("\"}".utf8))
        check(Bad("", "1:3", "not UTF-8"), Array("{\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8))
        check(Bad("", "1:3", "not UTF-8"), Array("{\"".utf8) + [0xC0, 0x80] + Array("\"}".utf8))
    }

    @Test func aByteOrderMarkAndCRLFAreRead() throws {
        let file = "{\r\n  \"title\": \"T\",\r\n  \"type\": \"switch\"\r\n}\r\n"
        let option = try SettingsOption(file: [0xEF, 0xBB, 0xBF] + Array(file.utf8))
        #expect(option == SettingsOption(title: "T", type: .switch))
        check(Bad("", "1:2", "a name in double quotes"), [0xEF, 0xBB, 0xBF] + Array("{x}".utf8))
    }

    @Test func aPatternWithExponentialBacktrackingIsAbandoned() {
        let time = processorTime {
            for text in [String(repeating: "a", count: 60) + "!", String(repeating: "a", count: 500_000) + "!"] {
                for pattern in ["(a+)+$", "(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "a.{0,1000}b.{0,1000}c$"] {
                    #expect(Pattern.fault(of: ExactText(text), against: ExactText(pattern)) != nil)
                }
            }
        }
        #expect(time < .seconds(20))
    }

    @Test func errorsInAGroupFileNameTheMemberAndThePosition() {
        func fault(_ file: String) -> String? {
            do { _ = try SettingsGroup(file: Array(file.utf8)) } catch { return error.reason }
            return nil
        }
        #expect(fault("{}") == nil)
        #expect(fault("{\"style\": \"tab\"}") == "\"style\" is \"tab\", not section or page")
        #expect(fault("{\"order\": [\"a\", \"a\"]}")?.contains("again") == true)
        #expect(fault("{\"order\": [1]}")?.contains("must be a string") == true)
        #expect(fault("{\"order\": \"a\"}")?.contains("must be an array") == true)
    }

    @Test func aStoreOfALaterFormatIsRejectedWithAClearMessage() {
        func fault(_ file: String) -> BadFile? {
            do { _ = try StoreDefinition(file: Array(file.utf8)) } catch { return error }
            return nil
        }
        #expect(fault("{\"format\": 1}") == nil)
        #expect(fault("{\"format\": 1.0}") == nil)
        #expect(fault("{\"format\": 2}")?.reason.contains("a later format") == true)
        #expect(fault("{\"format\": 2}")?.position == BadFile.Position(line: 1, column: 12))
        #expect(fault("{}")?.reason.contains("\"format\" is missing") == true)
        #expect(fault("{\"format\": 0}")?.reason.contains("is not a valid format") == true)
        #expect(fault("{\"format\": 1.5}")?.reason.contains("is not a valid format") == true)
        #expect(fault("{\"format\": 1e400}")?.reason.contains("a later format") == true)
        #expect(
            fault("{\"format\": 1, \"policy\": {\"why\": \"always\"}}")?.reason.contains("required, asked or optional") == true)
        #expect(fault("{\"format\": 1, \"policy\": []}")?.reason.contains("must be an object") == true)
    }
}
