import SettingsModel
import SettingsPages
import SettingsText

/// Pages of settings: of a group, of what was searched for, of one option. They are forms, which lead to the review.
struct GroupHTML {
    let site: Site
    var shown: Shown
    var mayWrite: Bool
    /// Where to go after Done, but for `start`.
    var back: String
    var typed: [Key: String] = [:]
    var faults: [Key: String] = [:]
    /// Why a form was refused that is about no field, and what became of options meanwhile.
    var refusal: String?
    var notes: [String] = []
    /// Whether a search went through all the reasons.
    var isInTime = true
    /// Whether it answers a form, so that it has no address of its own.
    var isAnswer = false
    /// Of many rows, how many come before those that are shown.
    var start = 0
    /// What a version that was not recorded was to say of itself, and why that can't be, by field.
    var sheet = Sheet()
    var sheetFaults: [String: String] = [:]

    /// More rows than this are on the next page.
    static let most = 300
    /// Of an option's history so many versions are on its page.
    static let mostVersions = 10

    func group(_ key: Key, _ rows: HTML) -> HTML {
        frame(GroupPage(key).title(in: shown.scene), key.isRoot ? nil : key.group).html { html in
            above(&html)
            conflicts(&html)
            form(rows, &html)
        }
    }

    /// A page of the options alone that a form changed.
    func chosen(_ keys: [Key]) -> HTML {
        frame("Settings", .root).html { html in
            above(&html)
            form(rows(keys.compactMap { key in shown.content.options[key].map { OptionRows.row(key, $0) } }, isWide: true), &html)
        }
    }

    func search(_ words: String, _ page: SearchPage) -> HTML {
        var frame = frame(words.isEmpty ? "Search" : "Search: \(words)", nil)
        frame.words = words
        return frame.html { html in
            above(&html)
            if words.isEmpty { html.tag("p", [:], "Search for titles, keys, labels and reasons.") }
            if !isInTime {
                html.tag("p", ["class": "note"], "Reasons were not searched, because the search took longer than 5 seconds.")
            }
            form(rows(page.rows(in: shown.scene).filter { !($0 is FieldRow) }), &html)
        }
    }

    /// `group`: the page that leads here.
    private func frame(_ title: String, _ group: Key?) -> Frame {
        var frame = Frame(site, title, shown)
        frame.showsNews = !isAnswer
        var key = group
        while let place = key {
            // Sections are on the page of the group above them.
            if place.isRoot || shown.content.groups[place]?.style != .section {
                frame.above.insert((shown.scene.title(ofGroup: place), site.address(ofGroup: place)), at: 0)
            }
            key = place.isRoot ? nil : place.group
        }
        return frame
    }

    /// What is wrong with a form, and what a person ought to know.
    func above(_ html: inout HTML) {
        let wrong = faults.sorted { $0.key < $1.key }.map { key, words in
            (RowHTML.id(key), "\(shown.content.options[key]?.name(key) ?? key.name): \(words)")
        }
        html.faults((refusal.map { [("main", $0)] } ?? []) + wrong + ReviewHTML.listed(sheetFaults))
        html.notes(notes)
        if !mayWrite { html.tag("p", ["class": "note"], ReviewHTML.mayOnlyRead) }
    }

    private func conflicts(_ html: inout HTML) {
        let count = shown.openConflicts.count
        if count == 0 { return }
        html.tag("p", ["class": "bar"]) { html in
            html.put(count == 1 ? "A merge left 1 conflict open. " : "Merges left \(count) conflicts open. ")
            let words = mayWrite ? "Resolve" : "Show"
            html.tag("a", ["href": site.address("/conflicts")], "\(words) \(count == 1 ? "it" : "them")")
        }
    }

    private func form(_ rows: HTML, isAlone: Bool = false, _ html: inout HTML) {
        html.tag(
            "form",
            [
                "method": "post", "action": site.address("/review"), "class": isAlone ? "settings alone" : "settings",
            ]
        ) {
            html in
            // Browsers give what was typed back to a form whose first fields are called the same: to none of another version.
            html.hidden("shows:\(shown.version)", "")
            html.hidden("version", shown.version)
            html.hidden("back", start == 0 ? back : address(of: start))
            html.hidden(sheet)
            html.append(rows)
        }
    }

