import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// What was recorded: the history, one version, what differs between two, and what is new.
extension Routes {
    func history(_ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let fields = request.fields
        func word(_ name: String) -> String? { fields.filled(name) }
        var asked: [String: String] = [:]
        for (name, _) in VersionsHTML.filters { asked[name] = word(name) }
        await tell(fields, context, back: address("/history", asked), in: &shown)
        let pages = VersionsHTML(site: site, shown: shown, mayWrite: mayWrite(context))
        var query = HistoryQuery()
        query.keys = word("key").map { [$0] } ?? []
        query.filter.author = word("author")
        query.filter.ticket = word("ticket")
        query.filter.search = word("q")
        for (name, edge, bound) in [
            ("since", When.Edge.beginning, \HistoryFilter.since), ("until", .end, \.until),
        ] as [(String, When.Edge, WritableKeyPath<HistoryFilter, Int64?>)] {
            guard let word = word(name) else { continue }
            do throws(Problem) {
                query.filter[keyPath: bound] = try await site.settings.ask(MomentQuery(word, bareDate: edge))
            } catch {
                return .page(.of(error.kind), pages.history(asked: asked, (name, PageHints.statement(PageHints.words(error)))))
            }
        }
        query.after = word("before").flatMap { VersionID(hex: $0) }
        query.limit = Self.shownVersions + 1
        let answer = try await site.settings.versions(query, atMost: Self.patience)
        let found = answer.versions
        var older: String?
        if found.count > Self.shownVersions, let last = found.dropLast().last {
            older = address("/history", asked).adding("before=\(last.version.id.hex)")
        }
        // Nothing leads to a page without versions: the history was rewritten since.
        if found.isEmpty, answer.isInTime, query.after != nil { return .leading(to: address("/history", asked)) }
        let html = pages.history(
            Array(found.prefix(Self.shownVersions)), older: older, asked: asked, isComplete: answer.isComplete,
            isInTime: answer.isInTime)
        return .page(.ok, html)
    }

    private func address(_ path: String, _ asked: [String: String]) -> String {
        asked.sorted { $0.key < $1.key }.reduce(site.address(path)) { $0.adding("\($1.key)=\($1.value.inAddress)") }
    }

    private static let shownVersions = 30
    /// A history or a search that takes longer ends with what it has.
    static let patience = Duration.seconds(5)

    func version(_ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        guard let id = VersionID(hex: try context.parameters.require("id")),
            let detail = try? await site.settings.ask(VersionDetailQuery(id))
        else { return .page(.notFound, Plain(site, "Not found").html("There is no such version.")) }
        await tell(request.fields, context, back: site.address(of: id), in: &shown)
        let html = VersionsHTML(site: site, shown: shown, mayWrite: mayWrite(context)).version((detail.version, detail.changes))
        return .page(.ok, html)
    }

    func compare(_ request: Request, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let fields = request.fields
        var (versions, asked): ([String: Version], [String: String]) = ([:], [:])
        var faults: [(id: String, words: String)] = []
        var status = HTTPResponse.Status.ok
        for name in ["from", "to"] {
            guard let word = fields.filled(name) else { continue }
            asked[name] = word
            do throws(Problem) {
                let version = try await site.settings.ask(VersionQuery(word)).version
                (versions[name], asked[name]) = (version, version.id.short)
            } catch {
                faults.append((name, PageHints.statement(PageHints.words(error))))
                status = .of(error.kind)
            }
        }
        await tell(fields, context, back: address("/compare", asked), in: &shown)
        let pages = VersionsHTML(site: site, shown: shown)
        guard faults.isEmpty, let from = versions["from"] else { return .page(status, pages.compare(asked, faults)) }
        let difference = try await site.settings.ask(
            DiffQuery([], from: from.id, to: versions["to"]?.id ?? shown.scene.facts.head))
        return .page(.ok, pages.compare(asked, [], difference.changes))
    }

    /// What was recorded since a version, in a sentence for each: "Ada Lovelace recorded Volume: 40 → 60."
    func news(_ request: Request) async throws -> Response {
        let since = try request.fields.version("since")
        let shown = await site.shown()
        var query = HistoryQuery()
        (query.start, query.end, query.limit) = (since, shown.scene.facts.head, Self.shownNews + 1)
        var lines = ["Other changes have been recorded."]
        if let found = try? await site.settings.versions(query).versions, !found.isEmpty {
            lines = found.prefix(Self.shownNews).reversed().map { version, changes in
                let sentences = shown.sentences(changes.changes) + shown.broken(by: version, changes)
                let rest = sentences.count > Self.shownNews ? " and \(sentences.count - Self.shownNews) more" : ""
                let words = sentences.prefix(Self.shownNews).joined(separator: "; ")
                return
                    "\(version.author.name) recorded \(sentences.isEmpty ? "a version that changes no settings" : words + rest)."
            }
            if found.count > Self.shownNews { lines.insert("Several versions were recorded. The latest are:", at: 0) }
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines.joined(separator: " ").visible)))
    }

    private static let shownNews = 3
}
