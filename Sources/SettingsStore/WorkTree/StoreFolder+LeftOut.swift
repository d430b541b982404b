import Git
package import SettingsModel

/// What a sparse checkout leaves out of the files, as the last version has it: that those are missing says nothing.
package struct LeftOut {
    package let subjects: Set<Subject>
    private let tip: Snapshot

    fileprivate init(_ subjects: Set<Subject>, _ tip: Snapshot) {
        self.subjects = subjects
        self.tip = tip
    }

    package func item(_ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        subjects.contains(subject) ? try tip.item(subject) : nil
    }
}

extension StoreFolder {
    /// Nil where nothing is left out; costs one look where nothing can be.
    package func leftOut(sudoUser: UInt32? = nil) throws(Problem) -> LeftOut? {
        guard let gitDirectory, try Self.isThere(gitDirectory + "/info/sparse-checkout") else { return nil }
        do throws(Problem) {
            let store = try Store.open(self, sudoUser: sudoUser)
            let tip = try store.versions.tip()
            let subjects = Set(try store.workTree.skippedPaths.compactMap { store.versions.subject(atRepositoryPath: $0) })
            return subjects.isEmpty ? nil : LeftOut(subjects, tip)
        } catch {
            // A store can be read without its history.
            if case .repository(.belongsToOther) = error { return nil }
            if error.kind == .cannotWrite { throw error }
            return nil
        }
    }
}
