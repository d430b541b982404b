import Git
package import SettingsModel

/// Which versions have to be confirmed, and what became of that.
///
/// A version reverts itself only in the repository that recorded it: as long as `Deadlines` names its very id, that id is in
/// the history of the last version, and no later version there has settled it. Every other version with `Confirm-by:`, be it
/// that it was fetched, picked or rewritten, is only asked about; and so is one that `Deadlines` names if plain git made it
/// again without its trailers.
package final class Confirmations {
    let versions: Versions
    private let history: History
    private let reversals: Reversals
    private var known: (tip: VersionID, answers: Answers)?

    init(_ versions: Versions, _ history: History, _ reversals: Reversals) {
        self.versions = versions
        self.history = history
        self.reversals = reversals
    }

    /// Those that revert themselves here, the oldest deadline first.
    package func open(at now: Int64) throws(Problem) -> [Confirmation] {
        let deadlines = try versions.deadlines.all()
        guard !deadlines.isEmpty, let tip = try versions.head.commit else { return [] }
        return try open(deadlines, at: tip).map { id, deadline throws(Problem) in
            Confirmation(try versions.version(id), deadline: deadline, deadline.seconds <= now ? .expired : .waiting)
        }.sorted(by: Self.isSooner)
    }

    /// Those of `deadlines` that `tip` has and that nothing there settles.
    func open(_ deadlines: [VersionID: Time], at tip: VersionID) throws(Problem) -> [VersionID: Time] {
        var open: [VersionID: Time] = [:]
        for (id, deadline) in deadlines where try has(id, tip) { open[id] = deadline }
        if open.isEmpty { return open }
        let answers = try answers(since: Array(open.keys), at: tip)
        for (id, deadline) in open {
            let found = try answer(answers, about: try versions.version(id), deadline, at: tip)
            open[id] = found.state == nil ? found.deadline : nil
        }
        return open
    }

    /// How many of the latest versions are asked about.
    static let askedLimit = 256

    /// Of the latest versions those that were to be confirmed by now somewhere else, where nothing in the history says what
    /// became of that and something of them is in force; and at once those of them that were recorded here, under another id.
    package func unanswered(at now: Int64) throws(Problem) -> [Confirmation] {
        guard let tip = try versions.head.commit else { return [] }
        let deadlines = try versions.deadlines.all()
        let replaced = try replaced(deadlines, at: tip)
        let answers = try answers(upTo: tip, limit: Self.askedLimit)
        var found: [Confirmation] = []
        for version in replaced where try isMadeAgain(version, at: tip) {
            let (state, deadline) = try answer(answers, about: version, deadlines[version.id] ?? version.time, at: tip)
            if state == nil { found.append(Confirmation(version, deadline: deadline, .rewritten)) }
        }
        for (id, version) in answers.asking where deadlines[id] == nil {
            guard let own = version.message.ownDeadline else { continue }
            let (state, deadline) = try answer(answers, about: version, own, at: tip)
            let isRewritten = replaced.contains { $0.message.ownDeadline == own }
            guard state == nil, isRewritten || deadline.seconds <= now, try touchesStore(version),
                try !reversals.reversal(of: version, at: try versions.snapshot(tip)).changes.isEmpty
            else { continue }
            found.append(Confirmation(version, deadline: deadline, isRewritten ? .rewritten : .unanswered))
        }
        return found.sorted(by: Self.isSooner)
    }

    private static func isSooner(_ one: Confirmation, _ other: Confirmation) -> Bool {
        (one.deadline.seconds, one.version.time.seconds, one.version.id.hex)
            < (other.deadline.seconds, other.version.time.seconds, other.version.id.hex)
    }

    /// Nil where the version doesn't have to be confirmed, or isn't in the history of the last one.
    /// `isShared`: as every clone has it, whatever this one keeps beside the history.
    package func confirmation(
        of version: Version, at now: Int64, isShared: Bool = false
    ) throws(Problem) -> Confirmation? {
        guard let own = version.message.ownDeadline, let tip = try versions.head.commit else { return nil }
        if known?.tip != tip { known = (tip, try answers(upTo: tip)) }
        guard let answers = known?.answers, answers.asking[version.id] != nil, try touchesStore(version) else { return nil }
        let deadlines = try isShared ? [:] : versions.deadlines.all()
        let local = deadlines[version.id]
        let (state, deadline) = try answer(answers, about: version, local ?? own, at: tip)
        if let state { return Confirmation(version, deadline: own, state) }
        let open = deadline.seconds <= now ? Confirmation.State.expired : .waiting
        if local != nil { return Confirmation(version, deadline: deadline, open) }
        let isRewritten = try replaced(deadlines, at: tip).contains { $0.message.ownDeadline == own }
        return Confirmation(version, deadline: deadline, isRewritten ? .rewritten : .unanswered)
    }

    /// Those of `deadlines` that are not in the history of `tip`: amended, rebased, squashed, dropped, or on another branch.
    private func replaced(_ deadlines: [VersionID: Time], at tip: VersionID) throws(Problem) -> [Version] {
        let objects = versions.repository.objects
        var replaced: [Version] = []
        for id in deadlines.keys {
            let isReplaced = try git(objects.exists(id) ? !objects.isAncestor(id, of: tip) : false)
            if isReplaced { replaced.append(try versions.version(id)) }
        }
        return replaced
    }

    /// Whether something that a version changed is in force in a history that has another version in its place, and no version
    /// with a deadline of its own there made the same change.
    func isMadeAgain(_ version: Version, at tip: VersionID) throws(Problem) -> Bool {
        let objects = versions.repository.objects
        let base = try git(objects.mergeBases(of: version.id, and: tip).first)
        let (before, today) = (try versions.snapshot(base), try versions.snapshot(tip))
        let names = try history.renames(from: version.id, to: today)
        var again: [Change] = []
        for change in try versions.changes(of: version).changes where try !before.has(change, of: change.subject) {
            if try today.has(change, of: names[change.subject] ?? change.subject) { again.append(change) }
        }
        try history.eachVersion(from: tip, hiding: base.map { [$0] } ?? []) { later throws(Problem) in
            guard !again.isEmpty, later.message.ownDeadline != nil else { return }
            let made = try versions.changes(of: later).changes
            again.removeAll { change in
                made.contains {
                    $0.facet == change.facet && $0.subject == change.subject && Change.Content.isSame($0.after, change.after)
                }
            }
        }
        return !again.isEmpty
    }

    /// Whether a version in the history of `tip` confirms this one.
    func isConfirmed(_ version: Version, at tip: VersionID) throws(Problem) -> Bool {
        try answers(since: [version.id], at: tip).about(version).contains { named, by in
            by.named.confirms.contains { $0.id == named }
        }
    }
}

