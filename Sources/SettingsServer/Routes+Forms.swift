import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// What each form does.
extension Routes {
    typealias Answer = @Sendable (Form, WebContext) async throws -> Response

    func answering(_ answer: Answer, _ request: Request, _ context: WebContext) async throws -> Response {
        var request = request
        let body = try await request.collectBody(upTo: context.maxUploadSize)
        return try await answer(try Form(body.readableBytesView), context)
    }

    /// Only to pages of this server.
    func back(_ form: Form) -> String {
        guard let path = form["back"], path.hasPrefix(site.address("/")), Site.isLocal(path) else { return site.address("/") }
        return path
    }

    func sheet(_ form: Form) -> Sheet {
        Sheet(
            why: form[ReviewHTML.why] ?? "", requestedBy: form[ReviewHTML.requestedBy] ?? "",
            ticket: form[ReviewHTML.ticket] ?? "",
            confirm: form[ReviewHTML.confirm] ?? "")
    }

    // MARK: Reviews

    /// What a review is of.
    private enum Asked {
        case changes(Wanted)
        case takingBack(TakingBack, SettingsStore.Request)
        case settling(Settling)

        var request: SettingsStore.Request {
            switch self {
            case .changes(let wanted): .changes(wanted.changes)
            case .takingBack(_, let request): request
            case .settling(let settling): .settle(settling.settlements, with: [])
            }
        }
    }

    /// As a review calls it.
    private enum TakingBack: String { case revert, restore }

    private func asked(_ form: Form, _ shown: Shown, acceptingMasked: Bool = false) async throws -> Asked {
        if let act = form["act"].flatMap(TakingBack.init) { return try asked(act, form) }
        if form["act"] == "settle" { return .settling(try await settling(form, shown)) }
        return .changes(try await Wanted(form, site, shown, acceptingMasked: acceptingMasked))
    }

    private func asked(_ act: TakingBack, _ form: Form) throws -> Asked {
        let id = try form.version("of")
        if act == .restore { return .takingBack(act, .restore([], from: id)) }
        var only = only(form)
        if let boxes = form[Self.boxes].flatMap({ Int($0) }) {
            if boxes > 0, only.isEmpty { throw Wanted.Fault.nothingChosen }
            // Everything, which may be more than options and groups.
            if only.count == boxes { only = [] }
        }
        return .takingBack(act, .revert([id], only: only))
    }

    private func only(_ form: Form) -> [String] {
        form.names.compactMap { name in
            guard name.hasPrefix(Self.only) else { return nil }
            switch RowID(text: name.dropFirst(Self.only.count)) {
            case .option(let key): return key.description
            case .group(let key): return "\(key)/"
            default: return nil
            }
        }
    }

    /// What stands before the rows that are to be taken back, and the field that says how many could be.
    static let (only, boxes) = ("only:", "boxes")

    private func settling(_ form: Form, _ shown: Shown) async throws -> Settling {
        try Settling(form, try await site.settings.ask(ConflictsQuery()).open, shown)
    }

    /// The page of a review; nil where there is nothing to do.
    private func review(_ asked: Asked, _ form: Form, _ shown: Shown) async throws -> ReviewHTML? {
        var review = ReviewHTML(site: site, shown: shown, changes: [], hidden: [], sheet: sheet(form), back: back(form))
        switch asked {
        case .changes(let wanted): (review.changes, review.hidden) = (wanted.changes, wanted.hidden)
        case .takingBack(let act, let request):
            guard let changes = try await planned(request) else { return nil }
            review.changes = changes
            review.hidden = [("of", form["of"] ?? ""), ("act", act.rawValue), ("version", shown.version)]
            review.hidden += form.names.filter { $0.hasPrefix(Self.only) || $0 == Self.boxes }.map { ($0, form[$0] ?? "") }
        case .settling(let settling):
            review.words = settling.words
            review.hidden = [("act", "settle"), ("version", shown.version)]
            review.hidden += settling.answers
        }
        return review
    }

    /// What a request would change; nil where it is so already.
    private func planned(_ request: SettingsStore.Request) async throws(Problem) -> [Change]? {
        var done = try await site.settings.done(via: "web")
        done.isDryRun = true
        // The policy is for the version itself.
        (done.why, done.requestedBy, done.tickets) = ("-", ["-"], ["-"])
        guard case .planned(_, let changes) = try await site.settings.perform(request, done) else { return nil }
        return try await site.settings.ask(MaskingQuery(changes))
    }

    func review(_ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let wanted = try await Wanted(form, site, shown)
        if !wanted.faults.isEmpty || wanted.changes.isEmpty {
            return try await again(wanted, form, context, &shown, .unprocessableContent)
        }
        return try await reviewing(.changes(wanted), form, shown)
    }

    func edit(_ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let wanted = try await Wanted(form, site, shown)
        return try await again(wanted, form, context, &shown, .ok)
    }

    func reviewConflicts(_ form: Form, _ context: WebContext) async throws -> Response {
        let shown = await site.shown()
        let settling = try await settling(form, shown)
        if settling.settlements.isEmpty { return .leading(to: back(form)) }
        return try await reviewing(.settling(settling), form, shown)
    }

    func reviewRevert(_ form: Form, _ context: WebContext) async throws -> Response {
        try await reviewing(try asked(.revert, form), form, await site.shown())
    }

    func reviewRestore(_ form: Form, _ context: WebContext) async throws -> Response {
        try await reviewing(try asked(.restore, form), form, await site.shown())
    }

