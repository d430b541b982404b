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
                let change = origin.change
                let told = try versions.telling(origin.version, of: change.subject, change.facet, change.after)
                return Origin(version: told, change: change)
            }
        }
    }

    private func paths(
        of changes: [Change], from old: VersionID?, to new: VersionID?, renames: [VersionMessage.Rename]
    ) throws(Problem) -> [[Origin]] {
        guard let new else { return changes.map { _ in [] } }
        func earlierName(_ change: Change) -> Subject {
            change.renaming?.old ?? change.subject.before(renames)
        }
        // Whoever chose it counts, also where that was before both.
        let isWhole = if let old { try git(versions.repository.objects.isAncestor(old, of: new)) } else { true }
        var later = try choices(
            behind: changes, at: new, until: changes.map(\.before), besides: old, includingOldOnes: isWhole
        ) { $0.subject }
        let (others, places) = changes.others(than: later)
        var trails = Trails(others, ends: others.map(\.before)) { $0.subject }
        try follow(&trails, from: new, hiding: old)
        for (place, trail) in zip(places, trails.trails) { later[place] = trail }
        guard let old, !isWhole else {
            return zip(later, changes).map { trail, change in
                let path = Self.withoutLoops([], Self.path(trail ?? [], from: change.before.map(Trails.compared)))
                return path.isEmpty ? trail?.first.map { [$0.origin] } ?? [] : path
            }
        }
        var earlier = try choices(
            behind: changes, at: old, until: changes.map(\.after), besides: new, includingOldOnes: false, earlierName)
        var back = Trails(others, ends: others.map(\.after), name: earlierName)
        try follow(&back, from: old, hiding: new)
        for (place, trail) in zip(places, back.trails) { earlier[place] = trail }
        return zip(zip(earlier, later), changes).map { trails, change in
            let (back, forth) = (trails.0 ?? [], trails.1 ?? [])
            let source = back.isEmpty ? change.before.map(Trails.compared) : nil
            return Self.withoutLoops(Self.path(back, from: nil), Self.path(forth, from: source))
        }
    }

    /// For each change of an option's facet the steps that led to what that is at `tip`, the newest first: who chose it, who chose
    /// what was there before, until that is what `ends` says, or was chosen in the history of `other`. Nil for other changes.
    private func choices(
        behind changes: [Change], at tip: VersionID, until ends: [Change.Content?], besides other: VersionID?,
        includingOldOnes isWhole: Bool, _ name: (Change) -> Subject
    ) throws(Problem) -> [[Trails.Step]?] {
        var steps: [[Trails.Step]?] = changes.map { _ in nil }
        let threads = Threads()
        let snapshot = try versions.snapshot(tip)
        let loaded = changes.count > 100 ? try snapshot.loaded() : snapshot
        for (index, change) in changes.enumerated() where ![.existence, .key].contains(change.facet) {
            guard case .option(let key) = name(change), let option = (try? loaded.mendable(.option(key)))?.option else {
                continue
            }
            steps[index] = []
            threads.insert(Thread(index: index, key: key, facet: change.facet, option: option))
        }
        if threads.isEmpty { return steps }
        var own: Set<VersionID>?
        func isShared(_ id: VersionID) throws(Problem) -> Bool {
            guard let other else { return false }
            if own == nil {
                var found: Set<VersionID> = []
                try versions.eachCommit(from: tip, hiding: [other]) { found.insert($0.id) }
                own = found
            }
            return own?.contains(id) == false
        }
        try follow(threads, from: tip) { thread, version throws(Problem) in
            let isFirst = isWhole && steps[thread.index]?.isEmpty == true
            if !isFirst, try isShared(version.id) { return nil }
            let next = try before(thread, version)
            let step = Trails.Step(thread, since: next?.thread, version)
            steps[thread.index]?.append(step)
            if Change.Content.isSame(step.before, ends[thread.index]) { return nil }
            if isFirst, try isShared(version.id) { return nil }
            return next
        }
        return steps
    }

    /// A facet before the version that chose it; of a merge on the side that it took it from. Nil where there was no such option.
    private func before(_ thread: Thread, _ version: Version) throws(Problem) -> (thread: Thread, at: VersionID)? {
        let earlier = Subject.option(thread.key).before(version.renames).key
        var first: (Thread, VersionID)?
        for parent in version.parents {
            let snapshot = try versions.snapshot(parent)
            if let same = thread.found(in: snapshot, earlier) { return (same, parent) }
            guard first == nil else { continue }
            first = (thread.read(in: snapshot, earlier) ?? thread.read(in: snapshot, thread.key)).map { ($0, parent) }
        }
        return first
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
        // Where the path first leads to a content, and where `steps` last do.
        var (places, last): ([Change.Content?: Int], [Change.Content?: Int]) = ([:], [:])
        for (index, step) in steps.enumerated() { last[step.after] = index }
        var newest: [Int: Trails.Step] = [:]
        func add(_ step: Trails.Step) {
            if places[step.after] == nil { places[step.after] = path.count }
            path.append(step)
        }
        var wanted = steps.first?.after
        for (index, step) in steps.enumerated() where step.after == wanted {
            if step.decides, last[wanted] != index {
                add(step.adopting)
                continue
            }
            if step.before != step.after, let place = places[step.before] {
                if !path[place].takesBack, newest[place] == nil { newest[place] = path[place] }
                while path.count > place, let step = path.popLast() {
                    if path.count > place { newest[path.count] = nil }
                    if places[step.after] == path.count { places[step.after] = nil }
                }
                wanted = step.before
                continue
            }
            add(newest[path.count]?.leading(from: step) ?? step)
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
        // Where the path last leads to a content.
        var places: [Change.Content?: Int] = [:]
        for edge in edges {
            if edge.from != edge.to, let place = edge.to == first.from ? -1 : places[edge.to] {
                while path.count > place + 1, let last = path.popLast() { places[last.to] = nil }
            } else {
                places[edge.to] = path.count
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
        /// Whether its version is known to have chosen what it made, rather than given it back.
        var chooses = false

        /// The step of a merge that took what an earlier version made.
        var adopting: Step {
            var step = self
            step.before = after
            step.origin.change.before = origin.change.after
            return step
        }

        var takesBack: Bool {
            if chooses { return false }
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

extension Trails.Step {
    /// Of a facet that a version chose.
    init(_ thread: History.Thread, since before: History.Thread?, _ version: Version) {
        let (old, new) = (before?.content, thread.content)
        var change = Change(
            .option(thread.key), title: thread.option.title, facet: thread.facet, before: old, after: new)
        if let before { (change.offered.before, change.offered.after) = (before.option.labels, thread.option.labels) }
        self.init(
            before: old.map(Trails.compared), after: new.map(Trails.compared), origin: Origin(version: version, change: change),
            chooses: true)
    }
}

extension History.Thread {
    var content: Change.Content? { SettingsContent.Item.option(option).facets[facet] }
}

extension [Change] {
    /// Those that nothing was found for, and their places.
    fileprivate func others(than found: [[Trails.Step]?]) -> (changes: [Change], places: [Int]) {
        let places = indices.filter { found[$0] == nil }
        return (places.map { self[$0] }, places)
    }
}
