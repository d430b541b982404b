/// The versions of a history that are shown, each with the nearest ones before it that are shown as well.
///
/// Versions arrive newest first. One is handed on as soon as all its lines have arrived at a version that is shown, or at
/// the history's end; only what came since then is kept.
package struct ShownHistory<Content> {
    package struct Entry {
        package let id: ObjectID
        package fileprivate(set) var parents: [VersionGraph.Parent]
        /// Whether a line ends at versions that are not shown.
        package fileprivate(set) var isCut: Bool
        package let content: Content
    }

    private struct Waiting {
        var entry: Entry
        /// Those of the entry's parents that have not arrived; where versions lie between, they stand in for them.
        var open: Set<ObjectID> = []
    }

    private var queue: [Waiting] = []
    /// The number of the first one in the queue.
    private var first = 0
    /// Who waits for a version, by numbers.
    private var waiting: [ObjectID: [Int]] = [:]
    private var places: [ObjectID: Int] = [:]
    /// All so far: where clocks are wrong a version may come after its parents, and would wait for them in vain.
    private var arrived: Set<ObjectID> = []

    package init() {}

    /// How many versions are kept.
    package var count: Int { queue.count }

    /// A version arrives; without content it is not shown. `lacksParents`: it has some that are not there. Returns what can be
    /// handed on.
    package mutating func add(
        _ id: ObjectID, parents: [ObjectID], lacksParents: Bool = false, _ content: Content?
    ) -> [Entry] {
        arrived.insert(id)
        let isCut = lacksParents || parents.contains { arrived.contains($0) }
        let parents = parents.reduce(into: [ObjectID]()) { if !$0.contains($1), !arrived.contains($1) { $0.append($1) } }
        if let content {
            let number = first + queue.count
            for child in waiting.removeValue(forKey: id) ?? [] { queue[child - first].open.remove(id) }
            queue.append(
                Waiting(
                    entry: Entry(
                        id: id, parents: parents.map { VersionGraph.Parent($0) }, isCut: isCut, content: content),
                    open: Set(parents)))
            places[id] = number
            for parent in parents { wait(for: parent, number) }
        } else {
            for child in waiting.removeValue(forKey: id) ?? [] {
                skip(id, to: parents, isCut: isCut, in: child)
            }
        }
        return ready()
    }

    /// In what a version waits for, replaces one that is not shown by its parents.
    private mutating func skip(_ id: ObjectID, to parents: [ObjectID], isCut: Bool, in number: Int) {
        let index = number - first
        queue[index].open.remove(id)
        guard let place = queue[index].entry.parents.firstIndex(where: { $0.id == id }) else { return }
        let known = Set(queue[index].entry.parents.map(\.id))
        let new = parents.filter { !known.contains($0) }
        queue[index].entry.parents.replaceSubrange(
            place...place, with: new.map { VersionGraph.Parent($0, isIndirect: true) })
        queue[index].open.formUnion(new)
        for parent in new { wait(for: parent, number) }
        if isCut || parents.isEmpty { queue[index].entry.isCut = true }
    }

    /// Of two that wait for the same version, one with a line to the other needs none of its own past versions that are not
    /// shown. Otherwise it would wait until the history's end where a branch is merged again and again.
    private mutating func wait(for id: ObjectID, _ number: Int) {
        waiting[id, default: []].append(number)
        guard let all = waiting[id], all.count > 1 else { return }
        let needless = all.filter { one in
            let parents = queue[one - first].entry.parents
            guard parents.contains(where: { $0.id == id && $0.isIndirect }) else { return false }
            return all.contains { other in
                other > one && parents.contains { $0.id != id && reaches(queue[other - first].entry.id, from: $0.id) }
            }
        }
        for one in needless {
            queue[one - first].entry.parents.removeAll { $0.id == id }
            queue[one - first].open.remove(id)
        }
        waiting[id] = all.filter { !needless.contains($0) }
    }

    private mutating func ready() -> [Entry] {
        var found: [Entry] = []
        var count = 0
        while count < queue.count, queue[count].open.isEmpty {
            found.append(simplified(queue[count].entry))
            places[queue[count].entry.id] = nil
            count += 1
        }
        queue.removeFirst(count)
        first += count
        return found
    }

    /// What is left when no more versions are shown: lines to versions that did not arrive are cut.
    package mutating func finish() -> [Entry] {
        for index in queue.indices where !queue[index].open.isEmpty {
            let open = queue[index].open
            queue[index].entry.parents.removeAll { open.contains($0.id) }
            queue[index].entry.isCut = true
            queue[index].open = []
        }
        waiting = [:]
        return ready()
    }

    /// Without lines over versions that are not shown to where another line leads as well.
    private func simplified(_ entry: Entry) -> Entry {
        guard entry.parents.count > 1, entry.parents.contains(where: \.isIndirect) else { return entry }
        var entry = entry
        let all = entry.parents
        entry.parents = all.filter { parent in
            !parent.isIndirect || !all.contains { $0.id != parent.id && reaches(parent.id, from: $0.id) }
        }
        return entry
    }

    private func reaches(_ id: ObjectID, from start: ObjectID) -> Bool {
        guard let end = places[id] else { return false }
        var (open, seen): ([ObjectID], Set<ObjectID>) = ([start], [])
        while let next = open.popLast() {
            if next == id { return true }
            // Lines lead to what came later only.
            guard seen.insert(next).inserted, let place = places[next], place < end else { continue }
            open += queue[place - first].entry.parents.map(\.id)
        }
        return false
    }
}
