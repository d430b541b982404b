import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct RevertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Revert the changes of versions and keep later changes.",
        discussion: """
            This records one new version, even if several are reverted. A range A..B
            contains the versions in B that are not in A. Values that a later version set
            again are kept. If later changes conflict, nothing is changed and the conflicts
            are listed. 'settings history' and 'settings diff --who' list the versions; to
            restore individual options, see 'settings restore'.

              settings revert 3f2a91c -m 'Paris opens a week later'
              settings revert 3f2a91c --only general.language
              settings revert HEAD~3..HEAD
              settings revert --ticket FEAT-12
            """)

    @Argument(help: ArgumentHelp("Versions, or a range A..B.", valueName: "version"), completion: .word(.versionOrRange))
    var words: [String] = []

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
        let wanted = try words.flatMap { word in
            guard let range = try RangeEnds(word) else { return [try version(word, session)] }
            let (start, end) = (try version(range.start, session), try version(range.end, session))
            return try session.ask(RevertedRangeQuery(from: start, to: end))
        }
        if words.isEmpty {
            // Without versions, --ticket selects them; with versions, it is the ticket of the new version.
            guard !record.ticket.isEmpty else {
                throw Failure(
                    .usage, "missing argument: which versions to revert",
                    hint: "'settings revert VERSION...', 'settings revert A..B' or 'settings revert --ticket ID'; "
                        + "'settings history' lists versions")
            }
            options.wish.ticket = record.ticket
        }
        let request: Request =
            wanted.isEmpty ? .revertTickets(record.ticket, only: only) : .revert(wanted, only: only)
        try Recording(context: context, options: options, json: json.json).record(request, in: session)
    }

    private func version(_ word: String, _ session: Session) throws -> VersionID {
        do throws(Problem) {
            return try session.ask(RevisionQuery(word)).id
        } catch {
            let isPlace = (try? session.ask(PlacesQuery([word]))) != nil
            guard error.kind == .missing, isPlace else { throw error }
            throw Failure(.missing, CommandLineHints.isNoVersion(word))
        }
    }
}
