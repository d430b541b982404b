/// The lines that connect versions with their parents, drawn newest first in one row a version.
///
/// Lines to the same parent stay apart until they arrive at it, so that they meet in its row.
package struct CompactGraph: Sendable {
    private struct Lane: Sendable {
        var parent: ObjectID
        var isIndirect: Bool
        /// It begins at a merge that is not shown: nothing is lost where it ends.
        var isStray = false
    }

    private var lanes: [Lane?] = []

    package init() {}

    /// The number of columns in use.
    package var width: Int { lanes.count }

    /// Draws the next version.
    package mutating func add(_ id: ObjectID, parents: [ObjectID]) -> VersionGraph.Row {
        let arrived = lanes.indices.filter { lanes[$0]?.parent == id }
        let column = arrived.first ?? freeColumn(from: 0)
        var row = verticals
        for place in arrived { lanes[place] = nil }
        row[column] = arrived.isEmpty ? .node : [.node, .up]
        for place in arrived.dropFirst() { row[place] = .up }
        let targets = place(parents, from: column, besides: arrived)
        row += Array(repeating: VersionGraph.Cell(), count: max(0, lanes.count - row.count))
        for place in targets {
            row[place].insert(.down)
            if place != column, lanes[place]?.isIndirect == true { row[place].insert(.indirect) }
        }
        connect(column, arrived + targets, &row)
        trim()
        while row.last?.isEmpty == true { row.removeLast() }
        return row
    }

    /// A version that is not shown: lines to it lead on to its parents.
    package mutating func pass(_ id: ObjectID, parents: [ObjectID]) {
        let arrived = lanes.indices.filter { lanes[$0]?.parent == id }
        guard let column = arrived.first else { return }
        let kept = arrived.filter { lanes[$0]?.isStray == false }
        let isStray = kept.isEmpty
        for place in arrived { lanes[place] = nil }
        func holds(_ parent: ObjectID) -> Bool { lanes.contains { $0?.parent == parent } }
        if let first = parents.first, !isStray || !holds(first) {
            for place in isStray ? [column] : kept { lanes[place] = Lane(parent: first, isIndirect: true, isStray: isStray) }
        }
        for parent in parents.dropFirst() where !holds(parent) {
            lanes[freeColumn(from: column + 1)] = Lane(parent: parent, isIndirect: true, isStray: true)
        }
        trim()
    }

    /// Gives each parent a lane, and returns their columns. The first one goes straight on; the others lead to a lane that is
    /// there, or turn off to the right of the lines that end here.
    private mutating func place(_ parents: [ObjectID], from column: Int, besides arrived: [Int]) -> [Int] {
        var targets: [Int] = []
        for (number, parent) in parents.enumerated() where !parents[..<number].contains(parent) {
            if number == 0 {
                lanes[column] = Lane(parent: parent, isIndirect: false)
                targets.append(column)
            } else if let known = lanes.firstIndex(where: { $0?.parent == parent }) {
                // A line of which one part skips nothing.
                lanes[known]?.isIndirect = false
                lanes[known]?.isStray = false
                targets.append(known)
            } else {
                let place = freeColumn(from: max(column, arrived.last ?? 0) + 1)
                lanes[place] = Lane(parent: parent, isIndirect: false)
                targets.append(place)
            }
        }
        return targets
    }

    /// Draws the line that leads from a version to the columns of its row.
    private func connect(_ column: Int, _ ends: [Int], _ row: inout VersionGraph.Row) {
        let (first, last) = (min(ends.min() ?? column, column), max(ends.max() ?? column, column))
        guard first < last else { return }
        for place in first...last {
            if place > first { row[place].insert(.left) }
            if place < last { row[place].insert(.right) }
            if place != column, !ends.contains(place), !row[place].isDisjoint(with: [.up, .down]) {
                row[place].insert(.crossing)
            }
        }
    }

    private mutating func freeColumn(from start: Int) -> Int {
        if let free = lanes.indices.dropFirst(start).first(where: { lanes[$0] == nil }) { return free }
        while lanes.count <= start { lanes.append(nil) }
        if lanes[lanes.count - 1] != nil { lanes.append(nil) }
        return lanes.count - 1
    }

    private mutating func trim() {
        while let last = lanes.last, last == nil { lanes.removeLast() }
    }

    /// The lanes as they go on.
    private var verticals: VersionGraph.Row {
        lanes.map { lane in lane.map { $0.isIndirect ? [.up, .down, .indirect] : [.up, .down] } ?? [] }
    }
}
