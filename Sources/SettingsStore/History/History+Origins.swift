package import SettingsModel

extension History {
    /// For each change between two moments the versions behind it, in the order in which they lead from the one to the other:
    /// from earlier to later the oldest first, from later to earlier the newest first. What was changed and changed back in
    /// between is left out. Changes that no version made (drafts) have none.
    package func origins(
        of changes: [Change], from old: VersionID?, to new: VersionID?, renames: [VersionMessage.Rename] = []
    ) throws(Problem) -> [[Origin]] {
        guard let new else { return changes.map { _ in [] } }
        var later = Trails(changes, ends: changes.map(\.before)) { $0.subject }
        try follow(&later, from: new, hiding: old)
        guard let old, !later.areComplete else { return later.trails.map { Self.withoutLoops([], $0) } }
        var earlier = Trails(changes, ends: changes.map(\.after)) { change in
            change.renaming?.old ?? renames.reversed().reduce(change.subject) { $0.renamed(from: $1.new, to: $1.old) }
        }
        try follow(&earlier, from: old, hiding: new)
        return zip(earlier.trails, later.trails).map(Self.withoutLoops)
    }

    /// For each change that leads to `new` the newest version behind it.
    func newestOrigins(of changes: [Change], from old: VersionID?, to new: VersionID?) throws(Problem) -> [Version?] {
        guard let new else { return changes.map { _ in nil } }
        var trails = Trails(changes, ends: nil) { $0.subject }
        try follow(&trails, from: new, hiding: old)
        return trails.trails.map { $0.first?.origin.version }
    }

    private func follow(_ trails: inout Trails, from start: VersionID, hiding end: VersionID?) throws(Problem) {
        var filter = HistoryFilter()
        filter.places = trails.places
        try walk(filter, from: start, hiding: end) { version, made throws(Problem) in
            trails.take(version, made)
            return !trails.areComplete
        }
    }

    /// `back` leads from the first content to what both lines have in common, the newest version first; `forth` from there to
    /// the last content, the newest version first as well.
    private static func withoutLoops(_ back: [Trails.Step], _ forth: [Trails.Step]) -> [Origin] {
        let edges =
            back.map { (from: $0.after, to: $0.before, origin: $0.origin) }
            + forth.reversed().map { (from: $0.before, to: $0.after, origin: $0.origin) }
        guard let first = edges.first else { return [] }
        var path: [(to: Change.Content?, origin: Origin)] = []
        for edge in edges {
            if edge.to == first.from {
                path = []
            } else if let place = path.firstIndex(where: { $0.to == edge.to }) {
                path.removeSubrange((place + 1)...)
            } else {
                path.append((edge.to, edge.origin))
            }
        }
        // Lines that went apart may seem to lead nowhere.
        return path.isEmpty ? edges.last.map { [$0.origin] } ?? [] : path.map(\.origin)
    }
}

/// What versions did to the facets of some changes, while a history is gone through from the newest version on.
struct Trails {
    struct Step {
        let before: Change.Content?
        let after: Change.Content?
        let origin: Origin
    }

    private(set) var trails: [[Step]]
    /// What each facet is called in the next version, until it is followed to its end.
    private var wanted: [Place: [Int]] = [:]
    private let ends: [Change.Content?]?

    private struct Place: Hashable {
        var subject: Subject
        var facet: Facet
    }

    /// Where `ends` is nil, the newest step of each is enough.
    init(_ changes: [Change], ends: [Change.Content?]?, name: (Change) -> Subject) {
        trails = changes.map { _ in [] }
        self.ends = ends?.map { $0.map(Self.compared) }
        for (index, change) in changes.enumerated() {
            wanted[Place(subject: name(change), facet: change.facet), default: []].append(index)
        }
    }

    var areComplete: Bool { wanted.isEmpty }

    /// Everything where that is as fast.
    var places: [Key] {
        let keys = Set(wanted.keys.map(\.subject.key))
        return keys.count > 100 || keys.contains(where: \.isRoot) ? [] : keys.sorted()
    }

    mutating func take(_ version: Version, _ made: VersionChanges) {
        for change in made.changes {
            let origin = Origin(version: version, change: change)
            add(
                Step(before: change.before.map(Self.compared), after: change.after.map(Self.compared), origin: origin),
                Place(subject: change.subject, facet: change.facet))
            // What came and went as a whole took its facets along.
            guard change.facet == .existence else { continue }
            for place in wanted.keys where place.subject == change.subject && place.facet != .existence {
                func content(_ item: Change.Content?) -> Change.Content? {
                    guard case .item(let item)? = item else { return nil }
                    return item.facets[place.facet].map(Self.compared)
                }
                add(Step(before: content(change.before), after: content(change.after), origin: origin), place)
            }
        }
        // What a merge decided between two sides, neither of them is behind.
        if version.isMerge {
            for decision in made.decisions { wanted[Place(subject: decision.subject, facet: decision.facet)] = nil }
        }
        // Earlier versions know them by their earlier names.
        for rename in version.message.renames.reversed() {
            for (place, indices) in wanted {
                var earlier = place
                earlier.subject = place.subject.renamed(from: rename.new, to: rename.old)
                guard earlier != place else { continue }
                wanted[place] = nil
                wanted[earlier, default: []] += indices
            }
        }
    }

    private mutating func add(_ step: Step, _ place: Place) {
        guard let indices = wanted[place] else { return }
        for index in indices { trails[index].append(step) }
        let open = indices.filter { index in ends.map { $0[index] != step.before } ?? false }
        wanted[place] = open.isEmpty ? nil : open
    }

    /// Without the words for a value: labels may be renamed on the way.
    private static func compared(_ content: Change.Content) -> Change.Content {
        if case .value(let json, _, _) = content { .value(json, words: nil, isMasked: false) } else { content }
    }
}
