import Git
package import SettingsModel

/// How an import is to be done.
package struct ImportWish: Sendable {
    package var sources: [VersionMessage.ImportSource]
    /// The group that everything is brought into.
    package var group = Key.root
    /// Of YAML files with several documents, the only one that is read.
    package var document: Int?
    /// What the import has wins over what people changed since.
    package var overwrites = false
    /// What an earlier import of the same sources brought and this one no longer has goes.
    package var prunes = false

    package init(_ sources: [VersionMessage.ImportSource]) {
        self.sources = sources
    }
}

/// Works out what an import changes, going by what earlier imports brought.
package final class Importing {
    let versions: Versions
    let history: History

    init(_ versions: Versions, _ history: History) {
        self.versions = versions
        self.history = history
    }

    /// The edit that brings `imported` into the settings of `tip`: what is new is added, what changed since the last
    /// import changes, and what people changed since stays.
    package func importing(
        _ imported: Imported, _ wish: ImportWish, _ tip: Snapshot
    ) throws(Problem) -> (edit: Edit, result: ImportResult) {
        let tip = try tip.loaded(for: imported.settings.options.count)
        var imported = try imported.aligned(below: wish.group) { group throws(Problem) in
            Set(try tip.names(in: group).map(\.name))
        } exact: { key throws(Problem) in
            try tip.exactNames(of: key)
        }
        // Most files are there with these very bytes: found out by their ids, they needn't be read.
        var others: [Subject] = []
        for subject in imported.settings.subjects {
            if let content = try tip.content(subject), let item = imported.settings[subject],
                content.id == ObjectID.hash(ofBlob: item.file)
            {
                continue
            }
            others.append(subject)
        }
        let ours = try tip.settings(of: others)
        imported.settings = imported.settings.keepingMemberOrder(of: ours)
        imported.keepWhatOthersSay(of: ours)
        var brought = imported
        brought.settings = SettingsContent()
        var differing: Set<Subject> = []
        for subject in others where !imported.isSame(ours, subject) {
            differing.insert(subject)
            brought.settings[subject] = imported.settings[subject]
        }
        let absent = try subjectsBeside(imported.settings, in: wish.group, at: tip)
        let asked = differing.union(absent)
        let earlier = asked.isEmpty ? EarlierImports() : try earlierImports(of: asked, wish, before: tip)

        var shapes = ImportShapes(of: imported.settings, beside: imported.hasFlatNames ? [] : absent)
        let prunable = wish.prunes ? absent.intersection(earlier.ofSources) : []
        let before = try tip.settings(of: differing.union(shapes.subjects).union(prunable))
        shapes.decide(
            imported.settings, differing: differing, ours: before, earlier: earlier.settings, own: earlier.ofSources,
            overwrites: wish.overwrites)
        for subject in shapes.declined { brought.settings[subject] = nil }
        let going = prunable.subtracting(shapes.held).union(shapes.replaced)
        var base = SettingsContent()
        for subject in brought.settings.subjects.union(going) { base[subject] = earlier.settings[subject] }
        for subject in shapes.replaced { base[subject] = before[subject] }
        var merge = before.bringing(brought, since: base, removing: going, overwrites: wish.overwrites)
        keepGroups(of: absent, without: going, &merge, before)

        var edit = Edit(merge.settings.changes(since: before))
        edit.importedFrom = wish.sources
        edit.importedInto = wish.group
        edit.importedDocument = wish.document
        edit.subject = edit.changes.count > 3 ? subject(of: edit.changes, wish.sources) : nil
        edit.touched = Set(edit.changes.map(\.subject))
        var result = ImportResult()
        result.changes = edit.changes
        result.differs = !differing.isEmpty
        if !wish.overwrites { result.kept = (merge.conflicts + shapes.conflicts).sorted { $0.subject < $1.subject } }
        if !wish.prunes {
            let gone = absent.intersection(earlier.ofSources).subtracting(shapes.held).subtracting(shapes.replaced)
            result.tell(gone, of: absent, imported.settings)
        }
        return (edit, result)
    }

    /// Everything else in the group that the import is for.
    private func subjectsBeside(
        _ imported: SettingsContent, in group: Key, at tip: Snapshot
    ) throws(Problem) -> Set<Subject> {
        let groups = imported.allGroups
        var beside: Set<Subject> = []
        for subject in try tip.subjects(in: group) {
            switch subject {
            case .option(let key) where imported.options[key] == nil: beside.insert(subject)
            case .group(let key) where key != group && !groups.contains(key): beside.insert(subject)
            default: break
            }
        }
        return beside
    }

    /// A group that is to go stays where something is left in it.
    private func keepGroups(
        of absent: Set<Subject>, without going: Set<Subject>, _ merge: inout SettingsContent.Merge, _ before: SettingsContent
    ) {
        let groups = going.compactMap { if case .group(let key) = $0 { key } else { nil } }
        if groups.isEmpty { return }
        var holding: Set<Key> = [.root]
        for case .option(let key) in absent where !going.contains(.option(key)) || merge.settings.options[key] != nil {
            var group = key.group
            while holding.insert(group).inserted { group = group.group }
        }
        for key in groups where holding.contains(key) { merge.settings.groups[key] = before.groups[key] }
    }

    private func subject(of changes: [Change], _ sources: [VersionMessage.ImportSource]) -> String {
        var counts: [String] = []
        func count(_ word: String, _ matches: (Change) -> Bool) {
            let count = Set(changes.filter(matches).map(\.subject)).count
            if count > 0 { counts.append("\(count) \(word)") }
        }
        count("added") { $0.facet == .existence && $0.before == nil && !$0.subject.isGroup }
        count("removed") { $0.facet == .existence && $0.after == nil && !$0.subject.isGroup }
        count("changed") { $0.facet != .existence && !$0.subject.isGroup }
        if counts.isEmpty { counts = ["groups"] }
        var names: [String] = []
        for source in sources {
            let name = source.name == "-" ? "standard input" : source.lastPart
            if !names.contains(name) { names.append(name) }
        }
        let all = names.count > 3 ? "\(names.count) files" : names.joined(separator: ", ")
        return "import \(all): \(counts.joined(separator: ", "))"
    }
}

