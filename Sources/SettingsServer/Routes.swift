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
    let latest: LatestFlags

    func add(to router: Router<WebContext>) {
        let router = site.prefix.isEmpty ? router.group() : router.group(RouterPath(site.prefix))
        router.get("/") { try await group(.root, $0, $1) }
        router.get("/g/{key}") { try await group(try key($1), $0, $1) }
        router.get("/o/{key}") { try await option(try key($1), $0, $1) }
        router.get("/search") { try await search($0, $1) }
        router.get("/history") { try await history($0, $1) }
        router.get("/news") { request, _ in try await news(request) }
        router.get("/v/{id}") { try await version($0, $1) }
        router.get("/compare") { try await compare($0, $1) }
        router.get("/conflicts") { try await conflicts($0, $1) }
        router.post("/conflicts") { try await answering(reviewConflicts, $0, $1) }
        router.post("/conflicts/edit") { try await answering(editConflicts, $0, $1) }
        router.post("/review") { try await answering(self.review, $0, $1) }
        router.post("/edit") { try await answering(edit, $0, $1) }
        router.post("/done") { try await answering(done, $0, $1) }
        router.post("/revert") { try await answering(reviewRevert, $0, $1) }
        router.post("/restore") { try await answering(reviewRestore, $0, $1) }
        for path in ["/review", "/edit", "/done", "/revert", "/restore", "/undo", "/confirm"] {
            router.get(RouterPath(path)) { _, _ in noPage() }
        }
        router.post("/undo") { try await answering(undo, $0, $1) }
        router.post("/confirm") { try await answering(confirm, $0, $1) }
        router.get("/events") { try streams.response(to: $0, for: $1.visitor) }
        refuseOthers("/events", than: .get, isStream: true, router)
        let login = Login(site: site, who: who, served: served)
        router.get("/login") { request, _ in login.page(next: request.fields["next"]) }
        router.post("/login") { request, context in
            try await answering(
                { form, _ in login.signIn(form.handedOn(to: name(of: form["token"])), at: request.head.authority) }, request,
                context)
        }
        router.post("/logout") { request, context in
            defer { streams.end(unless: who.isWelcome) }
            return login.signOut(context.visitor, at: request.head.authority)
        }
        API(site: site, latest: latest, streams: streams).add(to: router)
        OFREP(latest: latest, streams: streams).add(to: router)
        router.get("/page.css") { _, _ in Self.file(PackageResources.page_css, "text/css; charset=utf-8") }
        router.get("/page.js") { _, _ in Self.file(PackageResources.page_js, "text/javascript; charset=utf-8") }
    }

    /// Whose a token is.
    private func name(of token: String?) -> String? {
        guard let token else { return nil }
        return try? who.visitor([.authorization: "Bearer \(token.trimmingSpaces)"], from: nil, session: nil)?.name
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

    /// Says what became of the form that led here, where the address says so: what was recorded just now, to whoever recorded it
    /// and as long as that is the last version, or what was so already.
    func tell(_ fields: Form, _ context: WebContext, back: String, in shown: inout Shown) async {
        var result = FormResult(back: back)
        defer { shown.result = result }
        if fields["unchanged"] != nil { result.notes.append("Nothing was changed.") }
        if let words = fields["already"] {
            let keys = words.split(separator: ",").prefix(Self.mostTold).compactMap { try? Key(String($0)) }
                .filter { [content = shown.content] in content.options[$0] != nil }
            _ = try? await site.learn(keys, in: &shown, atMost: Self.patience)
            result.notes += keys.map(shown.already)
        }
        guard let word = fields["done"], word == shown.version, let id = VersionID(hex: word),
            let detail = try? await site.settings.ask(VersionDetailQuery(id)),
            let you = try? await site.settings.done(by: context.visitor?.author, via: "web").author,
            detail.version.author.email == you.email
        else { return }
        if !detail.version.message.confirms.isEmpty, let id = fields["kept"].flatMap({ VersionID(hex: $0) }),
            let kept = try? await site.settings.ask(VersionDetailQuery(id))
        {
            result.notes.append("Confirmed: \(shown.sentences(kept.changes.changes).prefix(5).joined(separator: "; "))")
        } else {
            result.recorded = (detail.version, detail.changes.changes)
        }
    }

    /// The field of an address that says that nothing was recorded.
    static let unchanged = "unchanged="

    /// What a form that leads to an address says there of what became of it.
    private static func results(_ fields: Form) -> String {
        ["done", "kept", "already", "unchanged"].reduce(into: "") { words, name in
            if let word = fields[name] { words += "\(words.isEmpty ? "?" : "&")\(name)=\(word.inAddress)" }
        }
    }

    /// Of more options an address doesn't ask.
    private static let mostTold = 20

    private func group(_ key: Key, _ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let fields = request.fields
        guard key.isRoot || shown.scene.outline.holds(key) else { return try await moved(key, isGroup: true, shown, fields) }
        await tell(fields, context, back: site.address(ofGroup: key), in: &shown)
        var pages = pages(shown, context, back: site.address(ofGroup: key))
        pages.start = start(fields)
        let rows = try await site.rows(of: key, &pages)
        return .page(.ok, pages.group(key, rows))
    }

    private func option(_ key: Key, _ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        guard let option = shown.content.options[key] else {
            return try await moved(key, isGroup: false, shown, request.fields)
        }
        try await site.learn([key], in: &shown)
        var query = HistoryQuery()
        (query.keys, query.limit) = ([key.description], option.type == .number ? StepPlot.most : GroupHTML.mostVersions)
        let versions = try await site.settings.versions(query, atMost: Self.patience).versions
        await tell(request.fields, context, back: site.address(of: key), in: &shown)
        let pages = pages(shown, context, back: site.address(of: key))
        return .page(.ok, pages.option(key, option, versions))
    }

    /// An old name leads on to what it is called now.
    private func moved(_ key: Key, isGroup: Bool, _ shown: Shown, _ fields: Form) async throws -> Response {
        var query = HistoryQuery()
        (query.keys, query.limit) = ([key.description], 1)
        if let found = try? await site.settings.versions(query).versions.first {
            let subject = isGroup ? Subject.group(key) : .option(key)
            var renames = found.changes.changes.compactMap(\.renaming).map { VersionMessage.Rename(old: $0.old, new: $0.new) }
            // With its group it may have been renamed since.
            if let head = shown.scene.facts.head {
                renames += (try? await site.settings.ask(RenamesQuery(from: found.version.id, to: head))) ?? []
            }
            let now = subject.renamed(by: renames).key
            if now != key {
                return .leading(to: (isGroup ? site.address(ofGroup: now) : site.address(of: now)) + Self.results(fields))
            }
            let words = "\(key) was removed. Its history is still available."
            return .page(.notFound, Plain(site, "Removed").html(words))
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
        let back = site.address("/search?q=\(words.inAddress)")
        await tell(fields, context, back: back, in: &shown)
        var pages = pages(shown, context, back: back)
        pages.isInTime = isInTime
        pages.start = start(fields)
        return .page(.ok, pages.search(words, page))
    }

    private func conflicts(_ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        await tell(request.fields, context, back: site.address("/conflicts"), in: &shown)
        return .page(.ok, try await conflicts(context, shown).html())
    }

    private func conflicts(_ context: WebContext, _ shown: Shown) async throws -> ConflictsHTML {
        let open = try await site.settings.ask(ConflictsQuery()).open
        return ConflictsHTML(site: site, shown: shown, open: open, mayWrite: mayWrite(context))
    }

    /// The conflicts once more, with what was chosen.
    private func editConflicts(_ form: Form, _ context: WebContext) async throws -> Response {
        var page = try await conflicts(context, await site.shown())
        for name in form.names where RowID(text: name) != nil { page.answers[name] = form[name] }
        (page.sheet, page.isAnswer) = (sheet(form), true)
        return .page(.ok, page.html())
    }
}
