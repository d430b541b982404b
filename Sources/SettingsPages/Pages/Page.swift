package import SettingsModel

/// A page of rows. What is shown on it is worked out anew whenever the store, the draft or what is known changes.
package protocol Page: Sendable {
    func title(in scene: Scene) -> String
    func rows(in scene: Scene) -> [any Row]
    /// The row that it opens on; nil for the first.
    func start(in scene: Scene) -> RowID?
    /// The row in which typing begins as soon as it opens.
    func typing(in scene: Scene) -> Typing?
    /// What is being typed into a row of the page, as it is typed.
    mutating func typed(_ text: String, into row: RowID)
    /// Somebody renamed what it is about.
    mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene)
    /// The field that letters go to while a row is focused: a form takes no commands by letter. Nil where they are commands.
    func field(at row: RowID, in scene: Scene) -> RowID?
    /// What the page does with an act; nil leaves it to the row and the editor.
    func act(_ act: Act, in scene: Scene) -> Response?
    /// What it has to know of the history and doesn't.
    func questions(in scene: Scene) -> [Effect]
    /// What stands at the right of the head instead of the number of changes; nil for that.
    func badge(in scene: Scene) -> String?
}

extension Page {
    package func start(in scene: Scene) -> RowID? { nil }
    package func typing(in scene: Scene) -> Typing? { nil }
    package func field(at row: RowID, in scene: Scene) -> RowID? { nil }
    package mutating func typed(_ text: String, into row: RowID) {}
    package mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {}
    package func act(_ act: Act, in scene: Scene) -> Response? { nil }
    package func questions(in scene: Scene) -> [Effect] { [] }
    package func badge(in scene: Scene) -> String? { nil }
}
