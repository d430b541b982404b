import ArgumentParser
import SettingsModel
import SettingsStore

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore options to their values at an earlier version or time.",
        discussion: """
            A value follows its label, even if the label was renamed or moved since. Removed
            options are restored; later options and current definitions stay, unless
            --exact restores the whole files. WHEN is a version, a tag, or a
            time such as yesterday, 'yesterday 18:00', '3 days ago'.

              settings restore general.language sound.volume --from 'yesterday 18:00'
              settings restore display --from v1 -m 'The old look'
              settings restore --all --from '2026-11-01 09:00'
            """)

    @Argument(help: ArgumentHelp("Options and groups.", valueName: "key"), completion: .word(.place)) var keys: [String] = []
    @Flag(name: .long, help: "Everything.") var all = false

    @Option(
        name: [.long, .customLong("at")], parsing: .unconditional,
        help: ArgumentHelp("The version or time to restore from.", valueName: "when"), completion: .word(.when))
    var from: String

    @Flag(name: .long, help: "Restore whole files, definitions included.") var exact = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, !keys.isEmpty { throw ValidationError("--all and KEY cannot be combined") }
        if !all, keys.isEmpty { throw ValidationError("missing argument: options or groups to restore, or --all") }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let version = try context.version(from, in: session)
        try Recording(context: context, options: record, json: json.json)
            .record(.restore(keys, from: version.id, isExact: exact), in: session)
    }
}
