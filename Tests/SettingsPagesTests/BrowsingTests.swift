import SettingsModel
import Testing

@testable import SettingsPages

/// What the keys do on pages about versions.
struct BrowsingTests {
    private let archive: Archive

    init() throws { archive = try Archive(12, since: try Office.settings) }

    @Test func listsTheNewestFirstWithTheGraphAndNames() {
        let editor = Editor.browser(archive, columns: 160)
        let lines = editor.draw().lines
        #expect(lines[0].hasPrefix("Browse"))
        #expect(lines[1].contains("▸ ○") && lines[1].contains("[main] Brightness: 50 → 55, and 1 more"))
        #expect(lines.contains { $0.contains("○─╮") } && lines.contains { $0.contains("[v1]") })
        #expect(editor.visit.rows.count == 12)
    }

    @Test func theVersionStandsBesideTheListOrBelowOrAlone() {
        var editor = Editor.browser(archive, columns: 100)
        #expect(editor.draw().lines.contains { $0.contains("│") && $0.contains("CHANGES") })
        editor.press("Tab", archive)
        #expect(editor.visit.page is DetailPage && editor.draw().lines.contains { $0.contains("│ ▸ Who") })
        editor.press("Tab", archive)
        #expect(editor.visit.page is VersionsPage)
        // Narrower, a sentence would be cut off after some words.
        _ = editor.step(.resize(Grid.Size(columns: 99, rows: 24)))
        #expect(editor.draw().lines.contains { $0.allSatisfy { $0 == "─" } && !$0.isEmpty })
        _ = editor.step(.resize(Grid.Size(columns: 40, rows: 10)))
        #expect(!editor.draw().lines.contains { $0.contains("CHANGES") })
        editor.press("Enter", archive)
        #expect(editor.draw().lines[1].hasPrefix("▸ Who"))
    }

    @Test(arguments: [80, 40]) func aClickChoosesARowOfEitherPane(columns: Int) throws {
        var editor = Editor.browser(archive, columns: columns)
        func click(_ text: String) throws {
            let lines = editor.draw().lines
            let row = try #require(lines.lastIndex { $0.contains(text) }, "\(lines)")
            let before = try #require(lines[row].range(of: text)).lowerBound
            editor.serve(editor.step(.click(row: row, column: lines[row][..<before].count)), archive)
        }
        try click("Who")
        #expect(editor.visit.page is DetailPage && editor.row?.title(in: editor.scene) == "Who")
        try click("When")
        #expect(editor.visit.page is DetailPage && editor.row?.title(in: editor.scene) == "When")
        let second = try #require(editor.visits[0].rows[1] as? VersionRow)
        editor.serve(editor.step(.click(row: 2, column: 1)), archive)
        #expect(editor.visit.page is VersionsPage && editor.row?.id == second.id)
        editor.serve(editor.step(.click(row: 2, column: 1)), archive)
        #expect(editor.visit.page is DetailPage)
    }

    @Test func restoresOneOptionOnePageAndEverythingAsADraft() throws {
        var editor = Editor.browser(archive)
        editor.press("Down Down Enter p", archive)
        #expect(editor.title == "Settings at \(Archive.id(9).short)")
        editor.press("Enter", archive)
        #expect(editor.title == "Display at \(Archive.id(9).short)" && editor.focused == "Theme")
        #expect(editor.draw().lines.contains { $0.contains("Light (now Auto)") })
        editor.press("Enter", archive)
        #expect(editor.status.isRefusal && editor.scene.draft.isEmpty)
        editor.press("r", archive)
        #expect(editor.changes == ["Theme: Auto → Light"])
        #expect(editor.scene.draft.restoredFrom == Archive.id(9) && editor.scene.draft.reverts == [])
        editor.press("Esc r", archive)
        #expect(editor.changes == ["Brightness: 55 → 45", "Larger Text: Off → On", "Theme: Auto → Light"])
        editor.press("u u", archive)
        #expect(editor.scene.draft.isEmpty && editor.scene.draft.restoredFrom == nil)
        editor.press("Esc Esc r Down Enter", archive)
        #expect(editor.changes.count == 3 && editor.visit.page is VersionsPage)
        editor.press("c", archive)
        #expect(editor.visit.page is DonePage)
    }

    @Test func revertsAVersionAndAsksWhereItWasChangedSince() throws {
        var editor = Editor.browser(archive)
        editor.press("R", archive)
        #expect(editor.changes == ["Brightness: 55 → 50", "Theme: Auto → Dark"])
        #expect(editor.scene.draft.reverts == [Archive.id(11)])
        editor.press("u Down R", archive)
        #expect(editor.visit.page is ConflictsPage && editor.scene.draft.openConflicts.count == 2)
        // Nothing is recorded before a side is picked.
        #expect(editor.press("c", archive).allSatisfy { if case .record = $0 { false } else { true } })
        #expect(editor.visit.page is ConflictsPage)
        editor.press("g Enter", archive)
        #expect(editor.draw().lines.contains { $0.contains("Yours") && $0.contains("45") })
        editor.press("Enter Down Enter", archive)
        editor.press("Down Enter", archive)
        #expect(editor.scene.draft.openConflicts.isEmpty)
        #expect(editor.changes == ["Brightness: 55 → 45", "Larger Text: Off → On"])
        #expect(editor.scene.draft.reverts == [Archive.id(10)])
        for _ in 0..<3 { editor.press("u", archive) }
        #expect(editor.scene.draft.isEmpty && editor.scene.draft.conflicts.isEmpty)
        editor.press("U", archive)
        #expect(editor.scene.draft.openConflicts.count == 2)
    }

