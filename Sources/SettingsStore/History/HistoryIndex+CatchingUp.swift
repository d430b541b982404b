import Git
import SettingsModel

/// Adds to an index what its file doesn't have: from HEAD back to where the two histories go on alike.
struct CatchingUp {
    private let base: HistoryColumns
    private let versions: Versions
    /// Newest first, as a walk gives them.
    private var steps: [CommitHeader] = []
    /// Of each step: looked up on the way, while git has its neighbours at hand.
    private var touches: [[Touch]] = []
    private struct Touch {
        var path: UInt32
        var content = HistoryContent.notRecorded
    }

    /// How many of the file's versions hold, the oldest ones.
    private var kept = 0
    private var numbers: [UInt64: Int] = [:]
    private var paths: PathNumbers
    /// For what merges decided. It asks no index: that one is being made.
    private lazy var history: History = {
        let cache = HistoryCache(versions, Journal(versions))
        cache.usesIndex = false
        return History(versions, cache)
    }()

    /// Up to here a straight line of new versions is looked for, without finding all that the file has.
    static let lineLimit = 64

    init(_ base: HistoryColumns, _ versions: Versions) {
        self.base = base
        self.versions = versions
        paths = PathNumbers(base)
    }

    /// The index of `head`; nil where more than `limit` versions would have to be looked at.
    mutating func index(of head: VersionID, limit: Int) throws(Problem) -> HistoryIndex? {
        guard try walk(from: head, limit: limit) else { return nil }
        var touches = Array(touches.reversed())
        var tail = HistoryTail()
        var isOrdered = kept == 0 || base.isOrdered
        var own: [VersionID: Int] = [:]
        for (index, step) in steps.reversed().enumerated() { own[step.id] = kept + index }
        for (index, step) in steps.reversed().enumerated() {
            tail.ids.append(step.id)
            tail.times.append(step.time)
            let parents = step.parents.map { own[$0] ?? number($0) }
            // What is made of a version has it in its history, so it is here.
            guard !parents.contains(nil) else { return nil }
            let numbers = parents.compactMap { $0 }
            tail.parents.append(numbers.first.map { UInt32($0) } ?? HistoryColumns.none)
            tail.merges += numbers.dropFirst().map { (UInt32(kept + index), UInt32($0)) }
            if numbers.contains(where: { $0 > kept + index }) { isOrdered = false }
        }
        markMerges(tail, &touches)
        for list in touches {
            tail.touches += list.map(\.path)
            tail.contents += list.map(\.content)
            tail.starts.append(UInt32(tail.touches.count))
        }
        tail.paths = paths.new
        return HistoryIndex(base: base, kept: kept, tail: tail, isOrdered: isOrdered)
    }

    /// Fills `steps` and `kept`; false where that takes more than `limit` steps.
    private mutating func walk(from head: VersionID, limit: Int) throws(Problem) -> Bool {
        let versions = versions
        if base.count > 0, base.id(base.count - 1) == head {
            kept = base.count
            return true
        }
        var walk = try git(versions.repository.objects.history(of: head, noticing: VersionMessage.wordsOnTheWay))
        // A straight line down to the last version of the file keeps all of it. Else it must be known which of the file's
        // versions come by, and where nothing newer is left that leads past one of them.
        var isLine = base.count > 0 && base.number(of: head, below: base.count - 1) == nil
        var isCut: ((Int) -> Bool)?
        var lowest = Int.max
        while true {
            if let next = walk.only {
                if isLine, next.id == base.id(base.count - 1) {
                    kept = base.count
                    return true
                }
                if !isLine, base.isOrdered, let number = numbers[next.id.beginning], base.id(number) == next.id, number < lowest,
                    isCut?(number) ?? false
                {
                    kept = number + 1
                    return true
                }
            }
            guard steps.count < limit else { return false }
            guard let step = try git(walk.next(in: versions.repository.objects)) else { return true }
            try versions.countOne()
            steps.append(step.commit)
            touches.append(try touches(of: step))
            if step.isMerge || steps.count >= Self.lineLimit { isLine = false }
            if !isLine, base.count > 0 {
                if isCut == nil {
                    let whole = HistoryIndex(base: base, kept: base.count, tail: HistoryTail(), isOrdered: base.isOrdered)
                    (isCut, numbers) = (whole.cuts(), whole.numbers())
                    for step in steps { lowest = min(lowest, numbers[step.id.beginning] ?? .max) }
                }
                lowest = min(lowest, numbers[step.commit.id.beginning] ?? .max)
            }
        }
    }

    /// Of one of the versions that are kept.
    private func number(_ id: VersionID) -> Int? {
        if let number = numbers[id.beginning], number < kept, base.id(number) == id { return number }
        return base.number(of: id, below: kept)
    }

