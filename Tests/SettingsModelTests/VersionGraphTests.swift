import Seeds
import Testing

@testable import SettingsModel

/// A history, newest first: version n has the id n, and its parents come after it.
struct RandomHistory {
    var parents: [[Int]] = []

    /// `reach`: how far parents are away at most.
    init(_ count: Int, reach: Int, _ random: inout Seeded) {
        for number in 0..<count {
            let wanted = [0, 1, 1, 1, 1, 1, 2, 2, 3, 5][random.int(10)]
            let later = count - number - 1
            var own: [Int] = []
            for _ in 0..<wanted where later > 0 {
                let parent = number + 1 + random.int(min(reach, later))
                if !own.contains(parent) { own.append(parent) }
            }
            parents.append(own)
        }
    }

    static func id(_ number: Int) throws -> ObjectID {
        let digits = String(number, radix: 16)
        return try #require(ObjectID(hex: String(repeating: "0", count: 40 - digits.count) + digits))
    }

    static func number(_ id: ObjectID) throws -> Int { try #require(Int(id.hex, radix: 16)) }
}

/// What was drawn, read as somebody reads it who follows the lines.
struct DrawnGraph {
    private var rows: [VersionGraph.Row] = []
    private var nodes: [(row: Int, column: Int)] = []

    mutating func add(_ drawn: VersionGraph.Rows, isPadded: Bool) {
        rows += drawn.before
        nodes.append((rows.count, drawn.node.firstIndex { $0.contains(.node) } ?? -1))
        rows += [drawn.node] + drawn.after
        if isPadded { rows.append(drawn.padding) }
    }

    func cell(_ row: Int, _ column: Int) -> VersionGraph.Cell {
        rows.indices.contains(row) && rows[row].indices.contains(column) ? rows[row][column] : []
    }

    /// Places where a line ends in nothing.
    var looseEnds: [String] {
        var found: [String] = []
        for (row, cells) in rows.enumerated() {
            for (column, cell) in cells.enumerated() {
                let isLast = row == rows.count - 1
                if cell.contains(.down), !isLast, !self.cell(row + 1, column).contains(.up) {
                    found.append("\(row) \(column) down")
                }
                if cell.contains(.up), !self.cell(row - 1, column).contains(.down) { found.append("\(row) \(column) up") }
                if cell.contains(.right), !self.cell(row, column + 1).contains(.left) { found.append("\(row) \(column) right") }
                if cell.contains(.left), !self.cell(row, column - 1).contains(.right) { found.append("\(row) \(column) left") }
            }
        }
        return found
    }

    /// The versions to which lines lead from a version.
    func parents(of number: Int) -> Set<Int> {
        let (row, column) = nodes[number]
        guard cell(row, column).contains(.down) else { return [] }
        let below = cell(row + 1, column)
        guard !below.isDisjoint(with: [.left, .right]) else { return Set([end(row + 1, column)].compactMap { $0 }) }
        var found: Set<Int> = []
        for step in [-1, 1] {
            var place = column
            while true {
                let here = cell(row + 1, place)
                if here.contains(.down), !here.contains(.crossing), let end = end(row + 2, place) { found.insert(end) }
                guard here.contains(step < 0 ? .left : .right) else { break }
                place += step
            }
        }
        return found
    }

    /// The version in which a line ends that comes from above.
    private func end(_ row: Int, _ column: Int) -> Int? {
        var (row, column) = (row, column)
        while rows.indices.contains(row) {
            let here = cell(row, column)
            if here.contains(.node) { return nodes.firstIndex { $0 == (row, column) } }
            if here.contains(.cut) || here.isEmpty { return nil }
            if !here.contains(.down) {
                // It gives its place up to the version on the left.
                while cell(row, column).contains(.left) { column -= 1 }
            }
            row += 1
        }
        return nil
    }
}

struct VersionGraphTests {
    @Test(arguments: 0..<400 as Range<UInt64>) func everyLineIsDrawnAndNoneMeetsAnother(seed: UInt64) throws {
        var random = Seeded(seed)
        let history = RandomHistory(1 + random.int(40), reach: 1 + random.int(12), &random)
        var graph = VersionGraph()
        var drawn = DrawnGraph()
        for (number, parents) in history.parents.enumerated() {
            let rows = graph.add(
                try RandomHistory.id(number), parents: try parents.map { VersionGraph.Parent(try RandomHistory.id($0)) },
                isCut: parents.isEmpty && seed % 2 == 0)
            #expect(rows.node.count { $0.contains(.node) } == 1)
            drawn.add(rows, isPadded: seed % 3 == 0)
        }
        #expect(graph.width == 0)
        #expect(drawn.looseEnds == [], "seed \(seed)")
        for (number, parents) in history.parents.enumerated() {
            #expect(drawn.parents(of: number) == Set(parents), "seed \(seed), version \(number)")
        }
    }

