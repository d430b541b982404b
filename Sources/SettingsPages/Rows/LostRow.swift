/// A row that is no longer on the page while somebody types into it: the field stays until the text is accepted or given up.
struct LostRow: Row {
    private let row: any Row

    init(_ row: any Row) { self.row = (row as? LostRow)?.row ?? row }

    var id: RowID { row.id }

    func title(in scene: Scene) -> String { row.title(in: scene) }
    func shortTitle(in scene: Scene) -> String? { row.shortTitle(in: scene) }
}
