import Foundation
import Surroundings
import Testing

/// What `settings edit` leaves to others: exit statuses, files for the person's editor, and commands to be typed.
struct EditEndsTests {
    /// Each of the lines that a pipe gives is tried; the first that could not be done is the exit status.
    @Test func aPipeIsToldWhatCouldNotBeDone() throws {
        let home = try EditTests.office()
        _ = try home.run("settings add -q display.fixed --title Fixed --switch --read-only")
        _ = try home.run("settings define -q / --require-why required -m x")
        func status(_ lines: String) throws -> String {
            try home.run("printf '\(lines)\\n' | settings edit display --plain >/dev/null 2>&1; echo $?").joined()
        }
        #expect(try status("nonsense") == "64")
        #expect(try status("99") == "66")
        #expect(try status("Nothing = 5") == "66")
        #expect(try status("Brightness = 57") == "65")
        #expect(try status("Brightness\\n57\\n/nothing at all") == "65")
        #expect(try status("Fixed") == "65")
        #expect(try status("Larger Text\\nback\\nback\\nundo\\nundo\\nredo\\nundo\\ndone") == "0")
        #expect(try status("Larger Text\\ndone\\ndone") == "77")
        // The draft is offered now.
        #expect(try status("done") == "2")
        #expect(try home.run("settings set -q display.larger on -m x; settings set -q display.larger off -m x") == [])
        #expect(try status("Discard the Changes\\nTheme\\nDark\\nundo\\n99\\nBrightness = 57") == "66")
        #expect(try status("Brightness = 60\\ndone\\nWhy = loud\\ndone") == "0")
        #expect(try home.run("git log -1 --format=%s") == ["display.brightness: 50 → 60"])
    }

    /// The first refusal is a script's status, too, unless the script expects it.
    @Test(arguments: ["", "--plain "]) func aScriptIsToldWhatCouldNotBeDone(_ option: String) throws {
        let home = try EditTests.office()
        func status(_ lines: String) throws -> String {
            try home.run("printf '\(lines)\\n' | settings edit display \(option)--script - >/dev/null 2>&1; echo $?").joined()
        }
        #expect(try status("Brightness = 57") == "65")
        #expect(try status("Brightness = 57\\n:expect 57 is not a step") == "0")
        #expect(try status("Brightness = 57\\n:expect 58 is not a step") == "1")
        #expect(try status("Brightness = 60\\n:expect 60") == "0")
        _ = try home.run("settings define -q / --require-why required -m x; rm .git/settings/edits-*")
        guard !option.isEmpty else { return }
        #expect(try status("Larger Text\\ndone\\n:expect Why\\ndone\\nback\\nBrightness = 57") == "77")
    }

    /// A branch that is checked out between two lines is not recorded on without a word.
    @Test func anotherBranchIsToldBeforeDoneRecordsThere() throws {
        let home = try EditTests.office()
        _ = try home.run("git branch other")
        let lines = try home.run(
            "(printf 'Larger Text\\ndone\\n'; sleep 1; git checkout -q other; echo done) | settings edit display --plain")
        #expect(lines.contains { $0.hasPrefix("The store is on other now") }, "\(lines)")
    }

    @Test func aStoreThatIsMovedAwayIsTold() throws {
        let home = try EditTests.office()
        let lines = try home.run(
            "store=$PWD; (echo; sleep 1; mv \"$store\" ~/moved; echo; echo) | settings edit --plain; mv ~/moved \"$store\"")
        #expect(lines.contains { $0.hasPrefix("The store is no longer in ") }, "\(lines)")
    }