    private func reviewing(_ asked: Asked, _ form: Form, _ shown: Shown) async throws -> Response {
        guard let review = try await review(asked, form, shown) else {
            return .page(.ok, Plain(site, "Nothing to do").html("Everything is so already."))
        }
        return .page(.ok, review.html())
    }

    // MARK: Done

    func done(_ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let sheet = sheet(form)
        let asked = try await asked(form, shown, acceptingMasked: true)
        if case .changes(let wanted) = asked, let key = wanted.faults.keys.min() {
            guard shown.masked.contains(key) else {
                return try await again(wanted, form, context, &shown, .unprocessableContent)
            }
            return try masked(key, wanted.faults[key] ?? "", sheet, [:], form, context, shown, .unprocessableContent)
        }
        if let fault = sheet.waitFault {
            return try await refused(asked, form, context, shown, [ReviewHTML.confirm: PageHints.statement(fault)])
        }
        do throws(Problem) { return try await record(asked.request, sheet, form, context) } catch {
            if case .changes(let wanted) = asked, case .recording(.changedSince(let conflicts)) = error {
                return try await disputed(conflicts, wanted, sheet, form, context)
            }
            guard error.kind == .policy else { throw error }
            let missing = missing(sheet, shown)
            let words = missing.isEmpty ? PageHints.statement(PageHints.words(error)) : nil
            return try await refused(asked, form, context, shown, missing, words)
        }
    }

    /// The review once more, with what its fields lack.
    private func refused(
        _ asked: Asked, _ form: Form, _ context: WebContext, _ shown: Shown, _ faults: [String: String],
        _ refusal: String? = nil
    ) async throws -> Response {
        if case .changes(let wanted) = asked, let key = wanted.values.lazy.map(\.key).first(where: shown.masked.contains) {
            let words = "Type the new value again: it was not kept."
            return try masked(key, words, sheet(form), faults, form, context, shown, .unprocessableContent)
        }
        guard var review = try await review(asked, form, shown) else { return .leading(to: back(form)) }
        (review.faults, review.refusal) = (faults, refusal)
        return .page(.unprocessableContent, review.html())
    }

    /// Both sides of what somebody else has changed meanwhile.
    private func disputed(
        _ conflicts: [Conflict], _ wanted: Wanted, _ sheet: Sheet, _ form: Form, _ context: WebContext
    ) async throws -> Response {
        var shown = await site.shown()
        try await site.learn(wanted.values.map(\.key), in: &shown)
        if let key = conflicts.lazy.map(\.subject.key).first(where: shown.hides) {
            let words = "Somebody else changed it meanwhile. Type the new value again to replace theirs."
            return try masked(key, words, sheet, [:], form, context, shown, .conflict)
        }
        let others = wanted.hidden.dropFirst().filter { field in
            !conflicts.contains { field.name == "value:\($0.subject.key)" }
        }
        let you = try await site.settings.done(by: context.visitor?.author, via: "web").author.name
        let dispute = DisputeHTML(
            site: site, shown: shown, conflicts: conflicts, hidden: [("version", shown.version)] + others, sheet: sheet,
            back: back(form), you: you)
        return .page(.conflict, dispute.html())
    }

    /// What the store's policy asks for and a sheet lacks, by field.
    private func missing(_ sheet: Sheet, _ shown: Shown) -> [String: String] {
        let policy = (shown.content.definition ?? StoreDefinition()).policy
        var missing: [String: String] = [:]
        if policy.why == .required, sheet.reason == nil { missing[ReviewHTML.why] = "Why is required." }
        if policy.requestedBy == .required, sheet.requesters.isEmpty {
            missing[ReviewHTML.requestedBy] = "Requested by is required."
        }
        if policy.ticket == .required, sheet.tickets.isEmpty { missing[ReviewHTML.ticket] = "Ticket is required." }
        return missing
    }

    /// `last`: the version that must be the last one.
    private func record(
        _ request: SettingsStore.Request, _ sheet: Sheet, last: VersionID? = nil, _ form: Form, _ context: WebContext
    ) async throws(Problem) -> Response {
        var done = try await site.settings.done(by: context.visitor?.author, via: "web")
        (done.why, done.requestedBy, done.tickets, done.expected) = (sheet.reason, sheet.requesters, sheet.tickets, last)
        done.confirmBy = sheet.wait?.end(at: site.settings.present)
        let outcome = try await site.settings.perform(request, done)
        let back = back(form)
        return .leading(to: outcome.id.map { back.adding("done=\($0.hex)") } ?? back)
    }

    // MARK: Taking back at once

    func undo(_ form: Form, _ context: WebContext) async throws -> Response {
        let id = try form.version("version")
        do throws(Problem) { return try await record(.undo(1), Sheet(), last: id, form, context) } catch {
            guard case .recording(.isNotAt) = error else { throw error }
            let words = "Somebody recorded another version since. Revert it from the history."
            return .page(.conflict, Plain(site, "Not undone").html(words))
        }
    }

    /// Keeps a version that waits to be confirmed, or reverts it.
    func confirm(_ form: Form, _ context: WebContext) async throws -> Response {
        let id = try form.version("version")
        let done = try await site.settings.done(by: context.visitor?.author, via: "web")
        let wish: ConfirmAction.Wish = form["act"] == "cancel" ? .cancel : .confirm
        let outcome = try await site.settings.perform(ConfirmAction([id], wish), done)
        if outcome.left.isEmpty { return .leading(to: back(form)) }
        let words = PageHints.statement("Not reverted: \(CommandLineHints.names(outcome.left))")
        return .page(.ok, Plain(site, "Reverted in part").html(words))
    }
}
