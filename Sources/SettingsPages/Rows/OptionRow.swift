package import SettingsModel
import SettingsText

/// An option that the person's editor is opened on.
package protocol EditedRow: OptionRow {
    /// What the text is called there.
    var fileName: String { get }
    /// What it is edited as.
    var edited: String { get }
    /// The value that a text from the editor stands for.
    func text(from edited: String) -> String
}

extension EditedRow {
    func edit(in scene: Scene) -> Response {
        if let invalid = scene.invalidTexts[id] { return .open(invalid) }
        return .effect(.edit(id, text: edited, name: fileName))
    }
}

/// The row of an option. What kind it is, its control says.
package protocol OptionRow: Row {
    var key: Key { get }
    var option: SettingsOption { get }
    init(_ key: Key, _ option: SettingsOption)
    /// The value in words; nil where the row shows another thing.
    func value(_ value: JSON?, in scene: Scene) -> String
    var fraction: Double? { get }
    var opens: Bool { get }
}

package enum OptionRows {
    package static func row(_ key: Key, _ option: SettingsOption) -> any OptionRow {
        switch option.control {
        case .choice: ChoiceRow(key, option)
        case .switch: SwitchRow(key, option)
        case .slider: SliderRow(key, option)
        case .number: NumberRow(key, option)
        case .text: TextRow(key, option)
        case .data: DataRow(key, option)
        }
    }
}

extension OptionRow {
    package var id: RowID { .option(key) }
    package var fraction: Double? { nil }
    package var opens: Bool { false }

    package func title(in scene: Scene) -> String { option.title.isEmpty ? key.name : option.title.string }

    package func value(_ value: JSON?, in scene: Scene) -> String { scene.words(value, of: option) }

    /// A dot: it differs from what is recorded, or from its default. An exclamation mark: somebody else changed it
    /// as well. A question mark: a merge left a conflict open.
    package func mark(in scene: Scene) -> String {
        if conflict(in: scene) != nil { return "!" }
        if !scene.openQuestions(of: .option(key)).isEmpty { return "?" }
        return isDrafted(in: scene) || option.differsFromDefault ? scene.glyphs.bullet : ""
    }

    package func isDrafted(in scene: Scene) -> Bool { scene.draft.base.options[key] != option }

    package func accessory(in scene: Scene) -> Accessory {
        var text = StyledText()
        var short: StyledText?
        if let old = scene.draft.base.options[key], old.value != option.value {
            let before = OptionRows.row(key, old).value(old.value, in: scene)
            text = StyledText(before, .before).adding(" \(scene.glyphs.arrow) ", .faint)
                .adding(value(option.value, in: scene), .after)
            short = StyledText("\(scene.glyphs.arrow) ", .faint).adding(value(option.value, in: scene), .after)
        } else if option.value == nil, let value = option.defaultValue {
            text = StyledText(self.value(value, in: scene), .faint)
        } else {
            text = StyledText(value(option.value, in: scene), option.value == nil ? .faint : .plain)
        }
        if let open = conflict(in: scene), open.conflict.facet == .value {
            (short, text) = (text, text.adding(" (yours: \(scene.wording.words(open.yours)))", .warning))
        }
        var accessory = Accessory(text, fraction: fraction, opens: opens)
        accessory.short = short
        return accessory
    }

    /// What the person wants here and somebody else changed in another way; nil where that is settled.
    func conflict(in scene: Scene) -> SettingsDraft.OpenConflict? {
        scene.draft.openConflicts.first { $0.conflict.subject == .option(key) }
    }

