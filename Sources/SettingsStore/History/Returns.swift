import Git
import SettingsModel

/// Where values come from that versions took back to what they had been, made again or restored.
struct Returns {
    typealias Thread = History.Thread

    private let versions: Versions
    private var renames: [Span: [VersionMessage.Rename]] = [:]

    private struct Span: Hashable {
        var old: VersionID
        var new: VersionID
    }

    init(_ versions: Versions) { self.versions = versions }

    /// A facet before and after a version that changed it.
    private struct Turn {
        let version: Version
        let before: Thread?
        let after: Thread?

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
            let earlier = version.renames.reversed().reduce(Subject.option(then)) { $0.renamed(from: $1.new, to: $1.old) }
            let turn = Turn(
                version: version, before: thread.read(in: try versions.snapshot(version.parents.first), earlier.key),
                after: thread.read(in: try versions.snapshot(id), then))
            if !Turn.isSame(turn.before, turn.after) { turns.append(turn) }
        }
        if turns.count < 2 { return turns }
        let order = try versions.newestFirst(turns.map(\.version)).map(\.id)
        return order.compactMap { id in turns.first { $0.version.id == id } }
    }

    private mutating func name(_ key: Key, at id: VersionID, before base: VersionID) throws(Problem) -> Key {
        if id == base { return key }
        let span = Span(old: id, new: base)
        let since = if let known = renames[span] { known } else { try versions.renames(from: id, to: base) }
        renames[span] = since
        let then = since.reversed().reduce(Subject.option(key)) { $0.renamed(from: $1.new, to: $1.old) }
        // A merge in between repeats what one side had renamed before.
        let snapshot = try versions.snapshot(id)
        if try snapshot.has(then) { return then.key }
        return try snapshot.has(.option(key)) ? key : then.key
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
    /// What the versions changed that one takes back or repeats, where they may have changed it back themselves: its files
    /// don't show that.
    func returnedSubjects(_ version: Version) throws(Problem) -> [Subject] {
        let ids = version.named.undoes + version.named.reverts + version.named.redoes
        if ids.count < 2 { return [] }
        var subjects: Set<Subject> = []
        for id in ids {
            let changed = try self.subjects(of: try self.version(id))
            let since = try renames(from: id, to: version.parents.first)
            for subject in changed {
                subjects.formUnion([subject, since.reduce(subject) { $0.renamed(from: $1.old, to: $1.new) }])
            }
        }
        return Array(subjects)
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
