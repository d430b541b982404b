import Git
import SettingsModel

/// The facets that have come as far as one version. Most go on together.
final class Threads {
    private var threads: [Key: [Store.Thread]] = [:]

    var isEmpty: Bool { threads.isEmpty }
    var count: Int { threads.count }

    func holds(_ key: Key) -> Bool { threads[key] != nil }

    func insert(_ thread: Store.Thread) { threads[thread.key, default: []].append(thread) }

    func insert(_ others: Threads) { for thread in others.threads.values.joined() { insert(thread) } }

    func remove(_ key: Key) -> [Store.Thread] { threads.removeValue(forKey: key) ?? [] }

    func removeAll() -> [Store.Thread] {
        defer { threads = [:] }
        return threads.values.flatMap { $0 }
    }
}

/// Where facets are on their way back through the history. The newest versions go on first, so that those that meet go on
/// together; each finds its own way, so the order changes nothing else.
struct OpenThreads {
    private var queue = TimeQueue<CommitHeader>()
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

    mutating func add(_ thread: Store.Thread, at commit: CommitHeader) {
        if let there = threads[commit.id] { return there.insert(thread) }
        let new = Threads()
        new.insert(thread)
        add(new, at: commit)
    }

    mutating func add(_ new: Threads, at commit: CommitHeader) {
        guard let there = threads[commit.id] else {
            threads[commit.id] = new
            // What the index doesn't have comes last.
            let number = index == nil ? nil : numbers[commit.id] ?? index?.number(of: commit.id)
            numbers[commit.id] = number
            return queue.push(commit, time: index == nil ? commit.time : Int64(number ?? -1))
        }
        if there.count < new.count {
            new.insert(there)
            threads[commit.id] = new
        } else {
            there.insert(new)
        }
    }

    /// Some that wait, at a version which may say something about one of them; with the index, about which.
    mutating func pop(
        _ header: (VersionID) throws(StoreError) -> CommitHeader
    ) throws(StoreError) -> (CommitHeader, Threads, touched: [Key]?)? {
        while let commit = queue.pop(), let threads = threads.removeValue(forKey: commit.id) {
            guard let index, let start = numbers.removeValue(forKey: commit.id) else { return (commit, threads, nil) }
            var number = start
            let others = queue.time.map { Int($0) } ?? -1
            // Versions that touch none of them have them as their first parent has.
            var touched: [Key] = []
            while number > others {
                touched = self.touched(number, index, threads)
                guard touched.isEmpty, let parent = index.firstParent(number) else { break }
                number = parent
            }
            if number > others {
                if let parent = index.firstParent(number) { numbers[index.id(parent)] = parent }
                return (number == start ? commit : try header(index.id(number)), threads, touched)
            }
            let reached = try header(index.id(number))
            numbers[reached.id] = number
            add(threads, at: reached)
        }
        return nil
    }

    /// Those of the options that a version touches.
    private mutating func touched(_ number: Int, _ index: HistoryIndex, _ threads: Threads) -> [Key] {
        var touched: [Key] = []
        index.eachPath(touchedBy: number) { path in
            if path != 0, let key = key(Int(path), index), threads.holds(key) { touched.append(key) }
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
