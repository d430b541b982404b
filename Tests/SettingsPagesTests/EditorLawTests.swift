import Seeds
@testable import SettingsModel
import Testing

@testable import SettingsPages

/// What holds whatever keys are pressed.
struct EditorLawTests {
    private static let keys: [Keystroke] =
        KeyTable.bindings.flatMap { $0.bindings.flatMap(\.keys) } + [.other, .function(7)]
        + "1234 azxq山é".map { .character($0) }

    private func event(_ random: inout Seeded) -> Event {
        switch random.int(40) {
        case 0: .paste(random.pick(["", "two\nlines", "c", "\u{1B}[2J", "山田"]))
        case 1: .resize(Grid.Size(columns: random.pick([1, 5, 20, 40, 80, 200]), rows: random.pick([1, 2, 3, 5, 10, 24, 60])))
        case 2: .click(row: random.int(26), column: 3)
        case 3: .edited(.option(Key(unchecked: ["display", "fonts"])), random.pick([nil, "[2]", "not JSON", "null"]))
        case 4: .search(random.pick(["dark", "@changed", "@kind:switch", "@who:ada", "lang", ""]))
        case 5...14: .key(.enter)
        case 15...20: .key(.down)
        default: .key(random.pick(Self.keys))
        }
    }

    @Test(arguments: 0..<40)
    func anyKeys(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        var editor = try Office.editor()
        let first = try Office.settings
        for _ in 0..<200 {
            let event = event(&random)
            let effects = editor.step(event)
            let visit = editor.visit
            // The focus is on a row, if there is one to be on, and the row is on the screen.
            if visit.rows.contains(where: \.isFocusable) {
                #expect(visit.row != nil, "seed \(seed): no focus after \(event) on \(editor.title)")
                let isShown = editor.layout.lines(of: visit).contains { $0.row == visit.focus }
                #expect(isShown || editor.size.rows < 3, "seed \(seed): \(event) on \(editor.title), \(editor.size)")
            }
            // Nothing is recorded unless Done is pressed on its sheet.
            for case .record in effects { #expect(visit.page is DonePage, "seed \(seed): \(event)") }
            // Nothing that can't be had is in the draft.
            for change in editor.scene.draft.changes {
                let faults = editor.scene.content[change.subject]?.option?.faults() ?? []
                #expect(faults.isEmpty, "seed \(seed): \(faults)")
            }
            #expect(editor.scene.content.options[Key(unchecked: ["display", "fixed"])]?.value == .bool(true), "seed \(seed)")
            let grid = editor.draw()
            #expect(grid.size == editor.size)
            #expect(!grid.cells.contains { $0.text.unicodeScalars.contains { $0.value < 32 } }, "seed \(seed)")
            #expect(!grid.lines.joined().contains("hunter2"), "seed \(seed): a masked text is shown")
        }
        // So many undos give the first state back, and so many redos the last one.
        let last = editor.scene.content
        let count = editor.scene.draft.steps.count
        for _ in 0..<count { _ = editor.scene.draft.undo() }
        #expect(editor.scene.content == first, "seed \(seed)")
        #expect(editor.scene.draft.changes.isEmpty)
        for _ in 0..<count { _ = editor.scene.draft.redo() }
        #expect(editor.scene.content == last, "seed \(seed)")
        // The kept draft is read as it was written.
        let kept = try #require(KeptDraft(file: KeptDraft(editor.scene.draft, editor.scene.sheet).file))
        var draft = kept.draft
        draft.move(to: first)
        #expect(draft.content == last, "seed \(seed)")
        #expect(draft.changes == editor.scene.draft.changes, "seed \(seed)")
    }
}
