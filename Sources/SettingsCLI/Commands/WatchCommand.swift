import ArgumentParser
import Files
import SettingsModel

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Report versions as they are recorded.",
        usage: "settings watch [<key> ...] [<options>] [--exec <command> ...]",
        discussion: """
            Each version that changes one of the keys is reported once and in order, no
            matter what recorded it: this program, git or a pull. A merge is one version,
            with all changes that it merged. If HEAD moves elsewhere, because of a reset, a
            rebase or a checkout, one line shows what differs. Ctrl-C ends the watch.

              settings watch general.language sound
              settings watch --since v1 --jsonl
              settings watch display --once && echo 'The display has changed.'
              settings watch --initial --exec sh -c 'settings export json > app.json'

            COMMAND runs once after each burst of changes, with the latest state, and
            never twice at the same time. What it prints goes to standard error. It reads
            what changed as a JSON object from standard input, and these variables, which
            hold no masked values without --reveal and no values over 64 KiB:

              SETTINGS_VERSION    the id of the version
              SETTINGS_KEY        the keys of the options that changed, separated by spaces
              SETTINGS_VALUE      the value, if one option changed and it is set
              SETTINGS_OLD_VALUE  its previous value
              SETTINGS_STORE      the store, so that 'settings get' finds it

            Exit status: 0 after Ctrl-C, SIGTERM or --once; 1 if COMMAND failed and 69 if
            it could not be run, with --exit-on-error; 66 if the store was removed or the
            version given to --since no longer exists; 141 if the pipe was closed.
            """)

    @Argument(help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .word(.place))
    var keys: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Begin with what was recorded after this version or time (default: now).", valueName: "id"),
        completion: .word(.version))
    var since: String?

    @Flag(name: .long, help: "Begin with the present values.") var initial = false
    @Flag(name: .long, help: "End after the first change, or after the first run of COMMAND.") var once = false

    @Option(
        name: .long, parsing: .remaining,
        help: ArgumentHelp(
            "Run a command, which takes all remaining arguments, after each burst of changes.", valueName: "command")
    )
    var exec: [String] = []

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var lines: LinesOption
    @OptionGroup var tuning: WatchTuning
    @OptionGroup var global: GlobalOptions

    private var request: WatchRequest {
        WatchRequest(
            keys: keys, since: since, initial: initial, once: once, drafts: tuning.drafts,
            form: lines.jsonl ? .lines : json.json ? .document : nil, debounce: tuning.debounce.duration,
            poll: tuning.poll.duration, pollOnly: tuning.pollOnly, bookmark: tuning.bookmark.duration,
            exitOnError: tuning.exitOnError, command: exec)
    }

    func validate() throws {
        if lines.jsonl, json.json { throw ValidationError("--json and --jsonl cannot be combined") }
        if let end = ThisProcess.arguments.firstIndex(of: "--"), !ThisProcess.arguments[..<end].contains("--exec") {
            let command = ThisProcess.arguments[(end + 1)...].map(\.shellWord).joined(separator: " ")
            throw ValidationError("'--' does not begin a command here: use '--exec \(command)'")
        }
        if ThisProcess.arguments.last == "--exec" { throw ValidationError("missing command after --exec") }
        if exec.count == 1, let line = exec.first, line.contains(" "), !line.contains("/"),
            FileSystem.program(line, path: Environment.current["PATH"]) == nil
        {
            throw ValidationError("--exec runs a program without a shell; with one: --exec sh -c \(line.shellWord)")
        }
        if let problem = request.problem { throw ValidationError(problem) }
    }

    func run() throws { try request.run(Context(global, reveal: reveal.reveal)) }
}

/// What else it reports, how often it looks, and when it gives up.
struct WatchTuning: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp("Also report unrecorded edits to the files.", visibility: Help.visibilityOfListedOptions))
    var drafts = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long to gather changes before COMMAND runs (default: 50ms).", valueName: "duration",
            visibility: Help.visibilityOfListedOptions),
        transform: { try interval($0) })
    var debounce = TimeSpan(milliseconds: 50)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How often to poll even if the system reports nothing, as on network file systems (default: 5s; 0: never).",
            valueName: "duration", visibility: Help.visibilityOfListedOptions),
        transform: { try interval($0) })
    var poll = TimeSpan(seconds: 5)

    @Flag(
        name: .long,
        help: ArgumentHelp("Poll every --poll instead of watching folders.", visibility: Help.visibilityOfListedOptions))
    var pollOnly = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --json or --jsonl, how often to print a bookmark (default: 60s; 0: never).", valueName: "duration",
            visibility: Help.visibilityOfListedOptions),
        transform: { try interval($0) })
    var bookmark = TimeSpan(seconds: 60)

    @Flag(name: .long, help: ArgumentHelp("End if COMMAND fails.", visibility: Help.visibilityOfListedOptions))
    var exitOnError = false

    private static func interval(_ word: String) throws -> TimeSpan {
        if let span = TimeSpan(word) { return span }
        throw ValidationError("invalid duration '\(word)': expected a number with ms, s, m or h")
    }
}
