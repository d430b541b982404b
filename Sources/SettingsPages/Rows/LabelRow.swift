package import SettingsModel
import SettingsText

/// A label of a choice, with a checkmark if it is the chosen one.
package struct LabelRow: Row {
    let key: Key
    let option: SettingsOption
    let index: Int

    package init(_ key: Key, _ option: SettingsOption, _ index: Int) {
        (self.key, self.option, self.index) = (key, option, index)
    }

    private var label: ChoiceLabel { option.labels[index] }

    package var id: RowID { .label(label.value) }

    package func title(in scene: Scene) -> String { label.long?.string ?? label.text.string }

    package func shortTitle(in scene: Scene) -> String? { label.text.string }

    package func mark(in scene: Scene) -> String { option.value == label.value ? scene.glyphs.check : "" }

    package func accessory(in scene: Scene) -> Accessory {
        if let old = scene.draft.base.options[key], old.value == label.value, option.value != old.value {
            return Accessory(StyledText("recorded", .faint))
        }
        return Accessory(StyledText(option.defaultValue == label.value ? "default" : "", .faint))
    }

    package func toggle(in scene: Scene) -> Response { ChoiceRow(key, option).setting(.json(label.value), in: scene) }

    /// Chooses the label and goes back.
    package func open(in scene: Scene) -> Response {
        switch toggle(in: scene) {
        case .refuse(let reason, let kind): .refuse(reason, kind)
        case let chosen: .all([chosen, .back])
        }
    }

    package func info(in scene: Scene) -> Response { ChoiceRow(key, option).info(in: scene) }

    package func command(in scene: Scene) -> String? { CommandLine.set(key, chosen) }

    package func hint(in scene: Scene) -> String {
        ["\(label.text): e renames, Del removes, K and J move, a adds a label, / searches", command(in: scene)].compactMap(\.self)
            .joined(separator: " \(scene.glyphs.separator) ")
    }

    private var chosen: SettingsOption {
        var option = option
        option.value = label.value
        return option
    }

    /// Del removes the label.
    package func reset(in scene: Scene) -> Response { edit(.remove(label.value.bare, select: nil), in: scene) }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .rename:
            if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
            return .type(Typing(row: id, field: Field(label.text.string)))
        case .moveUp, .moveDown:
            let place = index + (act == .moveUp ? -1 : 1)
            guard option.labels.indices.contains(place) else {
                return .refuse("\(label.text) is the \(act == .moveUp ? "first" : "last") label")
            }
            return edit(.move(label.value.bare, to: place), in: scene)
        default: return nil
        }
    }

    package func commit(_ text: String, in scene: Scene) -> Response { edit(.rename(label.value.bare, to: text), in: scene) }

    private func edit(_ edit: LabelEdit, in scene: Scene) -> Response { edit.response(for: key, option, in: scene) }
}

extension LabelEdit {
    func response(for key: Key, _ option: SettingsOption, in scene: Scene) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        do throws(Problem) {
            var new = option
            try apply(to: &new, key)
            return .edit([(.option(key), .option(new))])
        } catch { return .refuse(PageHints.words(error), error.kind) }
    }
}
