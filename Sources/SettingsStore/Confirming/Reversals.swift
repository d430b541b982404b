import Git
import SettingsModel

/// Works out what takes a version back that was not confirmed, and what of it stays.
///
/// Its own changes are taken back, each facet for itself. A facet stays as it is
///
/// - if it holds something else today, since a later version changed it;
/// - if a later version chose the same once more: what is in force is that version's then, as `blame` has it. Undo and revert
///   are no such choice, and neither is what was undone or reverted;
/// - if its old content doesn't fit what is there today, for example if the old label was removed.
///
/// What a facet goes back to may itself have come from a version that nobody confirmed, whose turn came while this one stood in
/// its way. Then that one is taken back there as well, and so on: what was confirmed last is in force again.
struct Reversals {
    private let versions: Versions
    private let history: History

    init(_ versions: Versions, _ history: History) {
        self.versions = versions
        self.history = history
    }

    func reversal(of version: Version, at tip: Snapshot) throws(Problem) -> Reversal {
        guard let head = tip.id else { return Reversal(changes: []) }
        let made = try versions.changes(of: version)
        if let file = made.unreadable.first { throw .history(.unreadable(file.problem, change: false)) }
        if made.changes.isEmpty { return Reversal(changes: []) }
        var state = State()
        let (_, left) = try takeBack(made.changes, of: version, at: tip, &state, undone: [])
        var undone: Set = [version.id]
        let earlier = try unconfirmed(since: version, at: head)
        for other in earlier where other.id != version.id {
            undone.insert(other.id)
            let touched = Set(state.content.changes(since: state.base).map { Place($0) })
            let changes = try versions.changes(of: other).changes.filter { touched.contains(Place($0)) }
            if !changes.isEmpty { _ = try takeBack(changes, of: other, at: tip, &state, undone: undone) }
        }
        return Reversal(changes: state.content.changes(since: state.base, renames: state.renames), left: left)
    }

    private struct Place: Hashable {
        var subject: Subject
        var facet: Facet

        init(_ change: Change) { (subject, facet) = (change.subject, change.facet) }
    }

    private struct State {
        var base = SettingsContent()
        var content = SettingsContent()
        var loaded: Set<Subject> = []
        var renames: [(old: Subject, new: Subject)] = []

        mutating func load(_ subjects: Set<Subject>, at tip: Snapshot) throws(Problem) {
            let new = subjects.subtracting(loaded)
            if new.isEmpty { return }
            let settings = try tip.settings(of: new, acceptingAnyValue: true)
            for subject in new { (base[subject], content[subject]) = (settings[subject], settings[subject]) }
            loaded.formUnion(new)
        }
    }

    /// Takes back what fits. Returns what was taken back and what stays.
    private func takeBack(
        _ made: [Change], of version: Version, at tip: Snapshot, _ state: inout State, undone: Set<VersionID>
    ) throws(Problem) -> (taken: [Change], left: [Change]) {
        let today = try names(of: made, since: version, at: tip)
        var subjects: Set<Subject> = []
        for change in made {
            subjects.formUnion([change.subject, today[change.subject] ?? change.subject])
            guard let (old, new) = change.renaming else { continue }
            subjects.formUnion([old, new])
            for place in [old, new] {
                if case .group(let key) = place { subjects.formUnion(try tip.subjects(in: key)) }
            }
        }
        try state.load(subjects, at: tip)
        let inForce = made.filter { change in
            change.isInForce(in: state.content[today[change.subject] ?? change.subject])
        }
        let later = try choices(since: version, of: inForce, today, at: tip, undone: undone)
        var (wanted, left) = (made.filter { !later.contains($0) }, made.filter(later.contains))
        while !wanted.isEmpty {
            var inverse = wanted.inverted
            for index in inverse.indices where inverse[index].facet != .key && state.content[inverse[index].subject] == nil {
                if let name = today[inverse[index].subject] { inverse[index].subject = name }
            }
            let merge = state.content.merging(inverse, populated: try tip.populated(by: inverse, besides: state.loaded))
            if merge.conflicts.isEmpty {
                state.content = merge.settings
                state.renames += inverse.compactMap(\.renaming)
                break
            }
            let misfits = misfits(merge.conflicts, among: wanted, today)
            left += misfits
            wanted.removeAll { misfits.contains($0) }
        }
        return (wanted, left)
    }

