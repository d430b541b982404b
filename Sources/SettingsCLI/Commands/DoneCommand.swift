import ArgumentParser
import SettingsModel
import SettingsStore

struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Record files edited by hand, all or some.",
        discussion: """
              settings done -m 'Tidied the labels'
              settings done general.language -m 'German for Berlin'
            """,
        aliases: ["commit"])

    @Argument(help: ArgumentHelp("Options and groups; else everything.", valueName: "key"), completion: .place) var keys:
        [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        let places = try store.draftPlaces(keys, context)
        var rewritten: [String] = []
        let recorder = Recorder(context: context, options: record, json: json.json) {
            let files = rewritten.joined(separator: ", ")
            return "nothing to record: "
                + (files.isEmpty ? "there are no hand edits" : "\(files) had another form only, and has its usual one again")
        }
        try recorder.record(store) { done in
            try store.recordDraft(in: places, done) { rewritten = $0.map(\.path) }
        }
    }
}

extension Store {
    /// Places in the files or in the last version.
    func draftPlaces(_ words: [String], _ context: Context) throws -> [Key] {
        guard !words.isEmpty else { return [] }
        let subjects = try folder.listing().subjects
        let tip = try tip()
        return try words.map { word in
            let key = try KeyLookup.parse(word)
            if subjects.contains(where: { $0.key.isWithin(key) }) { return key }
            if try !tip.has(.option(key)), let rule = try folder.ignoreRule(for: .option(key)) {
                throw Problem.key(.isIgnored(word, path: Subject.option(key).path, rule: "\(rule)"))
            }
            return try tip.places([word], context.caller)[0]
        }
    }
}
