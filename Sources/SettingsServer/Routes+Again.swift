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
        (pages.typed, pages.faults, pages.sheet, pages.isAnswer) = (wanted.typed, wanted.faults, sheet(form), true)
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
        _ key: Key, _ words: String, _ sheet: Sheet, _ sheetFaults: [String: String], _ form: Form, _ context: WebContext,
        _ shown: Shown, _ status: HTTPResponse.Status
    ) throws -> Response {
        guard let option = shown.content.options[key] else { throw Wanted.Fault.malformed }
        var pages = pages(shown, context, back: back(form))
        (pages.faults, pages.sheet, pages.sheetFaults, pages.isAnswer) = ([key: words], sheet, sheetFaults, true)
        return .page(status, pages.option(key, option, []))
    }
}
