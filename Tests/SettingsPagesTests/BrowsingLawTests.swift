import Seeds
import SettingsModel
import Testing

@testable import SettingsPages

/// What holds whatever keys are pressed on pages about versions.
struct BrowsingLawTests {
    private static let keys: [Keystroke] =
        KeyTable.all.flatMap { $0.bindings.flatMap(\.keys) } + "1234 azq山".map { .character($0) }

    private func event(_ random: inout Seeded) -> Event {
        switch random.int(40) {
        case 0: .resize(Grid.Size(columns: random.pick([1, 5, 20, 40, 80, 200]), rows: random.pick([1, 2, 3, 5, 10, 24, 60])))
        case 1: .click(row: random.int(26), column: 3)
        case 2: .search(random.pick(["dark", "@who:ann", "@became:dark", "@when:x", "", "@since:nonsense"]))
        case 3: .paste(random.pick(["x", "dark\n"]))
        case 4...11: .key(.enter)
        case 12...18: .key(.down)
        case 19...21: .key(.character(random.pick(["r", "R", "m", "=", "p"])))
        case 22: .key(.escape)
        default: .key(random.pick(Self.keys))
        }
    }

    @Test(arguments: 0..<24)
    func anyKeys(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        var archive = try Archive(8 + random.int(40), since: try Office.settings)
        archive.part = random.pick([1, 7, 100])
        var editor = Editor.browser(archive)
        let first = editor.scene.draft.base
        for _ in 0..<150 {
            let event = event(&random)
            let effects = editor.serve(editor.step(event), archive)
            let visit = editor.visit
            if visit.rows.contains(where: \.isFocusable) {
                #expect(visit.row != nil, "seed \(seed): no focus after \(event) on \(editor.title)")
                let isShown = editor.layout.lines(of: visit).contains { $0.row == visit.focus }
                #expect(isShown || editor.size.rows < 3, "seed \(seed): \(event) on \(editor.title), \(editor.size)")
            }
            for case .record in effects { #expect(visit.page is DonePage, "seed \(seed): \(event)") }
            for change in editor.scene.draft.changes {
                #expect(editor.scene.content[change.subject]?.option?.faults().isEmpty ?? true, "seed \(seed)")
            }
            let grid = editor.draw()
            #expect(grid.size == editor.size)
            #expect(!grid.lines.joined().contains("hunter2"), "seed \(seed): a masked text is shown")
            // What is on the screen is known.
            if let page = visit.page as? VersionsPage, editor.scene.browsing.number(of: page.filter) != nil {
                for line in Layout(size: editor.panes?.list ?? editor.size, scene: editor.scene).lines(of: visit) {
                    guard let row = visit.rows[line.row] as? VersionRow else { continue }
                    #expect(editor.scene.browsing.entries[row.version] != nil, "seed \(seed): \(event)")
                }
            }
        }
        let last = editor.scene.content
        let count = editor.scene.draft.steps.count
        for _ in 0..<count { _ = editor.scene.draft.undo() }
        #expect(editor.scene.content == first, "seed \(seed)")
        #expect(editor.scene.draft.changes.isEmpty && editor.scene.draft.conflicts.isEmpty, "seed \(seed)")
        for _ in 0..<count { _ = editor.scene.draft.redo() }
        #expect(editor.scene.content == last, "seed \(seed)")
    }
}
