import SettingsModel

/// Values as `dconf dump` prints them: sections are paths, and a missing key has its default.
extension Placing {
    mutating func setValues(_ values: KeyFile, in file: String, _ repairs: inout [Repair]) throws(Refusal) {
        let base = self.base(of: values)
        if base != "/" {
            repairs.append(
                Repair(
                    file: file, line: values.sections.first?.line, found: "no section is the whole path of a schema",
                    done: "all are read relative to \(base)"))
        }
        for section in values.sections {
            let path = Placing.path(section.name, below: base)
            if byPath[path] == nil, let template = template(for: section, at: path) {
                var note = SchemaNote()
                note.template = ExactText(template.id)
                note.path = ExactText(path)
                try add(template, note, path, at: try place(of: path))
                repairs.append(
                    Repair(
                        .kept, file: file, line: section.line, page: section.name,
                        found: "no schema has this path, but the template '\(template.id)' matches it",
                        done: "it is read as an instance of the template"))
            }
            for entry in section.entries { try set(entry, at: path, Placing.Place(file, section.name), &repairs) }
        }
    }

    private struct Place {
        var file: String
        var page: String

        init(_ file: String, _ page: String) {
            self.file = file
            self.page = page
        }
    }

    private static func path(_ name: String, below base: String) -> String {
        base + name.split(separator: "/").joined(separator: "/") + (name.contains { $0 != "/" } ? "/" : "")
    }

    /// The dump of a folder has section names relative to it. The base path is inferred from the schemas: it is the only path
    /// with which every section belongs to a schema.
    private func base(of values: KeyFile) -> String {
        guard let first = values.sections.first,
            !values.sections.contains(where: { byPath[Placing.path($0.name, below: "/")] != nil })
        else { return "/" }
        let end = Placing.path(first.name, below: "/")
        let bases = byPath.keys.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count - 1)) }
        let fitting = bases.filter { base in
            base != "/"
                && values.sections.allSatisfy { section in
                    (byPath[Placing.path(section.name, below: base)] ?? []).contains { index in
                        section.entries.contains { placed[index].keys[$0.key] != nil }
                    }
                }
        }
        return fitting.count == 1 ? fitting[0] : "/"
    }

    /// The only relocatable schema that has all these keys and whose name matches the path: `org.gnome.desktop.app-folders.folder`
    /// for `/org/gnome/desktop/app-folders/folders/Utilities/`.
    private func template(for section: KeyFile.Section, at path: String) -> Schema? {
        let parts = path.split(separator: "/").map(Placing.folded)
        let fitting = templates.values.filter { template in
            let names = template.id.split(separator: ".").map(Placing.folded)
            guard let last = names.last, parts.count >= names.count, parts.starts(with: names.dropLast()),
                parts[names.count - 1].hasPrefix(last)
            else { return false }
            return section.entries.allSatisfy { template[$0.key] != nil }
        }
        return fitting.max { ($0.id.utf8.count, $1.id) < ($1.id.utf8.count, $0.id) }
    }

    private static func folded(_ part: Substring) -> String { part.lowercased().filter { $0 != "-" } }

    /// The group for a path without a schema: below the nearest schema.
    private mutating func place(of path: String) throws(Refusal) -> Key {
        var above = path.split(separator: "/").map(String.init)
        var below: [String] = []
        while let last = above.popLast() {
            below.insert(last, at: 0)
            if let index = byPath["/" + above.joined(separator: "/") + "/"]?.first {
                return try group(below, in: placed[index].group)
            }
        }
        return try group(below, in: .root)
    }

    private mutating func set(
        _ entry: KeyFile.Entry, at path: String, _ place: Place, _ repairs: inout [Repair]
    ) throws(Refusal) {
        func repair(_ kind: Repair.Kind, _ found: String, _ done: String) {
            repairs.append(
                Repair(kind, file: place.file, line: entry.line, page: place.page, key: entry.key, found: found, done: done))
        }
        do throws(GVariant.Malformed) {
            var reader = GVariantReader(entry.value)
            _ = try reader.readDocument()
        } catch {
            throw refusal(error, entry, place)
        }
        var isKnown = false
        for index in byPath[path] ?? [] {
            guard let key = placed[index].keys[entry.key], var option = settings.options[key] else { continue }
            isKnown = true
            do throws(GVariant.Malformed) {
                if let (found, done) = try option.gsettings.set(entry.value) { repair(.kept, found, done) }
            } catch {
                option.value = nil
                option.gsettings.note.value = ExactText(entry.value)
                repair(
                    .repaired, "the value \(entry.value) is not valid: \(error.reason)",
                    "the key is left unset, and the value is kept for export")
            }
            settings.options[key] = option
        }
        if isKnown { return }
        let value: GVariant
        do throws(GVariant.Malformed) { value = try GVariant(parsing: entry.value) } catch {
            throw refusal(error, entry, place)
        }
        try addUndefined(entry, value, at: path)
        repair(.kept, "no schema defines the key", "the value is kept, with its type")
    }

    private func refusal(_ fault: GVariant.Malformed, _ entry: KeyFile.Entry, _ place: Place) -> Refusal {
        Refusal(
            "the value of '\(entry.key)' in [\(place.page)] can't be read: \(fault.reason)", in: place.file,
            at: BadFile.Position(line: entry.line, column: entry.column + entry.value.character(fault.offset) - 1),
            hint: "write values as 'gsettings get' prints them, with quotes around strings")
    }

    private mutating func addUndefined(_ entry: KeyFile.Entry, _ value: GVariant, at path: String) throws(Refusal) {
        let index: Int
        if let known = byPath[path]?.first {
            index = known
        } else {
            var note = SchemaNote()
            note.path = ExactText(path)
            index = placed.count
            try add(nil, note, path, at: try place(of: path))
        }
        let key = try optionKey(entry.key, in: placed[index].group)
        var option = SettingsOption(
            title: ExactText(Titles.words(of: entry.key)), type: SettingsOption.Kind(value.type), value: value.json)
        if option.type == .number, value.type.isInteger { option.range.step = Number(1) }
        var note = option.gsettings.note
        if value.type != "b", value.type != "s" { note.type = value.type }
        note.isUndefined = true
        if value.json == nil { note.value = ExactText(entry.value) }
        option.gsettings.note = note
        settings.options[key] = Placing.named(option, entry.key, key)
        add(key: key, named: entry.key, to: index)
    }
}
