import Files
import Git
import SettingsModel

/// What git is in the middle of merging, by meaning: from the versions that it brings together, not from their texts alone, so
/// that renames are followed.
struct GitMerge {
    var meaning: SettingsContent.Merge
    /// The version that git brings in; what it had before, where git reverts it.
    var theirs: Snapshot

    /// What a file of the store that git left in conflict is called in the result.
    func subject(of conflict: PathConflict, _ subject: Subject) -> Subject {
        if conflict.ours != nil, let rename = meaning.renames.first(where: { $0.old == subject }) { return rename.new }
        if conflict.theirs != nil, let rename = meaning.theirsRenames.first(where: { $0.old == subject }) { return rename.new }
        if let former = meaning.formerNames.first(where: { $0.value == subject }) { return former.key }
        let named = meaning.conflicts.first { question in
            question.facet == .key && [question.ours, question.theirs].contains { question.subject.named($0) == subject }
        }
        return named?.subject ?? subject
    }

    /// What an item of the result is called on any side.
    func names(of subject: Subject) -> Set<Subject> {
        var names: Set<Subject> = [subject]
        for rename in meaning.renames + meaning.theirsRenames where rename.new == subject { names.insert(rename.old) }
        if let former = meaning.formerNames[subject] { names.insert(former) }
        for question in meaning.conflicts where question.subject == subject && question.facet == .key {
            names.formUnion([question.ours, question.theirs].compactMap { subject.named($0) })
        }
        return names
    }

    /// The outermost group around an item, or itself, about whose name the sides disagree; else the item.
    func disputed(_ subject: Subject) -> Subject {
        let groups = meaning.conflicts.filter { $0.facet == .key && $0.subject.isGroup }.map(\.subject)
        return groups.filter { subject.key.isWithin($0.key) }.min { $0.key.parts.count < $1.key.parts.count } ?? subject
    }
}

extension Merging {
    /// Nil where git merges something else than two versions, as `stash pop` and `merge --squash` do, or where one of them can't
    /// be read.
    func gitMerge() throws(Problem) -> GitMerge? {
        do throws(Problem) {
            return try mergeByGit()
        } catch {
            guard error.kind == .badData else { throw error }
            return nil
        }
    }

    private func mergeByGit() throws(Problem) -> GitMerge? {
        let tip = try versions.tip()
        guard let head = tip.id else { return nil }
        let operation = try git(versions.repository.git.operation)
        switch operation {
        case .merge:
            guard let other = version(namedIn: "MERGE_HEAD") else { return nil }
            let bases = try git(versions.repository.objects.mergeBases(of: head, and: other))
            let isCutOff = try git(versions.repository.objects.areCutOff([head, other], before: bases))
            if isCutOff { return nil }
            let theirs = try versions.snapshot(other)
            return GitMerge(meaning: try history.meaning(of: tip, and: theirs, since: bases).merge, theirs: theirs)
        case .rebase, .cherryPick:
            guard let picked = version(namedIn: operation == .rebase ? "REBASE_HEAD" : "CHERRY_PICK_HEAD"),
                let before = try parent(of: picked)
            else { return nil }
            let theirs = try versions.snapshot(picked)
            return GitMerge(meaning: try meaning(of: tip, and: theirs, since: before), theirs: theirs)
        case .revert:
            guard let reverted = version(namedIn: "REVERT_HEAD"), let before = try parent(of: reverted) else { return nil }
            let meaning = try meaning(of: tip, and: before, since: try versions.snapshot(reverted))
            return GitMerge(meaning: meaning, theirs: before)
        case .none, .bisect, .applyMailbox: return nil
        }
    }

    /// The only version that a file of git's directory names.
    func version(namedIn file: String) -> VersionID? {
        let folder = Folder(path: versions.repository.git.gitDirectory)
        guard let bytes = try? folder.read(file, limit: JSON.sizeLimit) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.count == 1 ? VersionID(hex: String(lines[0])) : nil
    }

    /// Nil for a merge, of which git may take any side, and for one whose parent a shallow clone lacks.
    private func parent(of version: VersionID) throws(Problem) -> Snapshot? {
        let parents = try versions.version(version).parents
        guard parents.count < 2, !versions.isBoundary(parents) else { return nil }
        return try versions.snapshot(parents.first)
    }

    /// What is changed from `base` to `theirs`, brought into `ours`: the three need not follow each other.
    private func meaning(
        of ours: Snapshot, and theirs: Snapshot, since base: Snapshot
    ) throws(Problem) -> SettingsContent.Merge {
        var subjects = Set(try versions.subjectsDiffering(from: base, to: ours))
        subjects.formUnion(try versions.subjectsDiffering(from: base, to: theirs))
        var groups: Set<Subject> = []
        for subject in subjects where subject.isGroup {
            for side in [ours, theirs] where try !side.has(subject) { groups.insert(subject) }
        }
        func renames(to side: Snapshot) throws(Problem) -> [(old: Subject, new: Subject)] {
            try history.renames(from: base.id, to: side.id).map { ($0.old, $0.new) }
        }
        return SettingsContent.merge(
            base: try base.settings(of: subjects), ours: try ours.settings(of: subjects),
            theirs: try theirs.settings(of: subjects), oursRenames: try renames(to: ours),
            theirsRenames: try renames(to: theirs), populated: try ours.populated(groups, besides: subjects))
    }
}
