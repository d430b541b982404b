/// What an import comes to besides what it says itself.
package struct ImportResult: Sendable {
    package var changes: [Change] = []
    /// Whether anything is otherwise here than in the files, whoever changed it.
    package var differs = false
    /// Where people chose otherwise since, which stays.
    package var kept: [Conflict] = []
    /// What earlier imports of the same sources brought and this one doesn't have. It stays unless it is to go.
    package var gone: [Key] = []
    /// The groups of which nothing is left in this import; the options in them are in `gone` too.
    package var goneGroups: [Key] = []

    package init() {}

    /// Says what is gone, whole groups too; `absent`: what the import doesn't have, gone or not.
    package mutating func tell(_ gone: Set<Subject>, of absent: Set<Subject>, _ imported: Settings) {
        gone.forEach { if case .option(let key) = $0 { self.gone.append(key) } }
        self.gone.sort()
        var candidates: Set<Key> = []
        for subject in gone {
            var group = if case .group(let key) = subject { key } else { subject.key.group }
            while !group.isRoot, candidates.insert(group).inserted { group = group.group }
        }
        candidates.subtract(imported.allGroups)
        // What others brought, or people made, is not gone.
        for subject in absent.subtracting(gone) {
            var group = subject.key.group
            while !group.isRoot, candidates.remove(group) != nil { group = group.group }
        }
        goneGroups = candidates.filter { !candidates.contains($0.group) }.sorted()
    }
}
