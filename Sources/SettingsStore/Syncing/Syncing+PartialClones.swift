import Git
import SettingsModel

extension Syncing {
    /// Throws where a partial clone has left with its remote what the report of this exchange would be read from. Nothing has been
    /// joined then, and nothing sent.
    func checkReportIsReadable(_ tip: VersionID?, _ round: Round) throws(Problem) {
        guard versions.repository.git.isPartial, round.wish.direction != .push, let tip, let head = try versions.head.commit,
            tip != head
        else { return }
        _ = try moved(to: head, since: tip, round.wish.reported)
        _ = try moved(to: tip, since: head, round.wish.reported)
        var merges: [Version] = []
        try history.eachVersion(from: tip, hiding: [head]) { version in
            if version.parents.count == 2, !version.message.conflicts.isEmpty { merges.append(version) }
        }
        let isForward = try git { () throws(GitError) in try objects.isAncestor(head, of: tip) }
        if !isForward || !merges.isEmpty { _ = try merging.openConflicts() }
        // The conflicts that they left open.
        for merge in merges {
            let bases = try git { () throws(GitError) in try objects.mergeBases(of: merge.parents[0], and: merge.parents[1]) }
            for snapshot in try (merge.parents + bases).map({ id throws(Problem) in try versions.snapshot(id) }) {
                for conflict in merge.message.conflicts { _ = try snapshot.readable(conflict.subject) }
            }
        }
    }
}