    @Test func oneChangeOfAVersionIsRevertedOrRestoredAlone() throws {
        var editor = Editor.browser(archive)
        editor.press("Enter", archive)
        _ = editor.step(.focus(.change(.option(try Key("display.theme")), .value)))
        #expect(editor.draw().lines.contains { $0.contains("r restores it, R reverts this change, H shows its history") })
        editor.press("R", archive)
        #expect(editor.changes == ["Theme: Auto → Dark"] && editor.scene.draft.reverts == [Archive.id(11)])
        editor.press("u r", archive)
        #expect(editor.scene.draft.isEmpty && editor.status.text.hasPrefix("Nothing to restore"))
        // Elsewhere on the page all of the version.
        editor.press("g R", archive)
        #expect(editor.changes == ["Brightness: 55 → 50", "Theme: Auto → Dark"])
        editor.press("u g r", archive)
        #expect(editor.visit.page is RestorePage)
    }

    @Test func comparesTwoVersionsTheOlderFirst() {
        var editor = Editor.browser(archive)
        editor.press("=", archive)
        #expect(editor.status.isRefusal)
        editor.press("m Down Down Down =", archive)
        #expect(editor.title == "\(Archive.id(8).short) → \(Archive.id(11).short)")
        #expect(editor.visit.rows.contains { $0.title(in: editor.scene) == "Brightness" })
        editor.press("r", archive)
        #expect(editor.changes == ["Brightness: 55 → 40"])
    }

    @Test func searchesByWhoWhenWhyKeyTicketAndValue() {
        for (words, count) in [
            ("@who:ann", 4), ("@why:moon", 6), ("@key:larger", 2), ("@ticket:feat-5", 1), ("@became:dark", 4), ("brightness", 11),
            ("@became:dark @who:bob", 4), ("@since:2026-11-19", 0), ("nothing of the kind", 0),
        ] {
            var editor = Editor.browser(archive)
            editor.press("/ '\(words)' Enter", archive)
            let found = editor.visit.rows.filter { $0 is VersionRow }.count
            // The archive leaves moments to the store.
            if !words.contains("since") { #expect(found == count, "\(words)") }
            if count > 0 { #expect(editor.row is VersionRow, "\(words)") }
        }
        var editor = Editor.browser(archive)
        editor.press("/ '@when:x' Enter", archive)
        #expect(editor.visit.rows.contains { $0.title(in: editor.scene).contains("is not a filter") })
    }

    @Test func nGoesToTheNextMatchInTheWholeList() {
        var editor = Editor.browser(archive)
        editor.press("n", archive)
        #expect(editor.status.isRefusal)
        editor.press("/ '@ticket:feat' Enter Esc", archive)
        #expect(editor.visit.page is VersionsPage && editor.title == "Browse")
        editor.press("n n", archive)
        #expect(editor.row?.id == .version(Archive.id(5)))
        editor.press("N", archive)
        #expect(editor.row?.id == .version(Archive.id(9)))
    }

    @Test func theHistoryOfAnOptionIsTheSamePage() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.serve(editor.press("H"), archive)
        #expect(editor.title == "History of Larger Text")
        #expect(editor.visit.rows.count == 2)
        #expect(editor.draw().lines[1].contains("On → Off") || editor.draw().lines[1].contains("Off → On"))
        editor.press("Enter", archive)
        #expect(editor.visit.page is DetailPage)
        editor.press("Esc Esc", archive)
        #expect(editor.title == "Display")
    }

    @Test func whatSomebodyRecordsMovesTheListAndNotTheFocus() throws {
        var editor = Editor.browser(archive)
        editor.press("Down Down Down", archive)
        let row = editor.row?.id
        let later = try Archive(15, since: try Office.settings)
        let loaded = Loaded(later.versions[0].after, head: later.versions[0].version.id, author: "Bob")
        editor.serve(editor.step(.loaded(loaded)), later)
        #expect(editor.visit.rows.count == 15 && editor.row?.id == row)
        #expect(editor.visit.focus == 6)
    }

    @Test func theKeysOfAFilePageAndTheModes() {
        var editor = Editor.browser(archive)
        editor.press("D", archive)
        #expect(editor.draw().lines.contains { $0.contains("-  \"value\": 1") })
        editor.press("D Enter p 1", archive)
        #expect(editor.visits.count == 1 && editor.visit.page is VersionsPage)
        editor.press("2", archive)
        #expect(editor.visit.page is CommitPage)
        editor.press("1", archive)
        #expect(editor.visits.count == 1 && editor.visit.page is VersionsPage)
    }

    @Test func aVersionThatCannotBeReadIsShown() {
        var broken = archive
        broken.versions[1].version = Version(
            id: VersionID(high: 1, middle: 1, low: 1), parents: [], author: broken.versions[1].version.author,
            committer: broken.versions[1].version.author, time: broken.versions[1].version.time,
            message: VersionMessage(subject: "x"))
        var editor = Editor.browser(archive)
        editor.scene.browsing.entries[Archive.id(10)] = Browsing.Entry(nil, changes: nil, count: 0)
        editor.press("Down", archive)
        #expect(editor.draw().lines.contains { $0.contains("cannot be read") })
    }
}
