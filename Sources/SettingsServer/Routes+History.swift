import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore

/// What was recorded: the history, one version, what differs between two, and what is new.
extension Routes {
    func history(_ request: Request, _ context: WebContext) async throws -> Response {
        let shown = await site.shown()
        let fields = request.fields
        func word(_ name: String) -> String? { fields.filled(name) }
        var query = HistoryQuery()
        query.keys = word("key").map { [$0] } ?? []
        query.filter.author = word("author")
        query.filter.ticket = word("ticket")
        query.filter.search = word("q")
        func moment(_ name: String, _ edge: When.Edge) async throws -> Int64? {
            guard let word = word(name) else { return nil }
            return try await site.settings.ask(MomentQuery(word, bareDate: edge))
        }
        query.filter.since = try await moment("since", .beginning)
        query.filter.until = try await moment("until", .end)
        query.after = word("before").flatMap { VersionID(hex: $0) }
        query.limit = Self.shownVersions + 1
        let answer = try await site.settings.versions(query, atMost: Self.patience)
        let found = answer.versions
        var asked: [String: String] = [:]
        for (name, _) in VersionsHTML.filters { asked[name] = word(name) }
        var older: String?
        if found.count > Self.shownVersions, let last = found.dropLast().last {
            older = address(ofHistory: asked).adding("before=\(last.version.id.hex)")
        }
        // Nothing leads to a page without versions: the history was rewritten since.
        if found.isEmpty, answer.isInTime, query.after != nil { return .leading(to: address(ofHistory: asked)) }
        let html = VersionsHTML(site: site, shown: shown, mayWrite: mayWrite(context))
            .history(
                Array(found.prefix(Self.shownVersions)), older: older, asked: asked,
                isComplete: answer.isComplete, isInTime: answer.isInTime)
        return .page(.ok, html)
    }

    private func address(ofHistory asked: [String: String]) -> String {
        asked.sorted { $0.key < $1.key }.reduce(site.address("/history")) { $0.adding("\($1.key)=\($1.value.inAddress)") }
    }

    private static let shownVersions = 30
    /// A history or a search that takes longer ends with what it has.
    static let patience = Duration.seconds(5)

    func version(_ request: Request, _ context: WebContext) async throws -> Response {
        let shown = await site.shown()
        guard let id = VersionID(hex: try context.parameters.require("id")),
            let detail = try? await site.settings.ask(VersionDetailQuery(id))
        else { return .page(.notFound, Plain(site, "Not found").html("There is no such version.")) }
        let html = VersionsHTML(site: site, shown: shown, mayWrite: mayWrite(context)).version((detail.version, detail.changes))
        return .page(.ok, html)
    }

    func compare(_ request: Request) async throws -> Response {
        let shown = await site.shown()
        let fields = request.fields
        func version(_ name: String) async throws -> Version? {
            guard let word = fields.filled(name) else { return nil }
            return try await site.settings.ask(VersionQuery(word)).version
        }
        let (from, to) = (try await version("from"), try await version("to"))
        guard let from else { return .page(.ok, VersionsHTML(site: site, shown: shown).compare(nil)) }
        let difference = try await site.settings.ask(DiffQuery([], from: from.id, to: to?.id ?? shown.scene.facts.head))
        return .page(.ok, VersionsHTML(site: site, shown: shown).compare((from, to, difference.changes)))
    }

    /// What was recorded since a version, in a sentence for each: "Ada Lovelace recorded Volume: 40 → 60."
    func news(_ request: Request) async throws -> Response {
        let since = try request.fields.version("since")
        let shown = await site.shown()
        var query = HistoryQuery()
        (query.start, query.end, query.limit) = (since, shown.scene.facts.head, Self.shownNews + 1)
        var lines = ["Other settings are recorded now."]
        if let found = try? await site.settings.versions(query).versions, !found.isEmpty {
            lines = found.prefix(Self.shownNews).reversed().map { version, changes in
                let sentences = shown.sentences(changes.changes)
                let rest = sentences.count > Self.shownNews ? " and \(sentences.count - Self.shownNews) more" : ""
                let words = sentences.prefix(Self.shownNews).map(\.plain).joined(separator: "; ")
                return
                    "\(version.author.name) recorded \(sentences.isEmpty ? "a version that changes no setting" : words + rest)."
            }
            if found.count > Self.shownNews { lines.insert("Several versions were recorded. The last of them:", at: 0) }
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines.joined(separator: " ").visible)))
    }

    private static let shownNews = 3
}
