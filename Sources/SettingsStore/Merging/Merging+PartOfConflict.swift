import Files
import Git
package import SettingsModel

/// What an answer did about a file that git left in conflict.
package struct ResolvedText: Sendable {
    /// What changes in the version that git merges into.
    package var changes: [Change]
    /// What is still in conflict in the option; empty once git may commit the file.
    package var open: [Facet] = []
}

extension Merging {
    /// Decides about one facet of an option while more of it is in conflict. Both sides have what was decided in the index from
    /// then on, so that it outlasts this command and ends with git's merge; the file stays in conflict.
    func decide(
        _ facet: Facet, of files: ConflictingFiles, _ answer: ConflictAnswer, _ done: Done
    ) throws(Problem) -> ResolvedText {
        let (subject, key) = (files.subject, files.subject.key)
        let open = files.conflicts.map(\.facet).filter { $0 != facet }
        let path = versions.repositoryPath(subject)
        let paths = try git(versions.repository.index.conflicts())
        guard var conflict = paths.first(where: { $0.path == path }), let other = open.first else {
            throw .merge(.isInNoConflict(key))
        }
        let decision = try files.content(of: facet, answer)
        let tip = try versions.tip()
        if let expected = done.expected, tip.id != expected { throw .recording(.isNotAt(expected, but: tip.id)) }
        func decided(_ side: Content?) throws(Problem) -> SettingsContent.Item {
            guard var item = try content(side, of: subject)[subject] else {
                throw .merge(.moreIsOpen(key, besides: facet, other))
            }
            let before = item.option.map { [$0] } ?? []
            item.set(facet, to: decision)
            // It can't be valid before the other conflict is resolved.
            if item.option?.faults(comparedWith: before).isEmpty == false {
                throw .merge(.moreIsOpen(key, besides: facet, other))
            }
            return item
        }
        let (ours, theirs) = (try decided(conflict.ours), try decided(conflict.theirs))
        var before = SettingsContent()
        var after = SettingsContent()
        before[subject] = try content(conflict.ours, of: subject)[subject]
        after[subject] = ours
        let resolved = ResolvedText(changes: after.changes(since: before), open: open)
        if done.isDryRun { return resolved }
        var locked = try workTree.lockIndex()
        let isMerge = try isMergeByGit
        try addToGitMessage(done, resolving: isMerge ? [VersionMessage.Question(subject, facet)] : [])
        let own = try journal.ownFolder()
        for (side, item) in [(\PathConflict.ours, ours), (\.theirs, theirs)] {
            guard let content = conflict[keyPath: side] else { continue }
            let id = try git(versions.repository.objects.write(blob: item.file))
            conflict[keyPath: side] = Content(id: id, mode: content.mode)
        }
        try git(versions.repository.index.replaceSides(of: conflict, locked: &locked, own: own))
        return resolved
    }
}
