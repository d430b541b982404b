import Git
import SettingsModel

extension Merging {
    /// The newest version of one side that confirms what was changed before it.
    private func confirmation(
        of question: VersionMessage.Question, from base: VersionID?, to tip: VersionID?
    ) throws(Problem) -> Version? {
        var found: Version?
        let end = try versions.snapshot(tip)
        try history.eachVersion(from: tip, hiding: base.map { [$0] } ?? []) { version throws(Problem) in
            guard found == nil, !version.message.confirms.isEmpty else { return }
            let ids = Set(version.named.confirms.compactMap(\.id))
            if try history.confirmed(ids, at: end).contains(question) { found = version }
        }
        return found
    }

    /// The versions that made each side of conflicts.
    func origins(
        of conflicts: [Conflict], in merge: SettingsContent.Merge, _ bases: [VersionID], _ ours: VersionID?, _ theirs: VersionID?
    ) throws(Problem) -> [ConflictOrigin] {
        // Where the branches had been merged crosswise, what one side has may have been made before it.
        var base = bases.first
        for other in bases.dropFirst() {
            guard let one = base else { break }
            base = try git(versions.repository.objects.mergeBases(of: one, and: other).first)
        }
        let ours = try newest(conflicts, \.ours, from: base, to: ours) { $0.name(in: merge, merge.renames, \.ours) }
        let theirs = try newest(conflicts, \.theirs, from: base, to: theirs) { $0.name(in: merge, merge.theirsRenames, \.theirs) }
        return zip(ours, theirs).map { ConflictOrigin(ours: $0, theirs: $1) }
    }

    /// The newest version of one side that changed what is in conflict, or else something on which that depends.
    private func newest(
        _ conflicts: [Conflict], _ side: KeyPath<Conflict, Change.Content?>, from base: VersionID?, to tip: VersionID?,
        _ name: (Conflict) -> Subject
    ) throws(Problem) -> [Version?] {
        func newest(_ facets: [(Subject, Facet)]) throws(Problem) -> [Version?] {
            let changes = facets.map { Change($0, title: "", facet: $1, before: nil, after: nil) }
            return try history.newestOrigins(of: changes, from: base, to: tip)
        }
        var found = try newest(conflicts.map { (name($0), $0.facet) })
        let makers = try makers(conflicts, side, from: base, to: tip, name)
        for (place, version) in makers where found[place] != nil { found[place] = version }
        for (place, version) in try decisions(conflicts, side, from: base, to: tip, name) {
            let isEarlier = try found[place].map { other throws(Problem) in try isAncestor(version.id, of: other.id) }
            if isEarlier != true { found[place] = version }
        }
        for place in conflicts.indices where found[place] == nil {
            let subject = name(conflicts[place])
            if let confirmation = try confirmation(
                of: VersionMessage.Question(subject, conflicts[place].facet), from: base, to: tip)
            {
                found[place] = confirmation
                continue
            }
            let facets = conflicts[place].changedFacets(on: side) + Facet.told
            // It may have moved with a group.
            let places = facets.map { (subject, $0) } + subject.key.enclosingGroups.map { (.group($0), .key) }
            found[place] = try newest(places).lazy.compactMap { $0 }.first
        }
        return found
    }
}

extension Merging {
    /// The newest versions that made what a side has: on a side that is a merge itself another one may be newer.
    private func makers(
        _ conflicts: [Conflict], _ side: KeyPath<Conflict, Change.Content?>, from base: VersionID?, to tip: VersionID?,
        _ name: (Conflict) -> Subject
    ) throws(Problem) -> [Int: Version] {
        var open: [Subject: [Int]] = [:]
        for place in conflicts.indices {
            open[name(conflicts[place]), default: []].append(place)
        }
        var found: [Int: Version] = [:]
        if open.isEmpty { return found }
        var filter = HistoryFilter()
        if open.count <= 100 { filter.places = open.keys.map(\.key).sorted() }
        try history.walk(filter, from: tip, hiding: base) { version, made in
            for change in made.changes {
                guard let places = open[change.subject] else { continue }
                let made = places.filter {
                    conflicts[$0].facet == change.facet && Change.Content.isSame(change.after, conflicts[$0][keyPath: side])
                }
                for place in made { found[place] = version }
                let rest = places.filter { found[$0] == nil }
                open[change.subject] = rest.isEmpty ? nil : rest
            }
            return !open.isEmpty
        }
        return found
    }
}

