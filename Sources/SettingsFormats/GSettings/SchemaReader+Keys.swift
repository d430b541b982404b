import SettingsModel

/// Reads a `<key>` as an option.
extension SchemaReader {
    mutating func readKey(_ element: XMLElement, _ name: String, _ schema: Schema.Place) throws(Refusal) -> SettingsOption {
        let page = schema.id
        var note = KeyNote()
        var option = SettingsOption(title: "", type: .data)
        note.unknown.attributes = unknownAttributes(
            of: element, known: ["name", "type", "enum", "flags"], page: page, key: name, schema.file)
        let type = try readType(element, name, schema, &option, &note)

        var seen: Set<String> = []
        var defaultElement: XMLElement?
        for child in element.children {
            switch child.name {
            case "summary", "description", "default", "range", "choices", "aliases":
                guard seen.insert(child.name).inserted else {
                    repair(child, name, schema, "<\(child.name)> appears again", "the first one counts")
                    continue
                }
            default:
                note.unknown.elements.append(ExactText(child.xml))
                kept("an element <\(child.name)>, which is unknown to GSettings", schema.file, child.line, page: page, key: name)
                continue
            }
            switch child.name {
            case "summary": option.title = ExactText(squeezed(child.text, paragraphs: false))
            case "description":
                let help = squeezed(child.text, paragraphs: true)
                if !help.isEmpty { option.help = ExactText(help) }
            case "default": defaultElement = child
            case "range": readRange(child, name, schema, type, &option, &note)
            case "choices": try readChoices(child, name, schema, type, &option, &note)
            default: try readAliases(child, name, schema, &note)
            }
        }
        if option.type == .number, type.isInteger { option.range.step = Number(1) }
        let words = ExactText(Titles.words(of: name))
        if option.title.isEmpty { option.title = words } else if option.title == words { note.hasSummary = true }
        option.other["gsettings"] = note.json
        if let defaultElement {
            try readDefault(defaultElement, into: &option, name, schema)
        } else {
            repair(element, name, schema, "the key has no default", "imported without a default")
        }
        return option
    }

    private func readType(
        _ element: XMLElement, _ name: String, _ schema: Schema.Place, _ option: inout SettingsOption, _ note: inout KeyNote
    ) throws(Refusal) -> GVariantType {
        func refusal(_ reason: String, hint: String? = nil) -> Refusal {
            Refusal(
                "the key '\(name)' of '\(schema.id)' \(reason)", in: schema.file,
                at: BadFile.Position(line: element.line, column: 1), hint: hint)
        }
        let given = ["type", "enum", "flags"].filter { element[$0] != nil }
        guard given.count == 1, let kind = given.first, let id = element[kind] else {
            throw refusal(given.isEmpty ? "has no type" : "has \(given.joined(separator: " and ")), but can have only one")
        }
        if kind == "type" {
            guard let type = GVariantType(id) else { throw refusal("has the invalid type '\(id)'") }
            option.type = SettingsOption.Kind(type)
            if type != "b", type != "s" { note.type = type }
            return type
        }
        guard let enumeration = enumerations[id] else {
            throw refusal(
                "is of '\(id)', which no file defines", hint: "import the .enums.xml or .gschema.xml file that defines it, too")
        }
        guard enumeration.note.isFlags == (kind == "flags") else {
            throw refusal(
                "uses '\(id)' as "
                    + (kind == "enum" ? "an enumeration, but it is a set of flags" : "a set of flags, but it is an enumeration")
            )
        }
        note.enumeration = enumeration.note
        if kind == "flags" {
            note.type = "as"
            return "as"
        }
        option.type = .choice
        option.labels = enumeration.labels
        return "s"
    }

    private mutating func repair(_ element: XMLElement, _ name: String, _ schema: Schema.Place, _ found: String, _ done: String) {
        repairs.append(
            Repair(file: schema.file, line: element.line, page: schema.id, key: name, found: found, done: done))
    }

