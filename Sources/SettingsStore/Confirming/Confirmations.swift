import Git
package import SettingsModel

/// Which versions in the history of the last one have to be confirmed, and which of them still wait.
///
/// A version waits from its trailer `Confirm-by:` on. What ends that is a later version in the same history:
///
/// - one that confirms it (`Confirms:`), or gives it up (`Unconfirmed:`);
/// - an undo by its author, or any version with `Reverts:` after which nothing of it is left that could be taken back;
/// - a redo, which has to be confirmed itself if nobody had confirmed the version.
///
/// An extension (`Extends:`, with a `Confirm-by:` of its own) moves the deadline, never to an earlier time. What waits is
/// therefore the same in whatever order the versions of merged branches are read.
package final class Confirmations {
    let versions: Versions
    let history: History
    let cache: ConfirmationCache
    /// What is left of a version that could be taken back in a snapshot.
    var isAnythingLeft: ((Version, Snapshot) throws(Problem) -> Bool)?
    private var known: (tip: VersionID, open: OpenConfirmations)?
    private var knownClosed: (tip: VersionID, closed: [VersionID: Confirmation.State])?

    init(_ versions: Versions, _ history: History, _ journal: Journal) {
        self.versions = versions
        self.history = history
        cache = ConfirmationCache(versions, journal)
    }

    /// How many versions may be newer than the cache's file before it is written again.
    static let writingLimit = 16

    /// Those that are neither confirmed nor taken back, the oldest deadline first.
    package func open(at now: Int64) throws(Problem) -> [Confirmation] {
        guard let tip = try versions.head.commit else { return [] }
        var found: [Confirmation] = []
        for (id, deadline) in try open(at: tip) {
            let state = deadline.seconds <= now ? Confirmation.State.expired : .waiting
            found.append(Confirmation(try versions.version(id), deadline: deadline, state))
        }
        return found.sorted {
            ($0.deadline.seconds, $0.version.time.seconds, $0.version.id.hex)
                < ($1.deadline.seconds, $1.version.time.seconds, $1.version.id.hex)
        }
    }

    /// Nil where the version doesn't have to be confirmed, or isn't in the history of the last one.
    package func confirmation(of version: Version, at now: Int64) throws(Problem) -> Confirmation? {
        guard let own = version.message.ownDeadline, let tip = try versions.head.commit else { return nil }
        if let deadline = try open(at: tip)[version.id] {
            return Confirmation(version, deadline: deadline, deadline.seconds <= now ? .expired : .waiting)
        }
        return try closed(at: tip)[version.id].map { Confirmation(version, deadline: own, $0) }
    }

    /// With their deadlines.
    func open(at tip: VersionID) throws(Problem) -> OpenConfirmations {
        if let known, known.tip == tip { return known.open }
        let found = try look(from: tip)
        known = (tip, found)
        return found
    }

    private func look(from tip: VersionID) throws(Problem) -> OpenConfirmations {
        // A shallow clone may get versions that it hadn't.
        let cached = versions.isShallow ? nil : cache.read()
        if let cached, cached.tip == tip { return cached.open }
        var trail = ConfirmationTrail(self, open: [:])
        if let cached, try trail.walk(from: tip, to: cached.tip) {
            trail.open = cached.open
        } else {
            try trail.walk(from: tip)
            trail.count += Self.writingLimit
        }
        try trail.settle(at: tip)
        if !versions.isShallow, trail.count >= Self.writingLimit || trail.open != cached?.open {
            cache.write(tip, trail.open)
        }
        return trail.open
    }

    /// What became of those that are not open.
    private func closed(at tip: VersionID) throws(Problem) -> [VersionID: Confirmation.State] {
        if let knownClosed, knownClosed.tip == tip { return knownClosed.closed }
        let trail = try whole(tip)
        knownClosed = (tip, trail.closed)
        return trail.closed
    }

    /// As the versions alone tell it, without the cache.
    func whole(_ tip: VersionID) throws(Problem) -> ConfirmationTrail {
        var trail = ConfirmationTrail(self, open: [:])
        try trail.walk(from: tip)
        try trail.settle(at: tip)
        return trail
    }
}

typealias OpenConfirmations = [VersionID: Time]

/// The versions of a stretch of history that say something about confirmations.
struct ConfirmationTrail {
    private let confirmations: Confirmations
    /// How many versions were looked at.
    var count = 0
    var open: OpenConfirmations
    private(set) var closed: [VersionID: Confirmation.State] = [:]
    /// Those with trailers about confirmations, and those that took something back.
    private var speaking: [VersionID] = []
    private var undoing: [VersionID] = []

    private static let words = ["confirm-by:", "confirms:", "extends:", "unconfirmed:", "undoes:", "redoes:", "reverts:"]
        .map { Array($0.utf8) }
    private static let firstUndoing = 4

    init(_ confirmations: Confirmations, open: OpenConfirmations) {
        self.confirmations = confirmations
        self.open = open
    }

    private var versions: Versions { confirmations.versions }

    private mutating func note(_ commit: CommitHeader) {
        count += 1
        if commit.noticed & (1 << Self.firstUndoing - 1) != 0 { speaking.append(commit.id) }
        if commit.noticed >> Self.firstUndoing != 0 { undoing.append(commit.id) }
    }

