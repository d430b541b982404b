/// The JSON Schema (draft 2020-12) of the three kinds of file in a store.
public enum Schema {
    public static var all: JSON {
        .object([
            "$schema": .string(dialect),
            "title": "Files of a settings store",
            "$defs": .object(["option": option, "group": group, "store": store]),
            "anyOf": .array(["option", "group", "store"].map { .object(["$ref": .string("#/$defs/\($0)")]) }),
        ])
    }

    /// The schema of `option`, `group` or `store` alone.
    public static func named(_ name: String) -> JSON? {
        let schema: JSON
        switch name {
        case "option": schema = option
        case "group": schema = group
        case "store": schema = store
        default: return nil
        }
        guard case .object(let members) = schema else { return nil }
        return .object([JSON.Member("$schema", .string(dialect))] + members)
    }

    private static let dialect = "https://json-schema.org/draft/2020-12/schema"

    private static func type(_ name: String, _ description: String) -> JSON {
        .object(["type": .string(name), "description": .string(description)])
    }

    private static func strings(_ description: String) -> JSON {
        .object(["type": "array", "items": .object(["type": "string"]), "description": .string(description)])
    }

    private static func described(_ description: String) -> JSON { .object(["description": .string(description)]) }

    private static let scalars: JSON = .array(["string", "number", "boolean", "null"])

    private static var option: JSON {
        .object([
            "title": "An option",
            "type": "object",
            "required": .array(["title", "type"]),
            "properties": .object([
                "title": type("string", "The title that people see."),
                "type": .object(["enum": .array(SettingsOption.Kind.allCases.map { .string($0.rawValue) })]),
                "selected": .object([
                    "type": .array(["integer", "null"]), "minimum": .number(0),
                    "description": "The index of the chosen label, from 0.",
                ]),
                "value": described("The value that programs read; in a choice, that of the chosen label."),
                "default": described("The value that programs get if none is set."),
                "help": type("string", "Explains the option."),
                "labels": strings("The labels that a person can choose."),
                "values": .object([
                    "type": "array", "uniqueItems": .bool(true), "items": .object(["type": scalars]),
                    "description": "The values of the labels, in the same order; for a switch, [off, on].",
                ]),
                "longLabels": strings("Longer labels, in the same order, shown where there is room."),
                "minimum": type("number", "The smallest allowed number."),
                "maximum": type("number", "The largest allowed number."),
                "step": .object(["type": "number", "exclusiveMinimum": .number(0), "description": "A number's step."]),
                "placeholder": type("string", "Shown while the text is empty."),
                "pattern": .object([
                    "type": "string", "format": "regex", "description": "A regular expression that the text must match.",
                ]),
                "masked": type("boolean", "Shown as dots; not encrypted."),
                "readOnly": type("boolean", "Refuse to set the option."),
                "key": type("string", "The exact name of the option in the program it was imported from."),
                "for": described("Reserved."),
            ]),
            "allOf": .array([
                rule("choice", .object(["required": .array(["labels"])])),
                rule(
                    "switch",
                    .object(["properties": .object(["values": .object(["minItems": .number(2), "maxItems": .number(2)])])])),
                rule("number", .object(["properties": .object(["value": .object(["type": .array(["number", "null"])])])])),
                rule("text", .object(["properties": .object(["value": .object(["type": .array(["string", "null"])])])])),
            ]),
        ])
    }

    private static func rule(_ kind: String, _ schema: JSON) -> JSON {
        .object([
            "if": .object(["properties": .object(["type": .object(["const": .string(kind)])])]),
            "then": schema,
        ])
    }

    private static var group: JSON {
        .object([
            "title": "A group: _group.json",
            "type": "object",
            "properties": .object([
                "title": type("string", "The title that people see."),
                "style": .object(["enum": .array(SettingsGroup.Style.allCases.map { .string($0.rawValue) })]),
                "footer": type("string", "Explains the group, below it."),
                "order": .object([
                    "type": "array", "uniqueItems": .bool(true), "items": .object(["type": "string"]),
                    "description": "Names in the order in which they are shown; all others follow in byte order.",
                ]),
            ]),
        ])
    }

    private static var store: JSON {
        let demand: JSON = .object(["enum": .array(StoreDefinition.Demand.allCases.map { .string($0.rawValue) })])
        return .object([
            "title": "A store: _store.json",
            "type": "object",
            "required": .array(["format"]),
            "properties": .object([
                "format": .object(["const": .number(StoreDefinition.format)]),
                "title": type("string", "The title that people see."),
                "policy": .object([
                    "type": "object",
                    "properties": .object(["why": demand, "requestedBy": demand, "ticket": demand]),
                ]),
                "durability": .object([
                    "enum": .array(StoreDefinition.Durability.allCases.map { .string(ExactText($0.rawValue)) }),
                    "description": "Whether versions survive a power failure.",
                ]),
                "files": .object([
                    "type": "array",
                    "maxItems": .number(TrackedFile.countLimit),
                    "description": "Files of other programs that are kept in step with a group.",
                    "items": .object([
                        "type": "object",
                        "required": .array(["file", "format"]),
                        "properties": .object([
                            "file": type("string", "The path relative to the store's folder."),
                            "format": .object(["enum": .array(FormatName.allCases.map { .string(ExactText($0.rawValue)) })]),
                            "group": type("string", "The group whose options are its members; empty for the root."),
                        ]),
                    ]),
                ]),
            ]),
        ])
    }
}
