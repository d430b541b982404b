import SettingsFormats
import SettingsModel
import Testing

struct EnvFormatTests {
    private func imported(_ text: String) throws -> Imported { try EnvFormat.read([".env": text]) }

    private func json(_ text: String) throws -> String {
        try PlainSettings.tree(of: imported(text).settings, as: .json).root.compact
    }

    private func written(_ settings: SettingsContent) throws -> String {
        guard case .text(let bytes) = try EnvFormat.write(settings, WriteRequest()) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func refusal(_ text: String) -> Refusal? {
        #expect(throws: Refusal.self) { try imported(text) }
    }

    @Test func everyValueIsAText() throws {
        let text = #"""
            # before
            PORT=8080
            export DEBUG=true   # why
              HOME_PAGE = https://example.org/#top
            EMPTY=
            QUOTED="a b \"c\" \n\t\\ \x \$HOME"  # why
            RAW='a b \n $HOME'
            SHELL_WORDS=$(rm -rf /) ${HOME} `id`
            a.b-c=1
            MANY="one
            two"
            """#
        #expect(
            try json(text) == #"""
                {"PORT":"8080","DEBUG":"true","HOME_PAGE":"https://example.org/#top","EMPTY":"",\#
                "QUOTED":"a b \"c\" \n\t\\ \\x $HOME","RAW":"a b \\n $HOME","SHELL_WORDS":"$(rm -rf /) ${HOME} `id`",\#
                "a.b-c":"1","MANY":"one\ntwo"}
                """#)
        #expect(try imported(text).settings.options.values.allSatisfy { $0.type == .text })
        #expect(try imported(text).settings.options[Key("HOME_PAGE")]?.title == "HOME PAGE")
    }

    @Test func roundTrips() throws {
        let texts = [
            "1", "", " ", "a b", "'", "\"", "$HOME", "it's (x)", "\\n", "C:\\a b", "a\nb", "#", "a #b", "é", "=", "a=b", "`x`",
            "\t", "\"a\" $b",
        ]
        let tree = PlainTree(.object(texts.enumerated().map { JSON.Member(ExactText("K\($0.offset)"), .string($0.element)) }))
        let settings = try PlainSettings.settings(of: tree, in: "a", as: .env).settings
        #expect(try json(written(settings)) == tree.root.compact)
    }

    /// Values that a shell, docker compose, node and Python read differently, whatever the quotes.
    @Test(arguments: ["a\rb", "a\u{0}b", "${HOME}", "it's $x", "'\\'", "\\", "\\\\", "`x`'", "\"it's\""])
    func ambiguousValuesAreRejected(_ text: String) throws {
        var settings = SettingsContent()
        settings.options[try Key("K")] = SettingsOption(title: "", type: .text, value: .string(ExactText(text)))
        let refusal = #expect(throws: Refusal.self) { try written(settings) }
        #expect(refusal?.reason.hasPrefix("'K' can't be written") == true)
    }

    @Test func alternativeSyntax() throws {
        #expect(
            try json("A: x # c\nB: 'y z'\nC\nexport D # d\nE=`a\"b'c`\nF=a:b\n")
                == #"{"A":"x","B":"y z","C":null,"D":null,"E":"a\"b'c","F":"a:b"}"#)
        #expect(try imported("C\n").settings.options[Key("C")]?.type == .text)
        #expect(refusal("a.b c: d\n") != nil)
    }

    @Test func valuesOfOtherTypes() throws {
        var settings = SettingsContent()
        settings.options[try Key("A")] = SettingsOption(title: "", type: .number, value: .number(5))
        settings.options[try Key("B")] = SettingsOption(title: "", type: .switch, defaultValue: .bool(true))
        settings.options[try Key("C")] = SettingsOption(title: "", type: .text)
        #expect(try written(settings) == "A=5\nB=true\n")
        settings.options[try Key("D")] = SettingsOption(title: "", type: .data, value: .array([]))
        #expect(throws: Refusal.self) { try written(settings) }
        settings.options[try Key("D")] = nil
        settings.options[try Key("E.f")] = SettingsOption(title: "", type: .text, value: "x")
        let refusal = #expect(throws: Refusal.self) { try written(settings) }
        #expect(refusal?.reason.contains("'E'") == true)
        var named = SettingsContent()
        named.options[try Key("a")] = SettingsOption(title: "", type: .text, value: "x", other: ["key": "a b"])
        #expect(throws: Refusal.self) { try written(named) }
    }

    @Test func lastOfTwoVariablesCounts() throws {
        let imported = try imported("A=1\nB=2\nA=3\n")
        #expect(try imported.settings.options[Key("A")]?.value == "3")
        #expect(imported.settings.groups[.root]?.order == ["A", "B"])
        #expect(
            imported.repairs == [
                Repair(file: ".env", line: 3, key: "A", found: "the name appears twice", done: "the last value counts")
            ])
    }

    @Test func errorsHavePositions() {
        #expect(refusal("A=1\nB C\n")?.position?.line == 2)
        #expect(refusal("A=1\n\nB='x\ny\n")?.position?.line == 3)
        #expect(refusal("A='x'y\n")?.position?.line == 1)
        #expect(refusal("1A=2\n")?.reason.contains("'1A'") == true)
        #expect(refusal("a b=2\n") != nil)
        #expect(refusal("<<<<<<< HEAD\nA=1\n") != nil)
    }

    @Test(arguments: [".env", "x/.env.local", "app.env", "env"]) func recognised(_ path: String) throws {
        #expect(try Formats.recognised(Source(files: [(path: path, bytes: [])])) == EnvFormat.self)
    }
}
