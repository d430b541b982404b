import SettingsModel
import SettingsPages

/// Rows as a browser shows them: the title at the left, the control at the right, and who chose the value beneath.
struct RowHTML {
    let site: Site
    let shown: Shown
    /// What was typed and not recorded, by key.
    var typed: [Key: String] = [:]
    /// Why that can't be.
    var faults: [Key: String] = [:]
    /// Whether choices are lists of all their labels.
    var isWide = false

    static func name(_ key: Key) -> String { "option:\(key)" }
    static func id(_ key: Key) -> String { "row-\(key)" }

    func option(_ key: Key, _ option: SettingsOption, isTitleShared: Bool, _ html: inout HTML) {
        let title = option.title.isEmpty ? key.name : option.title.string
        let id = Self.id(key)
        let refusal = shown.scene.refusal(for: key)
        let fault = faults[key]
        let isMany = isWide && option.type == .choice
        html.tag("div", ["class": fault == nil ? "row" : "row wrong", "data-key": key.description]) { html in
            html.tag("div", ["class": "name"]) { html in
                if isMany || option.isMasked {
                    html.tag("span", ["id": "\(id)-name"], title)
                } else {
                    html.tag("label", ["for": id], title)
                }
                if isTitleShared { html.tag("code", [:], key.description) }
                html.mark("<span class=changed hidden>changed</span>")
            }
            let isDescribed = fault != nil || refusal != nil || option.help.map { !$0.isEmpty } ?? false
            let field = Field(
                id: id, name: Self.name(key), description: isDescribed ? "\(id)-note" : nil, isDisabled: refusal != nil,
                isWrong: fault != nil)
            html.tag("div", ["class": isMany ? "control wide" : "control"]) { control(key, option, field, &$0) }
            if isDescribed {
                html.tag("p", ["class": "note", "id": "\(id)-note"], fault ?? refusal ?? option.help?.string ?? "")
            }
            html.tag("p", ["class": "who"]) { html in
                if let version = shown.scene.origin(of: key) {
                    html.tag("span") { $0.who(version, shown, site) }
                }
                html.tag("a", ["href": site.address(of: key), "aria-label": "More about \(title)"], "More")
            }
        }
    }

    private struct Field {
        var id: String
        var name: String
        var description: String?
        var isDisabled: Bool
        var isWrong: Bool

        var attributes: Attributes {
            [
                "id": id, "name": name, "aria-describedby": description, "aria-invalid": isWrong ? "true" : nil,
                "disabled": isDisabled ? "" : nil,
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
            var words = [("true", "On"), ("false", "Off")]
            if option.value == nil { words.insert(("", unset(option)), at: 0) }
            select(words, word, field, &html)
        case .slider(let minimum, let maximum, let step):
            html.tag(
                "input",
                [
                    "type": "range", "data-for": field.id, "aria-label": "Slider for \(option.title)",
                    "min": minimum.text, "max": maximum.text, "step": step?.text ?? "any",
                    "value": word, "disabled": field.isDisabled ? "" : nil,
                ])
            number(word, minimum, maximum, step, field, &html)
        case .number(let range): number(word, range.minimum, range.maximum, range.step, field, &html)
        case .text(let isLong, let pattern, let placeholder, let isMasked):
            if isMasked {
                html.tag("span", [:], option.value == nil ? "Not set" : "Set")
            } else if isLong {
                html.tag("textarea", ["rows": "4", "placeholder": placeholder] + field.attributes) { $0.field("\n" + word) }
            } else {
                html.tag(
                    "input",
                    ["type": "text", "value": word, "pattern": pattern, "placeholder": placeholder ?? unsetWord(option)]
                        + field.attributes)
            }
        case .data:
            if isWide {
                html.tag("textarea", ["rows": "8", "spellcheck": "false"] + field.attributes) { $0.field("\n" + word) }
            } else {
                html.tag("span", ["class": "data"], shown.scene.words(option.effectiveValue, of: option))
            }
        }
    }

    private func number(
        _ word: String, _ minimum: Number?, _ maximum: Number?, _ step: Number?, _ field: Field, _ html: inout HTML
    ) {
        html.tag(
            "input",
            [
                "type": "number", "value": word, "min": minimum?.text, "max": maximum?.text, "step": step?.text ?? "any",
                "inputmode": "decimal",
            ] + field.attributes)
    }

    private func select(_ words: [(String, String)], _ chosen: String, _ field: Field, _ html: inout HTML) {
        html.tag("select", field.attributes) { html in
            for (value, label) in words {
                html.tag("option", ["value": value, "selected": value == chosen ? "" : nil], label)
            }
        }
    }

    private func radios(_ words: [(String, String)], _ chosen: String, _ field: Field, _ html: inout HTML) {
        html.tag("div", ["role": "radiogroup", "aria-labelledby": "\(field.id)-name", "aria-describedby": field.description]) {
            html in
            for (index, (value, label)) in words.enumerated() {
                html.tag("label", ["class": "radio"]) { html in
                    html.tag(
                        "input",
                        [
                            "type": "radio", "name": field.name, "value": value, "id": index == 0 ? field.id : nil,
                            "checked": value == chosen ? "" : nil, "disabled": field.isDisabled ? "" : nil,
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
    /// What stands in its field, and comes back from a browser where nobody changes it.
    var fieldWord: String {
        guard let value else { return "" }
        switch type {
        case .choice, .switch: return value.compact
        case .number, .text: return isMasked ? "" : value.bare
        case .data: return value.pretty
        }
    }

    /// The value that a field's word stands for; nil is none.
    func value(field word: String) throws(Refusal) -> JSON? {
        switch type {
        case .choice, .switch:
            if word.isEmpty { return try value(for: .json(nil)) }
            guard let json = try? JSON(parsing: word) else { return try value(for: .word(word)) }
            return try value(for: .json(json))
        case .number: return try value(for: word.trimmingSpaces.isEmpty ? .json(nil) : .word(word.trimmingSpaces))
        case .text: return word.isEmpty && value == nil ? nil : try value(for: .word(word))
        case .data: return try value(for: word.trimmingSpaces.isEmpty ? .json(nil) : .word(word))
        }
    }
}
