import Foundation
import Surroundings
import Testing

/// `settings browse` of a history with merges that left questions open, or that settled everything.
struct BrowseQuestionsTests {
    private func browse(_ script: String, in home: Home) throws -> [String] {
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        return try home.run("settings browse --script ~/script")
    }

    /// Types and values, and values and ranges, that both sides changed.
    private func store() throws -> Home {
        let home = try Home()
        _ = try home.run(
            """
            settings init -q; settings add -q a.t --title T --text 5; settings add -q a.v --title V --number 40 --range 0..100
            git branch bob; settings define -q a.t --number 5; settings define -q a.v --range 0..50
            git checkout -q bob; settings set -q a.t seven; settings set -q a.v 80
            git checkout -q main; settings merge -q bob --keep
            """)
        return home
    }

    /// What `resolve` can settle can be chosen on the page.
    @Test(arguments: [("", "5", "40"), ("Down ", "seven", "80")])
    func anySideCanBeChosen(_ down: String, _ text: String, _ number: String) throws {
        let home = try store()
        let one = "Enter \(down)Enter"
        let script = """
            :resize 100 24
            :expect 3 conflicts are open
            :keys g Enter \(one)
            :keys Down \(one)
            :keys Down \(one)
            :expect ✓ V
            :keys c Enter
            :expect Recorded
            :refuse open
            """
        #expect(try browse(script, in: home) == [])
        #expect(try home.run("settings get a.t a.v") == [text, number])
        #expect(try home.run("settings conflicts") == ["there are no open conflicts"])
    }

    @Test func aMergeLeadsToWhatItLeftOpen() throws {
        let home = try store()
        let script = """
            :resize 120 24
            :expect ○─╮
            :expect CONFLICTS
            :expect 40 or 80
            open HEAD
            T – type
            :expect Theirs by
            Ours
            :keys 1 g
            :expect 2 of 3 conflicts are open
            """
        #expect(try browse(script.replacing("HEAD", with: home.run("git rev-parse HEAD")[0].prefix(10)), in: home) == [])
    }

    @Test func aMergeThatStoppedIsShownWithTheEdits() throws {
        let home = try Home()
        _ = try home.run(
            """
            settings init -q; settings add -q n --title N --number 1; git branch bob; settings set -q n 2
            git checkout -q bob; settings set -q n 3; git checkout -q main; git merge -q bob
            """)
        let script = ":resize 100 24\n:keys 2\n:expect A merge is in progress\n:expect 1 conflict is open"
        #expect(try browse(script, in: home) == [])
    }

    /// Both sides did the same, and git's own commits changed nothing: the merge, the tag and the branch are on rows.
    @Test func versionsThatChangedNothingHaveTheirRows() throws {
        let home = try Home()
        _ = try home.run(
            """
            settings init -q; settings add -q n --title N --number 1; git branch bob; settings set -q n 2 -m ours
            git checkout -q bob; settings set -q n 2 -m theirs; git checkout -q main; settings merge -q bob -m agree
            git commit -q --allow-empty -m 'Release 1'; git tag rel1; git commit -q --allow-empty -m Tip
            """)
        let script = """
            :resize 60 12
            :expect ○   today
            :expect [main] Tip
            :expect [rel1] Release 1
            :expect ○─╮
            :expect │ ○
            :expect ○─╯
            /agree
            :expect 1 match
            :expect merge bob
            """
        #expect(try browse(script, in: home) == [])
        let drawn = try home.run("settings history --graph --oneline").map {
            $0.replacing(#/[0-9a-f]{7}.*Ada Example/#, with: "")
        }
        #expect(
            drawn.prefix(4) == ["○   Tip", "○   [rel1]  Release 1", "○   merge bob", "├─╮"], "\(drawn.joined(separator: "|"))")
        #expect(try home.run("settings history --search agree --oneline").count == 1)
        #expect(try home.run("settings history --oneline | wc -l") == ["4"])
    }
}
