package import SettingsModel

extension History {
    /// For each change between two moments the versions behind it, in the order in which they lead from the one to the other:
    /// from earlier to later the oldest first, from later to earlier the newest first. What was changed and changed back in
    /// between is left out. Changes that no version made (drafts) have none.
    package func origins(
        of changes: [Change], from old: VersionID?, to new: VersionID?, renames: [VersionMessage.Rename] = []
    ) throws(Problem) -> [[Origin]] {
        try paths(of: changes, from: old, to: new, renames: renames).map { path throws(Problem) in
            try path.map { origin throws(Problem) in
                Origin(version: try versions.telling(origin.version, of: origin.change.subject), change: origin.change)
            }
        }
    }

    private func paths(
        of changes: [Change], from old: VersionID?, to new: VersionID?, renames: [VersionMessage.Rename]
    ) throws(Problem) -> [[Origin]] {
        guard let new else { return changes.map { _ in [] } }
        var later = Trails(changes, ends: changes.map(\.before)) { $0.subject }
        try follow(&later, from: new, hiding: old)
        guard let old, !later.areComplete else {
            return zip(later.trails, changes).map { trail, change in
                Self.withoutLoops([], Self.path(trail, from: change.before.map(Trails.compared)))
            }
        }
        var earlier = Trails(changes, ends: changes.map(\.after)) { change in
            change.renaming?.old ?? renames.reversed().reduce(change.subject) { $0.renamed(from: $1.new, to: $1.old) }
        }
        try follow(&earlier, from: old, hiding: new)
        return zip(zip(earlier.trails, later.trails), changes).map { trails, change in
            let source = trails.0.isEmpty ? change.before.map(Trails.compared) : nil
            return Self.withoutLoops(Self.path(trails.0, from: nil), Self.path(trails.1, from: source))
        }
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

    /// The steps that lead to the content of the newest one, the newest first, as far as from `source`. Of what was changed and
    /// changed back, the version that made it so last is named, as blame does, unless that took something back.
    private static func path(_ steps: [Trails.Step], from source: Change.Content?) -> [Trails.Step] {
        var path: [Trails.Step] = []
        var newest: [Int: Trails.Step] = [:]
        var wanted = steps.first?.after
        for (index, step) in steps.enumerated() where step.after == wanted {
            if step.decides, steps[(index + 1)...].contains(where: { $0.after == wanted }) {
                path.append(step.adopting)
                continue
            }
            if let place = path.firstIndex(where: { $0.after == step.before }) {
                if !path[place].takesBack, newest[place] == nil { newest[place] = path[place] }
                path.removeSubrange(place...)
                newest = newest.filter { $0.key <= place }
                wanted = step.before
                continue
            }
            path.append(newest[path.count]?.leading(from: step) ?? step)
            wanted = step.before
            if let source, wanted == source { break }
        }
        return path
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
            if edge.from == edge.to {
                path.append((edge.to, edge.origin))
            } else if edge.to == first.from {
                path = []
            } else if let place = path.lastIndex(where: { $0.to == edge.to }) {
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
        var before: Change.Content?
        let after: Change.Content?
        var origin: Origin
        /// Whether it is a merge that decided between two sides.
        var decides = false

        /// The step of a merge that took what an earlier version made.
        var adopting: Step {
            var step = self
            step.before = after
            step.origin.change.before = origin.change.after
            return step
        }

        var takesBack: Bool {
            let named = origin.version.named
            return named.isUndoing || !named.reverts.isEmpty
        }

        /// The step as one from where `other` began: in between it was changed and changed back.
        func leading(from other: Step) -> Step {
            var step = self
            step.before = other.before
            if origin.change.facet == other.origin.change.facet { step.origin.change.before = other.origin.change.before }
            return step
        }
    }

    private(set) var trails: [[Step]]
    /// What each facet is called in the next version, until it is followed to its end.
    private var wanted: [Place: [Int]] = [:]
    /// Changes about which a merge decided: what leads to either side is gone through to the end.
    private var decided: Set<Int> = []
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
        var decisions: Set<Place> = []
        if version.isMerge {
            for decision in made.decisions { decisions.insert(Place(subject: decision.subject, facet: decision.facet)) }
            for place in decisions { decided.formUnion(wanted[place] ?? []) }
        }
        for change in made.changes {
            let origin = Origin(version: version, change: change)
            let place = Place(subject: change.subject, facet: change.facet)
            add(
                Step(
                    before: change.before.map(Self.compared), after: change.after.map(Self.compared), origin: origin,
                    decides: decisions.contains(place)),
                place)
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
        // Earlier versions know them by their earlier names.
        for rename in version.renames.reversed() {
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
        let open = indices.filter { index in ends.map { $0[index] != step.before || decided.contains(index) } ?? false }
        wanted[place] = open.isEmpty ? nil : open
    }

    /// Without the words for a value: labels may be renamed on the way.
    static func compared(_ content: Change.Content) -> Change.Content {
        if case .value(let json, _, _) = content { .value(json, words: nil, isMasked: false) } else { content }
    }
}
