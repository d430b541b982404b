import SettingsModel
import SettingsPages

/// The history: who changed what, when and why.
struct VersionsHTML {
    let site: Site
    let shown: Shown
    var mayWrite = false

    typealias Found = (version: Version, changes: VersionChanges)

    /// Versions as a list, each day's beneath its date.
    func list(_ versions: [Found], isByDay: Bool = false, _ html: inout HTML) {
        var rest = versions[...]
        while let first = rest.first {
            let day = shown.scene.phrases.day(first.version.time)
            let ofDay = isByDay ? rest.prefix { shown.scene.phrases.day($0.version.time) == day } : rest
            rest = rest.dropFirst(ofDay.count)
            if isByDay { html.tag("h2", [:], day.prefix(1).uppercased() + day.dropFirst()) }
            html.tag("ol", ["class": "versions card"]) { html in
                for found in ofDay { html.tag("li") { item(found, isByDay: isByDay, &$0) } }
            }
        }
    }

    /// Of many changes so many are shown.
    private static let most = 5

    private func item(_ found: Found, isByDay: Bool, _ html: inout HTML) {
        let lines = shown.lines(found.changes.changes)
        html.tag("div", ["class": "sentences"]) { html in
            for line in lines.prefix(Self.most) { html.tag("p") { $0.change(line, shown) } }
            if lines.count > Self.most { html.tag("p", [:], "and \(lines.count - Self.most) more") }
            let broken = shown.broken(by: found.version, found.changes)
            for words in broken { html.tag("p", [:], words) }
            if lines.isEmpty, broken.isEmpty { html.tag("p", [:], "No settings changed") }
        }
        html.tag("div", ["class": "foot"]) { html in
            html.tag("p", ["class": "who"]) { html in
                html.who(found.version, shown, site, isByDay: isByDay)
                for ticket in found.version.message.tickets { html.put(", \(ticket)") }
            }
            // What the first version brought is no change that can be taken back.
            guard mayWrite, !found.version.parents.isEmpty, let first = lines.first else { return }
            html.tag("form", ["method": "post", "action": site.address("/revert")]) { html in
                html.hidden("of", found.version.id.hex)
                html.hidden("back", site.address("/history"))
                html.tag("button", ["class": "quiet"]) { html in
                    html.put("Revert")
                    html.tag("span", ["class": "unseen"], " \(shown.sentence(first))")
                }
            }
        }
    }

    /// `asked`: the filters, as they were typed.
    func history(_ versions: [Found], older: String?, asked: [String: String], isComplete: Bool, isInTime: Bool) -> HTML {
        historyFrame(asked).html { html in
            search(asked, &html)
            list(versions, isByDay: true, &html)
            if versions.isEmpty {
                html.tag("p", ["class": "note"], asked.isEmpty ? "There are no versions yet." : "No version matches.")
            }
            if let older { html.tag("p", ["class": "parts"]) { $0.tag("a", ["href": older], "Older") } }
            if !isInTime {
                html.tag(
                    "p", ["class": "note"], "The search was stopped after 5 seconds. Narrow it by an option, a person or dates.")
            }
            if !isComplete { html.tag("p", ["class": "note"], "Earlier versions are not in this copy of the store.") }
        }
    }

    /// `fault`: what one of the filters can't be.
    func history(asked: [String: String], _ fault: (id: String, words: String)) -> HTML {
        historyFrame(asked).html { html in
            html.faults([fault])
            search(asked, wrong: fault.id, &html)
        }
    }

    private func historyFrame(_ asked: [String: String]) -> Frame {
        Frame(site, asked["key"].map { "History of \(title(of: $0))" } ?? "History", shown)
    }

    private func search(_ asked: [String: String], wrong: String? = nil, _ html: inout HTML) {
        html.tag("details", ["open": asked.isEmpty ? nil : ""]) { html in
            html.tag("summary", [:], "Search the history")
            html.tag("form", ["action": site.address("/history"), "class": "filters"]) { html in
                for (name, words) in Self.filters { filter(name, words, asked[name], isWrong: name == wrong, &html) }
                html.tag("button", ["class": "quiet"], "Search")
            }
        }
    }

    private func filter(_ name: String, _ words: String, _ typed: String?, isWrong: Bool, _ html: inout HTML) {
        html.tag("label", ["class": isWrong ? "wrong" : nil]) { html in
            html.put(words)
            html.tag(
                "input",
                [
                    "type": "text", "name": name, "id": name, "value": typed, "aria-invalid": isWrong ? "true" : nil,
                    "autofocus": isWrong ? "" : nil,
                ])
        }
    }

