import Foundation
import Surroundings
import Testing

/// `settings edit` in a terminal: signals, sizes, kinds of terminals, locales and pastes.
@Suite(.enabled(if: Tmux.isThere, "tmux is here"))
struct EditTerminalTests {
    func start(_ variables: String = "", columns: Int = 80, rows: Int = 24) throws -> Tmux {
        try start(EditTests.office(), variables, columns: columns, rows: rows)
    }

    private func start(_ home: Home, _ variables: String = "", columns: Int = 80, rows: Int = 24) throws -> Tmux {
        let tmux = try Tmux(home, columns: columns, rows: rows)
        try tmux.type("\(variables) settings edit")
        try tmux.wait(for: "▸ Display")
        return tmux
    }

    @Test(arguments: ["TERM", "HUP", "INT", "QUIT", "SEGV", "ABRT"])
    func theTerminalComesBackAfterASignal(_ signal: String) throws {
        let tmux = try start()
        try tmux.press("Enter", "Down", "Space")
        try tmux.wait(for: "Off → On")
        try tmux.signal(signal)
        try tmux.expectUsable()
        // The draft is there again.
        try tmux.type("clear; settings edit")
        try tmux.wait(for: "Earlier Changes")
    }

    @Test func theTerminalComesBackAfterLeaving() throws {
        let tmux = try start()
        try tmux.press("q")
        try tmux.expectUsable()
    }

    @Test func aKilledProcessLosesNothing() throws {
        let tmux = try start()
        try tmux.press("Enter", "Down", "Space")
        try tmux.wait(for: "Off → On")
        try tmux.signal("KILL")
        try tmux.type("reset; clear; settings edit")
        try tmux.wait(for: "Earlier Changes")
        try tmux.press("Enter", "c")
        try tmux.wait(for: "▸ Done")
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
        #expect(try tmux.home.run("git log -1 --format=%s") == ["display.larger: Off → On"])
    }

    @Test func leavingAsksWhereNothingIsKept() throws {
        let tmux = try start()
        // The file of the draft cannot be written, once it is known which one that is.
        let take = "file=.git/settings/edits-$(id -u)-0; until [ -e $file.lock ]; do sleep 0.1; done; mkdir -p $file/full"
        #expect(try tmux.home.run("timeout 60 sh -c '\(take)'") == [])
        try tmux.press("Enter", "Down", "Space")
        try tmux.wait(for: "Changes cannot be kept here, so leaving discards them")
        try tmux.press("q")
        try tmux.wait(for: "Leave and Lose the Changes")
        try tmux.press("Escape")
        try tmux.wait(for: "▸•Larger Text")
        #expect(try tmux.home.run("rm -r .git/settings/edits-$(id -u)-0") == [])
        try tmux.press("q")
        try tmux.wait(for: "1 change is not recorded; 'settings edit' offers it again")
    }

    @Test func theSheetStaysWhileItIsTypedInto() throws {
        let tmux = try start()
        try tmux.press("Enter", "Enter")
        try tmux.wait(for: "✓ Light")
        try tmux.press("Down", "Enter")
        try tmux.wait(for: "Light → Dark")
        try tmux.press("c")
        try tmux.wait(for: "▸ Done")
        try tmux.send("because")
        try tmux.wait(for: "because")
        #expect(try tmux.home.run("settings set -q display.theme auto") == [])
        try tmux.wait(for: "Done asks which side to use")
        try tmux.send(" of yct")
        try tmux.wait(for: "because of yct")
        try tmux.press("C-s")
        try tmux.wait(for: "Choose a side of each conflict first")
        try tmux.press("Enter", "Enter")
        try tmux.wait(for: "✓ Theme")
        try tmux.press("c")
        try tmux.wait(for: "because of yct")
    }

    @Test func itIsSuspendedAndContinued() throws {
        let tmux = try start()
        try tmux.press("Enter", "C-z")
        try tmux.wait(for: "Stopped")
        try tmux.type("clear; fg")
        try tmux.wait(for: "▸ Theme")
        // The first arrow is an arrow.
        try tmux.press("Down")
        try tmux.wait(for: "▸ Larger Text")
        try tmux.press("q")
        try tmux.expectUsable()
    }

