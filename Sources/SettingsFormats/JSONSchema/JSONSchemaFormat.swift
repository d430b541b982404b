package import SettingsModel

// JSON Schema (https://json-schema.org, drafts 4 to 2020-12) of a program's settings, as JupyterLab, lazygit and many others
// publish it. An object with `properties` is a group with those options in file order:
//
//     "mode": {"title": "Mode", "type": "string", "default": "any",
//              "oneOf": [{"const": "any", "title": "Anything"}, {"const": "none", "title": "Nothing"}]}
//
// boolean → switch; number, integer → number with minimum, maximum and multipleOf; string → text; enum, const and
// alternatives of them → choice; anything else → data. References are followed within the file, never to other files.
// Everything else in a schema is kept in the option's member "json-schema". Schemas that are written here have `x-settings`
// for what JSON Schema can't express.

/// A JSON Schema of settings, with the values in a separate file.
package enum JSONSchemaFormat: Format {
    package static let name = FormatName.jsonSchema

    /// The maximum depth of a schema, so that what is kept of it fits into a file of the store.
    private static let depth = 120

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        let files = source.files.filter { $0.name.hasSuffix(".json") }
        guard let first = files.first, files.count == source.files.count || source.given.count == 1 else { return false }
        if source.files.count == 1 { return (try? document(first)).map(isSchema) ?? false }
        return files.contains { file in (try? document(file)).map(isSchema) ?? false }
    }

    private static func document(_ file: Source.File) throws(Refusal) -> JSONC {
        try JSONC(file.bytes(), in: file.path, depth: depth)
    }

    /// Whether the document declares itself a schema or has the members of a schema of settings.
    private static func isSchema(_ document: JSONC) -> Bool {
        guard let root = document.root, root.members != nil else { return false }
        if let schema = root["$schema"]?.text, schema.string.contains("json-schema.org/") { return true }
        if let properties = root["properties"]?.members {
            if root["type"]?.text == "object" { return true }
            return !properties.isEmpty && properties.allSatisfy { $0.value["type"] != nil || $0.value["$ref"] != nil }
        }
        guard let reference = root["$ref"]?.text else { return false }
        return reference.string.hasPrefix("#/") && (root["$defs"] ?? root["definitions"])?.members != nil
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        var imported = Imported(format: name, givesValues: request.values != nil)
        var names = KeyNames()
        if source.files.count == 1, let file = source.files.first {
            let document = try document(file)
            guard document.root?.members != nil else {
                throw Refusal("is not a JSON Schema: it contains no object", in: file.path)
            }
            var reading = SchemaReading(document, at: .root, names)
            try reading.read()
            guard !reading.settings.options.isEmpty else {
                throw Refusal(
                    "defines no settings", in: file.path, hint: "a JSON Schema of settings has them in \"properties\"")
            }
            imported.settings = reading.settings
            imported.repairs = reading.repairs
            names = reading.names
        } else {
            try readFolder(source, request, &names, into: &imported)
        }
        if let values = request.values {
            var reading = try SchemaValues(values, of: imported.settings, names)
            try reading.read()
            imported.settings = reading.settings
            imported.repairs += reading.repairs
        }
        return imported
    }

    /// Reads each file as a page, and the folders between as groups.
    private static func readFolder(
        _ source: Source, _ request: ReadRequest, _ names: inout KeyNames, into imported: inout Imported
    ) throws(Refusal) {
        var order: [Key: [ExactText]] = [:]
        var count = 0
        for (index, file) in source.files.enumerated() {
            request.progress?(index, source.files.count)
            guard file.name.hasSuffix(".json") else { continue }
            let document = try document(file)
            let isEmptyPage = document.root?["type"]?.text == "object" && document.root?["properties"] == nil
            guard isSchema(document) || isEmptyPage else { continue }
            var key = Key.root
            let steps = file.relativePath.dropLast(".json".count).split(separator: "/").map(String.init)
            for (depth, step) in steps.enumerated() {
                let made: (key: Key, isExact: Bool)
                do throws(Key.Malformed) { made = try names.key(step, in: key) } catch {
                    throw Refusal("can't have a key: \(error.reason)", in: file.path)
                }
                if order[key]?.contains(ExactText(made.key.name)) != true {
                    order[key, default: []].append(ExactText(made.key.name))
                }
                key = made.key
                if depth < steps.count - 1, imported.settings.groups[key] == nil {
                    imported.settings.groups[key] = SettingsGroup(title: ExactText(Titles.words(of: step)), style: .page)
                }
                if !made.isExact {
                    imported.settings.groups[key, default: SettingsGroup()].other["key"] = .string(ExactText(step))
                }
            }
            var reading = SchemaReading(document, at: key, names)
            try reading.read()
            names = reading.names
            let exact = imported.settings.groups[key]?.other["key"]
            imported.settings.options.merge(reading.settings.options) { _, new in new }
            imported.settings.groups.merge(reading.settings.groups) { _, new in new }
            if let exact { imported.settings.groups[key]?.other["key"] = exact }
            if imported.settings.groups[key]?.title == nil {
                imported.settings.groups[key]?.title = ExactText(Titles.words(of: steps.last ?? ""))
            }
            imported.repairs += reading.repairs
            count += 1
        }
        guard count > 0 else {
            throw Refusal("\(source.given.joined(separator: ", ")): found no JSON Schema of settings")
        }
        imported.settings.groups[.root, default: SettingsGroup()].style = SchemaReading.style(at: 0)
        for (key, names) in order where names.count > 1 {
            imported.settings.groups[key, default: SettingsGroup()].order = names + (imported.settings.groups[key]?.order ?? [])
        }
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        if request.part == .values { return .text(try SchemaValues.text(of: settings, request)) }
        let edit = DocumentEdit(
            keptName: SchemaDialect.jsonSchema.keptName,
            read: { bytes throws(Refusal) in
                let document = try JSONC(bytes, in: "the file", depth: depth)
                guard isSchema(document) else { throw Refusal("is not a JSON Schema of settings", in: request.name) }
                var reading = SchemaReading(document, at: .root, KeyNames())
                try reading.read()
                return reading.settings
            },
            write: { SchemaWriting($0).schema(title: request.title) },
            name: { key, settings in settings.exactPath(of: key).joined(separator: "\u{0}") },
            restrictions: [
                "type", "enum", "const", "anyOf", "oneOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                "multipleOf",
                "pattern",
            ])
        if let edited = try edit.edited(settings, request) { return edited }
        return .text(Array(SchemaWriting(settings).schema(title: request.title).pretty.utf8))
    }
}
