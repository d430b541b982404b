import SettingsModel

/// A schema at its place: the group that its keys are in, and their keys.
struct PlacedSchema {
    /// Of its values: `/org/gnome/desktop/`.
    var path: String
    var group: Key
    /// By their exact names.
    var keys: [String: Key] = [:]
}

/// The settings that schemas and values come to.
struct Placing {
    var settings = Settings()
    private(set) var placed: [PlacedSchema] = []
    /// Several schemas may share a path.
    private(set) var byPath: [String: [Int]] = [:]
    /// Schemas without a path, by their ids.
    private(set) var templates: [String: Schema] = [:]
    private var byID: [String: Int] = [:]
    private var groupNames = KeyNames()
    private var optionNames = KeyNames()

    /// Names that are deeper have their last parts joined, so that there is room for a group around them.
    private static let depthLimit = 14

    init() {}

    /// What schemas read from files come to. Those without a path are no settings; they are kept in the group above theirs.
    mutating func place(_ reader: inout SchemaReader) throws(Refusal) {
        for schema in reader.schemas {
            if let path = schema.note.path?.string {
                byID[schema.id] = placed.count
                try add(schema, schema.note, path, at: try group(Placing.parts(of: schema.id), in: .root))
            } else {
                templates[schema.id] = schema
                try keep(schema)
                reader.kept(
                    "the schema has no path: it is a template", schema.file, schema.line, page: schema.id,
                    done: "it is kept for the places that use it")
            }
        }
        for schema in reader.schemas {
            if let index = byID[schema.id] { try addChildren(schema.note.children, of: index, within: []) }
        }
        keep(reader.strayOverrides)
    }

    private mutating func keep(_ overrides: [KeyFile.Section]) {
        guard !overrides.isEmpty else { return }
        var note = SchemaNote(settings.groups[.root]) ?? SchemaNote()
        // Of several files the last wins.
        var values: [String: [String: String]] = [:]
        for section in overrides {
            for entry in section.entries { values[section.name, default: [:]][entry.key] = entry.value }
        }
        note.overrides = values.sorted { $0.key < $1.key }.map { section in
            JSON.Member(
                Text(section.key),
                .object(section.value.sorted { $0.key < $1.key }.map { JSON.Member(Text($0.key), .string(Text($0.value))) }))
        }
        settings.groups[.root, default: Group()].other["gsettings"] = note.json
    }

