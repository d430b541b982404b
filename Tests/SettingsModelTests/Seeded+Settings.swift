import SettingsModel
import Seeds

/// Random settings: small, so that edits collide, and full of edge cases.
extension Seeded {
    static let texts: [ExactText] = [
        "a", "b", "English", "French", "é", "e\u{301}", "", "Straße", "日本語", "👩‍👩‍👧", "\u{202E}x", "\"\\\n\t\u{7F}\u{1}", "a b", "1",
        "Å", "\u{212B}", "ﬀ", "\u{2028}",
    ]
    static let numbers = ["0", "-0", "1", "1.0", "1e0", "-5", "0.1", "18446744073709551615", "1e400", "-1E-400", "3.14", "10"]

    mutating func text() -> ExactText { pick(Seeded.texts) }
    mutating func number() -> Number { Number(pick(Seeded.numbers)) ?? Number(0) }

    mutating func scalar() -> JSON {
        switch int(10) {
        case 0: .null
        case 1: .bool(chance(50))
        case 2, 3: .number(number())
        default: .string(text())
        }
    }

    mutating func json(depth: Int = 2) -> JSON {
        switch depth == 0 ? 9 : int(8) {
        case 0: .array((0..<int(3)).map { _ in json(depth: depth - 1) })
        case 1: .object(names(int(3)).map { JSON.Member($0, json(depth: depth - 1)) })
        default: scalar()
        }
    }

    /// At most `count` different texts.
    mutating func names(_ count: Int) -> [ExactText] {
        var names: [ExactText] = []
        for _ in 0..<count {
            let name = text()
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    mutating func labels(_ count: Int) -> Labels {
        if chance(25) { return Labels(names(count).map { ChoiceLabel(value: .string($0), text: $0) }) }
        var entries: [ChoiceLabel] = []
        let hasLong = chance(25)
        for _ in 0..<count {
            let value = scalar()
            guard !entries.contains(where: { $0.value == value }) else { continue }
            entries.append(ChoiceLabel(value: value, text: text(), long: hasLong ? text() : nil))
        }
        return Labels(entries, writesValues: chance(50))
    }

    mutating func otherMembers(of type: SettingsOption.Kind) -> [ExactText: JSON] {
        var other: [ExactText: JSON] = [:]
        if chance(20) { other["readOnly"] = .bool(chance(50)) }
        if chance(20) { other["key"] = .string(text()) }
        if chance(20) { other["for"] = json() }
        if chance(20) { other["é"] = json() }
        if chance(20) { other["e\u{301}"] = json() }
        if type == .text {
            if chance(25) { other["masked"] = .bool(chance(70)) }
            if chance(25) { other["placeholder"] = .string(text()) }
        }
        return other
    }

    mutating func option(_ type: SettingsOption.Kind? = nil) -> SettingsOption {
        let type = type ?? pick(SettingsOption.Kind.allCases + [.choice, .choice])
        var option = SettingsOption(title: text(), type: type, help: chance(30) ? text() : nil, other: otherMembers(of: type))
        switch type {
        case .choice:
            option.labels = labels(int(6))
            if chance(80) { option.value = option.labels.randomElement(using: &self)?.value }
            if chance(40) { option.defaultValue = option.labels.randomElement(using: &self)?.value }
        case .switch:
            if chance(30) {
                option.other["values"] = pick([.array([.string("no"), .string("yes")]), .array([.number(0), .number(1)])])
            }
            let (off, on) = option.offOn
            if chance(80) { option.value = pick([off, on]) }
            if chance(40) { option.defaultValue = pick([off, on]) }
        case .number:
            if chance(80) { option.value = .number(number()) }
            if chance(40) { option.defaultValue = .number(number()) }
            if chance(30) { option.range.minimum = number() }
            if chance(30) { option.range.maximum = number() }
            if chance(20) { option.range.step = number() }
        case .text:
            if chance(80) { option.value = .string(text()) }
            if chance(40) { option.defaultValue = .string(text()) }
            if chance(10) { option.other["pattern"] = .string(pick(["^[a-z]*$", "é", ".+"])) }
        case .data:
            if chance(80) { option.value = json() }
            if option.value == .null { option.value = nil }
            if chance(40) { option.defaultValue = .array([json()]) }
        }
        while !option.faults().isEmpty {
            (option.value, option.range) = (nil, SettingsOption.Range())
            option.defaultValue = nil
        }
        return option
    }

    mutating func group() -> SettingsGroup {
        SettingsGroup(
            title: chance(70) ? text() : nil, style: chance(50) ? pick(SettingsGroup.Style.allCases) : nil,
            footer: chance(30) ? text() : nil, order: chance(60) ? names(int(5)) : nil,
            other: chance(30) ? ["exports": json(), text(): .number(1)] : [:]
        )
    }

    mutating func definition() -> StoreDefinition {
        StoreDefinition(
            title: chance(70) ? text() : nil,
            policy: .init(
                why: pick(StoreDefinition.Demand.allCases), requestedBy: pick(StoreDefinition.Demand.allCases),
                ticket: pick(StoreDefinition.Demand.allCases), other: chance(20) ? ["reviewers": json()] : [:]
            ),
            other: chance(30) ? ["exports": json(), text(): json()] : [:]
        )
    }

    static func key(_ text: String) -> Key { (try? Key(text)) ?? .root }
    static let optionKeys = ["a", "b", "g", "g.a", "g.b", "g.h.c", "k.a"].map(key)
    static let groupKeys = [Key.root] + ["g", "g.h", "k", "empty"].map(key)

    mutating func settings() -> SettingsContent {
        var settings = SettingsContent(definition: chance(80) ? definition() : nil)
        for key in Seeded.optionKeys where chance(40) { settings.options[key] = option() }
        for key in Seeded.groupKeys where chance(40) { settings.groups[key] = group() }
        return settings
    }
}
