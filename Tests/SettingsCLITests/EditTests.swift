import Foundation
import Surroundings
import Testing

/// `settings edit` from scripts and in plain mode: what comes of it in git.
struct EditTests {
    static func office() throws -> Home {
        let home = try Home()
        for command in [
            "settings init -q --title Settings",
            "settings add -q display.theme --title Theme --choice Light Dark Auto --default light --page Display",
            "settings add -q display.larger --title 'Larger Text' --switch",
            "settings add -q display.brightness --title Brightness --number 50 --range 0..100:5",
            "settings add -q display.name --title 'Device Name' --text 'Küche 山田'",
            "settings add -q display.secret --title Password --text hunter2 && settings define -q display.secret --masked",
            "settings add -q display.fonts --title Fonts --data '[1]'",
            "settings add -q general.language --title Language --choice English French German",
        ] { #expect(try home.run(command) == [], "\(command)") }
        return home
    }

    /// Runs a script and returns what it prints; the store is sound afterwards.
    private func edit(_ script: String, in home: Home, _ options: String = "") throws -> [String] {
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        let lines = try home.run("settings edit \(options) --script ~/script")
        #expect(try home.untidy() == nil)
        #expect(try home.unsound() == "")
        return lines
    }

    private static let session = """
        Display
        Theme
        Dark
        Larger Text
        Brightness = 60
        Device Name = Büro c q
        undo
        redo
        changes
        remove Larger Text
        back
        Theme
        add Sepia
        rename Auto = Automatic
        up Sepia
        back
        back
        /french
        toggle Language
        French
        back
        done
        Why = Easier at night.
        Requested by = Marie
        Ticket = FEAT-12, FEAT-13
        Done
        """

    @Test(arguments: ["", "--plain"])
    func aSessionIsOneVersion(_ options: String) throws {
        let home = try Self.office()
        #expect(try edit(Self.session, in: home, options) == [])
        #expect(try home.run("git rev-list --count HEAD") == ["10"])
        #expect(
            try home.run("git log -1 --format=%B | grep -v ^Change-Id") == [
                "display.brightness: 50 → 60, and 5 more", "", "Easier at night.", "", "Changes:",
                "  display.brightness: 50 → 60", "  display.name: \"Küche 山田\" → \"Büro c q\"",
                "  display.theme: Light → Dark", "  display.theme: label renamed: Auto → Automatic",
                "  display.theme: label added: Sepia", "  general.language: English → French", "",
                "Requested-by: Marie", "Ticket: FEAT-12", "Ticket: FEAT-13", "Via: edit", "",
            ])
    }

    @Test func theSameScriptInPlainModeGivesTheSameTree() throws {
        var trees: [[String]] = []
        for options in ["", "--plain"] {
            let home = try Self.office()
            #expect(try edit(Self.session, in: home, options) == [])
            trees.append(try home.run("git rev-parse HEAD^{tree}"))
        }
        #expect(trees[0] == trees[1] && trees[0] != [])
    }

    @Test func keysDoWhatTheyDoOnTheScreen() throws {
        let home = try Self.office()
        let script = """
            :resize 40 10
            :keys Enter Down Space Down Right Right
            :expect Off → On
            :expect ▕██████░░░░▏ 50 → 60
            :keys Up Up Enter
            :expect ✓ Light
            :keys Down Enter c
            :keys Up Up Up Up Enter "too dark" Enter
            :save-display ../screen
            :keys Enter
            :expect Recorded
            """
        #expect(try edit(script, in: home) == [])
        #expect(try home.run("git log -1 --format=%b | head -n 1") == ["too dark"])
        #expect(try home.run("settings get display.theme display.larger display.brightness") == ["dark", "true", "60"])
        #expect(try String(contentsOfFile: home.path + "/screen", encoding: .utf8).contains("▸ Done"))
    }

