import SettingsModel
import SettingsStore
import SettingsText

/// `settings show KEY|VERSION`
struct ShowRequest: PlainCommand, Equatable {
    var word: String
    var at: String?
    var reveal = false
    var json = false
    var global = GlobalRequest()

    func run() throws {
        let context = Context(global, reveal: reveal)
        let session = try context.reader()
        let version = try at.map { try context.version($0, in: session).id }
        switch try context.ask(ShowQuery(word, at: version), in: session) {
        case .option(let shown): try show(shown, session, context)
        case .version(let version, let changes, let tags, let isComplete):
            try show(version, changes, tags, session, context, isComplete: isComplete)
        }
    }

    private func show(_ shown: ShowQuery.ShownOption, _ session: Session, _ context: Context) throws {
        let (key, option) = (shown.key, shown.option)
        if let problem = shown.problem {
            context.output.note("note: \(CommandLineHints.reason(problem)), so its history is not shown")
        }
        var confirmation: Confirmation?
        if !shown.isDraft, let origin = shown.origin { confirmation = try session.ask(ConfirmationQuery(origin)) }
        if json {
            return try context.output.json(
                Reports.document([
                    "option": context.reports.option(key, option),
                    "chosen": shown.isDraft ? .null : context.reports.reference(shown.origin),
                    "draft": .bool(shown.isDraft), "complete": .bool(shown.isDraft || shown.isComplete),
                    "confirmation": confirmation.map { context.reports.state(of: $0) },
                ]))
        }
        let wording = context.phrases(valueLimit: .max).wording
        var rows: [[StyledText]] = []
        func add(_ name: String, _ value: StyledText) { rows.append([StyledText(name, .faint), value]) }
        add("key", StyledText(key.description))
        add("type", StyledText(option.type.rawValue))
        add("value", StyledText(wording.words(option.value, of: option), .after))
        if let value = option.defaultValue { add("default", StyledText(wording.words(value, of: option))) }
        for entry in option.environmentValues {
            add("for \(entry.environment)", StyledText(wording.words(entry.value, of: option)))
        }
        if let help = option.help { add("help", StyledText(help.string)) }
        if !option.range.isEmpty { add("range", StyledText(option.range.words)) }
        if let pattern = option.pattern { add("pattern", StyledText(pattern.string)) }
        if let placeholder = option.placeholder { add("placeholder", StyledText(placeholder.string)) }
        if option.isReadOnly { add("read-only", StyledText("yes")) }
        if shown.hasHistory {
            let origin = shown.isComplete ? context.phrases.origin(shown.origin) : Phrases.beforeClone
            add("chosen", shown.isDraft ? StyledText("by hand, not yet recorded", .faint) : origin)
        }
        if let confirmation, confirmation.isOpen { add("confirmation", context.phrases.state(of: confirmation)) }
        try context.output.line(StyledText(option.title.string.inWords, .heading))
        try context.output.lines(Phrases.table(rows))
        guard option.type == .choice else { return }
        try context.output.line(StyledText("labels", .faint))
        let selected = option.selected
        let labels = option.labels.enumerated().map { index, label in
            [
                StyledText(index == selected ? "  \(wording.glyphs.check)" : "   ", .after).adding(" \(index)", .faint),
                StyledText(label.text.string.inWords, index == selected ? .after : .plain),
                StyledText(label.value.bare, .faint),
            ]
        }
        try context.output.lines(Phrases.table(labels))
    }

    private func show(
        _ version: Version, _ changes: VersionChanges, _ tags: [String], _ session: Session, _ context: Context,
        isComplete: Bool
    ) throws {
        let signature = try session.ask(SignatureQuery(version.id, by: context.signaturePrograms(session)))
        let confirmation = try session.ask(ConfirmationQuery(version))
        if json {
            let report = Reports.adding(
                [JSON.Member("signature", context.reports.signature(signature))],
                to: context.reports.version(version, changes, tags: tags, confirmation: confirmation))
            return try context.output.json(Reports.document(["version": report, "complete": .bool(isComplete)]))
        }
        context.page(session)
        let phrases = context.phrases(valueLimit: .max)
        let lines = phrases.wholeVersion(version, changes, tags: tags, confirmation: confirmation, signature: signature)
        try context.output.lines(context.wrapped(lines))
        if !isComplete {
            context.output.note(CommandLineHints.cutOff("what this version changed is not known"))
        }
    }
}

extension ShowRequest {
    init?(plain words: ArraySlice<String>) {
        guard let words = PlainWords(words, flags: ["--reveal", "--json"], values: ["--at"]), let word = words.positionals.first,
            words.positionals.count == 1, let global = GlobalRequest(plain: words)
        else { return nil }
        self.word = word
        at = words["--at"]
        reveal = words.has("--reveal")
        json = words.has("--json")
        self.global = global
    }
}
