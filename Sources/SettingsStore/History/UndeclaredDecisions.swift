import Git
import SettingsModel

/// What a merge of two versions decided without a word about it in its message, as one recorded by plain git does: the conflicts
/// that its result settled, and what it has otherwise than its sides give by meaning.
struct UndeclaredDecisions {
    let rebuilt: RebuiltMerge
    /// The conflicts, under the names of the result.
    private(set) var questions: [VersionMessage.Question] = []
    /// Facets that are neither side's change nor in conflict, under the names of the result.
    private(set) var choices: Set<VersionMessage.Question> = []

    private var isEmpty: Bool { questions.isEmpty && choices.isEmpty }

    var subjects: Set<Subject> { Set(questions.map(\.subject)).union(choices.map(\.subject)) }

    func touches(_ places: [Key]) -> Bool { subjects.contains { $0.lies(in: places) } }

    /// Nil where there is nothing. `files`: those that a merge of whole files would not have made so.
    fileprivate init?(_ merge: Version, _ files: Set<Subject>, _ history: History) throws(Problem) {
        rebuilt = try RebuiltMerge(merge, history)
        let (meaning, result) = (rebuilt.meaning, try history.versions.snapshot(merge.id))
        let declared = Set(merge.message.resolves + merge.message.conflicts)
        let names = try meaning.conflicts.names.map { conflict throws(Problem) in
            (old: conflict.subject, new: try result.name(for: conflict, in: meaning, declared))
        }
        func named(_ subject: Subject) -> Subject { names.reduce(subject) { $0.renamed(from: $1.old, to: $1.new) } }
        questions = meaning.conflicts.map { VersionMessage.Question(named($0.subject), $0.facet) }
            .filter { !declared.contains($0) }
        // What is in force while a conflict is open was not chosen by the merge either.
        let inForce = SettingsContent.Merge.InForce.allCases.map { meaning.puttingInForce($0).settings }
        let given = merge.message.conflicts.isEmpty ? [meaning.settings] : inForce
        let accounted = Set(meaning.settings.subjects.map(named))
        for subject in meaning.settings.subjects.union(files.subtracting(accounted)) {
            let now = named(subject)
            guard !files.isDisjoint(with: [subject, now] + rebuilt.names(of: subject)) else { continue }
            let open = Set(meaning.conflicts.filter { $0.subject == subject }.map(\.facet))
            guard open.isDisjoint(with: [.existence, .key]) else { continue }
            let isExpected = meaning.settings[subject] != nil
            guard isExpected, let own = (try? result.mendable(now))?.facets else {
                // A group's file comes and goes with what is in it.
                let isThere = try result.has(now)
                if !subject.isGroup, isThere != isExpected { choices.insert(VersionMessage.Question(now, .existence)) }
                continue
            }
            func isGiven(_ facet: Facet, by all: [SettingsContent]) -> Bool {
                all.contains { Change.Content.isSame(($0[subject] ?? $0[now])?.facets[facet], own[facet]) }
            }
            let facets = Set(own.keys).union(meaning.settings[subject]?.facets.keys.map { $0 } ?? [])
            // A label that one side chose and the other removed comes and goes with the answer.
            for facet in facets.subtracting(open) where !isGiven(facet, by: facet.isList ? inForce : given) {
                choices.insert(VersionMessage.Question(now, facet))
            }
        }
        choices.subtract(declared)
        if isEmpty { return nil }
    }
}

extension RebuiltMerge {
    /// What our side and theirs call what the result of the merge calls so.
    func names(of subject: Subject) -> [Subject] {
        var merged = subject
        let disputed = meaning.conflicts.names
        if meaning.settings[subject] == nil, meaning.sides[subject] == nil {
            for conflict in disputed.reversed() {
                for name in [conflict.ours, conflict.theirs].compactMap({ conflict.subject.named($0) }) {
                    merged = merged.renamed(from: name, to: conflict.subject)
                }
            }
        }
        let sides: [([(old: Subject, new: Subject)], KeyPath<Conflict, Change.Content?>)] = [
            (meaning.renames, \.ours), (meaning.theirsRenames, \.theirs),
        ]
        return sides.map { renames, side in
            if let old = renames.first(where: { $0.new == merged })?.old { return old }
            return disputed.reduce(merged) { name, conflict in
                conflict.subject.named(conflict[keyPath: side]).map { name.renamed(from: conflict.subject, to: $0) } ?? name
            }
        }
    }
}

extension RebuiltMerge {
    /// What our side and theirs have of what the result of the merge calls so.
    func items(named subject: Subject) throws(Problem) -> [SettingsContent.Item?] {
        let names = names(of: subject)
        return [try ours.readable(names[0]), try theirs.readable(names[1])]
    }
}