    private mutating func touches(of step: HistoryWalk.Step) throws(Problem) -> [Touch] {
        let first = step.parents.first?.map { $0.tree }
        let versions = versions
        let differences = try git(versions.differences(from: first, to: step.commit.tree))
        let mayRename =
            step.commit.noticed(VersionMessage.renaming)
            || differences.contains { $0.old == nil } && differences.contains { $0.new == nil }
        var touches: [Touch] = []
        if mayRename, case let renames = try history.renames(by: step), !renames.isEmpty { touches.append(Touch(path: 0)) }
        for difference in differences where difference.pathIsValid {
            if let number = paths.number(of: difference.path.utf8[...], isNew: { difference.subject != nil }) {
                touches.append(Touch(path: number, content: step.isMerge ? .notRecorded : HistoryContent(difference)))
            }
        }
        for prefix in try git(step.prefixesLeft(versions)) {
            let path = String(decoding: [HistoryColumns.formerMark] + prefix.utf8, as: UTF8.self)
            if let number = paths.number(of: path.utf8[...], isNew: { true }) { touches.append(Touch(path: number)) }
        }
        if step.isMerge ? step.commit.noticed(VersionMessage.resolving) : step.commit.mayDecide {
            let version = try versions.version(step.commit.id)
            var subjects = (version.saidDecisions.map(\.question) + version.message.overruled).map(\.subject)
            if !step.isMerge { subjects += try versions.returnedSubjects(version) }
            if onlyDecides(step) { subjects += try versions.subjects(confirmedBy: version) }
            var touched = Set(touches.map(\.path))
            for subject in subjects {
                let path = subject.path
                if let number = paths.number(of: path.utf8[...], isNew: { true }), touched.insert(number).inserted {
                    touches.append(Touch(path: number))
                }
            }
        }
        if step.isMerge, let undeclared = try history.undeclared(step.commit.id, from: step.commit.parents) {
            let numbers = undeclared.subjects.sorted().compactMap { subject in
                paths.number(of: subject.path.utf8[...], isNew: { true })
            }
            let known = Set(numbers)
            touches.removeAll { known.contains($0.path) }
            touches += numbers.map { Touch(path: $0, content: .undeclared) }
        }
        return touches
    }

    /// Marks merges of lines that renamed differently: what is renamed in one only has two names there.
    private func markMerges(_ tail: HistoryTail, _ touches: inout [[Touch]]) {
        if tail.merges.isEmpty { return }
        let index = HistoryIndex(base: base, kept: kept, tail: HistoryTail(), isOrdered: true)
        let renaming = [true] + [Bool](repeating: false, count: max(index.pathCount - 1, 0))
        // Versions of one line have the same renames in their histories.
        var lines = [Int32](repeating: 0, count: kept + touches.count)
        var others = index.otherParents()
        for (merge, parent) in tail.merges { others[Int(merge), default: []].append(Int(parent)) }
        var newest: Int32 = 0
        for number in lines.indices {
            let isTail = number >= kept
            let first = isTail ? tail.parents[number - kept] : index.firstParent(number).map { UInt32($0) } ?? HistoryColumns.none
            let isRenaming = isTail ? touches[number - kept].first?.path == 0 : index.touches(number, renaming)
            let parents = (first == HistoryColumns.none ? [] : [Int(first)]) + (others[number] ?? [])
            let line = parents.first.map { lines[$0] } ?? 0
            let isOne = parents.allSatisfy { $0 < number && lines[$0] == line }
            if isTail, !isOne, !isRenaming { touches[number - kept].insert(Touch(path: 0), at: 0) }
            if isRenaming || !isOne {
                newest += 1
                lines[number] = newest
            } else {
                lines[number] = line
            }
        }
    }
}

/// The numbers of paths, those of a file first.
private struct PathNumbers {
    private let base: HistoryColumns
    private(set) var new: [[UInt8]] = []
    private var known: [[UInt8]: UInt32] = [:]
    private var asked = 0

    init(_ base: HistoryColumns) { self.base = base }

    /// Nil for one that is new where it shall not be.
    mutating func number(of path: Substring.UTF8View, isNew: () -> Bool) -> UInt32? {
        let path = Array(path)
        if let number = known[path] { return number }
        asked += 1
        // A few are looked for one by one.
        if asked <= 16 {
            for number in 1..<base.pathCount where base.path(number).elementsEqual(path) { return UInt32(number) }
        } else if asked == 17 {
            for number in 1..<base.pathCount { known[Array(base.path(number))] = UInt32(number) }
            if let number = known[path] { return number }
        }
        guard isNew() else { return nil }
        let number = UInt32(base.pathCount + new.count)
        new.append(path)
        known[path] = number
        return number
    }
}