// MARK: what the history says

extension Confirmations {
    /// Whether `tip` has a version that changed something in this store.
    func has(_ id: VersionID, _ tip: VersionID) throws(Problem) -> Bool {
        let objects = versions.repository.objects
        let isThere = try git(objects.exists(id) ? objects.isAncestor(id, of: tip) : false)
        return isThere ? try touchesStore(try versions.version(id)) : false
    }

    /// A repository may hold several stores: a version has to be confirmed in those that it changed.
    private func touchesStore(_ version: Version) throws(Problem) -> Bool {
        if versions.isBoundary(version) { return false }
        let new = try versions.snapshot(version.id)
        let old = try versions.snapshot(version.parents.first)
        if try !versions.subjectsDiffering(from: old, to: new).isEmpty { return true }
        // One that only decides something changes no file at all.
        return try git(versions.repository.objects.differences(from: old.tree, to: new.tree)).isEmpty
    }

    /// What became of a version, nil where it is open, and the latest deadline that it was given after `deadline`.
    private func answer(
        _ answers: Answers, about version: Version, _ deadline: Time, at tip: VersionID
    ) throws(Problem) -> (state: Confirmation.State?, deadline: Time) {
        var (state, deadline): (Confirmation.State?, Time) = (nil, deadline)
        for (named, by) in answers.about(version) {
            let own = named ?? version.id
            func names(_ list: [NamedVersions.Unconfirmed]) -> Bool {
                list.contains { $0.id == named && (named != nil || $0.deadline == version.message.ownDeadline) }
            }
            if names(by.named.extends), let later = by.message.confirmBy, later.seconds > deadline.seconds { deadline = later }
            if names(by.named.unconfirmed) {
                // That stays so, whoever confirms it elsewhere.
                return (by.message.reverts.isEmpty ? .givenUp(by: by.id) : .takenBack(by: by.id), deadline)
            }
            if try takesBack(by, own, version) { return (.takenBack(by: by.id), deadline) }
            if state == nil, names(by.named.confirms) { state = .confirmed(by: by.id) }
        }
        return (state, deadline)
    }

