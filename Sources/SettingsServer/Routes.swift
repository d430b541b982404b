import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// Which address shows what, and what each form does.
struct Routes: Sendable {
    let site: Site
    let who: Who
    let served: Served
    let streams: Streams

    func add(to router: Router<WebContext>) {
        let router = site.prefix.isEmpty ? router.group() : router.group(RouterPath(site.prefix))
        router.get("/") { try await group(.root, $0, $1) }
        router.get("/g/{key}") { try await group(try key($1), $0, $1) }
        router.get("/o/{key}") { try await option(try key($1), $0, $1) }
        router.get("/search") { try await search($0, $1) }
        router.get("/history") { try await history($0, $1) }
        router.get("/news") { request, _ in try await news(request) }
        router.get("/v/{id}") { try await version($0, $1) }
        router.get("/compare") { request, _ in try await compare(request) }
        router.get("/conflicts") { try await conflicts($0, $1) }
        router.post("/conflicts") { try await answering(reviewConflicts, $0, $1) }
        router.post("/review") { try await answering(self.review, $0, $1) }
        router.post("/edit") { try await answering(edit, $0, $1) }
        router.post("/done") { try await answering(done, $0, $1) }
        router.post("/revert") { try await answering(reviewRevert, $0, $1) }
        router.post("/restore") { try await answering(reviewRestore, $0, $1) }
        router.post("/undo") { try await answering(undo, $0, $1) }
        router.post("/confirm") { try await answering(confirm, $0, $1) }
        router.get("/events") { _, context in try streams.response(for: context.visitor) }
        let login = Login(site: site, who: who, served: served)
        router.get("/login") { request, _ in login.page(next: request.fields["next"]) }
        router.post("/login") { request, context in
            try await answering({ form, _ in login.signIn(form, at: request.head.authority) }, request, context)
        }
        router.post("/logout") { request, _ in login.signOut(at: request.head.authority) }
        router.get("/page.css") { _, _ in Self.file(PackageResources.page_css, "text/css; charset=utf-8") }
        router.get("/page.js") { _, _ in Self.file(PackageResources.page_js, "text/javascript; charset=utf-8") }
    }

