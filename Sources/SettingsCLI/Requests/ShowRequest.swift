import SettingsModel
import SettingsStore
import SettingsText

/// `settings show KEY|VERSION`
struct ShowRequest: PlainCommand, Equatable {
    var word: String
    var reveal = false
    var json = false
    var global = GlobalRequest()

    func run() throws {
        let context = Context(global, reveal: reveal)
        let folder = try context.folder()
        let found: (key: Key, option: SettingsModel.Option)?
        var missing = Failure(.missing)
        do throws(Problem) { found = try folder.option(named: word, context.caller) } catch {
            found = nil
            switch error.kind {
            case .missing: missing = Failure(error)
            // No key: then it is a version.
            case .usage: missing = Failure(.missing, hint: "'settings list' lists the options, 'settings history' the versions")
            default: throw error
            }
        }
        if let found { return try show(found.key, found.option, folder, context) }
        let store = try context.store()
        let version: Version
        do throws(Problem) {
            version = try store.history.version(at: When(word, now: context.environment.now), written: word)
        } catch {
            if try store.versions.tip().holdsGroup(word) {
                throw Problem.key(.isGroup(word, try KeyLookup.parse(word)))
            }
            if case .moment = When(word, now: context.environment.now) { throw error }
            throw Failure(.missing, "there is no option and no version '\(word)'", hint: missing.hint)
        }
        try show(version, store, context)
    }

    private func show(_ key: Key, _ option: SettingsModel.Option, _ folder: StoreFolder, _ context: Context) throws {
        // Who chose it is answered from history; a store without one is shown all the same.
        let store = try folder.repositoryRoot == nil ? nil : opened(context)
        let tip = try store?.versions.tip()
        let recorded = try tip?.option(key)
        let origin = try tip.flatMap { tip in try store?.history.blame([key], at: tip).first?.version }
        let isDraft = tip != nil && recorded.map { !option.isSame(.value, as: $0) } ?? true
        if json {
            return try context.output.json(
                Reports.document([
                    "option": context.reports.option(key, option),
                    "chosen": isDraft ? .null : context.reports.reference(origin),
                    "draft": .bool(isDraft),
                ]))
        }
        let wording = Wording(revealsMasked: reveal, valueLimit: .max)
        var rows: [[StyledText]] = []
        func add(_ name: String, _ value: StyledText) { rows.append([StyledText(name, .faint), value]) }
        add("key", StyledText(key.description))
        add("type", StyledText(option.type.rawValue))
        add("value", StyledText(wording.words(option.value, of: option), .after))
        if let value = option.defaultValue { add("default", StyledText(wording.words(value, of: option))) }
        if let help = option.help { add("help", StyledText(help.string)) }
        if !option.range.isEmpty { add("range", StyledText(option.range.words)) }
        if let pattern = option.pattern { add("pattern", StyledText(pattern.string)) }
        if let placeholder = option.placeholder { add("placeholder", StyledText(placeholder.string)) }
        if option.isReadOnly { add("read-only", StyledText("yes")) }
        if tip != nil {
            add("chosen", isDraft ? StyledText("by hand, not yet recorded", .faint) : context.phrases.origin(origin))
        }
        try context.output.line(StyledText(option.title.string, .heading))
        try context.output.lines(Phrases.table(rows))
        guard option.type == .choice else { return }
        try context.output.line(StyledText("labels", .faint))
        let selected = option.selected
        let labels = option.labels.enumerated().map { index, label in
            [
                StyledText(index == selected ? "  ✓" : "   ", .after).adding(" \(index)", .faint),
                StyledText(label.text.string, index == selected ? .after : .plain),
                StyledText(label.value.bare, .faint),
            ]
        }
        try context.output.lines(Phrases.table(labels))
    }

    /// Nil, with a note, where the history belongs to somebody else, or may not be read.
    private func opened(_ context: Context) throws -> Store? {
        do { return try context.store() } catch let error as Problem {
            switch error {
            case .repository(.belongsToOther), .repository(.cannotRead):
                context.output.note("note: \(CommandLineHints.reason(error)), so its history is not shown")
                return nil
            default: throw error
            }
        }
    }

    private func show(_ version: Version, _ store: Store, _ context: Context) throws {
        let changes = try store.versions.changes(of: version)
        let tags = try store.tags.list().filter { $0.commit == version.id }.map(\.name)
        if json {
            return try context.output.json(Reports.document(["version": context.reports.version(version, changes, tags: tags)]))
        }
        context.page(store)
        let phrases = Phrases(wording: Wording(revealsMasked: reveal, valueLimit: .max), now: context.environment.now)
        try context.output.lines(phrases.wholeVersion(version, changes, tags: tags))
    }
}

extension ShowRequest {
    init?(plain words: ArraySlice<String>) {
        guard let words = PlainWords(words, flags: ["--reveal", "--json"]), let word = words.positionals.first,
            words.positionals.count == 1, let global = GlobalRequest(plain: words)
        else { return nil }
        self.word = word
        reveal = words.has("--reveal")
        json = words.has("--json")
        self.global = global
    }
}
