import SettingsModel
import Testing

@testable import SettingsFormats

/// Values keep their kind: in a file that is edited, and from one format to another that has the kind.
struct InPlaceKindsTests {
    private func edited(
        _ format: any Format.Type, _ text: String, named name: String, _ change: (inout SettingsContent) throws -> Void
    ) throws -> String {
        var settings = try format.read([name: text]).settings
        try change(&settings)
        var request = WriteRequest()
        (request.present, request.name) = (Array(text.utf8), name)
        return try format.text(settings, request)
    }

    @Test func realsStayReals() throws {
        let cases: [(any Format.Type, String, String, String)] = [
            (TOMLFormat.self, "a.toml", "t = 1.0 # s\nl = [1.0, 2.5]\ni = 1\n", "t = 2.0 # s\nl = [1.0, 3.0, 4.0]\ni = 3\n"),
            (YAMLFormat.self, "a.yaml", "t: 1.0 # s\nl: [1.0, 2.5]\ni: 1\n", "t: 2.0 # s\nl: [1.0, 3.0, 4.0]\ni: 3\n"),
            (
                JSONFormat.self, "a.json", #"{"t": 1.0, "l": [1.0, 2.5], "i": 1}"#,
                #"{"t": 2.0, "l": [1.0, 3.0, 4.0], "i": 3}"#
            ),
        ]
        for (format, name, text, expected) in cases {
            let result = try edited(format, text, named: name) { settings in
                settings.set("t", .number(2))
                settings.set("l", .array([.number(1), .number(3), .number(4)]))
                settings.set("i", .number(3))
            }
            #expect(result == expected)
        }
    }

    /// An import of what an export in place wrote has nothing to change.
    @Test func whatWasWrittenIsNoChange() throws {
        let cases: [(any Format.Type, String, String, JSON, String)] = [
            (YAMLFormat.self, "a.yaml", "a: no\n", .bool(true), "a: yes\n"),
            (YAMLFormat.self, "a.yaml", "a: OFF\n", .bool(true), "a: ON\n"),
            (YAMLFormat.self, "a.yaml", "a: 0o17\n", .number(3), "a: 3\n"),
            (YAMLFormat.self, "a.yaml", "a: 1.0\n", .number(2), "a: 2.0\n"),
            (YAMLFormat.self, "a.yaml", "a: .inf\n", "b", "a: \"b\"\n"),
            (TOMLFormat.self, "a.toml", "a = 0xFF\n", .number(16), "a = 16\n"),
            (TOMLFormat.self, "a.toml", "a = 1.0\n", .number(2), "a = 2.0\n"),
            (JSONFormat.self, "a.json", "{\"a\": 1.5}", .number(2), "{\"a\": 2.0}"),
        ]
        for (format, name, text, value, expected) in cases {
            var settings = try format.read([name: text]).settings
            settings.set("a", value)
            var request = WriteRequest()
            (request.present, request.name) = (Array(text.utf8), name)
            let result = try format.text(settings, request)
            #expect(result.replacing("\"b\"", with: "b") == expected.replacing("\"b\"", with: "b"))
            var again = try format.read([name: result])
            again.keepSpellings { settings }
            // What kind an option is follows from its value.
            again.settings.options[try Key("a")]?.type = settings["a"]?.type ?? .text
            #expect(again.settings == settings)
        }
    }

