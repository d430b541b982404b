/// What differs between two lists of pieces, such as the lines of a file or the words of a text.
package enum PieceDifference {
    package enum Kind: Hashable, Sendable { case same, removed, added }

    /// The pieces of both in order, what was removed before what was added in its place. The ends that both have in common are found
    /// first. Where more than `limit` pieces are left between them, those are removed and added as a whole.
    package static func pieces<Piece: Hashable>(
        from before: [Piece], to after: [Piece], limit: Int = .max
    ) -> [(kind: Kind, piece: Piece)] {
        let start = zip(before, after).prefix { $0 == $1 }.count
        let end = zip(before.dropFirst(start).reversed(), after.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let (old, new) = (before[start..<before.count - end], after[start..<after.count - end])
        var (removed, added) = (Set(old.indices), Set(new.indices))
        if old.count + new.count <= limit {
            (removed, added) = ([], [])
            for change in new.difference(from: old) {
                switch change {
                case .remove(let place, _, _): removed.insert(start + place)
                case .insert(let place, _, _): added.insert(start + place)
                }
            }
        }
        var all = before[..<start].map { (Kind.same, $0) }
        var (left, right) = (start, start)
        while left < old.endIndex || right < new.endIndex {
            if removed.contains(left) {
                all.append((.removed, before[left]))
                left += 1
            } else if added.contains(right) {
                all.append((.added, after[right]))
                right += 1
            } else {
                all.append((.same, before[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        return all + before[old.endIndex...].map { (Kind.same, $0) }
    }
}
