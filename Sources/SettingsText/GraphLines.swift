package import SettingsModel

/// The lines of a version graph as text, beside what is told of each version.
package struct GraphLines: Sendable {
    private var graph = VersionGraph()
    private let glyphs: Glyphs
    /// Beside an empty line that follows.
    private var padding: String?

    package init(_ glyphs: Glyphs) { self.glyphs = glyphs }

    /// `lines` with the lines of the graph before them; as many as the longer of both. `isSpaced`: an empty one
    /// divides them from those of the version before.
    package mutating func lines(
        _ id: ObjectID, parents: [VersionGraph.Parent], isCut: Bool, beside lines: [StyledText], isSpaced: Bool = false
    ) -> [StyledText] {
        let rows = graph.add(id, parents: parents, isCut: isCut)
        let column = rows.node.firstIndex { $0.contains(.node) } ?? 0
        var drawn = ([rows.node] + rows.after).map { glyphs.text(of: $0, column) }
        let padding = glyphs.text(of: rows.padding, column)
        while drawn.count < lines.count { drawn.append(padding) }
        let width = drawn.prefix(max(lines.count, 1)).map(\.count).max() ?? 0
        let before = isSpaced ? [self.padding].compactMap { $0 } : rows.before.map { glyphs.text(of: $0, column) }
        self.padding = padding
        return before.map { StyledText($0, .faint) }
            + drawn.enumerated().map { index, text in
                guard index < lines.count, !lines[index].spans.isEmpty else { return StyledText(text, .faint) }
                let gap = String(repeating: " ", count: width - text.count + 1)
                return StyledText(text, index == 0 ? .plain : .faint).adding(gap) + lines[index]
            }
    }
}

/// The lines of a graph in which each version takes one line.
package struct CompactLines: Sendable {
    private var graph = CompactGraph()
    private let glyphs: Glyphs

    package init(_ glyphs: Glyphs) { self.glyphs = glyphs }

    package mutating func line(_ id: ObjectID, parents: [ObjectID]) -> String {
        let row = graph.add(id, parents: parents)
        return glyphs.text(of: row, row.firstIndex { $0.contains(.node) } ?? 0)
    }

    /// A version that is not shown: lines to it lead on to its parents.
    package mutating func pass(_ id: ObjectID, parents: [ObjectID]) { graph.pass(id, parents: parents) }
}

extension Glyphs {
    /// Each column takes a character, and one for what leads to the next column. `column` is that of the version.
    fileprivate func text(of row: VersionGraph.Row, _ column: Int) -> String {
        var text = ""
        for (place, cell) in row.enumerated() {
            text += hasBoxes ? Self.box(cell) : Self.sign(cell)
            guard place + 1 < row.count else { break }
            let leadsOn = cell.contains(.right)
            if hasBoxes {
                text += leadsOn ? "─" : " "
            } else if !leadsOn {
                text += " "
            } else {
                let joins = place + 1 == column || row[place + 1].isDisjoint(with: [.down, .right])
                text += joins ? "/" : place == column && !isJoined(row, column) ? "\\" : "_"
            }
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Whether the line on the right of a version ends in it, instead of turning off from it.
    private func isJoined(_ row: VersionGraph.Row, _ column: Int) -> Bool {
        guard let end = row[column...].dropFirst().firstIndex(where: { !$0.contains(.right) }) else { return false }
        return !row[end].contains(.down)
    }

    private static func box(_ cell: VersionGraph.Cell) -> String {
        if cell.contains(.node) { return "○" }
        if cell.contains(.cut) { return "~" }
        let ways = cell.intersection([.up, .down, .left, .right])
        if cell.contains(.crossing) || ways == [.up, .down] { return cell.contains(.indirect) ? "┊" : "│" }
        return boxes[ways] ?? " "
    }

    private static let boxes: [VersionGraph.Cell: String] = [
        [.left, .right]: "─", [.up, .left]: "╯", [.up, .right]: "╰", [.down, .left]: "╮", [.down, .right]: "╭",
        [.up, .down, .left]: "┤", [.up, .down, .right]: "├", [.up, .left, .right]: "┴", [.down, .left, .right]: "┬",
        [.up, .down, .left, .right]: "┼",
    ]

    private static func sign(_ cell: VersionGraph.Cell) -> String {
        if cell.contains(.node) { return "*" }
        if cell.contains(.cut) { return "~" }
        if cell.isSuperset(of: [.up, .down]) { return cell.contains(.indirect) ? ":" : "|" }
        return cell.isSuperset(of: [.left, .right]) && !cell.contains(.up) ? "_" : " "
    }
}
