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
        if let problem = shown.problem {
            try context.output.print([Phrases.historyIsUnknown(problem)])
        }
        var confirmation: Confirmation?
        if !shown.isDraft, let origin = shown.origin { confirmation = try session.ask(ConfirmationQuery(origin)) }
        let chosen: OptionDetails.Chosen? =
            !shown.hasHistory ? nil : shown.isDraft ? .byHand : shown.isComplete ? .inVersion(shown.origin) : .beforeClone
        let details = OptionDetails(shown.key, shown.option, chosen: chosen, confirmation: confirmation)
        if json { return try context.output.json(context.reports.document(details, isComplete: shown.isComplete)) }
        try context.output.lines(context.phrases(valueLimit: .max).lines(details))
    }

    private func show(
        _ version: Version, _ changes: VersionChanges, _ tags: [String], _ session: Session, _ context: Context,
        isComplete: Bool
    ) throws {
        let signature = try session.ask(SignatureQuery(version.id, by: context.signaturePrograms(session)))
        let confirmation = try session.ask(ConfirmationQuery(version))
        if json {
            let report = context.reports.version(
                version, changes, tags: tags, confirmation: confirmation, signature: signature)
            return try context.output.json(context.reports.document(report, isComplete: isComplete))
        }
        context.page(session)
        let phrases = context.phrases(valueLimit: .max)
        let lines = phrases.wholeVersion(version, changes, tags: tags, confirmation: confirmation, signature: signature)
        try context.output.lines(context.wrapped(lines))
        if !isComplete { try context.output.print([Phrases.changesAreUnknown]) }
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
