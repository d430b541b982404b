import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Bring another line of versions in, by meaning: no selection becomes another.",
        discussion: """
            Where both sides changed the same, nothing is changed, the conflicts are listed and the exit status is 2. Decide them
            with KEY=VALUE, --ours or --theirs, or let --keep record everything else and leave these as open questions:
            'settings conflicts' lists what is open, 'settings resolve' settles it. Until then what both sides last agreed on is
            in force, or the side that --in-force names.

              settings merge laptop
              settings merge origin/main --dry-run
              settings merge laptop general.language=de -m 'Berlin decides'
              settings merge laptop --keep
              settings merge origin/main --keep --in-force theirs
            """)

    @Argument(help: ArgumentHelp("A branch, or any version.", valueName: "ref"))
    var reference: String

    @Argument(
        help: ArgumentHelp("What an option becomes, whatever the sides say.", valueName: "key=value"), completion: .keyOrValue)
    var values: [String] = []

    @Flag(name: .long, help: "Where both sides differ, keep ours.") var ours = false
    @Flag(name: .long, help: "Where both sides differ, take theirs.") var theirs = false
    @Flag(name: .long, help: "Merge what agrees and keep the rest as open questions.") var keep = false
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "With --keep: what is in force until a question is settled: ours, theirs or agreed (default: agreed).",
            valueName: "side"))
    var inForce: MergeWish.InForce?

    @Flag(name: .long, help: "Make a version even where the branch could just move on.") var noFf = false
    @Flag(name: .long, help: "Merge lines that have no version in common.") var allowUnrelatedHistories = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if [ours, theirs, keep].count(where: { $0 }) > 1 {
            throw ValidationError("--ours, --theirs and --keep are three ways; choose one")
        }
        if inForce != nil, !keep { throw ValidationError("--in-force goes with --keep") }
    }

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        let other = try store.version(named: reference)
        var wish = MergeWish(name: reference)
        wish.side = ours ? .ours : theirs ? .theirs : nil
        wish.kept = keep ? inForce ?? .agreed : nil
        wish.neverForwards = noFf
        wish.allowsUnrelated = allowUnrelatedHistories
        wish.values = try values.map(Words.plain).map { word in
            guard let equals = word.firstIndex(of: "=") else { throw Failure(.usage, "'\(word)' is not of the form KEY=VALUE") }
            return (try KeyLookup.parse(String(word[..<equals])), .word(String(word[word.index(after: equals)...])))
        }
        var recorder = Recorder(context: context, options: record, json: json.json)
        recorder.nothing = { "nothing to do: everything of \(reference) is in already" }
        try recorder.record(store, asks: false) { done in try store.merge(other.id, wish, done) }
    }
}

extension MergeWish.InForce: ExpressibleByArgument {}
