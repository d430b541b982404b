import SettingsModel
import SettingsPages

/// Rows as a browser shows them: the title at the left, the control at the right, and who chose the value beneath.
struct RowHTML {
    let site: Site
    let shown: Shown
    /// Controls are disabled for those who may only read.
    var mayWrite: Bool
    /// What was typed and not recorded, by key.
    var typed: [Key: String] = [:]
    /// Why that can't be.
    var faults: [Key: String] = [:]
    /// Whether choices are lists of all their labels, and data is a field.
    var isWide = false
    /// The option whose field has the focus.
    var focused: Key?

    static func id(_ key: Key) -> String { "row-\(key)" }

    func option(_ key: Key, _ option: SettingsOption, isTitleShared: Bool, _ html: inout HTML) {
        let title = option.name(key)
        let id = Self.id(key)
        let refusal = shown.refusal(for: key)
        let fault = faults[key]
        let isMany = isWide && option.type == .choice
        let classes = ["row", fault == nil ? nil : "wrong", typed[key] == nil ? nil : "drafted"].compactMap(\.self)
        html.tag("div", ["class": classes.joined(separator: " "), "data-typed": typed[key] == nil ? nil : ""]) { html in
            html.tag("div", ["class": "name"]) { html in
                if isMany || opens(option) {
                    html.tag("span", ["id": "\(id)-name"], title)
                } else {
                    html.tag("label", ["for": id, "id": "\(id)-name"], title)
                }
                if isTitleShared { html.tag("code", [:], key.description) }
                html.tag("span", ["class": "changed"], "changed")
            }
            let notes = [fault, refusal, option.help?.string].compactMap(\.self).filter { !$0.isEmpty }
            let field = Field(
                id: id, name: RowID.option(key).text, description: notes.isEmpty ? nil : "\(id)-note",
                isDisabled: refusal != nil || !mayWrite,
                isWrong: fault != nil, isFocused: focused == key)
            html.tag("div", ["class": isMany || isWide && option.type == .data ? "control wide" : "control"]) { html in
                if opens(option) { opening(key, option, field, &html) } else { control(key, option, field, &html) }
            }
            if shown.openConflicts.contains(.option(key)) {
                html.tag("p", ["class": "note"]) { html in
                    html.put("Both sides of a merge changed it. ")
                    html.tag("a", ["href": site.address("/conflicts")], "Resolve the conflict")
                }
            }
            if !notes.isEmpty {
                html.tag("div", ["class": "note", "id": "\(id)-note"]) { html in
                    for note in notes {
                        html.tag("p", [:], note)
                        html.mark(" ")
                    }
                }
            }
            if !isWide { who(key, title, &html) }
        }
    }

    /// Who chose the value; leads to the page of the option.
    private func who(_ key: Key, _ title: String, _ html: inout HTML) {
        html.tag("a", ["class": "who", "href": site.address(of: key)]) { html in
            html.tag("span", ["class": "unseen"], "\(title): ")
            if let version = shown.origin(of: key) { html.who(version, shown) } else { html.put("Details") }
        }
    }

    /// Whether its value is changed on its own page.
    private func opens(_ option: SettingsOption) -> Bool {
        if option.isMasked { return true }
        guard !isWide else { return false }
        return option.type == .data || option.hasManyLabels
    }

    private func opening(_ key: Key, _ option: SettingsOption, _ field: Field, _ html: inout HTML) {
        let words =
            option.isMasked
            ? option.value == nil ? "Not set" : "Set" : shown.scene.words(option.effectiveValue, of: option)
        html.tag(
            "a",
            [
                "class": "opens", "id": field.id, "href": site.address(of: key),
                "aria-labelledby": "\(field.id)-name \(field.id)",
                "aria-describedby": field.description,
            ]
        ) { $0.tag("span", [:], words) }
    }

    private struct Field {
        var id: String
        var name: String
        var description: String?
        var isDisabled: Bool
        var isWrong: Bool
        var isFocused: Bool

        var attributes: Attributes {
            [
                "id": id, "name": name, "aria-describedby": description, "aria-invalid": isWrong ? "true" : nil,
                "disabled": isDisabled ? "" : nil, "autofocus": isFocused ? "" : nil,
            ]
        }
    }

    private func control(_ key: Key, _ option: SettingsOption, _ field: Field, _ html: inout HTML) {
        let word = typed[key] ?? option.fieldWord
        switch option.control {
        case .choice(let labels):
            var words = labels.map { ($0.value.compact, isWide ? ($0.long ?? $0.text).string : $0.text.string) }
            if option.value == nil { words.insert(("", unset(option)), at: 0) }
            if isWide { radios(words, word, field, &html) } else { select(words, word, field, &html) }
        case .switch:
            let (off, on) = option.offOn
            var words = [(on.compact, "On"), (off.compact, "Off")]
            if option.value == nil { words.insert(("", unset(option)), at: 0) }
            select(words, word, field, &html)
        case .slider(let minimum, let maximum, let step):
            html.tag(
                "input",
                [
                    "type": "range", "data-for": field.id, "aria-label": "Slider for \(option.name(key))",
                    "min": minimum.text, "max": maximum.text, "step": step?.text ?? "any",
                    "value": word, "disabled": field.isDisabled ? "" : nil,
                ])
            number(word, minimum, maximum, step, field, &html)
        case .number(let range): number(word, range.minimum, range.maximum, range.step, field, &html)
        case .text(let isLong, let placeholder):
            if isLong {
                html.tag("textarea", ["rows": "4", "placeholder": placeholder] + field.attributes) { $0.field("\n" + word) }
            } else {
                // A pattern of the store's matches anywhere in a text, one of HTML the whole: the server says what doesn't match.
                html.tag(
                    "input",
                    ["type": "text", "value": word, "placeholder": placeholder ?? unsetWord(option)] + field.attributes)
            }
        case .data:
            html.tag("textarea", ["rows": "8", "spellcheck": "false"] + field.attributes) { $0.field("\n" + word) }
        }
    }