extension Snapshot {
    /// What a merge calls what its sides gave different names, or one of them removed. Something else may have such a name, too.
    fileprivate func name(
        for conflict: Conflict, in meaning: SettingsContent.Merge, _ declared: Set<VersionMessage.Question>
    ) throws(Problem) -> Subject {
        let names = [conflict.ours, conflict.theirs].compactMap { conflict.subject.named($0) }
        for name in names + [conflict.subject] where declared.contains(VersionMessage.Question(name, .key)) { return name }
        for name in names where meaning.settings[name] == nil {
            if try name.isGroup ? !subjects(in: name.key).isEmpty : has(name) { return name }
        }
        return conflict.subject
    }
}

extension History {
    /// What a merge decided without saying so; nil for most. Only where a file is not what a merge of whole files gives it is
    /// worked out by meaning: nearly always the trees tell.
    func undeclared(_ merge: VersionID, from parents: [VersionID]) throws(Problem) -> UndeclaredDecisions? {
        guard parents.count == 2, !versions.isBoundary(parents) else { return nil }
        if let last = lastUndeclared, last.merge == merge { return last.decisions }
        var found: UndeclaredDecisions?
        var files = try filesMergedOtherwise(merge, from: parents)
        if !files.isEmpty {
            let version = try versions.version(merge)
            do throws(Problem) {
                try leaveOut(of: &files, declaredBy: version)
                if !files.isEmpty { found = try UndeclaredDecisions(version, files, self) }
            } catch {
                guard error.kind == .badData else { throw error }
            }
        }
        lastUndeclared = (merge, found)
        return found
    }

    /// The files that both sides of a merge changed or removed, or that it doesn't have as the only side that changed them.
    private func filesMergedOtherwise(_ merge: VersionID, from parents: [VersionID]) throws(Problem) -> Set<Subject> {
        let objects = versions.repository.objects
        let new = try versions.snapshot(merge)
        func contents(of side: Snapshot) throws(Problem) -> [String: (old: Content?, new: Content?)] {
            let found = try git(versions.differences(from: side.tree, to: new.tree))
            return Dictionary(found.lazy.filter(\.pathIsValid).map { ($0.path, ($0.old, $0.new)) }) { first, _ in first }
        }
        let ours = try contents(of: try versions.snapshot(parents[0]))
        let theirs = try contents(of: try versions.snapshot(parents[1]))
        if ours.isEmpty, theirs.isEmpty { return [] }
        let bases = try git(objects.mergeBases(of: parents[0], and: parents[1]))
        // Nothing was changed on the other side.
        if bases == [parents[0]], theirs.isEmpty { return [] }
        var files: Set<Subject> = []
        for base in bases.isEmpty ? [nil] : bases.map({ $0 }) {
            let old = try contents(of: try versions.snapshot(base))
            for path in Set(ours.keys).union(theirs.keys) {
                guard let subject = Subject(path: path), !files.contains(subject) else { continue }
                let result = ours[path].map(\.new) ?? theirs[path].flatMap(\.new)
                let (our, their) = (ours[path].map(\.old) ?? result, theirs[path].map(\.old) ?? result)
                let before = old[path].map(\.old) ?? result
                let isGiven = our == before ? result == their : their == before ? result == our : our == their && result == our
                if !isGiven { files.insert(subject) }
            }
            // What neither side has any more may have got a new name on one of them, or two.
            for (path, content) in old where content.new == nil && ours[path] == nil && theirs[path] == nil {
                if let subject = Subject(path: path) { files.insert(subject) }
            }
        }
        return files
    }

    /// Takes those out about which a merge says what it decided, or left open, where nothing else differs from either side.
    private func leaveOut(of files: inout Set<Subject>, declaredBy merge: Version) throws(Problem) {
        let declared = Dictionary(grouping: merge.message.resolves + merge.message.conflicts, by: \.subject)
        for subject in files {
            guard let questions = declared[subject] else { continue }
            let items = try (merge.parents + [merge.id]).map { id throws(Problem) in
                try versions.snapshot(id).readable(subject)
            }
            let facets = items.map { $0?.facets ?? [:] }
            var others = facets.reduce(into: Set<Facet>()) { $0.formUnion($1.keys) }
            others.subtract(questions.map(\.facet))
            let isAlike = others.allSatisfy { facet in
                facets.dropLast().allSatisfy { Change.Content.isSame($0[facet], facets[2][facet]) }
            }
            let isAll = items.contains { $0 == nil } ? questions.contains { $0.facet == .existence } : isAlike
            if isAll { files.remove(subject) }
        }
    }
}
