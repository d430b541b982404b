import SettingsModel
import SettingsText

@testable import SettingsPages

/// A small store and an editor on it.
enum Office {
    static let labels = Labels(
        ["Light", "Dark", "Auto"].map { ChoiceLabel(value: .string($0.lowercased()), text: ExactText($0)) })

    static var settings: SettingsContent {
        get throws {
            var settings = SettingsContent(definition: StoreDefinition(title: "Settings"))
            settings.groups[try Key("display")] = SettingsGroup(
                title: "Display", style: .page, order: ["theme", "larger", "brightness", "name", "secret", "fonts", "fixed"])
            settings.groups[try Key("general")] = SettingsGroup(
                title: "General", style: .section, footer: "What this machine is called and which language it speaks.")
            settings.groups[try Key("general.inner")] = SettingsGroup(title: "Inner", style: .section)
            func add(_ key: String, _ option: SettingsOption) throws { settings.options[try Key(key)] = option }
            try add(
                "display.theme",
                SettingsOption(
                    title: "Theme", type: .choice, value: "light", defaultValue: "light",
                    help: "Dark suits most people at night.", labels: labels))
            try add("display.larger", SettingsOption(title: "Larger Text", type: .switch, value: .bool(false)))
            try add(
                "display.brightness",
                SettingsOption(
                    title: "Brightness", type: .number, value: .number(50), defaultValue: .number(40),
                    range: .init(minimum: Number(0), maximum: Number(100), step: Number(5))))
            try add("display.name", SettingsOption(title: "Device Name", type: .text, value: "Küche 山田"))
            try add(
                "display.secret",
                SettingsOption(title: "Password", type: .text, value: "hunter2", other: ["masked": .bool(true)]))
            try add("display.fonts", SettingsOption(title: "Fonts", type: .data, value: .array([.number(1)])))
            try add(
                "display.fixed",
                SettingsOption(title: "Fixed", type: .switch, value: .bool(true), other: ["readOnly": .bool(true)]))
            try add(
                "general.language",
                SettingsOption(
                    title: "Language", type: .choice, value: "english",
                    labels: Labels(
                        ["English", "French"].map { ChoiceLabel(value: .string($0.lowercased()), text: ExactText($0)) })))
            try add("general.inner.count", SettingsOption(title: "Count", type: .number, value: .number(3)))
            try add("sound.volume", SettingsOption(title: "Volume", type: .number))
            return settings
        }
    }

    static func phrases(ascii isASCII: Bool = false) -> Phrases {
        Phrases(wording: Wording(glyphs: isASCII ? .ascii : .unicode), clock: Clock(now: 1_795_161_600))
    }

    static func editor(
        at place: String? = nil, columns: Int = 80, rows: Int = 24, ascii isASCII: Bool = false
    ) throws -> Editor {
        Editor(
            Loaded(try settings), at: try place.map { try Key($0) } ?? .root, phrases: phrases(ascii: isASCII),
            size: Grid.Size(columns: columns, rows: rows))
    }
}

extension Editor {
    /// Presses keys by their names; what is in quotes is typed.
    @discardableResult
    mutating func press(_ words: String) -> [Effect] {
        var effects: [Effect] = []
        for (index, part) in words.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                for character in part { effects += step(.key(.character(character))) }
                continue
            }
            for word in part.split(separator: " ") {
                guard let key = Keystroke(name: String(word)) else { preconditionFailure("no key \(word)") }
                effects += step(.key(key))
            }
        }
        return effects
    }

    func value(_ key: String) throws -> JSON? { scene.content.options[try Key(key)]?.value }

    var changes: [String] { scene.draft.changes.map { scene.sentence([$0]) } }
    var focused: String { row?.title(in: scene) ?? "" }
}