    @Test func resizesKeepWhatIsTyped() throws {
        let tmux = try start()
        try tmux.press("Enter", "End", "Up", "Up", "Enter")
        try tmux.wait(for: "Enter accepts")
        try tmux.send("abc")
        try tmux.wait(for: "山田abc")
        try tmux.resize(columns: 40, rows: 10)
        try tmux.wait(for: "Küche 山田abc")
        try tmux.press("d", "Enter")
        try tmux.wait(for: "山田abcd")
    }

    @Test func resizesKeepTheFocus() throws {
        let tmux = try start()
        try tmux.press("Enter", "Down", "Down")
        try tmux.wait(for: "▸ Brightness")
        for (columns, rows) in [(40, 10), (20, 5), (120, 30)] {
            try tmux.resize(columns: columns, rows: rows)
            try tmux.wait(for: "▸ Brightness")
        }
        try tmux.press("Right")
        try tmux.wait(for: "50 → 55")
    }

    /// Escape closes the page, and what came with it is a key of its own.
    @Test func escapeLosesNoKey() throws {
        let tmux = try start()
        try tmux.press("Enter", "Enter")
        try tmux.wait(for: "✓ Light")
        try tmux.send("\u{1B}j")
        try tmux.wait(for: "▸ Larger Text")
        // In front of an arrow it is one, too.
        try tmux.press("Up", "Enter")
        try tmux.wait(for: "✓ Light")
        try tmux.send("\u{1B}\u{1B}[B")
        try tmux.wait(for: "▸ Larger Text")
    }

    @Test func aTerminalThatGoesAwayLosesNothing() throws {
        let tmux = try start()
        try tmux.press("Enter", "Down", "Space")
        try tmux.wait(for: "Off → On")
        try tmux.close()
        let next = try Tmux(tmux.home)
        try next.type("settings edit")
        try next.wait(for: "Earlier Changes")
    }

    @Test func aPasteIsText() throws {
        let tmux = try start()
        try tmux.press("Enter", "End", "Up", "Up", "Enter")
        try tmux.wait(for: "Enter accepts")
        try tmux.paste("c\nq:山")
        try tmux.wait(for: "c\\nq:山")
        try tmux.press("Escape")
        try tmux.wait(for: "Nothing was changed")
        try tmux.paste("cq")
        try tmux.wait(for: "then paste")
    }

    /// What was typed while the program was busy, and what a terminal without bracketed pastes sends.
    @Test(arguments: ["optional", "required"])
    func aTextThatIsWaitingRecordsNothing(demand: String) throws {
        let home = try EditTests.office()
        #expect(try home.run("settings define / --require-why \(demand) -q") == [])
        let tmux = try start(home)
        let version = try tmux.home.run("git rev-parse HEAD")
        try tmux.press("Enter", "Down", "Space")
        try tmux.wait(for: "Off → On")
        let texts = [
            "scope change\n\n", "c\tbecause\n\n\n", "c: \(String(repeating: "long ", count: 1_600))\n\n", "cab\n\n",
            "c\n\n", "\nfoo\n", "scope changes\u{7F}\n\n", "c\u{15}why\n\u{13}",
        ]
        for text in texts {
            try tmux.pasteAsKeys(text)
            try tmux.wait(for: "then paste")
            try tmux.press("Down", "Up")
            try tmux.wait(for: "▸•Larger Text", without: "then paste")
        }
        // On the page of Done it is the reason.
        try tmux.press("c")
        try tmux.wait(for: "Requested by")
        for text in ["ab\n\n", "yes\n\n", "\nfoo\n", "scope change\nagreed\n\n"] {
            try tmux.pasteAsKeys(text)
            try tmux.wait(for: text.split(separator: "\n").joined(separator: "\\n"))
        }
        #expect(try tmux.home.run("git rev-parse HEAD") == version)
        // Each Escape is one key.
        try tmux.send("\u{1B}\u{1B}")
        try tmux.wait(for: "▸•Larger Text")
        #expect(try tmux.home.run("git rev-parse HEAD") == version)
    }

