/// The elements or members between two brackets, separated by commas, with comments that begin with `#`: a flow
/// collection of YAML, an array or an inline table of TOML.
struct BracketItems {
    /// From the opening bracket to the end of the closing one.
    var range: Range<Int>
    /// Each range extends from the item's name, or its value if it has none, to the end of its value.
    var items: [Range<Int>]

    /// The edits of the items, in file order.
    enum Step {
        case keep(Int)
        case remove(Int)
        case insert(String)
    }

    /// Records the steps as edits; at least one item must be kept.
    func edit(_ edits: inout FileEdits, _ steps: [Step]) {
        var kept: [Int] = []
        var removed: [Int] = []
        var inserted: [Int?: [String]] = [:]
        for step in steps {
            switch step {
            case .keep(let index): kept.append(index)
            case .remove(let index): removed.append(index)
            case .insert(let text): inserted[kept.last, default: []].append(text)
            }
        }
        guard let first = kept.first, let last = kept.last else { return }
        let endsWithComma = end(of: items.count - 1, edits).hasComma
        for index in removed { remove(index, isAfterLast: index > last, &edits) }
        for (before, texts) in inserted { insert(texts, behind: before, first, isEnd: before == last, endsWithComma, &edits) }
        // The comma between the last kept item and removed items after it.
        let isContinued = inserted[last] != nil && isLine(last, edits)
        if last < items.count - 1, !endsWithComma, !isContinued {
            let comma = end(of: last, edits).offset - 1
            edits.remove(comma..<comma + 1)
        }
    }

    /// The end of the item and its comma.
    private func end(of index: Int, _ edits: FileEdits) -> (offset: Int, hasComma: Bool) {
        let next = edits.skippingBlank(from: items[index].upperBound)
        if next < range.upperBound, edits.bytes[next] == UInt8(ascii: ",") { return (next + 1, true) }
        return (items[index].upperBound, false)
    }

    /// Whether the item has its own lines.
    private func isLine(_ index: Int, _ edits: FileEdits) -> Bool {
        edits.isFirstOnLine(items[index].lowerBound) && edits.isRestBlank(from: end(of: index, edits).offset)
    }

    private func remove(_ index: Int, isAfterLast: Bool, _ edits: inout FileEdits) {
        let start = items[index].lowerBound
        let end = end(of: index, edits).offset
        if isLine(index, edits) {
            edits.removeLines(start..<end)
        } else if isAfterLast {
            edits.remove((edits.isFirstOnLine(start) ? start : self.end(of: index - 1, edits).offset)..<end)
        } else {
            edits.remove(start..<edits.skippingSpace(from: end))
        }
    }

    private func insert(
        _ texts: [String], behind before: Int?, _ first: Int, isEnd: Bool, _ endsWithComma: Bool, _ edits: inout FileEdits
    ) {
        guard let before else {
            let start = items[first].lowerBound
            let space = edits.isFirstOnLine(start) ? "\n" + edits.indent(of: start) : " "
            return edits.insert(texts.map { $0 + "," + space }.joined(), at: start)
        }
        let item = items[before]
        guard isLine(before, edits) else {
            return edits.insert(texts.map { ", " + $0 }.joined(), at: item.upperBound)
        }
        let end = end(of: before, edits)
        if !end.hasComma { edits.insert(",", at: item.upperBound) }
        let lines = texts.map { "\n" + edits.indent(of: item.lowerBound) + $0 }.joined(separator: ",")
        edits.insert(lines + (isEnd && !endsWithComma ? "" : ","), at: edits.lineEnd(of: end.offset))
    }
}
