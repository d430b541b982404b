import SettingsModel

/// Writes schemas as `.gschema.xml`, for `glib-compile-schemas`. Defaults include a vendor's overrides, unless overrides
/// are written separately.
struct SchemaWriter {
    private var schemas: [String: Schema] = [:]
    private var enumerations: [ExactText: KeyNote.Enumeration] = [:]
    /// The sections of overrides: text by key.
    private var overridden: [String: [String: String]] = [:]
    private let splits: Bool
    private var xml = XMLText()
    private var body = XMLText(depth: 1)

    init(_ settings: SettingsContent, title: ExactText?, splits: Bool = false) throws(Refusal) {
        self.splits = splits
        let options = Dictionary(grouping: settings.options.keys, by: \.group)
        var ids: [Key: String?] = [:]
        var paths = GroupPaths(settings)
        for group in settings.allGroups.sorted() {
            let section = settings.groups[group]
            let note = SchemaNote(section)
            for section in note?.overrides ?? [] {
                for entry in section.value.members ?? [] {
                    overridden[section.name.string, default: [:]][entry.name.string] = entry.value.bare
                }
            }
            for template in note?.templates ?? [] { schemas[template.name.string] = Schema(template: template) }
            let id = SchemaWriter.id(of: group, section, note, above: ids[group.group] ?? nil, title)
            ids[group] = id
            guard let id, !(options[group] ?? []).isEmpty || note?.id != nil else { continue }
            var own = note ?? SchemaNote()
            own.path = ExactText(paths.path(of: group))
            guard schemas[id] == nil else { throw Refusal("\(group): there are two schemas '\(id)'") }
            let schema = try SchemaWriter.schema(id, own, group, options[group] ?? [], settings, checks: note == nil)
            if note?.id != nil || !schema.keys.isEmpty { schemas[id] = schema }
        }
    }

    /// Nil for a path without a schema.
    private static func id(
        of group: Key, _ section: SettingsGroup?, _ note: SchemaNote?, above: String?, _ title: ExactText?
    ) -> String? {
        if let id = note?.id { return id.string }
        if note?.path != nil { return nil }
        if group.isRoot { return KeyNames.part(from: title?.string ?? "settings").lowercased() }
        let name = section?.other["key"]?.text?.string ?? group.name
        return group.group.isRoot && above?.contains(".") != true ? name : "\(above ?? "").\(name)"
    }

    private static func schema(
        _ id: String, _ note: SchemaNote, _ group: Key, _ keys: [Key], _ settings: SettingsContent, checks: Bool
    ) throws(Refusal) -> Schema {
        var schema = Schema(id: id, note: note, file: "", line: 0)
        let names = Set(keys.map { ExactText($0.name) })
        for name in (settings.groups[group] ?? SettingsGroup()).ordered(names) {
            let key = try? group.appending(name.string)
            guard let key, let option = settings.options[key], !KeyNote(option).isUndefined else { continue }
            let exact = option.importedKey?.string ?? key.name
            if checks, let reason = fault(of: exact) {
                throw Refusal("\(key): '\(exact)' cannot be a GSettings key: \(reason)", remedy: .renamingOption)
            }
            schema[exact] = Schema.Key(name: exact, option: option, line: 0)
        }
        return schema
    }

