import Seeds
import SettingsModel
import Testing

@testable import SettingsFormats

struct TOMLFormatTests {
    private func imported(_ text: String) throws -> Imported { try TOMLFormat.read(["a.toml": text]) }

    private func written(_ settings: SettingsContent) throws -> String {
        guard case .text(let bytes) = try TOMLFormat.write(settings, WriteRequest()) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func again(_ text: String) throws -> String { try written(imported(text).settings) }

    private func json(_ text: String) throws -> String {
        let imported = try imported(text)
        #expect(imported.repairs.isEmpty)
        return try PlainSettings.tree(of: imported.settings, as: .json).root.compact
    }

    private func refusal(_ text: String) -> Refusal? {
        #expect(throws: Refusal.self) { try imported(text) }
    }

    @Test func fileOrderIsKept() throws {
        let text = """
            zebra = 15.0
            apple = "1"
            when = 1979-05-27T07:32:00Z
            "a b" = 'c:\\x'
            dotted.z.y = 1
            dotted.a = [ 1, [ 2, "]" ], { y = 1, x = { } } ] # ] comment
            after = true

            [tool.z]
            b = 1
            a = 2
            [tool."a.b"]
            [[list]]
            name = "x"
            [list.sub]
            y = 1
            [[list]]
            name = "y"
            [empty]
            """
        #expect(
            try json(text) == #"""
                {"zebra":15.0,"apple":"1","when":"1979-05-27T07:32:00Z","a b":"c:\\x",\#
                "dotted":{"z":{"y":1},"a":[1,[2,"]"],{"y":1,"x":{}}]},"after":true,\#
                "tool":{"z":{"b":1,"a":2},"a.b":{}},"list":[{"name":"x","sub":{"y":1}},{"name":"y"}],"empty":{}}
                """#)
        let written = try again(text)
        #expect(
            written == """
                zebra = 15.0
                apple = "1"
                when = 1979-05-27T07:32:00Z
                "a b" = "c:\\\\x"
                dotted.z.y = 1
                dotted.a = [1, [2, "]"], { y = 1, x = {} }]
                after = true

                [tool.z]
                b = 1
                a = 2

                [tool."a.b"]

                [[list]]
                name = "x"

                [list.sub]
                y = 1

                [[list]]
                name = "y"

                [empty]

                """)
        #expect(try again(written) == written)
        let settings = try imported(text).settings
        #expect(settings.options.values.allSatisfy { $0.faults().isEmpty && (try? SettingsOption(file: $0.file)) == $0 })
        #expect(try settings.options[Key("list")]?.type == .data)
    }

    @Test(arguments: [
        ("0xFF", "255"), ("0o17", "15"), ("0b11", "3"), ("1_000", "1000"), ("+99", "99"), ("-0", "-0"), ("1e3", "1e3"),
        ("6.626e-34", "6.626e-34"), ("1_0.5", "10.5"), ("+1.0", "1.0"), ("inf", "\"inf\""), ("-nan", "\"-nan\""),
        ("1979-05-27", "\"1979-05-27\""), ("07:32:00.999", "\"07:32:00.999\""),
        ("1979-05-27 07:32:00", "\"1979-05-27 07:32:00\""),
        ("1979-05-27t00:32:00.5-07:00", "\"1979-05-27t00:32:00.5-07:00\""),
    ])
    func spellingsAndTimesRoundTrip(_ text: String, _ meaning: String) throws {
        #expect(try json("a = \(text)\n") == "{\"a\":\(meaning)}")
        #expect(try again("a = \(text)\nb = [\(text), 1]\n") == "a = \(text)\nb = [\(text), 1]\n")
    }

    @Test func textThatLooksLikeATimeStaysText() throws {
        #expect(try again("a = \"1979-05-27\"\nb = \"inf\"\nc = \"1\"\n") == "a = \"1979-05-27\"\nb = \"inf\"\nc = \"1\"\n")
        var settings = try imported("a = 1979-05-27\nb = 0xFF\nc = inf\n").settings
        settings.options[try Key("a")]?.value = "1979-02-30"
        settings.options[try Key("b")]?.value = .number(256)
        settings.options[try Key("c")]?.value = "1980-01-01"
        #expect(try written(settings) == "a = \"1979-02-30\"\nb = 256\nc = 1980-01-01\n")
    }

    @Test func datesAreTextsWithAPattern() throws {
        let settings = try imported(
            "a = 1979-05-27\nb = 07:32:00\nc = 1979-05-27T07:32:00Z\nd = 1979-05-27 07:32:00.5\ne = inf\n"
        ).settings
        for (key, good, bad) in [
            (
                "a", ["2024-02-29", "2000-02-29"],
                ["2023-02-29", "1900-02-29", "2024-04-31", "2024-13-01", "soon", "2024-02-29\n", ""]
            ),
            ("b", ["23:59:59.123"], ["24:00:00", "7:30:00", "07:32"]),
            ("c", ["2024-01-01t00:00:00+01:00"], ["2024-01-01T00:00:00", "2024-01-01"]),
            ("d", ["2024-01-01T00:00:00"], ["2024-01-01T00:00:00Z"]),
        ] {
            let option = try #require(settings[key])
            #expect(option.type == .text)
            for text in good {
                #expect(option.fault(of: .string(ExactText(text))) == nil, "\(key) \(text)")
                #expect(TOMLScalar(text)?.mark != nil)
            }
            for text in bad { #expect(option.fault(of: .string(ExactText(text))) != nil, "\(key) \(text)") }
        }
        #expect(settings["e"]?.type == .data)
    }

    @Test func integersStayIntegers() throws {
        let settings = try imported("a = 1\nb = 1.0\n").settings
        #expect(throws: SettingsOption.Refusal.self) { try settings["a"]?.value(for: .word("1.5")) }
        let half = try #require(Number("0.5"))
        #expect(throws: SettingsOption.Refusal.self) { try settings["a"]?.value(for: .plus(half)) }
        #expect(try settings["a"]?.value(for: .word("7.0")) == .number(7))
        #expect(try settings["b"]?.value(for: .word("1.5")) == Number("1.5").map { .number($0) })
    }

    @Test func featuresOfTOML1_1() throws {
        let text = "a = {\n  x = 1, # one\n  y = [ 1,\n 2 ],\n}\nb = \"\\e[0m\\x41\\xe9\"\nc = 07:32\nd = 1979-05-27 07:32Z\n"
        #expect(try json(text) == #"{"a":{"x":1,"y":[1,2]},"b":"\u001b[0mAé","c":"07:32","d":"1979-05-27 07:32Z"}"#)
        #expect(refusal(text + "c = 1\n")?.position?.line == 9)
        #expect(refusal("a = {,}\n") != nil && refusal("a = { x = 1,, }\n") != nil && refusal("a = \"\\xZZ\"\n") != nil)
        #expect(try imported("c = 07:32\n").settings["c"]?.fault(of: "08:15:30") == nil)
    }

    @Test func everyString() throws {
        let text = #"""
            a = "tab\t quote\" \u00E9 \U0001F600 \\ \u0000 \u007F"
            b = 'C:\n'
            c = """
            two
              lines\n "" \
               joined"""
            d = '''
            x'y''z'''
            e = """"quoted""""
            f = ""
            "" = ''
            "é.ñ" = 1
            """#
        let expected: [String] = [
            "tab\t quote\" é 😀 \\ \u{0} \u{7F}", "C:\\n", "two\n  lines\n \"\" joined", "x'y''z", "\"quoted\"", "", "",
        ]
        let tree = try PlainSettings.tree(of: imported(text).settings, as: .toml).root
        guard case .object(let members) = tree else { return }
        #expect(members.dropLast().map(\.value) == expected.map { .string($0) })
        #expect(members.map(\.name.string) == ["a", "b", "c", "d", "e", "f", "", "é.ñ"])
        #expect(try PlainSettings.tree(of: imported(again(text)).settings, as: .toml).root == tree)
    }

    @Test func orderThatHeadersCannotExpressIsKept() throws {
        let tree = try PlainTree(JSON(parsing: #"{"t":{"u":{"a":1},"e":{}},"b":2,"l":[{"x":1}],"c":3,"s":{"x":{"y":1}},"m":[]}"#))
        let settings = try PlainSettings.settings(of: tree, in: "a", as: .toml).settings
        let text = try written(settings)
        #expect(text == "t.u.a = 1\nt.e = {}\nb = 2\nl = [{ x = 1 }]\nc = 3\ns.x.y = 1\nm = []\n")
        #expect(try PlainSettings.tree(of: imported(text).settings, as: .toml).root == tree.root)
    }

    @Test func valuesThatTOMLCannotExpress() throws {
        func refusal(_ json: String) throws -> Refusal? {
            let settings = try PlainSettings.settings(of: PlainTree(JSON(parsing: json)), in: "a", as: .json).settings
            return #expect(throws: Refusal.self) { try written(settings) }
        }
        #expect(try refusal(#"{"a":{"b":[1,null]}}"#)?.reason.contains("'a.b.1' is null") == true)
        #expect(try refusal(#"{"a":9223372036854775808}"#)?.reason.contains("'a'") == true)
        let settings = try PlainSettings.settings(of: PlainTree(JSON(parsing: #"{"a":null,"b":1}"#)), in: "a", as: .json).settings
        #expect(try written(settings) == "b = 1\n")
        #expect(try written(SettingsContent()) == "")
    }

    @Test func errorsHavePositions() {
        #expect(refusal("a = 1\nb = \n")?.position?.line == 2)
        #expect(refusal("a = 1\na = 2\n")?.position?.line == 2)
        #expect(refusal("[a]\n[a]\n")?.position?.line == 2)
        #expect(refusal("a = 1\n<<<<<<< HEAD\n")?.hint?.contains("conflict") == true)
        #expect(refusal("a = 1\nb = \"\u{0}\"\n")?.position?.line == 2)
        #expect(refusal("a = 99999999999999999999\n")?.position?.line == 1)
        #expect(refusal("a = 2001-02-30\n")?.position?.line == 1)
    }

    @Test func boundsAreKept() { #expect(processorTime { refuseWhatIsTooLong() } < .seconds(60)) }

    private func refuseWhatIsTooLong() {
        #expect(refusal("a = " + String(repeating: "[", count: 1_000_000))?.reason.contains("127") == true)
        #expect(refusal(String(repeating: "a.", count: 1_000_000) + "a = 1")?.reason.contains("127") == true)
        #expect(refusal("[" + String(repeating: "a.", count: 1_000_000) + "a]")?.reason.contains("127") == true)
        #expect(refusal(String(repeating: "a={", count: 1_000_000))?.reason.contains("127") == true)
        #expect(refusal(String(repeating: "#", count: 5 << 20))?.reason.contains("MiB") == true)
    }
}
