import Seeds
import SettingsFormats
import SettingsModel
import Testing

struct YAMLFormatTests {
    private func imported(_ text: String) throws -> Imported { try YAMLFormat.read(["a.yaml": text]) }

    /// The export of what was imported.
    private func again(_ text: String) throws -> String { try written(imported(text).settings) }

    private func written(_ settings: SettingsContent) throws -> String {
        guard case .text(let bytes) = try YAMLFormat.write(settings, WriteRequest()) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func value(_ text: String) throws -> JSON? { try imported("a: \(text)\n").settings.options.values.first?.value }

    private func refusal(_ text: String) -> Refusal? {
        #expect(throws: Refusal.self) { try imported(text) }
    }

    @Test func eachKindOfValueInFileOrder() throws {
        let text = """
            zebra: 15.0
            apple: "1"
            on-air: true
            group:
              list:
              - 1
              - a: x
                b: []
              - - nested
              empty: {}
            text: |-
              two
              lines
            nothing: null

            """
        #expect(try again(text) == text)
        let settings = try imported(text).settings
        #expect(settings.groups[.root]?.order == ["zebra", "apple", "on-air", "group", "text", "nothing"])
        #expect(settings.options.values.allSatisfy { $0.faults().isEmpty && (try? SettingsOption(file: $0.file)) == $0 })
    }

    @Test(arguments: [
        ("yes", "true"), ("Off", "false"), ("True", "true"), ("'yes'", "\"yes\""), ("y", "\"y\""), ("~", ""), ("", ""),
        ("0x1F", "31"), ("010", "8"), ("0o10", "8"), ("08", "\"08\""), ("0b11", "3"), ("1_000", "1000"), ("+1", "1"),
        ("1:30", "90"), ("12:30:45.5", "45045.5"), ("1e3", "1e3"), (".5", "0.5"), ("5.", "5.0"), ("-1.50", "-1.50"),
        ("18446744073709551616", "18446744073709551616"), (".inf", "\".inf\""), ("-.INF", "\"-.INF\""), (".nan", "\".nan\""),
        ("2001-12-14", "\"2001-12-14\""), ("2001-12-14t21:59:43.10-05:00", "\"2001-12-14t21:59:43.10-05:00\""),
        ("1.2.3", "\"1.2.3\""), ("1 2", "\"1 2\""), ("--", "\"--\""), ("10.0.0.1", "\"10.0.0.1\""), ("=", "\"=\""),
        ("!!str 12", "\"12\""), ("!!int '12'", "12"), ("!!float 1", "1.0"), ("!!bool 'yes'", "true"), ("! 12", "\"12\""),
        ("!secret x", "\"x\""), ("!!binary aGk=", "\"aGk=\""), ("!!int x", "\"x\""),
    ])
    func meaningsOfWords(_ text: String, _ json: String) throws {
        let value = try value(text)
        #expect((value?.compact ?? "") == json)
        // Every reader gets the same value from the output, which has the same spelling or quotes.
        #expect(try self.value(String(again("a: \(text)\n").dropFirst(3).dropLast())) == value)
    }

    @Test(arguments: ["on", "0x1F", "010", "1:30", "2001-12-14", ".inf", "1e3", "!secret \"x\"", "!!binary \"aGk=\""])
    func spellingsRoundTrip(_ text: String) throws {
        #expect(try again("a: \(text)\n") == "a: \(text)\n")
        #expect(try again("a: [\(text)]\n") == "a:\n- \(text)\n")
    }

    @Test func spellingIsDroppedWithItsValue() throws {
        var settings = try imported("a: on\nb: 0x1F\nc: 2001-12-14\n").settings
        settings.options[try Key("a")]?.value = .bool(false)
        settings.options[try Key("b")]?.value = .number(32)
        settings.options[try Key("c")]?.value = "soon"
        #expect(try written(settings) == "a: false\nb: 32\nc: soon\n")
    }

    @Test func spellingsThatReadersDisagreeOnAreReported() throws {
        let repairs = try imported("a:\n  b: on\n  c: 0x10\n  d: true\n  e: 012\n").repairs
        #expect(repairs.map(\.line) == [2, 5])
        #expect(repairs[0].key == "a.b" && repairs[0].found == "on" && repairs[0].kind == .kept)
    }

    @Test func namesThatAreNotStrings() throws {
        let text = "1: a\ntrue: b\n2001-12-14: c\n\"2\": d\n~: e\n!t \"f\": g\n"
        #expect(try again(text) == text)
        #expect(try imported(text).settings.options[Key("1")]?.value == "a")
        #expect(refusal("? [a, b]\n: c\n")?.position?.line == 1)
        #expect(refusal("a: 1\n1: a\n\"1\": b\n")?.reason.contains("'1' appears twice") == true)
    }

    @Test func aliasesAndMerges() throws {
        let text = """
            base: &base {x: 1, y: &list [1, 2], text: '*star'}
            copy: *base
            other:
              <<: *base
              y: *list
              z: 3
            both:
              <<: [{x: 9, w: 0}, *base]
            shadow: &list 5
            again: *base
            last: *list

            """
        let tree = try PlainSettings.tree(of: imported(text).settings, as: .json).root
        #expect(
            tree.compact == """
                {"base":{"x":1,"y":[1,2],"text":"*star"},"copy":{"x":1,"y":[1,2],"text":"*star"},\
                "other":{"x":1,"text":"*star","y":[1,2],"z":3},"both":{"x":9,"w":0,"y":[1,2],"text":"*star"},\
                "shadow":5,"again":{"x":1,"y":[1,2],"text":"*star"},"last":5}
                """)
        #expect(refusal("a: *b\n")?.position == .init(line: 1, column: 4))
        #expect(refusal("a: &a [*a]\n")?.reason.contains("'*a' is undefined") == true)
        #expect(refusal("a: *glob.txt\n")?.hint?.contains("quotes") == true)
        #expect(refusal("a: 1\n<<: 2\n")?.position?.line == 2)
    }

