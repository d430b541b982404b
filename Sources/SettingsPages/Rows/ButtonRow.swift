/// Something to do, such as *Done*.
package struct ButtonRow: Row {
    let text: String
    let words: String
    let response: Response
    package let id: RowID

    /// `hint` says what happens.
    package init(_ text: String, id: String, hint: String = "", _ response: Response) {
        self.text = text
        self.id = .named(id)
        self.response = response
        words = hint
    }

    package var titleRole: Cell.Role { .button }

    package func title(in scene: Scene) -> String { text }
    package func open(in scene: Scene) -> Response { response }
    package func hint(in scene: Scene) -> String { words }
}
