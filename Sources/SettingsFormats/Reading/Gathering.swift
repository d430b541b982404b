import SettingsModel

/// Merges the settings of several files: if two have the same option, the later one counts.
struct Gathering {
    private var all: Imported?
    /// The file that each option came from.
    private var origins: [Key: String] = [:]

    /// Adds the settings of `file` to `group`, which gets `title` unless it has its own.
    mutating func add(_ imported: Imported, in group: Key = .root, title: String? = nil, from file: String) throws(Refusal) {
        var next: Imported
        do throws(Key.Malformed) { next = try imported.moved(into: group) } catch {
            throw Refusal("its names are nested too deeply for the group \(group): \(error.reason)", in: file)
        }
        if !group.isRoot, let title {
            var section = next.settings.groups[group] ?? SettingsGroup()
            if section.title == nil { section.title = ExactText(title) }
            if section.style == nil { section.style = .page }
            next.settings.groups[group] = section
        }
        guard var all else {
            origins = next.settings.options.mapValues { _ in file }
            self.all = next
            return
        }
        let present = all.settings
        let children = Dictionary(grouping: present.options.keys + Array(present.allGroups.subtracting([.root])), by: \.group)
        next = next.aligned(below: .root) { group in
            Set((children[group] ?? []).map(\.name))
        } exact: { key in
            [present.options[key]?.importedKey ?? present.groups[key]?.other["key"]?.text ?? ExactText(key.name)]
        }
        all.repairs += next.repairs
        all.parts.join(next, with: all)
        all.givesValues = all.givesValues || next.givesValues
        all.givesDefinitions = all.givesDefinitions || next.givesDefinitions
        removeClashes(next.settings, from: &all, file)
        for (key, option) in next.settings.options {
            if let earlier = all.settings.options[key], earlier.value != option.value || earlier.type != option.type {
                note(key, file, &all)
            }
            all.settings.options[key] = option
            origins[key] = file
        }
        for (key, group) in next.settings.groups {
            var joined = all.settings.groups[key] ?? SettingsGroup()
            joined.title = group.title ?? joined.title
            joined.style = group.style ?? joined.style
            joined.footer = group.footer ?? joined.footer
            joined.other.merge(group.other) { _, new in new }
            // A file with a single name has no order: its name goes to the end, as it would from a longer file.
            let names = group.order ?? next.settings.names(in: key)
            let known = joined.order ?? present.names(in: key)
            joined.order = SettingsGroup.order(known, with: names, rearranging: false)
            if joined.order?.count ?? 0 < 2 { joined.order = nil }
            all.settings.groups[key] = joined
        }
        self.all = all
    }

    func imported(as format: FormatName) -> Imported {
        var imported = all ?? Imported(format: format, givesValues: true, givesDefinitions: false)
        imported.format = format
        return imported
    }

    /// Removes a group whose name is now a value, or a value whose name is now a group.
    private mutating func removeClashes(_ next: SettingsContent, from all: inout Imported, _ file: String) {
        if all.format.hasFlatNames { return }
        let (groups, present) = (next.allGroups, all.settings.allGroups)
        for key in all.settings.options.keys where groups.contains(key) && next.options[key] == nil {
            note(key, file, &all)
            all.settings.options[key] = nil
        }
        for key in next.options.keys where present.contains(key) && !groups.contains(key) && all.settings.options[key] == nil {
            for inner in all.settings.options.keys where inner.isWithin(key) {
                note(inner, file, &all)
                all.settings.options[inner] = nil
            }
            for inner in all.settings.groups.keys where inner.isWithin(key) { all.settings.groups[inner] = nil }
        }
    }

    private func note(_ key: Key, _ file: String, _ all: inout Imported) {
        all.repairs.append(
            Repair(
                file: file, key: key.description, found: "it has a different value in \(origins[key] ?? "another file")",
                done: "the value in \(file) counts"))
    }
}

extension SettingsContent {
    /// The contents of a group, in byte order.
    fileprivate func names(in group: Key) -> [ExactText] {
        let keys = Set(options.keys).union(allGroups).filter { $0.group == group && !$0.isRoot }
        return Set(keys.map { ExactText($0.name) }).sorted()
    }
}

extension Imported.Parts {
    fileprivate mutating func join(_ next: Imported, with all: Imported) {
        sources += next.parts.sources.filter { !sources.contains($0) }
        left += next.parts.left
        withoutValue.formUnion(next.parts.withoutValue)
        withoutDefinition.formUnion(next.parts.withoutDefinition)
        if all.givesValues != next.givesValues {
            withoutValue.formUnion((all.givesValues ? next : all).settings.options.keys)
        }
        if all.givesDefinitions != next.givesDefinitions {
            let valued = (all.givesDefinitions ? next : all).settings
            withoutDefinition.formUnion(Array(valued.options.keys) + Array(valued.groups.keys))
        }
        if next.givesValues { withoutValue.subtract(next.settings.options.keys.filter { next.givesValue(of: $0) }) }
    }
}
