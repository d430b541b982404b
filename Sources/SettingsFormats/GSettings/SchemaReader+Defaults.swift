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
            value = try GVariant(parsing: text, as: option.gsettings.type)
        } catch {
            throw Refusal(
                "the default of the key '\(name)' of '\(schema.id)' can't be read: \(error.reason)", in: schema.file,
                at: files.first { $0.path == schema.file }?.position(of: error.offset, in: element),
                hint: option.type == .text || option.type == .choice ? "a string also needs quotes there: 'text'" : nil)
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
                done: "it is kept unchanged")
        }
        let fault = option.gsettings.setDefault(value)
        if let fault {
            repairs.append(
                Repair(
                    file: schema.file, line: element.line, page: schema.id, key: name, found: fault.found, done: fault.done))
            if option.defaultValue == nil { option.gsettings.note.defaultText = ExactText(text) }
        }
    }

    mutating func apply(_ override: VendorOverride, to index: Int) throws(Refusal) {
        let page = schemas[index].id
        let name = override.entry.key
        guard var key = schemas[index][name],
            !KeyNote(key.option).isInherited || schemas[index].overrides.contains(where: { $0.name == name })
        else { return repairs.append(override.leftOut("overrides a key that the schema doesn't have", page)) }
        if let repair = key.option.gsettings.override(override, page) { repairs.append(repair) }
        schemas[index][name] = key
    }
}

extension VendorOverride {
    func leftOut(_ found: String, _ page: String) -> Repair {
        Repair(file: file, line: entry.line, page: page, key: entry.key, found: found, done: "the override is left out")
    }
}

extension String {
    /// The character that contains the byte `offset`, from 1.
    func character(_ offset: Int) -> Int { utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1 }
}
