extension Selection.Disagreement {
    /// The file with `selected` naming the label that `value` does, and every other byte as it is. Nil where that line can't be
    /// found.
    package func corrected(_ file: [UInt8]) -> [UInt8]? {
        guard let position else { return nil }
        var (line, start) = (1, 0)
        while line < position.line, let end = file[start...].firstIndex(of: UInt8(ascii: "\n")) {
            (line, start) = (line + 1, end + 1)
        }
        let place = start + position.column - 1
        let old = Array((index.map(String.init) ?? "null").utf8)
        guard line == position.line, place + old.count <= file.count, file[place..<(place + old.count)].elementsEqual(old) else {
            return nil
        }
        let new = Array((option.selected.map(String.init) ?? "null").utf8)
        let corrected = file[..<place] + new + file[(place + old.count)...]
        return Selection(file: Array(corrected))?.index == option.selected ? Array(corrected) : nil
    }
}
