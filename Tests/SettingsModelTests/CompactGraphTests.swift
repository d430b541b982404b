import Seeds
import Testing

@testable import SettingsModel

/// The graph of a list, read as somebody reads it who follows the lines.
struct CompactGraphTests {
    private struct Drawn {
        var rows: [VersionGraph.Row] = []

        func cell(_ row: Int, _ column: Int) -> VersionGraph.Cell {
            rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : []
        }

        func parents(of row: Int) -> Set<Int> {
            guard let node = rows[row].firstIndex(where: { $0.contains(.node) }) else { return [] }
            var found: Set<Int> = []
            for step in [-1, 1] {
                var column = node
                while true {
                    let here = cell(row, column)
                    if here.contains(.down), !here.contains(.crossing), let end = end(row + 1, column) { found.insert(end) }
                    guard here.contains(step < 0 ? .left : .right) else { break }
                    column += step
                }
            }
            return found
        }

        /// The version at which a line from above arrives.
        private func end(_ start: Int, _ column: Int) -> Int? {
            for row in start..<max(start, rows.count) {
                let here = cell(row, column)
                guard here.contains(.up) else { return nil }
                if here.contains(.node) { return row }
                if here.contains(.down) { continue }
                var place = column
                while !cell(row, place).contains(.node), cell(row, place).contains(.left) { place -= 1 }
                return cell(row, place).contains(.node) ? row : nil
            }
            return nil
        }
    }

    @Test(arguments: 0..<400 as Range<UInt64>) func linesMeetAtTheParent(seed: UInt64) throws {
        var random = Seeded(seed)
        let history = RandomHistory(1 + random.int(40), reach: 1 + random.int(12), &random)
        var graph = CompactGraph()
        var drawn = Drawn()
        for (number, parents) in history.parents.enumerated() {
            drawn.rows.append(graph.add(try RandomHistory.id(number), parents: try parents.map(RandomHistory.id)))
        }
        #expect(graph.width == 0)
        for (number, parents) in history.parents.enumerated() {
            #expect(drawn.parents(of: number) == Set(parents), "seed \(seed), version \(number)")
        }
    }

    /// Merges of which nothing is shown, in a history of which little is.
    @Test func linesOfVersionsThatAreNotShownDoNotAddUp() throws {
        var graph = CompactGraph()
        var widest = 0
        for number in 0..<20_000 {
            let parents = number % 3 == 0 ? [number + 1, number + 2] : number % 3 == 1 ? [number + 2] : [number + 1]
            let ids = try parents.map(RandomHistory.id)
            if number % 50 == 0 {
                _ = graph.add(try RandomHistory.id(number), parents: ids)
            } else {
                graph.pass(try RandomHistory.id(number), parents: ids)
            }
            widest = max(widest, graph.width)
        }
        #expect(widest <= 4)
    }
}
