import Git
import SettingsModel

extension Versions {
    /// A version's choices whose two lines name different labels, and its files that can't be read.
    struct RecordedFaults {
        var disagreements: [Disagreement] = []
        var unreadable: [VersionChanges.Unreadable] = []

        var isEmpty: Bool { disagreements.isEmpty && unreadable.isEmpty }
    }

    /// Those of the last version's files for which `isWanted` is true.
    func recordedFaults(at tip: Snapshot, where isWanted: (Subject) -> Bool) throws(Problem) -> RecordedFaults {
        var faults = RecordedFaults()
        try tip.eachItem(of: try tip.files().filter { isWanted($0.subject) }) { subject, file throws(Problem) in
            switch file.item {
            case .success(let item):
                guard let option = item.option, let found = Selection.disagreement(in: file.bytes, meaning: option) else {
                    return
                }
                faults.disagreements.append(Disagreement(subject: subject, selection: found, isRecorded: true))
            case .failure(let problem):
                guard problem.kind == .badData else { throw problem }
                faults.unreadable.append(VersionChanges.Unreadable(path: subject.path, problem))
            }
        }
        return faults
    }

    /// `content`: what the last version has there.
    func disagreement(
        _ subject: Subject, _ file: [UInt8], _ option: SettingsOption?, _ content: Content?
    ) throws(Problem) -> Disagreement? {
        guard let option, let found = Selection.disagreement(in: file, meaning: option) else { return nil }
        var disagreement = Disagreement(subject: subject, selection: found, isRecorded: false)
        if let content,
            let recorded = try? git(repository.objects.blob(content.id, atMost: JSON.sizeLimit)),
            let before = Selection(file: recorded), let after = Selection(file: file)
        {
            disagreement.isIndexEdited = before.value == after.value && before.selected != after.selected
        }
        return disagreement
    }
}
