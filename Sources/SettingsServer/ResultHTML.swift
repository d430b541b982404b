import SettingsModel
import SettingsPages

/// What became of the form that led to a page.
struct FormResult: Sendable {
    /// What was recorded just now.
    var recorded: (version: Version, changes: [Change])?
    /// What a person ought to know besides.
    var notes: [String] = []
    /// The page that it led to.
    var back: String
}

/// The same on the page: "Recorded: Language: English → German", with Undo.
struct ResultHTML {
    let site: Site
    let shown: Shown
    let result: FormResult

    func html(_ html: inout HTML) {
        html.notes(result.notes)
        guard let (version, changes) = result.recorded else { return }
        html.tag("div", ["class": "bar", "role": "status"]) { html in
            html.put("Recorded: ")
            let lines = shown.lines(changes)
            if lines.isEmpty { html.put(version.message.subject) }
            html.list(lines, shown)
            guard Who.Visitor.current?.mayWrite ?? false else { return }
            html.act(site.address("/undo"), "Undo", version, back: result.back)
        }
    }
}

/// The versions that revert unless somebody confirms them: "Volume: 40 → 60 reverts today 10:10", with Confirm and Revert now.
struct WaitingHTML {
    let site: Site
    let shown: Shown

    func html(_ html: inout HTML) {
        for waiting in shown.scene.facts.waiting {
            html.tag("div", ["class": "bar"]) { html in
                html.list(shown.lines(waiting.changes), shown)
                html.put(" reverts \(shown.scene.phrases.deadline(waiting.confirmation.deadline))")
                // From the answer to a form, which has no address, a button would lead away from what was typed.
                guard let back = shown.result?.back, Who.Visitor.current?.mayWrite ?? false else { return }
                html.act(site.address("/confirm"), "Confirm", waiting.confirmation.version, back: back)
                html.act(site.address("/confirm"), "Revert now", act: "cancel", waiting.confirmation.version, back: back)
            }
        }
    }
}

extension HTML {
    /// Of many changes the first five.
    mutating func list(_ lines: [ChangeLine], _ shown: Shown) {
        for (index, line) in lines.prefix(5).enumerated() {
            if index > 0 { put("; ") }
            change(line, shown)
        }
        if lines.count > 5 { put(" and \(lines.count - 5) more") }
    }

    /// A button that does something to a version at once.
    mutating func act(_ action: String, _ words: String, act: String? = nil, _ version: Version, back: String) {
        tag("form", ["method": "post", "action": action, "class": "inline"]) { html in
            html.hidden("version", version.id.hex)
            if let act { html.hidden("act", act) }
            html.hidden("back", back)
            html.tag("button", ["class": "quiet"], words)
        }
    }
}
