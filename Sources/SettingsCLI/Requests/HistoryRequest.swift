import SettingsModel
import SettingsStore
import SettingsText

/// `settings history [KEY|GROUP]…`
struct HistoryRequest: PlainCommand, Equatable {
    var keys: [String] = []
    var count: Int?
    var from: String?
    var to: String?
    var author: String?
    var requestedBy: String?
    var ticket: String?
    var search: String?
    var became: String?
    var oneline = false
    var graph = false
    var reverse = false
    var all = false
    var signatures = false
    var jsonl = false
    var reveal = false
    var json = false
    var global = GlobalRequest()

    /// The usage error of an invalid combination.
    var problem: String? {
        if let count, count < 0 { return "invalid number '\(count)': expected 0 or more" }
        if jsonl, json { return "--json and --jsonl cannot be combined" }
        if oneline, json || jsonl { return "--oneline cannot be combined with --json or --jsonl" }
        if graph, json || jsonl { return "--graph cannot be combined with --json or --jsonl" }
        if graph, reverse { return "--graph and --reverse cannot be combined" }
        if ranges.count > 1 { return "only one range A..B can be given" }
        return nil
    }

    private var ranges: [String] { keys.filter(RangeEnds.isRange) }

    func run() throws {
        let context = Context(global, reveal: reveal)
        let session = try context.reader(readsOnly: true)
        var query = HistoryQuery()
        query.keys = keys.filter { !ranges.contains($0) }
        if let range = ranges.first, let range = try RangeEnds(range) {
            query.start = try context.version(range.start, in: session).id
            query.end = try context.version(range.end, in: session).id
        }
        query.limit = count
        query.filter.since = try from.map { try session.ask(MomentQuery($0, bareDate: .beginning)) }
        query.filter.until = try to.map { try session.ask(MomentQuery($0, bareDate: .end, allowsFuture: true)) }
        query.filter.author = author
        query.filter.requestedBy = requestedBy
        query.filter.ticket = ticket
        query.filter.search = search
        query.filter.became = became
        query.revealsMasked = reveal
        do {
            if json || jsonl { try printJSON(query, session, context) } else { try printLines(query, session, context) }
        } catch let problem as Problem {
            guard case .key = problem, let word = query.keys.first(where: { (try? session.ask(RevisionQuery($0))) != nil }) else {
                throw problem
            }
            throw Failure(.missing, CommandLineHints.isNoKey(word))
        }
        try context.afterReading(session)
    }

    private func printLines(_ query: HistoryQuery, _ session: Session, _ context: Context) throws {
        context.page(session)
        let programs = signatures ? context.signaturePrograms(session) : nil
        var shown = 0
        var drawing = GraphLines(context.environment.glyphs)
        var phrases = context.phrases
        phrases.isWide = context.environment.columns.map { $0 >= 120 } ?? false
        func show(_ version: Version, _ changes: VersionChanges, _ tags: [String], _ lines: GraphEnds?) throws {
            if shown > 0, !oneline, lines == nil { try context.output.line() }
            shown += 1
            var text = try self.text(version, changes, tags, programs, session, phrases)
            if let lines {
                text = drawing.lines(
                    version.id, parents: lines.parents, isCut: lines.isCut, beside: text, isSpaced: !oneline)
            } else if !oneline {
                text = context.wrapped(text)
            }
            try context.output.lines(text)
            // At a terminal, each version appears at once.
            if context.output.isLive { try context.output.flush() }
        }
        let isComplete =
            graph
            ? try eachWithLines(query, session) { version, changes, tags, lines in try show(version, changes, tags, lines) }
            : try each(query, session) { version, changes, tags in try show(version, changes, tags, nil) }
        if shown == 0 || !isComplete {
            let hasVersions = (try? session.ask(RevisionQuery("HEAD"))) != nil
            try context.output.print([Phrases.afterHistory(shown, isComplete: isComplete, hasVersions: hasVersions)])
        }
    }

