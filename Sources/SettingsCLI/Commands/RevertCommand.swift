import ArgumentParser
import SettingsModel
import SettingsStore

struct RevertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Take back what versions changed, and keep what came later.",
        discussion: """
            It makes a new version. Where later changes contradict, nothing is changed and
            the conflicts are listed. 'settings history' and 'settings diff --who' tell
            which versions there are; to put back single options, see 'settings restore'.

              settings revert 3f2a91c -m 'Paris opens a week later'
              settings revert 3f2a91c --only general.language
              settings revert --ticket FEAT-12
            """)

    @Argument(help: ArgumentHelp("Versions.", valueName: "version")) var versions: [String] = []

    @Option(
        name: .long, parsing: .upToNextOption, help: ArgumentHelp("Only these options and groups.", valueName: "key"),
        completion: .place)
    var only: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        var options = record
        let wanted = try versions.map { word in
            do throws(Problem) {
                return Store.Remainder(try store.version(named: word).id)
            } catch {
                let isPlace = (try? store.tip().places([word], context.caller)) != nil
                guard error.kind == .missing, isPlace else { throw error }
                throw Failure(
                    .missing, "'\(word)' is no version",
                    hint:
                        "'settings restore \(word) --from WHEN' puts back what it was; 'settings history \(word)' lists its versions"
                )
            }
        }
        if versions.isEmpty {
            // Without versions, --ticket says which; with them, it is the new version's.
            guard !record.ticket.isEmpty else {
                throw Failure(
                    .usage, "revert what?",
                    hint: "'settings revert VERSION…' or 'settings revert --ticket ID'; 'settings history' lists versions")
            }
            options.ticket = record.ticket
        }
        let places = try only.map { word in try KeyLookup.parse(word) }
        try Recorder(context: context, options: options, json: json.json).record(store) { done in
            if wanted.isEmpty { return try store.revert(tickets: record.ticket, only: places, done) }
            return try store.revert(wanted, only: places, done)
        }
    }
}
