import Git
import SettingsModel

extension Syncing {
    /// Throws where a partial clone has left with its remote what other versions are joined from, or what a conflict that this
    /// leaves open is reported from. Nothing has been changed then.
    func checkCanJoin(_ tip: VersionID, _ merge: MergeWish, _ done: Done) throws(Problem) {
        guard versions.repository.git.isPartial else { return }
        var (trial, dry) = (merge, done)
        (trial.kept, dry.isDryRun) = (nil, true)
        do throws(Problem) { _ = try merging.merge(tip, trial, dry) } catch {
            switch error {
            case .merge(.unresolved) where merge.kept != nil: _ = try merging.openConflicts()
            case _ where error.kind == .incomplete: throw error
            // What else is in the way is found again.
            default: break
            }
        }
    }

    /// A version with its changes. Where those cannot be read, its message alone describes it.
    func match(
        _ step: HistoryWalk.Step, _ plain: inout PlainHistory, _ unread: inout [Problem]
    ) throws(Problem) -> (Version, VersionChanges)? {
        do throws(Problem) { return try plain.match(step) } catch {
            try note(error, in: &unread)
            let version = try versions.version(step.commit.id)
            return step.isMerge && version.message.resolves.isEmpty ? nil : (version, VersionChanges(changes: []))
        }
    }

    /// Notes why something cannot be read.
    func note(_ error: Problem, in unread: inout [Problem]) throws(Problem) {
        guard error.kind == .incomplete else { throw error }
        unread.append(error)
    }
}
