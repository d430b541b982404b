import Git
package import SettingsModel

/// Options and groups whose history is told, under the names that they have at one point of it.
struct Places {
    /// Everything where there are none.
    let keys: [Key]
    /// Where in a tree a difference may be one of theirs.
    let looks: [Look]

    /// Entries of one folder; everything in it where no names are given.
    struct Look {
        var folder: [[UInt8]]
        var names: [[UInt8]]
    }

    init(_ keys: [Key], prefix: String) {
        let root = prefix.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        self.keys = keys
        looks =
            keys.isEmpty || keys.contains(where: \.isRoot)
            ? [Look(folder: root, names: [])]
            : keys.map { key in
                let name = Array(key.name.utf8)
                return Look(folder: root + key.group.parts.map { Array($0.utf8) }, names: [name + ".json".utf8, name])
            }
    }
}

extension VersionMessage {
    /// What a walk looks for at the beginning of a message's lines: what a version renamed or decided changes more than
    /// its files say.
    static let wordsOnTheWay = ["renamed:", "resolves:", "undoes:", "redoes:"].map { Array($0.utf8) }
    static let renaming = 0
    static let resolving = 1
}

extension CommitHeader {
    func noticed(_ word: Int) -> Bool { noticed & 1 << UInt8(word) != 0 }
}

/// What places are called at each version that is still to come.
struct NamesOnTheWay {
    private let keys: [Key]
    private var names: [VersionID: [Key]]
    /// The last ones, which mostly are the next ones.
    private var last: Places?

    init(_ keys: [Key], at start: VersionID) {
        self.keys = keys
        names = [start: keys]
    }

    /// The names at a version, which is behind us then.
    mutating func take(_ step: HistoryWalk.Step, _ store: Store) throws(StoreError) -> Places {
        let keys = names.removeValue(forKey: step.commit.id) ?? self.keys
        if let last, last.keys == keys {} else { last = Places(keys, prefix: store.prefix) }
        let places = last ?? Places(keys, prefix: store.prefix)
        if !keys.isEmpty {
            for (parent, earlier) in try store.earlierNames(of: keys, before: step) {
                guard let known = names[parent] else {
                    names[parent] = earlier
                    continue
                }
                names[parent] = known + earlier.filter { !known.contains($0) }
            }
        }
        return places
    }
}

extension Store {
    /// What `places` were called in each version that this one was made from.
    func earlierNames(of places: [Key], before step: HistoryWalk.Step) throws(StoreError) -> [(VersionID, [Key])] {
        if step.isBoundary { return [] }
        let renames = try renames(in: step.commit)
        let names = renames.isEmpty ? places : places.map { $0.before(renames) }
        guard step.isMerge else { return step.commit.parents.map { ($0, names) } }
        var result: [(VersionID, [Key])] = []
        for parent in step.commit.parents {
            let snapshot = try snapshot(parent)
            var earlier: [Key] = []
            for name in names {
                let isThere = try snapshot.holds(name)
                earlier.append(isThere ? name : try self.name(of: name, on: parent, mergedBy: step.commit))
            }
            result.append((parent, earlier))
        }
        return result
    }

    private func renames(in commit: CommitHeader) throws(StoreError) -> [VersionMessage.Rename] {
        commit.noticed(VersionMessage.renaming) ? try version(commit.id).message.renames : []
    }

    /// What another line of versions, brought in by `merge`, renamed is called otherwise on this one.
    private func name(of place: Key, on parent: VersionID, mergedBy merge: CommitHeader) throws(StoreError) -> Key {
        let others = merge.parents.filter { $0 != parent }
        var walk = try git { () throws(GitError) in try repository.commits(from: others, hiding: [parent], order: .topological) }
        var place = place
        while let id = try next(&walk) {
            let commit = try git { () throws(GitError) in try repository.header(id, noticing: VersionMessage.wordsOnTheWay) }
            place = place.before(try renames(in: commit))
        }
        return place
    }
}

extension Snapshot {
    /// Whether there is an option or a group of that key.
    package func holds(_ key: Key) throws(StoreError) -> Bool {
        if try file(of: .option(key)) != nil { return true }
        return try !subjects(in: key).isEmpty
    }
}

extension Key {
    /// What it was called before a version that renamed something.
    fileprivate func before(_ renames: [VersionMessage.Rename]) -> Key {
        renames.reversed().reduce(self) { key, rename in
            if case .option = rename.new { return key == rename.new.key ? rename.old.key : key }
            return key.moved(from: rename.new.key, to: rename.old.key)
        }
    }
}
