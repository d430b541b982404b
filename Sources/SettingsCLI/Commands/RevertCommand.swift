import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct RevertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Revert the changes of versions and keep later changes.",
        discussion: """
            This records a new version. If later changes conflict, nothing is changed and
            the conflicts are listed. 'settings history' and 'settings diff --who' list
            the versions; to restore single options, see 'settings restore'.

              settings revert 3f2a91c -m 'Paris opens a week later'
              settings revert 3f2a91c --only general.language
              settings revert --ticket FEAT-12
            """)

    @Argument(help: ArgumentHelp("Versions.", valueName: "version"), completion: .word(.version)) var versions: [String] = []

    @Option(
        name: .long, parsing: .upToNextOption, help: ArgumentHelp("Revert only these options and groups.", valueName: "key"),
        completion: .word(.place))
    var only: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        var options = record
        let wanted = try versions.map { word in
            do throws(Problem) {
                return try session.ask(RevisionQuery(word)).id
            } catch {
                let isPlace = (try? session.ask(PlacesQuery([word]))) != nil
                guard error.kind == .missing, isPlace else { throw error }
                throw Failure(.missing, CommandLineHints.isNoVersion(word))
            }
        }
        if versions.isEmpty {
            // Without versions, --ticket selects them; with versions, it is the ticket of the new version.
            guard !record.ticket.isEmpty else {
                throw Failure(
                    .usage, "missing argument: which versions to revert",
                    hint: "'settings revert VERSION...' or 'settings revert --ticket ID'; 'settings history' lists versions")
            }
            options.wish.ticket = record.ticket
        }
        let request: Request =
            wanted.isEmpty ? .revertTickets(record.ticket, only: only) : .revert(wanted, only: only)
        try Recording(context: context, options: options, json: json.json).record(request, in: session)
    }
}
