package import SettingsModel
import SettingsText

/// The page of a group as a version had it. Nothing can be changed on it; rows can be restored.
package struct PastPage: BrowserPage {
    let id: VersionID
    let key: Key
    private let focus: RowID?

    package init(_ id: VersionID, _ key: Key = .root, at focus: RowID? = nil) {
        self.id = id
        self.key = key
        self.focus = focus
    }

    private func past(in scene: Scene) -> Browsing.Past? { scene.browsing.past.flatMap { $0.id == id ? $0 : nil } }

    func need(in scene: Scene) -> BrowseRequest? { past(in: scene) == nil ? .past(id) : nil }

    package func title(in scene: Scene) -> String {
        let title = past(in: scene)?.content.title(of: key.isRoot ? .store : .group(key)).string ?? "Settings"
        return "\(title) at \(id.short)"
    }

    package func start(in scene: Scene) -> RowID? { focus }

    package func rows(in scene: Scene) -> [any Row] {
        guard let past = past(in: scene) else {
            return [NoteRow("Reading the version\(scene.glyphs.ellipsis)", "waiting")]
        }
        let restore = scene.isPlain ? "'restore NUMBER'" : "r"
        var rows: [any Row] = [NoteRow("This page is read-only; \(restore) restores a row.", "note")]
        for (number, problem) in past.unreadable.prefix(3).enumerated() {
            rows.append(NoteRow(problem, "unreadable \(number)"))
        }
        let start = rows.count
        add(key, titles: [], to: &rows, past, scene)
        if rows.count == start { rows.append(NoteRow("There were no options here.", "empty")) }
        rows.append(HeadingRow("", .named("heading acts")))
        if !key.isRoot {
            rows.append(
                ButtonRow("Restore This Page", id: "restore page", hint: "All values of this page", .browse(.restore([key], id))))
        }
        rows.append(
            ButtonRow("Restore Everything", id: "restore all", hint: "All values of the store", .browse(.restore([], id))))
        return rows
    }

    private func add(_ group: Key, titles: [String], to rows: inout [any Row], _ past: Browsing.Past, _ scene: Scene) {
        for key in past.outline.options(in: group) {
            guard let option = past.content.options[key] else { continue }
            rows.append(PastRow(id, key, option, today: past.renamed[key] ?? key))
        }
        for inner in past.outline.groups(in: group) {
            let title = past.content.title(of: .group(inner)).string
            guard past.content.groups[inner]?.style == .section else {
                rows.append(PastGroupRow(id, inner, title: title))
                continue
            }
            let titles = titles + [title]
            if past.outline.holds(inner) {
                rows.append(HeadingRow(titles.joined(separator: " \(scene.glyphs.chevron) "), .named("heading \(inner)")))
            }
            add(inner, titles: titles, to: &rows, past, scene)
        }
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .search: .refuse("search from the list of versions; Esc returns to it")
        case .add, .rename, .moveUp, .moveDown: .refuse(PastRow.refusal)
        case .mark, .compare, .revert, .raw: VersionActs.response(to: act, on: id)
        default: nil
        }
    }
}

/// What a version had: can be restored, and has a history.
private protocol RestorableRow: Row {
    var version: VersionID { get }
    var key: Key { get }
}

extension RestorableRow {
    func command(in scene: Scene) -> String? { "settings restore \(key) --from \(version.short)" }

    func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .restore: .browse(.restore([key], version))
        case .history: .open(VersionsPage([key]))
        default: nil
        }
    }
}

/// An option as a version had it.
struct PastRow: RestorableRow {
    let version: VersionID
    let key: Key
    let option: SettingsOption

    /// What it is called now.
    private let today: Key

    init(_ version: VersionID, _ key: Key, _ option: SettingsOption, today: Key) {
        (self.version, self.key, self.option, self.today) = (version, key, option, today)
    }

    static let refusal = "this page is read-only; restore the row (r) to change it"

    var id: RowID { .option(key) }

    private var row: any OptionRow { OptionRows.row(key, option) }

    func title(in scene: Scene) -> String { row.title(in: scene) }

    private func now(in scene: Scene) -> SettingsOption? { scene.content.options[today] }

    /// A dot: it has another value now.
    func mark(in scene: Scene) -> String { isOther(in: scene) ? scene.glyphs.bullet : "" }

    private func isOther(in scene: Scene) -> Bool { now(in: scene).map { !$0.isSame(.value, as: option) } ?? true }

    func accessory(in scene: Scene) -> Accessory {
        let value = scene.words(option.value, of: option)
        let isUnset = option.value == nil
        let renamed = today == key || now(in: scene) == nil ? "" : "now \(today)"
        guard isOther(in: scene) else {
            let text = StyledText(value, isUnset ? .faint : .plain)
            return Accessory(renamed.isEmpty ? text : text.adding(" (\(renamed))", .faint))
        }
        let words = now(in: scene).map { scene.words($0.value, of: $0) }
        let now = words.map { renamed.isEmpty ? "now \($0)" : "\(renamed): \($0)" } ?? "not there now"
        var accessory = Accessory(StyledText(value, .after).adding(" (\(now))", .faint))
        accessory.short = StyledText(value, .after)
        return accessory
    }

    func open(in scene: Scene) -> Response { .refuse(Self.refusal) }
    func reset(in scene: Scene) -> Response { .refuse(Self.refusal) }
    func set(_ word: String, in scene: Scene) -> Response { .refuse(Self.refusal) }
    func type(_ character: Character, in scene: Scene) -> Response { .refuse(Self.refusal) }
    func step(by count: Int, in scene: Scene) -> Response { .refuse(Self.refusal) }
    func info(in scene: Scene) -> Response { .say("settings show \(key) --at \(version.short)") }

    func hint(in scene: Scene) -> String {
        ["\(title(in: scene)): r restores it", command(in: scene)].compactMap(\.self)
            .joined(separator: " \(scene.glyphs.separator) ")
    }

    func sentence(in scene: Scene) -> String {
        "\(title(in: scene)): \(accessory(in: scene).text.spans.map(\.text).joined())"
    }
}

/// A group as a version had it: opens its page.
struct PastGroupRow: RestorableRow {
    let version: VersionID
    let key: Key
    let words: String

    init(_ version: VersionID, _ key: Key, title: String) { (self.version, self.key, words) = (version, key, title) }

    var id: RowID { .group(key) }

    func title(in scene: Scene) -> String { words }
    func accessory(in scene: Scene) -> Accessory { Accessory(opens: true) }
    func open(in scene: Scene) -> Response { .open(PastPage(version, key)) }

    func hint(in scene: Scene) -> String {
        ["\(words): r restores the page", command(in: scene)].compactMap(\.self)
            .joined(separator: " \(scene.glyphs.separator) ")
    }
}