    private static func fault(of name: String) -> String? {
        guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return "it doesn't begin with a lower-case letter"
        }
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isPlain else { return "it has characters other than lower-case letters, digits and '-'" }
        return name.hasSuffix("-") || name.contains("--") ? "it ends in '-' or contains '--'" : nil
    }

    mutating func text() throws(Refusal) -> [UInt8] {
        var isWritten: Set<String> = []
        for id in schemas.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            try write(id, &isWritten)
        }
        xml.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        xml.begin("schemalist")
        for id in enumerations.keys.sorted() {
            guard let enumeration = enumerations[id] else { continue }
            xml.begin(enumeration.isFlags ? "flags" : "enum", ["id": id.string])
            for member in enumeration.numbers {
                xml.empty("value", ["nick": member.name.string, "value": member.value.bare])
            }
            xml.end()
        }
        let out = xml.text + body.text + "</schemalist>\n"
        if let fault = XMLText.fault(in: out) { throw Refusal("a title, a text or a default can't be written: \(fault)") }
        return Array(out.utf8)
    }

    /// Writes the schema after the one that it extends.
    private mutating func write(_ id: String, _ isWritten: inout Set<String>) throws(Refusal) {
        guard let schema = schemas[id], isWritten.insert(id).inserted else { return }
        var base: Schema?
        if let name = schema.note.extends?.string, let known = schemas[name] {
            try write(name, &isWritten)
            base = known
        }
        let note = schema.note
        let attributes: [(String, String?)] =
            [
                ("id", id), ("path", note.path?.string), ("extends", base?.id), ("list-of", note.listOf?.string),
                ("gettext-domain", note.gettextDomain?.string),
            ] + note.unknown.pairs
        body.begin("schema", pairs: attributes)
        for key in schema.keys {
            do throws(GVariant.Malformed) {
                if let base, KeyNote(key.option).isInherited, let inherited = base[key.name] {
                    if inherited.option.defaultValue != key.option.defaultValue {
                        body.element("override", ["name": key.name], containing: try defaultText(key, of: id))
                    }
                } else {
                    try write(key, of: id)
                }
            } catch {
                throw Refusal("\(id) \(key.name): it can't be written as GSettings: \(error.reason)")
            }
        }
        for child in note.children { body.empty("child", ["name": child.name.string, "schema": child.value.bare]) }
        for element in note.unknown.elements { body.raw(element.string) }
        body.end()
    }

    private mutating func write(_ key: Schema.Key, of schema: String) throws(GVariant.Malformed) {
        let option = key.option
        let note = KeyNote(option)
        let type = try SchemaWriter.type(of: option)
        let offered = option.gsettings.offered(type)
        var attributes: [(String, String?)] = [("name", key.name)]
        if let enumeration = note.enumeration {
            let id = define(option.gsettings.numbered(enumeration), "\(schema).\(key.name)")
            attributes.append((enumeration.isFlags ? "flags" : "enum", id.string))
        } else {
            attributes.append(("type", type.text))
        }
        body.begin("key", pairs: attributes + note.unknown.pairs)
        if note.enumeration == nil, !offered.isEmpty {
            body.begin("choices")
            for choice in offered { body.empty("choice", ["value": choice.string]) }
            body.end()
        }
        if !note.aliases.isEmpty {
            body.begin("aliases")
            for alias in note.aliases { body.empty("alias", ["value": alias.name.string, "target": alias.value.bare]) }
            body.end()
        }
        if let range = note.range {
            body.empty("range", ["min": range["min"]?.text?.string, "max": range["max"]?.text?.string])
        } else if option.range.minimum != nil || option.range.maximum != nil {
            body.empty("range", ["min": option.range.minimum?.text, "max": option.range.maximum?.text])
        }
        body.element(
            "default", ["l10n": note.l10n?.string, "context": note.context?.string],
            containing: try defaultText(key, of: schema))
        if note.hasSummary || option.title != ExactText(Titles.words(of: key.name)) {
            body.element("summary", containing: option.title.string)
        }
        if let help = option.help { body.element("description", containing: help.string) }
        for element in note.unknown.elements { body.raw(element.string) }
        body.end()
    }

    /// Keys share an enumeration if they have the same labels; a choice with edited labels gets its own.
    private mutating func define(_ enumeration: KeyNote.Enumeration, _ owner: String) -> ExactText {
        if enumerations[enumeration.id, default: enumeration] == enumeration {
            enumerations[enumeration.id] = enumeration
            return enumeration.id
        }
        var own = enumeration
        own.id = ExactText("\(enumeration.id).\(owner)")
        enumerations[own.id] = own
        return own.id
    }

    private static func type(of option: SettingsOption) throws(GVariant.Malformed) -> GVariantType {
        if let type = option.gsettings.type { return type }
        guard let value = option.defaultValue ?? option.value else { throw GVariant.Malformed("it has no default") }
        if option.type == .number {
            let numbers = [option.range.minimum, option.range.maximum, option.range.step].compactMap { $0 }
            if numbers.contains(where: { Int128($0.text) == nil }) { return "d" }
        }
        return try GVariant(untyped: value).type
    }

    private mutating func defaultText(_ key: Schema.Key, of schema: String) throws(GVariant.Malformed) -> String {
        let text = try SchemaWriter.defaultText(key.option)
        guard splits else { return text }
        let note = KeyNote(key.option)
        for desktop in note.desktops { overridden["\(schema):\(desktop.name)", default: [:]][key.name] = desktop.value.bare }
        guard let own = note.schemaDefault else { return text }
        overridden[schema, default: [:]][key.name] = text
        return own.string
    }

    /// The file of overrides, for the defaults that `text` left out.
    func overrides() -> [UInt8] {
        var out = ""
        for (section, entries) in overridden.sorted(by: { $0.key < $1.key }) {
            out += (out.isEmpty ? "[" : "\n[") + section + "]\n"
            for (name, text) in entries.sorted(by: { $0.key < $1.key }) { out += "\(name)=\(text)\n" }
        }
        return Array(out.utf8)
    }

    /// GVariant text without annotations, because the key declares its type.
    private static func defaultText(_ option: SettingsOption) throws(GVariant.Malformed) -> String {
        let written = KeyNote(option).defaultText?.string
        guard let value = option.defaultValue ?? (written == nil ? option.value : nil) else {
            if let written { return written }
            throw GVariant.Malformed("it has no default, which GSettings requires")
        }
        let variant = try GVariant(value, as: try type(of: option))
        if let written, (try? GVariant(parsing: written, as: variant.type)) == variant { return written }
        return variant.plain
    }
}

extension KeyNote.Unknown {
    fileprivate var pairs: [(String, String?)] { attributes.map { ($0.name.string, $0.value.bare) } }
}
