package import SettingsModel
import SettingsText

/// A number without both bounds: typed in the row.
package struct NumberRow: OptionRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package func open(in scene: Scene) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        return typing(option.value?.bare ?? "")
    }

    package func step(by count: Int, in scene: Scene) -> Response { Steps(self).step(by: count, in: scene) }

    package func type(_ character: Character, in scene: Scene) -> Response { Steps(self).type(character, in: scene) }

    package func commit(_ text: String, in scene: Scene) -> Response { Steps(self).commit(text, in: scene) }
}

/// What rows of numbers have in common.
struct Steps<NumberRow: OptionRow> {
    let row: NumberRow

    init(_ row: NumberRow) { self.row = row }

    /// Stops at the bounds.
    func step(by count: Int, in scene: Scene) -> Response {
        let range = row.option.range
        let step = range.step ?? Number(1)
        let start = row.option.effectiveValue ?? range.minimum.map { .number($0) } ?? .number(Number(0))
        guard case .number(var number) = start else { return .refuse("This is not a number") }
        for _ in 0..<abs(count) {
            guard let next = number.adding(count > 0 ? step : step.negated), range.fault(of: next) == nil else { break }
            number = next
        }
        if row.option.value == .number(number) {
            let end = count > 0 ? "maximum" : "minimum"
            return .refuse("\(row.title(in: scene)) is at its \(end), \(number.text)")
        }
        return row.setting(.json(.number(number)), in: scene, isAdjustment: true)
    }

    /// A digit begins a number.
    func type(_ character: Character, in scene: Scene) -> Response {
        guard character.isASCII, character.isNumber || character == "." else {
            return .refuse("Type a number, or press Enter to edit it")
        }
        if let reason = scene.refusal(for: row.key) { return .refuse(reason, .badData) }
        return row.typing(String(character))
    }

    func commit(_ text: String, in scene: Scene) -> Response {
        let word = text.trimmingSpaces
        if word.isEmpty { return row.setting(.json(nil), in: scene) }
        return row.setting(.word(word), in: scene)
    }
}