    /// Whether an undo or a revert left nothing of a version.
    private func takesBack(_ by: Version, _ named: VersionID, _ version: Version) throws(Problem) -> Bool {
        if by.named.undoes.contains(named) { return true }
        guard by.named.reverts.contains(named) else { return false }
        return try reversals.reversal(of: version, at: try versions.snapshot(by.id)).changes.isEmpty
    }

    /// What came after any of several versions says about them.
    private func answers(since ids: [VersionID], at tip: VersionID) throws(Problem) -> Answers {
        let objects = versions.repository.objects
        // What all of them have in their history came before each of them.
        var common = ids.first
        for id in ids.dropFirst() {
            guard let one = common else { break }
            common = try git(objects.mergeBases(of: one, and: id).first)
        }
        var answers = Answers()
        var walk = try git(objects.commits(from: [tip], hiding: common.map { [$0] } ?? []))
        while let id = try versions.next(&walk) {
            let header = try git(objects.header(id, noticing: Answers.words))
            if header.noticed != 0 { answers.note(try versions.version(id)) }
        }
        return answers
    }

    /// What the latest versions say.
    private func answers(upTo tip: VersionID, limit: Int = .max) throws(Problem) -> Answers {
        let objects = versions.repository.objects
        var answers = Answers()
        var count = 0
        var walk = try git(objects.history(of: tip, noticing: Answers.words))
        while count < limit, let step = try git(walk.next(in: objects)) {
            try versions.countOne()
            count += 1
            // What a version changed at the end of a shallow clone isn't known.
            if step.commit.noticed != 0, !step.isBoundary { answers.note(try versions.version(step.commit.id)) }
        }
        return answers
    }
}

/// What versions say about those that have to be confirmed.
private struct Answers {
    /// Nil where the history has no version that is so named: a rebase gives it another id, but not another deadline.
    typealias Answer = (named: VersionID?, by: Version)

    /// Those that have to be confirmed.
    private(set) var asking: [VersionID: Version] = [:]
    private var byID: [VersionID: [Answer]] = [:]
    private var byDeadline: [Time: [Answer]] = [:]

    static let words = ["confirm-by:", "confirms:", "extends:", "unconfirmed:", "undoes:", "reverts:"].map { Array($0.utf8) }

    mutating func note(_ version: Version) {
        if version.message.ownDeadline != nil { asking[version.id] = version }
        let named = version.named
        let waited = named.confirms + named.extends + named.unconfirmed
        for id in Set(waited.compactMap(\.id) + named.undoes + named.reverts) { byID[id, default: []].append((id, version)) }
        for one in waited where one.id == nil {
            if let deadline = one.deadline { byDeadline[deadline, default: []].append((nil, version)) }
        }
    }

    func about(_ version: Version) -> [Answer] {
        let others = version.message.ownDeadline.flatMap { byDeadline[$0] } ?? []
        return byID[version.id, default: []] + others
    }
}