    private func text(
        _ version: Version, _ changes: VersionChanges, _ tags: [String], _ programs: SignaturePrograms?, _ session: Session,
        _ phrases: Phrases
    ) throws -> [StyledText] {
        // A history is the same in every clone; 'status' says what this one is waiting for.
        let confirmation = try session.ask(ConfirmationQuery(version, isShared: true))
        var lines =
            oneline
            ? [phrases.line(version, changes, tags: tags, confirmation: confirmation)]
            : phrases.version(version, changes, tags: tags, confirmation: confirmation, folds: !all)
        if let programs {
            let signature = Phrases.signature(try session.ask(SignatureQuery(version.id, by: programs)))
            if oneline {
                lines = lines.map { $0.adding("  ") + signature }
            } else {
                lines.append(StyledText("    ") + signature)
            }
        }
        return lines
    }

    private func printJSON(_ query: HistoryQuery, _ session: Session, _ context: Context) throws {
        var versions: [JSON] = []
        let programs = signatures ? context.signaturePrograms(session) : nil
        let isComplete = try each(query, session) { version, changes, tags in
            let report = context.reports.version(
                version, changes, tags: tags, confirmation: try session.ask(ConfirmationQuery(version, isShared: true)),
                signature: try programs.map { try session.ask(SignatureQuery(version.id, by: $0)) })
            if jsonl { try context.output.json(report, oneLine: true) } else { versions.append(report) }
        }
        if !jsonl { try context.output.json(context.reports.document(versions, isComplete: isComplete)) }
    }

    /// A pipe that closes ends the walk with its own error.
    private func each(
        _ query: HistoryQuery, _ session: Session, _ visit: (Version, VersionChanges, [String]) throws -> Void
    ) throws -> Bool {
        var failure: (any Error)?
        // The oldest one is found last.
        var found: [(Version, VersionChanges, [String])] = []
        let isComplete = try session.walk(query) { version, changes, tags in
            if reverse {
                found.append((version, changes, tags))
                return true
            }
            do { try visit(version, changes, tags) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        for (version, changes, tags) in found.reversed() { try visit(version, changes, tags) }
        return isComplete
    }

    private typealias GraphEnds = (parents: [VersionGraph.Parent], isCut: Bool)

    private func eachWithLines(
        _ query: HistoryQuery, _ session: Session, _ visit: (Version, VersionChanges, [String], GraphEnds) throws -> Void
    ) throws -> Bool {
        var failure: (any Error)?
        let isComplete = try session.walkGraph(query) { shown in
            let content = shown.content
            do {
                try visit(content.version, content.changes, content.tags, (shown.parents, shown.isCut))
            } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        return isComplete
    }
}

extension HistoryRequest {
    init?(plain words: ArraySlice<String>) {
        guard
            let words = PlainWords(
                words, flags: ["--oneline", "--graph", "--reverse", "--all", "--signatures", "--jsonl", "--reveal", "--json"],
                values: ["-n", "--max-count", "--from", "--to", "--author", "--requested-by", "--ticket", "--search", "--became"]),
            let global = GlobalRequest(plain: words)
        else { return nil }
        if let typed = words["-n"] ?? words["--max-count"] {
            guard let number = Int(typed), words["-n"] == nil || words["--max-count"] == nil else { return nil }
            count = number
        }
        keys = words.positionals
        from = words["--from"]
        to = words["--to"]
        author = words["--author"]
        requestedBy = words["--requested-by"]
        ticket = words["--ticket"]
        search = words["--search"]
        became = words["--became"]
        oneline = words.has("--oneline")
        graph = words.has("--graph")
        reverse = words.has("--reverse")
        all = words.has("--all")
        signatures = words.has("--signatures")
        jsonl = words.has("--jsonl")
        reveal = words.has("--reveal")
        json = words.has("--json")
        self.global = global
        if problem != nil { return nil }
    }
}
