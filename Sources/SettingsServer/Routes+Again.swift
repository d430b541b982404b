import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

extension Routes {
    /// The form once more, with what was typed. It goes on showing the version that it showed, so that Done still asks where
    /// somebody else changed the same meanwhile; what has other labels or bounds now is shown as it is now.
    func again(
        _ wanted: Wanted, _ form: Form, _ context: WebContext, _ shown: inout Shown, _ status: HTTPResponse.Status,
        _ refusal: String? = nil
    ) async throws -> Response {
        let back = back(form)
        if wanted.typed.isEmpty, wanted.faults.isEmpty, wanted.notes.isEmpty { return .leading(to: back) }
        let present = shown.content
        let isOld = wanted.version.hex != shown.version
        if isOld || !wanted.redefined.isEmpty {
            var content = isOld ? try await Wanted.content(at: wanted.version, site, shown, masksAsToday: true) : present
            for (key, option) in wanted.redefined { content.options[key] = option }
            shown.scene.draft = SettingsDraft(content)
            shown.scene.outline = Outline(content)
            shown.version = wanted.version.hex
        }
        let (group, start) = page(back)
        let keys = group.map { GroupPage($0).rows(in: shown.scene).dropFirst(start).prefix(GroupHTML.most) }?.optionKeys ?? []
        // Whatever the history says, what was typed is shown.
        _ = try? await site.learn(
            (keys + wanted.typed.keys).filter { present.options[$0] != nil }, in: &shown, atMost: Self.patience)
        var pages = pages(shown, context, back: back)
        (pages.typed, pages.faults, pages.sheet, pages.isAnswer) = (wanted.typed, wanted.faults, sheet(form), true)
        (pages.refusal, pages.notes) = (refusal, wanted.notes)
        // One page of several hasn't all that was typed.
        if let group, Set(keys).isSuperset(of: wanted.typed.keys) {
            (pages.back, pages.start) = (site.address(ofGroup: group), start)
            return .page(status, pages.group(group, pages.rows(GroupPage(group).rows(in: shown.scene))))
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

    /// The one place where what Done refuses becomes the review once more: with everything that was typed, the reason at its top,
    /// and Done, which tries again. `faults` are those of its fields.
    func refused(
        _ asked: Asked, _ form: Form, _ context: WebContext, _ shown: Shown, _ faults: [String: String], _ problem: Problem? = nil
    ) async throws -> Response {
        let failure = problem.map { Failure($0) }
        let status = failure?.status ?? .unprocessableContent
        if case .changes(let wanted) = asked, form.unset == nil,
            let key = wanted.replacing.lazy.map(\.subject.key).first(where: shown.masked.contains)
        {
            let words = "The new value was not kept. Type it again."
            return try await masked(key, words, sheet(form), faults, failure?.words, form, context, shown, status)
        }
        var review = ReviewHTML(
            site: site, shown: shown, changes: [], hidden: form.kept(shown), sheet: sheet(form), back: back(form))
        // What can't be worked out now, as while the store can't be read, is what the form says.
        do throws(Problem) {
            guard let made = try await self.review(asked, form, shown) else { return .leading(to: back(form)) }
            review = made
        } catch { review.hidden.removeAll { (ReviewHTML.fields + ["back", Form.person]).contains($0.name) } }
        (review.faults, review.refusal) = (faults, failure?.words)
        let html = review.html()
        return failure?.page(html) ?? .page(status, html)
    }

    /// Both sides of what somebody else has changed meanwhile.
    func disputed(_ conflicts: [Conflict], _ sheet: Sheet, _ form: Form, _ context: WebContext) async throws -> Response {
        var shown = await site.shown()
        let wanted = try await Wanted(form, site, &shown, acceptingMasked: true)
        try await site.learn(wanted.replacing.map(\.subject.key), in: &shown)
        if let key = conflicts.lazy.map(\.subject.key).first(where: shown.masked.contains) {
            let words = "Somebody else has changed the option in the meantime. Type the new value again to replace theirs."
            return try await masked(key, words, sheet, [:], nil, form, context, shown, .conflict)
        }
        let open = conflicts.filter { $0.facet == .value && shown.content.options[$0.subject.key] != nil }
        // It was removed or renamed while Done waited: the review says so.
        if open.isEmpty { return try await refused(.changes(wanted), form, context, shown, [:]) }
        let others = wanted.renamed.filter { field in !open.contains { field.name == "value:\($0.subject.key)" } }
        let you = try await site.settings.done(by: context.visitor?.author, via: "web").author.name
        let dispute = DisputeHTML(
            site: site, shown: shown, conflicts: open, hidden: [("version", shown.version)] + others, sheet: sheet,
            back: back(form), you: you)
        return .page(.conflict, dispute.html())
    }

    /// The page of a masked option once more, with everything that was typed but its value.
    func masked(
        _ key: Key, _ words: String?, _ sheet: Sheet, _ sheetFaults: [String: String], _ refusal: String?, _ form: Form,
        _ context: WebContext, _ shown: Shown, _ status: HTTPResponse.Status
    ) async throws -> Response {
        guard let option = shown.content.options[key] else { throw Wanted.Fault.noOption(key) }
        var shown = shown
        _ = try? await site.learn([key], in: &shown, atMost: Self.patience)
        var pages = pages(shown, context, back: back(form))
        (pages.faults, pages.sheet, pages.sheetFaults, pages.isAnswer) = (
            words.map { [key: $0] } ?? [:], sheet, sheetFaults, true
        )
        pages.refusal = refusal
        return .page(status, pages.option(key, option, []))
    }
}
