import SettingsModel

/// A row of a page.
///
/// The row of an option is generated each time (`SpecifierWriter`); only the differences are kept.
enum Specifier {
    static let toggle: ExactText = "PSToggleSwitchSpecifier"
    static let slider: ExactText = "PSSliderSpecifier"
    static let textField: ExactText = "PSTextFieldSpecifier"
    static let choice: ExactText = "PSMultiValueSpecifier"
    static let radio: ExactText = "PSRadioGroupSpecifier"
    static let title: ExactText = "PSTitleValueSpecifier"
    static let group: ExactText = "PSGroupSpecifier"
    static let childPane: ExactText = "PSChildPaneSpecifier"

    /// Types of row that represent a setting if they have a Key.
    static let settings: Set<ExactText> = [toggle, slider, textField, choice, radio, title]

    /// Members in Apple's schema; others are vendors'.
    static let known: Set<ExactText> = [
        "Type", "Title", "Key", "DefaultValue", "TrueValue", "FalseValue", "MinimumValue", "MaximumValue",
        "MinimumValueImage", "MaximumValueImage", "IsSecure", "KeyboardType", "AutocapitalizationType", "AutocorrectionType",
        "Titles", "Values", "ShortTitles", "DisplaySortedByTitle", "FooterText", "File", "SupportedUserInterfaceIdioms",
    ]
    static let knownPageMembers: Set<ExactText> = [
        "Title", "StringsTable", "PreferenceSpecifiers", "ApplicationGroupContainerIdentifier",
    ]

    /// The key of the setting that a row shows; nil if it shows none.
    static func key(of row: PropertyList.Members) -> ExactText? {
        guard let type = row["Type"]?.text, settings.contains(type), let key = row["Key"]?.text, !key.isEmpty else { return nil }
        return key
    }

    /// The members that differ from `made`; null for those that `members` lacks.
    static func difference(of members: PropertyList.Members, from made: PropertyList.Members) -> [JSON.Member] {
        var difference: [JSON.Member] = []
        for entry in members.entries where made[entry.name] != entry.value {
            difference.append(JSON.Member(entry.name, entry.value.json))
        }
        for entry in made.entries where members[entry.name] == nil { difference.append(JSON.Member(entry.name, .null)) }
        return difference
    }

    /// `made` with the kept differences applied.
    static func overlaid(_ made: PropertyList.Members, with difference: JSON?) -> PropertyList.Members {
        guard case .object(let kept)? = difference else { return made }
        let names = Set(kept.map(\.name))
        var members = PropertyList.Members(made.entries.filter { !names.contains($0.name) })
        for member in kept {
            if let value = PropertyList(member.value) { members.entries.append(.init(name: member.name, value: value)) }
        }
        return members
    }

    /// The title of a row without one: for a slider that of the preceding row, or of its section.
    static func title(of row: PropertyList.Members, previous: ExactText?, section: ExactText?) -> ExactText {
        if row["Type"]?.text == slider {
            if let previous, !previous.isEmpty { return previous }
            if let section, !section.isEmpty { return section }
        }
        return ExactText(Titles.words(of: row["Key"]?.text?.string ?? ""))
    }

    /// The row that leads to a page.
    static func link(to page: ExactText, title: ExactText) -> PropertyList.Members {
        var made = PropertyList.Members()
        made["Type"] = .string(childPane)
        made["Title"] = .string(title)
        made["File"] = .string(page)
        return made
    }

    /// The row that begins a section.
    static func header(of group: SettingsGroup) -> PropertyList.Members {
        var made = PropertyList.Members()
        made["Type"] = .string(Specifier.group)
        made["Title"] = group.title.map { .string($0) }
        made["FooterText"] = group.footer.map { .string($0) }
        return made
    }

    /// In byte order, as Apple's programs write them.
    static func sorted(_ members: PropertyList.Members) -> PropertyList.Members {
        PropertyList.Members(members.entries.sorted { $0.name < $1.name })
    }
}

extension PropertyList {
    /// A scalar as a setting's value; nil for dates, data, numbers that are not finite, arrays and dictionaries.
    var scalar: JSON? {
        switch self {
        case .string, .integer, .boolean: json
        case .real(let word): Number(word).map { .number($0) }
        case .dictionary, .array, .date, .data, .uid, .set, .null: nil
        }
    }

    /// The value as typed: `2`, `-1`, `true`, `text`.
    var word: ExactText? { scalar.map { ExactText($0.bare) } }
}
