import SettingsModel
import SettingsPages
import SettingsStore

/// What merges left open: both sides, who made them and why, to choose one of each.
struct ConflictsHTML {
    let site: Site
    let shown: Shown
    let open: [OpenConflict]
    var mayWrite: Bool

    func html() -> HTML {
        Frame(site, "Conflicts", shown).html { html in
            if open.isEmpty { return html.tag("p", [:], "There are no open conflicts.") }
            html.tag(
                "p", [:], "Both sides of a merge changed the same. Until somebody decides, one of them is in force.")
            html.tag("form", ["method": "post", "action": site.address("/conflicts")]) { html in
                html.hidden("version", shown.version)
                html.hidden("back", site.address("/conflicts"))
                for question in open { fieldset(question, &html) }
                guard mayWrite else { return }
                html.tag("div", ["class": "review shown"]) { $0.tag("button", [:], "Review") }
            }
        }
    }

    private func fieldset(_ question: OpenConflict, _ html: inout HTML) {
        let conflict = question.conflict
        html.tag("fieldset", ["class": "card"]) { html in
            html.tag("legend", [:], conflict.title.string)
            let name = RowID.conflict(conflict.subject, conflict.facet).text
            radio(name, "", "Leave it open, in force", question.inForce, nil, conflict, isChosen: true, &html)
            guard conflict.hasSides else {
                html.tag("p", ["class": "note"], "The sides are not in this copy of the store: set the option instead.")
                return
            }
            radio(name, "ours", nil, conflict.ours, question.origin.ours, conflict, isChosen: false, &html)
            radio(name, "theirs", nil, conflict.theirs, question.origin.theirs, conflict, isChosen: false, &html)
            if conflict.base != conflict.ours, conflict.base != conflict.theirs {
                radio(name, "base", "Before both", conflict.base, nil, conflict, isChosen: false, &html)
            }
        }
    }

    private func radio(
        _ name: String, _ value: String, _ words: String?, _ side: Change.Content?, _ version: Version?, _ conflict: Conflict,
        isChosen: Bool, _ html: inout HTML
    ) {
        html.tag("label", ["class": "radio"]) { html in
            html.tag(
                "input",
                ["type": "radio", "name": name, "value": value, "checked": isChosen ? "" : nil, "disabled": mayWrite ? nil : ""])
            html.tag("span", ["class": "side"]) { html in
                html.tag(
                    "b", [:],
                    words == nil ? shown.words(side, of: conflict) : "\(words ?? ""): \(shown.words(side, of: conflict))")
                guard let version else { return }
                html.tag("span", ["class": "who"]) { $0.who(version, shown, site) }
            }
        }
    }
}

extension Shown {
    /// A side of a conflict in words, as far as it may be shown.
    func words(_ side: Change.Content?, of conflict: Conflict) -> String {
        if case .option(let key) = conflict.subject, hides(key) { return scene.wording.dots }
        return scene.wording.words(side)
    }
}

/// How questions are to be settled, as a form has it.
struct Settling {
    var settlements: [Settlement] = []
    /// The same for people.
    var words: [String] = []
    /// The same as fields of a form.
    var answers: [(name: String, value: String)] = []

    init(_ form: Form, _ open: [OpenConflict], _ shown: Shown) throws {
        for name in form.names {
            guard case .conflict(let subject, let facet)? = RowID(text: name), let answer = form[name], !answer.isEmpty else {
                continue
            }
            guard let question = open.first(where: { $0.conflict.subject == subject && $0.conflict.facet == facet }) else {
                throw Wanted.Fault.malformed
            }
            answers.append((name, answer))
            let (conflict, side): (Conflict, Change.Content?) = (question.conflict, question.side(answer))
            switch answer {
            case "ours": settlements.append(Settlement(conflict.subject, conflict.facet, .ours))
            case "theirs": settlements.append(Settlement(conflict.subject, conflict.facet, .theirs))
            case "base": settlements.append(Settlement(conflict.subject, conflict.facet, .base))
            default: throw Wanted.Fault.malformed
            }
            words.append("\(conflict.title): \(shown.words(side, of: conflict)) is chosen, and the conflict resolved")
        }
    }
}

extension OpenConflict {
    fileprivate func side(_ answer: String) -> Change.Content? {
        switch answer {
        case "ours": conflict.ours
        case "theirs": conflict.theirs
        default: conflict.base
        }
    }
}
