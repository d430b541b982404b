import Git
import SettingsModel

/// Which conflicts versions leave open, and which of them later ones resolve.
///
/// Versions say so when they are made: `Conflict:` and `Resolves:`. Only of those that have no Change-Id, because plain git or an
/// earlier release made them, what they did to the option counts as an answer.
package final class Conflicts {
    private let versions: Versions
    private let history: History
    let cache: ConflictCache
    /// What was asked for last: one command asks several times.
    private var last: (tip: VersionID, known: KnownConflicts)?

    init(_ versions: Versions, _ journal: Journal, _ history: History) {
        self.versions = versions
        self.history = history
        cache = ConflictCache(versions, journal)
    }

    /// After so many versions the cache is written again.
    private static let writingLimit = 16

    /// How many headers of versions may be read where nobody asked for conflicts: 50 ms of work.
    private static let waitingLimit = 5000

    /// What is known at the last version; nil where that takes a walk through a long history.
    func knownSoon() throws(Problem) -> KnownConflicts? {
        guard let tip = try versions.head.commit else { return KnownConflicts() }
        if let known = try newer(than: cache.read(), upTo: tip) { return known }
        return try walked(to: tip, limit: Self.waitingLimit)
    }

    /// What is known at a version.
    func known(at tip: VersionID?) throws(Problem) -> KnownConflicts {
        guard let tip else { return KnownConflicts() }
        if let last, last.tip == tip { return last.known }
        let known =
            if let known = try newer(than: cache.read(), upTo: tip) { known } else { try walked(to: tip) ?? KnownConflicts() }
        // A shallow clone may get versions that it hadn't.
        if !versions.isShallow { last = (tip, known) }
        return known
    }

    // MARK: From version to version

    /// From the versions alone; nil where there are more than `limit`.
    func walked(to tip: VersionID, limit: Int = .max) throws(Problem) -> KnownConflicts? {
        // Of most histories no version asks anything, and then none has to be kept in memory.
        var (asks, count) = (false, 0)
        try history.eachStep(from: tip, hiding: nil) { step in
            count += 1
            asks = asks || step.commit.noticed(VersionMessage.asking)
            return count <= limit
        }
        if count > limit { return nil }
        var known = KnownConflicts()
        if asks {
            var commits: [CommitHeader] = []
            commits.reserveCapacity(count)
            try history.eachStep(from: tip, hiding: nil) { step in
                commits.append(step.commit)
                return true
            }
            known = try follow(commits, from: [:], to: tip)
        }
        write(known, at: tip)
        return known
    }

    /// On from what is known of an earlier version; nil where that is not enough to know.
    private func newer(
        than cached: (tip: VersionID, known: KnownConflicts)?, upTo tip: VersionID
    ) throws(Problem) -> KnownConflicts? {
        guard let (start, known) = cached else { return nil }
        if start == tip { return known }
        guard let commits = try commits(since: start, upTo: tip) else { return nil }
        let ids = Set([start] + commits.map(\.id))
        // What another line knew where it began is not in the cache.
        if !known.isEmpty, !commits.allSatisfy({ ids.isSuperset(of: $0.parents) }) { return nil }
        let newer = try follow(commits, from: [start: known], to: tip)
        if commits.count >= Self.writingLimit || newer != known { write(newer, at: tip) }
        return newer
    }

    /// The versions of one history that are not in the other, the newest first; nil where the other is no part of it.
    private func commits(since start: VersionID, upTo tip: VersionID) throws(Problem) -> [CommitHeader]? {
        let objects = versions.repository.objects
        var commits: [CommitHeader] = []
        // Nearly always a straight line.
        var id = tip
        while commits.count < 256 {
            guard let commit = try? objects.header(id, noticing: VersionMessage.wordsOnTheWay), commit.parents.count == 1
            else { break }
            commits.append(commit)
            id = commit.parents[0]
            if id == start { return commits }
        }
        guard (try? objects.exists(start)) == true, try git(objects.isAncestor(start, of: tip)) else { return nil }
        commits = []
        var walk = try git(objects.commits(from: [tip], hiding: [start]))
        while let id = try versions.next(&walk) {
            commits.append(try git(objects.header(id, noticing: VersionMessage.wordsOnTheWay)))
        }
        return commits
    }

    private func write(_ known: KnownConflicts, at tip: VersionID) {
        // A shallow clone may get versions that it hadn't.
        if !versions.isShallow, (try? versions.head.commit) == tip { cache.write(known, at: tip) }
    }

    /// Through versions, in any order, on from what is known at those before them.
    private func follow(
        _ commits: [CommitHeader], from known: [VersionID: KnownConflicts], to tip: VersionID
    ) throws(Problem) -> KnownConflicts {
        var all = known
        for commit in Self.oldestFirst(commits, to: tip) {
            var known = KnownConflicts()
            for (number, parent) in commit.parents.enumerated() {
                guard var side = all[parent] else { continue }
                if number > 0 { try rename(&side, from: parent, to: commit.id) }
                if !commit.noticed(VersionMessage.naming) { try answer(&side, by: commit, since: parent) }
                known.formUnion(side)
            }
            let mayTurn = commit.noticed(VersionMessage.resolving) || commit.mayRename
            if commit.noticed(VersionMessage.asking) || !known.isEmpty && mayTurn {
                known.pass(try versions.version(commit.id))
            }
            if !known.isEmpty { all[commit.id] = known }
        }
        return all[tip] ?? KnownConflicts()
    }

    /// Each before those that build on it, whatever the clocks said.
    private static func oldestFirst(_ commits: [CommitHeader], to tip: VersionID) -> [CommitHeader] {
        let known = Dictionary(commits.map { ($0.id, $0) }) { first, _ in first }
        var ordered: [CommitHeader] = []
        var seen: Set<VersionID> = []
        var waiting = [(id: tip, isReady: false)]
        while let (id, isReady) = waiting.popLast() {
            guard let commit = known[id], isReady || seen.insert(id).inserted else { continue }
            if isReady {
                ordered.append(commit)
            } else {
                waiting.append((id, true))
                for parent in commit.parents { waiting.append((parent, false)) }
            }
        }
        return ordered
    }

    /// What one side of a merge knows may be called as the other side has renamed it.
    private func rename(_ known: inout KnownConflicts, from side: VersionID, to merge: VersionID) throws(Problem) {
        let result = try versions.snapshot(merge)
        for one in known.all where !one.question.subject.isGroup {
            if try result.has(one.question.subject) { continue }
            return known.rename(try history.renames(from: side, to: merge))
        }
    }

    // MARK: What answers them

    /// A version that doesn't say what it resolves: whoever changed what a conflict is about, or removed that, has resolved it.
    private func answer(_ known: inout KnownConflicts, by commit: CommitHeader, since parent: VersionID) throws(Problem) {
        if !known.hasOpen { return }
        let (old, new) = (try versions.snapshot(parent), Snapshot(versions: versions, commit: commit))
        let renames = commit.parents.count == 1 ? try versions.version(commit.id).renames : []
        for one in known.open {
            let subject = one.question.subject
            let later = subject.renamed(by: renames)
            if later == subject, try old.content(subject) == new.content(later) { continue }
            let items = (try old.readable(subject, acceptingAnyValue: true), try new.readable(later, acceptingAnyValue: true))
            if try isAnswered(one, items.0, items.1, isRenamed: renames.contains { $0.old == subject }) {
                known.resolve([one.question], by: commit.id)
            }
        }
    }

    /// The conflicts open at `base` that an edit resolves.
    func resolved(
        by edit: (before: SettingsContent, after: SettingsContent), _ renames: [VersionMessage.Rename], at base: VersionID?
    ) throws(Problem) -> [VersionMessage.Question] {
        var resolved: [VersionMessage.Question] = []
        for one in try known(at: base).open {
            let subject = one.question.subject
            let later = subject.renamed(by: renames)
            let isRenamed = renames.contains { $0.old == subject }
            // What moved with a group is as it was.
            if edit.before[subject] == nil, edit.after[later] == nil, !isRenamed { continue }
            if resolved.contains(one.question) { continue }
            if try isAnswered(one, edit.before[subject], edit.after[later], isRenamed: isRenamed) {
                resolved.append(one.question)
            }
        }
        return resolved
    }

    private func isAnswered(
        _ known: KnownConflicts.Known, _ before: SettingsContent.Item?, _ after: SettingsContent.Item?, isRenamed: Bool
    ) throws(Problem) -> Bool {
        let facet = known.question.facet
        if (before == nil) != (after == nil) { return true }
        switch facet {
        case .existence: return false
        case .key: return isRenamed
        default: break
        }
        let content = after?.facets[facet]
        if Change.Content.isSame(before?.facets[facet], content) { return false }
        // Of a list, an edit of other entries resolves nothing, and one of some of them not all of it.
        guard facet.isList, let merge = try rebuilt(known), let contested = merge.entries(contestedIn: known.original) else {
            return true
        }
        let left = try versions.snapshot(known.merge).readable(known.original.subject)?.facets[facet]
        let change = Change(known.question.subject, title: "", facet: facet, before: left, after: content)
        return contested.all.isSubset(of: change.settled(of: contested))
    }

    /// The merge whose sides a conflict is about, worked out again; nil where they are gone.
    func rebuilt(_ known: KnownConflicts.Known) throws(Problem) -> RebuiltMerge? {
        let merge = try versions.version(known.merge)
        guard merge.parents.count == 2, !versions.isBoundary(merge) else { return nil }
        return try RebuiltMerge(merge, history)
    }

    // MARK: What opens them again

    /// Says in an edit what becomes of the conflicts that versions resolved, or opened again, where it takes them back or repeats
    /// them: also where that changes nothing, because they decided for what was in force already.
    func turn(_ edit: inout Edit, by versions: [Version], areTakenBack: Bool, at tip: Snapshot) throws(Problem) {
        var (asked, resolved) = try turned(by: versions, areTakenBack: areTakenBack, at: tip)
        if edit.changes.isEmpty, let question = asked.first ?? resolved.first {
            var decision = Decision(question, asked.isEmpty ? try tip.readable(question.subject) : nil, over: [])
            decision.isTakenBack = !asked.isEmpty
            edit.tell([decision])
        }
        // A version says what it opens by the names that it gives, and what it resolves by those from before it.
        let renames = edit.changes.compactMap(\.renaming).map { VersionMessage.Rename(old: $0.old, new: $0.new) }
        for place in asked.indices { asked[place].subject = asked[place].subject.renamed(by: renames) }
        edit.conflicts += asked
        edit.resolves += resolved
    }

    /// What they resolved is open again where that is in force, and what they opened is no question any more. `versions`: each
    /// before those that it builds on where they are taken back, behind them otherwise. By the names of `tip`.
    private func turned(
        by turned: [Version], areTakenBack: Bool, at tip: Snapshot
    ) throws(Problem) -> (asked: [VersionMessage.Question], resolved: [VersionMessage.Question]) {
        let known = try known(at: tip.id)
        var found: (asked: [VersionMessage.Question], resolved: [VersionMessage.Question]) = ([], [])
        var opens: [VersionMessage.Question: Bool] = [:]
        var order: [VersionMessage.Question] = []
        for version in turned {
            let message = version.message
            for (questions, isAsked) in [(message.resolves, false), (message.conflicts, true)] where !questions.isEmpty {
                let start = isAsked || version.isMerge ? version.id : version.parents.first
                let renames = try history.renames(from: start, to: tip.id)
                for question in questions {
                    let today = VersionMessage.Question(question.subject.renamed(by: renames), question.facet)
                    if opens[today] == nil {
                        let isDecided = !isAsked && areTakenBack
                        if isDecided, try !isInForce(question, of: version, as: today, at: tip) { continue }
                        order.append(today)
                    }
                    opens[today] = isAsked != areTakenBack
                }
            }
        }
        for question in order where known.isOpen(question) != opens[question] {
            if opens[question] == true { found.asked.append(question) } else { found.resolved.append(question) }
        }
        return found
    }

    /// Whether what a version decided is what is there today.
    private func isInForce(
        _ question: VersionMessage.Question, of version: Version, as today: VersionMessage.Question, at tip: Snapshot
    ) throws(Problem) -> Bool {
        let then = question.subject.renamed(by: version.renames)
        let old = try versions.snapshot(version.id).readable(version.isMerge ? question.subject : then)
        let new = try tip.readable(today.subject)
        if question.facet == .existence || question.facet == .key { return (old == nil) == (new == nil) }
        return Change.Content.isSame(old?.facets[question.facet], new?.facets[question.facet])
    }
}
