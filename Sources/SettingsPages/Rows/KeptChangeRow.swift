package import SettingsModel

/// A change of an earlier draft, which is only shown until the person says what becomes of it.
package struct KeptChangeRow: Row {
    private let row: ChangeRow

    package init(_ change: Change) { row = ChangeRow(change) }

    package var id: RowID { row.id }

    package func title(in scene: Scene) -> String { row.title(in: scene) }

    package func accessory(in scene: Scene) -> Accessory {
        var accessory = row.accessory(in: scene)
        accessory.opens = false
        return accessory
    }

    package func open(in scene: Scene) -> Response { .refuse(RecoverPage.question(in: scene)) }
    package func hint(in scene: Scene) -> String { row.change.subject.key.description }
}