    /// Looks at the whole history of a version.
    mutating func walk(from tip: VersionID) throws(Problem) {
        let objects = versions.repository.objects
        var walk = try git { () throws(GitError) in try objects.history(of: tip, noticing: Self.words) }
        while let step = try git({ () throws(GitError) in try walk.next(in: objects) }) {
            versions.countOne()
            // What a version changed at the end of a shallow clone isn't known.
            if !step.isBoundary { note(step.commit) }
        }
    }

    /// Looks at what came after `old`; false where that isn't in the history.
    mutating func walk(from tip: VersionID, to old: VersionID) throws(Problem) -> Bool {
        let objects = versions.repository.objects
        // Nearly always a straight line.
        var id = tip
        for _ in 0..<256 {
            let header = try git { () throws(GitError) in try objects.header(id, noticing: Self.words) }
            guard header.parents.count == 1 else { break }
            note(header)
            id = header.parents[0]
            if id == old { return true }
        }
        (count, speaking, undoing) = (0, [], [])
        guard (try? objects.exists(old)) == true, try git({ () throws(GitError) in try objects.isAncestor(old, of: tip) }) else {
            return false
        }
        var walk = try git { () throws(GitError) in try objects.commits(from: [tip], hiding: [old]) }
        while let id = try versions.next(&walk) {
            note(try git { () throws(GitError) in try objects.header(id, noticing: Self.words) })
        }
        return true
    }

    /// Works out what is open after the versions that were looked at.
    mutating func settle(at tip: VersionID) throws(Problem) {
        var said: [Version] = []
        for id in speaking { said.append(try versions.version(id)) }
        for version in said {
            guard let deadline = version.message.ownDeadline, try touchesStore(version) else { continue }
            open[version.id] = deadline
        }
        if open.isEmpty { return }
        for version in said {
            for named in version.message.extends {
                guard let id = try meant(by: named, at: tip), let deadline = version.message.confirmBy else { continue }
                if let old = open[id], old.seconds < deadline.seconds { open[id] = deadline }
            }
        }
        var ended: [(id: VersionID, Confirmation.State)] = []
        for version in said {
            for named in version.message.unconfirmed {
                guard let id = try meant(by: named, at: tip) else { continue }
                ended.append((id, version.message.reverts.isEmpty ? .givenUp(by: version.id) : .takenBack(by: version.id)))
            }
            for named in version.message.confirms {
                if let id = try meant(by: named, at: tip) { ended.append((id, .confirmed(by: version.id))) }
            }
        }
        for id in undoing {
            let version = try versions.version(id)
            let message = version.message
            let repeating = try self.repeating(message.undoes, before: id)
            if !repeating.isEmpty || (message.undoes + message.redoes).contains(where: { open[$0] != nil }) {
                let named = try confirmations.history.undoing(of: version)
                if !named.undoes.isEmpty {
                    for other in repeating where try !isAnythingLeft(of: other, at: id) {
                        ended.append((other, .takenBack(by: id)))
                    }
                }
                ended += named.undoes.map { ($0, .takenBack(by: id)) } + named.redoes.map { ($0, .confirmed(by: id)) }
            }
            for other in message.reverts where open[other] != nil {
                if try !isAnythingLeft(of: other, at: id) { ended.append((other, .takenBack(by: id))) }
            }
        }
        for (id, state) in ended where open[id] != nil || closed[id] != nil {
            open[id] = nil
            // What was taken back stays so, whoever confirms it elsewhere.
            switch closed[id] {
            case .takenBack?, .givenUp?: continue
            default: closed[id] = state
            }
        }
    }

    private func isAnythingLeft(of other: VersionID, at id: VersionID) throws(Problem) -> Bool {
        guard let isAnythingLeft = confirmations.isAnythingLeft else { return true }
        return try isAnythingLeft(try versions.version(other), try versions.snapshot(id))
    }

    /// Of what is open, the versions that repeated others and came before the version that undid `undone`.
    private func repeating(_ undone: [VersionID], before id: VersionID) throws(Problem) -> [VersionID] {
        var found: [VersionID] = []
        for other in open.keys where !undone.isEmpty && other != id {
            let message = try versions.version(other).message
            if message.redoes.isEmpty, message.undoes.isEmpty, message.reverts.isEmpty { continue }
            let objects = versions.repository.objects
            if try git({ () throws(GitError) in try objects.isAncestor(other, of: id) }) { found.append(other) }
        }
        return found
    }

    /// Of what is open, the version that a trailer names: by its id, or, if that is in another history, by its deadline.
    private func meant(by named: VersionMessage.Unconfirmed, at tip: VersionID) throws(Problem) -> VersionID? {
        if open[named.id] != nil { return named.id }
        guard let deadline = named.deadline else { return nil }
        var others: [VersionID] = []
        for id in open.keys {
            if try versions.version(id).message.ownDeadline == deadline { others.append(id) }
        }
        if others.count != 1 { return nil }
        let objects = versions.repository.objects
        guard try git({ () throws(GitError) in try objects.exists(named.id) }) else { return others[0] }
        return try git { () throws(GitError) in try objects.isAncestor(named.id, of: tip) } ? nil : others[0]
    }

    /// A repository may hold several stores: a version waits in those that it changed.
    private func touchesStore(_ version: Version) throws(Problem) -> Bool {
        if versions.isBoundary(version) { return false }
        let new = try versions.snapshot(version.id)
        let old = try versions.snapshot(version.parents.first)
        if try !versions.subjectsDiffering(from: old, to: new).isEmpty { return true }
        // One that only decides something changes no file at all.
        return try versions.isEmpty(version)
    }
}
