import Foundation
import Surroundings
import Testing

/// Files that stayed as they were when the branch was moved without them: in another work tree, by a push, by plain git.
struct BehindTests {
    /// A store with two work trees of one branch: the second one, `t`, does not have the last version.
    private func office() throws -> Home {
        let home = try Home()
        let lines = try home.run(
            """
            git init -q . && settings init -q conf && cd conf && settings add -q a.v --title V --number 40 &&
            settings add -q a.w --title W --number 1 && settings add -q a.gone --title Gone --switch &&
            git worktree add -q -f ../../t main && settings set -q a.v 50 -m loud && settings remove -q a.gone &&
            settings add -q b.new --title New --text x && git -C ../../t status --porcelain | wc -l
            """)
        #expect(lines == ["3"])
        return home
    }

    private let behind = [
        "behind the last version, and not edited:", "    a/gone.json", "    a/v.json", "    b/new.json",
    ]

    @Test func statusSaysSoAndNothingOfItIsADraft() throws {
        let home = try office()
        _ = try home.run("cd ../t/conf")
        let lines = try home.run("settings status")
        #expect(lines.starts(with: behind))
        #expect(lines.contains { $0.hasPrefix("no unrecorded edits") })
        #expect(try home.run("settings diff") == ["nothing differs"])
        #expect(
            try home.run("settings status --json | grep -A3 behind | tr -d ' \\n'") == [
                #""behind":["a/gone.json","a/v.json","b/new.json"[no newline at the end]"#
            ].map { $0.replacingOccurrences(of: "[no newline at the end]", with: "") } + ["[no newline at the end]"])
        #expect(try home.run("settings status -q --exit-code; echo $?") == ["1"])
        #expect(try home.run("settings set a.v 51 --dry-run 2>/dev/null") == ["would record:", "    V (a.v): 50 → 51"])
    }

    @Test(arguments: [
        "settings done -q -m old", "settings set -q a.w 2", "settings set -q a.v 60", "settings discard -q",
        "settings set -q a.v 50",
        "settings undo -q", "settings label add a.w x 2>/dev/null",
    ])
    func theNextCommandThatWritesBringsThemUpToDate(_ command: String) throws {
        let home = try office()
        _ = try home.run("cd ../t/conf")
        let lines = try home.run("\(command) 2>&1 | grep -c 'now have the content of the last version'")
        #expect(lines == ["1"])
        let last = command.contains("a.v 60") ? "60" : "50"
        #expect(try home.run("settings get a.v; settings get a.v --at HEAD") == [last, last])
        #expect(try home.run("git status --porcelain; settings status -q --exit-code; echo $?") == ["0"])
        #expect(try home.run("git log --format=%s -- a/v.json | grep -c 'a.v: 50 → 40'")[0] == "0")
        #expect(try home.run("settings set -q a.w 7 2>&1") == [])
        #expect(try home.unsound() == "")
    }

    @Test func anEditOfAFileThatIsBehindIsLaidOnTheLastVersion() throws {
        let home = try office()
        _ = try home.run("cd ../t/conf")
        _ = try home.run("sed -i 's/\"V\"/\"Loudness\"/' a/v.json")
        let before = try home.run("settings status 2>&1")
        #expect(before.contains(#"    Loudness (a.v): title "V" → "Loudness""#), "\(before)")
        #expect(!before.contains { $0.contains("50 → 40") })
        let done = try home.run("settings done -m 'a better name' 2>/dev/null")
        #expect(done.count == 1 && done[0].hasSuffix(#"Loudness (a.v): title "V" → "Loudness""#), "\(done)")
        #expect(try home.run("settings get a.v; git status --porcelain") == ["50"])
    }

    @Test func aPushToTheBranchLeavesThemBehind() throws {
        let home = try office()
        let lines = try home.run(
            """
            git config receive.denyCurrentBranch ignore; git worktree remove --force ../t
            git clone -q . ../c; cd ../c; settings --store conf set -q a.v 70; git push -q; cd ../office/conf
            settings status 2>/dev/null | head -2; settings done -q -m x 2>/dev/null; settings get a.v; settings get a.v --at HEAD
            git -C ../../c rev-parse HEAD > ../../there; git rev-parse HEAD | cmp - ../../there; git status --porcelain
            """)
        #expect(lines == [behind[0], "    a/v.json", "70", "70"])
    }

    @Test func whatSomebodyPutBackOnPurposeIsADraft() throws {
        let home = try office()
        let old = "git checkout -q HEAD~3 -- a/v.json"
        let draft = ["edits not recorded yet:", "    V (a.v): 50 → 40"]
        let status = "settings status 2>/dev/null | head -2"
        #expect(try home.run("(cd conf; \(old); \(status); git checkout -q HEAD -- .)") == draft)
        #expect(
            try home.run("(cd conf; git reset -q --soft HEAD~3; git commit -qm all; \(status))")[0].hasPrefix("no unrecorded"))
        // A branch that goes back leaves what it had as a draft, as 'git reset --soft' does.
        let back = "(cd conf; git update-ref refs/heads/main HEAD~1; settings status 2>/dev/null | head -1)"
        #expect(try home.run(back) == ["edits not recorded yet:"])
    }
}
