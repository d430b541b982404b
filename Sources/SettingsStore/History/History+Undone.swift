import Git
import SettingsModel

extension History {
    /// Changes that take `versions` (newest first) back, at `tip`: those that `isWanted`, asked with the version, the change
    /// and the names of what changed, then and today.
    func inverted(
        _ versions: [Version], at tip: Snapshot, where isWanted: (Version, Change, Set<Subject>) -> Bool = { _, _, _ in true }
    ) throws(Problem) -> [Change] {
        var steps: [[Change]] = []
        var names: [[Subject: Subject]] = []
        for version in versions {
            let made = try self.versions.changes(of: version)
            let today = try isAnyMissing(made.changes, at: tip) ? renames(from: version.id, to: tip) : [:]
            let wanted = made.changes.filter { change in
                isWanted(version, change, Set([change.subject, change.renaming?.old, today[change.subject]].compactMap { $0 }))
            }
            let repairs = try repairs(of: version, made, at: tip).filter { isWanted(version, $0, [$0.subject]) }
            steps.append(wanted.inverted + repairs)
            names.append(today)
        }
        return try combined(steps, of: versions, today: names, at: tip)
    }

    /// What puts the files that a version left unreadable back as they were before it, if they still are as it left them.
    private func repairs(of version: Version, _ made: VersionChanges, at tip: Snapshot) throws(Problem) -> [Change] {
        let (old, new) = (try versions.snapshot(version.parents.first), try versions.snapshot(version.id))
        var changes: [Change] = []
        for file in made.unreadable {
            guard let subject = Subject(path: file.path), let content = try tip.file(of: subject),
                try new.file(of: subject)?.id == content.id, try tip.isUnreadable(subject), let item = try old.readable(subject)
            else { throw .history(.unreadable(file.problem, change: false)) }
            var change = Change(
                subject, title: item.title ?? ExactText(subject.key.name), facet: .existence, before: nil, after: .item(item))
            change.isRepair = true
            changes.append(change)
        }
        return changes
    }

    /// The changes that take one version back, under the names of today, whether or not they fit.
    func inverse(of version: Version, only subject: Subject? = nil, at tip: Snapshot) throws(Problem) -> [Change] {
        let made = try versions.changes(of: version)
        if let file = made.unreadable.first { throw .history(.unreadable(file.problem, change: false)) }
        let changes = made.changes.filter { subject == nil || $0.subject == subject }
        let today = try isAnyMissing(changes, at: tip) ? renames(from: version.id, to: tip) : [:]
        var step = changes.inverted
        for place in step.indices {
            if let name = today[step[place].subject] { step[place].subject = name }
        }
        return step
    }

    /// Changes that make `versions` (oldest first) once more, at `tip`.
    func repeated(_ versions: [Version], at tip: Snapshot) throws(Problem) -> [Change] {
        var steps: [[Change]] = []
        for version in versions { steps.append(try self.versions.changes(of: version).changes) }
        return try combined(steps, of: versions, at: tip)
    }

    private func isAnyMissing(_ changes: [Change], at tip: Snapshot) throws(Problem) -> Bool {
        for change in changes {
            if try tip.content(change.subject) == nil { return true }
        }
        return false
    }

    /// One list of changes that does what `steps`, one for each version, do one after the other. `today`: for each step, what was
    /// renamed since.
    private func combined(
        _ steps: [[Change]], of versions: [Version], today names: [[Subject: Subject]] = [], at tip: Snapshot
    ) throws(Problem) -> [Change] {
        var subjects: Set<Subject> = []
        for names in names { subjects.formUnion(names.values) }
        for change in steps.joined() {
            subjects.insert(change.subject)
            guard let (old, new) = change.renaming else { continue }
            subjects.formUnion([old, new])
            for place in [old, new] {
                guard case .group(let key) = place else { continue }
                subjects.formUnion(try tip.subjects(in: key))
            }
        }
        let repaired = Set(steps.joined().filter(\.isRepair).map(\.subject))
        let base = try tip.settings(of: subjects.subtracting(repaired), acceptingAnyValue: true)
        var state = base
        var renames: [(old: Subject, new: Subject)] = []
        for (index, step) in steps.enumerated() {
            var step = step
            if index < names.count, !step.contains(where: { $0.renaming != nil }) {
                for place in step.indices where state[step[place].subject] == nil {
                    if let today = names[index][step[place].subject] { step[place].subject = today }
                }
            }
            let populated = try tip.populated(by: step, besides: subjects)
            do { state = try state.applying(step, populated: populated) } catch {
                throw .recording(.changedSince(error.conflicts))
            }
            renames += step.compactMap(\.renaming)
        }
        let changes = state.changes(since: base, renames: renames)
        let misfits = try misfits(among: changes, of: state, since: base, versions, today: names)
        if !misfits.isEmpty { throw .recording(.changedSince(misfits)) }
        return changes
    }

    /// The defaults that would be out of today's bounds, or not match today's pattern, though they did so in none of `versions`.
    private func misfits(
        among changes: [Change], of state: SettingsContent, since base: SettingsContent, _ versions: [Version],
        today names: [[Subject: Subject]]
    ) throws(Problem) -> [Conflict] {
        func fault(_ subject: Subject, _ states: [SettingsOption]) -> SettingsOption.Fault? {
            state[subject]?.option?.faults(comparedWith: states).first { $0.facet == .default }
        }
        var misfits: [Conflict] = []
        for subject in Set(changes.map(\.subject)).sorted() {
            let changes = changes.filter { $0.subject == subject }
            let today = changes.compactMap(\.renaming).first?.old ?? subject
            var states = [base[today]].compactMap { $0?.option }
            if fault(subject, states) == nil { continue }
            for (index, version) in versions.enumerated() {
                let then = index < names.count ? names[index].first { $0.value == today }?.key : nil
                for snapshot in [try self.versions.snapshot(version.id), try self.versions.snapshot(version.parents.first)] {
                    if let option = try snapshot.readable(then ?? today)?.option { states.append(option) }
                }
            }
            guard let fault = fault(subject, states) else { continue }
            let change = changes.first { $0.facet == .default }
            misfits.append(
                Conflict(
                    subject, title: state.title(of: subject), facet: .default, base: change?.before,
                    ours: base[today]?.facets[.default], theirs: state[subject]?.facets[.default], reason: fault.reason))
        }
        return misfits
    }

    /// What is called otherwise today than in `version`: then → today.
    func renames(from version: VersionID, to tip: Snapshot) throws(Problem) -> [Subject: Subject] {
        let steps = try self.renames(from: version, to: tip.id)
        guard !steps.isEmpty else { return [:] }
        var renames: [Subject: Subject] = [:]
        for subject in try versions.snapshot(version).subjects() {
            let today = subject.renamed(by: steps)
            if today != subject { renames[subject] = today }
        }
        return renames
    }
}
