import Git
import SettingsModel

extension History {
    /// As `history`, from the index: it names the versions that may matter, in their order, and nothing more.
    func walk(
        _ filter: HistoryFilter, in index: HistoryIndex, visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) {
        var names = NamesInIndex(filter.places, index, prefix: versions.prefix)
        if !names.areSeveral {
            let marks = names.marks(at: 0)
            for number in index.versions(touching: marks) where filter.takes(index.time(number)) {
                if try !tell(number, of: index, as: names.places(at: number), marks, filter, visit) { return }
            }
            return
        }
        for number in stride(from: index.count - 1, through: 0, by: -1) {
            let isRenaming = names.isRenaming(number)
            guard names.touches(number), isRenaming || filter.takes(index.time(number)) else {
                names.pass(number)
                continue
            }
            let (places, marks) = (names.places(at: number), names.marks(at: number))
            guard isRenaming else {
                names.pass(number)
                if try !tell(number, of: index, as: places, marks, filter, visit) { return }
                continue
            }
            versions.countOne()
            let step = try step(index.id(number))
            names.pass(number, as: try earlierNames(of: places.keys, before: step))
            // What the index says under other names is that it may.
            if try !mayChange(step, places) { continue }
            guard let (version, changes) = try matchedVersion(step, of: places, filter) else { continue }
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

    /// The same; without an index, among so many of the newest versions.
    func eachMerge(
        from start: VersionID, within limit: Int, visit: (Version) throws(Problem) -> Void
    ) throws(Problem) {
        if start == (try versions.head.commit), cache.index() != nil { return try eachMerge(from: start, visit: visit) }
        let words = VersionMessage.wordsOnTheWay
        var walk = try git { () throws(GitError) in try versions.repository.objects.history(of: start, noticing: words) }
        var count = 0
        while count < limit, let step = try git({ () throws(GitError) in try walk.next(in: versions.repository.objects) }) {
            count += 1
            if step.isMerge { try visit(try versions.version(step.commit.id)) }
        }
    }

    /// Tells of a version that touches one of these places; false where no more are wanted.
    private func tell(
        _ number: Int, of index: HistoryIndex, as places: Places, _ marks: [Bool], _ filter: HistoryFilter,
        _ visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        versions.countOne()
        let commit = try git { () throws(GitError) in try versions.repository.objects.commit(index.id(number)) }
        if commit.parents.count > 1 {
            let step = try step(commit.id)
            // What the index says of a merge is that it may.
            guard try mayChange(step, places), let (version, changes) = try matchedVersion(step, of: places, filter) else {
                return true
            }
            return try visit(version, changes)
        }
        let version = Version(commit)
        guard filter.takes(version) else { return true }
        if version.message.renames.isEmpty, let changes = changes(of: number, in: index, places.keys, marks) {
            return try changes.changes.isEmpty || !filter.takes(version, changes) ? true : visit(version, changes)
        }
        let step = try git { () throws(GitError) in
            let words = VersionMessage.wordsOnTheWay
            let header = CommitHeader(commit, time: index.time(number), noticing: words)
            return try versions.repository.objects.step(header, edge: [])
        }
        guard let (_, changes) = try matchedVersion(step, of: places, filter, as: version) else { return true }
        return try visit(version, changes)
    }

    /// What a version changed of `places`, from the files that the index names: no tree is read. Nil where it doesn't, or
    /// one of them can't be read.
    private func changes(of number: Int, in index: HistoryIndex, _ places: [Key], _ marks: [Bool]) -> VersionChanges? {
        var (before, after) = (SettingsContent(), SettingsContent())
        var isComplete = true
        index.eachTouch(by: number) { path, place in
            guard isComplete, marks[Int(path)],
                let subject = Subject(path: String(decoding: index.path(Int(path)), as: UTF8.self)),
                subject.lies(in: places)
            else { return }
            do {
                let content = index.content(place)
                before[subject] = try item(content.before, subject)
                after[subject] = try item(content.after, subject)
            } catch {
                isComplete = false
            }
        }
        return isComplete ? VersionChanges(changes: after.changes(since: before)) : nil
    }

    private func item(_ file: ObjectID, _ subject: Subject) throws(Problem) -> SettingsContent.Item? {
        if file == HistoryContent.none { return nil }
        guard file != HistoryContent.unknown else { throw .file(.isNotRegularIn(subject.path, nil)) }
        return try versions.read(file, .blob, subject, in: nil, acceptingAnyValue: true)
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

    init(_ keys: [Key], _ index: HistoryIndex, prefix: String) {
        self.index = index
        marks = [index.marks(of: keys)]
        renaming = [true] + [Bool](repeating: false, count: max(index.pathCount - 1, 0))
        areSeveral = !keys.isEmpty && index.hasRenames
        names = HistoricalNames(keys, prefix: prefix, count: areSeveral ? index.count : 0)
        if areSeveral { others = index.otherParents() }
    }

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
