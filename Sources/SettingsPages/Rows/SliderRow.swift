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

    /// On the step that is nearest.
    package func move(to fraction: Double, in scene: Scene) -> Response {
        guard let minimum = option.range.minimum, let maximum = option.range.maximum else { return .nothing }
        let span = maximum.double - minimum.double
        // Without steps, whole numbers where there are enough of them.
        guard let step = option.range.step ?? (span < 10 ? nil : Number(1)) else {
            return setting(.word("\(minimum.double + span * fraction)"), in: scene)
        }
        let count = min((span * fraction / step.double).rounded(), (span / step.double).rounded(.down))
        guard count < 1e9, let distance = step.multiplied(by: Int(count)), let number = minimum.adding(distance) else {
            return .refuse("\(title(in: scene)) has too many steps for a click; type a number")
        }
        return setting(.json(.number(fraction == 1 && option.range.fault(of: maximum) == nil ? maximum : number)), in: scene)
    }

    package func type(_ character: Character, in scene: Scene) -> Response { Steps(self).type(character, in: scene) }

    package func commit(_ text: String, in scene: Scene) -> Response { Steps(self).commit(text, in: scene) }
}

extension Number {
    fileprivate func multiplied(by count: Int) -> Number? {
        guard count > 0 else { return Number(0) }
        guard let half = multiplied(by: count / 2), let even = half.adding(half) else { return nil }
        return count % 2 == 0 ? even : even.adding(self)
    }
}
