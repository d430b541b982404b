import SettingsModel
import Testing

@testable import SettingsFormats

/// Existing files: only differences are written.
struct InPlaceTests {
    /// `text` after an import, with the values in `changes` set; nil removes a value.
    private func edited(
        _ format: any Format.Type, _ text: String, named name: String, rewrites: Bool = false,
        prunes: Bool = true, _ change: (inout SettingsContent) throws -> Void
    ) throws -> String {
        let bytes = Array(text.utf8)
        var settings = try format.read(Source(files: [(path: name, bytes: bytes)]), ReadRequest()).settings
        try change(&settings)
        var request = WriteRequest()
        request.present = bytes
        request.name = name
        request.rewrites = rewrites
        request.prunes = prunes
        return try format.text(settings, request)
    }

    private func yaml(_ text: String, _ change: (inout SettingsContent) throws -> Void) throws -> String {
        try edited(YAMLFormat.self, text, named: "a.yaml", change)
    }

    private func toml(_ text: String, _ change: (inout SettingsContent) throws -> Void) throws -> String {
        try edited(TOMLFormat.self, text, named: "a.toml", change)
    }

    private func env(_ text: String, _ change: (inout SettingsContent) throws -> Void) throws -> String {
        try edited(EnvFormat.self, text, named: ".env", change)
    }

    private func refusal(_ body: () throws -> String) -> Refusal? {
        #expect(throws: Refusal.self) { try body() }
    }

    private let service = """
        # The service.
        server:   # where
            port: 8080      # open in the firewall
            host: '127.0.0.1'
            address: 127.0.0.1
            name: "a"
            on-air: on
            tags: [a, "b", c]   # tags
            limits: {cpu: 1, mem: 2}

            list:
              - one   # 1
              - two
              # in between
              - three
        text: |   # prose
            one
            two
        folded: >-
            long
            line
        date: 2024-01-31
        jobs:
          - name: a
            run: x
          - name: b   # b
            run: y
        secret: !vault abc
        empty:
        last: no newline
        """

    @Test func unchangedSettingsLeaveFilesUnchanged() throws {
        #expect(try yaml(service) { _ in } == service)
        let toml = "# a\r\n[t]\r\nx = 1_000\r\ny = [ 1,\r\n  2, ] # c\r\n"
        #expect(try self.toml(toml) { _ in } == toml)
        let env = "\u{FEFF}A = \"x\\n\" # c\nexport B\n\nC: `d`"
        #expect(try self.env(env) { _ in } == env)
    }

    @Test func valuesKeepTheirStyle() throws {
        let result = try yaml(service) { settings in
            settings.set("server.port", .number(9090))
            settings.set("server.host", "it's")
            settings.set("server.address", "10.0.0.1")
            settings.set("server.name", "b c")
            settings.set("server.on-air", .bool(false))
            settings.set("server.tags", .array(["a", "x, y", "b", "c"]))
            settings.set("server.limits.cpu", .number(5))
            settings.set("server.list", .array(["one", "three", "four"]))
            settings.set("text", "eins\nzwei\n")
            settings.set("folded", "new text")
            settings.set("date", "2024-02-29")
            settings.set("jobs", try JSON(parsing: #"[{"name":"a","run":"z"},{"name":"b","run":"y"},{"name":"c"}]"#))
            settings.set("secret", "xyz")
            settings.set("empty", "true")
            settings.set("last", .number(1))
        }
        let edits = [
            ("8080", "9090"), ("'127.0.0.1'", "'it''s'"), ("127.0.0.1", "10.0.0.1"), ("\"a\"", "\"b c\""),
            (": on\n", ": off\n"), ("[a, ", "[a, \"x, y\", "), ("cpu: 1", "cpu: 5"), ("      - two\n", ""),
            ("      - three\n", "      - three\n      - four\n"), ("    one\n    two\n", "    eins\n    zwei\n"),
            ("    long\n    line\n", "    new text\n"), ("2024-01-31", "2024-02-29"), ("run: x", "run: z"),
            ("    run: y\n", "    run: y\n  - name: c\n"), ("abc", "xyz"), ("empty:", "empty: \"true\""), ("no newline", "1"),
        ]
        let expected = edits.reduce(service) { text, edit in text.replacing(edit.0, with: edit.1) }
        #expect(result == expected)
    }

    @Test func newValuesFollowTheirPredecessor() throws {
        let result = try yaml("# a\na: 1\ngroup:\n    x: 1\n    # the rest\n\nb: {}\n") { settings in
            settings.options[try Key("c")] = SettingsOption(
                title: "c", type: .data, value: .array(["u", .object([.init("v", "w")])]))
            settings.options[try Key("group.z")] = SettingsOption(title: "z", type: .text, value: "two\nlines")
            settings.groups[.root]?.order = ["a", "c", "group", "b"]
            settings.set("b", .object([.init("m", .number(1))]))
        }
        #expect(
            result == """
                # a
                a: 1
                c:
                - u
                - v: w
                group:
                    x: 1
                    z: |-
                        two
                        lines
                    # the rest

                b:
                    m: 1

                """)
        #expect(
            try yaml("a: 1") { $0.options[try Key("b")] = SettingsOption(title: "", type: .text, value: "x") } == "a: 1\nb: x")
        #expect(try yaml("a:\n- b: 1\n  c: 2\n") { $0.set("a", .array([.object([.init("c", .number(2))])])) } == "a:\n- c: 2\n")
    }

