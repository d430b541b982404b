import Git
import SettingsModel

extension Store {
    /// As `history`, from the index: it names the versions that may matter, in their order, and nothing more.
    func history(
        _ filter: HistoryFilter, in index: HistoryIndex, visit: (Version, VersionChanges) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var names = NamesInIndex(filter.places, index, prefix: prefix)
        for number in stride(from: index.count - 1, through: 0, by: -1) {
            let isRenaming = names.isRenaming(number)
            guard names.touches(number), isRenaming || filter.takes(index.time(number)) else {
                names.pass(number)
                continue
            }
            countOne()
            let words = VersionMessage.wordsOnTheWay
            let step = try git { () throws(GitError) in
                try repository.step(try repository.header(index.id(number), noticing: words), edge: [], noticing: words)
            }
            let places = names.places(at: number)
            if isRenaming {
                names.pass(number, as: try earlierNames(of: places.keys, before: step).map(\.1))
            } else {
                names.pass(number)
            }
            // What the index says of a merge, or under other names, is that it may.
            if step.isMerge || isRenaming, try !mayChange(step, places) { continue }
            guard let (version, changes) = try told(step, of: places, filter) else { continue }
            if try !visit(version, changes) { return }
        }
    }
}

/// What places are called at each version of an index, as `NamesOnTheWay` has it.
private struct NamesInIndex {
    private let index: HistoryIndex
    private let prefix: String
    /// Every set of names that occurs, that which was asked for first, and the paths that are of it.
    private var sets: [Places]
    private var marks: [[Bool]]
    /// Which set each version has; -1 where no newer version told. Empty where there is only one.
    private var numbers: [Int32] = []
    private var others: [Int: [Int]] = [:]
    private let renaming: [Bool]

    init(_ keys: [Key], _ index: HistoryIndex, prefix: String) {
        self.index = index
        self.prefix = prefix
        sets = [Places(keys, prefix: prefix)]
        marks = [index.marks(of: keys)]
        renaming = [true] + [Bool](repeating: false, count: max(index.pathCount - 1, 0))
        let renames = renaming
        if !keys.isEmpty, (0..<index.count).contains(where: { index.touches($0, renames) }) {
            numbers = Array(repeating: -1, count: index.count)
            others = index.otherParents()
        }
    }

    private func set(_ number: Int) -> Int { numbers.isEmpty ? 0 : Int(max(numbers[number], 0)) }

    func places(at number: Int) -> Places { sets[set(number)] }
    func touches(_ number: Int) -> Bool { index.touches(number, marks[set(number)]) }
    func isRenaming(_ number: Int) -> Bool { !numbers.isEmpty && index.touches(number, renaming) }

    private func parents(of number: Int) -> [Int] {
        guard let first = index.firstParent(number) else { return [] }
        return [first] + (others[number] ?? [])
    }

    /// The versions that one was made from know the places by the same names.
    mutating func pass(_ number: Int) {
        if numbers.isEmpty { return }
        let set = set(number)
        if let first = index.firstParent(number), numbers[first] < 0 || numbers[first] == set, others[number] == nil {
            numbers[first] = Int32(set)
        } else {
            for parent in parents(of: number) { add(sets[set].keys, to: parent) }
        }
    }

    /// … or by these, each by its own.
    mutating func pass(_ number: Int, as names: [[Key]]) {
        for (parent, keys) in zip(parents(of: number), names) { add(keys, to: parent) }
    }

    private mutating func add(_ keys: [Key], to parent: Int) {
        var all = keys
        if numbers[parent] >= 0 {
            let known = sets[Int(numbers[parent])].keys
            all = known + keys.filter { !known.contains($0) }
        }
        if let set = sets.firstIndex(where: { $0.keys == all }) {
            numbers[parent] = Int32(set)
            return
        }
        numbers[parent] = Int32(sets.count)
        sets.append(Places(all, prefix: prefix))
        marks.append(index.marks(of: all))
    }
}
