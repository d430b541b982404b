import Git
package import SettingsModel

/// Whether a version's files are those of the one before it, and all that it may do is to decide a question for what was in
/// force already, to take such a decision back, or to confirm a version.
func onlyDecides(_ step: HistoryWalk.Step) -> Bool {
    guard step.commit.mayDecide, step.parents.count == 1, let parent = step.parents[0] else { return false }
    return parent.tree == step.commit.tree
}

extension History {
    /// What a version changed, a merge since its first parent, and what it decided.
    package func changes(of version: Version) throws(Problem) -> VersionChanges {
        var changes = try versions.changes(of: version)
        changes.unreadable += try versions.misfits(
            among: changes.changes.map(\.subject), at: try versions.snapshot(version.id))
        if version.isMerge || changes.isEmpty, !versions.isBoundary(version) {
            changes.decisions = try decisions(of: version, try undeclared(version.id, from: version.parents))
        }
        if changes.isEmpty, version.message.settlesConfirmation {
            changes.confirmed = try versions.subjects(confirmedBy: version)
        }
        return changes
    }

    /// What a version says that it decided about `places`, and what a merge decided besides.
    func decisions(
        of version: Version, _ undeclared: UndeclaredDecisions?, in places: [Key] = []
    ) throws(Problem) -> [Decision] {
        let new = try versions.snapshot(version.id)
        let implied = (undeclared?.questions ?? []).map { ($0.subject, $0.facet, false) }
        var rebuilt = undeclared?.rebuilt
        var decisions: [Decision] = []
        let said = version.saidDecisions.map { ($0.question.subject, $0.question.facet, $0.isTakenBack) }
        for (subject, facet, isTakenBack) in said + implied
        where subject.lies(in: places) {
            let item = try new.readable(subject, acceptingAnyValue: true)
            var sides: [SettingsContent.Item?] = []
            if version.isMerge {
                for parent in version.parents { sides.append(try versions.snapshot(parent).readable(subject)) }
                // A side may call it otherwise.
                if version.parents.count == 2, facet != .existence, sides.contains(where: { $0 == nil }) {
                    if rebuilt == nil { rebuilt = try? RebuiltMerge(version, self) }
                    sides = try rebuilt?.items(named: subject) ?? sides
                }
            }
            var decision = Decision(VersionMessage.Question(subject, facet), item, over: sides)
            decision.isTakenBack = isTakenBack
            decisions.append(decision)
        }
        return decisions
    }
}

extension Version {
    /// The conflicts that it says it resolved, by the names from before it, a merge by those that it gave; and those that it
    /// opened again, by the names that it gave.
    var saidDecisions: [(question: VersionMessage.Question, isTakenBack: Bool)] {
        message.resolves.map { ($0, false) } + (isMerge ? [] : message.conflicts.map { ($0, true) })
    }
}

extension Versions {
    /// What the versions changed that one confirms, extends or gives up, as far as they are there.
    func subjects(confirmedBy version: Version) throws(Problem) -> [Subject] {
        let named = version.named
        var subjects: Set<Subject> = []
        for id in (named.confirms + named.extends + named.unconfirmed).compactMap(\.id) {
            guard let other = try? self.version(id), let parent = try? snapshot(other.parents.first) else { continue }
            subjects.formUnion(try subjectsDiffering(from: parent, to: try snapshot(other.id)))
        }
        return subjects.sorted()
    }
}

extension Decision {
    init(_ question: VersionMessage.Question, _ item: SettingsContent.Item?, over sides: [SettingsContent.Item?]) {
        let facet = question.facet
        let name = item.map { _ in Change.Content.key(question.subject.key) }
        var chosen = facet == .key ? name : item?.content(of: facet)
        var others: [Change.Content?] = []
        for side in sides.map({ $0?.content(of: facet) }) where facet != .key {
            if Change.Content.isSame(side, chosen) {
                // A value whose label a side removed has it on the other.
                chosen = side
            } else if !others.contains(side) {
                others.append(side)
            }
        }
        let title = item?.title ?? sides.lazy.compactMap { $0?.title }.first ?? ExactText(question.subject.key.name)
        self.init(question.subject, title: title, facet: facet, chosen: chosen, others: others)
    }
}

extension SettingsContent.Item {
    fileprivate func content(of facet: Facet) -> Change.Content? { facet == .existence ? .item(self) : facets[facet] }
}
