import SettingsModel
import SettingsPages
import SettingsStore

/// What merges left open: both sides, who made them and why, to choose one of each.
struct ConflictsHTML {
    let site: Site
    let shown: Shown
    let open: [OpenConflict]
    var mayWrite: Bool
    /// What was chosen and not recorded, by the names of the fields.
    var answers: [String: String] = [:]
    var sheet = Sheet()
    /// Whether it answers a form, so that it has no address of its own.
    var isAnswer = false
    /// What became of conflicts meanwhile.
    var notes: [String] = []

    func html() -> HTML {
        var frame = Frame(site, "Conflicts", shown)
        frame.showsNews = !isAnswer
        return frame.html { html in
            html.notes(notes)
            if open.isEmpty { return html.tag("p", [:], "There are no open conflicts.") }
            if !mayWrite { html.tag("p", ["class": "note"], ReviewHTML.mayOnlyRead) }
            html.tag(
                "p", [:],
                "Both sides of a merge changed the same options. Each conflict shows the value in force until it is resolved.")
            html.tag("form", ["method": "post", "action": site.address("/conflicts")]) { html in
                html.hidden("version", shown.version)
                html.hidden("back", site.address("/conflicts"))
                html.hidden(sheet)
                for question in open { fieldset(question, &html) }
                guard mayWrite else { return }
                html.tag("div", ["class": "review shown"]) { $0.tag("button", [:], "Review") }
            }
        }
    }

    private func fieldset(_ question: OpenConflict, _ html: inout HTML) {
        let conflict = question.conflict
        html.tag("fieldset", ["class": "card"]) { html in
            html.tag("legend", [:], shown.scene.wording.title(of: conflict))
            let name = RowID.conflict(conflict.subject, conflict.facet).text
            let chosen = answers[name] ?? ""
            let inForce = question.words(question.inForce, shown)
            radio(name, "", "Leave it open (in force: \(inForce))", nil, isChosen: chosen.isEmpty, &html)
            guard conflict.hasSides else {
                html.tag(
                    "p", ["class": "note"],
                    "This copy of the store does not have both sides of the conflict. Set the option instead.")
                return
            }
            func side(_ value: String, _ words: String, _ version: Version?) {
                radio(name, value, words, version, isChosen: chosen == value, &html)
            }
            side("ours", question.words(conflict.ours, shown), question.origin.ours)
            side("theirs", question.words(conflict.theirs, shown), question.origin.theirs)
            if conflict.base != conflict.ours, conflict.base != conflict.theirs {
                side("base", "Before both: \(question.words(conflict.base, shown))", nil)
            }
        }
    }

    private func radio(
        _ name: String, _ value: String, _ words: String, _ version: Version?, isChosen: Bool, _ html: inout HTML
    ) {
        html.tag("label", ["class": "radio"]) { html in
            html.tag(
                "input",
                ["type": "radio", "name": name, "value": value, "checked": isChosen ? "" : nil, "disabled": mayWrite ? nil : ""])
            html.tag("span", ["class": "side"]) { html in
                html.tag("b", [:], words)
                guard let version else { return }
                html.tag("span", ["class": "who"]) { $0.who(version, shown, site) }
            }
        }
    }
}

/// How questions are to be settled, as a form has it.
struct Settling {
    var settlements: [Settlement] = []
    /// The same for people.
    var words: [String] = []
    /// The same as fields of a form.
    var answers: [(name: String, value: String)] = []
    /// Which were resolved meanwhile.
    var notes: [String] = []

    /// What stands before the field of a review with the state of a conflict.
    private static let reviewed = "reviewed:"

    init(_ form: Form, _ open: [OpenConflict], _ shown: Shown) throws {
        for name in form.names {
            guard case .conflict(let subject, let facet)? = RowID(text: name), let answer = form[name], !answer.isEmpty else {
                continue
            }
            guard let question = open.first(where: { $0.conflict.subject == subject && $0.conflict.facet == facet }) else {
                notes.append("The conflict on \(shown.content.title(of: subject)) is no longer open.")
                continue
            }
            let conflict = question.conflict
            let state = question.state(shown)
            if let reviewed = form[Self.reviewed + name], reviewed != state {
                notes.append("The conflict on \(shown.content.title(of: subject)) has changed since the review.")
            }
            answers += [(name, answer), (Self.reviewed + name, state)]
            switch answer {
            case "ours": settlements.append(Settlement(conflict.subject, conflict.facet, .ours))
            case "theirs": settlements.append(Settlement(conflict.subject, conflict.facet, .theirs))
            case "base": settlements.append(Settlement(conflict.subject, conflict.facet, .base))
            default: throw Wanted.Fault.malformed
            }
            words.append("\(shown.scene.wording.title(of: conflict)): resolved to \(Self.words(answer, question, shown))")
        }
    }
}

extension Settling {
    /// A side with whose it is: a masked value is told by that alone.
    private static func words(_ answer: String, _ question: OpenConflict, _ shown: Shown) -> String {
        let side = question.side(answer)
        let value = side?.isMasked ?? false ? "the value" : question.words(side, shown)
        if answer == "base" { return "\(value) as before both changes" }
        let version = answer == "ours" ? question.origin.ours : question.origin.theirs
        guard let version else { return "\(value) of \(answer == "ours" ? "this branch" : "the merged branch")" }
        return "\(value) (\(version.author.name), \(shown.scene.phrases.time(version.time)))"
    }
}

extension OpenConflict {
    /// A side, or what is in force.
    fileprivate func words(_ side: Change.Content?, _ shown: Shown) -> String {
        shown.scene.wording.words(side, of: conflict, isBase: side == conflict.base)
    }

    /// What a person decides about: the merge, which has both sides, and what is in force meanwhile.
    fileprivate func state(_ shown: Shown) -> String { Who.digest("\(merge.id.hex) \(words(inForce, shown))") }

    fileprivate func side(_ answer: String) -> Change.Content? {
        switch answer {
        case "ours": conflict.ours
        case "theirs": conflict.theirs
        default: conflict.base
        }
    }
}
