import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed between two versions or times, in sentences.",
        discussion: """
            With --from, that version or time is compared with now or with --to; otherwise,
            the files are compared with the last version. WHEN is a version, a tag, or a
            time such as 18:00, yesterday, 'yesterday 18:00', '3 days ago', 2026-11-20. A
            bare date means the end of that day, with --since its beginning.

              settings diff
              settings diff --from 'yesterday 18:00' --who
              settings diff general --from v1 --to v2
              settings diff v1..v2          also: settings diff v1 v2
            """)

    @Argument(help: ArgumentHelp("Options, groups, or a range A..B.", valueName: "key"), completion: .word(.placeOrRange))
    var words: [String] =
        []

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("From this version or time.", valueName: "when"),
        completion: .word(.when))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Like --from, but a date without a time means the start of that day.", valueName: "when"),
        completion: .word(.when))
    var since: String?

    @Option(
        name: [.long, .customLong("until")], parsing: .unconditional,
        help: ArgumentHelp("To this version or time (default: now).", valueName: "when"), completion: .word(.when))
    var to: String?

    @Flag(name: .long, help: "Show the version, the person and the reason behind each change.") var who = false
    @Flag(name: .long, help: "Exit with 1 if anything differs.") var exitCode = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let session = try context.reader(readsOnly: true)
        let (start, end, names) = try ends()
        let query = DiffQuery(
            names, from: try start.map { try context.version($0, in: session, bareDate: since == nil ? .end : .beginning).id },
            to: try end.map { try context.version($0, in: session).id }, wantsOrigins: who)
        let difference = try difference(query, in: session)
        let origins = who ? difference.origins : nil
        if end != nil, start == nil { throw Failure(.usage, "--to requires --from", hint: "'settings diff --from A --to B'") }
        if global.quiet && exitCode {
            // The exit status is the answer.
        } else if json.json {
            try context.output.json(
                context.reports.difference(
                    from: difference.from, to: difference.to, difference.changes, origins, unreadable: difference.unreadable,
                    isComplete: difference.isComplete))
        } else {
            context.page(session)
            let lines = context.phrases.difference(
                difference.changes, origins, unknown: difference.unknown, unreadable: difference.unreadable)
            try context.output.lines(context.wrapped(lines))
            try context.output.print(
                Phrases.afterDifference(isEmpty: difference.isEmpty, isCutOff: who && !difference.isComplete))
        }
        if exitCode, !difference.isEmpty { throw Failure(.no) }
    }

    /// Accepts `A..B` among the words as --from A --to B.
    private func ends() throws -> (String?, String?, [String]) {
        if from != nil, since != nil {
            throw Failure(.usage, "--from and --since cannot be combined", hint: "leave one of them out")
        }
        guard let range = words.first(where: RangeEnds.isRange) else { return (from ?? since, to, words) }
        guard from == nil, since == nil, to == nil else {
            throw Failure(
                .usage, "'\(range)' cannot be combined with --from or --to", hint: "give both ends in one of the two forms")
        }
        let ends = try RangeEnds(range)
        return (ends?.start, ends?.end, words.filter { $0 != range })
    }

    /// Accepts `A B`, as git does, where both are versions and not keys.
    private func difference(_ query: DiffQuery, in session: Session) throws -> DiffQuery.Answer {
        do throws(Problem) { return try session.ask(query) } catch {
            let words = query.keys
            guard case .key = error, query.old == nil, query.new == nil, words.count <= 2 else { throw error }
            let versions = words.compactMap { try? session.ask(VersionQuery($0)).version.id }
            guard versions.count == words.count else { throw error }
            guard versions.count == 2 else { throw Problem.key(.isVersion(words[0])) }
            return try session.ask(DiffQuery([], from: versions[0], to: versions[1], wantsOrigins: query.wantsOrigins))
        }
    }
}
