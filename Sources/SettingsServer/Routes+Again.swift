import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore

extension Routes {
    /// The form once more, with what was typed. It goes on showing the version that it showed, so that Done still asks where
    /// somebody else changed the same meanwhile.
    func again(
        _ wanted: Wanted, _ form: Form, _ context: WebContext, _ shown: inout Shown, _ status: HTTPResponse.Status
    ) async throws -> Response {
        let back = back(form)
        if wanted.changes.isEmpty, wanted.faults.isEmpty { return .leading(to: back) }
        if wanted.version.hex != shown.version {
            let content = try await Wanted.content(at: wanted.version, site, shown)
            shown.scene.draft = SettingsDraft(content)
            shown.scene.outline = Outline(content)
            shown.version = wanted.version.hex
        }
        let (group, start) = page(back)
        let keys = group.map { GroupPage($0).rows(in: shown.scene).dropFirst(start).prefix(GroupHTML.most) }?.optionKeys ?? []
        try await site.learn(keys + wanted.typed.keys, in: &shown)
        var pages = pages(shown, context, back: back)
        (pages.typed, pages.faults, pages.isAnswer) = (wanted.typed, wanted.faults, true)
        // One page of several hasn't all that was typed.
        if let group, Set(keys).isSuperset(of: wanted.typed.keys) {
            (pages.back, pages.start) = (site.address(ofGroup: group), start)
            return .page(status, pages.group(group))
        }
        return .page(status, pages.chosen(wanted.typed.keys.sorted()))
    }

    /// The group whose page has an address, and how many of its rows come before those on it.
    private func page(_ address: String) -> (group: Key?, start: Int) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = parts.dropFirst().first?.split(separator: "&") ?? []
        let start = fields.first { $0.hasPrefix("start=") }.flatMap { Int($0.dropFirst("start=".count)) } ?? 0
        if parts[0] == site.address("/") { return (.root, max(0, start)) }
        let groups = site.address("/g/")
        let group = parts[0].hasPrefix(groups) ? try? Key(String(parts[0].dropFirst(groups.count)).removingPercents) : nil
        return (group, max(0, start))
    }

    /// The page of a masked option once more, with everything that was typed but its value.
    func masked(
        _ key: Key, _ words: String, _ sheet: Sheet, _ missing: Set<String>, _ form: Form, _ context: WebContext, _ shown: Shown,
        _ status: HTTPResponse.Status
    ) throws -> Response {
        guard let option = shown.content.options[key] else { throw Wanted.Fault.malformed }
        var pages = pages(shown, context, back: back(form))
        (pages.faults, pages.sheet, pages.missing, pages.isAnswer) = ([key: words], sheet, missing, true)
        return .page(status, pages.option(key, option, []))
    }

    /// What was recorded since a version, in a sentence for each: "Ada Lovelace recorded Volume: 40 → 60."
    func news(_ request: Request) async throws -> Response {
        guard let since = request.uri.queryParameters["since"].flatMap({ VersionID(hex: String($0)) }) else {
            throw HTTPError(.badRequest)
        }
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
