/// What somebody may have meant by a word that names nothing.
public enum Nearest {
    /// The candidates closest to `word`, best first: those that begin with it, hold it, or are a few slips away.
    public static func words(to word: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
        let wanted = Array(word.lowercased().prefix(64))
        guard !wanted.isEmpty else { return [] }
        let scored: [(word: String, score: Int)] = Set(candidates).compactMap { candidate in
            let letters = Array(candidate.lowercased().prefix(64))
            let last = candidate.lowercased().split(separator: ".").last.map(Array.init) ?? letters
            var score = min(distance(wanted, letters), distance(wanted, last) + 1)
            let isInside = candidate.lowercased().contains(word.lowercased())
            if isInside { score = min(score, 2) }
            // In a short word two slips leave nothing of it.
            return isInside || score <= (wanted.count < 4 ? 1 : max(2, wanted.count / 3)) ? (candidate, score) : nil
        }
        let sorted = scored.sorted { ($0.score, $0.word) < ($1.score, $1.word) }
        // Where one slip explains it, two don't.
        return sorted.filter { $0.score <= max(1, sorted[0].score) || sorted[0].score > 1 }.prefix(limit).map(\.word)
    }

    /// Insertions, removals, replacements and swaps of neighbours (optimal string alignment).
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var (before, previous) = ([Int](), Array(0...right.count))
        for i in 0..<left.count {
            var row = [i + 1]
            for j in 0..<right.count {
                var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, previous) = (previous, row)
        }
        return previous[right.count]
    }
}
