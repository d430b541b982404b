import SettingsModel
import SettingsPages

/// Pages of settings: of a group, of what was searched for, of one option. They are forms, which lead to the review.
struct GroupHTML {
    let site: Site
    let shown: Shown
    var mayWrite: Bool
    /// Where to go after Done.
    var back: String
    var typed: [Key: String] = [:]
    var faults: [Key: String] = [:]
    /// Whether a search went through all the reasons.
    var isInTime = true
    /// What was recorded just now.
    var recorded: (version: Version, changes: [Change])?

    /// More rows than this are on the pages of their groups.
    private static let most = 300

    func group(_ key: Key) -> HTML {
        let page = GroupPage(key)
        return Frame(site, page.title(in: shown.scene), shown).html { html in
            above(&html)
            form(page.rows(in: shown.scene), &html)
        }
    }

    func search(_ words: String, _ page: SearchPage) -> HTML {
        Frame(site, words.isEmpty ? "Search" : "Search: \(words)", shown).html { html in
            above(&html)
            let rows = page.rows(in: shown.scene).filter { !($0 is FieldRow) }
            if rows.isEmpty {
                html.tag("p", [:], words.isEmpty ? "Search for titles, keys, labels and reasons." : "Nothing matches.")
            }
            if !isInTime { html.tag("p", ["class": "note"], "Reasons were not searched: that takes longer than 5 seconds.") }
            form(rows, &html)
        }
    }

    /// What concerns every page: what was recorded just now, and what waits to be confirmed.
    func above(_ html: inout HTML) {
        html.faults(faults.sorted { $0.key < $1.key }.map { (RowHTML.id($0.key), $0.value) })
        if let (version, changes) = recorded {
            html.tag("div", ["class": "bar", "role": "status"]) { html in
                html.put("Recorded: ")
                list(shown.sentences(changes), &html)
                if mayWrite { button("/undo", "Undo", version, &html) }
            }
        }
        for waiting in shown.scene.facts.waiting {
            html.tag("div", ["class": "bar"]) { html in
                list(shown.sentences(waiting.changes), &html)
                html.put(" reverts \(shown.scene.phrases.deadline(waiting.confirmation.deadline))")
                guard mayWrite else { return }
                button("/confirm", "Keep", waiting.confirmation.version, &html)
                button("/undo", "Revert now", waiting.confirmation.version, &html)
            }
        }
    }

    private func list(_ sentences: [Sentence], _ html: inout HTML) {
        for (index, sentence) in sentences.prefix(5).enumerated() {
            if index > 0 { html.put("; ") }
            html.sentence(sentence)
        }
        if sentences.count > 5 { html.put(" and \(sentences.count - 5) more") }
    }

    private func button(_ action: String, _ words: String, _ version: Version, _ html: inout HTML) {
        html.tag("form", ["method": "post", "action": site.address(action), "class": "inline"]) { html in
            html.hidden("version", version.id.hex)
            html.hidden("back", back)
            html.tag("button", ["class": "quiet"], words)
        }
    }

    private func form(_ rows: [any Row], isWide: Bool = false, _ html: inout HTML) {
        html.tag("form", ["method": "post", "action": site.address("/review"), "class": "settings", "autocomplete": "off"]) {
            html in
            html.hidden("version", shown.version)
            html.hidden("back", back)
            var isOpen = false
            func close(_ html: inout HTML) {
                if isOpen { html.mark("</section>") }
                isOpen = false
            }
            func open(_ html: inout HTML) {
                if !isOpen { html.mark("<section class=card>") }
                isOpen = true
            }
            let shared = sharedTitles(rows)
            for row in rows.prefix(Self.most) {
                if let heading = row as? HeadingRow {
                    close(&html)
                    html.tag("h2", [:], heading.text)
                    continue
                }
                if row is NoteRow {
                    close(&html)
                    html.tag("p", ["class": "note"], row.title(in: shown.scene))
                    continue
                }
                self.row(row, shared, isWide: isWide, &html, open)
            }
            close(&html)
            if rows.count > Self.most { html.tag("p", ["class": "note"], "\(rows.count - Self.most) more are in their groups.") }
            guard mayWrite, rows.contains(where: { $0 is any OptionRow }) else { return }
            html.tag("div", ["class": "review"]) { html in
                html.mark("<span id=count></span>")
                html.tag("button", [:], "Review")
            }
        }
    }

