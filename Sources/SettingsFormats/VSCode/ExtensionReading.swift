import SettingsModel

/// Reads the settings of extensions: `contributes.configuration` of their package.json, one section or a list of them.
struct ExtensionReading {
    private(set) var tree = SettingTree()
    private(set) var repairs: [Repair] = []
    private var sections: [Section] = []
    private var places: [[JSON]: Int] = [:]
    private var found: [Property] = []
    private var ids: Set<ExactText> = []
    /// The titles of groups that this program wrote into a package.json, by group name.
    private var groups: [JSON.Member] = []

    /// One section of an extension's settings page.
    private struct Section {
        /// The index of the extension, from 0.
        var owner: Int
        var displayName: ExactText?
        var title: ExactText?
        /// Its other members.
        var other: [JSON.Member]

        var whole: JSON { .object((title.map { [JSON.Member("title", .string($0))] } ?? []) + other) }
    }

    private struct Property {
        var key: Key
        var section: Int
    }

    static let dialect = SchemaDialect.vscode

    /// `contributes.configuration`, if `document` is an extension's.
    static func configuration(in document: JSONC) -> JSONC.Node? { document.root?["contributes"]?["configuration"] }

    mutating func read(_ document: JSONC, _ translations: Translations, owner: Int) throws(Refusal) {
        guard let root = document.root, let node = ExtensionReading.configuration(in: document) else { return }
        var translations = translations
        var displayName = root["displayName"]?.text.map { translations.translated($0, isProse: false) }
        if displayName?.string.hasPrefix("%") ?? true { displayName = nil }
        for (name, offset) in document.duplicates where node.range.contains(offset) {
            repairs.append(
                Repair(
                    file: document.path, line: document.line(at: offset), found: "the member \"\(name)\" appears twice",
                    done: "the last one counts"))
        }
        if case .object(let own)? = root[SchemaDialect.ownName]?["groups"]?.json { groups += own }
        let nodes = ExtensionReading.ordered(node.elements ?? [node]) { $0["order"] }
        for node in nodes { try readSection(node, document, &translations, owner: owner, displayName) }
    }

