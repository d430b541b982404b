import SettingsModel

/// A schema at its path: the group of its keys, and their keys in the store.
struct PlacedSchema {
    /// The path of its values: `/org/gnome/desktop/`.
    var path: String
    var group: Key
    /// The keys by their exact names.
    var keys: [String: Key] = [:]
}

/// Builds settings from schemas and values.
struct Placing {
    var settings = SettingsContent()
    private(set) var placed: [PlacedSchema] = []
    /// Several schemas may share a path.
    private(set) var byPath: [String: [Int]] = [:]
    /// Relocatable schemas, by id.
    private(set) var templates: [String: Schema] = [:]
    private var byID: [String: Int] = [:]
    private var groupNames = KeyNames()
    private var optionNames = KeyNames()

    /// The last parts of deeper names are joined, so that there is room for enclosing groups.
    private static let depthLimit = 14

    init() {}

    /// Places the schemas from files. Relocatable schemas become no settings; they are kept in the group above theirs.
    mutating func place(_ reader: inout SchemaReader) throws(Refusal) {
        var kept: [Key: [Schema]] = [:]
        for schema in reader.schemas {
            if let path = schema.note.path?.string {
                byID[schema.id] = placed.count
                try add(schema, schema.note, path, at: try group(Placing.parts(of: schema.id), in: .root))
            } else {
                templates[schema.id] = schema
                kept[try group(Placing.parts(of: schema.id).dropLast(), in: .root), default: []].append(schema)
                reader.kept(
                    "the schema has no path: it is a template", schema.file, schema.line, page: schema.id,
                    done: "it is kept for its instances")
            }
        }
        for schema in reader.schemas {
            if let index = byID[schema.id] { try addChildren(schema.note.children, of: index, within: []) }
        }
        for (group, templates) in kept { keep(templates, in: group) }
        keep(reader.strayOverrides)
    }

    private mutating func keep(_ overrides: [KeyFile.Section]) {
        guard !overrides.isEmpty else { return }
        var note = SchemaNote(settings.groups[.root]) ?? SchemaNote()
        // If several files set a value, the last one wins.
        var values: [String: [String: String]] = [:]
        for section in overrides {
            for entry in section.entries { values[section.name, default: [:]][entry.key] = entry.value }
        }
        note.overrides = values.sorted { $0.key < $1.key }.map { section in
            JSON.Member(
                ExactText(section.key),
                .object(
                    section.value.sorted { $0.key < $1.key }.map { JSON.Member(ExactText($0.key), .string(ExactText($0.value))) })
            )
        }
        settings.groups[.root, default: SettingsGroup()].other["gsettings"] = note.json
    }

