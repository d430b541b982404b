import Git
import SettingsModel

/// What earlier imports brought.
struct EarlierImports {
    /// As the last import of the same sources had it, else as all imports had it, without what people changed between them.
    var settings = SettingsContent()
    /// What the same sources brought last.
    var ofSources: Set<Subject> = []
}

extension Importing {
    /// What imports brought of `subjects`, by the versions that they made: each one's own changes, brought together in
    /// their order. Imports that were taken back don't count.
    func earlierImports(
        of subjects: Set<Subject>, _ wish: ImportWish, before tip: Snapshot
    ) throws(Problem) -> EarlierImports {
        var all = SettingsContent()
        var earlier = EarlierImports()
        for (version, subjects) in try imports(of: subjects, before: tip).reversed() {
            let old = try versions.snapshot(version.parents.first).settings(of: subjects)
            let new = try versions.snapshot(version.id).settings(of: subjects)
            var present = SettingsContent()
            for subject in subjects { present[subject] = all[subject] ?? old[subject] }
            let merged = present.replaying(new, since: old)
            let (isOwn, isOnlyOwn) = wish.matches(version.message)
            for subject in subjects {
                all[subject] = new[subject] == nil ? nil : merged[subject]
                if isOwn { earlier.settings[subject] = all[subject] }
                if isOnlyOwn, new[subject] != nil {
                    earlier.ofSources.insert(subject)
                } else {
                    earlier.ofSources.remove(subject)
                }
            }
        }
        for subject in all.subjects where earlier.settings[subject] == nil { earlier.settings[subject] = all[subject] }
        return earlier
    }

    /// The imports that changed any of `subjects`, and which, the newest first.
    private func imports(
        of subjects: Set<Subject>, before tip: Snapshot
    ) throws(Problem) -> [(version: Version, subjects: [Subject])] {
        guard let start = tip.id else { return [] }
        var walk = try git(versions.repository.objects.commits(from: [start], order: .topological))
        var undone = UndoneVersions()
        var imports: [(version: Version, subjects: [Subject])] = []
        var open = subjects
        while !open.isEmpty, let id = try versions.next(&walk) {
            let version = try versions.version(id)
            if versions.isBoundary(version) { break }
            let message = version.message
            if !undone.contains(id) {
                undone.note(version.named)
                undone.takeBack(version.named.reverts)
            }
            guard !message.importedFrom.isEmpty, !undone.contains(id), let parent = version.parents.first else { continue }
            let old = try versions.snapshot(parent)
            let differing = try versions.subjectsDiffering(from: old, to: try versions.snapshot(id)).filter { open.contains($0) }
            guard !differing.isEmpty else { continue }
            imports.append((version, differing))
            for subject in differing where try old.content(subject) == nil { open.remove(subject) }
        }
        return imports
    }
}

extension ImportWish {
    /// Whether an import read one of these sources into this group, and whether it read no others.
    fileprivate func matches(_ message: VersionMessage) -> (isOwn: Bool, isOnlyOwn: Bool) {
        let earlier = Set(message.importedFrom.map(\.name))
        // Earlier releases noted the last parts of the paths alone, and neither group nor document.
        if earlier.count == 1, let name = earlier.first, name != "-", !name.contains("/") {
            let isSame = name == sources.map(\.lastPart).joined(separator: ", ")
            return (isSame, isSame && document == nil)
        }
        guard message.importedInto == group else { return (false, false) }
        let (own, others) = (parts(of: sources, document), parts(of: message.importedFrom, message.importedDocument))
        return (!own.isDisjoint(with: others), others.isSubset(of: own))
    }

    /// One document of a file is another source than all of the file.
    private func parts(of sources: [VersionMessage.ImportSource], _ document: Int?) -> Set<Part> {
        Set(sources.map { Part(name: $0.name, document: $0.format == .yaml ? document : nil) })
    }

    private struct Part: Hashable {
        var name: String
        var document: Int?
    }
}
