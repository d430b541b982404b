import Seeds
import Testing

@testable import SettingsModel
@testable import SettingsStore

/// Makes settings change at random, as people do; the same for the same seed.
struct RandomEdits {
    var random: Seeded
    private var count = 0

    init(seed: Int) { random = Seeded(UInt64(seed)) }

    static let names = ["a", "b", "c", "g.a", "g.b", "h.a", "h.i.b"]

    mutating func choose<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[random.int(elements.count)]
    }

    mutating func option() -> SettingsOption {
        count += 1
        switch random.int(6) {
        case 0: return .onOff("Switch \(count)", random.int(2) == 0)
        case 1: return .number("Number \(count)", random.int(3) == 0 ? nil : random.int(100))
        case 2: return .text("Text \(count)", "words \(random.int(9))")
        case 3: return SettingsOption(title: "Data \(count)", type: .data, value: .array([.number(random.int(9)), .null]))
        default:
            let labels = (0...random.int(5)).map { "v\($0)=Label \($0)" }
            var option = SettingsOption.choice(
                "Choice \(count)", labels, selected: random.int(4) == 0 ? nil : random.int(labels.count))
            if random.int(3) == 0 { option.defaultValue = option.labels[0].value }
            if random.int(4) == 0 {
                // Labels that are their own values, as written by hand.
                option.labels = Labels(labels.map { ChoiceLabel(value: .string($0), text: ExactText($0)) })
                option.value = option.value.map { _ in option.labels[0].value }
                option.defaultValue = nil
            }
            return option
        }
    }

    /// One Done's edits. Returns the renames among them.
    mutating func edit(_ settings: inout SettingsContent) -> [(old: Subject, new: Subject)] {
        var renames: [(old: Subject, new: Subject)] = []
        let steps = 1 + random.int(3)
        for _ in 0..<steps {
            let keys = settings.options.keys.sorted()
            switch random.int(10) {
            case 0, 1:
                let free = Self.names.map(Key.of).filter { settings.options[$0] == nil }
                if let key = choose(free) { settings.options[key] = option() }
            case 2:
                if keys.count > 1, renames.isEmpty, let key = choose(keys) { settings.options[key] = nil }
            case 3 where steps == 1:
                let free = Self.names.map(Key.of).filter { settings.options[$0] == nil }
                if let old = choose(keys), let new = choose(free) {
                    settings.options[new] = settings.options.removeValue(forKey: old)
                    renames.append((.option(old), .option(new)))
                }
            case 4:
                if let group = choose(["g", "h", "h.i"]) {
                    count += 1
                    settings.groups[.of(group)] = random.int(3) == 0 ? nil : SettingsGroup(title: "Group \(count)", style: .page)
                }
            case 5, 6:
                if let key = choose(keys), var option = settings.options[key] {
                    editLabels(&option)
                    settings.options[key] = option
                }
            default:
                if let key = choose(keys), var option = settings.options[key] {
                    editValue(&option)
                    settings.options[key] = option
                }
            }
        }
        return renames
    }

    private mutating func editValue(_ option: inout SettingsOption) {
        if random.int(8) == 0 {
            option.value = nil
            return
        }
        switch option.type {
        case .choice: if let label = choose(Array(option.labels)) { option.value = label.value }
        case .switch: option.value = .bool(random.int(2) == 0)
        case .number: option.value = .number(random.int(100))
        case .text: option.value = .string("words \(random.int(50))")
        case .data: option.value = .object([JSON.Member("x", .number(random.int(50)))])
        }
    }

    private mutating func editLabels(_ option: inout SettingsOption) {
        guard option.type == .choice else {
            count += 1
            option.title = "Title \(count)"
            return
        }
        count += 1
        switch random.int(4) {
        case 0:
            let text = ExactText("New \(count)")
            option.labels.insert(
                ChoiceLabel(value: option.labels.newValue(for: text), text: text), at: random.int(option.labels.count + 1))
        case 1:
            let gone = option.labels.filter { $0.value != option.value && $0.value != option.defaultValue }
            if let label = choose(gone) { option.labels.remove(label.value) }
        case 2:
            if let label = choose(Array(option.labels)) { option.labels.rename(label.value, to: ExactText("Renamed \(count)")) }
        default:
            if let label = choose(Array(option.labels)) { option.labels.move(label.value, to: random.int(option.labels.count)) }
        }
    }
}

extension TemporaryStore {
    /// Records one random edit.
    @discardableResult
    func record(_ edits: inout RandomEdits, by person: Person = .ada) throws -> Outcome {
        var after = try store.versions.tip().settings()
        let renames = edits.edit(&after)
        return try store.recorder.record(done(person)) { tip throws(Problem) in
            Edit(after.changes(since: try tip.settings(), renames: renames))
        }
    }
}
