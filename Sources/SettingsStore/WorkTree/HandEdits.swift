import Files
import Git
package import SettingsModel

/// Edits of the files that no version has recorded yet, apart by what git's index holds of them: what `git add` or `stage` put
/// there is staged.
package struct HandEdits: Sendable {
    /// From the last version to the index.
    package var staged: [Change] = []
    /// From the index to the files.
    package var unstaged: [Change] = []
    /// Files that can't be read, and names that no store has.
    package var unreadable: [VersionChanges.Unreadable] = []
    /// Files of which the index holds something that can't be read.
    package var unreadableStaged: [VersionChanges.Unreadable] = []
    /// Files that only are written in another way.
    package var rewritten: [Subject] = []
    /// Choices whose two lines name different labels, in a file or in the index.
    package var disagreements: [Disagreement] = []

    /// What all of that is about: in the last version, in the index and in the files.
    var recorded = SettingsContent()
    var inIndex = SettingsContent()
    var inFiles = SettingsContent()
    /// The subjects of which the index holds something else than the last version.
    var stagedSubjects: Set<Subject> = []
    /// Those among them whose index entry means something else, readable or not.
    var stagedContents: [Subject: Content?] = [:]
    /// Those of `stagedSubjects` that the branch may have left behind, see `Draft.uncertain`.
    var uncertain: [Subject] = []
    /// The subjects of `unreadable`.
    var broken: Set<Subject> = []
    /// The edited files as they were read.
    var files: [Subject: Folder.Reading] = [:]

    package var isEmpty: Bool {
        staged.isEmpty && unstaged.isEmpty && unreadable.isEmpty && unreadableStaged.isEmpty && rewritten.isEmpty
    }
}

extension WorkTree {
    package func handEdits() throws(Problem) -> HandEdits {
        let tip = try versions.tip().loaded()
        let (draft, files) = try draftWithFiles()
        var edits = HandEdits()
        edits.unreadable = draft.unreadable
        edits.rewritten = draft.rewritten
        edits.disagreements = draft.disagreements.filter { !$0.isRecorded }
        edits.broken = Set(draft.broken + draft.hidden)
        edits.files = files
        edits.stagedContents = try stagedContents(since: tip)
        edits.stagedSubjects = Set(edits.stagedContents.keys)
        edits.uncertain = try behind(tip)?.uncertain.intersection(edits.stagedSubjects).sorted() ?? []
        for subject in Set(draft.edited).union(edits.stagedContents.keys).sorted() {
            let recorded = try tip.mendableIfReadable(subject)
            edits.recorded[subject] = recorded
            edits.inIndex[subject] = recorded
            if let content = edits.stagedContents[subject] {
                do throws(Problem) {
                    let bytes = try content.map { content throws(Problem) in try versions.stagedFile(content, of: subject) }
                    let item = try bytes.map { bytes throws(Problem) in try versions.folder.item(subject, file: bytes) }
                    edits.inIndex[subject] = item
                    if let bytes, let option = item?.option,
                        let found = try versions.disagreement(subject, bytes, option, try tip.content(subject)),
                        !edits.disagreements.contains(where: { $0.subject == subject })
                    {
                        edits.disagreements.append(found)
                    }
                } catch {
                    guard error.kind == .badData else { throw error }
                    if error.isNoOption, recorded == nil { continue }
                    edits.unreadableStaged.append(VersionChanges.Unreadable(path: subject.path, error))
                }
            }
            if edits.broken.contains(subject) {
                // What such a file means is not known: nothing of it is an edit.
                edits.inFiles[subject] = edits.inIndex[subject]
            } else if draft.edited.contains(subject) {
                edits.inFiles[subject] = draft.sides.after[subject]
            } else {
                edits.inFiles[subject] = recorded
            }
        }
        edits.staged = try tip.markingRepairs(edits.inIndex.changes(since: edits.recorded))
        edits.unstaged = edits.inFiles.changes(since: edits.inIndex)
        return edits
    }

    /// What somebody has staged of items of the store.
    func stagedContents(since tip: Snapshot) throws(Problem) -> [Subject: Content?] {
        let behind = try behind(tip)?.contents ?? [:]
        return try indexContents(differingFrom: tip).filter { behind[$0.key] == nil }
    }

    /// What the index holds of items of the store, where the last version has something else.
    func indexContents(differingFrom tip: Snapshot) throws(Problem) -> [Subject: Content?] {
        let under = versions.folderInRepository
        guard let entries = try git(versions.repository.index.contents(under: under)) else { return [:] }
        let recorded = tip.contents ?? .nothing
        var found: [Subject: Content?] = [:]
        for (path, entry) in entries {
            // In conflict, or only meant to be added.
            guard let content = entry, content != recorded[path], let subject = Subject(path: path) else { continue }
            if recorded[path]?.id == content.id, content.mode.isRegular { continue }
            found[subject] = .some(content)
        }
        for (number, content) in recorded.contents.enumerated() where content.mode != .tree {
            let path = recorded.paths.path(number)
            if entries[path] == nil, let subject = Subject(path: path) { found[subject] = .some(nil) }
        }
        return found
    }
}

extension Versions {
    /// A file of the index.
    fileprivate func stagedFile(_ content: Content, of subject: Subject) throws(Problem) -> [UInt8] {
        guard content.mode.isRegular else { throw .file(.isLink(subject.path)) }
        return try git(repository.objects.blob(content.id, atMost: JSON.sizeLimit))
    }
}
