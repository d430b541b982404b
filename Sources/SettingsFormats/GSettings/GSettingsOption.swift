import SettingsModel

/// An option as a key of GSettings: its type there, and its values as that type.
struct GSettingsOption {
    var option: SettingsOption

    /// What is kept of the key beside the option.
    var note: KeyNote {
        get { KeyNote(option) }
        set { option.other["gsettings"] = newValue.json }
    }

    /// The type of its values in GSettings; nil if it must be inferred from the value.
    var type: GVariantType? {
        if let type = note.type { return type }
        switch option.type {
        case .switch: return option.offOn == (.bool(false), .bool(true)) ? "b" : "s"
        case .text: return "s"
        case .choice: return option.labels.allSatisfy { $0.value.text != nil } ? "s" : nil
        case .number, .data: return nil
        }
    }

    /// `json` as a value of that type.
    func gvariant(of json: JSON) throws(GVariant.Malformed) -> GVariant {
        if let type { return try GVariant(json, as: type) }
        return try GVariant(untyped: json)
    }

    /// Why GSettings can't have its value; nil if it can.
    var fault: String? {
        guard let value = option.value, !value.isNull else { return nil }
        do throws(GVariant.Malformed) { _ = try gvariant(of: value) } catch {
            return "its type in GSettings is '\(type?.text ?? "")': \(error.reason)"
        }
        return stray(in: value).map { "'\($0)' is not among the choices of GSettings" }
    }

    /// The strings that it allows.
    func offered(_ type: GVariantType) -> [ExactText] {
        switch option.type {
        case .choice where type == "s": option.labels.compactMap(\.value.text)
        case .switch where type == "s": [option.offOn.off, option.offOn.on].compactMap(\.text)
        case .data: note.choices ?? []
        default: []
        }
    }

    /// The enumeration with the current labels: new ones get new numbers.
    func numbered(_ enumeration: KeyNote.Enumeration) -> KeyNote.Enumeration {
        guard option.type == .choice else { return enumeration }
        var result = enumeration
        var next = (enumeration.numbers.compactMap { Int($0.value.bare) }.max() ?? -1) + 1
        result.numbers = option.labels.compactMap(\.value.text).map { nick in
            if let known = enumeration.numbers.first(where: { $0.name == nick }) { return known }
            defer { next += 1 }
            return JSON.Member(nick, .number(next))
        }
        return result
    }

    /// Sets the value from GVariant text. Returns the repair to report, if any.
    mutating func set(_ text: String) throws(GVariant.Malformed) -> (found: String, done: String)? {
        let value = try GVariant(parsing: text, as: type)
        guard let json = value.json else { throw GVariant.Malformed("JSON has no number for \(value.text)") }
        var repair: (String, String)?
        var chosen = json
        if isLabelMissing(for: json), let alias = note.aliases.first(where: { .string($0.name) == json }) {
            chosen = alias.value
            repair = ("\(value.text) is an alias", "it is read as \(alias.value.compact)")
        }
        if isLabelMissing(for: chosen) { throw GVariant.Malformed("it is not among the choices") }
        if let reason = option.fault(of: chosen) { throw GVariant.Malformed(reason) }
        if let stray = stray(in: chosen) { throw GVariant.Malformed("'\(stray)' is not among the choices") }
        option.value = chosen
        return repair
    }

    /// As in GLib, an invalid override is ignored and the schema's own default stays.
    mutating func override(_ override: VendorOverride, _ page: String) -> Repair? {
        let text = override.entry.value
        let value: GVariant
        do throws(GVariant.Malformed) { value = try GVariant(parsing: text, as: type) } catch {
            let place = "at its character \(text.character(error.offset))"
            return override.leftOut("the override \(text) can't be read: \(error.reason), \(place)", page)
        }
        if override.desktop != nil, note.l10n != nil {
            return override.leftOut("overrides a translated default for one desktop", page)
        }
        var changed = self
        if let fault = changed.setDefault(value) { return override.leftOut(fault.found, page) }
        guard let desktop = override.desktop else {
            var changedNote = note
            changedNote.schemaDefault = changedNote.schemaDefault ?? ownDefault
            changedNote.defaultText = nil
            option.defaultValue = changed.option.defaultValue
            note = changedNote
            return nil
        }
        let own = JSON.Member(ExactText(desktop), .string(value.text))
        note.desktops = note.desktops.filter { $0.name != own.name } + [own]
        return Repair(
            .kept, file: override.file, line: override.entry.line, page: page, key: override.entry.key,
            found: "the default \(value.text) applies only to the desktop \(desktop)", done: "it is kept, but not applied")
    }

    /// Returns what is wrong with the default and what was done, if anything.
    mutating func setDefault(_ value: GVariant) -> (found: String, done: String)? {
        let keptAlone = "it is kept for export; there is no default here"
        option.defaultValue = nil
        guard let json = value.json else {
            return ("the default is \(value.text), for which JSON has no number", keptAlone)
        }
        if isLabelMissing(for: json) {
            if let alias = note.aliases.first(where: { .string($0.name) == json }), !isLabelMissing(for: alias.value) {
                option.defaultValue = alias.value
                return ("the default is \(value.text), which is an alias", "the default is \(alias.value.compact)")
            }
            return ("the default is \(value.text), which is not among the choices", keptAlone)
        }
        option.defaultValue = json
        if case .number(let number) = json, let reason = option.range.fault(of: number) {
            return ("the default is outside the range: \(reason)", "it is used as the default anyway")
        }
        if let stray = stray(in: json) {
            return ("the default has '\(stray)', which is not among the choices", "it is used as the default anyway")
        }
        return nil
    }

    /// The default as GVariant text.
    private var ownDefault: ExactText? {
        if let text = note.defaultText { return text }
        guard let value = option.defaultValue, let value = try? gvariant(of: value) else { return nil }
        return ExactText(value.text)
    }

    private func isLabelMissing(for value: JSON) -> Bool { option.type == .choice && option.labels.index(of: value) == nil }

    /// The first string within `value` that is not allowed.
    private func stray(in value: JSON) -> ExactText? {
        guard let offered = note.enumeration.map({ $0.numbers.map(\.name) }) ?? note.choices, option.type == .data else {
            return nil
        }
        return value.texts?.first { !offered.contains($0) }
    }
}

extension SettingsOption {
    /// The same as a key of GSettings.
    var gsettings: GSettingsOption {
        get { GSettingsOption(option: self) }
        set { self = newValue.option }
    }
}