    /// Those of the changes that conflicts are about. Where none is, all of them.
    private func misfits(_ conflicts: [Conflict], among wanted: [Change], _ today: [Subject: Subject]) -> [Change] {
        let places = Set(conflicts.map { [$0.subject.key.description, $0.facet.token] })
        func name(_ change: Change) -> String { (today[change.subject] ?? change.subject).key.description }
        let exact = wanted.filter { places.contains([name($0), $0.facet.token]) }
        if !exact.isEmpty { return exact }
        let subjects = Set(conflicts.map(\.subject))
        let near = wanted.filter {
            subjects.contains($0.subject) || subjects.contains(today[$0.subject] ?? $0.subject)
                || $0.renaming.map { subjects.contains($0.old) || subjects.contains($0.new) } ?? false
        }
        return near.isEmpty ? wanted : near
    }

    /// What is called otherwise today.
    private func names(of made: [Change], since version: Version, at tip: Snapshot) throws(Problem) -> [Subject: Subject] {
        for change in made where change.after != nil {
            if try tip.content(change.subject) == nil { return try history.renames(from: version.id, to: tip) }
        }
        return [:]
    }

    /// Those of the changes that a later version made as well.
    private func choices(
        since version: Version, of made: [Change], _ today: [Subject: Subject], at tip: Snapshot, undone: Set<VersionID>
    ) throws(Problem) -> Set<Change> {
        guard let head = tip.id, head != version.id, !made.isEmpty else { return [] }
        var taken = UndoneVersions()
        taken.takeBack(Array(undone))
        var chosen: Set<Change> = []
        var filter = HistoryFilter()
        filter.places = Set(made.map { (today[$0.subject] ?? $0.subject).key }).sorted()
        try history.walk(filter, from: head, hiding: version.id) { later, changes throws(Problem) in
            let named = later.named
            taken.note(named)
            if taken.contains(later.id) { return true }
            taken.takeBack(named.reverts)
            guard !named.isUndoing, named.reverts.isEmpty else { return true }
            for change in made {
                let names: Set<Subject> = [change.subject, today[change.subject] ?? change.subject]
                let isSame = changes.changes.contains { other in
                    names.contains(other.subject) && other.facet == change.facet
                        && Change.Content.isSame(other.after, change.after)
                }
                if isSame { chosen.insert(change) }
            }
            return true
        }
        return chosen
    }

    /// Versions that were given up while `version` waited: newest first.
    private func unconfirmed(since version: Version, at head: VersionID) throws(Problem) -> [Version] {
        var named: [VersionID] = []
        try history.eachVersion(from: head, hiding: [version.id]) { later in
            named += later.named.unconfirmed.compactMap(\.id)
        }
        var found: [Version] = []
        // Those that built on another were given up before it where both had the same time.
        for id in named where !found.contains(where: { $0.id == id }) {
            if let other = try? versions.version(id) { found.append(other) }
        }
        return try versions.newestFirst(found)
    }
}

extension Change {
    /// Whether an item has what this change made.
    fileprivate func isInForce(in item: SettingsContent.Item?) -> Bool {
        let content = facet == .existence ? item.map { Content.item($0) } : item?.facets[facet]
        return facet != .key && Content.isSame(content, after)
    }
}

extension Snapshot {
    /// Whether a change is in force here, in what may be called otherwise today.
    func has(_ change: Change, of subject: Subject) throws(Problem) -> Bool {
        change.isInForce(in: try settings(of: [subject], acceptingAnyValue: true)[subject])
    }
}
