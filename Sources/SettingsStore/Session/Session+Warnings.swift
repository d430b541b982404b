import SettingsModel

extension Session {
    /// Adds what whoever recorded a version has to know besides.
    func warning(_ outcome: Outcome, of request: Request, _ store: Store) -> Outcome {
        guard case .recorded(let version, let changes, let notes) = outcome else { return outcome }
        let more: [Notice] =
            switch request {
            case .changes: overridden(by: version, changes, store) + broughtBack(by: version, store)
            case .edit, .restore, .recordDraft, .recordStaged, .resolve, .settle:
                overridden(by: version, changes, store)
            case .undo, .redo, .revert, .revertTickets: opened(by: version, store) + broughtBack(by: version, store)
            case .merge: opened(by: version, store)
            case .nameMergeDriver: []
            }
        return .recorded(version, changes, notes: notes + more)
    }

    /// Whoever takes back what resolved a conflict is told; also whoever merges that.
    private func opened(by version: Version, _ store: Store) -> [Notice] {
        // It is recorded: what cannot be read now is reported by whoever asks for the conflicts.
        guard let parent = version.parents.first,
            let opened = try? store.merging.conflicts(openedSince: parent)
        else { return [] }
        let again = opened.filter(\.isAgain).map(\.conflict.conflict)
        return again.isEmpty ? [] : [.opensConflicts(again)]
    }

    /// Whoever takes back what took back a version that still had time to be confirmed is told: nothing reverts that now.
    private func broughtBack(by version: Version, _ store: Store) -> [Notice] {
        if version.message.ownDeadline != nil { return [] }
        let undoers = (version.named.undoes + version.named.reverts).compactMap { try? store.versions.version($0).named }
        let back = version.named.redoes + undoers.flatMap { $0.undoes + $0.reverts }
        return Set(back).compactMap { id in
            guard let waited = try? store.versions.version(id), let deadline = waited.message.ownDeadline,
                deadline.seconds > clock.now,
                (try? store.confirming.confirmations.isConfirmed(waited, at: version.id)) == false
            else { return nil }
            return Notice.bringsBack(Confirmation(waited, deadline: deadline, .waiting)).at(clock)
        }
    }

    /// Whoever changes what still has to be confirmed is told: when that version is taken back, this stays.
    private func overridden(by version: Version, _ changes: [Change], _ store: Store) -> [Notice] {
        // If neither is confirmed, what was there before both is in force again.
        if changes.isEmpty || version.message.ownDeadline != nil { return [] }
        var notes: [Notice] = []
        let waiting = (try? store.confirming.confirmations.open(at: clock.now)) ?? []
        for confirmation in waiting where confirmation.version.id != version.id {
            guard let made = try? store.versions.changes(of: confirmation.version).changes else { continue }
            let same = changes.filter { change in
                made.contains { $0.subject == change.subject && $0.facet == change.facet && $0.facet != .existence }
            }
            if !same.isEmpty { notes.append(Notice.setsWaiting(confirmation, same).at(clock)) }
        }
        return notes
    }
}
