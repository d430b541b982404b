import SettingsModel

/// Edits schemas that are there: defaults, summaries, descriptions and ranges of keys, and whole keys. Everything else stays.
///
/// What the file defines and what is wanted are both written anew; where these two differ is what changes in the file.
struct SchemaEditor {
    private var edits: FileEdits
    private var refusals: [Refusal] = []
    private let prunes: Bool

    static func edited(_ file: [UInt8], to settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> [UInt8] {
        let name = request.name ?? "the existing file"
        let bytes = try PlainText(decoding: file, in: name).bytes
        let (present, own) = try PlainFile.orRewriting { () throws(Refusal) in
            (try XMLElement.read(bytes, in: name), try written(bytes, in: name))
        }
        var writer = try SchemaWriter(settings, title: request.title)
        let wanted = try XMLElement.read(writer.text(), in: name)
        var editor = SchemaEditor(edits: FileEdits(bytes), prunes: request.prunes)
        editor.edit(present, from: own, to: wanted)
        if editor.refusals.isEmpty, editor.edits.isEmpty { return file }
        let result = editor.edits.applied()
        if editor.refusals.isEmpty {
            let again = try? written(result, in: name)
            editor.check(again, is: wanted)
        }
        for index in editor.refusals.indices { editor.refusals[index].file = name }
        if let refusal = Refusal.joined(editor.refusals) { throw refusal }
        return try PlainText.encoded(result, like: file, in: name)
    }

    /// The schemas of a file as they are written anew.
    private static func written(_ bytes: [UInt8], in name: String) throws(Refusal) -> XMLElement {
        let settings = try GSettingsFormat.read(Source(files: [("own.gschema.xml", bytes)]), ReadRequest()).settings
        var writer = try SchemaWriter(settings, title: nil)
        return try XMLElement.read(writer.text(), in: name)
    }

    private init(edits: FileEdits, prunes: Bool) {
        self.edits = edits
        self.prunes = prunes
    }

    private mutating func refuse(_ what: String, _ element: XMLElement? = nil) {
        refusals.append(
            Refusal(
                "\(what) can't be edited in place", at: element.map { BadFile.Position(line: $0.line, column: 1) },
                hint: "change it in the file by hand", remedy: .rewriting))
    }

    /// What can't be edited shows where the result means something else.
    private mutating func check(_ again: XMLElement?, is wanted: XMLElement) {
        guard let again else { return refuse("the whole file") }
        for schema in wanted.children(named: "schema") {
            let there = again.schema(schema["id"])
            for key in schema.children(named: "key") where there?.key(key["name"])?.xml != key.xml {
                refuse("'\(schema["id"] ?? "").\(key["name"] ?? "")'")
            }
        }
    }
}

extension SchemaEditor {
    private mutating func edit(_ present: XMLElement, from own: XMLElement, to wanted: XMLElement) {
        for kind in ["enum", "flags"] where own.children(named: kind).map(\.xml) != wanted.children(named: kind).map(\.xml) {
            refuse(kind == "enum" ? "an enumeration" : "a set of flags")
        }
        for schema in wanted.children(named: "schema") {
            guard let old = own.schema(schema["id"]), let there = present.schema(schema["id"]) else {
                refuse("the schema '\(schema["id"] ?? "")', which the file lacks,")
                continue
            }
            edit(schema: there, from: old, to: schema)
        }
    }

    private mutating func edit(schema there: XMLElement, from old: XMLElement, to schema: XMLElement) {
        let id = schema["id"] ?? ""
        for key in schema.children(named: "key") {
            guard let name = key["name"], let before = old.key(name) else {
                add(key, to: there)
                continue
            }
            if before.xml == key.xml { continue }
            guard let element = there.key(name) else {
                refuse("'\(id).\(name)'")
                continue
            }
            edit(key: element, from: before, to: key, "\(id).\(name)")
        }
        for key in old.children(named: "key") where prunes && schema.key(key["name"]) == nil {
            guard let element = there.key(key["name"]) else { continue }
            edits.isAloneOnLines(element.range) ? edits.removeLines(element.range) : edits.remove(element.range)
        }
        let others = { (element: XMLElement) in element.children.filter { $0.name != "key" }.map(\.xml) }
        if others(old) != others(schema) { refuse("the schema '\(id)'", there) }
    }

    private mutating func edit(key element: XMLElement, from old: XMLElement, to new: XMLElement, _ name: String) {
        if old.attributes != new.attributes { return refuse("the type of '\(name)'", element) }
        let editable = ["default", "summary", "description", "range"]
        let others = { (key: XMLElement) in key.children.filter { !editable.contains($0.name) }.map(\.xml) }
        if others(old) != others(new) { refuse("the choices of '\(name)'", element) }
        for part in editable {
            let (before, after, there) = (old.child(named: part), new.child(named: part), element.child(named: part))
            if before?.xml == after?.xml { continue }
            switch (after, there) {
            case (let after?, let there?):
                part == "range" ? edits.replace(there.range, by: after.xml) : replaceText(there, by: after.text)
            case (let after?, nil): insert(after.xml, behind: element.children.last, in: element)
            case (nil, let there?):
                edits.isAloneOnLines(there.range) ? edits.removeLines(there.range) : edits.remove(there.range)
            case (nil, nil): break
            }
        }
    }

    /// The blanks around a text stay.
    private mutating func replaceText(_ element: XMLElement, by text: String) {
        let raw = edits.bytes[element.content]
        let start = raw.firstIndex { !PlainText.isSpace($0) } ?? raw.endIndex
        let end = raw.lastIndex { !PlainText.isSpace($0) }.map { $0 + 1 } ?? start
        let escaped = XMLText.escaped(
            element.name == "default" ? GVariant.text(text, quotedLike: String(decoding: raw[start..<end], as: UTF8.self)) : text)
        if element.content.upperBound < element.range.upperBound { return edits.replace(start..<end, by: escaped) }
        edits.replace(element.range, by: "<\(element.name)>\(escaped)</\(element.name)>")
    }

    private mutating func add(_ key: XMLElement, to schema: XMLElement) {
        let last = schema.children(named: "key").last ?? schema.children.last
        let unit = last.map { edits.indent(of: $0.range.lowerBound) } ?? ""
        let inner = unit + "  "
        let head = XMLElement(name: key.name, attributes: key.attributes, line: 0).xml.dropLast(2) + ">"
        let lines = key.children.map { "\n" + inner + $0.xml }.joined()
        insert(head + lines + "\n" + unit + "</key>", behind: last, in: schema)
    }

    /// Adds an element on a line of its own where its neighbour has one.
    private mutating func insert(_ xml: String, behind last: XMLElement?, in element: XMLElement) {
        guard let last, edits.isFirstOnLine(last.range.lowerBound) else {
            return edits.insert(xml, at: last?.range.upperBound ?? element.content.upperBound)
        }
        edits.insert("\n" + edits.indent(of: last.range.lowerBound) + xml, at: last.range.upperBound)
    }
}

extension FileEdits {
    fileprivate func isAloneOnLines(_ range: Range<Int>) -> Bool {
        isFirstOnLine(range.lowerBound) && skippingSpace(from: range.upperBound) >= lineEnd(of: range.upperBound)
    }
}

extension XMLElement {
    fileprivate func schema(_ id: String?) -> XMLElement? { children.first { $0.name == "schema" && $0["id"] == id } }
    fileprivate func key(_ name: String?) -> XMLElement? { children.first { $0.name == "key" && $0["name"] == name } }
}
