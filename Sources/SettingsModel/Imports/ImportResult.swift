/// The outcome of an import.
package struct ImportResult: Sendable {
    package var changes: [Change] = []
    /// Whether anything in the store differs from the files, whoever changed it.
    package var differs = false
    /// Values that people changed and the import kept.
    package var kept: [Conflict] = []
    /// Options that earlier imports of the same sources had and this one doesn't. They stay unless their removal is requested.
    package var gone: [Key] = []
    /// Groups of which nothing is left in this import; the options in them are in `gone` as well.
    package var goneGroups: [Key] = []

    package init() {}

    /// Lists the subjects that are gone, including whole groups; `absent`: everything that the import doesn't have, gone or not.
    package mutating func tell(_ gone: Set<Subject>, of absent: Set<Subject>, _ imported: SettingsContent) {
        gone.forEach { if case .option(let key) = $0 { self.gone.append(key) } }
        self.gone.sort()
        var candidates: Set<Key> = []
        for subject in gone {
            var group = if case .group(let key) = subject { key } else { subject.key.group }
            while !group.isRoot, candidates.insert(group).inserted { group = group.group }
        }
        candidates.subtract(imported.allGroups)
        // Items from other sources or made by people are not gone.
        for subject in absent.subtracting(gone) {
            var group = subject.key.group
            while !group.isRoot, candidates.remove(group) != nil { group = group.group }
        }
        goneGroups = candidates.filter { !candidates.contains($0.group) }.sorted()
    }
}