    @Test func aHistoryInOneLineTakesOneRowAVersion() throws {
        var graph = VersionGraph()
        for number in 0..<5 {
            let rows = graph.add(
                try RandomHistory.id(number), parents: number < 4 ? [.init(try RandomHistory.id(number + 1))] : [])
            #expect(rows.before == [] && rows.after == [] && rows.node.count == 1)
        }
        // Two histories without a common version are not one line.
        let rows = graph.add(try RandomHistory.id(9), parents: [])
        #expect(rows.before == [[]])
    }

    /// Nearest shown versions, told from the whole history.
    private func expected(
        _ number: Int, _ history: RandomHistory, _ isShown: [Bool]
    ) -> (direct: Set<Int>, all: Set<Int>, isCut: Bool) {
        var (all, seen): (Set<Int>, Set<Int>) = ([], [])
        var isCut = false
        var open = history.parents[number]
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            if isShown[next] {
                all.insert(next)
            } else {
                if history.parents[next].isEmpty { isCut = true }
                open += history.parents[next]
            }
        }
        return (Set(history.parents[number].filter { isShown[$0] }), all, isCut)
    }

    @Test(arguments: 0..<400 as Range<UInt64>) func versionsThatAreNotShownAreSkipped(seed: UInt64) throws {
        var random = Seeded(seed)
        let history = RandomHistory(1 + random.int(40), reach: 1 + random.int(8), &random)
        let isShown = history.parents.map { _ in random.int(3) > 0 }
        var shown = ShownHistory<Int>()
        var entries: [ShownHistory<Int>.Entry] = []
        for (number, parents) in history.parents.enumerated() {
            entries += shown.add(
                try RandomHistory.id(number), parents: try parents.map(RandomHistory.id), isShown[number] ? number : nil)
        }
        entries += shown.finish()
        #expect(shown.count == 0)
        #expect(entries.map(\.content) == isShown.indices.filter { isShown[$0] })
        let nearest = isShown.indices.map { expected($0, history, isShown) }
        func reaches(_ end: Int, from start: Int) -> Bool {
            start == end || nearest[start].all.contains { reaches(end, from: $0) }
        }
        for entry in entries {
            let (direct, all, isCut) = nearest[entry.content]
            let needed = all.filter { parent in
                direct.contains(parent) || !all.contains { $0 != parent && reaches(parent, from: $0) }
            }
            #expect(Set(try entry.parents.map { try RandomHistory.number($0.id) }) == needed, "seed \(seed), \(entry.content)")
            #expect(entry.parents.count == needed.count)
            if needed.isEmpty { #expect(entry.isCut == isCut, "seed \(seed), \(entry.content)") }
            for parent in entry.parents {
                #expect(parent.isIndirect == !direct.contains(try RandomHistory.number(parent.id)))
            }
        }
    }

    /// What is kept depends on how many lines run beside each other, not on how long they are.
    @Test func aLongHistoryIsHandedOnAsItArrives() throws {
        var shown = ShownHistory<Int>()
        var graph = VersionGraph()
        var (most, widest, count) = (0, 0, 0)
        for number in 0..<20_000 {
            // A branch of three versions for every ten.
            let place = number % 10
            let parents = place == 0 ? [number + 1, number + 2] : place == 1 || place == 3 ? [number + 2] : [number + 1]
            let entries = shown.add(
                try RandomHistory.id(number), parents: try parents.map(RandomHistory.id), number % 7 == 6 ? nil : number)
            for entry in entries {
                _ = graph.add(entry.id, parents: entry.parents, isCut: entry.isCut)
                count += 1
            }
            most = max(most, shown.count)
            widest = max(widest, graph.width)
        }
        #expect(count > 17_000)
        #expect(most <= 6)
        #expect(widest <= 3)
    }

    /// A branch that is merged again and again, of which nothing else is shown.
    @Test func versionsAreNotHeldUpByABranchBesideThem() throws {
        var shown = ShownHistory<Int>()
        var (most, count) = (0, 0)
        for number in 0..<20_000 {
            // Ten at a time: a merge, then the branch's two versions, then the others, and where both come from.
            let parents =
                switch number % 10 {
                case 0: [number + 3, number + 1]
                case 2: [number + 7]
                default: [number + 1]
                }
            let entries = shown.add(
                try RandomHistory.id(number), parents: try parents.map(RandomHistory.id),
                [1, 2].contains(number % 10) ? number : nil)
            for entry in entries {
                #expect(entry.parents.count == 1)
                count += 1
            }
            most = max(most, shown.count)
        }
        #expect(count > 3990)
        #expect(most <= 6)
    }

    /// A version that comes after its parents, because a clock was wrong, holds nothing up.
    @Test func parentsThatCameBeforeAreCut() throws {
        var shown = ShownHistory<Int>()
        let ids = try (0..<3).map(RandomHistory.id)
        #expect(shown.add(ids[1], parents: [], 1).map(\.content) == [1])
        let entries = shown.add(ids[0], parents: [ids[1]], 0)
        #expect(entries.map(\.content) == [0] && entries[0].isCut && entries[0].parents == [])
    }
}
