import Seeds
import Surroundings
import Testing

/// `history --graph` beside `git log --graph`.
struct HistoryGraphTests {
    /// The sentences' ids in order, and the lines from each to its parents as they are drawn in ASCII.
    /// `pace`: the seconds between two versions. Of several within a second, none comes before its children.
    @Test(arguments: 1...6 as ClosedRange<UInt64>, [60, 0]) func drawsWhatGitDraws(seed: UInt64, pace: Int) throws {
        var random = Seeded(seed)
        let home = try Home()
        _ = try home.run("settings init -q; settings add -q n --title N --number 0")
        var stream = ""
        let count = 30
        for number in 1...count {
            stream += "commit refs/heads/t\nmark :\(number)\ncommitter A <a@example.org> \(1_795_200_000 + number * pace) +0000\n"
            stream += "data 3\nN\(number % 10)\n\n"
            var parents: [Int] = []
            for _ in 0..<[1, 1, 1, 2, 2, 3][random.int(6)] where number > 1 {
                let parent = max(1, number - 1 - random.int(6))
                if !parents.contains(parent) { parents.append(parent) }
            }
            stream += number == 1 ? "from refs/heads/main^0\n" : ""
            for (index, parent) in parents.enumerated() { stream += "\(index == 0 ? "from" : "merge") :\(parent)\n" }
            let file = #"{"title":"N","type":"number","value":\#(number)}"#
            stream += "M 100644 inline n.json\ndata \(file.utf8.count)\n\(file)\n"
        }
        _ = try home.run("git fast-import --quiet <<'END'\n\(stream)END")
        _ = try home.run("git reset -q --hard t")
        let order = try home.run("git log --graph --date-order --format=%h --abbrev=7 | grep -oE '[0-9a-f]{7}$'")
        let parents = try home.run("git log --date-order --format=%h,%p --abbrev=7")
        let drawn = DrawnText(try home.run("settings history --graph --oneline"))
        #expect(pace == 0 ? drawn.ids.sorted() == order.sorted() : drawn.ids == order, "seed \(seed)")
        for line in parents {
            let parts = line.split(separator: ",", omittingEmptySubsequences: false)
            let wanted = Set(parts[1].split(separator: " ").map(String.init))
            #expect(drawn.parents(of: String(parts[0])) == wanted, "seed \(seed), \(parts[0])")
        }
        let plain = try home.run("LC_ALL=C settings history --graph --oneline")
        #expect(plain.count == drawn.lines.count && plain.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } })
    }

    @Test func isRefusedWithJSON() throws {
        let home = try Home()
        for option in ["--json", "--jsonl"] {
            #expect(
                try home.run("settings history --graph \(option)")[0]
                    == "settings: --graph cannot be combined with --json or --jsonl")
        }
    }
}

/// The lines of a graph in Unicode, and what they connect.
private struct DrawnText {
    let lines: [[Character]]
    private(set) var ids: [String] = []
    private var nodes: [(row: Int, column: Int)] = []

    init(_ text: [String]) {
        lines = text.map(Array.init)
        for (row, line) in lines.enumerated() {
            guard let column = line.firstIndex(of: "○") else { continue }
            nodes.append((row, column))
            let id = String(line).firstMatch(of: #/([0-9a-f]{7})  /#).map { String($0.1) }
            ids.append(id ?? "?")
        }
    }

    private func sign(_ row: Int, _ column: Int) -> Character {
        lines.indices.contains(row) && lines[row].indices.contains(column) ? lines[row][column] : " "
    }

    func parents(of id: String) -> Set<String> {
        guard let number = ids.firstIndex(of: id) else { return ["not drawn"] }
        let (row, column) = nodes[number]
        // What stands below a version belongs to it alone.
        guard number + 1 < nodes.count else { return [] }
        if nodes[number + 1].row == row + 1 {
            let below = sign(row + 1, column)
            return "│┊○".contains(below) ? end(row + 1, column) : []
        }
        var found: Set<String> = []
        for step in [-1, 1] {
            var place = column
            while true {
                if "├┤┼╮╭┬".contains(sign(row + 1, place)) || place == column && sign(row + 1, place) == "│" {
                    found.formUnion(end(row + 2, place))
                }
                let beside = sign(row + 1, place + step)
                guard place + step >= 0, beside == "─" else { break }
                place += 2 * step
            }
        }
        return found
    }

    private func end(_ row: Int, _ column: Int) -> Set<String> {
        var (row, column) = (row, column)
        while true {
            switch sign(row, column) {
            case "○": return nodes.firstIndex { $0 == (row, column) }.map { [ids[$0]] } ?? []
            case "│", "┊", "├", "┤", "┼": break
            case "╯", "┴":
                while column > 0, sign(row, column - 1) == "─" { column -= 2 }
            default: return ["nothing"]
            }
            row += 1
        }
    }
}
