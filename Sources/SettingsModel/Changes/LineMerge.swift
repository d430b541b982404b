/// Three texts merged line by line, where git sees a conflict because both sides changed lines that touch: here, only lines that
/// both changed conflict. For texts whose lines mean something by themselves, and whose result is read again.
package enum LineMerge {
    /// The most lines between the common ends of two texts that are compared, as that takes the square of them.
    private static let limit = 4_000

    /// The merged text; nil where both sides changed a line, or added different ones in the same place.
    package static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8]? {
        let lines = self.lines(base)
        var edits = [edits(from: lines, to: self.lines(ours))[...], edits(from: lines, to: self.lines(theirs))[...]]
        var (merged, place) = ([UInt8](), 0)
        while let side = nextSide(edits) {
            let edit = edits[side].removeFirst()
            if let other = edits[1 - side].first {
                if edit == other { edits[1 - side].removeFirst() } else if edit.conflicts(with: other) { return nil }
            }
            merged += lines[place..<edit.lines.lowerBound].joined()
            merged += edit.new.joined()
            place = edit.lines.upperBound
        }
        return merged + lines[place...].joined()
    }

    /// Whose edit comes first; lines that are added in a place come before what is done to the line there.
    private static func nextSide(_ edits: [ArraySlice<Edit>]) -> Int? {
        guard let ours = edits[0].first else { return edits[1].isEmpty ? nil : 1 }
        guard let theirs = edits[1].first else { return 0 }
        let (left, right) = (ours.lines, theirs.lines)
        return (left.lowerBound, left.upperBound) <= (right.lowerBound, right.upperBound) ? 0 : 1
    }

    /// Lines of the base that a side replaced, none where it only added some.
    private struct Edit: Equatable {
        var lines: Range<Int>
        var new: [ArraySlice<UInt8>] = []

        /// Whether an edit that does not begin before this one touches the same lines.
        func conflicts(with later: Edit) -> Bool {
            lines.isEmpty && later.lines.isEmpty ? lines == later.lines : later.lines.lowerBound < lines.upperBound
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var (lines, rest) = ([ArraySlice<UInt8>](), bytes[...])
        while let end = rest.firstIndex(of: 10) {
            lines.append(rest[...end])
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    private static func edits(from base: [ArraySlice<UInt8>], to side: [ArraySlice<UInt8>]) -> [Edit] {
        var (edits, place) = ([Edit](), 0)
        func append(_ lines: Range<Int>, _ new: [ArraySlice<UInt8>]) {
            if let last = edits.last, last.lines.upperBound == lines.lowerBound {
                edits[edits.count - 1].lines = last.lines.lowerBound..<lines.upperBound
                edits[edits.count - 1].new += new
            } else {
                edits.append(Edit(lines: lines, new: new))
            }
        }
        for (kind, line) in PieceDifference.pieces(from: base, to: side, limit: limit) {
            switch kind {
            case .same: place += 1
            case .removed:
                append(place..<place + 1, [])
                place += 1
            case .added: append(place..<place, [line])
            }
        }
        return edits
    }
}
