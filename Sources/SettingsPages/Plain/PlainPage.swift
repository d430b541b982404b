import SettingsModel

/// A page in plain mode: each row is a numbered sentence, and what is typed names a row.
package struct PlainPage {
    private let scene: Scene
    private let visit: Visit
    /// The rows by the numbers that people have seen.
    private let listed: [RowID]

    /// `listed`: the rows of the last list of this page; nil where there was none.
    init(_ scene: Scene, _ visit: Visit, listed: [RowID]?) {
        (self.scene, self.visit) = (scene, visit)
        self.listed = listed ?? Self.numbered(visit)
    }

    private static func numbered(_ visit: Visit) -> [RowID] { visit.rows.filter(\.isFocusable).map(\.id) }

    /// The rows that have a number, in its order.
    var numbered: [RowID] { Self.numbered(visit) }

    var lines: [String] {
        var lines = [visit.page.title(in: scene).visible]
        let badge = visit.page.badge(in: scene) ?? scene.badge
        if !badge.isEmpty { lines[0] += " (\(badge))" }
        var number = 0
        for row in visit.rows {
            guard row.isFocusable else {
                lines.append(row.title(in: scene).visible)
                continue
            }
            number += 1
            lines.append(
                "\(number). \(sentence(row).visible)\(row.accessory(in: scene).opens ? " \(scene.glyphs.chevron)" : "")"
            )
        }
        return lines
    }

    /// On a page of options of several groups, the key is part of the sentence where titles are alike.
    private func sentence(_ row: any Row) -> String {
        let sentence = row.sentence(in: scene)
        guard visit.page.namesKeys, case .option = row.id, let key = scene.key(beside: row.id) else { return sentence }
        return "\(sentence) (\(key))"
    }

    /// The row that has this number in the last list, wherever it is now.
    private func id(numbered word: String) -> RowID? {
        guard let number = Int(word), listed.indices.contains(number - 1) else { return nil }
        return listed[number - 1]
    }

    /// Whether rows of several options or groups have this title.
    private func isShared(_ word: String) -> Bool {
        let subjects = visit.rows.filter { $0.isFocusable && $0.title(in: scene) == word }.compactMap(\.id.subject)
        return Set(subjects).count > 1
    }

    /// The row of a number, or of a title or key; nil where several options have the title.
    private func row(named word: String, for act: Act? = nil) -> (any Row)? {
        let rows = visit.rows.filter(\.isFocusable)
        if let id = id(numbered: word) {
            return rows.first { $0.id == id } ?? rows.first { $0.id == id.counterpart }
        }
        let titled = rows.filter { $0.title(in: scene) == word }
        if isShared(word) { return nil }
        // Of two edits of an option, the one that the act is for.
        if let row = titled.first(where: { if case .fileChange(_, _, act == .unstage) = $0.id { true } else { false } }) {
            return row
        }
        if let row = titled.first { return row }
        if let row = rows.first(where: { $0.shortTitle(in: scene) == word }) { return row }
        let folded = rows.filter { $0.title(in: scene).lowercased() == word.lowercased() }
        if folded.count == 1 { return folded[0] }
        return rows.first { row in
            switch row.id {
            case .option, .group, .change, .conflict, .fileChange: row.id.subject?.key.description == word
            case .version(let id): word.count > 3 && id.hex.hasPrefix(word.lowercased())
            default: false
            }
        }
    }

    /// What is asked for while something is being typed.
    package func prompt(for typing: Typing) -> String {
        guard let row = visit.rows.first(where: { $0.id == typing.row }) else { return "" }
        let text = typing.isMasked ? "" : typing.field.text
        return row.title(in: scene).visible + (text.isEmpty ? "" : " [\(scene.shown(text).visible)]") + ": "
    }

    /// Whether a line gives a row its value that must not be seen.
    package func showsMasked(_ command: PlainCommand) -> Bool {
        guard case .set(let word, _) = command, let row = row(named: word) as? any OptionRow else { return false }
        return row.option.isMasked
    }

    /// What a line comes to.
    func events(for command: PlainCommand) -> [Event] {
        func on(_ word: String, for act: Act? = nil, _ events: (any Row) -> [Event]) -> [Event] {
            guard let row = row(named: word, for: act) else {
                if isShared(word) { return [.failed("Several rows are called '\(word)'; type a number or a key", .missing)] }
                let reason =
                    id(numbered: word) == nil
                    ? "No row matches '\(word)'; 'help' lists the commands"
                    : "Row \(word) is no longer on the page; an empty line lists the rows again"
                return [.failed(reason, .missing)]
            }
            return [.focus(row.id)] + events(row)
        }
        switch command {
        case .open(let word):
            guard Int(word) != nil || isShared(word) || row(named: word) != nil else {
                return [.failed("'\(word)' is neither a row nor a command; 'help' lists the commands", .usage)]
            }
            return on(word) { _ in [.act(.open)] }
        case .set(let word, let value): return on(word) { [.set($0.id, value)] }
        case .act(.help): return [.notice(PlainCommand.help.joined(separator: "\n"))]
        case .act(let act): return [.act(act)]
        case .actOn(let act, let word): return on(word, for: act) { _ in [.act(act)] }
        case .search(let words): return [.search(words)]
        case .add(let label):
            guard let row = visit.rows.first(where: { $0.id == .named("add label") }) else {
                return [.failed("Only a choice has labels; open one first", .usage)]
            }
            return [.set(row.id, label)]
        case .rename(let word, let text): return on(word) { _ in [.act(.rename), .type(text), .key(.enter)] }
        case .show: return []
        }
    }

    /// Why a line says nothing here; nil if it does.
    package func fault(in command: PlainCommand) -> String? {
        for case .failed(let reason, _) in events(for: command) { return reason }
        return nil
    }

    /// A step that does with keys what a line of plain mode does.
    package enum KeyStep: Sendable {
        case keys([Keystroke])
        case text(String)
        case event(Event)
    }

    /// The keys that do on the screen what the line does.
    func keys(for command: PlainCommand) -> [KeyStep] {
        func go(_ word: String, for act: Act? = nil, _ steps: [KeyStep]) -> [KeyStep] {
            guard let row = row(named: word, for: act), let place = visit.rows.firstIndex(where: { $0.id == row.id }) else {
                return [.event(.failed("No row matches '\(word)'"))]
            }
            let (from, to) = (min(place, visit.focus), max(place, visit.focus))
            let count = visit.rows[from..<to].count { $0.isFocusable }
            return [.keys(Array(repeating: place < visit.focus ? .up : .down, count: count))] + steps
        }
        func typed(_ text: String) -> [KeyStep] { [.keys([.control("u"), .control("k")]), .text(text), .keys([.enter])] }
        switch command {
        case .open(let word): return go(word, [.keys([.enter])])
        case .set(let word, let value):
            // A row that isn't typed into takes the word itself.
            let isTyped = row(named: word).map { row in if case .type = row.open(in: scene) { true } else { false } } ?? false
            guard isTyped else { return events(for: command).map { .event($0) } }
            return go(word, [.keys([.enter])] + typed(value))
        case .act(let act): return keys(of: act)
        case .actOn(let act, let word): return go(word, for: act, keys(of: act))
        case .search(let words): return [.keys([.character("/")])] + typed(words)
        case .add(let label): return [.keys([.character("a")])] + typed(label)
        case .rename(let word, let text): return go(word, [.keys([.character("e")])] + typed(text))
        case .show: return []
        }
    }

    private func keys(of act: Act) -> [KeyStep] {
        let bindings = KeyTable.all.flatMap(\.bindings)
        // Not one that a slider takes for itself.
        let keys = bindings.filter { $0.act == act }.flatMap(\.keys)
        guard let key = keys.first(where: { KeyTable.sliderSteps[$0] == nil }) else { return [.event(.act(act))] }
        return [.keys([key])]
    }
}
