import SettingsModel
import SettingsStore
import SettingsText

/// `settings list [GROUP]`
struct ListRequest: PlainCommand, Equatable {
    var group: String?
    var at: String?
    var changed = false
    /// Texts whose words must all occur.
    var search: [String] = []
    var long = false
    var reveal = false
    var json = false
    var global = GlobalRequest()

    /// The usage error of an invalid combination.
    var problem: String? { long && json ? "--long and --json cannot be combined" : nil }

    func run() throws {
        let context = Context(global, reveal: reveal)
        let session = try context.reader(at: at)
        let version = try at.map { try context.version($0, in: session).id }
        var query = SettingsQuery(in: group, at: version)
        query.masksAsToday = true
        let answer = try session.ask(query)
        let unreadable = answer.unreadable
        let filter = OptionFilter(isChanged: changed, search: search)
        let settings = answer.settings.options(filter)
        if json {
            try context.output.json(
                context.reports.options(Sections(settings, from: answer.place).rows.map { ($0.key, $0.option) }))
        } else {
            context.page(session)
            let lines = lines(OptionList(settings, in: answer.place), context)
            try context.output.lines(lines)
            if answer.settings.options.isEmpty, unreadable.isEmpty {
                try context.output.print([Phrases.noOptions])
            } else if lines.isEmpty, !filter.isEmpty {
                try context.output.print([Phrases.noMatch])
            }
        }
        try context.report(unreadable, in: session)
    }

    private func lines(_ list: OptionList, _ context: Context) -> [StyledText] {
        guard !long, let columns = context.environment.columns else {
            return list.whole(context.phrases(valueLimit: .max).wording)
        }
        return list.fitted(context.phrases.wording, into: columns)
    }
}

extension ListRequest {
    init?(plain words: ArraySlice<String>) {
        guard let words = PlainWords(words, flags: ["--changed", "--long", "--reveal", "--json"], values: ["--at", "--search"]),
            words.positionals.count <= 1, let global = GlobalRequest(plain: words)
        else { return nil }
        group = words.positionals.first
        at = words["--at"]
        changed = words.has("--changed")
        search = words["--search"].map { [$0] } ?? []
        long = words.has("--long")
        reveal = words.has("--reveal")
        json = words.has("--json")
        self.global = global
        if problem != nil { return nil }
    }
}
