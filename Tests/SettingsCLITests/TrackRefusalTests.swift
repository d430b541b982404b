import Foundation
import Surroundings
import Testing

/// Entries of `"files"` that can't be followed, and files that can't be tracked.
@Suite struct TrackRefusalTests {
    /// Three tracked files of three groups, and an option that no file has.
    static func office() throws -> Home {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("{\"x\": 1}\n", "config/a.json", home)
        try TrackTests.write("z = 1\n", "config/z.toml", home)
        let script = """
            git add . && git commit -q -m More
            settings track config/app.yaml --into app -q && settings track config/a.json --into other -q
            settings track config/z.toml --into zed -q && settings add free.x --title X --number 1 -q
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        return home
    }

    private static let faults = [
        #"_store.json: "files" names '../config/z.toml' without a "format" that this program knows"#,
        #"_store.json: "files" names '../.git/config', which is not a path that may be written"#,
    ]

    /// One entry that can't be followed is nothing to the others.
    @Test func badEntriesAreNamedBesideAllElse() throws {
        let home = try Self.office()
        let edit = "sed -i 's|../config/app.yaml|../.git/config|; s|\"toml\"|\"tml\"|' conf/_store.json"
        let refused = try home.run("\(edit); settings done -m x 2>&1")
        #expect(refused.first == "settings: found 2 problems with tracked files" && refused.last == "[exit status: 65]")
        #expect(refused[1...2].map { $0.trimmingCharacters(in: .whitespaces) } == Self.faults)
        #expect(try home.run("git commit -q -a -m Evil && sed -i 's/1/2/' config/a.json") == [])
        #expect(
            try home.run("settings status 2> /dev/null") == ["edited in config/a.json: X (other.x): 1 → 2"] + Self.faults)
        let verified = try home.run("settings verify 2>&1")
        #expect(verified.filter { !$0.hasPrefix(" ") } == Self.faults + ["settings: found 2 problems", "[exit status: 65]"])
        #expect(try home.run("settings track 2>&1").count == 3)
        #expect(try home.run("settings track --json | grep -c problem; settings status --json | grep -c problem") == ["2", "2"])
        // What is of none of their groups is recorded, edits by hand too.
        #expect(try home.run("settings done -q -m Hand && settings set other.x 3 free.x 4 -q && cat config/a.json") == [#"{"x": 3}"#])
        for (word, count) in [("zed.z=5", 1), ("app.debug=on", 1), ("zed.z=5 app.debug=on", 2)] {
            let lines = try home.run("settings set \(word) free.x=9 2>&1")
            #expect(lines.last == "[exit status: 65]" && lines.count { $0.contains("names '") } == count, "\(lines)")
        }
        #expect(
            try home.run("settings get zed.z free.x; settings list > /dev/null; settings history -q > /dev/null") == ["1", "4"])
        #expect(try home.run("settings untrack ../.git/config -q; settings set app.debug on -q") == [])
        #expect(try home.run("settings untrack ../config/z.toml -q; settings verify -q; settings status -q --exit-code") == [])
        #expect(try home.run("git status --porcelain") == [] && home.unsound() == "")
    }

    @Test func aListThatIsNoneIsNamed() throws {
        let home = try Self.office()
        #expect(
            try home.run("printf '{\"format\": 1, \"title\": \"S\", \"files\": 5}' > conf/_store.json; git commit -q -a -m Bad")
                == [])
        let fault = #"_store.json: "files" must be a list, not a number"#
        #expect(try home.run("settings status 2> /dev/null").first == fault)
        #expect(try home.run("settings set free.x 2 2>&1").first == "settings: " + fault)
        #expect(try home.run("settings get free.x; settings verify > /dev/null 2>&1") == ["1", "[exit status: 65]"])
    }
}
