import SettingsModel
import SettingsPages

/// What is about to be recorded, in sentences, and the fields of the version: why, at whose request, for which ticket.
struct ReviewHTML {
    let site: Site
    let shown: Shown
    var changes: [Change] = []
    /// What is done beside them.
    var words: [String] = []
    /// What `/done` is told beside the fields, so that it records these changes.
    var hidden: [(name: String, value: String)]
    var sheet = Sheet()
    var back: String
    /// Why a field can't be as it is.
    var faults: [String: String] = [:]
    /// Why Done has recorded nothing.
    var refusal: String?
    /// What became of options meanwhile.
    var notes: [String] = []

    static let (why, requestedBy, ticket, confirm) = ("why", "requestedBy", "ticket", "confirm")
    static let fields = [why, requestedBy, ticket, confirm]

    func html() -> HTML {
        var frame = Frame(site, "Review", shown)
        frame.showsNews = false
        return frame.html { html in
            html.faults((refusal.map { [("main", $0)] } ?? []) + Self.listed(faults))
            html.notes(notes)
            if changes.isEmpty, words.isEmpty {
                html.tag("p", [:], refusal == nil ? "There is nothing else to record." : "Choose Done to try again.")
            } else {
                html.tag("ul", ["class": "changes card"]) { html in
                    for line in shown.lines(changes) { html.tag("li") { $0.change(line, shown) } }
                    for words in words { html.tag("li", [:], words) }
                }
            }
            if changes.isEmpty, words.isEmpty, refusal == nil {
                return html.tag("p") { $0.tag("a", ["href": back], "Back to the settings") }
            }
            html.tag("form", ["method": "post", "action": site.address("/done")]) { html in
                for (name, value) in hidden { html.hidden(name, value) }
                html.hidden("back", back)
                Self.sheet(sheet, shown, faults, &html)
                html.tag("div", ["class": "review shown"]) { html in
                    html.tag("button", [:], "Done")
                    if let again {
                        html.tag(
                            "button", ["formaction": site.address(again), "formnovalidate": "", "class": "quiet"], "Change again")
                    } else {
                        html.tag("a", ["href": back, "class": "quiet"], "Cancel")
                    }
                }
            }
        }
    }

    /// Where the form is once more that it comes from; nil where that is no form with values.
    private var again: String? {
        switch hidden.first(where: { $0.name == "act" })?.value {
        case nil: "/edit"
        case "settle": "/conflicts/edit"
        case _?: nil
        }
    }

    static let mayOnlyRead = "You may read the settings, but not change them."

    /// In the order of the fields.
    static func listed(_ faults: [String: String]) -> [(id: String, words: String)] {
        fields.compactMap { id in faults[id].map { (id, $0) } }
    }

    static func sheet(_ sheet: Sheet, _ shown: Shown, _ faults: [String: String], _ html: inout HTML) {
        let first = listed(faults).first?.id
        let policy = (shown.content.definition ?? StoreDefinition()).policy
        html.hiddenPerson()
        if shown.isDetached {
            html.tag("p", ["class": "note"], "No branch is checked out. A version recorded now will not belong to any branch.")
        }
        html.tag("section", ["class": "card sheet"]) { html in
            func field(_ id: String, _ words: String, _ text: String, _ demand: StoreDefinition.Demand, _ note: String?) {
                let isRequired = demand == .required
                let note = faults[id] ?? note
                html.tag("div", ["class": faults[id] == nil ? "row" : "row wrong"]) { html in
                    html.tag("label", ["for": id, "class": "name"], isRequired ? "\(words) (required)" : words)
                    let attributes: Attributes = [
                        "id": id, "name": id, "required": isRequired ? "" : nil,
                        "aria-invalid": faults[id] == nil ? nil : "true",
                        "autofocus": first == id ? "" : nil, "aria-describedby": note == nil ? nil : "\(id)-note",
                    ]
                    if id == why {
                        html.tag("textarea", attributes + ["rows": "2"]) { $0.field("\n" + text) }
                    } else {
                        html.tag("input", attributes + ["type": "text", "value": text])
                    }
                    if let note { html.tag("p", ["class": "note", "id": "\(id)-note"], note) }
                }
            }
            field(why, "Why", sheet.why, policy.why, nil)
            field(requestedBy, "Requested by", sheet.requestedBy, policy.requestedBy, nil)
            field(ticket, "Ticket", sheet.ticket, policy.ticket, "Separate several tickets with commas.")
            field(confirm, "Revert unless confirmed within", sheet.confirm, .optional, "Optional, such as 10m or 2h.")
        }
    }
}

/// Both sides of what two people changed at once, to choose one of each.
struct DisputeHTML {
    let site: Site
    let shown: Shown
    var conflicts: [Conflict]
    /// Everything that was to be recorded.
    var hidden: [(name: String, value: String)]
    var sheet: Sheet
    var back: String
    /// Who is asked.
    var you: String

    func html() -> HTML {
        var frame = Frame(site, "Somebody else changed this", shown)
        frame.showsNews = false
        return frame.html { html in
            html.tag(
                "p", ["role": "alert"],
                "Nothing has been recorded yet. Choose a value for each of these; your other changes stay as they are.")
            html.tag("form", ["method": "post", "action": site.address("/review")]) { html in
                for (name, value) in hidden { html.hidden(name, value) }
                html.hidden("back", back)
                html.hidden(sheet)
                for conflict in conflicts { choice(conflict, &html) }
                html.tag("div", ["class": "review shown"]) { $0.tag("button", [:], "Review") }
            }
        }
    }

    private func choice(_ conflict: Conflict, _ html: inout HTML) {
        guard case .option(let key) = conflict.subject else { return }
        html.tag("fieldset", ["class": "card"]) { html in
            html.tag("legend", [:], conflict.title.string)
            radio(key, conflict.ours, isChosen: true, &html) { html in
                guard let version = shown.origin(of: key) else { return html.put("The recorded value") }
                html.who(version, shown, site)
            }
            radio(key, conflict.theirs, isChosen: false, &html) { html in
                html.put("\(you), now")
                if let why = sheet.reason?.split(separator: "\n").first { html.put(", “\(why)”") }
            }
        }
    }

    private func radio(
        _ key: Key, _ side: Change.Content?, isChosen: Bool, _ html: inout HTML, _ who: (inout HTML) -> Void
    ) {
        let value: JSON? = side?.json
        html.tag("label", ["class": "radio"]) { html in
            html.tag(
                "input",
                [
                    "type": "radio", "name": "value:\(key)", "value": value?.compact ?? "", "checked": isChosen ? "" : nil,
                ])
            html.tag("span", ["class": "side"]) { html in
                if let option = shown.content.options[key] {
                    html.tag("b", [:], option.isMasked ? shown.scene.wording.dots : shown.scene.words(value, of: option))
                }
                html.tag("span", ["class": "who"], who)
            }
        }
    }
}

extension HTML {
    /// Who fills in a form, so that nobody else gets what was typed in it.
    mutating func hiddenPerson() {
        if let visitor = Who.Visitor.current { hidden(Form.person, visitor.name) }
    }

    /// What a version is to say of itself, kept from one page to the next.
    mutating func hidden(_ sheet: Sheet) {
        hiddenPerson()
        for (name, text) in [
            (ReviewHTML.why, sheet.why), (ReviewHTML.requestedBy, sheet.requestedBy), (ReviewHTML.ticket, sheet.ticket),
            (ReviewHTML.confirm, sheet.confirm),
        ] where !text.isEmpty { hidden(name, text) }
    }
}