    /// Two keys at once are keys, but record nothing. A line that a slow connection delivers at once is accepted.
    @Test func fewKeysAreKeys() throws {
        let tmux = try start()
        let version = try tmux.home.run("git rev-parse HEAD")
        try tmux.press("Enter", "Down", "Space")
        try tmux.wait(for: "Off → On")
        try tmux.pasteAsKeys("j\n")
        try tmux.wait(for: "Enter accepts")
        try tmux.press("Escape")
        try tmux.wait(for: "Nothing was changed")
        try tmux.press("End", "Up", "Up", "Enter")
        try tmux.wait(for: "Enter accepts")
        try tmux.pasteAsKeys("X\u{7F}abc\n")
        try tmux.wait(for: "→ Küche 山田abc", without: "Enter accepts")
        try tmux.pasteAsKeys("c\n")
        try tmux.wait(for: "Enter arrived together with other keys, like pasted text; press it again")
        #expect(try tmux.home.run("git rev-parse HEAD") == version)
        // What comes soon after a text may be the rest of it.
        Thread.sleep(forTimeInterval: 0.6)
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
    }

    @Test func whatOthersRecordAppears() throws {
        let tmux = try start()
        try tmux.press("Enter")
        try tmux.wait(for: "▸ Theme")
        #expect(try tmux.home.run("settings set -q display.brightness 80") == [])
        try tmux.wait(for: "▕████████░░▏ 80")
        try tmux.wait(for: "Brightness: 50 → 80")
        // Neither that nor an edit of a file disturbs what is being typed.
        try tmux.press("End", "Up", "Up", "Enter")
        try tmux.wait(for: "Enter accepts")
        try tmux.send("abc")
        try tmux.wait(for: "山田abc")
        #expect(try tmux.home.run("settings set -q display.brightness 20") == [])
        try tmux.wait(for: "▕██░░░░░░░░▏ 20")
        #expect(try tmux.home.run("sed -i 's/\"value\": false/\"value\": true/' display/larger.json") == [])
        try tmux.wait(for: "Edited by hand: Larger Text: Off → On")
        try tmux.press("d", "Enter")
        try tmux.wait(for: "山田abcd")
        // Groups that are new are watched as well.
        #expect(
            try tmux.home.run("settings add -q display.night.warmth --title Warmth --switch; cp display/night/warmth.json ~/")
                == [])
        try tmux.wait(for: "night")
        #expect(try tmux.home.run("sed -i 's/\"value\": false/\"value\": true/' display/night/warmth.json") == [])
        try tmux.wait(for: "Warmth: Off → On")
        #expect(try tmux.home.run("cp ~/warmth.json display/night/") == [])
        try tmux.wait(for: "Warmth: On → Off")
    }

    /// What is typed while somebody changes it is a change of what was there, and a page follows its group.
    @Test func whatOthersChangeUnderATextIsAsked() throws {
        let tmux = try start()
        try tmux.press("Enter", "End", "Up", "Up", "Enter")
        try tmux.wait(for: "Enter accepts")
        try tmux.send("abc")
        try tmux.wait(for: "山田abc")
        #expect(try tmux.home.run("settings set -q display.name remote") == [])
        try tmux.wait(for: "Device Name: Küche", else: "remote")
        try tmux.press("Enter")
        try tmux.wait(for: "Device Name was changed while you typed; c resolves it")
        try tmux.wait(for: "1 conflict")
        #expect(try tmux.home.run("settings rename -q display screen") == [])
        try tmux.wait(for: "renamed display → screen")
        try tmux.press("c")
        try tmux.wait(for: "Choose a side of each conflict first")
        try tmux.press("Enter")
        try tmux.wait(for: "Yours")
        try tmux.press("Enter")
        try tmux.wait(for: "✓ Device Name")
        try tmux.press("c")
        try tmux.wait(for: "▸ Done")
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
        #expect(
            try tmux.home.run("settings get screen.name; git log -1 --format=%s") == [
                "Küche 山田abc", #"screen.name: "remote" → "Küche 山田abc""#,
            ])
    }

    @Test func coloursAreLeftOutWhereTheyAreNotWanted() throws {
        for (variables, isColoured) in [("NO_COLOR=1", false), ("NO_COLOR=", true)] {
            let tmux = try start(variables)
            try tmux.press("Enter", "Down", "Space")
            try tmux.wait(for: "Off → On")
            // The focused row has one color.
            try tmux.press("Down")
            try tmux.wait(for: "▸ Brightness")
            let screen = try tmux.screen("-e")
            #expect(screen.contains("\u{1B}[31m") == isColoured, "\(variables)")
            #expect(screen.contains("\u{1B}[1m"), "bold stays")
            #expect(screen.split(separator: "\n").contains { $0.contains("[7m") && $0.contains("▸ Brightness") }, "and reverse")
        }
    }

    @Test func settingsAloneNamesThePages() throws {
        let tmux = try Tmux(try EditTests.office())
        try tmux.type("clear; settings | cat; settings")
        try tmux.wait(for: "The store “Settings”: 'settings edit' opens it, 'settings browse' its history.")
        let home = try Home()
        #expect(try home.run("settings").first == "Version settings: who changed what, when, why, and who asked for it.")
    }

    /// What a slow connection delays of a sequence is neither text nor keys.
    @Test func aSequenceThatIsCutIsNotTyped() throws {
        let tmux = try Tmux(try EditTests.office())
        try tmux.type("settings edit display.name")
        try tmux.wait(for: "▸")
        try tmux.press("Enter")
        try tmux.wait(for: "Enter accepts")
        try tmux.send("\u{1B}")
        Thread.sleep(forTimeInterval: 0.2)
        try tmux.send("[D")
        try tmux.wait(for: "That key does nothing here")
        try tmux.press("q")
        try tmux.expectUsable()
    }

    @Test func anEditorIsLentTheTerminal() throws {
        let tmux = try Tmux(try EditTests.office())
        try tmux.type("EDITOR='cat; echo [1,2] >' settings edit display.fonts")
        try tmux.wait(for: "▸ Fonts")
        try tmux.press("Enter")
        try tmux.wait(for: "settings edit display.fonts", without: "▸")
        // Ctrl-C there ends the editor alone.
        try tmux.press("C-c")
        try tmux.wait(for: "The editor 'cat; echo [1,2] >' failed; nothing was changed")
        try tmux.press("Enter")
        try tmux.wait(for: "settings edit display.fonts", without: "▸")
        try tmux.press("C-d")
        try tmux.wait(for: "[1] → [1,2]")
        try tmux.press("q")
        try tmux.expectUsable()
    }

    @Test func plainModeShowsNoMaskedText() throws {
        let tmux = try Tmux(try EditTests.office())
        try tmux.type("settings edit --plain display")
        try tmux.wait(for: "5. Password: ••••••")
        try tmux.type("5 = seen")
        try tmux.wait(for: "This value is masked")
        try tmux.type("Password")
        try tmux.wait(for: "Password: \n", else: "Password:\n")
        try tmux.type("geheim")
        try tmux.wait(for: "Password: changed (masked)")
        #expect(!(try tmux.screen()).contains("geheim"))
        // A signal gives the terminal back as well.
        try tmux.type("Password")
        try tmux.press("C-c")
        try tmux.expectUsable()
        try tmux.type("clear; settings edit --plain display")
        try tmux.wait(for: "Continue with the Changes")
        try tmux.type("Continue with the Changes")
        try tmux.type("done")
        try tmux.type("Done")
        try tmux.wait(for: "Recorded")
        try tmux.type("quit")
        #expect(try tmux.home.run("git show HEAD:display/secret.json | grep -c geheim") == ["1"])
    }

    @Test func anotherLocaleGetsASCII() throws {
        let tmux = try Tmux(try EditTests.office())
        try tmux.type("LC_ALL=C settings edit display")
        try tmux.wait(for: "> Theme")
        let screen = try tmux.screen()
        #expect(screen.contains("[#####-----] 50") && screen.contains("K?che") && !screen.contains("›"))
    }

    @Test func otherTerminalsGetLinesOrWork() throws {
        let tmux = try Tmux(try EditTests.office())
        for terminal in ["dumb", "nonsense"] {
            try tmux.type("clear; TERM=\(terminal) settings edit")
            try tmux.wait(for: "1. Display")
            try tmux.type("quit")
            try tmux.expectUsable()
        }
        for terminal in ["xterm-256color", "screen", "linux", "vt100"] {
            try tmux.type("clear; TERM=\(terminal) NO_COLOR=1 settings edit")
            try tmux.wait(for: "▸ Display")
            try tmux.press("Down")
            try tmux.wait(for: "▸ Language", else: "▸ general")
            try tmux.press("q")
            try tmux.expectUsable()
        }
    }
}
