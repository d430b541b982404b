import Foundation
import Surroundings
import Testing

/// `settings browse`, edits of the files and open questions in a terminal, with what comes of them in git.
@Suite(.enabled(if: Tmux.isThere, "tmux is here"))
struct BrowseTerminalTests {
    private func start(_ home: Home, _ options: String = "", columns: Int = 100, rows: Int = 24) throws -> Tmux {
        let tmux = try Tmux(home, columns: columns, rows: rows)
        try tmux.type("clear; settings browse \(options)")
        return tmux
    }

    private func archive(columns: Int = 100, rows: Int = 24) throws -> Tmux {
        let tmux = try start(try BrowseTests.archive(), columns: columns, rows: rows)
        try tmux.wait(for: "[main]")
        try tmux.wait(for: "CHANGES", else: "for Paris")
        return tmux
    }

    @Test(arguments: ["TERM", "INT", "SEGV"])
    func theTerminalComesBackAfterASignal(_ signal: String) throws {
        let tmux = try archive()
        try tmux.press("Down", "R")
        try tmux.wait(for: "1 change")
        try tmux.signal(signal)
        try tmux.expectUsable()
        // What was to be reverted is there again, with the version that it reverts.
        try tmux.type("clear; settings browse")
        try tmux.wait(for: "Earlier Changes")
        let id = try tmux.home.changeID(of: "HEAD~1")
        try tmux.press("Enter", "c")
        try tmux.wait(for: "▸ Done")
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
        #expect(try tmux.home.run("git log -1 --format=%s") == ["display.larger: On → Off"])
        #expect(try tmux.home.run("git log -1 --format='%(trailers:key=Reverts,valueonly)'").first == id)
    }

    /// What was typed while the program was busy reverts nothing, and in the search it is a search.
    @Test func aTextThatIsWaitingIsText() throws {
        let tmux = try archive()
        for text in ["R\nc\n\n", "rc\u{7F}\n", "\nRc\n"] {
            try tmux.pasteAsKeys(text)
            try tmux.wait(for: "then paste", without: "1 change")
            try tmux.press("Down", "Up")
            try tmux.wait(for: "[main]", without: "then paste")
        }
        try tmux.press("/")
        try tmux.wait(for: "Enter accepts")
        try tmux.pasteAsKeys("@became:dark\n")
        try tmux.wait(for: "1 match")
        #expect(try tmux.home.run("git status --porcelain") == [])
    }

    @Test func aPageOfThePastIsRestored() throws {
        let tmux = try archive()
        try tmux.press("/")
        try tmux.send("@became:dark")
        try tmux.wait(for: "@became:dark")
        try tmux.press("Enter")
        try tmux.wait(for: "1 match")
        try tmux.press("p", "Enter")
        try tmux.wait(for: "Dark (now Auto)")
        try tmux.press("r", "c")
        try tmux.wait(for: "▸ Done")
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
        #expect(try tmux.home.run("git log -1 --format=%s") == ["display.theme: Auto → Dark"])
        #expect(try tmux.home.run("git status --porcelain; git fsck --strict 2>&1") == [])
        try tmux.press("q")
        try tmux.expectUsable()
    }

    @Test func twoVersionsAreCompared() throws {
        let tmux = try archive()
        try tmux.press("m", "Down", "Down", "=")
        // The list has the same sentences. A key after Escape would be another one, if it came before the page has changed.
        try tmux.wait(for: "  From ", without: "[main]")
        try tmux.wait(for: "60 → 80")
        try tmux.wait(for: "English → French")
        try tmux.press("Escape")
        try tmux.wait(for: "[main]", without: "  From ")
        try tmux.press("D")
        try tmux.wait(for: "display/theme.json")
        try tmux.wait(for: "\"value\": \"auto\"")
    }

    @Test func whatOthersRecordAppearsAboveAndKeepsTheFocus() throws {
        let tmux = try archive()
        try tmux.press("Down", "Down")
        try tmux.wait(for: "▸ ○   ", else: "▸ ○")
        #expect(try tmux.home.run("settings set -q display.brightness 10") == [])
        try tmux.wait(for: "[main] Brightness: 80 → 10")
        let focused = try tmux.screen().split(separator: "\n").first { $0.hasPrefix("▸") }
        #expect(focused?.contains("Theme: Dark → Auto") == true, "\(focused ?? "")")
    }

    @Test func resizesAndASuspensionKeepTheVersion() throws {
        let tmux = try archive(columns: 120, rows: 30)
        try tmux.press("Down", "Down")
        for (columns, rows) in [(40, 10), (76, 24), (40, 24), (120, 30)] {
            try tmux.resize(columns: columns, rows: rows)
            try tmux.press("C-l")
            try tmux.wait(for: columns == 40 ? "▸ ○" : "by the sun")
        }
        try tmux.press("C-z")
        try tmux.wait(for: "Stopped")
        try tmux.type("clear; fg")
        try tmux.wait(for: "by the sun")
        try tmux.press("Enter", "Down")
        try tmux.wait(for: "▸ When")
        try tmux.press("q")
        try tmux.expectUsable()
    }

    @Test func whatIsStagedIsRecordedAndTheRestStays() throws {
        let home = try BrowseTests.archive()
        let edits = [
            #"sed -i 's/"value": 80/"value": 70/' display/brightness.json"#,
            #"sed -i 's/"value": true/"value": false/' display/larger.json"#, "git add display/larger.json",
        ]
        for command in edits { #expect(try home.run(command) == []) }
        let tmux = try start(home)
        try tmux.wait(for: "[main]")
        try tmux.press("2")
        try tmux.wait(for: "1 staged")
        // What git stages meanwhile appears.
        #expect(try home.run("git add display/brightness.json") == [])
        try tmux.wait(for: "2 staged")
        #expect(try home.run("git reset -q -- display/larger.json") == [])
        try tmux.wait(for: "1 staged")
        try tmux.press("c")
        try tmux.wait(for: "▸ Done")
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
        #expect(try home.run("git log -1 --format=%s") == ["display.brightness: 80 → 70"])
        #expect(try home.run("git status --porcelain") == [" M display/larger.json"])
    }

    @Test func aQuestionIsSettled() throws {
        let home = try BrowseTests.archive()
        for command in [
            "git checkout -q -b phone HEAD~1", "settings set -q general.language German -m 'for Berlin'",
            "git checkout -q main",
        ] { #expect(try home.run(command) == []) }
        let tmux = try Tmux(home)
        try tmux.type("clear; settings edit")
        try tmux.wait(for: "▸ Display")
        // It is on the page without a key, where a merge leaves it while the page is open, too.
        #expect(try home.run("settings merge -q --keep phone") == [])
        try tmux.wait(for: "1 conflict is open")
        try tmux.press("q")
        try tmux.expectUsable()
        try tmux.type("clear; settings edit")
        try tmux.wait(for: "1 conflict is open")
        try tmux.press("g", "Enter")
        try tmux.wait(for: "Language")
        try tmux.press("Enter")
        try tmux.wait(for: "Theirs")
        try tmux.press("Down", "Enter", "c")
        try tmux.wait(for: "▸ Done")
        try tmux.press("Enter")
        try tmux.wait(for: "Recorded")
        #expect(try home.run("settings conflicts") == ["there are no open conflicts"])
        #expect(try home.run("git log -1 --format='%(trailers:key=Resolves,valueonly)'").first == "general.language value")
    }
}