    private static func file(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    // MARK: Pages

    private func key(_ context: WebContext) throws -> Key {
        guard let key = try? Key(try context.parameters.require("key").removingPercents) else { throw HTTPError(.notFound) }
        return key
    }

    func mayWrite(_ context: WebContext) -> Bool { context.visitor?.mayWrite ?? false }

    /// Of a long page, how many rows come before those that are asked for.
    private func start(_ fields: Form) -> Int {
        fields["start"].flatMap { Int($0) }.map { max(0, $0) } ?? 0
    }

    func pages(_ shown: Shown, _ context: WebContext, back: String) -> GroupHTML {
        GroupHTML(site: site, shown: shown, mayWrite: mayWrite(context), back: back)
    }

    /// What was recorded just now, where the address says so and that is still the last version.
    private func recorded(_ fields: Form, _ shown: Shown) async -> (Version, [Change])? {
        guard let word = fields["done"], word == shown.version, let id = VersionID(hex: word),
            let detail = try? await site.settings.ask(VersionDetailQuery(id))
        else { return nil }
        return (detail.version, detail.changes.changes)
    }

    private func group(_ key: Key, _ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        guard key.isRoot || shown.scene.outline.holds(key) else { return try await moved(key, isGroup: true, shown) }
        try await site.learn(GroupPage(key).rows(in: shown.scene).optionKeys, in: &shown)
        let fields = request.fields
        var pages = pages(shown, context, back: site.address(ofGroup: key))
        pages.start = start(fields)
        pages.recorded = await recorded(fields, shown)
        return .page(.ok, pages.group(key))
    }

    private func option(_ key: Key, _ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        guard let option = shown.content.options[key] else { return try await moved(key, isGroup: false, shown) }
        try await site.learn([key], in: &shown)
        var query = HistoryQuery()
        (query.keys, query.limit) = ([key.description], 10)
        let versions = try await site.settings.versions(query).versions
        var pages = pages(shown, context, back: site.address(of: key))
        pages.recorded = await recorded(request.fields, shown)
        return .page(.ok, pages.option(key, option, versions))
    }

    /// An old name leads on to what it is called now.
    private func moved(_ key: Key, isGroup: Bool, _ shown: Shown) async throws -> Response {
        var query = HistoryQuery()
        (query.keys, query.limit) = ([key.description], 1)
        if let found = try? await site.settings.versions(query).versions.first {
            for change in found.changes.changes {
                guard let (old, new) = change.renaming, old.key == key || key.isWithin(old.key) else { continue }
                let now = key.moved(from: old.key, to: new.key)
                return .leading(to: isGroup ? site.address(ofGroup: now) : site.address(of: now))
            }
            let words = "\(key) was removed. Its history is still there."
            return .page(.notFound, Plain(site, "Not there any more").html(words))
        }
        return .page(
            .notFound, Plain(site, "Not found").html("There is no \(isGroup ? "group" : "option") \(key)."))
    }

    private func search(_ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let fields = request.fields
        let words = fields.filled("q") ?? ""
        var page = SearchPage()
        page.typed(words, into: .named("search"))
        shown.scene.index = SearchIndex(shown.scene.content)
        var isInTime = true
        if !words.isEmpty {
            isInTime = try await site.learn(Array(shown.content.options.keys), in: &shown, atMost: Self.patience)
        }
        shown.scene.facts.hasAllOrigins = true
        var pages = pages(shown, context, back: site.address("/search?q=\(words.inAddress)"))
        pages.isInTime = isInTime
        pages.start = start(fields)
        pages.recorded = await recorded(fields, shown)
        return .page(.ok, pages.search(words, page))
    }

    private func conflicts(_ request: Request, _ context: WebContext) async throws -> Response {
        let open = try await site.settings.ask(ConflictsQuery()).open
        let page = ConflictsHTML(
            site: site, shown: await site.shown(), open: open, mayWrite: mayWrite(context))
        return .page(.ok, page.html())
    }

    // MARK: Forms
    private typealias Answer = @Sendable (Form, WebContext) async throws -> Response

    private func answering(_ answer: Answer, _ request: Request, _ context: WebContext) async throws -> Response {
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

    /// Who is signed in, by name.
    private func you(_ context: WebContext) async throws -> String {
        try await site.settings.done(by: context.visitor?.author, via: "web").author.name
    }

    private func review(_ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let wanted = try await Wanted(form, site, shown)
        if !wanted.faults.isEmpty || wanted.changes.isEmpty {
            return try await again(wanted, form, context, &shown, .unprocessableContent)
        }
        let review = ReviewHTML(
            site: site, shown: shown, changes: wanted.changes, hidden: wanted.hidden, sheet: sheet(form), back: back(form))
        return .page(.ok, review.html())
    }

    private func edit(_ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let wanted = try await Wanted(form, site, shown)
        return try await again(wanted, form, context, &shown, .ok)
    }

    private func done(_ form: Form, _ context: WebContext) async throws -> Response {
        if let act = form["act"].flatMap(TakingBack.init) {
            return try await record(try request(act, form), sheet(form), form, context)
        }
        var shown = await site.shown()
        if form["act"] == "settle" {
            let settling = try await settling(form, shown)
            return try await record(.settle(settling.settlements, with: []), sheet(form), form, context)
        }
        let wanted = try await Wanted(form, site, shown, acceptingMasked: true)
        let sheet = sheet(form)
        if !wanted.faults.isEmpty {
            guard let key = wanted.faults.keys.min(), shown.masked.contains(key) else {
                return try await again(wanted, form, context, &shown, .unprocessableContent)
            }
            return try masked(key, wanted.faults[key] ?? "", sheet, [], form, context, shown, .unprocessableContent)
        }
        do throws(Problem) {
            return try await record(.changes(wanted.changes), sheet, form, context)
        } catch {
            switch error {
            case .recording(.changedSince(let conflicts)):
                shown = await site.shown()
                try await site.learn(wanted.values.map(\.key), in: &shown)
                if let key = conflicts.lazy.map(\.subject.key).first(where: shown.hides) {
                    let words = "Somebody else changed it meanwhile. Type the new value again to replace theirs."
                    return try masked(key, words, sheet, [], form, context, shown, .conflict)
                }
                let others = wanted.hidden.dropFirst().filter { field in
                    !conflicts.contains { field.name == "value:\($0.subject.key)" }
                }
                let dispute = DisputeHTML(
                    site: site, shown: shown, conflicts: conflicts, hidden: [("version", shown.version)] + others, sheet: sheet,
                    back: back(form), you: try await you(context))
                return .page(.conflict, dispute.html())
            case _ where error.kind == .policy:
                if let key = wanted.values.lazy.map(\.key).first(where: shown.masked.contains) {
                    let words = "Type the new value again: it was not kept."
                    return try masked(key, words, sheet, missing(sheet, shown), form, context, shown, .unprocessableContent)
                }
                var review = ReviewHTML(
                    site: site, shown: shown, changes: wanted.changes, hidden: wanted.hidden, sheet: sheet, back: back(form))
                review.missing = missing(sheet, shown)
                if review.missing.isEmpty { review.refusal = PageHints.statement(PageHints.words(error)) }
                return .page(.unprocessableContent, review.html())
            default: throw error
            }
        }
    }

    func missing(_ sheet: Sheet, _ shown: Shown) -> Set<String> {
        let policy = (shown.content.definition ?? StoreDefinition()).policy
        var missing: Set<String> = []
        if policy.why == .required, sheet.reason == nil { missing.insert(ReviewHTML.why) }
        if policy.requestedBy == .required, sheet.requesters.isEmpty { missing.insert(ReviewHTML.requestedBy) }
        if policy.ticket == .required, sheet.tickets.isEmpty { missing.insert(ReviewHTML.ticket) }
        return missing
    }

    private func record(
        _ request: SettingsStore.Request, _ sheet: Sheet, _ form: Form, _ context: WebContext
    ) async throws(Problem) -> Response {
        var done = try await site.settings.done(by: context.visitor?.author, via: "web")
        done.why = sheet.reason
        done.requestedBy = sheet.requesters
        done.tickets = sheet.tickets
        if !sheet.confirm.trimmingSpaces.isEmpty, let wait = sheet.wait { done.confirmBy = wait.end(at: site.settings.present) }
        let outcome = try await site.settings.perform(request, done)
        let back = back(form)
        return .leading(to: outcome.id.map { back.adding("done=\($0.hex)") } ?? back)
    }

    // MARK: Conflicts of merges

    private func settling(_ form: Form, _ shown: Shown) async throws -> Settling {
        try Settling(form, try await site.settings.ask(ConflictsQuery()).open, shown)
    }

    private func reviewConflicts(_ form: Form, _ context: WebContext) async throws -> Response {
        let shown = await site.shown()
        let settling = try await settling(form, shown)
        if settling.settlements.isEmpty { return .leading(to: back(form)) }
        var hidden = [(name: "act", value: "settle"), (name: "version", value: shown.version)]
        hidden += form.names.filter { $0.hasPrefix("settle:") }.map { ($0, form[$0] ?? "") }
        var review = ReviewHTML(site: site, shown: shown, changes: [], hidden: hidden, back: back(form))
        review.words = settling.words
        return .page(.ok, review.html())
    }

    // MARK: Taking back

    private func only(_ form: Form) -> [String] {
        form.names.compactMap { name in
            guard name.hasPrefix("only:") else { return nil }
            let rest = name.dropFirst("only:".count)
            return rest.hasPrefix("g:") ? "\(rest.dropFirst(2))/" : String(rest.dropFirst(2))
        }
    }

    /// As a review calls it.
    private enum TakingBack: String { case revert, restore }

    private func request(_ act: TakingBack, _ form: Form) throws -> SettingsStore.Request {
        let id = try form.version("of")
        return act == .restore ? .restore([], from: id) : .revert([id], only: only(form))
    }

    private func reviewRevert(_ form: Form, _ context: WebContext) async throws -> Response { try await plan(.revert, form) }

    private func reviewRestore(_ form: Form, _ context: WebContext) async throws -> Response { try await plan(.restore, form) }

    /// What it would change, to be reviewed before it is recorded.
    private func plan(_ act: TakingBack, _ form: Form) async throws -> Response {
        let request = try request(act, form)
        let shown = await site.shown()
        var done = try await site.settings.done(via: "web")
        done.isDryRun = true
        // The policy is for the version itself.
        (done.why, done.requestedBy, done.tickets) = ("-", ["-"], ["-"])
        guard case .planned(_, let changes) = try await site.settings.perform(request, done) else {
            return .page(.ok, Plain(site, "Nothing to do").html("Everything is so already."))
        }
        var hidden = [(name: "of", value: form["of"] ?? ""), ("act", act.rawValue), ("version", shown.version)]
        hidden += form.names.filter { $0.hasPrefix("only:") }.map { ($0, "on") }
        return .page(.ok, ReviewHTML(site: site, shown: shown, changes: changes, hidden: hidden, back: back(form)).html())
    }

    private func undo(_ form: Form, _ context: WebContext) async throws -> Response {
        guard let id = form["version"], id == site.settings.snapshot.version else {
            return .page(
                .conflict,
                Plain(site, "Not undone").html(
                    "Somebody recorded another version since. Revert it from the history."))
        }
        return try await record(.undo(1), Sheet(), form, context)
    }

    private func confirm(_ form: Form, _ context: WebContext) async throws -> Response {
        let id = try form.version("version")
        let done = try await site.settings.done(by: context.visitor?.author, via: "web")
        _ = try await site.settings.perform(ConfirmAction([id], .confirm), done)
        return .leading(to: back(form))
    }
}
