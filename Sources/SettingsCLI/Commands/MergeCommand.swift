import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge another branch by meaning, so that every selection follows its label.",
        discussion: """
            If both sides changed the same part of an option, such as its value or title,
            nothing is changed, the conflicts are listed and the exit status is 2. Decide
            them with KEY=VALUE, --ours or --theirs, or use --keep to record everything
            else and leave these conflicts open: 'settings conflicts' lists them and
            'settings resolve' resolves them. Until then, the state that both sides last
            agreed on is in force, or the side that --in-force names.

              settings merge laptop
              settings merge origin/main --dry-run
              settings merge laptop general.language=de -m 'Berlin decides'
              settings merge laptop --keep
              settings merge origin/main --keep --in-force theirs
            """)

    @Argument(help: ArgumentHelp("A branch, or any version.", valueName: "ref"), completion: .word(.branch))
    var reference: String

    @Argument(
        help: ArgumentHelp("The value of an option, whatever the branches have.", valueName: "key=value"),
        completion: .word(.assignment)
    )
    var values: [String] = []

    @Flag(name: .long, help: "Resolve conflicts with our side.") var ours = false
    @Flag(name: .long, help: "Resolve conflicts with their side.") var theirs = false
    @Flag(name: .long, help: "Merge what agrees and record the rest as open conflicts.") var keep = false
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "With --keep, the value in force until a conflict is resolved: ours, theirs or agreed (default: agreed).",
            valueName: "side"))
    var inForce: MergeWish.InForce?

    @Flag(name: .long, help: "Record a merge even if a fast-forward is possible.") var noFf = false
    @Flag(name: .long, help: "Merge branches without a common history.") var allowUnrelatedHistories = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if [ours, theirs, keep].count(where: { $0 }) > 1 {
            throw ValidationError("--ours, --theirs and --keep cannot be combined")
        }
        if inForce != nil, !keep { throw ValidationError("--in-force requires --keep") }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let other: Version
        do throws(Problem) { other = try session.ask(RevisionQuery(reference)) } catch {
            guard case .history(.noRevision(_, isTime: false)) = error else { throw error }
            let branches = try session.ask(BranchNamesQuery()).map(\.name)
            throw Failure(.missing, CommandLineHints.reason(error), hint: CommandLineHints.branches(branches))
        }
        var wish = MergeWish(name: reference)
        wish.side = ours ? .ours : theirs ? .theirs : nil
        wish.kept = keep ? inForce ?? .agreed : nil
        // A version that is there already can't be told to wait.
        wish.neverForwards = noFf || record.confirm != nil
        wish.allowsUnrelated = allowUnrelatedHistories
        wish.values = try values.map(Words.plain).map { word in
            guard let equals = word.firstIndex(of: "=") else {
                throw Failure(.usage, "invalid argument '\(word)': expected KEY=VALUE")
            }
            let key = try session.ask(MergeKeyQuery(String(word[..<equals]), mergingWith: other.id))
            return (key, .word(String(word[word.index(after: equals)...])))
        }
        var recording = Recording(context: context, options: record, json: json.json)
        recording.nothing = { "nothing to do: \(reference) is already merged" }
        try recording.record(.merge(other.id, wish), in: session)
    }
}

extension MergeWish.InForce: ExpressibleByArgument {}