    @Test func filesAreUntouchedUntilDone() throws {
        let home = try Self.office()
        let before = try home.run("git rev-parse HEAD; cat display/*.json | sha1sum")
        _ = try edit("Display\nLarger Text\nTheme\nDark", in: home)
        #expect(try home.run("git rev-parse HEAD; cat display/*.json | sha1sum") == before)
        // What is left over is offered again, and merged into what is recorded by then.
        _ = try home.run("settings set -q display.larger on")
        #expect(try edit(":expect Earlier Changes\nContinue with the Changes\n:expect 1 change\ndone\nDone", in: home) == [])
        #expect(try home.run("git log -1 --format=%s") == ["display.theme: Light → Dark"])
        #expect(try edit(":refuse Earlier Changes\n:refuse 1 change", in: home) == [])
    }

    @Test func editsOfTrackedFilesAreListedWithTheCommandThatRecordsThem() throws {
        let home = try TrackTests.office()
        _ = try home.run("sed -i 's/8080/9090/; s/the app/my app/' config/app.yaml")
        let script = """
            :resize 100 24
            :keys 2
            :expect TRACKED FILES
            :expect config/app.yaml: Port
            :expect 8080 → 9090; other lines
            :expect settings done
            :refuse no unrecorded edits
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings edit --script ~/script") == [])
    }

    @Test func whatWasBegunOnAnotherBranchSaysSo() throws {
        let home = try Self.office()
        _ = try edit("Display\nLarger Text", in: home)
        _ = try home.run("git checkout -q -b night")
        let taken = """
            :expect They were begun on main; the store is on night now.
            Continue with the Changes
            done
            :expect You began these changes on main; Done records them on night.
            """
        #expect(try edit(taken, in: home) == [])
        // The file still knows it, and on the old branch there is nothing to say.
        _ = try home.run("git checkout -q main")
        let back = ":refuse begun on\nContinue with the Changes\ndone\n:refuse You began\nDone"
        #expect(try edit(back, in: home) == [])
        #expect(try home.run("git log -1 --format='%D %s'") == ["HEAD -> main display.larger: Off → On"])
    }

    @Test func whatIsDiscardedIsNotOfferedAgain() throws {
        let home = try Self.office()
        _ = try edit("Display\nLarger Text\n:keys Esc Esc\n:expect Leave\nDiscard the Changes", in: home)
        #expect(try edit(":refuse Earlier Changes", in: home) == [])
        #expect(try home.run("ls .git/settings | grep -v lock | grep edits") == ["[exit status: 1]"])
    }

    @Test func aConflictIsSettledOnItsPage() throws {
        for (pick, value) in [("Yours", "dark"), ("Theirs", "auto"), ("Before", "light")] {
            let home = try Self.office()
            _ = try edit("Display\nTheme\nDark\nLarger Text", in: home)
            _ = try home.run("settings set -q display.theme auto -m 'by the sun'")
            let script = """
                Continue with the Changes
                :expect 1 conflict
                done
                :expect Choose a side of each conflict first
                Theme
                :expect Yours
                \(pick)
                done
                :expect Larger Text
                :keys Enter
                """
            #expect(try edit(script, in: home) == [], "\(pick)")
            #expect(try home.run("settings get display.theme display.larger") == [value, "true"])
        }
    }

    @Test func thePolicyIsKept() throws {
        let home = try Self.office()
        _ = try home.run("settings define -q / --require-why required --require-ticket required")
        let script = """
            Display
            Larger Text
            done
            Done
            :expect The store requires a reason; type it
            Why = Paris
            Ticket = T-1
            Done
            :expect Recorded
            """
        #expect(try edit(script, in: home, "--plain") == [])
        #expect(try home.run("git log -1 --format='%(trailers:key=Ticket,valueonly)'").first == "T-1")
    }

    @Test(arguments: ["", "--plain"])
    func aVersionWaitsToBeConfirmed(_ options: String) throws {
        let home = try Self.office()
        let script = """
            Display
            Larger Text
            done
            Revert unless confirmed within = tomorrow
            :expect Invalid duration 'tomorrow'
            \(options.isEmpty ? ":keys Esc" : "")
            :expect 10m
            Done
            :expect ; confirm it by
            back
            :expect Confirm by
            """
        #expect(try edit(script, in: home, options + " --confirm 10m") == [])
        #expect(try home.run("git log -1 --format='%(trailers:key=Confirm-by)'").first?.hasPrefix("Confirm-by: 20") == true)
        #expect(try home.run("settings confirm --list").last?.contains("to be confirmed by") == true)
        // It is told at the start, and confirmed from there.
        let confirm = """
            :expect Confirm by
            1
            :expect Larger Text: Off → On
            Confirm
            :expect Confirmed
            :refuse Confirm by
            """
        #expect(try edit(confirm, in: home, options) == [])
        #expect(try home.run("git log -1 --format='%(trailers:key=Confirms)'").first?.hasPrefix("Confirms: ") == true)
        // The field counts for one version, and what it records can be taken back at once.
        let another = """
            Display
            Larger Text
            done
            Revert unless confirmed within = 2 hours
            Done
            back
            1
            Revert Now
            :expect Reverted
            :refuse Confirm by
            Display
            :expect Larger Text
            Larger Text
            :expect Larger Text: On → Off
            done
            :refuse 2 hours
            """
        #expect(try edit(another, in: home, options) == [])
        #expect(try home.run("git log -1 --format='%(trailers:key=Unconfirmed)'").first?.hasPrefix("Unconfirmed: ") == true)
        #expect(try home.run("settings get display.larger") == ["true"])
    }

    /// As with 'settings undo', blame goes back to who chose the value before.
    @Test(arguments: ["", "--plain"])
    func whatIsTakenBackAfterDoneIsAnUndo(_ options: String) throws {
        let home = try Self.office()
        #expect(try home.run("settings set -q display.brightness 60 --author 'Bob <bob@example.org>'") == [])
        let script = "Display\nBrightness = 70\ndone\nDone\nundo\n:expect Reverted\ndone\nDone\n:expect Recorded"
        #expect(try edit(script, in: home, options) == [])
        let set = try home.changeID(of: "HEAD~1")
        #expect(try home.run("git log -1 --format='%(trailers:key=Undoes,valueonly)%(trailers:key=Reverts)'").first == set)
        #expect(try home.run("settings blame display.brightness")[0].contains("Bob"))
        #expect(try home.run("settings redo -q; settings get display.brightness") == ["70"])
        // Something else with it is a revert.
        let mixed = "Display\nBrightness = 80\ndone\nDone\nundo\nLarger Text\ndone\nDone\n:expect Recorded"
        #expect(try edit(mixed, in: home, options) == [])
        let reverted = try home.changeID(of: "HEAD~1")
        #expect(try home.run("git log -1 --format='%(trailers:key=Reverts,valueonly)'") == [reverted, ""])
    }

    @Test(arguments: ["", "--plain"])
    func valuesAreResetAndUnset(_ options: String) throws {
        let home = try Self.office()
        #expect(try home.run("settings set -q display.theme dark display.larger on") == [])
        let script = """
            Display
            reset Theme
            :expect Theme: Dark → Light
            reset Theme
            :expect Theme: Light → not set
            reset Theme
            :expect Theme is not set
            reset Larger Text
            :expect Larger Text: On → not set
            unset Brightness
            back
            General
            Language
            Not Set
            :expect Language: English → not set
            done
            Done
            """
        #expect(try edit(script, in: home, options) == [])
        let keys = "display.theme display.larger display.brightness general.language"
        #expect(try home.run("settings get --json \(keys) | grep -c '\"value\": null'") == ["4"])
    }

    @Test func aKeptDraftThatCannotBeReadIsSetAside() throws {
        let home = try Self.office()
        let place = ".git/settings/edits-$(id -u)-0"
        for text in ["", "{", #"{"format":"2"}"#, #"{"format":1,"base":[{"path":"../x","item":null}],"steps":[]}"#] {
            #expect(try home.run("printf %s '\(text)' > \(place)") == [])
            #expect(try edit(":expect Earlier changes cannot be read\nDisplay\nLarger Text", in: home) == [])
            #expect(try home.run("printf %s '\(text)' | cmp - \(place).unreadable && rm \(place).unreadable") == [])
            // What was changed since is kept as ever.
            #expect(try edit(":expect Earlier Changes\nDiscard the Changes", in: home) == [])
        }
        // A pipe is not waited for.
        #expect(try home.run("mkfifo \(place)") == [])
        #expect(try edit(":expect Changes cannot be kept\nDisplay\nLarger Text\ndone\nDone\n:expect Recorded", in: home) == [])
    }

    @Test func aTimeThatIsNoneIsRefused() throws {
        let home = try Self.office()
        #expect(
            try home.run("settings edit --confirm soon") == [
                "settings: invalid duration 'soon': expected a number and a unit, such as 10m, 90s, 1h30m or '2 hours'",
                "hint: see 'settings help edit'", "[exit status: 64]",
            ])
    }

    @Test func dataIsEditedInThePersonsEditorAlone() throws {
        let home = try Self.office()
        _ = try home.run("git config core.editor 'echo [9] >'")
        let script = "Display\nFonts\n:expect [1,2]\ndone\nDone"
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("EDITOR='echo [1,2] >' settings edit --script ~/script") == [])
        #expect(try home.run("settings get display.fonts") == ["[1,2]"])
        _ = try home.run(#"printf '%s\n' Display Fonts ":expect The editor 'false' failed; nothing was changed" > ~/again"#)
        #expect(try home.run("EDITOR=false settings edit --script ~/again") == [])
        #expect(try home.untidy() == nil)
    }

    @Test func filesWithEditsAreLeftAlone() throws {
        let home = try Self.office()
        _ = try home.run("sed -i 's/false/true/' display/larger.json")
        let script =
            "Display\nLarger Text\n:expect 'commit' lists the edits of the files\nBrightness = 55\ndone\nDone\n:expect Recorded"
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings edit --plain --script ~/script") == [])
        #expect(
            try home.run("git log -1 --format=%s; git status --short") == [
                "display.brightness: 50 → 55", " M display/larger.json",
            ])
    }

    @Test func aMaskedTextIsInNoScreen() throws {
        let script =
            ":save-display\nDisplay\n:save-display\ninfo Password\n:save-display\nback\nPassword = geheim\nchanges\n:save-display"
        for options in ["", "--plain"] {
            let home = try Self.office()
            let shown = try edit(script, in: home, options).joined()
            #expect(
                (shown.contains("••••••") || shown.contains("(masked)")) && !shown.contains("hunter2")
                    && !shown.contains("geheim"))
        }
    }

    @Test func aPipeThatClosesAndAnEmptyInputEndIt() throws {
        let home = try Self.office()
        #expect(try home.run("settings edit < /dev/null | head -n 1") == ["Settings"])
        #expect(try home.run("yes Display | settings edit --plain | head -n 1") == ["Settings"])
        #expect(try home.untidy() == nil)
    }

    @Test func aScriptThatFailsNamesItsLine() throws {
        let home = try Self.office()
        let lines = try edit("Display\n:expect Nothing of the kind", in: home)
        #expect(
            lines.contains("settings: line 2: 'Nothing of the kind' is not on the screen") && lines.last == "[exit status: 1]")
    }

    @Test func aStoreThatCannotBeReadIsReported() throws {
        let home = try Self.office()
        #expect(try home.run("(cd /; settings edit < /dev/null)").last == "[exit status: 66]")
        #expect(
            try home.run("echo '{' > display/larger.json; settings edit < /dev/null | head -n 2").last?.contains("larger.json")
                == true)
    }
}
