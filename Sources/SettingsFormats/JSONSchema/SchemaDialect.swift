import SettingsModel

/// Who wrote a JSON Schema of settings, so what its members mean.
enum SchemaDialect: Sendable {
    case vscode, jsonSchema

    /// The member of an option or group that holds what else is needed to write its schema again.
    var keptName: Text { self == .vscode ? "vscode" : "json-schema" }

    /// A member of our own, for what JSON Schema has no word for.
    static let ownName: Text = "x-settings"

    /// What `keptName` holds besides members of a schema.
    static let apartNames: Set<Text> = ["value", "configuration", "markdown"]

    /// Members that say what an option is; anything else passes through.
    static let readNames: Set<Text> = [
        "type", "enum", "const", "oneOf", "anyOf", "allOf", "$ref", "minimum", "maximum", "exclusiveMinimum",
        "exclusiveMaximum", "multipleOf", "default", "title", "description", "markdownDescription", "pattern", "format",
        "readOnly", "writeOnly", "enumItemLabels", "enumNames", "enumDescriptions", "markdownEnumDescriptions",
    ]

    /// Members with a meaning that isn't about titles, labels, values or ranges: kept without a word.
    var passedNames: Set<Text> {
        switch self {
        case .vscode: SchemaDialect.standardNames.union(SchemaDialect.vscodeNames)
        case .jsonSchema: SchemaDialect.standardNames
        }
    }

    private static let standardNames: Set<Text> = [
        "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "$schema",
        "$vocabulary", "additionalItems", "additionalProperties", "contains", "contentEncoding", "contentMediaType",
        "contentSchema", "definitions", "dependencies", "dependentRequired", "dependentSchemas", "deprecated", "else",
        "examples", "id", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems",
        "minLength", "minProperties", "not", "patternProperties", "prefixItems", "properties", "propertyNames", "required",
        "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
    ]

    private static let vscodeNames: Set<Text> = [
        "allowTrailingCommas", "defaultSnippets", "deprecationMessage", "disallowUntrustedConfiguration",
        "doNotSuggest", "editPresentation", "enumDeprecated", "errorMessage", "id", "ignoreSync", "included",
        "markdownDeprecationMessage", "order", "patternErrorMessage", "restricted", "scope", "suggestSortText", "tags",
    ]
}

/// Something odd in one option's schema.
struct Finding {
    var kind: Repair.Kind = .repaired
    var found: String
    var done: String
}
