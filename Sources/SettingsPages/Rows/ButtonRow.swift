/// Something to do, such as *Done*.
package struct ButtonRow: Row {
    let text: String
    let words: String
    let response: Response
    package let id: RowID
    package let isConfirmed: Bool

    /// `hint` says what happens; `isConfirmed`: it records or drops something, which no text that is typed does.
    package init(_ text: String, id: String, hint: String = "", isConfirmed: Bool = false, _ response: Response) {
        self.text = text
        self.isConfirmed = isConfirmed
        self.id = .named(id)
        self.response = response
        words = hint
    }

    package var titleRole: Cell.Role { .button }

    package func title(in scene: Scene) -> String { text }
    package func open(in scene: Scene) -> Response { response }
    package func hint(in scene: Scene) -> String { words }
}