    @Test func starsAndPrivateCharactersStay() throws {
        let text = "a: \"*\u{E000}*\"\n# *\nb: |\n  * one\n  * two\n\"*\": '**'\n"
        let values = try imported(text).settings.options.mapValues(\.value)
        #expect(try values[Key("a")] == "*\u{E000}*" && values[Key("b")] == "* one\n* two\n")
        #expect(values.values.contains("**"))
    }

    @Test func bombsAreRefusedQuickly() { #expect(processorTime { refuseBombs() } < .seconds(60)) }

    private func refuseBombs() {
        var bomb = "a0: &a0 [1,1,1,1,1,1,1,1,1]\n"
        for level in 1...40 {
            bomb += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ","))]\n"
        }
        #expect(refusal(bomb)?.reason.contains("aliases") == true)

        var merges = "a0: &a0 {x: 1}\n"
        for level in 1...40 { merges += "a\(level): &a\(level) {<<: [*a\(level - 1), *a\(level - 1), *a\(level - 1)]}\n" }
        #expect(refusal(merges) != nil)

        // As a name, and nested so deep that a reader that follows aliases without a limit overflows its stack.
        var names = "a0: &a0 [1]\n"
        for level in 1...40 { names += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(refusal(names + "? *a40\n: 1\n") != nil)
        var chain = "a0: &a0 [1]\n"
        for level in 1...20_000 { chain += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect(refusal(chain)?.reason.contains("127 levels") == true)

        let long =
            "a: &a \"\(String(repeating: "x", count: 1_000_000))\"\nb: [\(Array(repeating: "*a", count: 1000).joined(separator: ","))]\n"
        #expect(refusal(long) != nil)
        #expect(refusal(String(repeating: "[", count: 1_000_000)) != nil)
        #expect(refusal("a: " + String(repeating: "[", count: 500) + String(repeating: "]", count: 500)) != nil)
        #expect(refusal(String(repeating: "- ", count: 100_000)) != nil)
    }

    @Test func starsInTags() throws {
        #expect(try again("a: !x*y \"z\"\n") == "a: !x*y \"z\"\n")
        #expect(try again("a: [!*b \"z\", \"*c\"]\n") == "a:\n- !*b \"z\"\n- \"*c\"\n")
        #expect(refusal("a: &a [1]\nb: !x *b\n") != nil)
        // A combining character after the asterisk doesn't hide an alias.
        #expect(refusal("a: *\u{301}\n") != nil)
    }

    @Test func datesAreTextsWithAPattern() throws {
        let settings = try imported("a: 2024-01-31\nb: 2001-12-14t21:59:43.10-05:00\nc: .inf\nd: '2024-01-31'\n").settings
        #expect(settings["a"]?.type == .text && settings["a"]?.fault(of: "2024-02-29") == nil)
        #expect(settings["a"]?.fault(of: "2023-02-29") != nil && settings["a"]?.fault(of: "soon") != nil)
        #expect(settings["b"]?.fault(of: "2024-02-29 10:00:00 Z") == nil && settings["b"]?.fault(of: "2024-02-29") != nil)
        #expect(settings["c"]?.type == .data && settings["d"]?.pattern == nil)
    }

    @Test func errorsHavePositions() {
        #expect(refusal("a:\n\tb: 1\n")?.position?.line == 2)
        #expect(refusal("a:\n\tb: 1\n")?.hint?.contains("tabs") == true)
        #expect(refusal("a: 1\nb: 2\na: 3\n")?.reason == "the name 'a' appears twice")
        #expect(refusal("a: \"x\nb: 1\n")?.position != nil)
        #expect(refusal("- 1\n- 2\n")?.reason.contains("an array") == true)
        #expect(refusal("a: \u{1}\n")?.position?.line == 1)
        #expect(refusal("<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n") != nil)
    }

    @Test func emptyFileHasNoSettings() throws {
        for text in ["", "# only words\n", "---\n", "{}", "~\n", "a: 1\n---\n"] {
            #expect(try imported(text).settings.options.count == (text.hasPrefix("a") ? 1 : 0))
        }
        #expect(try again("") == "{}\n")
    }

    @Test func bytesOfOtherEncodings() throws {
        let text = "a: é\r\nb: 1\r\n"
        var little: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { little += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        for bytes in [little, marked] {
            let source = Source(files: [(path: "a.yml", bytes: bytes)])
            #expect(try YAMLFormat.read(source, ReadRequest()).settings.options[Key("a")]?.value == "é")
        }
        #expect(throws: Refusal.self) {
            try YAMLFormat.read(Source(files: [(path: "a.yml", bytes: [0x61, 0x3A, 0x20, 0xE9])]), ReadRequest())
        }
    }

    /// Texts that need the right quotes.
    @Test func everyTextRoundTrips() throws {
        let texts = [
            "", " ", "a ", " a", "a: b", "a:", "a #b", "a#b", "#a", "- a", "-", "?", "? a", ":", "a\nb", "a\nb\n", "a\nb\n\n",
            "\na", " a\nb", "a \nb", "a\n\n  b", "a\tb", "\ta", "a\r\nb", "\u{0}", "\u{7F}", "\u{85}a", "a\u{2028}b",
            "'", "\"", "\\", "''", "|", ">", "|-", "%a", "@a", "`a", "!a", "&a", "*a", "{a}", "[a]", "{", "}", "a, b", "---",
            "...", "--- a", "null", "Null", "~", "yes", "NO", "On", "y", "N", "true", "1", "1.0", "0x1", "1_0", "1e3", "1:30",
            "08", ".5", ".", "..", ".inf", ".a", "2001-01-01", "12:30", "=", "<<", "é", "日本", "👩‍👩‍👧", "\u{202E}abc",
            "a\n---\nb", "a\n# b", "a\n...", String(repeating: "x", count: 2000), String(repeating: "a b ", count: 600),
        ]
        let members = texts.enumerated().map { JSON.Member(ExactText("k\($0.offset)"), .string($0.element)) }
        let names = texts.map { JSON.Member(ExactText($0), .array([.string($0), .array([.string($0)])])) }
        let tree = PlainTree(.object(members + [JSON.Member("names", .object(names))]))
        let settings = try PlainSettings.settings(of: tree, in: "a", as: .yaml).settings
        let text = try written(settings)
        let again = try PlainSettings.tree(of: imported(text).settings, as: .yaml)
        #expect(again.marks == [:] && again.nameMarks == [:])
        #expect(again.root == tree.root)
    }
}
