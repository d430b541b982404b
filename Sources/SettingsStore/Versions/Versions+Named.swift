import Git
import SettingsModel

// What a version names is looked up in its own history, never in all that git has: every clone gives the same answer, before and
// after `git gc`. It is unknown
//
// - where no version before it has the Change-Id, or several have that do not follow each other;
// - where the commit of an id is not before it.
//
// It is refused where it has no option or group in common with it, or, of undo and redo, another author: trailers can be written
// by hand.

extension Versions {
    /// A version, with what it renamed and the versions that it names.
    func version(of commit: Commit) throws(Problem) -> Version {
        var message = VersionMessage(commit.message)
        if !message.resolves.isEmpty { try setApartOverruled(&message, of: commit) }
        return Version(
            commit, mailmap, message: message, renames: try renames(by: commit, saying: message),
            named: try named(by: commit, saying: message))
    }

    /// `message`: its own, where that was parsed already.
    func named(by commit: Commit, saying message: VersionMessage? = nil) throws(Problem) -> NamedVersions {
        // Most name none: a look at the beginnings of lines is enough.
        guard CommitHeader(commit, noticing: VersionMessage.wordsThatName).noticed != 0 else { return NamedVersions() }
        if let known = known[commit.id] { return known }
        let named = try named(by: Version(commit, mailmap, message: message))
        if known.count >= Self.mostKnown { known = [:] }
        known[commit.id] = named
        return named
    }

    static let mostKnown = 4096
    /// More than these are not looked up for one version.
    private static let mostNamed = 1000

    /// What a version names by its message.
    func named(by version: Version) throws(Problem) -> NamedVersions {
        let message = version.message
        var (found, named) = (Found(by: version), NamedVersions())
        named.undoes = try find(message.undoes, &found, isOwn: true)
        named.redoes = try find(message.redoes, &found, isOwn: true)
        named.reverts = try find(message.reverts, &found, isOwn: false)
        if let reference = message.restoredFrom { named.restoredFrom = try find(reference, &found) }
        for (waiting, place) in [
            (message.confirms, \NamedVersions.confirms), (message.extends, \.extends), (message.unconfirmed, \.unconfirmed),
        ] {
            named[keyPath: place] = try waiting.map { one throws(Problem) in
                NamedVersions.Unconfirmed(try find(one.version, &found), deadline: one.deadline)
            }
        }
        // Nobody undoes and redoes at once.
        if version.isMerge || named.undoes.isEmpty == named.redoes.isEmpty { (named.undoes, named.redoes) = ([], []) }
        (named.unknown, named.refused) = (found.unknown, found.refused)
        return named
    }

    /// What was found for one version.
    private struct Found {
        let version: Version
        var unknown: [VersionReference] = []
        var refused: [VersionReference] = []
        var subjects: Set<Subject>?

        init(by version: Version) { self.version = version }
    }

    private func find(_ reference: VersionReference, _ found: inout Found) throws(Problem) -> VersionID? {
        let id = try find(reference, from: found.version.parents)
        if id == nil, !found.unknown.contains(reference) { found.unknown.append(reference) }
        return id
    }

    /// The versions that are taken back or repeated: one of them has something in common with what does so.
    private func find(
        _ references: [VersionReference], _ found: inout Found, isOwn: Bool
    ) throws(Problem) -> [VersionID] {
        var ids: [VersionID] = []
        var isRelated = false
        var seen: Set<VersionID> = []
        for reference in references.prefix(Self.mostNamed) {
            guard let id = try find(reference, &found), seen.insert(id).inserted else { continue }
            let other = Version(try git(repository.objects.commit(id)), mailmap)
            guard !isOwn || other.author.isSame(as: found.version.author) else {
                found.refused.append(reference)
                continue
            }
            // What it did isn't in a shallow clone.
            if isBoundary(other) {
                found.unknown.append(reference)
                continue
            }
            ids.append(id)
            if isRelated { continue }
            do throws(Problem) {
                if found.subjects == nil { found.subjects = try subjects(of: found.version) }
                isRelated = try hasInCommon(found, other)
            } catch {
                // What can't be read has nothing in common with anything.
                guard error.kind == .badData else { throw error }
            }
        }
        if isRelated || ids.isEmpty { return ids }
        found.refused += references.filter { !found.unknown.contains($0) && !found.refused.contains($0) }
        return []
    }

    /// What a version changed, renamed, asked or decided, by every name that it gives that.
    func subjects(of version: Version) throws(Problem) -> Set<Subject> {
        let message = version.message
        var subjects = Set((message.conflicts + message.resolves).map(\.subject))
        for rename in version.renames { subjects.formUnion([rename.old, rename.new]) }
        if isBoundary(version) { return subjects }
        let before = try snapshot(version.parents.first)
        return subjects.union(try subjectsDiffering(from: before, to: try snapshot(version.id)))
    }

    /// Whether a version is about something that an earlier one is about, which may be called otherwise by then.
    private func hasInCommon(_ found: Found, _ other: Version) throws(Problem) -> Bool {
        let (later, earlier) = (found.subjects ?? [], try subjects(of: other))
        if !later.isDisjoint(with: earlier) { return true }
        let renames = try renames(from: other.id, to: found.version.parents.first)
        return !renames.isEmpty
            && earlier.contains { later.contains($0.renamed(by: renames)) }
    }
}

extension Versions {
    /// What a version that is made from `base` says to name others.
    func references(to ids: [VersionID], from base: VersionID?) throws(Problem) -> [VersionReference] {
        try ids.map { id throws(Problem) in try reference(to: id, from: base) }
    }

