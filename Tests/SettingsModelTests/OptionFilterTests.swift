import Testing

@testable import SettingsModel

struct OptionFilterTests {
    private let language = SettingsOption(
        title: "Language", type: .choice, value: .string("fr"), defaultValue: .string("en"), help: "Shown in every menu.",
        labels: Labels([
            ChoiceLabel(value: .string("en"), text: "English"), ChoiceLabel(value: .string("fr"), text: "Français (CA)"),
        ]))

    private func takes(_ search: String...) throws -> Bool {
        OptionFilter(search: search).takes(try Key("general.language"), language)
    }

    @Test func everyWordMustOccur() throws {
        #expect(try takes("language"))
        #expect(try takes("LANG menu"))
        #expect(try takes("français general"))
        #expect(try takes("FRANC\u{327}AIS"))
        #expect(try takes(" shown ", "english"))
        #expect(try takes("en"))
        #expect(try !takes("language sound"))
        #expect(try !takes("language", "sound"))
        #expect(try takes(""))
    }

    @Test func aMaskedValueIsNotSearched() throws {
        let secret = SettingsOption(title: "Token", type: .text, value: .string("s3cret"), other: ["masked": .bool(true)])
        #expect(try !OptionFilter(search: ["s3cret"]).takes(Key("token"), secret))
    }

    @Test func changedMeansAnotherValueThanTheDefault() throws {
        let filter = OptionFilter(isChanged: true)
        let key = try Key("general.language")
        var option = language
        #expect(filter.takes(key, option))
        option.value = .string("en")
        #expect(!filter.takes(key, option))
        option.value = nil
        #expect(!filter.takes(key, option))
        option.value = .string("en")
        option.defaultValue = nil
        #expect(!filter.takes(key, option))
    }

    @Test func groupsStayInPlace() throws {
        var settings = SettingsContent()
        settings.options[try Key("general.language")] = language
        settings.options[try Key("general.sound")] = SettingsOption(title: "Sound", type: .switch)
        settings.groups[try Key("general")] = SettingsGroup(title: "General")
        let found = settings.options(OptionFilter(search: ["sound"]))
        #expect(found.options.keys.map(\.description) == ["general.sound"])
        #expect(found.groups == settings.groups)
        #expect(settings.options(OptionFilter()).options.count == 2)
    }
}
