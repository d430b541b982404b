/// The title above a section.
package struct HeadingRow: Row {
    package let text: String
    package let id: RowID

    package init(_ text: String, _ id: RowID) {
        self.text = text
        self.id = id
    }

    package var isFocusable: Bool { false }
    package var titleRole: Cell.Role { .heading }

    package func title(in scene: Scene) -> String { scene.isPlain ? text : text.uppercased() }
}
