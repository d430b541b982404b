import Seeds
import Testing

@testable import SettingsModel

/// The search for the changes that make a check fail.
@Suite struct BisectionTests {
    /// Runs a search and counts what it asks; a state that is asked about twice is an issue.
    private func search(
        _ bisection: Bisection, _ check: (Set<Int>) -> Bisection.Verdict
    ) -> (outcome: Bisection.Outcome, asked: Set<Set<Int>>) {
        var asked: Set<Set<Int>> = []
        let outcome = bisection.search { trial in
            if !asked.insert(trial.changes).inserted { Issue.record("\(trial.changes.count) changes are tried twice") }
            return check(trial.changes)
        }
        return (outcome, asked)
    }

    @Test(arguments: [(1, 13), (2, 25), (3, 37)])
    func aFewGuiltyChangesAmongAThousandTakeFewRuns(_ culprits: Int, _ most: Int) {
        var all: [Int] = []
        forSeeds(400) { random in
            var guilty: Set<Int> = []
            while guilty.count < culprits { guilty.insert(random.int(1000)) }
            let (outcome, asked) = search(Bisection(count: 1000)) { guilty.isSubset(of: $0) ? .bad : .good }
            all.append(asked.count)
            return outcome == .found(Bisection.Guilty(certain: guilty.sorted())) ? nil : "\(outcome)"
        }
        let average = Double(all.reduce(0, +)) / Double(all.count)
        #expect((all.max() ?? 0) <= most, "on average \(average)")
        #expect(average > Double(most) / 2)
    }

    @Test func theAnswerFailsAndNothingCanBeLeftOutOfIt() {
        forSeeds { random in
            let count = random.int(1...40)
            let combinations = random.combinations(among: count)
            func verdict(_ changes: Set<Int>) -> Bisection.Verdict {
                combinations.contains { $0.isSubset(of: changes) } ? .bad : .good
            }
            guard case .found(let guilty) = search(Bisection(count: count), verdict).outcome else { return "nothing was found" }
            guard combinations.contains(Set(guilty.certain)) else { return "\(guilty) of \(combinations)" }
            return guilty.suspected.isEmpty && guilty.required.isEmpty ? nil : "\(guilty)"
        }
    }

    @Test func theAnswerHoldsEvenIfACheckFollowsNoRule() {
        forSeeds { random in
            let count = random.int(1...20)
            let seed = random.next()
            func verdict(_ changes: Set<Int>) -> Bisection.Verdict {
                if changes.isEmpty { return .good }
                return changes.count == count || Seeded.isChosen(changes, seed, 40) ? .bad : .good
            }
            guard case .found(let guilty) = search(Bisection(count: count), verdict).outcome else { return "nothing was found" }
            let found = Set(guilty.certain)
            guard verdict(found) == .bad else { return "the answer passes" }
            return found.contains { verdict(found.subtracting([$0])) == .bad } ? "too much is guilty" : nil
        }
    }

    @Test func aChangeIsNeverTriedWithoutWhatItNeeds() {
        forSeeds { random in
            let count = random.int(1...30)
            // Also later ones, as in a version that changed a label list last.
            let requirements = (0..<count).map { change in
                Set((0..<random.int(3)).map { _ in random.int(count) }.filter { $0 % 5 < change % 5 })
            }
            let combinations = random.combinations(among: count)
            let bisection = Bisection(requirements: requirements)
            func verdict(_ changes: Set<Int>) -> Bisection.Verdict {
                combinations.contains { $0.isSubset(of: changes) } ? .bad : .good
            }
            let (outcome, asked) = search(bisection, verdict)
            for changes in asked where changes.contains(where: { !requirements[$0].isSubset(of: changes) }) {
                return "\(changes) were tried"
            }
            guard case .found(let guilty) = outcome else { return "nothing was found" }
            let found = Set(guilty.certain + guilty.required)
            guard guilty.suspected.isEmpty, verdict(found) == .bad else { return "\(guilty) of \(combinations)" }
            for change in guilty.required where !found.contains(where: { requirements[$0].contains(change) }) {
                return "nothing needs \(change)"
            }
            return guilty.certain.contains { verdict(found.subtracting([$0])) == .bad } ? "too much is guilty" : nil
        }
    }