extension Merging {
    /// The newest versions that decided for what a side has: where that was in force already, no file shows it.
    private func decisions(
        _ conflicts: [Conflict], _ side: KeyPath<Conflict, Change.Content?>, from base: VersionID?, to tip: VersionID?,
        _ name: (Conflict) -> Subject
    ) throws(Problem) -> [Int: Version] {
        var names = conflicts.map(name)
        var found: [Int: Version] = [:]
        var undone = UndoneVersions()
        try history.eachVersion(from: tip, hiding: base.map { [$0] } ?? []) { version throws(Problem) in
            undone.note(version)
            let resolves = undone.contains(version.id) ? [] : version.message.resolves
            var earlier = names
            for rename in version.renames.reversed() {
                earlier = earlier.map { $0.renamed(from: rename.new, to: rename.old) }
            }
            for place in conflicts.indices where found[place] == nil && !resolves.isEmpty {
                // A merge tells of its decisions by the names that it gave.
                let question = VersionMessage.Question(
                    version.isMerge ? names[place] : earlier[place], conflicts[place].facet)
                guard resolves.contains(where: { $0.decides(question) }) else { continue }
                // What it kept may have the name that the merge gives it.
                let then = try versions.snapshot(version.id)
                var item = try then.readable(names[place])
                if item == nil { item = try then.readable(conflicts[place].subject) }
                if conflicts[place].has(item, on: side) { found[place] = version }
            }
            names = earlier
        }
        return found
    }

    func isAncestor(_ version: VersionID, of other: VersionID) throws(Problem) -> Bool {
        try git(versions.repository.objects.isAncestor(version, of: other))
    }
}

extension Conflict {
    /// What its subject is called on one side.
    func name(
        in merge: SettingsContent.Merge, _ renames: [(old: Subject, new: Subject)], _ side: KeyPath<Conflict, Change.Content?>
    ) -> Subject {
        if let rename = renames.first(where: { $0.new == subject }) { return rename.old }
        for conflict in merge.conflicts where conflict.subject == subject && conflict.facet == .key {
            if let name = subject.named(conflict[keyPath: side]) { return name }
        }
        // The side removed it under the name that it had.
        return self[keyPath: side] == nil ? merge.formerNames[subject] ?? subject : subject
    }

    /// What a side changed of an item that the other one removed.
    fileprivate func changedFacets(on side: KeyPath<Conflict, Change.Content?>) -> [Facet] {
        guard facet == .existence, case .item(let item)? = self[keyPath: side] else { return [] }
        var old: [Facet: Change.Content] = [:]
        if case .item(let item)? = base { old = item.facets }
        let new = item.facets
        return Set(old.keys).union(new.keys).filter { !Change.Content.isSame(old[$0], new[$0]) }.sorted()
    }
}

extension Conflict {
    /// Whether a side has what `item` has of it.
    fileprivate func has(_ item: SettingsContent.Item?, on side: KeyPath<Conflict, Change.Content?>) -> Bool {
        let content = self[keyPath: side]
        switch facet {
        // A group needs no file to be there.
        case .key where subject.isGroup: return true
        case .existence, .key: return (item == nil) == (content == nil)
        default: return Change.Content.isSame(item?.facets[facet], content)
        }
    }
}

extension VersionMessage.Question {
    /// Whether an answer to this says something about another one: whoever decides anything about an item wants it to be there.
    fileprivate func decides(_ other: VersionMessage.Question) -> Bool {
        self == other || other.facet == .existence && subject == other.subject
    }
}

extension Facet {
    /// What a side may have changed instead, the likeliest cause of a conflict first.
    fileprivate static let told: [Facet] = [
        .existence, .labels, .type, .value, .default, .bound("minimum"), .bound("maximum"), .bound("step"), .key, .title, .help,
    ]
}