    @Test func removedValuesTakeTheirLine() throws {
        let result = try yaml("# a\na: 1 # one\n\n# b\nb: [1,\n  2, # two\n  3]\nc:\n  d: 1\n  # e\n  e: 2\n") { settings in
            settings.options[try Key("a")] = nil
            settings.set("b", .array([.number(1), .number(3)]))
            settings.options[try Key("c.d")] = nil
        }
        #expect(result == "# a\n\n# b\nb: [1,\n  3]\nc:\n  # e\n  e: 2\n")
    }

    /// An empty table would read back as data.
    @Test func groupsOfUnsetOptionsAreLeftOut() throws {
        let unset: (inout SettingsContent) throws -> Void = { settings in
            settings.set("a.b", nil)
            settings.options[try Key("new.x")] = SettingsOption(title: "X", type: .text)
            settings.set("c.d", .number(2))
        }
        #expect(try toml("a.b = 1\n[c]\nd = 1\n", unset) == "[c]\nd = 2\n")
        #expect(try toml("[a]\nb = 1\n\n[c]\nd = 1\n", unset) == "\n[c]\nd = 2\n")
        #expect(try edited(TOMLFormat.self, "a.b = 1\nc.d = 1\n", named: "a.toml", rewrites: true, unset) == "[c]\nd = 2\n")
    }