    private func number(
        _ word: String, _ minimum: Number?, _ maximum: Number?, _ step: Number?, _ field: Field, _ html: inout HTML
    ) {
        html.tag(
            "input",
            [
                // A browser drops what is no number from a field for numbers.
                "type": word.isEmpty || Double(word)?.isFinite ?? false ? "number" : "text", "value": word, "min": minimum?.text,
                "max": maximum?.text, "step": step?.text ?? "any",
                "inputmode": "decimal",
            ] + field.attributes)
    }

    private func select(_ words: [(String, String)], _ chosen: String, _ field: Field, _ html: inout HTML) {
        html.tag("select", field.attributes) { html in
            // What is none of them stays as it is until somebody chooses one.
            if !words.contains(where: { $0.0 == chosen }) { html.tag("option", ["value": chosen, "selected": ""], chosen) }
            for (value, label) in words {
                html.tag("option", ["value": value, "selected": value == chosen ? "" : nil], label)
            }
        }
    }

    private func radios(_ words: [(String, String)], _ chosen: String, _ field: Field, _ html: inout HTML) {
        html.tag("div", ["role": "radiogroup", "aria-labelledby": "\(field.id)-name", "aria-describedby": field.description]) {
            html in
            let focused = words.firstIndex { $0.0 == chosen } ?? 0
            for (index, (value, label)) in words.enumerated() {
                html.tag("label", ["class": "radio"]) { html in
                    html.tag(
                        "input",
                        [
                            "type": "radio", "name": field.name, "value": value, "id": index == 0 ? field.id : nil,
                            "checked": value == chosen ? "" : nil, "disabled": field.isDisabled ? "" : nil,
                            "autofocus": field.isFocused && index == focused ? "" : nil,
                        ])
                    html.put(label)
                }
            }
        }
    }

    private func unset(_ option: SettingsOption) -> String { unsetWord(option).map { "Not set (\($0))" } ?? "Not set" }

    private func unsetWord(_ option: SettingsOption) -> String? {
        option.defaultValue.map { shown.scene.words($0, of: option) }
    }
}

extension SettingsOption {
    /// Whether it is a choice on its own page.
    var hasManyLabels: Bool { type == .choice && labels.count > 12 }

    /// Its title, or else the last part of its key.
    func name(_ key: Key) -> String { title.isEmpty ? key.name : title.string }

    /// What stands in its field, and comes back from a browser where nobody changes it.
    var fieldWord: String {
        guard let value else { return "" }
        switch type {
        case .choice, .switch: return value.compact
        case .number, .text: return isMasked ? "" : value.bare
        case .data: return value.pretty
        }
    }

    /// What a browser sends of its field where nobody changes it, with line breaks as `Form` has them. A field of several lines has
    /// LF for all of them, one of a line has none, and no page can hold a NUL.
    var sentWord: String {
        guard case .text(let isLong, _) = control else { return fieldWord }
        var word = ""
        var last: Unicode.Scalar?
        for scalar in fieldWord.unicodeScalars {
            switch scalar {
            case "\r": if isLong { word.append("\n") }
            case "\n": if isLong, last != "\r" { word.append("\n") }
            case "\0": word.append("\u{FFFD}")
            default: word.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return word
    }

    /// What was typed in the field of a text that has CR LF alone as its line breaks: they stay what they are.
    private func keepingBreaks(_ word: String) -> String {
        guard let text = value?.bare, text.contains("\r\n"),
            !text.replacing("\r\n", with: "").unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" })
        else { return word }
        return word.replacing("\n", with: "\r\n")
    }

    /// The value that a field's word stands for; nil is none.
    func value(field word: String) throws(Refusal) -> JSON? {
        switch type {
        case .choice, .switch:
            if word.isEmpty { return try value(for: .json(nil)) }
            guard let json = try? JSON(parsing: word) else { return try value(for: .word(word)) }
            return try value(for: .json(json))
        case .number: return try value(for: word.trimmingSpaces.isEmpty ? .json(nil) : .word(word.trimmingSpaces))
        case .text: return word.isEmpty && value == nil ? nil : try value(for: .word(keepingBreaks(word)))
        case .data: return try value(for: word.trimmingSpaces.isEmpty ? .json(nil) : .word(word))
        }
    }
}
