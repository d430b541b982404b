import SettingsModel
import Testing

/// What an app does with the library `SettingsModel`. This target sees what another package does: only what is `public`.
struct LibraryTests {
    private let key: Key
    private let option: SettingsOption

    init() throws {
        key = try Key("general.language")
        option = SettingsOption(
            title: "Language", type: .choice, value: "en", defaultValue: "en",
            labels: Labels([
                ChoiceLabel(value: "en", text: "English"), ChoiceLabel(value: "fr", text: "French"),
                ChoiceLabel(value: "de", text: "German"),
            ]))
    }

    private func content(_ option: SettingsOption) -> SettingsContent {
        SettingsContent(definition: StoreDefinition(title: "Office"), options: [key: option])
    }

    private func with(_ value: JSON?) -> SettingsContent {
        var option = option
        option.value = value
        return content(option)
    }

    @Test func aFileIsReadAndWritten() throws {
        let read = try SettingsOption(file: option.file)
        #expect(read == option && read.effectiveValue == "en" && read.label(of: "en") == "English" && read.selected == 0)
        #expect(Selection(file: option.file)?.value == "en")
        #expect(with(nil).options[key]?.effectiveValue == "en", "the default")
        let fault = #expect(throws: BadFile.self) { try SettingsOption(file: Array("{\n x}".utf8)) }
        #expect(fault?.position?.line == 2 && fault?.reason.isEmpty == false)
    }

    @Test func aValueIsChosenInEveryWay() throws {
        let wishes: [Wish] = [.word("german"), .word("de"), .label("German"), .index(2), .json("de")]
        for wish in wishes { #expect(try option.value(for: wish) == "de", "\(wish)") }
        #expect(try option.value(for: .next) == "fr" && option.value(for: .reset) == "en")
        #expect(throws: SettingsOption.Refusal.self) { try option.value(for: .label("Klingon")) }
        #expect(throws: Key.Malformed.self) { try Key("..") }
    }

    @Test func changesAreFoundMadeAndInverted() throws {
        let (before, after) = (with("en"), with("de"))
        let changes = after.changes(since: before)
        #expect(changes.map(\.facet) == [.value] && changes.first?.subject == .option(key))
        #expect(try before.applying(changes) == after)
        #expect(try after.applying(changes.inverted) == before)
        let conflicts = #expect(throws: Conflicts.self) { try with("fr").applying(changes) }
        #expect(conflicts?.conflicts.first?.subject == .option(key))
    }

    @Test func aChoiceIsMergedByItsMeaning() throws {
        var edited = option
        edited.labels.insert(ChoiceLabel(value: "da", text: "Danish"), at: 0)
        let merge = SettingsContent.merge(base: with("en"), ours: with("de"), theirs: content(edited))
        let merged = try #require(merge.settings.options[key])
        #expect(merge.conflicts.isEmpty && merged.value == "de" && merged.selected == 3)
        let parted = SettingsContent.merge(base: with("en"), ours: with("de"), theirs: with("fr"))
        #expect(parted.settings.options[key]?.value == "en", "the base stays in force")
        #expect(parted.conflicts.map { [$0.ours?.json, $0.theirs?.json] } == [["de", "fr"]])
    }
}
