import SettingsText

/// The first line of the screen: the page before this one, the title, and how much there is to record.
struct Head {
    private(set) var back = ""
    let title: String
    private(set) var titleColumn: Int
    let badge: String
    let isWarning: Bool

    let badgeColumn: Int

    init(_ editor: Editor, width: Int) {
        let (scene, page) = (editor.scene, editor.visit.page)
        title = page.title(in: scene)
        let questions = scene.draft.openConflicts.count
        isWarning = questions > 0
        let waiting = page.badge(in: scene) ?? scene.badge
        // On the sheet letters are a text.
        let key = width < 40 ? "" : page is DonePage ? "Ctrl-S " : "c "
        badge = waiting.isEmpty ? "" : "\(waiting)  \(key)Done"
        badgeColumn = max(0, width - badge.displayWidth)
        let isFirst = editor.visits.count == 1
        if !isFirst {
            let mark = scene.glyphs == .ascii ? "<" : "‹"
            let before = editor.visits[editor.visits.count - 2].page.title(in: scene)
            let room = max(0, (width - badge.displayWidth - title.displayWidth) / 2 - 4)
            back = String((room >= 4 ? "\(mark) \(before)" : mark).visible.prefix(columns: max(2, room)))
        }
        let left = isFirst ? 0 : back.displayWidth + 1
        let wanted = isFirst ? 0 : max(left, (width - title.displayWidth) / 2)
        titleColumn = max(left, min(wanted, badgeColumn - 1 - title.displayWidth))
    }

    /// What a click on a column of it does.
    func act(at column: Int) -> Act? {
        if !back.isEmpty, column < back.displayWidth { return .back }
        return !badge.isEmpty && column >= badgeColumn ? .done : nil
    }
}

extension Scene {
    /// How much there is to record or to settle; empty where there is nothing.
    var badge: String {
        let (count, questions) = (recordableCount, draft.openConflicts.count)
        if questions > 0 { return questions == 1 ? "1 conflict" : "\(questions) conflicts" }
        return count == 0 ? "" : count == 1 ? "1 change" : "\(count) changes"
    }
}