    /// Either end may be missing and defaults to the limit of the type.
    private mutating func readRange(
        _ element: XMLElement, _ name: String, _ schema: Schema.Place, _ type: GVariantType, _ option: inout SettingsOption,
        _ note: inout KeyNote
    ) {
        let raw = JSON.object([
            "min": element["min"].map { .string(ExactText($0)) }, "max": element["max"].map { .string(ExactText($0)) },
        ])
        guard type.isInteger || type == "d" else {
            note.range = raw
            return repair(
                element, name, schema, "a range, but the key is not a number", "it is kept for export and has no effect")
        }
        var bounds: [Number?] = []
        for attribute in ["min", "max"] {
            guard let text = element[attribute] else {
                bounds.append(nil)
                continue
            }
            guard let value = try? GVariant(parsing: text, as: type) else {
                note.range = raw
                return repair(
                    element, name, schema, "the range's \(attribute) is '\(text)', which is not a '\(type.text)'",
                    "the range is kept for export and has no effect")
            }
            // An infinite bound means no bound.
            if case .number(let number)? = value.json { bounds.append(number) } else { bounds.append(nil) }
        }
        if let minimum = bounds[0], let maximum = bounds[1], maximum < minimum {
            note.range = raw
            return repair(
                element, name, schema, "the minimum \(minimum.text) of the range is above the maximum \(maximum.text)",
                "it is kept for export and has no effect")
        }
        option.range = SettingsOption.Range(minimum: bounds[0], maximum: bounds[1])
    }

    private mutating func readChoices(
        _ element: XMLElement, _ name: String, _ schema: Schema.Place, _ type: GVariantType, _ option: inout SettingsOption,
        _ note: inout KeyNote
    ) throws(Refusal) {
        var values: [ExactText] = []
        var seen: Set<ExactText> = []
        for child in element.children where child.name == "choice" {
            let value = ExactText(try child.required("value", in: schema.file))
            if !seen.insert(value).inserted {
                repair(child, name, schema, "the choice '\(value)' appears again", "the first one counts")
            } else {
                values.append(value)
            }
        }
        if note.enumeration != nil {
            repair(element, name, schema, "a key of an enumeration has <choices>", "the enumeration counts")
        } else if type == "s" {
            option.type = .choice
            option.labels = Labels(values.map { ChoiceLabel(value: .string($0), text: $0) })
        } else {
            note.choices = values
        }
    }

    private mutating func readAliases(
        _ element: XMLElement, _ name: String, _ schema: Schema.Place, _ note: inout KeyNote
    ) throws(Refusal) {
        var seen: Set<ExactText> = []
        for child in element.children where child.name == "alias" {
            let alias = ExactText(try child.required("value", in: schema.file))
            let target = ExactText(try child.required("target", in: schema.file))
            if !seen.insert(alias).inserted {
                repair(child, name, schema, "the alias '\(alias)' appears again", "the first one counts")
            } else {
                note.aliases.append(JSON.Member(alias, .string(target)))
            }
        }
    }
}

extension SettingsOption.Kind {
    /// The type of option that represents a GVariant type.
    init(_ type: GVariantType) {
        switch type {
        case "b": self = .switch
        case "d": self = .number
        case "s", "o", "g": self = .text
        default: self = type.isInteger ? .number : .data
        }
    }
}

/// `text` with single spaces, as GLib uses it to look up translations; with `paragraphs`, empty lines still separate paragraphs.
func squeezed(_ text: String, paragraphs: Bool) -> String {
    var out: [UInt8] = []
    var lines = 0
    var isSpace = true
    for byte in text.utf8 {
        switch byte {
        case 10:
            lines += 1
            isSpace = true
        case 32, 9, 11, 12, 13: isSpace = true
        default:
            if isSpace, !out.isEmpty { out += paragraphs && lines > 1 ? [10, 10] : [32] }
            isSpace = false
            lines = 0
            out.append(byte)
        }
    }
    return String(decoding: out, as: UTF8.self)
}