    /// By the id of its commit where a nearer one has the same Change-Id. Of those of a squashed version one is enough.
    func reference(to id: VersionID, from base: VersionID?) throws(Problem) -> VersionReference {
        guard let change = VersionMessage(try git(repository.objects.commit(id)).message).changeIDs.last,
            try nearest(change, from: base.map { [$0] } ?? []) == id
        else { return .commit(id) }
        return .change(change)
    }

    /// The version in the histories of `starts` that is named.
    func find(_ reference: VersionReference, from starts: [VersionID]) throws(Problem) -> VersionID? {
        switch reference {
        case .change(let change): return try nearest(change, from: starts)
        case .commit(let id):
            guard try git(repository.objects.exists(id)) else { return nil }
            for start in starts {
                let isBefore = try git(repository.objects.isAncestor(id, of: start))
                if isBefore { return id }
            }
            return nil
        }
    }

    /// The nearest version in the histories of `starts` with a Change-Id. Nil where there is none, and where there are several of
    /// which none builds on the others.
    private func nearest(_ change: ChangeID, from starts: [VersionID]) throws(Problem) -> VersionID? {
        if let near = try near(change, from: starts) { return near.found }
        try holders.add(starts, in: self)
        var candidates: [VersionID] = []
        for holder in holders.versions(with: change) {
            for start in starts where candidates.last != holder {
                let isBefore = try git(repository.objects.isAncestor(holder, of: start))
                if isBefore { candidates.append(holder) }
            }
        }
        guard candidates.count > 1 else { return candidates.first }
        if candidates.count > Self.mostHolders { return nil }
        // One that all others come before.
        for candidate in candidates {
            var isNearest = true
            for other in candidates where isNearest { isNearest = try git(repository.objects.isAncestor(other, of: candidate)) }
            if isNearest { return candidate }
        }
        return nil
    }

    /// More copies of one version don't come about by themselves.
    private static let mostHolders = 64
    /// More versions than these are not gone through for one name.
    private static let nearLimit = 256

    /// The same where that is found by a look at the latest versions; nil where it isn't.
    private func near(_ change: ChangeID, from starts: [VersionID]) throws(Problem) -> (found: VersionID?, Void)? {
        let (objects, lines) = (repository.objects, change.lines)
        var walk = NearWalk(edge: try git(objects.shallowEdge()))
        for start in starts { try git(walk.push(start, in: objects, noticing: lines)) }
        var count = 0
        var found: VersionID?
        while walk.isOpen, let commit = walk.pop() {
            count += 1
            if count > Self.nearLimit { return nil }
            let mayHold = walk.isNew(commit.id) && commit.noticed != 0
            if mayHold, VersionMessage(try git(objects.commit(commit.id)).message).changeIDs.contains(change) {
                // Of versions with wrong times the later one may come behind the other.
                if let other = found {
                    let isLater = try git(objects.isAncestor(other, of: commit.id))
                    guard isLater else { return (nil, ()) }
                }
                found = commit.id
                walk.close(commit.id)
            }
            try git(walk.pushParents(of: commit, in: objects, noticing: lines))
        }
        return (found, ())
    }
}

/// A walk through the latest versions, the newest first, that ends where all that is left comes before what was found.
private struct NearWalk {
    let edge: Set<VersionID>
    private var queue = TimeQueue<CommitHeader>()
    private var seen: Set<VersionID> = []
    /// Those that wait and are not known to come before what was found.
    private var waiting: Set<VersionID> = []
    private var closed: Set<VersionID> = []

    init(edge: Set<VersionID>) { self.edge = edge }

    var isOpen: Bool { !waiting.isEmpty }

    mutating func pop() -> CommitHeader? {
        let commit = queue.pop()
        if let commit { waiting.remove(commit.id) }
        return commit
    }

    func isNew(_ id: VersionID) -> Bool { !closed.contains(id) }

    mutating func close(_ id: VersionID) {
        closed.insert(id)
        waiting.remove(id)
    }

    mutating func push(_ id: VersionID, in objects: Objects, noticing lines: [[UInt8]]) throws(GitError) {
        guard seen.insert(id).inserted else { return }
        let isThere = edge.isEmpty ? true : try objects.exists(id)
        guard isThere else { return }
        let header = try objects.header(id, noticing: lines)
        queue.push(header, time: header.time)
        if isNew(id) { waiting.insert(id) }
    }

    mutating func pushParents(of commit: CommitHeader, in objects: Objects, noticing lines: [[UInt8]]) throws(GitError) {
        let isClosed = closed.contains(commit.id)
        for parent in commit.parents {
            if isClosed { close(parent) }
            try push(parent, in: objects, noticing: lines)
        }
    }
}

/// The Change-Ids of whole histories, for what is named from afar. It costs one walk, which later ones continue.
struct ChangeHolders {
    private var holders: [ChangeID: [VersionID]] = [:]
    private var covered: Set<VersionID> = []

    private static let words = ChangeID.anyLines

    func versions(with change: ChangeID) -> [VersionID] { holders[change] ?? [] }

    mutating func add(_ starts: [VersionID], in versions: Versions) throws(Problem) {
        let objects = versions.repository.objects
        let edge = try git(objects.shallowEdge())
        var open = starts.filter { !covered.contains($0) }
        while let id = open.popLast() {
            guard covered.insert(id).inserted else { continue }
            let isThere = edge.isEmpty ? true : try git(objects.exists(id))
            guard isThere else { continue }
            try versions.countOne()
            let header = try git(objects.header(id, noticing: Self.words))
            if header.noticed != 0 {
                for change in VersionMessage(try git(objects.commit(id)).message).changeIDs {
                    holders[change, default: []].append(id)
                }
            }
            open += header.parents.filter { !covered.contains($0) }
        }
    }
}
