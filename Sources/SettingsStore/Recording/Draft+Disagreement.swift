import Git
package import SettingsModel

extension Draft {
    /// A choice whose file means what its `value` says, though its `selected` names another label.
    package struct Disagreement: Sendable {
        package var subject: Subject
        package var selection: Selection.Disagreement
        /// The last version has these bytes.
        package var isRecorded: Bool
        /// Somebody changed `selected` and left `value` as it was.
        package var isIndexEdited = false
    }
}

extension Store {
    /// The last version's choices whose two lines name different labels, and its files that can't be read.
    func recordedFaults(
        at tip: Snapshot, in places: [Key] = [], besides known: Set<Subject> = []
    ) throws(StoreError) -> (disagreements: [Draft.Disagreement], unreadable: [VersionChanges.Unreadable]) {
        var disagreements: [Draft.Disagreement] = []
        var unreadable: [VersionChanges.Unreadable] = []
        for (subject, content) in try tip.files() where subject.lies(in: places) && !known.contains(subject) {
            do throws(StoreError) {
                guard let selection = try tip.disagreement(subject, content) else { continue }
                disagreements.append(Draft.Disagreement(subject: subject, selection: selection, isRecorded: true))
            } catch {
                guard error.kind == .badData else { throw error }
                unreadable.append(VersionChanges.Unreadable(path: subject.path, reason: error.reason))
            }
        }
        return (disagreements, unreadable)
    }

    /// `content`: what the last version has there.
    func disagreement(
        _ subject: Subject, _ file: [UInt8], _ option: Option?, _ content: Content?
    ) throws(StoreError) -> Draft.Disagreement? {
        guard let option, let found = Selection.disagreement(in: file, meaning: option) else { return nil }
        var disagreement = Draft.Disagreement(subject: subject, selection: found, isRecorded: false)
        if let content,
            let recorded = try? git({ () throws(GitError) in try repository.blob(content.id, atMost: JSON.sizeLimit) }),
            let before = Selection(file: recorded), let after = Selection(file: file)
        {
            disagreement.isIndexEdited = before.value == after.value && before.selected != after.selected
        }
        return disagreement
    }
}

extension Draft.Disagreement {
    /// What the two lines say, and which of them counts.
    package var reason: String {
        let index = selection.index.map { index in
            selection.label.map { "\(index) (\($0.text))" } ?? "\(index), which is no label's index"
        }
        let option = selection.option
        let means = option.value.map { "\(Wording().words($0, of: option)) is chosen" } ?? "nothing is chosen"
        return "\"selected\" is \(index ?? "null"), but \"value\" is \((option.value ?? .null).compact), so \(means)"
    }

    /// `path:line:column`, as errors have it.
    package var place: String {
        subject.path + (selection.position.map { ":\($0.line):\($0.column)" } ?? "")
    }
}

extension StoreError {
    /// A person pointed at another label with the line that programs don't read.
    init(indexEdited edit: Draft.Disagreement) {
        let key = edit.subject.key
        let chosen = edit.selection.label.map { label in
            "then 'settings set \(key) --index \(edit.selection.index ?? 0)' chooses \(label.text)"
        }
        let unset = "then 'settings unset \(key)' unsets it"
        self.init(
            .badData, "\(edit.place): \(edit.reason); programs read \"value\", so editing \"selected\" alone has no effect",
            hint: "drop the edit with 'settings discard \(key)'; \(chosen ?? unset)")
    }
}
