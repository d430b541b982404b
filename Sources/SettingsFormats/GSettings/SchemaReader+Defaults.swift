import SettingsModel

/// A default that a `.gschema.override` file gives a key.
struct VendorOverride {
    /// Where it counts only there.
    var desktop: String?
    var entry: KeyFile.Entry
    var file: String
}

extension SchemaReader {
    mutating func readDefault(
        _ element: XMLElement, into option: inout Option, _ name: String, _ schema: Schema
    ) throws(Refusal) {
        let text = element.text
        let value: GVariant
        do throws(GVariant.Malformed) {
            value = try GVariant(parsing: text, as: option.gvariantType)
        } catch {
            throw Refusal(
                "the default of the key '\(name)' of '\(schema.id)' can't be read: \(error.reason)", in: schema.file,
                at: files.first { $0.path == schema.file }?.position(of: error.offset, in: element),
                hint: text.contains("'") || text.contains("\"") ? nil : "a string stands in quotes there too: 'text'")
        }
        var note = KeyNote(option)
        note.l10n = element["l10n"].map { Text($0) }
        note.context = element["context"].map { Text($0) }
        note.defaultText = note.l10n != nil && text != value.text ? Text(text) : nil
        note.unknown.attributes += unknownAttributes(
            of: element, known: ["l10n", "context", "name"], page: schema.id, key: name, schema.file)
        option.other["gsettings"] = note.json
        if let l10n = note.l10n {
            kept(
                "the default is translated (\(l10n))", schema.file, element.line, page: schema.id, key: name,
                done: "it is kept as it stands there")
        }
        let fault = setDefault(value, of: &option)
        if let fault {
            repairs.append(
                Repair(
                    file: schema.file, line: element.line, page: schema.id, key: name, found: fault.found, done: fault.done))
            if option.defaultValue == nil { option.note { $0.defaultText = Text(text) } }
        }
    }

    /// Says what is wrong with it, and what was done.
    private func setDefault(_ value: GVariant, of option: inout Option) -> (found: String, done: String)? {
        option.defaultValue = nil
        guard let json = value.json else {
            return (
                "the default is \(value.text), for which JSON has no number", "it is kept for export; there is no default here"
            )
        }
        let note = KeyNote(option)
        if option.type == .choice, option.labels.index(of: json) == nil {
            if let alias = note.aliases.first(where: { .string($0.name) == json }), option.labels.index(of: alias.value) != nil {
                option.defaultValue = alias.value
                return ("the default is \(value.text), which is an alias", "the default is \(alias.value.compact)")
            }
            return (
                "the default is \(value.text), which is not among the choices", "it is kept for export; there is no default here"
            )
        }
        option.defaultValue = json
        if case .number(let number) = json, let reason = option.range.fault(of: number) {
            return ("the default is outside the range: \(reason)", "it is the default all the same")
        }
        if let stray = option.stray(in: json) {
            return ("the default has '\(stray)', which is not among the choices", "it is the default all the same")
        }
        return nil
    }

    /// As GLib does: what doesn't fit is left out, and the schema's own default stays.
    mutating func apply(_ override: VendorOverride, to index: Int) throws(Refusal) {
        let schema = schemas[index]
        let entry = override.entry
        func repair(_ found: String) {
            repairs.append(
                Repair(
                    file: override.file, line: entry.line, page: schema.id, key: entry.key, found: found,
                    done: "the override is left out"))
        }
        guard var key = schema[entry.key],
            !KeyNote(key.option).isInherited || schema.overrides.contains(where: { $0.name == entry.key })
        else { return repair("overrides a key that the schema doesn't have") }
        let value: GVariant
        do throws(GVariant.Malformed) {
            value = try GVariant(parsing: entry.value, as: key.option.gvariantType)
        } catch {
            return repair(
                "the override \(entry.value) can't be read: \(error.reason), at its character \(entry.value.character(error.offset))"
            )
        }
        if override.desktop != nil, KeyNote(key.option).l10n != nil {
            return repair("overrides a translated default for one desktop")
        }
        var option = key.option
        if let fault = setDefault(value, of: &option) { return repair(fault.found) }
        if let desktop = override.desktop {
            key.option.note { note in
                note.desktops.removeAll { $0.name == Text(desktop) }
                note.desktops.append(JSON.Member(Text(desktop), .string(value.text)))
            }
            kept(
                "the default \(value.text) counts for the desktop \(desktop) only", override.file, entry.line, page: schema.id,
                key: entry.key, done: "it is kept and not applied")
        } else {
            let own = key.option.ownDefault
            key.option.defaultValue = option.defaultValue
            key.option.note { note in
                note.schemaDefault = note.schemaDefault ?? own
                note.defaultText = nil
            }
        }
        schemas[index][entry.key] = key
    }
}

extension Option {
    /// The default as GVariant's text.
    var ownDefault: Text? {
        if let text = KeyNote(self).defaultText { return text }
        guard let defaultValue, let value = try? gvariant(of: defaultValue) else { return nil }
        return Text(value.text)
    }

    /// A string within `value` that is not among those that may be there.
    func stray(in value: JSON) -> Text? {
        let note = KeyNote(self)
        guard let offered = note.enumeration.map({ $0.numbers.map(\.name) }) ?? note.choices, type == .data else { return nil }
        return value.texts?.first { !offered.contains($0) }
    }
}

extension String {
    /// Which character the byte `offset` is, from 1.
    func character(_ offset: Int) -> Int { utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1 }
}
