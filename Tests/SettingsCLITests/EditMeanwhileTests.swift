import Foundation
import Surroundings
import Testing

/// What somebody else records while `settings edit` keeps changes that are not recorded.
struct EditMeanwhileTests {
    /// A pending Dark, then `commands`, and what a script finds then.
    private func edit(after commands: [String], _ script: String) throws -> (home: Home, lines: [String]) {
        let home = try EditTests.office()
        func run(_ script: String) throws -> [String] {
            try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
            return try home.run("settings edit --script ~/script")
        }
        #expect(try run("Display\nTheme\nDark") == [])
        for command in commands { #expect(try home.run(command) == [], "\(command)") }
        let lines = try run(":expect Earlier Changes\nContinue with the Changes\n" + script)
        #expect(try home.untidy() == nil)
        #expect(try home.unsound() == "")
        return (home, lines)
    }

    @Test func aReadOnlyOptionIsNotSet() throws {
        let script = """
            done
            :expect Choose a side of each conflict first
            Theme
            :expect The option is read-only now and your value cannot be recorded; choose
            Yours
            :expect read-only now
            """
        let (home, lines) = try edit(after: ["settings define display.theme --read-only -q"], script)
        #expect(lines == [])
        #expect(try home.run("settings get display.theme; git log -1 --format=%s") == ["light", "display.theme: made read-only"])
    }

    @Test func anotherTypeIsOneConflict() throws {
        let script = """
            done
            :expect Choose a side of each conflict first
            :refuse Theme — type
            :refuse Theme — labels
            Theme
            :expect The type of the option is number now
            Yours
            :expect The type of the option is number now
            Theme
            Theirs
            :refuse choose
            """
        #expect(try edit(after: ["settings define display.theme --number 3 -q"], script).lines == [])
    }

    @Test func aRenameIsFollowedWhereTheNameIsTakenAgain() throws {
        let commands = [
            "settings rename -q display.theme display.look", "settings add -q display.theme --title Other --choice A B C",
        ]
        let (home, lines) = try edit(after: commands, ":refuse conflicts\ndone\n:refuse Conflicts\nDone\n:expect Recorded")
        #expect(lines == [])
        #expect(try home.run("git log -1 --format=%s") == ["display.look: Light → Dark"])
    }

    /// A line break and a backslash with an n look different in titles and labels.
    @Test func titlesAndLabelsWithLineBreaks() throws {
        let home = try EditTests.office()
        for command in [
            #"settings label add -q display.theme "$(printf 'X\nY')""#, #"settings label add -q display.theme 'X\nY'"#,
            #"settings define -q display.larger --title "$(printf 'T\nU')""#, "settings set -q display.larger on",
            #"settings define -q display.larger --title 'T\nU'"#, "settings set -q display.larger off",
        ] { #expect(try home.run(command) == [], "\(command)") }
        let lines = try home.run("settings log -n 6 | grep -o -e 'label added.*' -e '.*: O[nf]* →.*' | sed 's/^ *//'")
        #expect(
            lines == [
                #""T\\nU" (display.larger): On → Off"#, #""T\nU" (display.larger): Off → On"#, #"label added: "X\\nY""#,
                #"label added: "X\nY""#,
            ])
    }
}
