/// Finds which changes of a list make a check fail, knowing only what the check says of some of them applied together.
///
/// `git bisect` finds the first version that fails. Here the changes need not be applied in the order in which they were made,
/// so the answer can be a few changes out of many that fail together and in no smaller combination:
///
/// 1. The shortest prefix of the list that fails is found by halves. Its last change is guilty.
/// 2. Step 1 is repeated with the guilty changes put first, until they fail alone.
/// 3. Each guilty change is left out once, so that none is named needlessly.
///
/// One guilty change among 1,000 takes 13 runs, both ends included; two take up to 25, where delta debugging takes 66.
package struct Bisection: Sendable {
    /// How many changes there are, in the order in which they were made.
    package let count: Int
    /// For each change those that it can't be applied without, and what these need in turn, without itself.
    private let required: [Set<Int>]

    /// What a check says of a state.
    package enum Verdict: Hashable, Sendable {
        case good, bad
        /// The state can't be tried.
        case unknown
    }

    /// Changes to apply together for a check.
    package struct Trial: Sendable {
        package var changes: Set<Int>
        package var purpose: Purpose
        /// About how many runs are left after this one, if no further guilty change is found.
        package var runsLeft: Int
    }

    package enum Purpose: Hashable, Sendable {
        /// The states that the caller knows: without any change, and with all of them.
        case good, bad
        case narrowing
        /// Whether a change can be left out.
        case leavingOut
    }

    package enum Outcome: Hashable, Sendable {
        case found(Guilty)
        /// The check doesn't say of this end what the caller said.
        case unexpected(Purpose, Verdict)
    }

    package struct Guilty: Hashable, Sendable {
        /// The check fails without any of these, and with all of them it fails.
        package var certain: [Int] = []
        /// Those that could not be left out because the check didn't say anything without them.
        package var suspected: [Int] = []
        /// Those that the others can't be applied without.
        package var required: [Int] = []
    }

    /// `requirements`: for each change those that it can't be applied without, directly.
    package init(requirements: [Set<Int>]) {
        count = requirements.count
        required = requirements.indices.map { index in
            var found = requirements[index]
            var open = Array(found)
            while let next = open.popLast() {
                for more in requirements[next] where found.insert(more).inserted { open.append(more) }
            }
            found.remove(index)
            return found
        }
    }

    package init(count: Int) { self.init(requirements: Array(repeating: [], count: count)) }

    /// The changes with all that they can't be applied without.
    private func closure(_ changes: some Sequence<Int>) -> Set<Int> {
        var all: Set<Int> = []
        for change in changes where all.insert(change).inserted { all.formUnion(required[change]) }
        return all
    }

    /// Those of `changes` that none of the others needs.
    private func independent(_ changes: Set<Int>) -> [Int] {
        changes.filter { change in !changes.contains { $0 != change && required[$0].contains(change) } }.sorted()
    }

    /// Asks `check` until the guilty changes are known. It is asked about each state once.
    package func search<Failure: Error>(_ check: (Trial) throws(Failure) -> Verdict) throws(Failure) -> Outcome {
        var known: [Set<Int>: Verdict] = [:]
        func verdict(_ changes: Set<Int>, _ purpose: Purpose, runsLeft: Int) throws(Failure) -> Verdict {
            if let verdict = known[changes] { return verdict }
            let verdict = try check(Trial(changes: changes, purpose: purpose, runsLeft: runsLeft))
            known[changes] = verdict
            return verdict
        }
        let halvings = Self.halvings(count)
        let first = try verdict([], .good, runsLeft: halvings + 2)
        guard first == .good else { return .unexpected(.good, first) }
        let last = try verdict(Set(0..<count), .bad, runsLeft: halvings + 1)
        guard last == .bad, count > 0 else { return .unexpected(.bad, last) }

        var guilty: Set<Int> = []
        var rest = Array(0..<count)
        while true {
            // All of `rest` fails together with the guilty changes.
            let alone = try verdict(guilty, .narrowing, runsLeft: max(guilty.count - 1, 0))
            if alone == .bad { break }
            // The lengths of a prefix that doesn't fail, or -1, and of one that does.
            var (good, bad) = (alone == .good ? 0 : -1, rest.count)
            narrowing: while bad - good > 1 {
                for length in Self.lengths(between: good, and: bad) {
                    let changes = closure(guilty.union(rest.prefix(length)))
                    switch try verdict(changes, .narrowing, runsLeft: Self.halvings(bad - good) + guilty.count) {
                    case .good: good = length
                    case .bad: bad = length
                    case .unknown: continue
                    }
                    continue narrowing
                }
                break
            }
            let passing = good < 0 ? guilty : closure(guilty.union(rest.prefix(good)))
            let failing = closure(guilty.union(rest.prefix(bad)))
            guilty.formUnion(closure(failing.subtracting(passing)))
            rest = Array(rest.prefix(max(good, 0)))
        }

        var suspected: Set<Int> = []
        var isSmaller = true
        while isSmaller {
            (isSmaller, suspected) = (false, [])
            let candidates = independent(guilty)
            for (index, change) in candidates.enumerated() {
                switch try verdict(guilty.subtracting([change]), .leavingOut, runsLeft: candidates.count - index - 1) {
                case .good: break
                case .bad:
                    guilty.remove(change)
                    isSmaller = true
                case .unknown: suspected.insert(change)
                }
            }
        }
        let named = independent(guilty)
        return .found(
            Guilty(
                certain: named.filter { !suspected.contains($0) }, suspected: named.filter { suspected.contains($0) },
                required: guilty.subtracting(named).sorted()))
    }

    /// How often something can be halved until one is left.
    private static func halvings(_ count: Int) -> Int { count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount }

    /// The lengths to try, the middle first. The next ones are tried only if a check can't tell: neighbours, then ever farther
    /// away, and at last everything that is left.
    private static func lengths(between low: Int, and high: Int) -> some Sequence<Int> {
        let middle = low + (high - low) / 2
        let reach = high - low
        var distances = [0]
        var step = 1
        while step < reach {
            distances.append(step)
            step *= 2
        }
        let near = Set(distances)
        distances += (0..<reach).filter { !near.contains($0) }
        return distances.lazy.flatMap { $0 == 0 ? [middle] : [middle + $0, middle - $0] }.filter { low < $0 && $0 < high }
    }
}
