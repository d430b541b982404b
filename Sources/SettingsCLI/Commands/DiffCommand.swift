import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed between two versions or times, in sentences.",
        discussion: """
            With --from, compares with now or with --to; without it, compares the files
            with the last version. WHEN is a version, a tag, or a time such as 18:00,
            yesterday, 'yesterday 18:00', '3 days ago', 2026-11-20.

              settings diff
              settings diff --from 'yesterday 18:00' --who
              settings diff general --from v1 --to v2
              settings diff v1..v2
            """)

    @Argument(help: ArgumentHelp("Options, groups, or a range A..B.", valueName: "key"), completion: .place) var words: [String] =
        []

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("From this version or time.", valueName: "when"))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("To this version or time (default: now).", valueName: "when"))
    var to: String?

    @Flag(name: .long, help: "Show the version, the person and the reason behind each change.") var who = false
    @Flag(name: .long, help: "Exit with 1 if anything differs.") var exitCode = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let store = try context.storeToRead()
        let (start, end, names) = try ends()
        let difference = try compare(store, context, start, end, names)
        let differs = !difference.changes.isEmpty || !difference.unreadable.isEmpty
        let origins = who ? try origins(of: difference, store) : difference.changes.map { _ in nil }
        if global.quiet && exitCode {
            // The exit status is the answer.
        } else if json.json {
            try context.output.json(document(difference, origins, context))
        } else {
            context.page(store)
            try context.output.lines(lines(difference, origins, context))
            if !differs { context.output.note("nothing differs") }
        }
        if exitCode, differs { throw Failure(.no) }
    }

    private struct Difference {
        var from: VersionID?
        var to: VersionID?
        var changes: [Change]
        var unreadable: [VersionChanges.Unreadable]
        /// What was edited by hand.
        var draft: [Change] = []
    }

    /// The version behind each change; hand edits have none.
    private func origins(of difference: Difference, _ store: Store) throws -> [Version?] {
        let origins = try store.history.origins(of: difference.changes, from: difference.from, to: difference.to)
        return zip(difference.changes, origins).map { change, origin in
            let isByHand = difference.draft.contains { edit in
                edit.subject == change.subject && (edit.facet == change.facet || edit.facet == .existence)
            }
            return isByHand ? nil : origin
        }
    }

    /// `A..B` among the words stands for --from A --to B.
    private func ends() throws -> (String?, String?, [String]) {
        guard let range = words.first(where: { $0.contains("..") }) else { return (from, to, words) }
        guard from == nil, to == nil else { throw Failure(.usage, "'\(range)' cannot be combined with --from or --to") }
        guard let dots = range.firstRange(of: "..") else { return (from, to, words) }
        let (start, end) = (String(range[..<dots.lowerBound]), String(range[dots.upperBound...]))
        return (start.isEmpty ? "HEAD" : start, end.isEmpty ? "HEAD" : end, words.filter { $0 != range })
    }

    private func compare(
        _ store: Store, _ context: Context, _ start: String?, _ end: String?, _ names: [String]
    ) throws -> Difference {
        let tip = try store.versions.tip()
        let old = try start.map { try store.versions.snapshot(try context.version($0, in: store).id) } ?? tip
        let new = try end.map { try store.versions.snapshot(try context.version($0, in: store).id) }
        let places = try places(names, [old, new ?? tip], store, context)
        let renames = try store.history.renames(from: old.id, to: new?.id ?? tip.id)
        if end != nil, start == nil { throw Failure(.usage, "--to requires --from", hint: "'settings diff --from A --to B'") }
        if let new {
            let made = try store.versions.changes(from: old, to: new, renames: renames)
            return Difference(
                from: old.id, to: new.id, changes: made.changes.filter { $0.lies(in: places) }, unreadable: made.unreadable)
        }
        let draft = try store.workTree.draft(in: places)
        if start == nil {
            return Difference(
                from: tip.id, to: tip.id, changes: draft.changes, unreadable: draft.unreadable, draft: draft.changes)
        }
        var made = try store.versions.changes(from: old, to: tip, renames: renames)
        made.changes = made.changes.filter { $0.lies(in: places) }
        guard !draft.edited.isEmpty else {
            return Difference(from: old.id, to: tip.id, changes: made.changes, unreadable: made.unreadable + draft.unreadable)
        }
        // The files as they stand: what hand edits touch is compared as it is now.
        let edited = Set(draft.edited)
        var (before, after) = draft.sides
        for subject in try store.versions.subjectsDiffering(from: old, to: tip) {
            before[subject] = try old.item(subject)
            if !edited.contains(subject) { after[subject] = try tip.item(subject) }
        }
        let changes = after.changes(since: before, renames: renames.map { ($0.old, $0.new) }).filter { $0.lies(in: places) }
        return Difference(
            from: old.id, to: tip.id, changes: changes, unreadable: made.unreadable + draft.unreadable, draft: draft.changes)
    }

    /// What is there on either side.
    private func places(_ names: [String], _ sides: [Snapshot], _ store: Store, _ context: Context) throws -> [Key] {
        let files = names.isEmpty ? [] : try store.folder.listing().subjects
        return try names.map { name in
            if let key = try? Key(name), files.contains(where: { $0.key.isWithin(key) }) { return key }
            for side in sides { if let place = try? side.places([name], context.caller)[0] { return place } }
            do {
                return try sides[sides.count - 1].places([name], context.caller)[0]
            } catch {
                guard (try? store.history.version(at: When(name, now: context.environment.now), written: name)) != nil else {
                    throw error
                }
                throw Failure(
                    .usage, "'\(name)' is a version, not an option or a group",
                    hint: "'settings diff --from \(name)' compares with this version")
            }
        }
    }

    private func lines(_ difference: Difference, _ origins: [Version?], _ context: Context) -> [StyledText] {
        var lines: [StyledText] = []
        for (change, origin) in zip(difference.changes, origins) {
            lines += context.phrases.sentences([change], key: true)
            if who { lines.append(StyledText("    ") + context.phrases.origin(origin)) }
        }
        lines += difference.unreadable.map { StyledText("unreadable: ", .warning).adding(CommandLineHints.reason($0.problem)) }
        return lines
    }

    private func document(_ difference: Difference, _ origins: [Version?], _ context: Context) -> JSON {
        var changes: [JSON] = []
        for (change, origin) in zip(difference.changes, origins) {
            for line in change.lines {
                changes.append(context.reports.change(line, who ? ["version": context.reports.reference(origin)] : [:]))
            }
        }
        return Reports.document([
            "from": difference.from.map { .string($0.hex) } ?? .null,
            "to": difference.to.map { .string($0.hex) } ?? .null,
            "changes": .array(changes),
            "unreadable": .array(difference.unreadable.map(context.reports.unreadable)),
        ])
    }
}

extension Change {
    /// Whether it is about something in `places`, by either name.
    fileprivate func lies(in places: [Key]) -> Bool {
        subject.lies(in: places) || renaming.map { $0.old.lies(in: places) } ?? false
    }
}