    @Test func statesThatCannotBeTriedLeaveSuspectsAndNoMoreThanNecessary() {
        var (certain, suspected) = (0, 0)
        forSeeds { random in
            let count = random.int(1...20)
            let combinations = random.combinations(among: count)
            let (seed, percent) = (random.next(), random.int(60))
            func verdict(_ changes: Set<Int>) -> Bisection.Verdict {
                if !changes.isEmpty, changes.count < count, Seeded.isChosen(changes, seed, percent) { return .unknown }
                return combinations.contains { $0.isSubset(of: changes) } ? .bad : .good
            }
            guard case .found(let guilty) = search(Bisection(count: count), verdict).outcome else { return "nothing was found" }
            let found = Set(guilty.certain + guilty.suspected)
            guard verdict(found) == .bad else { return "the answer passes" }
            for change in guilty.certain where verdict(found.subtracting([change])) != .good { return "\(change) isn't certain" }
            for change in guilty.suspected where verdict(found.subtracting([change])) != .unknown { return "\(change) is known" }
            certain += guilty.certain.count
            suspected += guilty.suspected.count
            return nil
        }
        #expect(certain > suspected && suspected > 100)
    }

    @Test func twoChangesThatOnlyWorkTogetherAreOneAnswer() {
        let pair: Set<Int> = [300, 301]
        let (outcome, asked) = search(Bisection(count: 1000)) { changes in
            switch changes.intersection(pair).count {
            case 0: .good
            case 1: .unknown
            default: .bad
            }
        }
        #expect(outcome == .found(Bisection.Guilty(suspected: [300, 301])))
        #expect(asked.count < 25)
    }

    @Test func anEndThatIsNotAsStatedIsReported() {
        let bisection = Bisection(count: 10)
        #expect(search(bisection) { _ in .bad }.outcome == .unexpected(.good, .bad))
        #expect(search(bisection) { _ in .good }.outcome == .unexpected(.bad, .good))
        #expect(search(bisection) { $0.isEmpty ? .good : .unknown }.outcome == .unexpected(.bad, .unknown))
        #expect(search(Bisection(count: 0)) { _ in .good }.outcome == .unexpected(.bad, .good))
    }

    @Test func theNumberOfRunsLeftGoesDown() {
        var left: [Int] = []
        let outcome = Bisection(count: 1000).search { trial in
            left.append(trial.runsLeft)
            return trial.changes.contains(700) ? .bad : .good
        }
        #expect(outcome == .found(Bisection.Guilty(certain: [700])))
        #expect(left == left.sorted(by: >) && left.first == left.count - 1)
    }
}

extension Seeded {
    /// One to four combinations of one to four changes, none of which contains another.
    fileprivate mutating func combinations(among count: Int) -> [Set<Int>] {
        var combinations: [Set<Int>] = []
        for _ in 0..<int(1...4) {
            let combination = Set((0..<int(1...4)).map { _ in int(count) })
            combinations.removeAll { combination.isSubset(of: $0) }
            if !combinations.contains(where: { $0.isSubset(of: combination) }) { combinations.append(combination) }
        }
        return combinations
    }

    /// Whether a set is one of about `percent` of a hundred, the same for each seed.
    fileprivate static func isChosen(_ changes: Set<Int>, _ seed: UInt64, _ percent: Int) -> Bool {
        var random = Seeded(
            changes.reduce(seed) { sum, change in
                var own = Seeded(UInt64(change))
                return sum &+ own.next()
            })
        return random.chance(percent)
    }
}
