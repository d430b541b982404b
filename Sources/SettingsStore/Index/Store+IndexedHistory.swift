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
                names.pass(number, as: try earlierNames(of: places.keys, before: step))
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

/// What places are called at each version of an index, and which of its paths are of them.
private struct NamesInIndex {
    private let index: HistoryIndex
    private var names: NamesOnTheWay
    /// Of each set of names, the paths that are of it.
    private var marks: [[Bool]]
    private let renaming: [Bool]
    /// Whether any version may know them by another name.
    private let areSeveral: Bool
    private var others: [Int: [Int]] = [:]

    init(_ keys: [Key], _ index: HistoryIndex, prefix: String) {
        self.index = index
        marks = [index.marks(of: keys)]
        renaming = [true] + [Bool](repeating: false, count: max(index.pathCount - 1, 0))
        let renames = renaming
        areSeveral = !keys.isEmpty && (0..<index.count).contains { index.touches($0, renames) }
        names = NamesOnTheWay(keys, prefix: prefix, count: areSeveral ? index.count : 0)
        if areSeveral { others = index.otherParents() }
    }

    func places(at number: Int) -> Places { names.sets[names.set(at: number)] }
    func touches(_ number: Int) -> Bool { index.touches(number, marks[names.set(at: number)]) }
    func isRenaming(_ number: Int) -> Bool { areSeveral && index.touches(number, renaming) }

    /// The versions that one was made from know the places by the same names.
    mutating func pass(_ number: Int) {
        guard areSeveral, let first = index.firstParent(number) else { return }
        let set = names.set(at: number)
        names.pass(set, to: first)
        for parent in others[number] ?? [] { names.pass(set, to: parent) }
        mark()
    }

    /// … or by these, each by its own.
    mutating func pass(_ number: Int, as keys: [[Key]]) {
        guard let first = index.firstParent(number) else { return }
        for (parent, keys) in zip([first] + (others[number] ?? []), keys) { names.add(keys, to: parent) }
        mark()
    }

    private mutating func mark() {
        while marks.count < names.sets.count { marks.append(index.marks(of: names.sets[marks.count].keys)) }
    }
}
