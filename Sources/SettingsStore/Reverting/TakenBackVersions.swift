import SettingsModel

/// The versions that were taken back because nobody confirmed them, as told by what came behind them: newest first.
struct TakenBackVersions {
    private var takers: [(named: NamedVersions.Unconfirmed, by: Version)] = []
    /// What was undone and has not been seen yet: it is older.
    private var undone: Set<VersionID> = []

    /// Whether something older than what was seen last is undone.
    var isPassed: Bool { !undone.isEmpty }

    mutating func note(_ version: Version) {
        undone.remove(version.id)
        // What repeated a version was taken back, and that version with it.
        if let by = taker(of: version) {
            takers += version.named.redoes.map { (NamedVersions.Unconfirmed($0, deadline: nil), by) }
        }
        takers += version.named.unconfirmed.map { ($0, version) }
    }

    mutating func note(_ named: NamedVersions, stillUndone: (VersionID) -> Bool) {
        undone.formUnion(named.undoes.filter(stillUndone))
    }

    /// What took a version back. A rebase gives a version another id, but not another deadline.
    func taker(of version: Version) -> Version? {
        takers.first { named, _ in
            named.id == version.id || (named.deadline != nil && named.deadline == version.message.ownDeadline)
        }?.by
    }
}
