import SettingsModel

/// Reads `.gschema.xml` and `.enums.xml` files: all enumerations first, since they may be in any file.
struct SchemaReader {
    var schemas: [Schema] = []
    private(set) var places: [String: Int] = [:]
    var repairs: [Repair] = []
    private(set) var enumerations: [String: Enumeration] = [:]
    private(set) var files: [SchemaFile] = []
    /// Overrides of missing schemas.
    private(set) var strayOverrides: [KeyFile.Section] = []
    /// Overrides by schema, in the order in which they apply.
    private var vendorOverrides: [String: [VendorOverride]] = [:]

    /// The maximum number of values of an enumeration; the next limits the keys of all schemas. Real ones have 150 and 5,000.
    static let nickLimit = 4096
    static let keyLimit = 50_000
    private var keyCount = 0

    struct Enumeration {
        var note: KeyNote.Enumeration
        var labels: Labels
        var file: String
        var line: Int
    }

    /// `overrides` are applied in order.
    mutating func read(_ files: [SchemaFile], overrides: [(file: String, keys: KeyFile)]) throws(Refusal) {
        self.files = files
        for file in files {
            guard file.root.name == "schemalist" else {
                throw Refusal(
                    "is a <\(file.root.name)>, not a <schemalist>", in: file.path,
                    at: BadFile.Position(line: file.root.line, column: 1))
            }
            for element in file.root.children where element.name == "enum" || element.name == "flags" {
                try readEnumeration(element, in: file.path)
            }
        }
        for file in files { try readSchemas(file.root, in: file.path) }
        for (file, keys) in overrides { sort(keys, file) }
        try resolveExtensions()
    }

    /// Assigns overrides to schemas. An override of a missing schema is not an error; it is kept.
    private mutating func sort(_ keys: KeyFile, _ file: String) {
        for section in keys.sections {
            let (id, desktop) = VendorOverride.parts(of: section.name)
            guard places[id] != nil else {
                strayOverrides.append(section)
                kept("overrides a schema that does not exist", file, section.line, page: section.name)
                continue
            }
            for entry in section.entries {
                vendorOverrides[id, default: []].append(
                    VendorOverride(desktop: desktop, entry: entry, file: file))
            }
        }
    }

    private mutating func readSchemas(_ root: XMLElement, in file: String) throws(Refusal) {
        for name in root.attributes.keys.sorted() where name != "gettext-domain" {
            kept("the attribute \(name)=\"\(root[name] ?? "")\" of the file", file, root.line, done: "it has no meaning here")
        }
        for element in root.children {
            switch element.name {
            case "schema": try readSchema(element, domain: root["gettext-domain"], in: file)
            case "enum", "flags": continue
            default:
                repairs.append(
                    Repair(
                        file: file, line: element.line, found: "an element <\(element.name)>, which is unknown to GSettings",
                        done: "it is left out"))
            }
        }
    }

    private mutating func readEnumeration(_ element: XMLElement, in file: String) throws(Refusal) {
        let id = try element.required("id", in: file)
        var nicks: Set<ExactText> = []
        var numbers: [JSON.Member] = []
        guard element.children.count <= SchemaReader.nickLimit else {
            throw Refusal(
                "the enumeration '\(id)' has more than \(SchemaReader.nickLimit) values", in: file,
                at: BadFile.Position(line: element.line, column: 1))
        }
        for child in element.children {
            guard child.name == "value" else {
                repairs.append(
                    Repair(
                        file: file, line: child.line, page: id, found: "an element <\(child.name)> in an enumeration",
                        done: "it is left out"))
                continue
            }
            let nick = ExactText(try child.required("nick", in: file))
            let number = try child.required("value", in: file)
            guard let value = try? GVariant(parsing: number, as: "x"), case .integer(let integer, _) = value else {
                throw Refusal(
                    "the nick '\(nick)' of '\(id)' has the value '\(number)', which is not a number", in: file,
                    at: BadFile.Position(line: child.line, column: 1))
            }
            guard nicks.insert(nick).inserted else {
                repairs.append(
                    Repair(
                        file: file, line: child.line, page: id, found: "the nick '\(nick)' appears again",
                        done: "the first one counts"))
                continue
            }
            numbers.append(JSON.Member(nick, .number(Int(truncatingIfNeeded: integer))))
        }
        let note = KeyNote.Enumeration(id: ExactText(id), isFlags: element.name == "flags", numbers: numbers)
        if let first = enumerations[id] {
            repairs.append(
                Repair(
                    file: file, line: element.line, page: id,
                    found: "'\(id)' is defined again" + (first.note == note ? "" : ", differently"),
                    done: "the definition in \(first.file):\(first.line) counts"))
            return
        }
        let labels = Labels(numbers.map { ChoiceLabel(value: .string($0.name), text: $0.name) })
        enumerations[id] = Enumeration(note: note, labels: labels, file: file, line: element.line)
    }

    private mutating func readSchema(_ element: XMLElement, domain: String?, in file: String) throws(Refusal) {
        let id = try element.required("id", in: file)
        if let first = places[id].map({ schemas[$0] }) {
            repairs.append(
                Repair(
                    file: file, line: element.line, page: id, found: "the schema '\(id)' is defined again",
                    done: "the definition in \(first.file):\(first.line) counts"))
            return
        }
        var note = SchemaNote()
        note.id = ExactText(id)
        note.path = element["path"].map { ExactText(path($0, id, element, file)) }
        note.gettextDomain = (element["gettext-domain"] ?? domain).map { ExactText($0) }
        note.extends = element["extends"].map { ExactText($0) }
        note.listOf = element["list-of"].map { ExactText($0) }
        note.unknown.attributes = unknownAttributes(
            of: element, known: ["id", "path", "gettext-domain", "extends", "list-of"], page: id, key: nil, file)
        var schema = Schema(id: id, note: note, file: file, line: element.line)
        var names: Set<String> = []
        for child in element.children { try read(child, into: &schema, &names) }
        try count(schema.keys.count + 1, schema)
        places[id] = schemas.count
        schemas.append(schema)
    }

