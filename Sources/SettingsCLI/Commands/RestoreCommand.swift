import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore options to their values at an earlier version or time.",
        discussion: """
            A value follows its label, even if the label has been renamed or moved since.
            Removed options are restored; later options and current definitions stay,
            unless --exact is given, which restores whole files. WHEN is a version, a tag,
            or a time such as yesterday, 'yesterday 18:00', '3 days ago'.

              settings restore general.language sound.volume --from 'yesterday 18:00'
              settings restore display --from v1 -m 'The old look'
              settings restore --all --from '2026-11-01 09:00'
            """)

    @Argument(help: ArgumentHelp("Options and groups.", valueName: "key"), completion: .word(.place)) var keys: [String] = []
    @Flag(name: .long, help: "Restore everything.") var all = false

    @Option(
        name: [.long, .customLong("at")], parsing: .unconditional,
        help: ArgumentHelp("The version or time to restore from.", valueName: "when"), completion: .word(.when))
    var from: String?

    @Flag(name: .long, help: "Restore whole files, definitions included.") var exact = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, !keys.isEmpty { throw ValidationError("--all and KEY cannot be combined") }
    }

    /// What to restore from.
    private func checked(_ session: Session) throws -> String {
        if let from {
            if all || !keys.isEmpty { return from }
            throw Failure(
                .usage, "missing argument: which options to restore",
                hint: "'settings restore KEY --from \(from.shellWord)' restores an option or a group, "
                    + "'settings restore --all --from \(from.shellWord)' everything")
        }
        // A version or a time in place of a key.
        let word = keys.count == 1 ? keys[0] : nil
        let isPlace = word.map { (try? session.ask(PlacesQuery([$0]))) != nil } ?? true
        guard let word, !isPlace, (try? session.ask(VersionQuery(word))) != nil else {
            let names = all ? "--all" : keys.isEmpty ? "KEY" : keys.map(\.shellWord).joined(separator: " ")
            throw Failure(
                .usage, "missing option '--from': the version or time to restore from",
                hint: "for example: settings restore \(names) --from 'yesterday 18:00'")
        }
        throw Failure(
            .usage, "'\(word)' is a version or time; what to restore is missing",
            hint: "'settings restore --all --from \(word.shellWord)' restores everything, "
                + "'settings restore KEY --from \(word.shellWord)' an option or a group")
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let version = try context.version(try checked(session), in: session)
        try Recording(context: context, options: record, json: json.json)
            .record(.restore(keys, from: version.id, isExact: exact), in: session)
    }
}