extension Snapshot {
    /// What the option and the group of this key are called where they were imported from.
    fileprivate func exactNames(of key: Key) throws(Problem) -> [ExactText] {
        let option = try readable(.option(key))?.option
        var names = option.map { [$0.importedKey ?? ExactText(key.name)] } ?? []
        if case .group(let group)? = try readable(.group(key)) {
            names.append(group.other["key"]?.text ?? ExactText(key.name))
        } else if option == nil {
            names.append(ExactText(key.name))
        }
        return names
    }
}

extension Imported {
    fileprivate var formats: Set<FormatName> { Set(parts.sources.map(\.format) + [format]) }

    fileprivate var hasFlatNames: Bool { formats.allSatisfy(\.hasFlatNames) }

    /// Takes over what this import can't say: the notes of other formats, and that a text is masked, unless its format has
    /// a word for it.
    fileprivate mutating func keepWhatOthersSay(of ours: SettingsContent) {
        let formats = formats
        let others = FormatName.allCases.filter { !formats.contains($0) }.map { ExactText($0.rawValue) }
        for (key, present) in ours.options {
            guard let option = settings.options[key] else { continue }
            for name in others where option.other[name] == nil {
                if let note = present.other[name] { settings.options[key]?.other[name] = note }
            }
            if option.type == .text, option.other["masked"] == nil, present.isMasked, format != .settingsBundle {
                settings.options[key]?.other["masked"] = .bool(true)
            }
        }
        for (key, present) in ours.groups where settings.groups[key] != nil {
            for name in others where settings.groups[key]?.other[name] == nil {
                if let note = present.other[name] { settings.groups[key]?.other[name] = note }
            }
        }
    }

    /// Whether nothing of it is to be done.
    fileprivate func isSame(_ ours: SettingsContent, _ subject: Subject) -> Bool {
        switch subject {
        case .option(let key) where !givesValue(of: key):
            guard var option = settings.options[key] else { return false }
            option.value = ours.options[key]?.value
            return option == ours.options[key]
        case .group(let key):
            guard let present = ours.groups[key], var group = settings.groups[key] else { return false }
            guard present.follows(group.order) else { return false }
            group.order = present.order
            return group == present
        default: return settings[subject] == ours[subject]
        }
    }
}
