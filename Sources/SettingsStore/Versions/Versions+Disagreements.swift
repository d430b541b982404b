import Git
import SettingsModel

extension Versions {
    /// The last version's choices whose two lines name different labels, and its files that can't be read.
    func recordedFaults(
        at tip: Snapshot, in places: [Key] = [], besides known: Set<Subject> = []
    ) throws(Problem) -> (disagreements: [Disagreement], unreadable: [VersionChanges.Unreadable]) {
        var disagreements: [Disagreement] = []
        var unreadable: [VersionChanges.Unreadable] = []
        for (subject, content) in try tip.files() where subject.lies(in: places) && !known.contains(subject) {
            do throws(Problem) {
                guard let selection = try tip.disagreement(subject, content) else { continue }
                disagreements.append(Disagreement(subject: subject, selection: selection, isRecorded: true))
            } catch {
                guard error.kind == .badData else { throw error }
                unreadable.append(VersionChanges.Unreadable(path: subject.path, error))
            }
        }
        return (disagreements, unreadable)
    }

    /// `content`: what the last version has there.
    func disagreement(
        _ subject: Subject, _ file: [UInt8], _ option: SettingsOption?, _ content: Content?
    ) throws(Problem) -> Disagreement? {
        guard let option, let found = Selection.disagreement(in: file, meaning: option) else { return nil }
        var disagreement = Disagreement(subject: subject, selection: found, isRecorded: false)
        if let content,
            let recorded = try? git({ () throws(GitError) in try repository.objects.blob(content.id, atMost: JSON.sizeLimit) }),
            let before = Selection(file: recorded), let after = Selection(file: file)
        {
            disagreement.isIndexEdited = before.value == after.value && before.selected != after.selected
        }
        return disagreement
    }
}