    /// The option with another value, unless it can't have one.
    func setting(_ wish: Wish, in scene: Scene, isAdjustment: Bool = false) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        do {
            var new = option
            new.value = try option.value(for: wish)
            if new == option { return .say("\(title(in: scene)) is already \(value(new.value, in: scene))") }
            return .edit([(.option(key), .option(new))], isAdjustment: isAdjustment)
        } catch { return .refuse(error.hint.map { "\(error.reason); \($0)" } ?? error.reason, .badData) }
    }

    package func reset(in scene: Scene) -> Response {
        let isDefault = option.value == nil || option.defaultValue == nil || option.value == option.defaultValue
        return isDefault ? unset(in: scene) : setting(.reset, in: scene)
    }

    /// No value of its own: its default counts, if it has one.
    package func unset(in scene: Scene) -> Response {
        if option.value == nil, scene.refusal(for: key) == nil { return .say("\(title(in: scene)) is not set") }
        return setting(.json(nil), in: scene)
    }

    package func acts(in scene: Scene) -> [RowAct] {
        guard option.value != nil, scene.obstacle(to: key) == nil else { return [] }
        var acts = [RowAct(.unset, "Unset", unset(in: scene))]
        if let value = option.defaultValue, value != option.value, !option.isMasked {
            acts.insert(RowAct(.reset, "Reset to \(self.value(value, in: scene))", reset(in: scene)), at: 0)
        }
        return acts
    }

    package func act(_ act: Act, in scene: Scene) -> Response? { act == .unset ? unset(in: scene) : nil }

    package func set(_ word: String, in scene: Scene) -> Response { setting(.word(word), in: scene) }

    package func info(in scene: Scene) -> Response {
        let page = Response.open(InfoPage(key))
        return scene.facts.origins[key] == nil ? .all([page, .effect(.origins([key]))]) : page
    }

    package func who(in scene: Scene) -> String? { scene.origin(of: key).map(scene.who) }

    package func command(in scene: Scene) -> String? { CommandLine.set(key, option) }

    package func hint(in scene: Scene) -> String {
        if conflict(in: scene) != nil {
            let isHandEdited = scene.facts.handEdited.contains(.option(key))
            let words = isHandEdited ? "its file was also edited by hand" : "somebody else also changed this"
            return "\(title(in: scene)): \(words); c resolves it"
        }
        if let question = scene.openQuestions(of: .option(key)).first {
            let sides = QuestionRow(question).accessory(in: scene).text.rendered(coloured: false)
            let words = question.conflict.hasSides ? "a conflict open, \(sides)" : "a conflict open"
            return "\(title(in: scene)): a merge left \(words); i shows it"
        }
        var facts: [String] = []
        if let who = who(in: scene) {
            facts.append(who)
        } else if let help = option.help, !help.isEmpty {
            facts.append(help.string)
        }
        if let value = option.defaultValue { facts.append("default \(self.value(value, in: scene))") }
        if let command = command(in: scene) { facts.append(command) }
        return "\(title(in: scene)): \(facts.joined(separator: " \(scene.glyphs.separator) "))"
    }

    /// What typing begins with.
    func typing(_ text: String, isMasked: Bool = false) -> Response {
        .type(Typing(row: id, field: Field(text), isMasked: isMasked, takesBreaks: option.type == .text))
    }
}

/// The command line that does the same as a row.
enum CommandLine {
    static func set(_ key: Key, _ option: SettingsOption) -> String {
        if option.isMasked { return "settings set \(key)" }
        guard let value = option.value else { return "settings unset \(key)" }
        let word = option.type == .data ? value.compact : value.bare
        // As an argument, a hyphen is standard input, and nothing can follow a NUL.
        if word == "-" { return "printf %s - | settings set \(key) -" }
        if word.utf8.contains(0) {
            let text = (word.hasSuffix("\n") ? word + "\n" : word).shellEscapes.replacing("%", with: "%%")
            return "printf '\(text)' | settings set \(key) -"
        }
        // After the key of a text, or before a digit, a hyphen begins no option.
        let isOption = word.hasPrefix("-") && option.type != .text && option.type != .number
        return "settings set " + (isOption ? "\(key)=\(word)".shellWord : "\(key) \(word.shellWord)")
    }
}