    /// Sorted by `order`; those without it come last, in file order.
    private static func ordered<Element>(_ elements: [Element], _ order: (Element) -> JSONC.Node?) -> [Element] {
        let numbered = elements.enumerated().map { index, element -> (Double, Int, Element) in
            guard case .scalar(.number(let number))? = order(element)?.content else { return (.infinity, index, element) }
            return (number.double, index, element)
        }
        return numbered.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    private mutating func readSection(
        _ node: JSONC.Node, _ document: JSONC, _ translations: inout Translations, owner: Int, _ displayName: ExactText?
    ) throws(Refusal) {
        guard let members = node.members else {
            repairs.append(
                Repair(
                    file: document.path, line: document.line(of: node), found: "a section is \(node.json.kind)", done: "left out")
            )
            return
        }
        var section = Section(owner: owner, displayName: displayName, title: nil, other: [])
        for (name, value) in members where name != "properties" {
            let json = translations.translated(value.json)
            if name == "title", let title = json.text, !title.isEmpty {
                section.title = title
            } else if name != "type" || json != "object" {
                section.other.append(JSON.Member(name, json))
            }
        }
        reportMissing(&translations, document, node, section.title, nil)
        // Parts of one section that had to be written separately are joined again.
        let index = places[[.number(owner), section.whole], default: sections.count]
        places[[.number(owner), section.whole]] = index
        if index == sections.count { sections.append(section) }
        let properties = ExtensionReading.ordered(node["properties"]?.members ?? []) { $0.value["order"] }
        for (id, schema) in properties { try read(id, schema, document, &translations, section: index) }
    }

    private mutating func read(
        _ id: ExactText, _ node: JSONC.Node, _ document: JSONC, _ translations: inout Translations, section: Int
    ) throws(Refusal) {
        let page = sections[section].title
        func repair(_ kind: Repair.Kind, _ found: String, _ done: String) -> Repair {
            Repair(
                kind, file: document.path, line: document.line(of: node), page: page?.string, key: id.string, found: found,
                done: done)
        }
        guard ids.insert(id).inserted else {
            repairs.append(repair(.repaired, "it is defined a second time", "the first one counts"))
            return
        }
        guard case .object(let members) = translations.translated(node.json) else {
            repairs.append(repair(.repaired, "its schema is \(node.json.kind)", "left out"))
            return
        }
        var schema = OptionSchema(members, ExtensionReading.dialect)
        let option = schema.option(named: SettingTree.name(of: id))
        do throws(Key.Malformed) {
            found.append(Property(key: try tree.add(option, at: id), section: section))
        } catch {
            throw Refusal("\"\(id)\" can't have a key: \(error.reason)", in: document.path)
        }
        repairs += schema.findings.map { repair($0.kind, $0.found, $0.done) }
        reportMissing(&translations, document, node, page, id)
    }

    private mutating func reportMissing(
        _ translations: inout Translations, _ document: JSONC, _ node: JSONC.Node, _ page: ExactText?, _ id: ExactText?
    ) {
        for key in translations.takeMissing() {
            repairs.append(
                Repair(
                    file: document.path, line: document.line(of: node), page: page?.string, key: id?.string,
                    found: "no table has the text %\(key)%", done: "shown as it is"))
        }
    }
}

/// Maps groups to sections.
extension ExtensionReading {
    /// Gives the groups their titles once everything is read.
    mutating func finish() throws(Refusal) {
        var inGroup: [Key: Set<Int>] = [:]
        var topLevel: [Int: Set<String>] = [:]
        for property in found {
            topLevel[sections[property.section].owner, default: []].insert(property.key.parts.first ?? "")
            var group = property.key.group
            while inGroup[group, default: []].insert(property.section).inserted, !group.isRoot { group = group.group }
        }
        /// Whether everything in the group comes from one section.
        func isWhole(_ group: Key) -> Bool { !group.isRoot && inGroup[group]?.count == 1 }
        // The outermost such groups of each section.
        var tops: [Int: [Key]] = [:]
        for group in inGroup.keys.sorted() where isWhole(group) && !isWhole(group.group) {
            if let section = inGroup[group]?.first { tops[section, default: []].append(group) }
        }
        let scattered = Set(found.filter { !isWhole($0.key.group) }.map(\.section))
        for group in inGroup.keys.sorted() where group.parts.count == 1 && !isWhole(group) {
            let indices = inGroup[group] ?? []
            if let first = indices.min(), Set(indices.map { sections[$0].owner }).count == 1,
                topLevel[sections[first].owner]?.count == 1, let name = sections[first].displayName
            {
                tree.settings.groups[group]?.title = name
            }
        }
        for (index, section) in sections.enumerated() {
            let groups = tops[index] ?? []
            if groups.count == 1, !scattered.contains(index) {
                let isAlone = groups[0].group.isRoot && topLevel[section.owner]?.count == 1
                if let title = section.title ?? (isAlone ? section.displayName : nil) {
                    tree.settings.groups[groups[0]]?.title = title
                }
                tree.mark(group: groups[0], .object(section.other))
            } else {
                for group in groups { tree.mark(group: group, section.whole) }
            }
        }
        for property in found where !isWhole(property.key.group) {
            let whole = sections[property.section].whole
            if property.key.group.isRoot || whole != .object([]) { tree.mark(option: property.key, whole) }
        }
        try applyGroups()
        tree.finish()
    }

    private mutating func applyGroups() throws(Refusal) {
        for member in groups {
            guard case .object(let own) = member.value else { continue }
            do throws(Key.Malformed) {
                let key = try tree.group(SettingTree.parts(of: member.name))
                SchemaReading.apply(own, to: &tree.settings.groups[key, default: SettingsGroup()])
            } catch {
                throw Refusal("\"\(member.name)\" can't have a key: \(error.reason)")
            }
        }
    }
}
