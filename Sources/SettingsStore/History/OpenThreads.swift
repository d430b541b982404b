import Git
import SettingsModel

/// The facets that have come as far as one version. Most go on together.
final class Threads {
    private var threads: [Key: [History.Thread]] = [:]

    var isEmpty: Bool { threads.isEmpty }
    var count: Int { threads.count }

    func holds(_ key: Key) -> Bool { threads[key] != nil }

    func insert(_ thread: History.Thread) { threads[thread.key, default: []].append(thread) }

    func insert(_ others: Threads) { for thread in others.threads.values.joined() { insert(thread) } }

    func remove(_ key: Key) -> [History.Thread] { threads.removeValue(forKey: key) ?? [] }

    func removeAll() -> [History.Thread] {
        defer { threads = [:] }
        return threads.values.flatMap { $0 }
    }
}

/// An option that a version touches, and its file before that.
struct Touched {
    var key: Key
    var before: ObjectID
    /// Whether a merge decided something about it without saying so; means nothing for other versions.
    var isUndeclared: Bool
}

/// Where facets are on their way back through the history. The newest versions go on first, so that those that meet go on
/// together; each finds its own way, so the order changes nothing else.
struct OpenThreads {
    private var queue = TimeQueue<(id: VersionID, header: CommitHeader?)>()
    private var threads: [VersionID: Threads] = [:]
    private let index: HistoryIndex?
    /// Of versions that threads wait at.
    private var numbers: [VersionID: Int] = [:]
    /// Of the index's paths, as far as they were asked for.
    private var keys: [Key??]

    init(_ index: HistoryIndex?) {
        self.index = index
        keys = Array(repeating: nil, count: index?.pathCount ?? 0)
    }

    mutating func add(_ thread: History.Thread, at commit: CommitHeader) {
        if let there = threads[commit.id] { return there.insert(thread) }
        let new = Threads()
        new.insert(thread)
        add(new, at: commit)
    }

    mutating func add(_ new: Threads, at commit: CommitHeader) { add(new, at: commit.id, commit) }

    /// `header`: where it is known; without an index it must be.
    mutating func add(_ new: Threads, at id: VersionID, _ header: CommitHeader? = nil) {
        guard let there = threads[id] else {
            threads[id] = new
            // What the index doesn't have comes last.
            let number = index == nil ? nil : numbers[id] ?? index?.number(of: id)
            numbers[id] = number
            return queue.push((id, header), time: index == nil ? header?.time ?? 0 : Int64(number ?? -1))
        }
        if there.count < new.count {
            new.insert(there)
            threads[id] = new
        } else {
            there.insert(new)
        }
    }

    /// Some that wait, at a version which may say something about one of them; with the index, about which.
    mutating func pop(
        _ header: (VersionID) throws(Problem) -> CommitHeader
    ) throws(Problem) -> (CommitHeader, Threads, touched: [Touched]?)? {
        while let (id, known) = queue.pop(), let threads = threads.removeValue(forKey: id) {
            guard let index, let start = numbers.removeValue(forKey: id) else {
                let commit = if let known { known } else { try header(id) }
                return (commit, threads, nil)
            }
            var number = start
            let others = queue.time.map { Int($0) } ?? -1
            // Versions that touch none of them have them as their first parent has.
            var touched: [Touched] = []
            while number > others {
                touched = self.touched(number, index, threads)
                guard touched.isEmpty, let parent = index.firstParent(number) else { break }
                number = parent
            }
            if number > others {
                if let parent = index.firstParent(number) { numbers[index.id(parent)] = parent }
                return (try header(index.id(number)), threads, touched)
            }
            let reached = index.id(number)
            numbers[reached] = number
            add(threads, at: reached)
        }
        return nil
    }

    /// Those of the options that a version touches.
    private mutating func touched(_ number: Int, _ index: HistoryIndex, _ threads: Threads) -> [Touched] {
        var touched: [Touched] = []
        index.eachTouch(by: number) { path, place in
            guard path != 0, let key = key(Int(path), index), threads.holds(key) else { return }
            let content = index.content(place)
            touched.append(Touched(key: key, before: content.before, isUndeclared: content.isUndeclared))
        }
        return touched
    }

    /// Nil for a path that is no option's.
    private mutating func key(_ path: Int, _ index: HistoryIndex) -> Key? {
        if let key = keys[path] { return key }
        var key: Key?
        if case .option(let option)? = Subject(path: String(decoding: index.path(path), as: UTF8.self)) { key = option }
        keys[path] = .some(key)
        return key
    }
}
