package import SettingsModel

/// A page of rows. What is shown on it is worked out anew whenever the store, the draft or what is known changes.
package protocol Page: Sendable {
    func title(in scene: Scene) -> String
    func rows(in scene: Scene) -> [any Row]
    /// The row that it opens on; nil for the first.
    func start(in scene: Scene) -> RowID?
    /// The row in which typing begins as soon as it opens.
    func typing(in scene: Scene) -> Typing?
    /// What is being typed into a row of the page, as it is typed; nil ends a search. True where that makes its rows others.
    mutating func typed(_ text: String?, into row: RowID) -> Bool
    /// Somebody renamed what it is about.
    mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene)
    /// The field that letters go to while a row is focused: a form takes no commands by letter. Nil where they are commands.
    func field(at row: RowID, in scene: Scene) -> RowID?
    /// What the page does with an act; nil leaves it to the row and the editor.
    func act(_ act: Act, in scene: Scene) -> Response?
    /// What it has to know of the history and doesn't.
    func questions(in scene: Scene) -> [Effect]
    /// What there is to record from it, at the right of the head; nil for the number of changes.
    func badge(in scene: Scene) -> String?
    /// Whether it uses the whole screen, because its lines have nothing at their right edge.
    var isWide: Bool { get }
    /// Whether it shows options of several groups, so that a title may not tell which one it is.
    var namesKeys: Bool { get }
    /// Whether the difference that its changes make is shown beside or below it.
    func showsDifference(in scene: Scene) -> Bool
    /// The changes of a row, or those that a button is for.
    func changes(at row: RowID?, in scene: Scene) -> [Change]
}

extension Page {
    package func start(in scene: Scene) -> RowID? { nil }
    package func typing(in scene: Scene) -> Typing? { nil }
    package func field(at row: RowID, in scene: Scene) -> RowID? { nil }
    package mutating func typed(_ text: String?, into row: RowID) -> Bool { false }
    package mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {}
    package func act(_ act: Act, in scene: Scene) -> Response? { nil }
    package func questions(in scene: Scene) -> [Effect] { [] }
    package func badge(in scene: Scene) -> String? { nil }
    package var isWide: Bool { false }
    package var namesKeys: Bool { false }
    package func showsDifference(in scene: Scene) -> Bool { false }
    package func changes(at row: RowID?, in scene: Scene) -> [Change] { [] }
}
