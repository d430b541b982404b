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
        let form = try Form(body.readableBytesView)
        // Signing in with another name in another tab changes who all of them are.
        if let name = form[Form.person], let visitor = context.visitor, visitor.name != name {
            let words = "\(name) filled in this form, and \(visitor.name) is signed in now. Nothing has been recorded yet."
            return Login(site: site, who: who, served: served).page(
                .conflict, next: site.path(request.uri.path).flatMap(form.review) ?? "/", words,
                kept: form.kept(await site.shown()))
        }
        do { return try await answer(form, context) } catch let problem as Problem {
            let failure = Failure(problem)
            let kept = KeptHTML(
                site: site, title: failure.title, words: failure.words, action: request.uri.path,
                fields: form.kept(await site.shown()))
            return failure.page(kept.html())
        }
    }

    /// The answer to a form has no address of its own.
    func noPage() -> Response {
        let words = "A review cannot be opened by its address. Go back to it, or start again from the settings."
        var response = Response.page(.methodNotAllowed, Plain(site, "Nothing to review").html(words))
        response.headers[.allow] = "POST"
        return response
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
    enum Asked {
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
    enum TakingBack: String { case revert, restore }

    private func asked(_ form: Form, _ shown: inout Shown) async throws -> Asked {
        if let act = form["act"].flatMap(TakingBack.init) { return try asked(act, form) }
        if form["act"] == "settle" { return .settling(try await settling(form, shown)) }
        return .changes(try await Wanted(form, site, &shown, acceptingMasked: true))
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
    func review(_ asked: Asked, _ form: Form, _ shown: Shown) async throws(Problem) -> ReviewHTML? {
        var review = ReviewHTML(site: site, shown: shown, changes: [], hidden: [], sheet: sheet(form), back: back(form))
        switch asked {
        case .changes(let wanted):
            (review.changes, review.hidden) = (wanted.replacing, wanted.hidden)
            review.notes = wanted.notes + wanted.already.map(shown.already)
        case .takingBack(let act, let request):
            guard let changes = try await planned(request) else { return nil }
            review.changes = changes
            review.notes = await meanwhile(changes, form, shown)
            review.hidden = [
                ("of", form["of"] ?? ""), ("act", act.rawValue), ("version", shown.version),
                (Self.reviewed, digest(of: changes, shown)),
            ]
            review.hidden += form.names.filter { $0.hasPrefix(Self.only) || $0 == Self.boxes }.map { ($0, form[$0] ?? "") }
        case .settling(let settling):
            (review.words, review.notes) = (settling.words, settling.notes)
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
        if let answer = try await untyped(form, context, shown) { return answer }
        let wanted = try await Wanted(form, site, &shown, acceptingMasked: form.unset != nil)
        if let answer = try await unready(wanted, form, context, &shown) { return answer }
        if wanted.isNothing { return nothing(wanted, form) }
        return try await reviewing(.changes(wanted), form, shown)
    }

    /// The page of a masked option once more, where it was sent without a new value.
    private func untyped(_ form: Form, _ context: WebContext, _ shown: Shown) async throws -> Response? {
        guard let key = form.maskedWithoutValue else { return nil }
        let words = "Type the new value. Nothing was recorded."
        return try await masked(key, words, sheet(form), [:], nil, form, context, shown, .unprocessableContent)
    }

    func edit(_ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        if let key = form.unset { return try await masked(key, nil, sheet(form), [:], nil, form, context, shown, .ok) }
        let wanted = try await Wanted(form, site, &shown)
        if wanted.isGone, let answer = try await unready(wanted, form, context, &shown) { return answer }
        return try await again(wanted, form, context, &shown, .ok)
    }

    /// Where something is wrong that the person has to see first, the form once more; else nil.
    private func unready(_ wanted: Wanted, _ form: Form, _ context: WebContext, _ shown: inout Shown) async throws -> Response? {
        if wanted.isGone {
            if wanted.typed.isEmpty, wanted.notes.isEmpty { throw Wanted.Fault.isGone }
            return try await again(wanted, form, context, &shown, .badRequest, Failure.isGone)
        }
        guard let key = wanted.faults.keys.min() else { return nil }
        let name = wanted.name(of: key)
        if shown.masked.contains(name) {
            let words = wanted.faults[key] ?? ""
            return try await masked(name, words, sheet(form), [:], nil, form, context, shown, .unprocessableContent)
        }
        return try await again(wanted, form, context, &shown, .unprocessableContent)
    }

    /// Where a form asks for nothing, or for what is so already.
    private func nothing(_ wanted: Wanted, _ form: Form) -> Response {
        .leading(to: wanted.already.isEmpty ? back(form).adding(Self.unchanged) : back(form, already: wanted.already))
    }

    /// `already`: the options that were so before.
    private func back(_ form: Form, already: [Key]) -> String {
        already.isEmpty ? back(form) : back(form).adding("already=\(already.map(\.description).joined(separator: ",").inAddress)")
    }

    func reviewConflicts(_ form: Form, _ context: WebContext) async throws -> Response {
        let shown = await site.shown()
        let open = try await site.settings.ask(ConflictsQuery()).open
        let settling = try Settling(form, open, shown)
        if !settling.settlements.isEmpty { return try await reviewing(.settling(settling), form, shown) }
        if settling.notes.isEmpty { return .leading(to: back(form)) }
        let page = ConflictsHTML(site: site, shown: shown, open: open, mayWrite: mayWrite(context), notes: settling.notes)
        return .page(.ok, page.html())
    }

    func reviewRevert(_ form: Form, _ context: WebContext) async throws -> Response {
        try await reviewing(try asked(.revert, form), form, await site.shown())
    }

    func reviewRestore(_ form: Form, _ context: WebContext) async throws -> Response {
        try await reviewing(try asked(.restore, form), form, await site.shown())
    }

    private func reviewing(
        _ asked: Asked, _ form: Form, _ shown: Shown, _ status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let made: ReviewHTML?
        do throws(Problem) { made = try await review(asked, form, shown) } catch {
            guard case .takingBack = asked, case .recording(.changedSince(let conflicts)) = error else { throw error }
            let changed = await Self.changed(conflicts.map(\.subject.key), in: shown, site)
            let words = changed.isEmpty ? [Failure(error).words] : changed + ["Nothing was recorded."]
            return .page(.conflict, Plain(site, "Not recorded").html(words.joined(separator: " "), leadingTo: back(form)))
        }
        if let made { return .page(status, made.html()) }
        return .page(.ok, Plain(site, "Nothing to do").html(try await nothingLeft(of: asked, form, shown), leadingTo: back(form)))
    }

    /// Where there is nothing to revert or to restore.
    private func nothingLeft(of asked: Asked, _ form: Form, _ shown: Shown) async throws -> String {
        guard case .takingBack(.restore, _) = asked else { return "All of these changes have already been reverted." }
        let since = DiffQuery([], from: try form.version("of"), to: shown.scene.facts.head)
        if try await site.settings.ask(since).changes.isEmpty { return "Nothing has changed since then." }
        return
            "All options already have the values of that version. Restoring changes only values: titles, labels and other "
            + "definitions that were changed since then are left as they are, and so are options that were added."
    }

    // MARK: What others recorded since the review

    /// The field of a review by which Done tells whether it would still record the same. The sentences that it stands for have dots
    /// in place of what is masked.
    private static let reviewed = "reviewed"

    /// Which of the options that are to be changed somebody else changed since the review, by whom and why.
    private func meanwhile(_ changes: [Change], _ form: Form, _ shown: Shown) async -> [String] {
        guard let reviewed = form[Self.reviewed], let old = try? form.version("version") else { return [] }
        let isSame = reviewed == digest(of: changes, shown)
        if isSame, old.hex == shown.version { return [] }
        let since = DiffQuery([], from: old, to: shown.scene.facts.head)
        guard let others = try? await site.settings.ask(since).changes else { return [Self.hasChanged] }
        let keys = Set(changes.map(\.subject)).intersection(others.map(\.subject)).map(\.key)
        let notes = await Self.changed(keys, in: shown, site)
        return notes.isEmpty && !isSame ? [Self.hasChanged] : notes
    }

    private func digest(of changes: [Change], _ shown: Shown) -> String {
        Who.digest(shown.sentences(changes).joined(separator: "\n"))
    }

    private static let hasChanged = "Other changes were recorded since the review. The list below shows what Done will record."

    /// Who changed options meanwhile, and why.
    static func changed(_ keys: [Key], in shown: Shown, _ site: Site) async -> [String] {
        var shown = shown
        let keys = Set(keys).sorted()
        _ = try? await site.learn(keys, in: &shown, atMost: patience)
        return keys.compactMap(shown.changed)
    }

    // MARK: Done

    func done(_ form: Form, _ context: WebContext) async throws -> Response {
        try await done(form, context, attempts: 5)
    }

    /// `attempts`: how often others may record something between what is compared and what is recorded.
    private func done(_ form: Form, _ context: WebContext, attempts: Int) async throws -> Response {
        var shown = await site.shown()
        let sheet = sheet(form)
        if let answer = try await untyped(form, context, shown) { return answer }
        let asked = try await asked(form, &shown)
        switch asked {
        case .changes(let wanted):
            if let answer = try await unready(wanted, form, context, &shown) { return answer }
            if wanted.isNothing { return nothing(wanted, form) }
            if wanted.changes.isEmpty || wanted.leavesOut { return try await reviewing(asked, form, shown, .conflict) }
        case .settling(let settling):
            if settling.settlements.isEmpty { return try await reviewConflicts(form, context) }
            if !settling.notes.isEmpty { return try await reviewing(asked, form, shown, .conflict) }
        // Where nothing was recorded since the review, what it showed is what is recorded.
        case .takingBack(_, let request) where form["version"] != shown.version:
            guard let changes = try? await planned(request), await meanwhile(changes, form, shown).isEmpty else {
                return try await reviewing(asked, form, shown, .conflict)
            }
        case .takingBack: break
        }
        if let fault = sheet.waitFault {
            let faults = [ReviewHTML.confirm: PageHints.statement(fault)]
            return try await refused(asked, form, context, shown, faults)
        }
        do throws(Problem) { return try await record(asked, sheet, form, context, shown) } catch {
            if case .changes = asked, case .recording(.changedSince(let conflicts)) = error {
                return try await disputed(conflicts, sheet, form, context)
            }
            if case .recording(.isNotAt) = error, attempts > 1 {
                // The page may not have heard of it yet.
                try await Task.sleep(for: .milliseconds(50))
                return try await done(form, context, attempts: attempts - 1)
            }
            let missing = error.kind == .policy ? missing(sheet, shown) : [:]
            return try await refused(asked, form, context, shown, missing, missing.isEmpty ? error : nil)
        }
    }

    /// What the store's policy asks for and a sheet lacks, by field.
    private func missing(_ sheet: Sheet, _ shown: Shown) -> [String: String] {
        let policy = (shown.content.definition ?? StoreDefinition()).policy
        var missing: [String: String] = [:]
        if policy.why == .required, sheet.reason == nil { missing[ReviewHTML.why] = "A reason is required." }
        if policy.requestedBy == .required, sheet.requesters.isEmpty {
            missing[ReviewHTML.requestedBy] = "The person who requested the change is required."
        }
        if policy.ticket == .required, sheet.tickets.isEmpty { missing[ReviewHTML.ticket] = "A ticket is required." }
        return missing
    }

    private func record(
        _ asked: Asked, _ sheet: Sheet, _ form: Form, _ context: WebContext, _ shown: Shown
    ) async throws(Problem) -> Response {
        var (last, already): (VersionID?, [Key]) = (nil, [])
        switch asked {
        // What was compared with the review is what is recorded.
        case .takingBack, .settling: last = shown.scene.facts.head
        case .changes(let wanted): already = wanted.already
        }
        let outcome = try await outcome(of: asked.request, sheet, last: last, context)
        if let id = outcome.id { return .leading(to: back(form, already: already).adding("done=\(id.hex)")) }
        guard case .changes(let wanted) = asked else { return .leading(to: back(form).adding(Self.unchanged)) }
        return .leading(to: back(form, already: already + wanted.replacing.map(\.subject.key)))
    }

    /// `last`: the version that must be the last one.
    private func outcome(
        of request: SettingsStore.Request, _ sheet: Sheet, last: VersionID? = nil, _ context: WebContext
    ) async throws(Problem) -> Outcome {
        var done = try await site.settings.done(by: context.visitor?.author, via: "web")
        (done.why, done.requestedBy, done.tickets, done.expected) = (sheet.reason, sheet.requesters, sheet.tickets, last)
        done.confirmBy = sheet.wait?.end(at: site.settings.present)
        return try await site.settings.perform(request, done)
    }

    // MARK: Taking back at once

    func undo(_ form: Form, _ context: WebContext) async throws -> Response {
        let id = try form.version("version")
        do throws(Problem) {
            let outcome = try await outcome(of: .undo(1), Sheet(), last: id, context)
            return .leading(to: outcome.id.map { back(form).adding("done=\($0.hex)") } ?? back(form))
        } catch {
            guard case .recording(.isNotAt) = error else { throw error }
            let words = "Another version has been recorded since then. You can revert this one from the history."
            return .page(.conflict, Plain(site, "Not undone").html(words))
        }
    }

    /// Keeps a version that waits to be confirmed, or reverts it.
    func confirm(_ form: Form, _ context: WebContext) async throws -> Response {
        let id = try form.version("version")
        let done = try await site.settings.done(by: context.visitor?.author, via: "web")
        let wish: ConfirmAction.Wish = form["act"] == "cancel" ? .cancel : .confirm
        let outcome = try await site.settings.perform(ConfirmAction([id], wish), done)
        if outcome.left.isEmpty {
            guard let done = outcome.outcomes.last?.id else { return .leading(to: back(form)) }
            let kept = wish == .confirm ? "&kept=\(id.hex)" : ""
            return .leading(to: back(form).adding("done=\(done.hex)\(kept)"))
        }
        let words = PageHints.statement("Not reverted: \(CommandLineHints.names(outcome.left))")
        return .page(.ok, Plain(site, "Reverted in part").html(words))
    }
}
