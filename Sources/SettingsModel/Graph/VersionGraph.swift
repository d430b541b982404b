/// The lines that connect versions with their parents, drawn newest first, one version after the other.
///
/// Every version that is still to come has at most one lane, in a column of its own: lines to the same parent are joined as
/// soon as they are known. What remains in memory is the lanes that are open.
package struct VersionGraph: Sendable {
    /// One place of a row: the ways that lead out of it.
    package struct Cell: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let up = Cell(rawValue: 1)
        package static let down = Cell(rawValue: 2)
        package static let left = Cell(rawValue: 4)
        package static let right = Cell(rawValue: 8)
        /// The version itself.
        package static let node = Cell(rawValue: 16)
        /// The history goes on here, but is not shown.
        package static let cut = Cell(rawValue: 32)
        /// The line skips versions that are not shown.
        package static let indirect = Cell(rawValue: 64)
        /// A line from the side passes a line from above, which it doesn't meet.
        package static let crossing = Cell(rawValue: 128)

        static let vertical: Cell = [.up, .down]
        static let horizontal: Cell = [.left, .right]
    }

    /// The cells of one line of text, by column.
    package typealias Row = [Cell]

    /// A parent that a version is connected with.
    package struct Parent: Hashable, Sendable {
        package var id: ObjectID
        /// Whether versions lie between that are not shown.
        package var isIndirect: Bool

        package init(_ id: ObjectID, isIndirect: Bool = false) {
            self.id = id
            self.isIndirect = isIndirect
        }
    }

    /// The rows of one version.
    package struct Rows: Hashable, Sendable {
        /// Where nothing but a blank line says that a version does not continue the one above.
        package var before: [Row] = []
        package var node: Row
        /// The lines to its parents, where they lead to other columns, and the mark of what is not shown.
        package var after: [Row] = []
        /// Beside any further text.
        package var padding: Row
    }

    private struct Lane: Sendable {
        var parent: ObjectID
        var isIndirect: Bool
    }

    private var lanes: [Lane?] = []
    /// The column of a version without parents in the row above.
    private var endedColumn: Int?

    package init() {}

    /// The number of columns in use.
    package var width: Int { lanes.count }

    /// Draws the next version. `isCut`: it has parents that are not shown, and no version beyond them is.
    package mutating func add(_ id: ObjectID, parents: [Parent], isCut: Bool = false) -> Rows {
        let arrived = lanes.firstIndex { $0?.parent == id }
        let column = arrived ?? freeColumn(from: 0)
        var rows = Rows(node: [], padding: [])
        if arrived == nil, column == endedColumn { rows.before = [Self.trimmed(verticals)] }
        endedColumn = nil
        lanes[column] = nil
        var node = verticals
        node[column] = .node
        if arrived != nil { node[column].insert(.up) }

        let above = verticals
        let moved = parents.count == 1 ? move(parents[0], to: column) : nil
        let targets = place(parents, from: column)
        if !parents.isEmpty { node[column].insert(.down) }
        rows.node = node
        let isStraight = moved == nil && (targets.isEmpty || targets == [column])
        if !isStraight { rows.after.append(link(column, targets, above, moved: moved)) }
        if parents.isEmpty {
            if isCut {
                rows.node[column].insert(.down)
                var end = above
                end[column] = [.cut, .up]
                rows.after.append(Self.trimmed(end))
            } else {
                endedColumn = column
            }
        }
        while let last = lanes.last, last == nil { lanes.removeLast() }
        rows.node = Self.trimmed(rows.node)
        rows.padding = verticals
        return rows
    }

    /// A line that joins another one on its right takes that one's place, so that what is older stays on the left. Returns the
    /// column that has become free.
    private mutating func move(_ parent: Parent, to column: Int) -> Int? {
        guard let known = lanes.firstIndex(where: { $0?.parent == parent.id }), known > column else { return nil }
        lanes[column] = lanes[known]
        lanes[known] = nil
        return known
    }

    /// Gives each parent a lane, and returns their columns.
    private mutating func place(_ parents: [Parent], from column: Int) -> [Int] {
        var targets: [Int] = []
        for parent in parents {
            if let known = lanes.firstIndex(where: { $0?.parent == parent.id }) {
                if !targets.contains(known) { targets.append(known) }
                // A line of which one part skips nothing.
                if !parent.isIndirect { lanes[known]?.isIndirect = false }
                continue
            }
            // The first one goes straight on; the others turn off to the right.
            let place = lanes[column] == nil && targets.isEmpty ? column : freeColumn(from: column + 1)
            lanes[place] = Lane(parent: parent.id, isIndirect: parent.isIndirect)
            targets.append(place)
        }
        return targets
    }

    private mutating func freeColumn(from start: Int) -> Int {
        if let free = lanes.indices.dropFirst(start).first(where: { lanes[$0] == nil }) { return free }
        while lanes.count <= start { lanes.append(nil) }
        if lanes[lanes.count - 1] != nil { lanes.append(nil) }
        return lanes.count - 1
    }

    /// The row between a version and its parents. `above` are the lanes that pass the version.
    private func link(_ column: Int, _ targets: [Int], _ above: Row, moved: Int?) -> Row {
        var row = above + Array(repeating: Cell(), count: lanes.count - above.count)
        let first = min(column, targets.min() ?? column)
        let last = max(column, targets.max() ?? column, moved ?? column)
        for place in first...last {
            let passes = !row[place].isDisjoint(with: .vertical)
            if place == column { row[place].insert(.up) }
            if targets.contains(place) {
                row[place].insert(.down)
                if lanes[place]?.isIndirect == true { row[place].insert(.indirect) }
            }
            if place > first { row[place].insert(.left) }
            if place < last { row[place].insert(.right) }
            if place == moved {
                row[place].remove([.down, .indirect])
            } else if passes, !targets.contains(place) {
                row[place].insert(.crossing)
            }
        }
        return Self.trimmed(row)
    }

    /// The lanes as they go on.
    private var verticals: Row {
        lanes.map { lane in lane.map { $0.isIndirect ? [.up, .down, .indirect] : [.up, .down] } ?? [] }
    }

    private static func trimmed(_ row: Row) -> Row {
        var row = row
        while let last = row.last, last.isEmpty { row.removeLast() }
        return row
    }
}
