import Files
import Git
import SettingsModel

extension History {
    /// As `history`, from the index: it names the versions that may matter, in their order, and nothing more. Those before `after` may
    /// be left out.
    func walk(
        _ filter: HistoryFilter, in index: HistoryIndex, after: VersionID?,
        visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) {
        var names = NamesInIndex(filter.places, index)
        if !names.areSeveral {
            let marks = names.marks(at: 0)
            var numbers = index.versions(touching: marks)
            if filter.isAboutMessage { numbers = Set(numbers).union(index.otherParents().keys).sorted(by: >) }
            numbers = numbers.filter { filter.takes(index.time($0)) }
            if let after { numbers = Array(numbers.drop { index.id($0) != after }) }
            return try tell(numbers, of: index, as: names.places(at: 0), marks, filter, visit)
        }
        var known: [Int: IndexedVersions] = [:]
        for number in stride(from: index.count - 1, through: 0, by: -1) {
            let isRenaming = names.isRenaming(number)
            guard names.touches(number), isRenaming || filter.takes(index.time(number)) else {
                names.pass(number)
                continue
            }
            let (set, places, marks) = (names.set(at: number), names.places(at: number), names.marks(at: number))
            guard isRenaming else {
                names.pass(number)
                let indexed = known[set] ?? IndexedVersions(index, of: places.keys, marks, filter, in: versions)
                known[set] = indexed
                let meaning = try indexed.read(number)?.meaning(filter) ?? .unclear
                if try !tell(number, of: index, meaning, as: places, filter, visit) { return }
                continue
            }
            try versions.countOne()
            let step = try step(index.id(number))
            names.pass(number, as: try earlierNames(of: places.keys, before: step))
            let decides = index.decides(number)
            // What the index says under other names is that it may.
            if try !mayChange(step, places, decides: decides) { continue }
            guard let (version, changes) = try matchedVersion(step, of: places, filter, decides: decides) else { continue }
            if try !visit(version, changes) { return }
        }
    }

    /// The merges in the history of a version, newest first. The index names them: of 100,000 versions none needs to be read then.
    func eachMerge(from start: VersionID, visit: (Version) throws(Problem) -> Void) throws(Problem) {
        guard start == (try versions.head.commit), let index = cache.index() else {
            return try eachVersion(from: start, hiding: []) { version throws(Problem) in
                if version.isMerge { try visit(version) }
            }
        }
        for number in index.otherParents().keys.sorted(by: >) { try visit(try versions.version(index.id(number))) }
    }

    /// Tells of versions that touch one of these places: of the first ones at once, of the others in batches, as git's objects
    /// are read one after the other and what they mean is worked out on all processors.
    private func tell(
        _ numbers: [Int], of index: HistoryIndex, as places: Places, _ marks: [Bool], _ filter: HistoryFilter,
        _ visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) {
        let indexed = IndexedVersions(index, of: places.keys, marks, filter, in: versions)
        for number in numbers.prefix(Self.first) {
            let meaning = try indexed.read(number)?.meaning(filter) ?? .unclear
            if try !tell(number, of: index, meaning, as: places, filter, visit) { return }
        }
        var rest = numbers.dropFirst(Self.first)
        while !rest.isEmpty {
            let numbers = rest.prefix(Self.batch)
            rest = rest.dropFirst(numbers.count)
            var read: [IndexedVersion?] = []
            for number in numbers { read.append(try indexed.read(number)) }
            let batch = read
            let meanings = Workers.parts(of: batch.count) { part in batch[part].map { $0?.meaning(filter) ?? .unclear } }
            for (number, meaning) in zip(numbers, meanings.joined()) {
                if try !tell(number, of: index, meaning, as: places, filter, visit) { return }
            }
        }
    }

    /// More than is wanted by whoever leaves after a page.
    private static let first = 256
    private static let batch = 8 * Workers.share

    /// Tells of a version; false where no more are wanted.
    private func tell(
        _ number: Int, of index: HistoryIndex, _ meaning: IndexedVersion.Meaning, as places: Places, _ filter: HistoryFilter,
        _ visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        try versions.countOne()
        switch meaning {
        case .unwanted: return true
        case .changes(let version, let changes): return try visit(version, changes)
        case .unclear:
            let step = try step(index.id(number))
            // What the index says of a merge is that it may.
            var found: (Version, VersionChanges)?
            let decides = step.isMerge && index.decides(number)
            let mayCount = step.isMerge ? try mayChange(step, places, decides: decides) : true
            if mayCount { found = try matchedVersion(step, of: places, filter, decides: decides) }
            if found == nil { found = try mergeByMessage(step, filter) }
            guard let (version, changes) = found else { return true }
            return try visit(version, changes)
        }
    }
}

/// What places are called at each version of an index, and which of its paths are of them.
private struct NamesInIndex {
    private let index: HistoryIndex
    private var names: HistoricalNames
    /// Of each set of names, the paths that are of it.
    private var marks: [[Bool]]
    private let renaming: [Bool]
    /// Whether any version may know them by another name.
    let areSeveral: Bool
    private var others: [Int: [Int]] = [:]

    init(_ keys: [Key], _ index: HistoryIndex) {
        self.index = index
        marks = [index.marks(of: keys)]
        renaming = [true] + [Bool](repeating: false, count: max(index.pathCount - 1, 0))
        areSeveral = !keys.isEmpty && index.hasRenames
        names = HistoricalNames(keys, count: areSeveral ? index.count : 0)
        if areSeveral { others = index.otherParents() }
    }

    func set(at number: Int) -> Int { names.set(at: number) }
    func places(at number: Int) -> Places { names.sets[names.set(at: number)] }
    func marks(at number: Int) -> [Bool] { marks[names.set(at: number)] }
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
