import Git
package import SettingsModel

/// How an import is to be done.
package struct ImportWish: Sendable {
    package var source: VersionMessage.ImportSource
    /// What the import has wins over what people changed since.
    package var overwrites = false
    /// What an earlier import of the same source brought and this one no longer has goes.
    package var prunes = false

    package init(_ source: VersionMessage.ImportSource) {
        self.source = source
    }
}

/// What an import comes to besides its changes.
package struct ImportResult: Sendable {
    package var edit: Edit
    /// Where people chose otherwise since, which stays.
    package var kept: [Conflict] = []
    /// What earlier imports of the same source brought and this one doesn't have. It stays unless it is to go.
    package var gone: [Key] = []

    package init(_ edit: Edit = Edit([])) {
        self.edit = edit
    }
}

extension Store {
    /// The edit that brings `imported` into the settings of `tip`: what is new is added, what changed since the last
    /// import changes, and what people changed since stays.
    package func importing(_ imported: Imported, _ wish: ImportWish, _ tip: Snapshot) throws(StoreError) -> ImportResult {
        let ours = try tip.settings(of: imported.settings.subjects)
        var differing: Set<Subject> = []
        var theirs = Settings()
        for subject in imported.settings.subjects where !isSame(imported, ours, subject) {
            differing.insert(subject)
            theirs[subject] = imported.settings[subject]
        }
        let absent = try subjectsBeside(imported.settings, at: tip)
        let asked = differing.union(absent)
        let earlier = asked.isEmpty ? Earlier() : try brought(asked, wish.source, before: tip)

        var before = try tip.settings(of: differing)
        let gone = absent.intersection(earlier.ofSource).sorted()
        if wish.prunes {
            for subject in gone {
                before[subject] = try tip.item(subject)
                differing.insert(subject)
            }
        }
        var base = Settings()
        for subject in differing { base[subject] = earlier.settings[subject] }
        let merge = before.bringing(
            theirs, since: base, givesValues: imported.givesValues, overwrites: wish.overwrites)
        var edit = Edit(merge.settings.changes(since: before))
        edit.importedFrom = wish.source
        edit.subject = edit.changes.count > 3 ? subject(of: edit.changes, wish.source) : nil
        edit.untouched = Set(edit.changes.map(\.subject))
        let keys = gone.compactMap { subject in if case .option(let key) = subject { key } else { nil } }
        var result = ImportResult(edit)
        if !wish.overwrites { result.kept = merge.conflicts }
        if !wish.prunes { result.gone = keys }
        return result
    }

    /// Whether nothing of it is to be done.
    private func isSame(_ imported: Imported, _ ours: Settings, _ subject: Subject) -> Bool {
        guard case .option(let key) = subject, !imported.givesValues, var option = imported.settings.options[key] else {
            return imported.settings[subject] == ours[subject]
        }
        option.value = ours.options[key]?.value
        return option == ours.options[key]
    }

    /// Everything else in the groups that the import has something in.
    private func subjectsBeside(_ imported: Settings, at tip: Snapshot) throws(StoreError) -> Set<Subject> {
        let here = imported.subjects
        var folders = imported.allGroups
        // The groups on the way to what is imported are others' too.
        let roots = folders.filter { $0.parts.count < 2 }
        let holding = Set(imported.options.keys.map(\.group))
        folders.subtract(roots.filter { imported.groups[$0] == nil && !holding.contains($0) })
        var beside: Set<Subject> = []
        for subject in try tip.subjects() where !here.contains(subject) {
            if case .option(let key) = subject, folders.contains(key.group) { beside.insert(subject) }
        }
        return beside
    }

    private func subject(of changes: [Change], _ source: VersionMessage.ImportSource) -> String {
        var counts: [String] = []
        func count(_ word: String, _ matches: (Change) -> Bool) {
            let count = Set(changes.filter(matches).map(\.subject)).count
            if count > 0 { counts.append("\(count) \(word)") }
        }
        count("added") { $0.facet == .existence && $0.before == nil && !$0.subject.isGroup }
        count("removed") { $0.facet == .existence && $0.after == nil && !$0.subject.isGroup }
        count("changed") { $0.facet != .existence && !$0.subject.isGroup }
        if counts.isEmpty { counts = ["groups"] }
        return "import \(source.name): \(counts.joined(separator: ", "))"
    }
}

/// What earlier imports brought.
private struct Earlier {
    /// As the imports had it, without what people changed between them.
    var settings = Settings()
    /// What came from the same source.
    var ofSource: Set<Subject> = []
}

extension Store {
    /// What imports brought of `subjects`, by the versions that they made: each one's own changes, brought together in
    /// their order. Imports that were taken back don't count.
    private func brought(
        _ subjects: Set<Subject>, _ source: VersionMessage.ImportSource, before tip: Snapshot
    ) throws(StoreError) -> Earlier {
        guard let start = tip.id else { return Earlier() }
        var walk = try git { () throws(GitError) in try repository.commits(from: [start], order: .topological) }
        var isTakenBack: [VersionID: Bool] = [:]
        var imports: [(version: Version, subjects: [Subject])] = []
        var open = subjects
        while !open.isEmpty, let id = try next(&walk) {
            let version = try version(id)
            if isBoundary(version) { break }
            let message = version.message
            if isTakenBack[id] != true {
                let named = try undoing(of: version)
                for id in named.undoes + message.reverts where isTakenBack[id] == nil { isTakenBack[id] = true }
                for id in named.redoes where isTakenBack[id] == nil { isTakenBack[id] = false }
            }
            guard message.importedFrom != nil, isTakenBack[id] != true, let parent = version.parents.first else { continue }
            let differing = try subjectsDiffering(from: try snapshot(parent), to: try snapshot(id)).filter { open.contains($0) }
            guard !differing.isEmpty else { continue }
            imports.append((version, differing))
            let old = try snapshot(parent)
            for subject in differing where try old.content(subject) == nil { open.remove(subject) }
        }
        var earlier = Earlier()
        for (version, subjects) in imports.reversed() {
            let old = try snapshot(version.parents.first).settings(of: subjects)
            let new = try snapshot(version.id).settings(of: subjects)
            var present = Settings()
            for subject in subjects { present[subject] = earlier.settings[subject] ?? old[subject] }
            let merge = present.bringing(new, since: old, givesValues: true, overwrites: true)
            for subject in subjects { earlier.settings[subject] = new[subject] == nil ? nil : merge.settings[subject] }
            if version.message.importedFrom == source { earlier.ofSource.formUnion(subjects) }
        }
        return earlier
    }
}
