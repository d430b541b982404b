import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsStore
import SettingsText

// What records a version. Each answers as the command does with `--json`.

extension API {
    /// What every request says of the version.
    private struct Sheet {
        var why: String?
        var requestedBy: [String]
        var tickets: [String]
        var ifVersion: String?
        var isDryRun: Bool

        init(_ document: inout RequestDocument) {
            why = document.text("why").flatMap(VersionMessage.cleaned)
            requestedBy = document.lines("requestedBy")
            tickets = document.lines("tickets")
            ifVersion = document.text("ifVersion")
            isDryRun = document.flag("dryRun")
            if let ifVersion, VersionID(hex: ifVersion) == nil {
                document.fault("'ifVersion' must be a version id of 40 hexadecimal digits.")
            }
        }
    }

    private func document(_ request: Request, _ context: WebContext) async throws -> RequestDocument {
        _ = try request.fields()
        return try await RequestDocument(request, upTo: context.maxUploadSize)
    }

    // MARK: Requests

    func done(_ request: Request, _ context: WebContext) async throws -> Response {
        var document = try await document(request, context)
        let sheet = Sheet(&document)
        let snapshot = settings.snapshot
        var wishes = Wishes(snapshot, isDryRun: sheet.isDryRun)
        wishes.set(document.object("set"))
        wishes.unset(document.texts("unset") ?? [])
        wishes.require(document.object("if"))
        if wishes.isEmpty { document.fault("The request neither sets nor unsets an option.") }
        wishes.malformed.forEach { document.fault($0) }
        try document.finish()
        for key in wishes.unknown { wishes.refuse(key, await missing(key, snapshot)) }
        if let refusal = wishes.refusal { throw refusal }
        return try await record(
            .edit(.set(wishes.assignments, conditions: wishes.conditions)), sheet, request, context, keys: wishes.keys)
    }

    func revert(_ request: Request, _ context: WebContext) async throws -> Response {
        var document = try await document(request, context)
        let sheet = Sheet(&document)
        let words = document.texts("versions") ?? []
        let only = document.texts("only") ?? []
        if words.isEmpty { document.fault("'versions' is missing: the ids of the versions to revert.") }
        try document.finish()
        var ids: [VersionID] = []
        for word in words { ids.append(try await settings.ask(RevisionQuery(word), atMost: Self.patience).id) }
        return try await record(.revert(ids, only: only), sheet, request, context)
    }

    func restore(_ request: Request, _ context: WebContext) async throws -> Response {
        var document = try await document(request, context)
        let sheet = Sheet(&document)
        let keys = document.texts("keys")
        let from = document.text("from")
        if keys == nil { document.fault("'keys' is missing: the options and groups to restore, or [] for everything.") }
        if from == nil { document.fault("'from' is missing: the version or the time to restore them from.") }
        try document.finish()
        let version = try await settings.ask(VersionQuery(from ?? ""), atMost: Self.patience).version
        return try await record(.restore(keys ?? [], from: version.id), sheet, request, context)
    }

    func undo(_ request: Request, _ context: WebContext) async throws -> Response {
        var document = try await document(request, context)
        let sheet = Sheet(&document)
        let count = document.count("count") ?? 1
        try document.finish()
        return try await record(.undo(count), sheet, request, context)
    }

    // MARK: Recording

    /// How often others may record something between the look at what `If-Match` names and the version.
    private static let attempts = 20

    /// `keys`: the options that it sets, each of which `If-Match` may name by its tag.
    private func record(
        _ asked: SettingsStore.Request, _ sheet: Sheet, _ request: Request, _ context: WebContext, keys: [Key] = []
    ) async throws -> Response {
        var done = try await settings.done(by: context.visitor?.author, via: "api")
        (done.why, done.requestedBy, done.tickets) = (sheet.why, sheet.requestedBy, sheet.tickets)
        done.isDryRun = sheet.isDryRun
        done.expected = sheet.ifVersion.flatMap { VersionID(hex: $0) }
        for attempt in 1... {
            let isOfTags = try await expect(request.headers[.ifMatch], keys, &done)
            let outcome: Outcome
            do throws(Problem) { outcome = try await settings.performMasking(asked, done) } catch {
                switch error {
                // Whoever repeats a request that was answered, and whose answer was lost, asks for what is so already.
                case .history(.hasNothingToRevert): outcome = .unchanged
                case .recording(.isNotAt) where isOfTags && attempt < Self.attempts:
                    // The snapshot may not have it yet.
                    try await Task.sleep(for: .milliseconds(10))
                    continue
                case .recording(.isNotAt(let expected, _)): throw await stale(expected)
                case .recording(.isDemanded): throw lacking(error, sheet)
                default: throw await refused(error)
                }
            }
            return response(to: outcome)
        }
        throw HTTPError(.serviceUnavailable)
    }

