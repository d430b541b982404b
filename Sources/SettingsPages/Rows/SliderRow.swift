package import SettingsModel
import SettingsText

/// A number with both bounds: a slider that the arrows move.
package struct SliderRow: OptionRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package var fraction: Double? {
        guard let minimum = option.range.minimum?.double, let maximum = option.range.maximum?.double, maximum > minimum,
            case .number(let number)? = option.effectiveValue
        else { return nil }
        return min(1, max(0, (number.double - minimum) / (maximum - minimum)))
    }

    package func isSlider(in scene: Scene) -> Bool { true }

    package func open(in scene: Scene) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        return typing(option.value?.bare ?? "")
    }

    package func step(by count: Int, in scene: Scene) -> Response { Steps(self).step(by: count, in: scene) }

    package func type(_ character: Character, in scene: Scene) -> Response { Steps(self).type(character, in: scene) }

    package func commit(_ text: String, in scene: Scene) -> Response { Steps(self).commit(text, in: scene) }
}
