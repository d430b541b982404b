import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText

struct BisectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the changes that make a command fail.",
        usage: "settings bisect --good <when> [--bad <when>] [<key> ...] [<options>] -- <command> ...",
        discussion: """
            COMMAND runs in a temporary copy of the store's files, once for each state that
            is tried. $SETTINGS_STORE names the copy, and so does {} in the arguments; the
            copy is also the current folder, so 'settings get KEY' reads from it. As with
            'git bisect run', exit status 0 means good and 125 that this state cannot be
            tested; 126, 127 and a signal stop the search; any other status means bad. The
            output of COMMAND goes to standard error, or is discarded with --quiet.

            Unlike 'git bisect', this searches changes, not versions: it also finds several
            changes that only make COMMAND fail together, no matter who made them or when.
            With keys, only their changes are searched, and everything else stays as it is
            in the bad version. Unrecorded edits are not tried. Nothing in the store is
            changed.

              settings bisect --good v1 -- ./check.sh
              settings bisect --good yesterday sound display -- make -C ~/shop test
              settings bisect --good v1 -- sh -c 'test $(settings get sound.volume) -le 80'

            Exit status: 0 the changes were found, 1 a version is not good or bad as
            stated, or nothing differs, 2 the suspects could not be told apart, 69 COMMAND
            could not be run, 130 interrupted.
            """)

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A version or time at which COMMAND succeeds.", valueName: "when"), completion: .word(.when))
    var good: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A version or time at which COMMAND fails (default: the latest version).", valueName: "when"),
        completion: .word(.when))
    var bad: String?

    // The parser takes one list of words only, and drops the '--' in it.
    @Argument(
        help: ArgumentHelp(
            "Options and groups (default: everything); after '--', the command with its arguments.",
            valueName: "key> ... -- <command"),
        completion: .word(.placeBeforeCommand))
    var words: [String]

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    private var keys: [String] { words.dropLast(Self.commandLength) }
    private var command: [String] { words.suffix(Self.commandLength) }

    private static var commandLength: Int {
        ThisProcess.arguments.firstIndex(of: "--").map { ThisProcess.arguments.count - $0 - 1 } ?? 0
    }

    func validate() throws {
        if command.isEmpty { throw ValidationError("missing command: 'settings bisect --good WHEN [KEY…] -- COMMAND…'") }
    }

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let session = try context.reader(readsOnly: true)
        let good = try context.version(self.good, in: session)
        let bad = try context.version(self.bad ?? "HEAD", in: session)
        let found = try session.ask(BisectQuery(keys, good: good.id, bad: bad.id))
        guard !found.changes.isEmpty else {
            throw Failure(.no, CommandLineHints.nothingDiffers(good.id, bad.id, isPart: !keys.isEmpty))
        }
        if self.bad == nil, found.hasDraft {
            try context.output.print([Phrases.triesNoEdits])
        }
        let (outcome, groups, check, hasMore) = try search(found, context)
        switch outcome {
        case .unexpected(let end, let verdict):
            let explanation = CommandLineHints.unexpected(
                end, verdict, end == .good ? good.id : bad.id, status: check.status, keys: keys,
                hasDraft: self.bad == nil && found.hasDraft)
            throw Failure(.no, explanation)
        case .found(let guilty):
            func changes(_ places: [Int]) -> [TracedChange] { places.flatMap { groups[$0] }.sorted().map { found.changes[$0] } }
            var answer = BisectAnswer(
                good: good.id, bad: bad.id, changes: found.changes.count, runs: check.runs, certain: changes(guilty.certain),
                suspected: changes(guilty.suspected))
            answer.hasMore = hasMore
            answer.needsReason = (try? session.folder.definition().policy.why) == .required
            if json.json {
                try context.output.json(context.reports.answer(answer))
            } else {
                try context.output.lines(context.phrases.answer(answer))
            }
            if !guilty.suspected.isEmpty { throw Failure(.conflict) }
        }
    }

    /// Searches in a copy of the files, which is gone afterwards, however this ends.
    private func search(
        _ found: BisectQuery.Answer, _ context: Context
    ) throws -> (Bisection.Outcome, groups: [[Int]], BisectCheck, hasMore: Bool) {
        let (groups, requirements) = found.selection.groups()
        Interrupts.note()
        let environment = context.environment
        let copy = try ContentCopy(in: environment.absolute(environment["TMPDIR"] ?? "/tmp"))
        var check = BisectCheck(command, in: copy, environment, isSilent: context.output.isQuiet)
        do {
            func verdict(with places: some Sequence<Int>, _ purpose: Bisection.Purpose, runsLeft: Int) throws -> Bisection.Verdict
            {
                let chosen = Set(places.flatMap { groups[$0] })
                let isAll = chosen.count == found.changes.count
                guard let content = isAll ? found.bad : found.selection.content(with: chosen) else { return .unknown }
                if environment.isErrorTerminal {
                    context.output.note(Phrases.trying(purpose, chosen.count, of: found.changes.count, runsLeft: runsLeft))
                }
                return try check.verdict(on: content)
            }
            let outcome = try Bisection(requirements: requirements).search { trial in
                try verdict(with: trial.changes, trial.purpose, runsLeft: trial.runsLeft)
            }
            var hasMore = false
            if case .found(let guilty) = outcome, guilty.suspected.isEmpty, guilty.certain.count < groups.count {
                let others = Set(groups.indices).subtracting(guilty.certain)
                hasMore = try verdict(with: others, .leavingOut, runsLeft: 0) == .bad
            }
            try copy.remove()
            return (outcome, groups, check, hasMore)
        } catch {
            // What went wrong first is what counts.
            try? copy.remove()
            guard let interrupted = error as? BisectCheck.Interrupted else { throw error }
            context.output.finish()
            ThisProcess.end(bySignal: interrupted.signal)
        }
    }
}
