import Git
import SettingsModel

/// A history that is told from the trees, without the index: of most versions nothing but two folders is looked at.
struct PlainHistory {
    private let filter: HistoryFilter
    private let history: History
    private var names: HistoricalNames
    private var numbers: [VersionID: Int] = [:]
    /// Whether no version so far was the end of a shallow clone.
    private(set) var isComplete = true

    init(_ filter: HistoryFilter, _ history: History) {
        self.filter = filter
        self.history = history
        names = HistoricalNames(filter.places, count: 0)
    }

    /// A version at which a shallow clone ends.
    mutating func endsHere() { isComplete = false }

    /// The next version of the walk; false once `visit` wants no more.
    mutating func take(
        _ step: HistoryWalk.Step, _ visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        var found = try match(step)
        if found == nil { found = try history.mergeByMessage(step, filter) }
        guard let (version, changes) = found else { return true }
        return try visit(version, changes)
    }

    /// The next version of the walk with its changes, where the filter wants it.
    mutating func match(_ step: HistoryWalk.Step) throws(Problem) -> (Version, VersionChanges)? {
        if step.isBoundary { isComplete = false }
        var places = names.sets[0]
        if !filter.places.isEmpty { places = names.sets[names.set(at: number(step.commit.id))] }
        let mayChange = try history.mayChange(step, places)
        if !filter.places.isEmpty {
            let mayRename = mayChange || step.isMerge || step.commit.noticed(VersionMessage.renaming)
            let earlier = try mayRename ? history.earlierNames(of: places.keys, before: step) : [places.keys]
            for (parent, keys) in zip(step.commit.parents, earlier) { names.add(keys, to: number(parent)) }
        }
        guard mayChange else { return nil }
        return try history.matchedVersion(step, of: places, filter)
    }

    private mutating func number(_ id: VersionID) -> Int {
        if let number = numbers[id] { return number }
        numbers[id] = numbers.count
        return numbers.count - 1
    }
}
