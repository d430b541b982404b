import Git
package import SettingsModel

/// Which versions somebody wants to see.
package struct HistoryFilter: Sendable {
    /// Options and groups; everything where there are none.
    package var places: [Key] = []
    /// Seconds since 1970.
    package var since: Int64?
    package var until: Int64?
    /// Part of the author's name or e-mail, any case.
    package var author: String?
    package var ticket: String?
    /// In what changed, why, who asked, tickets and names, any case.
    package var search: String?
    /// A value or label that something was set to, any case.
    package var became: String?

    package init() {}
}

extension Store {
    /// Versions newest first, each with what it changed of the filter's places, until `visit` says false.
    /// `range`: those in the history of its end and not of its beginning. Returns whether all were told, that is
    /// whether the history is complete.
    @discardableResult
    package func history(
        _ filter: HistoryFilter = HistoryFilter(), from start: VersionID? = nil, hiding: VersionID? = nil,
        visit: (Version, VersionChanges) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        var start = start
        if start == nil { start = try head.commit }
        guard let start else { return true }
        var places = filter.places
        let hidden = hiding.map { [$0] } ?? []
        var walk = try git { () throws(GitError) in try repository.commits(from: [start], hiding: hidden, order: .time) }
        var isComplete = true
        while let id = try git({ () throws(GitError) in try walk.next() }) {
            let version = try version(id)
            if isBoundary(version) { isComplete = false }
            let changes = try changes(of: version, in: &places)
            guard let changes, filter.takes(version, changes) else { continue }
            if try !visit(version, changes) { break }
        }
        return isComplete
    }

    /// What a version changed of `places`, which go by their earlier names from then on. Nil where it changed nothing
    /// of them; a merge counts only where it differs from all that it brings together.
    private func changes(of version: Version, in places: inout [Key]) throws(StoreError) -> VersionChanges? {
        if isBoundary(version) { return nil }
        let new = try snapshot(version.id)
        let old = try snapshot(version.parents.first)
        var subjects = try subjectsDiffering(from: old, to: new)
        for parent in version.parents.dropFirst() where !subjects.isEmpty {
            let other = Set(try subjectsDiffering(from: try snapshot(parent), to: new))
            subjects = subjects.filter { other.contains($0) }
        }
        let wanted = places
        var renamedHere = false
        if !places.isEmpty {
            for rename in version.message.renames {
                for index in places.indices where places[index].isWithin(rename.new.key) {
                    if case .option = rename.new, places[index] != rename.new.key { continue }
                    places[index] = places[index].moved(from: rename.new.key, to: rename.old.key)
                    renamedHere = true
                }
            }
        }
        guard subjects.contains(where: { $0.lies(in: wanted) }) else { return nil }
        // A rename is read as one only with both its ends in sight.
        let names = renamedHere ? subjects : subjects.filter { $0.lies(in: wanted) }
        var changes = try changes(from: old, to: new, renames: version.message.renames, of: names)
        if !wanted.isEmpty { changes.changes = changes.changes.filter { $0.subject.lies(in: wanted) } }
        return changes.changes.isEmpty && changes.unreadable.isEmpty ? nil : changes
    }
}

extension HistoryFilter {
    func takes(_ version: Version, _ changes: VersionChanges) -> Bool {
        if let since, version.time.seconds < since { return false }
        if let until, version.time.seconds > until { return false }
        if let author, !version.author.description.holds(author) { return false }
        if let ticket, !version.message.tickets.contains(where: { $0.lowercased() == ticket.lowercased() }) { return false }
        let lines = became == nil && search == nil ? [] : changes.changes.flatMap(\.lines)
        if let became {
            let wanted = became.lowercased()
            guard lines.contains(where: { line in
                line.facet == .value && (line.after?.bare.lowercased() == wanted || line.afterLabel?.string.lowercased() == wanted)
            }) else { return false }
        }
        if let search {
            var texts = [version.message.subject, version.message.why ?? "", version.author.description]
            texts += version.message.requestedBy + version.message.tickets
            texts += lines.map { Wording(valueLimit: .max).sentence($0).plain }
            guard texts.contains(where: { $0.holds(search) }) else { return false }
        }
        return true
    }
}

extension String {
    func holds(_ part: String) -> Bool { lowercased().contains(part.lowercased()) }
}