    /// An option or a group by its title, where a filter names one.
    private func title(of word: String) -> String {
        guard let key = try? Key(word), !key.isRoot else { return word }
        if let option = shown.content.options[key] { return option.name(key) }
        return shown.scene.outline.holds(key) ? shown.scene.title(ofGroup: key) : word
    }

    /// The filters of a history, by their names in an address.
    static let filters = [
        ("q", "Words"), ("key", "Option or group"), ("author", "By"), ("ticket", "Ticket"), ("since", "Since"),
        ("until", "Until"),
    ]

    /// What differs between two versions, or the form that asks for them.
    func compare(_ asked: [String: String], _ faults: [(id: String, words: String)] = [], _ changes: [Change]? = nil) -> HTML {
        Frame(site, "Compare", shown).html { html in
            html.faults(faults)
            html.tag("form", ["action": site.address("/compare"), "class": "filters"]) { html in
                for (name, words) in [("from", "From"), ("to", "To (default: the last version)")] {
                    filter(name, words, asked[name], isWrong: faults.contains { $0.id == name }, &html)
                }
                html.tag("button", ["class": "quiet"], "Compare")
            }
            guard let changes else { return }
            let lines = shown.lines(changes)
            if lines.isEmpty { return html.tag("p", [:], "Nothing differs.") }
            html.tag("ul", ["class": "changes card"]) { html in
                for line in lines { html.tag("li") { $0.change(line, shown) } }
            }
        }
    }

    /// One version, with a box for each option that it changed.
    func version(_ found: Found) -> HTML {
        let version = found.version
        let title = "Version \(version.id.short)"
        var frame = Frame(site, title, shown)
        frame.above = [("History", site.address("/history"))]
        return frame.html { html in
            html.tag("dl", ["class": "card"]) { $0.facts(version, shown) }
            let broken = shown.broken(by: version, found.changes)
            for words in broken { html.tag("p", [:], "\(words).") }
            if found.changes.changes.isEmpty, broken.isEmpty { html.tag("p", [:], "No settings changed.") }
            html.tag("form", ["method": "post", "action": site.address("/revert")]) { html in
                html.hidden("of", version.id.hex)
                html.hidden("back", site.address(of: version.id))
                if found.changes.changes.isEmpty { return }
                let lines = Dictionary(grouping: shown.lines(found.changes.changes), by: \.subject)
                html.hidden(Routes.boxes, "\(lines.keys.count { RowID($0) != nil })")
                html.tag("ul", ["class": "changes card"]) { html in
                    for subject in lines.keys.sorted(by: { $0.path < $1.path }) {
                        html.tag("li") { change(subject, lines[subject] ?? [], &$0) }
                    }
                }
                guard mayWrite, !version.parents.isEmpty, !found.changes.changes.isEmpty else { return }
                html.tag("div", ["class": "review shown"]) { $0.tag("button", [:], "Revert these") }
            }
            html.tag("div", ["class": "acts"]) { html in
                html.tag("a", ["href": site.address("/compare?from=\(version.id.hex)")], "Compare with the last version")
                guard mayWrite else { return }
                html.tag("form", ["method": "post", "action": site.address("/restore")]) { html in
                    html.hidden("of", version.id.hex)
                    html.hidden("back", site.address(of: version.id))
                    html.tag("button", ["class": "quiet"], "Restore this version")
                }
            }
        }
    }

    private func change(_ subject: Subject, _ lines: [ChangeLine], _ html: inout HTML) {
        html.tag("label", ["class": "radio"]) { html in
            if mayWrite, let row = RowID(subject) {
                html.tag("input", ["type": "checkbox", "name": Routes.only + row.text, "checked": ""])
            }
            html.tag("span") { html in
                for (index, line) in lines.enumerated() {
                    if index > 0 { html.put("; ") }
                    html.change(line, shown)
                }
            }
        }
    }
}

extension Shown {
    /// The files that can't be read since a version. Why is not said: it may repeat what is in them.
    func broken(by version: Version, _ changes: VersionChanges) -> [String] {
        changes.unreadable.filter { $0.isUnreadable(in: version.id) }.map { file in
            let title = Subject(path: file.path).map { "\(content.title(of: $0)): " } ?? ""
            return "\(title)the file \(file.path) cannot be read in this version"
        }
    }
}