    /// The rows of a form, by sections, and its button where one of them can be changed.
    func rows(_ all: [any Row], isWide: Bool = false) -> HTML {
        var html = HTML()
        let shared = sharedTitles(all)
        let rows = all.dropFirst(start).prefix(Self.most)
        var rest = rows
        while !rest.isEmpty { section(&rest, shared, isWide: isWide, &html) }
        parts(of: all.count, &html)
        review(rows, &html)
        return html
    }

    /// Where one of the rows can be changed.
    private func review(_ rows: some Sequence<any Row>, _ html: inout HTML) {
        guard mayWrite, rows.contains(where: { ($0 as? any OptionRow).map { shown.refusal(for: $0.key) == nil } ?? false })
        else { return }
        html.tag("div", ["class": "review"]) { html in
            html.mark("<span id=count role=status></span>")
            html.tag("button", [:], "Review")
        }
    }

    /// A heading with the rows that stand beneath it in one card, or a note.
    private func section(_ rest: inout ArraySlice<any Row>, _ shared: Set<String>, isWide: Bool, _ html: inout HTML) {
        var id: String?
        if let heading = rest.first as? HeadingRow {
            id = "section-\(rest.startIndex)"
            html.tag("h2", ["id": id], heading.text)
            rest.removeFirst()
        }
        let rows = rest.prefix { !($0 is HeadingRow || $0 is NoteRow) }
        rest = rest.dropFirst(rows.count)
        if rows.contains(where: Self.isShown) {
            html.tag("div", ["class": "card", "role": id == nil ? nil : "group", "aria-labelledby": id]) { html in
                for row in rows { self.row(row, shared, isWide: isWide, &html) }
            }
        }
        while let note = rest.first as? NoteRow {
            html.tag("p", ["class": "note"], PageHints.statement(note.title(in: shown.scene)))
            rest.removeFirst()
        }
    }

    private static func isShown(_ row: any Row) -> Bool { row is any OptionRow || row is GroupRow || row is BrokenFileRow }

    private func row(_ row: any Row, _ shared: Set<String>, isWide: Bool, _ html: inout HTML) {
        switch row {
        case let row as any OptionRow:
            var rows = RowHTML(site: site, shown: shown, mayWrite: mayWrite, typed: typed, faults: faults, isWide: isWide)
            rows.focused = faults.keys.min()
            rows.option(row.key, row.option, isTitleShared: shared.contains(row.title(in: shown.scene)), &html)
        case let row as GroupRow:
            html.tag("a", ["class": "row group", "href": site.address(ofGroup: row.key)]) { html in
                html.tag("span", [:], row.title(in: shown.scene))
                html.mark(" ")
                let count = shown.scene.outline.count(in: row.key)
                html.tag("span", ["class": "count"], count == 1 ? "1 setting" : "\(count) settings")
            }
        case let row as BrokenFileRow:
            html.tag("p", ["class": "row broken"], row.title(in: shown.scene))
        default: break
        }
    }

    /// Of more rows than a page has, the ways to the others.
    private func parts(of count: Int, _ html: inout HTML) {
        guard count > Self.most else { return }
        html.tag("p", ["class": "parts"]) { html in
            html.put("\(start + 1)–\(min(start + Self.most, count)) of \(count)")
            if start > 0 { html.tag("a", ["href": address(of: max(0, start - Self.most))], "Previous") }
            if start + Self.most < count { html.tag("a", ["href": address(of: start + Self.most)], "Next") }
        }
    }

    private func address(of start: Int) -> String { back.adding("start=\(start)") }

    /// The titles that two options have.
    private func sharedTitles(_ rows: [any Row]) -> Set<String> {
        var (once, twice): (Set<String>, Set<String>) = ([], [])
        for row in rows where row is any OptionRow {
            let title = row.title(in: shown.scene)
            if !once.insert(title).inserted { twice.insert(title) }
        }
        return twice
    }

    /// The page of an option: its control with all labels, and who chose its value.
    func option(_ key: Key, _ option: SettingsOption, _ versions: [(version: Version, changes: VersionChanges)]) -> HTML {
        let title = option.name(key)
        let row = OptionRows.row(key, option)
        return frame(title, key.group).html { html in
            above(&html)
            if option.isMasked {
                masked(key, option, &html)
            } else {
                let acts = mayWrite && shown.refusal(for: key) == nil ? row.acts(in: shown.scene) : []
                if option.hasManyLabels { filter(option.labels.count, &html) }
                form(rows(row, acts), isAlone: true, &html)
                for act in acts { form(act, of: row, &html) }
            }
            html.tag("h2", [:], "Chosen")
            html.tag("dl", ["class": "card"]) { facts(key, option, &$0) }
            html.tag("h2", [:], "History")
            StepPlot(title, option, versions, shown)?.html(shown, &html)
            VersionsHTML(site: site, shown: shown).list(Array(versions.prefix(Self.mostVersions)), &html)
            html.tag("p") {
                $0.tag("a", ["href": site.address("/history?key=\(key.description.inAddress)")], "All versions of \(title)")
            }
        }
    }

