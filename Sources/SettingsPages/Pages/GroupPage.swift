package import SettingsModel
import SettingsText

/// The page of a group: its options, its sections, and the groups that open pages of their own.
package struct GroupPage: Page {
    package private(set) var key: Key
    private let focus: RowID?

    package init(_ key: Key, at focus: RowID? = nil) {
        self.key = key
        self.focus = focus
    }

    package mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {
        key = scene.subject(.group(key), after: renames).key
    }

    package func title(in scene: Scene) -> String { scene.title(ofGroup: key) }

    package func start(in scene: Scene) -> RowID? { focus }

    package func rows(in scene: Scene) -> [any Row] {
        var rows: [any Row] = []
        if key.isRoot, !scene.facts.unreadable.isEmpty {
            for (number, problem) in scene.facts.unreadable.prefix(3).enumerated() {
                rows.append(NoteRow(PageHints.words(problem), "unreadable \(number)"))
            }
        }
        if key.isRoot { rows += scene.facts.waiting.map { ConfirmationRow($0) } }
        if key.isRoot { rows += LinkRow.rows(in: scene) }
        rows += removed(in: scene)
        add(key, titles: [], to: &rows, scene)
        if rows.isEmpty { rows.append(NoteRow("There are no options here.", "empty")) }
        return rows
    }

    /// What the draft changes and somebody removed, with which a side has to be chosen: no other row shows it.
    private func removed(in scene: Scene) -> [any Row] {
        let conflicts = scene.draft.openConflicts.filter { open in
            open.conflict.subject.key.isWithin(key) && scene.content[open.conflict.subject] == nil
        }
        return conflicts.map { ConflictRow($0) }
    }

    private func add(_ group: Key, titles: [String], to rows: inout [any Row], _ scene: Scene) {
        for key in scene.outline.options(in: group) {
            guard let option = scene.content.options[key] else { continue }
            rows.append(OptionRows.row(key, option))
        }
        for problem in scene.facts.unreadable {
            guard case .file(.unreadable(_, let path, _)) = problem, let subject = Subject(path: path), !subject.isGroup,
                subject.key.group == group
            else { continue }
            rows.append(BrokenFileRow(FileEdits.Broken(path: path, subject: subject, reason: PageHints.words(problem))))
            rows.append(NoteRow(PageHints.words(problem), "reason \(path)"))
        }
        for inner in scene.outline.groups(in: group) {
            let title = scene.title(ofGroup: inner)
            guard scene.content.groups[inner]?.style == .section else {
                rows.append(row(inner, title: title, scene))
                continue
            }
            let titles = titles + [title]
            let heading = titles.joined(separator: " \(scene.glyphs.chevron) ")
            if scene.outline.holds(inner) { rows.append(HeadingRow(heading, .named("heading \(inner)"))) }
            add(inner, titles: titles, to: &rows, scene)
        }
        if let footer = scene.content.groups[group]?.footer, !footer.isEmpty {
            rows.append(NoteRow(footer.string, "footer \(group)"))
        }
    }

    /// Groups that hold nothing but another one are opened with it.
    private func row(_ group: Key, title: String, _ scene: Scene) -> any Row {
        var (place, titles) = (group, [title])
        while scene.outline.options(in: place).isEmpty, scene.outline.groups(in: place).count == 1,
            let inner = scene.outline.groups(in: place).first, scene.content.groups[inner]?.style != .section,
            scene.content.groups[place]?.footer == nil
        {
            place = inner
            titles.append(scene.title(ofGroup: inner))
        }
        let changed = Set(scene.draft.changes.map(\.subject)).filter { $0.key.isWithin(place) && $0 != .option(place) }
        return GroupRow(place, titles: titles, changes: changed.count)
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .add, .rename, .moveUp, .moveDown: .refuse("Only the labels of a choice can be edited; open a choice first")
        default: nil
        }
    }
}
