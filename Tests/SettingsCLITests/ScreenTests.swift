import Surroundings
import Testing

/// What fits on a terminal, and how it looks there and in a pipe.
@Suite(.enabled(if: Terminal.isThere, "python3 has a module pty here"))
struct ScreenTests {
    private func desktop() throws -> Home {
        let home = try Home()
        for command in [
            "settings init -q",
            "settings add -q org.gnome.desktop.interface.clock-format --title 'Whether the clock displays in 24h or 12h format' "
                + "--choice 12h 24h --unset --default 24h --page Interface",
            "settings add -q org.gnome.desktop.interface.locale --title '表示する言語を選択してください' --text 日本語",
            "settings set -q org.gnome.desktop.interface.clock-format 12h -m 'The London office asked for it.'",
        ] { #expect(try home.run(command) == []) }
        return home
    }

    @Test func listFitsTheTerminal() throws {
        let terminal = Terminal(try desktop())
        #expect(
            try terminal.run("stty cols 50; settings list --no-pager") == """
                Interface  org.gnome.desktop.interface
                  clock-format  Whether the clock displ…  12h
                  locale        表示する言語を選択して…   "日本語"

                """)
        #expect(
            try terminal.run("COLUMNS=36 settings list --no-pager") == """
                org.gnome.desktop.interface
                  clock-format  Whether t…  12h
                  locale        表示する…   "日本語"

                """)
    }

    @Test func blameFitsTheTerminal() throws {
        let screen = try Terminal(try desktop()).run("stty cols 80; settings blame --no-pager")
        let lines = screen.split(separator: "\n")
        #expect(lines.first == "org.gnome.desktop.interface")
        #expect(
            lines.dropFirst().prefix(2).map { $0.replacing(#/  [0-9a-f]{7}  /#, with: " ID ") } == [
                "  clock-format  12h      ID today 09:03  Ada Example", "    “The London office asked for it.”",
            ], "\(screen)")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(screen)")
    }

    @Test func pipedAndLongListsAreComplete() throws {
        let terminal = Terminal(try desktop())
        let line = "  org.gnome.desktop.interface.clock-format  Whether the clock displays in 24h or 12h format  12h\n"
        #expect(try terminal.run("stty cols 40; settings list | cat").contains(line))
        #expect(try terminal.run("stty cols 40; settings list --long --no-pager").contains(line))
        #expect(try !terminal.run("stty cols 40; settings blame | cat").contains("today"))
        #expect(
            try terminal.run("stty cols 40; settings blame --long --no-pager").contains("  “The London office asked for it.”\n"))
    }

    @Test func aTerminalShowsTheTimeOfDay() throws {
        let terminal = Terminal(try desktop())
        #expect(try terminal.run("settings history -n 1 --no-pager").contains("today 09:03  Ada Example"))
        #expect(try terminal.run("settings history -n 1 | cat").contains("2026-11-20 09:03:00 +0100  Ada Example"))
        #expect(try terminal.run("settings status --no-pager").contains("today 09:03 (3 minutes ago), Ada Example"))
        let wide = try terminal.run("stty cols 120; settings history -n 1 --no-pager")
        #expect(wide.contains("today 09:03 (4 minutes ago)  Ada Example"), "\(wide)")
        let configured = "git config --global log.date auto:relative; settings history -n 1"
        #expect(try terminal.run("\(configured) --no-pager").contains("ago  Ada Example"))
        #expect(try terminal.run("\(configured) | cat").contains("2026-11-20 09:03:00 +0100  Ada Example"))
        #expect(try terminal.run("\(configured) --date=short --no-pager").contains("  2026-11-20  Ada Example"))
        let json = try terminal.run("unset NO_COLOR; settings history -n 1 --json --no-pager")
        #expect(json.contains("\"time\": \"2026-11-20T09:03:00+01:00\""))
        #expect(!json.contains("\u{1B}") && !json.contains("ago"))
    }

    /// Each attempt looks at the same versions again.
    @Test func whatIsWaitedForIsShown() throws {
        let home = try desktop()
        _ = try home.run("git branch other; touch .git/HEAD.lock")
        let screen = try Terminal(home).run("settings switch other")
        #expect(screen.contains("waiting for another process: ") && screen.contains("/.git/HEAD.lock exists …"), "\(screen)")
        #expect(!screen.contains("versions examined"), "\(screen)")
    }

    @Test(arguments: [
        ("LC_ALL=C", false), ("LC_ALL= LC_CTYPE=C LANG=C.UTF-8", false), ("LC_ALL= LC_CTYPE= LANG=", false),
        ("LC_ALL= LC_CTYPE= LANG=de_DE.utf8", true), ("LC_ALL= LC_CTYPE=en_US.UTF-8 LANG=C", true),
        ("LC_ALL=POSIX LANG=C.UTF-8", false),
    ])
    func signsAreThoseOfTheLocale(locale: String, isUnicode: Bool) throws {
        let screen = try Terminal(try desktop()).run(
            "export \(locale); settings history -n 1 --no-pager; COLUMNS=40 settings list --no-pager")
        #expect(screen.contains(isUnicode ? ": not set → 12h" : ": not set -> 12h"), "\(screen)")
        #expect(screen.contains("…") == isUnicode && screen.contains("...") != isUnicode, "\(screen)")
    }

    @Test func settingsAloneFitsAScreen() throws {
        let lines = try Home().run("settings")
        #expect(lines.count <= 23 && lines.allSatisfy { $0.count < 80 }, "\(lines)")
    }
}