    /// The row of an option alone, with what it offers besides other values.
    private func rows(_ row: any OptionRow, _ acts: [RowAct]) -> HTML {
        var html = HTML()
        html.tag("div", ["class": "card"]) { html in
            self.row(row, [], isWide: true, &html)
            if acts.isEmpty { return }
            html.tag("div", ["class": "row acts"]) { html in
                for act in acts { html.tag("button", ["class": "quiet", "form": Self.id(act)], act.title) }
            }
        }
        review([row], &html)
        return html
    }

    private static func id(_ act: RowAct) -> String { "act-\(act.act)" }

    /// The form of such a button, which leads to the review.
    private func form(_ act: RowAct, of row: any OptionRow, _ html: inout HTML) {
        guard case .edit(let items, _, _) = act.response, let option = items.first?.item?.option else { return }
        html.tag("form", ["method": "post", "action": site.address("/review"), "id": Self.id(act)]) { html in
            html.hiddenPerson()
            html.hidden("version", shown.version)
            html.hidden("back", back)
            html.hidden("value:\(row.key)", option.value?.compact ?? "")
        }
    }

    /// Shows those of many labels that hold what is typed. It belongs to no form, and is there with a script alone.
    private func filter(_ count: Int, _ html: inout HTML) {
        html.tag(
            "input",
            [
                "type": "search", "id": "filter", "aria-label": "Filter \(count) labels", "placeholder": "Filter \(count) labels",
                "autocomplete": "off",
            ])
    }

    /// A masked text goes straight to Done: nothing of it is on a page in between. That it is to have none leads to the review.
    private func masked(_ key: Key, _ option: SettingsOption, _ html: inout HTML) {
        html.tag("p", [:], option.value == nil ? "Not set." : "Set. The value is never shown.")
        if let refusal = shown.refusal(for: key) { return html.tag("p", ["class": "note"], refusal) }
        guard mayWrite else { return }
        html.tag("form", ["method": "post", "action": site.address("/done")]) { html in
            html.hidden("version", shown.version)
            html.hidden("back", back)
            html.tag("section", ["class": "card"]) { html in
                html.tag("div", ["class": faults[key] == nil ? "row" : "row wrong"]) { html in
                    html.tag("label", ["for": RowHTML.id(key), "class": "name"], "New value")
                    html.tag(
                        "input",
                        [
                            "type": "password", "id": RowHTML.id(key), "name": "masked:\(key)", "autocomplete": "new-password",
                            "aria-invalid": faults[key] == nil ? nil : "true", "autofocus": faults[key] == nil ? nil : "",
                            "aria-describedby": "\(RowHTML.id(key))-note",
                        ])
                    let note = faults[key] ?? option.help?.string ?? "The value is not shown on any page."
                    html.tag("p", ["class": "note", "id": "\(RowHTML.id(key))-note"], note)
                }
            }
            ReviewHTML.sheet(sheet, shown, sheetFaults, &html)
            html.tag("div", ["class": "review shown"]) { html in
                html.tag("button", [:], "Done")
                if OptionRows.row(key, option).acts(in: shown.scene).contains(where: { $0.act == .unset }) {
                    html.tag(
                        "button",
                        [
                            "name": Wanted.unset, "value": key.description, "formaction": site.address("/review"),
                            "formnovalidate": "", "class": "quiet",
                        ], "Unset")
                }
            }
        }
    }

    private func facts(_ key: Key, _ option: SettingsOption, _ html: inout HTML) {
        if let version = shown.origin(of: key) {
            html.facts(version, shown, site)
        } else {
            html.fact("By", "Not in the history")
        }
        if !option.isMasked {
            html.fact("Value", shown.scene.words(option.value, of: option))
            html.fact("Default", option.defaultValue.map { shown.scene.words($0, of: option) })
        }
        html.fact("Key", key.description)
    }
}

extension Sequence<any Row> {
    var optionKeys: [Key] { compactMap { ($0 as? any OptionRow)?.key } }
}
