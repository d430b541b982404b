/// Suggestions for a word that names nothing.
public enum Nearest {
    /// The candidates closest to `word`, best first: those that start with it, contain it, or differ by few typos for its
    /// length. One letter is contained in most words, and two are in many, so they count only at the start of a part.
    public static func words(to word: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
        let lower = word.lowercased()
        let wanted = Array(lower.prefix(64))
        guard !wanted.isEmpty else { return [] }
        // With a typo, a word of two letters could be any other one.
        let most = wanted.count < 6 ? min(wanted.count / 3, 1) : wanted.count / 3
        var work = workLimit
        func distance(to letters: [Character]) -> Int? {
            guard abs(letters.count - wanted.count) <= max(most, 2), work > 0 else { return nil }
            work -= (letters.count + 1) * wanted.count
            return self.distance(wanted, letters)
        }
        var seen: Set<String> = []
        var scored: [(word: String, score: Int)] = []
        for candidate in candidates where seen.insert(candidate).inserted {
            let folded = candidate.lowercased()
            let isInside = wanted.count > 2 && folded.contains(lower) || wanted.count == 2 && starts(folded, with: lower)
            var score = distance(to: Array(folded.prefix(64))) ?? .max
            if let dot = folded.utf8.lastIndex(of: UInt8(ascii: ".")),
                let last = distance(to: Array(folded[folded.index(after: dot)...]))
            {
                score = min(score, last + 1)
            }
            if isInside { score = min(score, 2) }
            if isInside || score <= most { scored.append((candidate, score)) }
        }
        let sorted = scored.sorted { ($0.score, $0.word) < ($1.score, $1.word) }
        // If one typo explains the word, candidates with two are dropped.
        return sorted.filter { $0.score <= max(1, sorted[0].score) || sorted[0].score > 1 }.prefix(limit).map(\.word)
    }

    /// "did you mean 'a', 'b' or 'c'?"; nil without candidates.
    package static func question(_ words: [String]) -> String? {
        guard let last = words.last else { return nil }
        let others = words.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return "did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'?"
    }

    /// Whether a word or a part of a key starts with these letters.
    private static func starts(_ word: String, with start: String) -> Bool {
        word.hasPrefix(start) || word.contains("." + start)
    }

    /// The maximum number of letter comparisons: a file may have 60,000 labels.
    private static let workLimit = 5_000_000

    /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