    @Test func kindsOfOtherFormats() throws {
        let yaml = try YAMLFormat.read(["a.yaml": "a: .inf\nb: [-.INF, .nan]\nc: 2024-01-31\nd: !!binary aGk=\n"]).settings
        #expect(try TOMLFormat.text(yaml) == "a = inf\nb = [-inf, nan]\nc = 2024-01-31\nd = \"aGk=\"\n")
        let toml = try TOMLFormat.read([
            "a.toml": "a = nan\nl = [inf, { x = -inf }]\nd = 2024-01-31T10:00:00Z\nt = 10:00:00\n"
        ]).settings
        #expect(
            try YAMLFormat.text(toml)
                == "a: .nan\nl:\n- .inf\n- x: -.inf\nd: 2024-01-31T10:00:00Z\nt: \"10:00:00\"\n")
        let plist = try PropertyListFormat.text(toml)
        #expect(plist.contains("<real>nan</real>") && plist.contains("<date>2024-01-31T10:00:00Z</date>"))
        #expect(try PropertyListFormat.text(yaml).contains("<data>"))
    }

    @Test func lossesAreReported() throws {
        var notes: [String] = []
        var request = WriteRequest()
        request.note = { notes.append($0) }
        let toml = try TOMLFormat.read(["a.toml": "a = inf\nd = 2024-01-31\nn = 1\n"]).settings
        _ = try JSONFormat.text(toml, request)
        #expect(notes == ["written as text, because json lacks their kind: 'a', 'd'"])
        notes = []
        let json = try JSONFormat.read(["a.json": #"{"a":null,"b":{"c":[{"d":null,"e":1}]},"f":1}"#]).settings
        #expect(try TOMLFormat.text(json, request) == "b.c = [{ e = 1 }]\nf = 1\n")
        #expect(notes == ["left out, because toml has no null: 'a', 'b.c.0.d'"])
        notes = []
        #expect(try YAMLFormat.text(json, request).contains("a: null") && notes.isEmpty)
    }

    @Test func yamlObeysItsVersion() throws {
        let text = "%YAML 1.2\n---\non: on\nmode: 0755\nbig: 1_000\ntime: 1:30\nhex: 0x1F # h\n"
        let settings = try YAMLFormat.read(["a.yaml": text]).settings
        #expect(settings["on"]?.value == "on" && settings["mode"]?.value == .number(755))
        #expect(settings["big"]?.value == "1_000" && settings["time"]?.value == "1:30" && settings["hex"]?.value == .number(31))
        let result = try edited(YAMLFormat.self, text, named: "a.yaml") { settings in
            settings.set("on", "off")
            settings.set("mode", .number(493))
            settings.set("hex", .number(32))
        }
        #expect(
            result
                == text.replacing("on: on", with: "on: \"off\"").replacing("0755", with: "493").replacing("0x1F", with: "32"))
        #expect(try YAMLFormat.read(["a.yaml": "%YAML 1.1\n---\na: on\n"]).settings["a"]?.value == .bool(true))
    }

    @Test func yamlTagsFollowTheirValues() throws {
        let text = "a: !!float 1 # c\nb: !!int 5\nc: &x !!int 7 # x\nd: !!str 5\ne: !!bool yes\n"
        let result = try edited(YAMLFormat.self, text, named: "a.yaml") { settings in
            settings.set("a", .number(2))
            settings.set("b", Number("1.5").map { .number($0) })
            settings.set("c", "seven")
            settings.set("d", "6")
            settings.set("e", .bool(false))
        }
        #expect(
            result
                == "a: !!float 2.0 # c\nb: 1.5\nc: &x seven # x\nd: !!str \"6\"\ne: !!bool false\n")
    }

    @Test func dottedNamesBetweenBraces() throws {
        let text = "a = {b.c = 1, x = 2, b.d.e = 3} # a\nz = 1\n"
        func number(_ number: Int) -> SettingsOption { SettingsOption(title: "", type: .number, value: .number(number)) }
        #expect(
            try edited(TOMLFormat.self, text, named: "a.toml") { settings in
                settings.options[try Key("a.b.new")] = number(5)
                settings.set("a.x", .number(7))
            } == text.replacing("e = 3}", with: "e = 3, b.new = 5}").replacing("x = 2", with: "x = 7"))
        #expect(
            try edited(TOMLFormat.self, text, named: "a.toml") { settings in
                settings.set("a.b.d", nil)
                settings.options[try Key("a.b.d.f")] = number(6)
                settings.options[try Key("a.b.d.e")]?.value = .number(4)
            } == text.replacing("e = 3}", with: "e = 4, b.d.f = 6}"))
        var pruned = WriteRequest()
        (pruned.present, pruned.name, pruned.prunes) = (Array(text.utf8), "a.toml", true)
        var settings = try TOMLFormat.read(["a.toml": text]).settings
        settings.options[try Key("a.b.c")] = nil
        #expect(try TOMLFormat.text(settings, pruned) == text.replacing("b.c = 1, ", with: ""))
    }

    @Test func referencesStayReferences() throws {
        let text = "A=http://${H}/ # a\nB=\"$H x\"\nC='$H'\nD=\"\\$H\"\nE=#e\nF= # none\nG='it\\'s' # g\n"
        let imported = try EnvFormat.read([".env": text])
        #expect(imported.settings["E"]?.value == "#e" && imported.settings["F"]?.value == "")
        #expect(imported.settings["G"]?.value == "it's")
        #expect(imported.repairs.map(\.key) == ["E", "G"])
        #expect(try edited(EnvFormat.self, text, named: ".env") { _ in } == text)
        let result = try edited(EnvFormat.self, text, named: ".env") { settings in
            settings.set("A", "https://${H:-x}/")
            settings.set("B", "$H y")
            settings.set("C", "$I")
            settings.set("D", "$J")
            settings.set("E", "#f")
            settings.set("G", "it is")
        }
        #expect(
            result
                == text.replacing("http://${H}/", with: "https://${H:-x}/").replacing("$H x", with: "$H y")
                .replacing("'$H'", with: "'$I'").replacing("\"\\$H\"", with: "'$J'").replacing("#e", with: "'#f'")
                .replacing("'it\\'s'", with: "'it is'"))
    }
}
