import SettingsModel

/// A default that a `.gschema.override` file sets for a key.
struct VendorOverride {
    /// The desktop for which it applies; nil for all.
    var desktop: String?
    var entry: KeyFile.Entry
    var file: String

    /// Splits `schema:Desktop`.
    static func parts(of section: String) -> (id: String, desktop: String?) {
        let parts = section.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }
}

extension SchemaReader {
    mutating func readDefault(
        _ element: XMLElement, into option: inout SettingsOption, _ name: String, _ schema: Schema.Place
    ) throws(Refusal) {
        let text = element.text
        let value: GVariant
        do throws(GVariant.Malformed) {
            value = try GVariant(parsing: text, as: option.gvariantType)
        } catch {
            throw Refusal(
                "the default of the key '\(name)' of '\(schema.id)' can't be read: \(error.reason)", in: schema.file,
                at: files.first { $0.path == schema.file }?.position(of: error.offset, in: element),
                hint: option.type == .text || option.type == .choice ? "a string stands in quotes there too: 'text'" : nil)
        }
        var note = KeyNote(option)
        note.l10n = element["l10n"].map { ExactText($0) }
        note.context = element["context"].map { ExactText($0) }
        note.defaultText = note.l10n != nil && text != value.text ? ExactText(text) : nil
        note.unknown.attributes += unknownAttributes(
            of: element, known: ["l10n", "context", "name"], page: schema.id, key: name, schema.file)
        option.other["gsettings"] = note.json
        if let l10n = note.l10n {
            kept(
                "the default is translated (\(l10n))", schema.file, element.line, page: schema.id, key: name,
                done: "it is kept as it stands there")
        }
        let fault = option.setDefault(value)
        if let fault {
            repairs.append(
                Repair(
                    file: schema.file, line: element.line, page: schema.id, key: name, found: fault.found, done: fault.done))
            if option.defaultValue == nil { option.note { $0.defaultText = ExactText(text) } }
        }
    }

    mutating func apply(_ override: VendorOverride, to index: Int) throws(Refusal) {
        let page = schemas[index].id
        let name = override.entry.key
        guard var key = schemas[index][name],
            !KeyNote(key.option).isInherited || schemas[index].overrides.contains(where: { $0.name == name })
        else { return repairs.append(override.leftOut("overrides a key that the schema doesn't have", page)) }
        if let repair = key.option.override(override, page) { repairs.append(repair) }
        schemas[index][name] = key
    }
}

extension VendorOverride {
    func leftOut(_ found: String, _ page: String) -> Repair {
        Repair(file: file, line: entry.line, page: page, key: entry.key, found: found, done: "the override is left out")
    }
}

extension SettingsOption {
    /// As in GLib, an invalid override is ignored and the schema's own default stays.
    mutating func override(_ override: VendorOverride, _ page: String) -> Repair? {
        let text = override.entry.value
        let value: GVariant
        do throws(GVariant.Malformed) { value = try GVariant(parsing: text, as: gvariantType) } catch {
            let place = "at its character \(text.character(error.offset))"
            return override.leftOut("the override \(text) can't be read: \(error.reason), \(place)", page)
        }
        if override.desktop != nil, KeyNote(self).l10n != nil {
            return override.leftOut("overrides a translated default for one desktop", page)
        }
        var changed = self
        if let fault = changed.setDefault(value) { return override.leftOut(fault.found, page) }
        guard let desktop = override.desktop else {
            let own = ownDefault
            defaultValue = changed.defaultValue
            note { note in
                note.schemaDefault = note.schemaDefault ?? own
                note.defaultText = nil
            }
            return nil
        }
        note { note in
            note.desktops.removeAll { $0.name == ExactText(desktop) }
            note.desktops.append(JSON.Member(ExactText(desktop), .string(value.text)))
        }
        return Repair(
            .kept, file: override.file, line: override.entry.line, page: page, key: override.entry.key,
            found: "the default \(value.text) counts for the desktop \(desktop) only", done: "it is kept and not applied")
    }

    /// Returns what is wrong with the default and what was done, if anything.
    fileprivate mutating func setDefault(_ value: GVariant) -> (found: String, done: String)? {
        defaultValue = nil
        guard let json = value.json else {
            return (
                "the default is \(value.text), for which JSON has no number", "it is kept for export; there is no default here"
            )
        }
        let note = KeyNote(self)
        if type == .choice, labels.index(of: json) == nil {
            if let alias = note.aliases.first(where: { .string($0.name) == json }), labels.index(of: alias.value) != nil {
                defaultValue = alias.value
                return ("the default is \(value.text), which is an alias", "the default is \(alias.value.compact)")
            }
            return (
                "the default is \(value.text), which is not among the choices", "it is kept for export; there is no default here"
            )
        }
        defaultValue = json
        if case .number(let number) = json, let reason = range.fault(of: number) {
            return ("the default is outside the range: \(reason)", "it is the default all the same")
        }
        if let stray = stray(in: json) {
            return ("the default has '\(stray)', which is not among the choices", "it is the default all the same")
        }
        return nil
    }

    /// The default as GVariant text.
    var ownDefault: ExactText? {
        if let text = KeyNote(self).defaultText { return text }
        guard let defaultValue, let value = try? gvariant(of: defaultValue) else { return nil }
        return ExactText(value.text)
    }

    /// The first string within `value` that is not allowed.
    func stray(in value: JSON) -> ExactText? {
        let note = KeyNote(self)
        guard let offered = note.enumeration.map({ $0.numbers.map(\.name) }) ?? note.choices, type == .data else { return nil }
        return value.texts?.first { !offered.contains($0) }
    }
}

extension String {
    /// The character that contains the byte `offset`, from 1.
    func character(_ offset: Int) -> Int { utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1 }
}