    private static func parts(of id: String) -> [String] {
        id.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The group of that name, part by part.
    mutating func group(_ names: [String], in start: Key) throws(Refusal) -> Key {
        var names = names
        if names.count + start.parts.count > Placing.depthLimit {
            let kept = max(Placing.depthLimit - start.parts.count - 1, 0)
            names = names.prefix(kept) + [names.dropFirst(kept).joined(separator: ".")]
        }
        var group = start
        for name in names {
            do throws(Key.Malformed) {
                let (key, isExact) = try groupNames.key(name, in: group)
                group = key
                if !isExact { settings.groups[key, default: Group()].other["key"] = .string(name) }
            } catch {
                throw Refusal("\(names.joined(separator: ".")): \(error.reason)")
            }
        }
        return group
    }

    mutating func optionKey(_ name: String, in group: Key) throws(Refusal) -> Key {
        do throws(Key.Malformed) { return try optionNames.key(name, in: group).key } catch {
            throw Refusal("\(group).\(name): \(error.reason)")
        }
    }

    /// Puts the keys of `schema` into `group`.
    mutating func add(_ schema: Schema?, _ note: SchemaNote, _ path: String, at group: Key) throws(Refusal) {
        guard placed.count + settings.options.count < SchemaReader.keyLimit else {
            throw Refusal("there are more than \(SchemaReader.keyLimit) keys and schemas")
        }
        var item = PlacedSchema(path: path, group: group)
        var names: [Text] = []
        for key in schema?.keys ?? [] {
            let place = try optionKey(key.name, in: group)
            settings.options[place] = Placing.named(key.option, key.name, place)
            item.keys[key.name] = place
            names.append(Text(place.name))
        }
        var section = settings.groups[group] ?? Group()
        section.title = Text(Titles.words(of: section.other["key"]?.text?.string ?? group.name))
        section.style = .page
        if names.count > 1 { section.order = names }
        var note = note
        note.templates = SchemaNote(section)?.templates ?? []
        section.other["gsettings"] = note.json
        settings.groups[group] = section
        byPath[path, default: []].append(placed.count)
        placed.append(item)
    }

    /// Overrides of what is in a store already: only what they change.
    static func overriding(
        _ existing: Settings, _ overrides: [(file: String, keys: KeyFile)], _ repairs: inout [Repair]
    ) throws(Refusal) -> Settings {
        let placing = Placing(existing: existing)
        guard
            overrides.contains(where: { $0.keys.sections.contains { placing.byID[VendorOverride.parts(of: $0.name).id] != nil } })
        else {
            throw Refusal(
                "overrides defaults of schemas, and these schemas aren't there", in: overrides.first?.file,
                hint: "import it together with the .gschema.xml files, or into the group where they are")
        }
        var changed = Settings()
        for (file, keys) in overrides {
            for section in keys.sections {
                let (id, desktop) = VendorOverride.parts(of: section.name)
                for entry in section.entries {
                    let override = VendorOverride(desktop: desktop, entry: entry, file: file)
                    guard let index = placing.byID[id], let key = placing.placed[index].keys[entry.key],
                        var option = changed.options[key] ?? existing.options[key]
                    else {
                        repairs.append(override.leftOut("overrides a key that isn't there", section.name))
                        continue
                    }
                    if let repair = option.override(override, id) { repairs.append(repair) }
                    option.value = nil
                    changed.options[key] = option
                }
            }
        }
        return changed
    }

    static func named(_ option: Option, _ name: String, _ key: Key) -> Option {
        var option = option
        option.other["key"] = key.name == name ? nil : .string(name)
        return option
    }

    mutating func add(key: Key, named name: String, to index: Int) { placed[index].keys[name] = key }

    private mutating func keep(_ schema: Schema) throws(Refusal) {
        let group = try group(Placing.parts(of: schema.id).dropLast(), in: .root)
        var section = settings.groups[group] ?? Group()
        var note = SchemaNote(section) ?? SchemaNote()
        note.templates.append(JSON.Member(Text(schema.id), schema.json))
        section.other["gsettings"] = note.json
        settings.groups[group] = section
    }
}

/// Schemas below others.
extension Placing {
    /// Children come after the schema's own keys. One without a path is copied to the path that it has there.
    private mutating func addChildren(_ children: [JSON.Member], of index: Int, within outer: [String]) throws(Refusal) {
        let parent = placed[index]
        var names: [Text] = []
        for child in children {
            guard let id = child.value.text?.string else { continue }
            if let place = byID[id] {
                let group = placed[place].group
                if group.group == parent.group, !group.isRoot { names.append(Text(group.name)) }
            } else if let template = templates[id], !outer.contains(id), outer.count < 8 {
                let group = try group([child.name.string], in: parent.group)
                // A schema of its own has that place.
                guard settings.groups[group].flatMap({ SchemaNote($0)?.path }) == nil else { continue }
                var note = SchemaNote()
                note.template = Text(id)
                let path = parent.path + child.name.string + "/"
                note.path = Text(path)
                let own = placed.count
                try add(template, note, path, at: group)
                try addChildren(template.note.children, of: own, within: outer + [id])
                names.append(Text(group.name))
            }
        }
        guard !names.isEmpty else { return }
        var order = settings.groups[parent.group]?.order ?? parent.keys.values.map { Text($0.name) }
        for name in names where !order.contains(name) { order.append(name) }
        if order.count > 1 { settings.groups[parent.group]?.order = order }
    }

    /// What is in a store already.
    init(existing: Settings) {
        let options = Dictionary(grouping: existing.options.keys, by: \.group)
        for (group, section) in existing.groups.sorted(by: { $0.key < $1.key }) {
            guard let note = SchemaNote(section) else { continue }
            settings.groups[group] = section
            for part in group.parts.indices {
                let parts = Array(group.parts[...part])
                guard let key = try? Key(parts: parts) else { continue }
                _ = try? groupNames.key(existing.groups[key]?.other["key"]?.text?.string ?? key.name, in: key.group)
            }
            for member in note.templates { templates[member.name.string] = Schema(template: member) }
            guard let path = note.path?.string else { continue }
            if let id = note.id?.string { byID[id] = placed.count }
            var item = PlacedSchema(path: path, group: group)
            for key in (options[group] ?? []).sorted() {
                guard var option = existing.options[key] else { continue }
                let name = option.importedKey?.string ?? key.name
                _ = try? optionNames.key(name, in: group)
                item.keys[name] = key
                option.value = nil
                option.note { $0.value = nil }
                settings.options[key] = option
            }
            byPath[path, default: []].append(placed.count)
            placed.append(item)
        }
    }
}

extension Schema {
    /// A template as it is kept: what a schema's group has, and its keys as options.
    var json: JSON {
        var note = note
        note.id = nil
        let keys = keys.map { JSON.Member(Text($0.name), $0.option.json) }
        return .object((note.json.members ?? []) + [JSON.Member("keys", .object(keys))])
    }

    init(template member: JSON.Member) {
        var note = SchemaNote(member.value)
        note.id = member.name
        self.init(id: member.name.string, note: note, file: "", line: 0)
        for key in member.value["keys"]?.members ?? [] {
            guard let option = try? Option(file: Array(key.value.compact.utf8)) else { continue }
            self[key.name.string] = Schema.Key(name: key.name.string, option: option, line: 0)
        }
    }
}
