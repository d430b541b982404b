import Git
import SettingsModel

/// Where values come from that versions took back to what they had been, made again or restored.
struct Returns {
    typealias Thread = History.Thread

    private let history: History
    private var renames: [Span: [VersionMessage.Rename]] = [:]

    private struct Span: Hashable {
        var old: VersionID
        var new: VersionID
    }

    init(_ history: History) { self.history = history }

    private var versions: Versions { history.versions }

    /// A facet before and after a version that changed it.
    private struct Turn {
        let version: Version
        let before: Thread?
        let after: Thread?

        var ends: (before: Thread, after: Thread, parent: VersionID)? {
            guard let before, let after, let parent = version.parents.first else { return nil }
            return (before, after, parent)
        }

        static func isSame(_ one: Thread?, _ other: Thread?) -> Bool {
            if let one, let other { one.isSame(in: other.option) } else { one == nil && other == nil }
        }
    }

    /// The earlier version that a facet comes from; nil where it doesn't come back here. `name`: what the option is called before
    /// this version.
    mutating func source(
        of thread: Thread, _ name: Key, through version: Version
    ) throws(Problem) -> (Thread, CommitHeader?)? {
        guard let base = version.parents.first, !versions.isBoundary(version) else { return nil }
        let named = version.named
        var taken = named.undoes + named.reverts
        for id in named.unconfirmed.compactMap(\.id) where !taken.contains(id) { taken.append(id) }
        let before = thread.read(in: try versions.snapshot(base), name)
        if let source = try source(of: thread, takenBack: try turns(taken, of: thread, name, before: base), from: before) {
            return source
        }
        // What an expiry goes back to may have expired itself.
        if let oldest = named.unconfirmed.compactMap(\.id).last {
            taken += try expired(since: oldest, at: base).filter { !taken.contains($0) }
            let turns = try turns(taken, of: thread, name, before: base)
            if let source = try source(of: thread, takenBack: turns, from: before) { return source }
        }
        for turn in try turns(named.redoes, of: thread, name, before: base) {
            if let after = turn.after, thread.isSame(in: after.option) { return (after, try header(turn.version.id)) }
        }
        // A decision for what was in force changes nothing.
        for id in named.redoes {
            let (other, then) = (try versions.version(id), try self.name(name, at: id, before: base))
            guard other.message.resolves.contains(VersionMessage.Question(.option(then), thread.facet)),
                let after = thread.found(in: try versions.snapshot(id), then)
            else { continue }
            return (after, try header(id))
        }
        if let id = named.restoredFrom, !Turn.isSame(before, thread),
            let then = thread.found(in: try versions.snapshot(id), try self.name(name, at: id, before: base))
        {
            return (then, try header(id))
        }
        return nil
    }

    /// Takes changes back, the newest first, each that is still in force, and says where what is left comes from, if that is what
    /// the facet is.
    private func source(
        of thread: Thread, takenBack turns: [Turn], from before: Thread?
    ) throws(Problem) -> (Thread, CommitHeader?)? {
        var (state, parent) = (before, VersionID?.none)
        for turn in turns where Turn.isSame(turn.after, state) { (state, parent) = (turn.before, turn.version.parents.first) }
        guard let state, let parent, thread.isSame(in: state.option) else { return nil }
        return (state, try header(parent))
    }

    /// Those of the versions that changed a facet, each before those that it builds on.
    private mutating func turns(
        _ ids: [VersionID], of thread: Thread, _ name: Key, before base: VersionID
    ) throws(Problem) -> [Turn] {
        var turns: [Turn] = []
        for id in ids {
            let version = try versions.version(id)
            let then = try self.name(name, at: id, before: base)
            let earlier = Subject.option(then).before(version.renames)
            let turn = Turn(
                version: version, before: thread.read(in: try versions.snapshot(version.parents.first), earlier.key),
                after: thread.read(in: try versions.snapshot(id), then))
            var isTurn = !Turn.isSame(turn.before, turn.after)
            if !isTurn { isTurn = try isGivenBack(turn) }
            if isTurn { turns.append(turn) }
        }
        if turns.count < 2 { return turns }
        let order = try versions.newestFirst(turns.map(\.version)).map(\.id)
        return order.compactMap { id in turns.first { $0.version.id == id } }
    }

    /// Whether a version that left a facet as it is gave it back to somebody else.
    private func isGivenBack(_ turn: Turn) throws(Problem) -> Bool {
        guard let (before, after, parent) = turn.ends, try versions.returnedSubjects(turn.version).contains(.option(after.key))
        else { return false }
        let (old, new) = (try history.chooser(of: before, at: parent), try history.chooser(of: after, at: turn.version.id))
        return old != new
    }

    private mutating func name(_ key: Key, at id: VersionID, before base: VersionID) throws(Problem) -> Key {
        if id == base { return key }
        let span = Span(old: id, new: base)
        let since = if let known = renames[span] { known } else { try versions.renames(from: id, to: base) }
        renames[span] = since
        return Subject.option(key).before(since).key
    }

    private func expired(since old: VersionID, at tip: VersionID) throws(Problem) -> [VersionID] {
        var expired: [VersionID] = []
        try versions.eachCommit(from: tip, hiding: [old]) { commit throws(Problem) in
            expired += try versions.named(by: commit).unconfirmed.compactMap(\.id)
        }
        return expired
    }

    private func header(_ id: VersionID) throws(Problem) -> CommitHeader {
        try git(versions.repository.objects.header(id, noticing: VersionMessage.wordsOnTheWay))
    }
}

extension Versions {
    /// More versions than these are not looked at for one.
    private static let mostReturned = 64

    /// What a version may have given back to somebody else although its files don't show that: what several versions changed, and
    /// may have changed back themselves, that it takes back or repeats, or that one of these does.
    func returnedSubjects(_ version: Version) throws(Problem) -> Set<Subject> {
        var subjects: Set<Subject> = []
        var open = [version]
        var seen: Set<VersionID> = []
        while let one = open.popLast() {
            let ids = one.named.undoes + one.named.reverts + one.named.redoes
            for id in ids {
                let other = try self.version(id)
                if seen.count < Self.mostReturned, seen.insert(id).inserted { open.append(other) }
                if ids.count < 2 { continue }
                let since = try renames(from: id, to: version.parents.first)
                for subject in try self.subjects(of: other) {
                    subjects.formUnion([subject, subject.renamed(by: since)])
                }
            }
        }
        return subjects
    }

    /// Each before those that it builds on.
    func newestFirst(_ found: [Version]) throws(Problem) -> [Version] {
        var rest = found
        var order: [Version] = []
        while !rest.isEmpty {
            // One that is in the history of none that follows; those before it aren't made from it.
            var newest = 0
            for (index, other) in rest.enumerated() where index > 0 {
                let isNewer = try git(repository.objects.isAncestor(rest[newest].id, of: other.id))
                if isNewer { newest = index }
            }
            order.append(rest.remove(at: newest))
        }
        return order
    }
}
