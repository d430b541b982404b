import ArgumentParser
import SettingsModel
import SettingsStore

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put back the values that were in force then.",
        discussion: """
            Values are found by their meaning: a label that was renamed or moved since is
            still itself. Removed options come back; later ones and today's definitions
            stay. --exact puts back the files as they were. WHEN is a version, a tag, or a
            time such as yesterday, 'yesterday 18:00', '3 days ago'.

              settings restore general.language sound.volume --from 'yesterday 18:00'
              settings restore display --from v1 -m 'The old look'
              settings restore --all --from '2026-11-01 09:00'
            """)

    @Argument(help: ArgumentHelp("Options and groups.", valueName: "key"), completion: .place) var keys: [String] = []
    @Flag(name: .long, help: "Everything.") var all = false

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The version or time.", valueName: "when"))
    var from: String

    @Flag(name: .long, help: "The files as they were, definitions too.") var exact = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, !keys.isEmpty { throw ValidationError("--all and KEY contradict each other") }
        if !all, keys.isEmpty { throw ValidationError("restore what? Name options or groups, or say --all") }
    }

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        let version = try context.version(from, in: store)
        let sides = [try store.tip(), try store.snapshot(version.id)]
        let places = try keys.map { word in
            for side in sides { if let place = try? side.places([word], context.caller)[0] { return place } }
            return try sides[0].places([word], context.caller)[0]
        }
        try Recorder(context: context, options: record, json: json.json).record(store) { done in
            try store.restore(places, from: version.id, exactly: exact, done)
        }
    }
}
