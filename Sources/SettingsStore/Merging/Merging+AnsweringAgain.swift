import Files
import Git
import SettingsModel

/// Answers about what git leaves in no conflict, or in none any more, until its commit ends the merge.
extension Merging {
    /// What git brings together about `key`: the conflict that is resolved already, by meaning, or the option as it is staged.
    /// Nil where git merges something else than versions, or stopped behind a version that it has made. `open`: what is in
    /// conflict. `facet`: what is answered again, where the rest stays as it is staged.
    func settledFiles(
        of key: Key, _ facet: Facet? = nil, _ answer: ConflictAnswer = .ours, besides open: [ConflictingFiles]
    ) throws(Problem) -> ConflictingFiles? {
        if isAmending { return nil }
        guard let whole = try gitMerge() else { return nil }
        let found = whole.meaning.conflicts.first { conflict in whole.names(of: conflict.subject).contains { $0.key == key } }
        if let found {
            let subject = whole.disputed(found.subject)
            var files = whole.files(of: subject)
            files.merge = try present(whole, besides: Set(open.map(\.subject) + [subject]))
            if files.names.count == 1 {
                files.sides = [
                    .ours: try? versions.tip().item(subject), .theirs: try? whole.theirs.item(subject),
                ].compactMapValues(\.self)
            }
            if let facet = files.part(facet, answer), let item = try staged(subject) {
                files.conflicts.removeAll { $0.facet != facet }
                files.merge.settings[subject] = item
                files.isPart = true
            }
            return files
        }
        let subject = Subject.option(key)
        guard let item = try staged(subject) else { return nil }
        var merge = try present(whole, besides: Set(open.map(\.subject)))
        merge.settings[subject] = item
        return ConflictingFiles(subject: subject, conflicts: [], merge: merge, paths: [], names: [subject], isOfVersions: true)
    }

    /// Whether git waits for the last version to be amended: nothing of it is left to merge.
    private var isAmending: Bool {
        let git = Folder(path: versions.repository.git.gitDirectory)
        return (try? git.entry(at: "rebase-merge/amend")) == .some(.file)
    }

    /// As it is in the index, even where its value isn't valid; nil where it isn't there or can't be read.
    func staged(_ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        let index = try git(versions.repository.index.contents(under: versions.folderInRepository))
        guard let content = index?[subject.path].flatMap(\.self) else { return nil }
        return try? versions.tip().item(subject, content, acceptingAnyValue: true)
    }
}