    @Test func anOpenConflictIsAPipesStatus() throws {
        let home = try EditTests.office()
        let lines = "printf 'Larger Text\\nTheme\\nDark\\n' | settings edit display --plain >/dev/null 2>&1"
        _ = try home.run(lines)
        _ = try home.run("settings set -q display.theme auto")
        #expect(
            try home.run("printf 'Continue with the Changes\\ndone\\n' | settings edit display --plain >/dev/null 2>&1; echo $?")
                == [
                    "2"
                ])
    }

    @Test func editorsShareNoFile() throws {
        let home = try EditTests.office()
        _ = try home.run("settings add -q sound.fonts --title Fonts --data '{\"b\": 2}'")
        _ = try home.run(
            "printf '%s\\n' Fonts ':save-display ../one' > ~/first; printf '%s\\n' Fonts ':save-display ../two' > ~/second")
        try Data(
            """
            #!/bin/sh
            touch ~/begun-$1
            until [ -e ~/begun-a ] && [ -e ~/begun-b ]; do sleep 0.02; done
            [ $1 = a ] && echo '[7]' > "$2"
            touch ~/written-$1
            until [ -e ~/written-a ] && [ -e ~/written-b ]; do sleep 0.02; done
            """.utf8
        ).write(to: URL(fileURLWithPath: home.path + "/editor"))
        let run =
            "EDITOR='sh ~/editor a' settings edit display.fonts --script ~/first & "
            + "EDITOR='sh ~/editor b' settings edit sound.fonts --script ~/second; wait"
        #expect(try home.run(run) == [])
        #expect(try String(contentsOfFile: home.path + "/one", encoding: .utf8).contains("[1] → [7]"))
        #expect(try String(contentsOfFile: home.path + "/two", encoding: .utf8).contains("Nothing was changed"))
        #expect(try home.run("ls .git/settings | grep '^editor\\.'") == ["[exit status: 1]"])
    }

    /// A file that is gone is no value, and what a process left that died goes.
    @Test func aFileThatIsGoneChangesNothing() throws {
        let home = try EditTests.office()
        _ = try home.run("mkdir .git/settings/editor.dead; touch .git/settings/editor.dead/fonts.json")
        try Data("Display\nFonts\n:expect Nothing was changed\n:refuse change  Done\n".utf8)
            .write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("EDITOR=rm settings edit --script ~/script") == [])
        #expect(try home.run("ls .git/settings | grep '^editor\\.'") == ["[exit status: 1]"])
    }

    /// The command on the page of an option sets what the option has, whatever that is.
    @Test(arguments: [
        "it's", "tab\ttab", "two\nlines\n", "-", "--x", "a\\tb", "\u{1B}[31m", "\u{202E}x", "$HOME `id` \"", "", "~", "100%",
        "'$'",
    ])
    func theCommandOfAPageDoesTheSame(_ value: String) throws {
        let home = try EditTests.office()
        try Data(value.utf8).write(to: URL(fileURLWithPath: home.path + "/value"))
        // What is read from a pipe loses its last line break.
        _ = try home.run("{ cat ~/value; echo; } | settings set -q display.name -")
        try Data("info Device Name\n:save-display ../screen\n".utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings edit display --plain --script ~/script") == [])
        _ = try home.run("sed -n 's/^[0-9]*\\. Command: //p' ~/screen > ~/command; settings set -q display.name another")
        _ = try home.run("bash ~/command")
        #expect(
            try home.run("settings get display.name > ~/got; { cat ~/value; echo; } | cmp - ~/got") == [],
            "\(value.debugDescription)")
    }

    @Test func aScriptWithoutAnEndOfItsTextIsRefused() throws {
        let home = try EditTests.office()
        _ = try home.run("printf '%s\\n' ':keys Enter \"abc' > ~/script")
        #expect(
            try home.run("settings edit --script ~/script") == [
                "settings: line 1: the text in quotes is not closed", "[exit status: 65]",
            ])
    }

    @Test func severalDraftsThatWereLeftAreTold() throws {
        let home = try EditTests.office()
        try Data("Larger Text\n".utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        _ = try home.run("settings edit display --script ~/script; mv .git/settings/edits-$(id -u)-0 ~/first")
        _ = try home.run("settings edit display --script ~/script; cp ~/first .git/settings/edits-$(id -u)-1")
        let lines = [
            ":expect Another draft is also kept, and offered after this one", "Discard the Changes",
            ":expect u brings them back",
            ":keys u", ":expect The earlier changes are back", ":expect Off → On",
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings edit display --script ~/script") == [])
    }
}