    private mutating func count(_ more: Int, _ schema: Schema) throws(Refusal) {
        keyCount += more
        guard keyCount <= SchemaReader.keyLimit else {
            throw Refusal("there are more than \(SchemaReader.keyLimit) keys and schemas", in: schema.file)
        }
    }

    /// `names` contains the names of the children and overrides so far.
    private mutating func read(
        _ element: XMLElement, into schema: inout Schema, _ names: inout Set<String>
    ) throws(Refusal) {
        func repair(_ key: String?, _ found: String, _ done: String) {
            repairs.append(
                Repair(file: schema.file, line: element.line, page: schema.id, key: key, found: found, done: done))
        }
        switch element.name {
        case "key":
            let name = try element.required("name", in: schema.file)
            guard schema[name] == nil else { return repair(name, "the key is defined again", "the first definition counts") }
            schema[name] = Schema.Key(name: name, option: try readKey(element, name, schema.place), line: element.line)
        case "child":
            let name = ExactText(try element.required("name", in: schema.file))
            let child = ExactText(try element.required("schema", in: schema.file))
            if !names.insert("child \(name)").inserted {
                return repair(nil, "the child '\(name)' appears again", "the first one counts")
            }
            schema.note.children.append(JSON.Member(name, .string(child)))
        case "override":
            let name = try element.required("name", in: schema.file)
            if schema.note.extends == nil {
                return repair(name, "an <override>, but the schema does not extend another", "it is left out")
            }
            if !names.insert("override \(name)").inserted {
                return repair(name, "the override appears again", "the first one counts")
            }
            schema.overrides.append(Schema.Override(name: name, element: element))
        default:
            schema.note.unknown.elements.append(ExactText(element.xml))
            kept("an element <\(element.name)>, which is unknown to GSettings", schema.file, element.line, page: schema.id)
        }
    }

    /// A path begins and ends with a slash; a missing slash is added.
    private mutating func path(_ path: String, _ id: String, _ element: XMLElement, _ file: String) -> String {
        var whole = path
        if !whole.hasPrefix("/") { whole = "/" + whole }
        if !whole.hasSuffix("/") { whole += "/" }
        if whole != path {
            repairs.append(
                Repair(
                    file: file, line: element.line, page: id, found: "the path '\(path)' doesn't begin and end with a slash",
                    done: "it is read as '\(whole)'"))
        }
        return whole
    }

    mutating func unknownAttributes(
        of element: XMLElement, known: Set<String>, page: String, key: String?, _ file: String
    ) -> [JSON.Member] {
        let unknown = element.attributes.keys.filter { !known.contains($0) }.sorted()
        for name in unknown {
            kept("the attribute '\(name)', which is unknown to GSettings", file, element.line, page: page, key: key)
        }
        return unknown.map { JSON.Member(ExactText($0), .string(element[$0] ?? "")) }
    }

    mutating func kept(
        _ found: String, _ file: String, _ line: Int, page: String? = nil, key: String? = nil, done: String = "it is kept"
    ) {
        repairs.append(Repair(.kept, file: file, line: line, page: page, key: key, found: found, done: done))
    }
}

/// Schemas that extend others. Overrides of a schema's defaults also apply to the schemas that extend it.
extension SchemaReader {
    private mutating func resolveExtensions() throws(Refusal) {
        var isResolved = Array(repeating: false, count: schemas.count)
        for index in schemas.indices {
            // From the schema up to the one that extends none, then back.
            var chain: [Int] = []
            var next: Int? = index
            while let current = next, !isResolved[current] {
                let schema = schemas[current]
                let position = BadFile.Position(line: schema.line, column: 1)
                guard !chain.contains(current) else {
                    throw Refusal("the schema '\(schema.id)' extends itself", in: schema.file, at: position)
                }
                chain.append(current)
                next = nil
                guard let base = schema.note.extends?.string else { continue }
                guard let place = places[base] else {
                    throw Refusal(
                        "the schema '\(schema.id)' extends '\(base)', which no file defines", in: schema.file, at: position,
                        hint: "import the file that defines it together with this one")
                }
                next = place
            }
            for current in chain.reversed() {
                isResolved[current] = true
                if let base = schemas[current].note.extends?.string, let place = places[base] {
                    schemas[current].inherit(from: schemas[place])
                    try count(schemas[place].keys.count, schemas[current])
                    for override in schemas[current].overrides { try apply(override, to: current) }
                }
                for override in vendorOverrides[schemas[current].id] ?? [] { try apply(override, to: current) }
            }
        }
    }

    private mutating func apply(_ override: Schema.Override, to index: Int) throws(Refusal) {
        let place = schemas[index].place
        guard var key = schemas[index][override.name], KeyNote(key.option).isInherited else {
            repairs.append(
                Repair(
                    file: place.file, line: override.element.line, page: place.id, key: override.name,
                    found: "an <override> of a key that the extended schema doesn't have", done: "it is left out"))
            return
        }
        try readDefault(override.element, into: &key.option, key.name, place)
        key.line = override.element.line
        schemas[index][override.name] = key
    }
}

extension XMLElement {
    func required(_ attribute: String, in file: String) throws(Refusal) -> String {
        if let value = self[attribute] { return value }
        throw Refusal("a <\(name)> has no \(attribute)", in: file, at: BadFile.Position(line: line, column: 1))
    }
}
