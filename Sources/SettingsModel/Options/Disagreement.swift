/// A choice whose `selected` names another label than its `value`, which counts.
package struct Disagreement: Hashable, Sendable {
    package var subject: Subject
    package var selection: Selection.Disagreement
    /// Whether the last version has these bytes.
    package var isRecorded: Bool
    /// Whether `selected` was edited and `value` was not.
    package var isIndexEdited = false

    package init(subject: Subject, selection: Selection.Disagreement, isRecorded: Bool) {
        self.subject = subject
        self.selection = selection
        self.isRecorded = isRecorded
    }
}

extension Disagreement {
    /// What `selected` says.
    package var index: String {
        let index = selection.index.map { index in
            selection.label.map { "\(index) (\($0.text))" } ?? "\(index), which is not the index of a label"
        }
        return index ?? "null"
    }

    /// What `value` says.
    package var value: String { (selection.option.value ?? .null).compact }

    /// What the two lines say, and which of them counts.
    package var reason: String {
        let option = selection.option
        let means = option.value.map { "\(Wording().words($0, of: option)) is chosen" } ?? "nothing is chosen"
        return "\"selected\" is \(index), but \"value\" is \(value), so \(means)"
    }

    /// `path:line:column`, as in errors.
    package var place: String {
        subject.path + (selection.position.map { ":\($0.line):\($0.column)" } ?? "")
    }
}