    private func row(_ row: any Row, _ shared: Set<String>, isWide: Bool, _ html: inout HTML, _ open: (inout HTML) -> Void) {
        switch row {
        case let row as any OptionRow:
            open(&html)
            RowHTML(site: site, shown: shown, typed: typed, faults: faults, isWide: isWide).option(
                row.key, row.option, isTitleShared: shared.contains(row.title(in: shown.scene)), &html)
        case let row as GroupRow:
            open(&html)
            html.tag("a", ["class": "row group", "href": site.address(ofGroup: row.key)], row.title(in: shown.scene))
        case let row as BrokenFileRow:
            open(&html)
            html.tag("p", ["class": "row note"], row.title(in: shown.scene))
        default: break
        }
    }

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
        let title = option.title.isEmpty ? key.name : option.title.string
        return Frame(site, title, shown).html { html in
            above(&html)
            if option.isMasked {
                masked(key, option, &html)
            } else {
                form([OptionRows.row(key, option)], isWide: true, &html)
            }
            html.tag("h2", [:], "Chosen")
            html.tag("dl") { facts(key, option, &$0) }
            html.tag("h2", [:], "History")
            VersionsHTML(site: site, shown: shown).list(versions, &html)
            html.tag("p") {
                $0.tag("a", ["href": site.address("/history?key=\(key.description.inAddress)")], "All versions of \(title)")
            }
        }
    }

    /// A masked text goes straight to Done: nothing of it is on a page in between.
    private func masked(_ key: Key, _ option: SettingsOption, _ html: inout HTML) {
        html.tag("p", [:], option.value == nil ? "Not set." : "Set. Its value is never shown here.")
        guard mayWrite, shown.scene.refusal(for: key) == nil else { return }
        html.tag("form", ["method": "post", "action": site.address("/done"), "autocomplete": "off"]) { html in
            html.hidden("version", shown.version)
            html.hidden("back", back)
            html.tag("section", ["class": "card"]) { html in
                html.tag("div", ["class": "row"]) { html in
                    html.tag("label", ["for": RowHTML.id(key), "class": "name"], "New value")
                    html.tag(
                        "input",
                        [
                            "type": "password", "id": RowHTML.id(key), "name": "masked:\(key)", "autocomplete": "new-password",
                            "aria-invalid": faults[key] == nil ? nil : "true",
                        ])
                }
            }
            ReviewHTML.sheet(Sheet(), shown, missing: [], &html)
            html.tag("div", ["class": "review shown"]) { html in
                if option.value != nil {
                    html.tag("button", ["name": "unset", "value": key.description, "class": "quiet"], "Unset")
                }
                html.tag("button", [:], "Done")
            }
        }
    }

    private func facts(_ key: Key, _ option: SettingsOption, _ html: inout HTML) {
        func fact(_ name: String, _ words: String?) {
            guard let words, !words.isEmpty else { return }
            html.tag("dt", [:], name)
            html.tag("dd", [:], words)
        }
        if let version = shown.scene.origin(of: key) {
            fact("By", version.author.name)
            html.tag("dt", [:], "When")
            html.tag("dd") { html in
                html.tag("a", ["href": site.address(of: version.id)]) { $0.time(version.time, shown) }
            }
            fact("Why", version.message.why ?? "No reason was given")
            fact("Requested by", version.message.requestedBy.joined(separator: ", "))
            fact("Ticket", version.message.tickets.joined(separator: ", "))
        } else {
            fact("By", "Not in the history")
        }
        if !option.isMasked {
            fact("Value", shown.scene.words(option.value, of: option))
            fact("Default", option.defaultValue.map { shown.scene.words($0, of: option) })
        }
        fact("Key", key.description)
    }
}