    private static func parts(of id: String) -> [String] {
        id.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The group of that name, created part by part.
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
                if !isExact { settings.groups[key, default: SettingsGroup()].other["key"] = .string(name) }
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

    /// Adds the keys of `schema` to `group`.
    mutating func add(_ schema: Schema?, _ note: SchemaNote, _ path: String, at group: Key) throws(Refusal) {
        guard placed.count + settings.options.count < SchemaReader.keyLimit else {
            throw Refusal("there are more than \(SchemaReader.keyLimit) keys and schemas")
        }
        var item = PlacedSchema(path: path, group: group)
        var names: [ExactText] = []
        for key in schema?.keys ?? [] {
            let place = try optionKey(key.name, in: group)
            settings.options[place] = Placing.named(key.option, key.name, place)
            item.keys[key.name] = place
            names.append(ExactText(place.name))
        }
        var section = settings.groups[group] ?? SettingsGroup()
        section.title = ExactText(Titles.words(of: section.other["key"]?.text?.string ?? group.name))
        section.style = .page
        if names.count > 1 { section.order = names }
        section.other["gsettings"] = note.json
        settings.groups[group] = section
        byPath[path, default: []].append(placed.count)
        placed.append(item)
    }

    /// The settings in a store with overrides applied: only what they change.
    static func overriding(
        _ existing: SettingsContent, _ overrides: [(file: String, keys: KeyFile)], _ repairs: inout [Repair]
    ) throws(Refusal) -> SettingsContent {
        let placing = Placing(existing: existing)
        guard
            overrides.contains(where: { $0.keys.sections.contains { placing.byID[VendorOverride.parts(of: $0.name).id] != nil } })
        else {
            throw Refusal(
                "overrides defaults of schemas that are not given", in: overrides.first?.file,
                hint: "import it together with the .gschema.xml files, or into the group that has the schemas")
        }
        var changed = SettingsContent()
        for (file, keys) in overrides {
            for section in keys.sections {
                let (id, desktop) = VendorOverride.parts(of: section.name)
                for entry in section.entries {
                    let override = VendorOverride(desktop: desktop, entry: entry, file: file)
                    guard let index = placing.byID[id], let key = placing.placed[index].keys[entry.key],
                        var option = changed.options[key] ?? existing.options[key]
                    else {
                        repairs.append(override.leftOut("overrides a key that does not exist", section.name))
                        continue
                    }
                    if let repair = option.gsettings.override(override, id) { repairs.append(repair) }
                    option.value = nil
                    changed.options[key] = option
                }
            }
        }
        return changed
    }

    static func named(_ option: SettingsOption, _ name: String, _ key: Key) -> SettingsOption {
        var option = option
        option.other["key"] = key.name == name ? nil : .string(name)
        return option
    }

    mutating func add(key: Key, named name: String, to index: Int) { placed[index].keys[name] = key }

    private mutating func keep(_ templates: [Schema], in group: Key) {
        var section = settings.groups[group] ?? SettingsGroup()
        var note = SchemaNote(section) ?? SchemaNote()
        note.templates = templates.map { JSON.Member(ExactText($0.id), $0.json) }
        section.other["gsettings"] = note.json
        settings.groups[group] = section
    }
}

/// Child schemas.
extension Placing {
    /// Children follow the schema's own keys. A relocatable child is instantiated at the path that it has there.
    private mutating func addChildren(_ children: [JSON.Member], of index: Int, within outer: [String]) throws(Refusal) {
        let parent = placed[index]
        var names: [ExactText] = []
        for child in children {
            guard let id = child.value.text?.string else { continue }
            if let place = byID[id] {
                let group = placed[place].group
                if group.group == parent.group, !group.isRoot { names.append(ExactText(group.name)) }
            } else if let template = templates[id], !outer.contains(id), outer.count < 8 {
                let group = try group([child.name.string], in: parent.group)
                // Another schema has that path.
                guard settings.groups[group].flatMap({ SchemaNote($0)?.path }) == nil else { continue }
                var note = SchemaNote()
                note.template = ExactText(id)
                let path = parent.path + child.name.string + "/"
                note.path = ExactText(path)
                let own = placed.count
                try add(template, note, path, at: group)
                try addChildren(template.note.children, of: own, within: outer + [id])
                names.append(ExactText(group.name))
            }
        }
        guard !names.isEmpty else { return }
        var order = settings.groups[parent.group]?.order ?? parent.keys.values.map { ExactText($0.name) }
        for name in names where !order.contains(name) { order.append(name) }
        if order.count > 1 { settings.groups[parent.group]?.order = order }
    }

    /// The schemas of settings in a store.
    init(existing: SettingsContent) {
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
                option.gsettings.note.value = nil
                settings.options[key] = option
            }
            byPath[path, default: []].append(placed.count)
            placed.append(item)
        }
    }
}

extension Schema {
    /// A relocatable schema as it is kept: the properties of a schema's group, and its keys as options.
    var json: JSON {
        var note = note
        note.id = nil
        let keys = keys.map { JSON.Member(ExactText($0.name), $0.option.json) }
        return .object((note.json.members ?? []) + [JSON.Member("keys", .object(keys))])
    }

    init(template member: JSON.Member) {
        var note = SchemaNote(member.value)
        note.id = member.name
        self.init(id: member.name.string, note: note, file: "", line: 0)
        for key in member.value["keys"]?.members ?? [] {
            guard let option = try? SettingsOption(file: Array(key.value.compact.utf8)) else { continue }
            self[key.name.string] = Schema.Key(name: key.name.string, option: option, line: 0)
        }
    }
}
