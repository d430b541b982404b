import SettingsModel

extension BundleWriter {
    /// The row of an option: generated from the option, plus the kept members of its original row that still
    /// apply. `difference` is what was kept of an additional row; nil for the defining row.
    func specifier(
        of option: SettingsOption, _ key: Key, _ difference: JSON?, _ rows: BundleRows, _ texts: inout BundleTexts
    ) throws(Refusal) -> PropertyList.Members {
        let name = names[key] ?? ExactText(key.name)
        let value = (writesValues ? option.value : nil) ?? option.defaultValue
        if let value, option.type != .data, PropertyList(value) == nil { throw BundleWriter.inexpressible(key, value) }
        for label in option.labels where PropertyList(label.value) == nil { throw BundleWriter.inexpressible(key, label.value) }
        let made = SpecifierWriter(option: option).row(key: name, value: value)
        let kept = difference ?? option.other[SettingsBundleFormat.member]
        var row = Specifier.overlaid(made, with: kept)
        // A row that only shows the value of another row is unchanged.
        if difference != nil, row["Type"]?.text == Specifier.title, !option.isReadOnly { return row }

        var read = BundleWriter.option(of: row)
        if read.type != option.type || read.isReadOnly != option.isReadOnly || read.isMasked != option.isMasked {
            for member: ExactText in ["Type", "IsSecure"] { row[member] = made[member] }
        }
        if option.type == .switch, read.offOn != option.offOn {
            for member: ExactText in ["TrueValue", "FalseValue"] { row[member] = made[member] }
        }
        if option.type == .number, read.range != option.range {
            for member: ExactText in ["MinimumValue", "MaximumValue"] { row[member] = made[member] }
        }
        var own = texts
        if option.type == .choice { setLabels(of: &row, option, made, kept, isOwn: difference == nil, &own) }
        read = BundleWriter.option(of: row, showing: option.labels)
        if read.defaultValue != value { row["DefaultValue"] = made["DefaultValue"] }
        if difference == nil || kept?["Title"] == nil {
            if row["Title"] != nil {
                row["Title"] = own.put(row["Title"], option.title)
            } else if option.title != Specifier.title(of: row, previous: rows.previous, section: rows.section) {
                row["Title"] = .string(option.title)
            }
        }
        if difference == nil { row["FooterText"] = option.help.map { own.put(row["FooterText"], $0) } }
        texts = own
        return row
    }

    /// The option that a row would be read as; the names of titles represent the `labels` with their values.
    private static func option(of row: PropertyList.Members, showing labels: Labels = Labels()) -> SettingsOption {
        var shown: [ExactText: ExactText] = [:]
        for (value, title) in zip(row["Values"]?.elements ?? [], row["Titles"]?.elements ?? []) {
            if let name = title.text, let value = value.scalar, let label = labels.label(of: value) {
                shown[name] = label.long ?? label.text
            }
        }
        var reader = SpecifierReader(row) { shown[$0] ?? $0 }
        return reader.option(title: "")
    }

    /// If the row's values are unchanged, it keeps its lists; labels keep the names of their texts in any case.
    private func setLabels(
        of row: inout PropertyList.Members, _ option: SettingsOption, _ made: PropertyList.Members, _ kept: JSON?, isOwn: Bool,
        _ texts: inout BundleTexts
    ) {
        let lists: [ExactText] = ["Values", "Titles", "ShortTitles"]
        guard lists.contains(where: { kept?[$0] != nil }) else { return }
        let isSame = BundleWriter.option(of: row).labels.map(\.value) == option.labels.map(\.value)
        if !isSame { for list in lists { row[list] = made[list] } }
        if option.labels.isEmpty { return }
        let values = (kept?["Values"]?.elements ?? []).map { PropertyList($0)?.scalar }
        let hasLong = option.labels.contains { $0.long != nil }
        if !hasLong { row["ShortTitles"] = nil }
        for list in lists.dropFirst() where list == "Titles" || hasLong {
            let names = kept?[list]?.elements ?? []
            var titles = row[list]?.elements ?? made[list]?.elements ?? []
            for (index, label) in option.labels.enumerated() {
                let place = isSame ? values.firstIndex(of: label.value) ?? index : index
                guard titles.indices.contains(place) else { continue }
                let name = values.firstIndex(of: label.value).flatMap {
                    names.indices.contains($0) ? PropertyList(names[$0]) : nil
                }
                if isOwn {
                    titles[place] = texts.put(name, list == "Titles" ? label.long ?? label.text : label.text)
                } else if let name {
                    titles[place] = name
                }
            }
            row[list] = .array(titles)
        }
    }
}
