import Git
package import SettingsModel

/// Options and groups whose history is told, under the names that they have at one point of it.
struct Places {
    /// Everything where there are none.
    let keys: [Key]
    /// Where in the tree of the store's folder a difference may be one of theirs.
    let looks: [Look]

    /// Entries of one folder; everything in it where no names are given.
    struct Look {
        var folder: [[UInt8]]
        var names: [[UInt8]]
    }

    init(_ keys: [Key]) {
        self.keys = keys
        looks =
            keys.isEmpty || keys.contains(where: \.isRoot)
            ? [Look(folder: [], names: [])]
            : keys.map { key in
                let name = Array(key.name.utf8)
                return Look(folder: key.group.parts.map { Array($0.utf8) }, names: [name + ".json".utf8, name])
            }
    }
}

extension VersionMessage {
    /// What a walk looks for at the beginning of a message's lines: what a version renamed, decided, took back or confirmed
    /// changes more than its files say, and whether it is one or several of this program's: one says what it renamed. No more than 16.
    static let wordsOnTheWay = [
        "renamed:", "resolves:", "via:", "via:", "* ", "undoes:", "redoes:", "reverts:", "confirms:", "extends:", "unconfirmed:",
        "restored-from:", "conflict:", "change-id:",
    ].map { Array($0.utf8) }
    /// What a message names other versions with.
    static let wordsThatName = [
        "undoes:", "redoes:", "reverts:", "restored-from:", "confirms:", "extends:", "unconfirmed:",
    ].map { Array($0.utf8) }
    static let renaming = 0
    static let resolving = 1
    static let recording = 2
    /// A second one that records, and what hosts put before the messages that they squash.
    static let squashing = 3...4
    static let asking = 12
    static let naming = 13
}

extension CommitHeader {
    func noticed(_ word: Int) -> Bool { noticed & 1 << UInt16(word) != 0 }

    /// Whether it says anything about what it changed.
    var isSaying: Bool { noticed(VersionMessage.renaming) || mayDecide }

    /// Whether it may have renamed something: it says so, or its files may show it.
    var mayRename: Bool {
        let isOwn =
            noticedAtEnd & 1 << UInt16(VersionMessage.recording) != 0 && !VersionMessage.squashing.contains(where: noticed)
        return noticed(VersionMessage.renaming) || !isOwn && parents.count == 1
    }

    /// Whether it may say that it decided or confirmed something, or took a decision back.
    var mayDecide: Bool {
        let others = [VersionMessage.renaming, VersionMessage.recording, VersionMessage.naming] + VersionMessage.squashing
        return noticed & ~others.reduce(0) { $0 | 1 << UInt16($1) } != 0
    }
}

/// What places are called at each version of a history, by its number, as far as newer versions tell.
struct HistoricalNames {
    /// Every set of names that occurs, that which was asked for first.
    private(set) var sets: [Places]
    /// Which set each version has; -1 where no newer version told.
    private var numbers: [Int32]

    init(_ keys: [Key], count: Int) {
        sets = [Places(keys)]
        numbers = Array(repeating: -1, count: keys.isEmpty ? 0 : count)
    }

    func set(at number: Int) -> Int { number < numbers.count ? Int(max(numbers[number], 0)) : 0 }

    /// A version that another was made from knows the places by the same names.
    mutating func pass(_ set: Int, to parent: Int) {
        if set == 0, sets[0].keys.isEmpty { return }
        makeRoom(for: parent)
        if numbers[parent] < 0 { numbers[parent] = Int32(set) } else if numbers[parent] != set { add(sets[set].keys, to: parent) }
    }

    /// … or by these, besides those that it has.
    mutating func add(_ keys: [Key], to parent: Int) {
        makeRoom(for: parent)
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
        sets.append(Places(all))
    }

    private mutating func makeRoom(for number: Int) {
        while number >= numbers.count { numbers.append(-1) }
    }
}

extension History {
    /// A version with those that it was made from; `edge` is where a shallow clone ends.
    func step(_ id: VersionID, edge: Set<ObjectID> = []) throws(Problem) -> HistoryWalk.Step {
        let (objects, words) = (versions.repository.objects, VersionMessage.wordsOnTheWay)
        return try git(objects.step(objects.header(id, noticing: words), edge: edge, noticing: words))
    }

    /// What `places` were called in each version that this one was made from. A version's word that it renamed something
    /// counts for what it changed: what others say need not be read.
    func earlierNames(of places: [Key], before step: HistoryWalk.Step) throws(Problem) -> [[Key]] {
        if step.isBoundary { return [] }
        let names = try names(of: places, before: step)
        guard step.isMerge else { return step.commit.parents.map { _ in names } }
        var result: [[Key]] = []
        for (index, parent) in step.commit.parents.enumerated() {
            let snapshot = try versions.snapshot(parent)
            var earlier: [Key] = []
            for (place, renamed) in zip(places, names) {
                // What a merge renamed has its old name in the first parent; another one brought the new one.
                let (likely, other) = index == 0 ? (renamed, place) : (place, renamed)
                if try snapshot.holds(likely) {
                    earlier.append(likely)
                } else if other != likely, try snapshot.holds(other) {
                    earlier.append(other)
                } else {
                    earlier.append(try name(of: renamed, on: parent, mergedBy: step.commit))
                }
            }
            result.append(earlier)
        }
        return result
    }

    func renames(by step: HistoryWalk.Step) throws(Problem) -> [VersionMessage.Rename] {
        guard step.commit.mayRename else { return [] }
        return try versions.renames(by: try git(versions.repository.objects.commit(step.commit.id)))
    }

    private func names(of places: [Key], before step: HistoryWalk.Step) throws(Problem) -> [Key] {
        guard step.commit.mayRename else { return places }
        var names = places
        let first = step.parents.first ?? nil
        for (index, place) in places.enumerated()
        where try differ(first?.tree, step.commit.tree, in: Places([place])) {
            names[index] = place.before(try renames(by: step))
        }
        return names
    }

    /// What another line of versions, brought in by `merge`, renamed is called otherwise on this one.
    private func name(of place: Key, on parent: VersionID, mergedBy merge: CommitHeader) throws(Problem) -> Key {
        let others = merge.parents.filter { $0 != parent }
        let edge = try git(versions.repository.objects.shallowEdge())
        var walk = try git(versions.repository.objects.commits(from: others, hiding: [parent], order: .topological))
        var place = place
        while let id = try versions.next(&walk) {
            place = try names(of: [place], before: try step(id, edge: edge))[0]
        }
        return place
    }
}

extension Snapshot {
    /// Whether there is an option or a group of that key.
    package func holds(_ key: Key) throws(Problem) -> Bool {
        if try holdsOption(key) { return true }
        return try holdsGroup(key)
    }
}

extension Key {
    /// What it was called before a version that renamed something.
    func before(_ renames: [VersionMessage.Rename]) -> Key {
        renames.reversed().reduce(self) { key, rename in
            if case .option = rename.new { return key == rename.new.key ? rename.old.key : key }
            return key.moved(from: rename.new.key, to: rename.old.key)
        }
    }
}
