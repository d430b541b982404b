import SettingsModel

/// The origin of a JSON Schema of settings, which decides what its members mean.
enum SchemaDialect: Sendable {
    case vscode, jsonSchema

    /// The member of an option or group that keeps what else is needed to write its schema again.
    var keptName: ExactText { self == .vscode ? "vscode" : "json-schema" }

    /// Our own member, for what JSON Schema can't express.
    static let ownName: ExactText = "x-settings"

    /// Members of `keptName` that are not part of a schema.
    static let nonSchemaNames: Set<ExactText> = ["value", "configuration", "markdown", "implied"]

    /// Members that define an option; all others are passed through.
    static let readNames: Set<ExactText> = [
        "type", "enum", "const", "oneOf", "anyOf", "allOf", "$ref", "minimum", "maximum", "exclusiveMinimum",
        "exclusiveMaximum", "multipleOf", "default", "title", "description", "markdownDescription", "pattern", "format",
        "readOnly", "writeOnly", "enumItemLabels", "enumNames", "enumDescriptions", "markdownEnumDescriptions",
    ]

    /// Members that don't concern titles, labels, values or ranges: kept without a report.
    var passedNames: Set<ExactText> {
        switch self {
        case .vscode: SchemaDialect.standardNames.union(SchemaDialect.vscodeNames)
        case .jsonSchema: SchemaDialect.standardNames
        }
    }

    private static let standardNames: Set<ExactText> = [
        "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "$schema",
        "$vocabulary", "additionalItems", "additionalProperties", "contains", "contentEncoding", "contentMediaType",
        "contentSchema", "definitions", "dependencies", "dependentRequired", "dependentSchemas", "deprecated", "else",
        "examples", "id", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems",
        "minLength", "minProperties", "not", "patternProperties", "prefixItems", "properties", "propertyNames", "required",
        "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
    ]

    private static let vscodeNames: Set<ExactText> = [
        "allowTrailingCommas", "defaultSnippets", "deprecationMessage", "disallowUntrustedConfiguration",
        "doNotSuggest", "editPresentation", "enumDeprecated", "errorMessage", "id", "ignoreSync", "included",
        "markdownDeprecationMessage", "order", "patternErrorMessage", "restricted", "scope", "suggestSortText", "tags",
    ]
}

extension SchemaDialect {
    /// Sets an option's value from a file. If it is invalid for the option, keeps it and returns what is wrong.
    func set(_ value: JSON, of option: inout SettingsOption) -> String? {
        option.value = nil
        keepRejected(nil, in: &option)
        if value.isNull, option.type != .choice || option.labels.label(of: .null) == nil { return nil }
        guard let fault = option.fault(of: value) else {
            option.value = value
            return nil
        }
        keepRejected(value, in: &option)
        return fault
    }

    /// The invalid value from a file that was kept.
    func rejectedValue(of option: SettingsOption) -> JSON? { option.other[keptName]?["value"] }

    private func keepRejected(_ value: JSON?, in option: inout SettingsOption) {
        var members: [JSON.Member] = []
        if case .object(let present)? = option.other[keptName] { members = present.filter { $0.name != "value" } }
        if let value { members.append(JSON.Member("value", value)) }
        option.other[keptName] = members.isEmpty ? nil : .object(members)
    }

    /// An option for a value without a definition.
    func option(for value: JSON, named name: String) -> SettingsOption {
        var option = SettingsOption(title: ExactText(Titles.words(of: name)), type: .data)
        switch value {
        case .bool: option.type = .switch
        case .number: option.type = .number
        case .string: option.type = .text
        case .array, .object: break
        case .null:
            keepRejected(value, in: &option)
            return option
        }
        option.value = value
        return option
    }
}

/// Something unusual in the schema of an option.
struct Finding {
    var kind: Repair.Kind = .repaired
    var found: String
    var done: String
}
