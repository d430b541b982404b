import SettingsModel
import SettingsStore
import SettingsText

/// `settings list [GROUP]`
struct ListRequest: PlainCommand, Equatable {
    var group: String?
    var at: String?
    var reveal = false
    var json = false
    var global = GlobalRequest()

    func run() throws {
        let context = Context(global, reveal: reveal)
        let session = try context.session(readsOnly: at != nil)
        let version = try at.map { try context.version($0, in: session).id }
        let answer = try session.ask(SettingsQuery(in: group, at: version))
        var unreadable = answer.unreadable
        let sections = Sections(answer.settings, from: answer.place)
        if json {
            let options = sections.rows.map { context.reports.option($0.key, $0.option) }
            try context.output.json(Reports.document(["options": .array(options)]))
        } else {
            context.page(nil)
            try context.output.lines(lines(sections, context.phrases.wording))
            if answer.settings.options.isEmpty, unreadable.isEmpty {
                context.output.note("hint: there are no options yet; 'settings add' creates one")
            }
        }
        if let last = unreadable.popLast() {
            for error in unreadable { Failure(error).report(context.output, phrases: context.phrases) }
            throw last
        }
    }

    private func lines(_ sections: Sections, _ wording: Wording) -> [StyledText] {
        let rows = sections.rows.map { row in
            [
                StyledText("  \(row.key)", .faint), StyledText(row.option.title.string),
                value(of: row.option, wording),
            ]
        }
        let table = Phrases.table(rows)
        var lines: [StyledText] = []
        for (index, row) in sections.rows.enumerated() {
            if let heading = row.heading {
                if index > 0 { lines.append(StyledText()) }
                lines.append(StyledText(heading, .heading))
            }
            lines.append(table[index])
        }
        return lines
    }

    private func value(of option: SettingsOption, _ wording: Wording) -> StyledText {
        if let value = option.value { return StyledText(wording.words(value, of: option), .after) }
        guard let value = option.defaultValue else { return StyledText("not set", .faint) }
        return StyledText("\(wording.words(value, of: option)) (default)", .faint)
    }
}

extension ListRequest {
    init?(plain words: ArraySlice<String>) {
        guard let words = PlainWords(words, flags: ["--reveal", "--json"], values: ["--at"]), words.positionals.count <= 1,
            let global = GlobalRequest(plain: words)
        else { return nil }
        group = words.positionals.first
        at = words["--at"]
        reveal = words.has("--reveal")
        json = words.has("--json")
        self.global = global
    }
}
