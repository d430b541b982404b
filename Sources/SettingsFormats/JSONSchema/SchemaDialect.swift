import SettingsModel

/// The origin of a JSON Schema of settings, which decides what its members mean.
enum SchemaDialect: Sendable {
    case vscode, jsonSchema

    /// The member of an option or group that keeps what else is needed to write its schema again.
    var keptName: ExactText { self == .vscode ? "vscode" : "json-schema" }

    /// Our own member, for what JSON Schema can't express.
    static let ownName: ExactText = "x-settings"

    /// Members of `keptName` that are not part of a schema.
    static let nonSchemaNames: Set<ExactText> = ["value", "configuration", "markdown"]

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

/// Something unusual in the schema of an option.
struct Finding {
    var kind: Repair.Kind = .repaired
    var found: String
    var done: String
}