    @Test func anchorsAndAliases() throws {
        let text = "base: &base\n  x: 1\n  y: 2\ncopy: *base\nmore:\n  <<: *base\n  y: 3\n"
        #expect(
            try yaml(text) { settings in
                settings.set("base.x", .number(5))
                settings.set("copy.x", .number(5))
                settings.set("more.x", .number(5))
                settings.set("more.y", .number(4))
            } == text.replacing("x: 1", with: "x: 5").replacing("y: 3", with: "y: 4"))
        let alias = refusal { try yaml(text) { $0.set("copy.x", .number(5)) } }
        #expect(alias?.position?.line == 4 && alias?.reason.hasPrefix("'copy.x' can't be edited in place") == true)
        let anchor = refusal { try yaml(text) { $0.set("base.x", .number(5)) } }
        #expect(anchor?.position?.line == 4 && anchor?.remedy == .rewriting)
        let merge = refusal { try yaml(text) { $0.set("more.x", .number(5)) } }
        #expect(merge?.position?.line == 6 && merge?.reason.contains("'more.x'") == true)
        #expect(
            try edited(YAMLFormat.self, text, named: "a.yaml", rewrites: true) { $0.set("copy.x", .number(5)) }
                .contains("copy:\n  x: 5\n"))
    }

    @Test func tables() throws {
        let text =
            "a = 1 # one\nd = 2024-02-29\nlit = 'C:\\'\n\n[t]\n# c\nx = \"y\" # why\nl = [\n  1, # one\n  2\n]\n"
            + "i = { a = 1, b = \"c\" }\nq.r = 1\n\n[[e]]\nn = 'a'\n\n[[e]]\nn = \"b\"\n\n[t.sub]\nq = true"
        let result = try toml(text) { settings in
            settings.set("a", .number(7))
            settings.set("d", "2024-03-01")
            settings.set("lit", "D:\\x")
            settings.set("t.l", .array([.number(1), .number(3), .number(2)]))
            settings.set("t.i.a", .number(2))
            settings.set("t.q.r", .number(2))
            settings.options[try Key("t.q.s")] = SettingsOption(title: "", type: .text, value: "x")
            settings.options[try Key("t.new")] = SettingsOption(title: "", type: .text, value: "x")
            settings.options[try Key("fresh.w")] = SettingsOption(title: "", type: .number, value: .number(1))
            settings.set("e", try JSON(parsing: #"[{"n":"a"},{"n":"c"},{"n":"d"}]"#))
        }
        #expect(
            result
                == text.replacing("a = 1 # one", with: "a = 7 # one").replacing("2024-02-29", with: "2024-03-01")
                .replacing("C:\\", with: "D:\\x").replacing("  1, # one\n", with: "  1, # one\n  3,\n")
                .replacing("{ a = 1", with: "{ a = 2").replacing("q.r = 1\n", with: "q.r = 2\nq.s = \"x\"\nnew = \"x\"\n")
                .replacing("n = \"b\"\n", with: "n = \"c\"\n\n[[e]]\nn = \"d\"\n\n[fresh]\nw = 1\n"))
        #expect(
            try toml("[a]\nx = 1\n\n# b\n[b]\ny = 1 # one\nz = 2\n") { settings in
                settings.options[try Key("a.x")] = nil
                settings.groups[try Key("a")] = nil
                settings.options[try Key("b.y")] = nil
            } == "\n# b\n[b]\nz = 2\n")
    }

    @Test func variables() throws {
        let text = "# c\r\nA=1\r\nexport B=\"x y\" # b\r\nC\r\nD: z\r\nA=2\r\n"
        #expect(
            try env(text) { settings in
                settings.set("A", "3")
                settings.set("B", "v")
                settings.set("C", "5")
                settings.options[try Key("E")] = SettingsOption(title: "", type: .text, value: "a'b")
                settings.options[try Key("D")] = nil
            } == "# c\r\nA=1\r\nexport B=\"v\" # b\r\nC=5\r\nE=\"a'b\"\r\nA=3\r\n")
        #expect(try env("A=1\nB=2\n") { $0.set("A", nil) } == "B=2\n")
        #expect(refusal { try env("A=1\n") { $0.set("A", "${B}") } }?.reason.contains("'A'") == true)
    }

    @Test func membersOfJSON() throws {
        let text = "\u{FEFF}// c\r\n{\r\n\t\"a\": 1.50, \"b\": [1, 2], // x\r\n\t/* y */ \"c\": { \"d\": null },\r\n}"
        let result = try edited(JSONFormat.self, text, named: "a.json") { settings in
            settings.set("a", Number("1.5").map { .number($0) })
            settings.set("b", .array([.number(1)]))
            settings.set("c.d", "e")
            settings.groups[.root]?.order = ["c", "b", "a"]
        }
        #expect(result == text.replacing("[1, 2]", with: "[1]").replacing("null", with: "\"e\""))
    }

    @Test func unsuitableFilesAreRejected() {
        for (format, name, text) in [
            (YAMLFormat.self as any Format.Type, "a.json", "{\"a\": 1}"), (YAMLFormat.self, "a.yaml", "a: [\n"),
            (YAMLFormat.self, "a.yaml", "- 1\n"),
            (YAMLFormat.self, "a.yaml", "z: 1\n"),
            (TOMLFormat.self, "a.toml", "a: 1\n"), (JSONFormat.self, "a.json", "a = 1"), (EnvFormat.self, ".env", "a b c\n"),
            (TOMLFormat.self, ".env", "a = 1\n"), (JSONFormat.self, "a.json", "\u{0}"),
        ] {
            var settings = SettingsContent()
            settings.set("a", nil)
            if let key = try? Key("a") { settings.options[key] = SettingsOption(title: "", type: .number, value: .number(2)) }
            var request = WriteRequest()
            request.present = Array(text.utf8)
            request.name = name
            let refusal = #expect(throws: Refusal.self, "\(name): \(text)") { try format.write(settings, request) }
            #expect(refusal?.remedy != nil, "\(name): \(text)")
            request.rewrites = true
            #expect(throws: Never.self, "\(name): \(text)") { try format.write(settings, request) }
        }
    }

    /// A file may contain more than the store: that is kept unless `prunes` is set. The content of a value belongs to the value.
    @Test func otherContentIsKept() throws {
        let cases: [(any Format.Type, String, String, String)] = [
            (
                YAMLFormat.self, "a.yaml", "a: 1\n# mine\nother:\n  secret: keep\ndata: [1, 2]\n",
                "a: 2\n# mine\nother:\n  secret: keep\ndata: [1]\n"
            ),
            (
                JSONFormat.self, "a.json", "{\"a\": 1, \"other\": {\"keep\": 1}, \"data\": [1]}",
                "{\"a\": 2, \"other\": {\"keep\": 1}, \"data\": [1]}"
            ),
            (
                TOMLFormat.self, "a.toml", "a = 1\ndata = [1, 2]\n[other]\nkeep = 1\n",
                "a = 2\ndata = [1]\n[other]\nkeep = 1\n"
            ),
            (EnvFormat.self, ".env", "a=1\nOTHER=keep\n", "a=2\nOTHER=keep\n"),
        ]
        for (format, name, text, expected) in cases {
            let result = try edited(format, text, named: name, prunes: false) { settings in
                for key in settings.options.keys where key.parts[0].lowercased() == "other" { settings.options[key] = nil }
                settings.groups[try Key("other")] = nil
                let (a, data) = (try Key("a"), try Key("data"))
                let isText = settings.options[a]?.type == .text
                settings.options[a]?.value = isText ? "2" : .number(2)
                if settings.options[data] != nil { settings.options[data]?.value = .array([.number(1)]) }
            }
            #expect(result == expected, "\(name)")
        }
    }
}
