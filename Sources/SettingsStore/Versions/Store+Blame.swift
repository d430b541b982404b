import Git
package import SettingsModel

/// Who made a facet of an option what it is.
package struct Blame: Sendable {
    package var key: Key
    package var option: Option
    package var facet: Facet
    /// Nil where it isn't known: the history ends there in a shallow clone.
    package var version: Version?
}

extension Store {
    /// For each option who chose its present value, when and why. Edits of its labels don't count, nor does undoing
    /// something else; merges are followed to the version that chose. `facets`: others than the value.
    package func blame(_ keys: [Key], at snapshot: Snapshot, facets: [Facet] = [.value]) throws(StoreError) -> [Blame] {
        guard let start = snapshot.id else { return [] }
        var found: [Blame] = []
        var open: [VersionID: [Thread]] = [:]
        for key in keys {
            guard let option = try snapshot.option(key) else { continue }
            for facet in facets {
                open[start, default: []].append(Thread(index: found.count, key: key, facet: facet, option: option))
                found.append(Blame(key: key, option: option, facet: facet, version: nil))
            }
        }
        var walk = try git { () throws(GitError) in try repository.commits(from: [start], order: .topological) }
        while !open.isEmpty, let id = try next(&walk) {
            guard let threads = open.removeValue(forKey: id) else { continue }
            let version = try version(id)
            if isBoundary(version) { continue }
            for (thread, next) in try follow(threads, through: version) {
                if let next { open[next, default: []].append(thread) } else { found[thread.index].version = version }
            }
        }
        return found
    }

    /// One facet on its way back through the history.
    private struct Thread {
        var index: Int
        var key: Key
        var facet: Facet
        var option: Option

        func isSame(in other: Option?) -> Bool {
            guard let other else { return false }
            return option.isSame(facet, as: other)
        }

        /// Where it comes from in `snapshot`, under its own key or `other`; nil where it isn't the same there.
        func found(in snapshot: Snapshot, _ other: Key) -> Thread? {
            for key in [key, other] {
                guard let option = try? snapshot.option(key), isSame(in: option) else { continue }
                var thread = self
                (thread.key, thread.option) = (key, option)
                return thread
            }
            return nil
        }
    }

    /// Where each facet came from: an earlier version, or nil where this one made it so.
    private func follow(_ threads: [Thread], through version: Version) throws(StoreError) -> [(Thread, VersionID?)] {
        let new = try snapshot(version.id)
        var parents: [(snapshot: Snapshot, differing: Set<Subject>)] = []
        for parent in version.parents {
            let old = try snapshot(parent)
            parents.append((old, Set(try subjectsDiffering(from: old, to: new))))
        }
        var result: [(Thread, VersionID?)] = []
        for thread in threads { result.append(try follow(thread, through: version, parents)) }
        return result
    }

    private func follow(
        _ thread: Thread, through version: Version, _ parents: [(snapshot: Snapshot, differing: Set<Subject>)]
    ) throws(StoreError) -> (Thread, VersionID?) {
        // A merge that decided chose, whatever its parents had.
        if version.message.resolves.contains(VersionMessage.Question(.option(thread.key), thread.facet)), version.isMerge {
            return (thread, nil)
        }
        for (parent, differing) in parents {
            if !differing.contains(.option(thread.key)) { return (thread, parent.id) }
        }
        var earlier = thread
        for rename in version.message.renames.reversed() {
            earlier.key = Subject.option(earlier.key).renamed(from: rename.new, to: rename.old).key
        }
        for (parent, _) in parents {
            if version.isMerge {
                // What one side renamed has its new name there and its old one here.
                if let same = thread.found(in: parent, earlier.key) { return (same, parent.id) }
                continue
            }
            guard let option = try? parent.option(earlier.key), thread.isSame(in: option) else { continue }
            earlier.option = option
            return (earlier, parent.id)
        }
        // Both sides renamed something about it.
        if parents.count == 2, let given = try? meaning(of: version) {
            for (renames, parent) in zip([given.renames, given.theirsRenames], parents) {
                guard let old = renames.first(where: { $0.new == .option(thread.key) })?.old,
                    let same = thread.found(in: parent.snapshot, old.key)
                else { continue }
                return (same, parent.snapshot.id)
            }
        }
        // An undo brings back what somebody chose before; a redo what the redone version chose.
        for id in version.message.undoes {
            guard let before = try self.version(id).parents.first, let same = thread.found(in: try snapshot(before), earlier.key)
            else { continue }
            return (same, before)
        }
        for id in version.message.redoes {
            if let same = thread.found(in: try snapshot(id), earlier.key) { return (same, id) }
        }
        return (thread, nil)
    }
}

extension Store {
    /// For each change between two moments the newest version in between that made it so. Changes that no version made
    /// (drafts) have none.
    package func origins(of changes: [Change], from old: VersionID?, to new: VersionID?) throws(StoreError) -> [Version?] {
        guard let new else { return changes.map { _ in nil } }
        var wanted: [Origin: [Int]] = [:]
        for (index, change) in changes.enumerated() { wanted[Origin(change), default: []].append(index) }
        var origins: [Version?] = changes.map { _ in nil }
        try history(from: new, hiding: old) { version, made throws(StoreError) in
            for change in made.changes {
                for index in wanted.removeValue(forKey: Origin(change)) ?? [] { origins[index] = version }
                // What came and went as a whole took its facets along.
                guard change.facet == .existence else { continue }
                for key in Array(wanted.keys) where key.subject == change.subject {
                    for index in wanted.removeValue(forKey: key) ?? [] { origins[index] = version }
                }
            }
            // Earlier versions know them by their earlier names.
            for rename in version.message.renames.reversed() {
                for (key, indices) in wanted {
                    var earlier = key
                    earlier.subject = key.subject.renamed(from: rename.new, to: rename.old)
                    guard earlier != key else { continue }
                    wanted[key] = nil
                    wanted[earlier, default: []] += indices
                }
            }
            return !wanted.isEmpty
        }
        return origins
    }

    private struct Origin: Hashable {
        var subject: Subject
        var facet: Facet

        init(_ change: Change) {
            subject = change.subject
            facet = change.facet
        }
    }
}
