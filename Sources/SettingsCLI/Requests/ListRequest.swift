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
        var unreadable: [Problem] = []
        let settings = try read(context, &unreadable)
        let place = try group.map { try KeyLookup.parse($0) } ?? .root
        let isThere = place.isRoot || settings.allGroups.contains(place) || settings.options[place] != nil
        if !isThere, unreadable.isEmpty {
            let near = KeyLookup.near(group ?? "", Array(settings.allGroups) + settings.options.keys)
            throw Problem.key(.noPlace(group ?? "", near: near))
        }
        let sections = Sections(settings, from: place)
        if json {
            let options = sections.rows.map { context.reports.option($0.key, $0.option) }
            try context.output.json(Reports.document(["options": .array(options)]))
        } else {
            context.page(nil)
            try context.output.lines(lines(sections, context.phrases.wording))
            if settings.options.isEmpty, unreadable.isEmpty {
                context.output.note("hint: there are no options yet; 'settings add' creates one")
            }
        }
        if let last = unreadable.popLast() {
            for error in unreadable { Failure(error).report(context.output, phrases: context.phrases) }
            throw last
        }
    }

    private func read(_ context: Context, _ unreadable: inout [Problem]) throws -> Settings {
        if let at {
            let store = try context.storeToRead()
            return try store.versions.snapshot(try context.version(at, in: store).id).settings()
        }
        let folder = try context.folder()
        return try folder.reading { folder in
            try folder.settings(of: .root, context.caller) { unreadable.append($0) }
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

    private func value(of option: SettingsModel.Option, _ wording: Wording) -> StyledText {
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
