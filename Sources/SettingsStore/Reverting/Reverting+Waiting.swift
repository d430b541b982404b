import SettingsModel

extension Reverting {
    /// What repeats versions that had to be confirmed, and that nobody confirmed, has to be confirmed as well: within as much
    /// time as they had, counted from `now` on. Of several, the shortest time counts.
    func setDeadline(of edit: inout Edit, repeating ids: [VersionID], at tip: Snapshot, _ now: Time) throws(Problem) {
        guard !edit.changes.isEmpty, let head = tip.id else { return }
        var shortest: Int64?
        for id in ids {
            guard let version = try? versions.version(id), let deadline = version.message.ownDeadline,
                try !wasConfirmed(version, at: head)
            else { continue }
            let span = deadline.seconds &- version.time.seconds
            shortest = min(shortest ?? .max, min(max(span, Confirmation.shortest.seconds), Confirmation.longest.seconds))
        }
        if let shortest { edit.confirmBy = Time(seconds: now.seconds + shortest, offset: now.offset) }
    }

    /// Whether somebody confirmed a version, or one that repeated it.
    private func wasConfirmed(_ version: Version, at head: VersionID) throws(Problem) -> Bool {
        var names: Set = [version.id]
        var deadlines: Set = [version.message.ownDeadline]
        var confirms: [VersionMessage.Unconfirmed] = []
        try history.eachVersion(from: head, hiding: [version.id]) { later in
            confirms += later.message.confirms
            guard later.message.redoes.contains(version.id) else { return }
            names.insert(later.id)
            if let deadline = later.message.ownDeadline { deadlines.insert(deadline) }
        }
        return confirms.contains { names.contains($0.id) || $0.deadline.map { deadlines.contains($0) } ?? false }
    }
}

/// The versions that were taken back because nobody confirmed them, as told by what came behind them: newest first.
struct TakenBackVersions {
    private var takers: [(named: VersionMessage.Unconfirmed, by: Version)] = []
    /// What was undone and has not been seen yet: it is older.
    private var undone: Set<VersionID> = []

    /// Whether something older than what was seen last is undone.
    var isPassed: Bool { !undone.isEmpty }

    mutating func note(_ version: Version) {
        undone.remove(version.id)
        // What repeated a version was taken back, and that version with it.
        if let by = taker(of: version) {
            takers += version.message.redoes.map { (VersionMessage.Unconfirmed($0, deadline: nil), by) }
        }
        takers += version.message.unconfirmed.map { ($0, version) }
    }

    mutating func note(_ named: Undoing, stillUndone: (VersionID) -> Bool) {
        undone.formUnion(named.undoes.filter(stillUndone))
    }

    /// What took a version back. A rebase gives a version another id, but not another deadline.
    func taker(of version: Version) -> Version? {
        takers.first { named, _ in
            named.id == version.id || (named.deadline != nil && named.deadline == version.message.ownDeadline)
        }?.by
    }
}
