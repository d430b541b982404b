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
        let said = try questions(decidedBy: version).map { ($0.question.subject, $0.question.facet, $0.isTakenBack) }
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

extension History {
    /// A question that a version says something about, and the version that settled it.
    struct SettledQuestion {
        /// As the version names it: by the names from before it, a merge by those that it gave.
        var question: VersionMessage.Question
        var settler: Version
        /// Whether the question is open again.
        var isTakenBack: Bool
    }

    /// The questions that a version says it settled, those that it opens again by taking back one that settled them, and those
    /// that it settles again.
    func questions(decidedBy version: Version) throws(Problem) -> [SettledQuestion] {
        var found: [SettledQuestion] = []
        let tip = version.isMerge || versions.isBoundary(version) ? version.id : version.parents.first
        for (settler, isTakenBack) in try versions.settlers(in: version) {
            let questions = settler.id == version.id ? settler.message.resolves : try self.questions(of: settler, at: tip)
            found += questions.map { SettledQuestion(question: $0, settler: settler, isTakenBack: isTakenBack) }
        }
        return found
    }

    /// The questions that a version settled, by the names of `tip`.
    func questions(of settler: Version, at tip: VersionID?) throws(Problem) -> [VersionMessage.Question] {
        let start = settler.isMerge || versions.isBoundary(settler) ? settler.id : settler.parents.first
        let since = try renames(from: start, to: tip)
        return settler.message.resolves.map { question in
            VersionMessage.Question(
                since.reduce(question.subject) { $0.renamed(from: $1.old, to: $1.new) }, question.facet)
        }
    }
}

extension Versions {
    /// More versions than this are not looked at for one.
    private static let mostNamed = 1000

    /// Whether a version settles questions, or takes back what did so.
    func turnsDecisions(_ version: Version) throws(Problem) -> Bool {
        if !version.message.resolves.isEmpty { return true }
        if version.named.reverts.isEmpty { return false }
        return try !settlers(in: version).isEmpty
    }

    /// The versions that settled questions and that one takes back or repeats, also where it takes back one that did so; and
    /// itself.
    func settlers(in version: Version) throws(Problem) -> [(version: Version, isTakenBack: Bool)] {
        var found: [(version: Version, isTakenBack: Bool)] = []
        var queue = [(version: version, isTakenBack: false)]
        var seen: Set<VersionID> = [version.id]
        var next = 0
        while next < queue.count {
            let (version, isTakenBack) = queue[next]
            next += 1
            let named = version.named
            if !version.message.resolves.isEmpty { found.append((version, isTakenBack)) }
            for (ids, isInverse) in [(named.undoes + named.reverts, true), (named.redoes, false)] {
                for id in ids where queue.count < Self.mostNamed && seen.insert(id).inserted {
                    queue.append((try self.version(id), isTakenBack != isInverse))
                }
            }
        }
        return found
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