    /// Has a version recorded only upon what `If-Match` names: a version, or everything, or each of the options. Returns whether that
    /// are tags, which can be looked at again where others were faster.
    private func expect(_ field: String?, _ keys: [Key], _ done: inout Done) async throws -> Bool {
        guard let field else { return false }
        let words = EntityTag.words(in: field)
        if words.contains("*") { return false }
        if let id = words.lazy.compactMap({ VersionID(hex: $0) }).first, words.count == 1 {
            if let other = done.expected, other != id { throw ProblemDocument(.badRequest, "If-Match and 'ifVersion' differ.") }
            done.expected = id
            return false
        }
        let flags = await latest.flags()
        if let changed = try await changed(since: words, keys, flags) {
            let names = changed.map(\.description)
            throw ProblemDocument(
                .preconditionFailed,
                (names.isEmpty
                    ? "If-Match does not match any option that is set here"
                    : "If-Match does not match the current \(names.joined(separator: ", "))")
                    + ". Nothing was recorded.",
                [
                    "options": names.isEmpty ? nil : .array(names.map { .string(ExactText($0)) }),
                    "version": flags.snapshot.version.map { .string($0) },
                ])
        }
        if done.expected != nil { return false }
        done.expected = flags.snapshot.head
        return true
    }

    /// Those of the options that none of the tags is of, as they are now; nil where all is as the tags say.
    private func changed(since words: [String], _ keys: [Key], _ flags: FlagSet) async throws -> [Key]? {
        if let list = latest.list(of: flags), words.contains(list.tag.word) { return nil }
        if keys.isEmpty { return [] }
        var changed: [Key] = []
        for key in keys {
            guard let option = flags.snapshot.options[key] else {
                changed.append(key)
                continue
            }
            let tag = EntityTag(of: Reports.text(of: try await document(key, option, flags), oneLine: true))
            if !words.contains(tag.word) { changed.append(key) }
        }
        return changed.isEmpty ? nil : changed
    }

    private func response(to outcome: Outcome) -> Response {
        var isTrial: Bool { if case .planned = outcome { true } else { false } }
        guard let id = outcome.id else {
            let more = isTrial ? [] : [JSON.Member("unchanged", .bool(true))]
            return .json(.ok, Reports.adding(more, to: reports.outcome(outcome)))
        }
        var response = Response.json(.created, reports.outcome(outcome))
        response.headers[.location] = site.address("/api/v1/versions/\(id.hex)")
        return response
    }

    // MARK: Refusals

    private func refused(_ problem: Problem) async -> ProblemDocument {
        // Where they can't be masked, nothing of them is said.
        let conflicts = (try? await settings.ask(ConflictMaskingQuery(problem.conflicts))) ?? []
        return ProblemDocument(problem, conflicts: conflicts)
    }

    /// Another version is the last one than whoever asks has seen.
    private func stale(_ expected: VersionID) async -> ProblemDocument {
        let head = settings.snapshot.head
        let since = try? await settings.ask(DiffQuery([], from: expected, to: head), atMost: Self.patience)
        return ProblemDocument(
            .preconditionFailed,
            since == nil
                ? "Version \(expected.short) is not in the history. Nothing was recorded."
                : "Version \(expected.short) is no longer the latest version. Nothing was recorded.",
            ["version": head.map { .string($0.hex) }, "changes": (since?.changes).map { reports.changes($0) }])
    }

    /// Everything that the store's policy asks for and that was not given.
    private func lacking(_ problem: Problem, _ sheet: Sheet) -> ProblemDocument {
        let policy = (settings.snapshot.content.definition ?? StoreDefinition()).policy
        var missing: [JSON] = []
        if policy.why == .required, sheet.why == nil { missing.append("why") }
        if policy.requestedBy == .required, sheet.requestedBy.isEmpty { missing.append("requestedBy") }
        if policy.ticket == .required, sheet.tickets.isEmpty { missing.append("tickets") }
        var document = ProblemDocument(problem)
        document.more.append(JSON.Member("missing", .array(missing)))
        return document
    }
}
