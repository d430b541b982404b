/// An explanation, below a section or alone.
package struct NoteRow: Row {
    let text: String
    package let id: RowID

    package init(_ text: String, _ id: String) {
        self.text = text
        self.id = .named(id)
    }

    package var isFocusable: Bool { false }
    package var titleRole: Cell.Role { .faint }
    package var wraps: Bool { true }

    package func title(in scene: Scene) -> String { text }
}
