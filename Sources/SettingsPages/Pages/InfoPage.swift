package import SettingsModel
import SettingsText

/// Who chose an option's value, when and why, what its default is, and the command line that does the same.
package struct InfoPage: Page {
    package private(set) var key: Key

    package init(_ key: Key) { self.key = key }

    package mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {
        key = scene.subject(.option(key), after: renames).key
    }

    package func title(in scene: Scene) -> String { scene.content.options[key]?.title.string ?? key.name }

    package func rows(in scene: Scene) -> [any Row] {
        guard let option = scene.content.options[key] else { return [NoteRow("\(key) was removed.", "gone")] }
        let row = OptionRows.row(key, option)
        var rows: [any Row] = []
        func add(_ name: String, _ text: String?) {
            if let text, !text.isEmpty { rows.append(FactRow(name, StyledText(text))) }
        }
        add("Value", row.value(option.value, in: scene))
        if let recorded = scene.draft.base.options[key], recorded.value != option.value {
            add("Recorded", row.value(recorded.value, in: scene))
        }
        add("Default", option.defaultValue.map { row.value($0, in: scene) } ?? "none")
        let questions = scene.openQuestions(of: .option(key))
        if !questions.isEmpty { rows.append(HeadingRow("Open conflicts", .named("heading questions"))) }
        rows += questions.map { QuestionRow($0) }
        if !questions.isEmpty { rows.append(HeadingRow("Chosen", .named("heading chosen"))) }
        switch scene.facts.origins[key] {
        case _ where scene.facts.handEdited.contains(.option(key)): add("Chosen by", "not recorded: the file was edited by hand")
        case nil: rows.append(NoteRow("Searching the history\(scene.glyphs.ellipsis)", "waiting"))
        case .some(nil): add("Chosen by", "not in the history")
        case .some(let version?):
            let message = version.message
            add("Chosen by", version.author.name)
            add("When", scene.phrases.time(version.time))
            add("Why", message.why ?? "no reason was given")
            add("Requested by", message.requestedBy.joined(separator: ", "))
            add("Ticket", message.tickets.joined(separator: ", "))
            rows.append(FactRow("Version", StyledText(version.id.short), opening: DetailPage(version.id)))
        }
        rows.append(FactRow("History", StyledText("all versions that changed it"), opening: VersionsPage([key])))
        add("Range", option.range.isEmpty ? nil : option.range.words)
        if let reason = scene.refusal(for: key) { add("Note", reason) }
        add("Key", key.description)
        add("Command", CommandLine.set(key, option))
        if let help = option.help, !help.isEmpty { rows.append(NoteRow(help.string, "help")) }
        return rows
    }

    package func questions(in scene: Scene) -> [Effect] { scene.facts.origins[key] == nil ? [.origins([key])] : [] }

    package func act(_ act: Act, in scene: Scene) -> Response? { act == .info ? .back : nil }
}
