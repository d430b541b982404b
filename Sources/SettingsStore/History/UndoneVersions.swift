import SettingsModel

/// Which versions are undone, as told by all that came behind them: newest first.
struct UndoneVersions {
    private var isUndone: [VersionID: Bool] = [:]

    mutating func note(_ named: NamedVersions) {
        takeBack(named.undoes)
        for id in named.redoes where !isKnown(id) { isUndone[id] = false }
    }

    /// With what a version reverts. What was taken back itself takes nothing back.
    mutating func note(_ version: Version) {
        if contains(version.id) { return }
        note(version.named)
        takeBack(version.named.reverts)
    }

    /// What a revert takes back is undone just so, unless a later version said otherwise.
    mutating func takeBack(_ ids: [VersionID]) {
        for id in ids where !isKnown(id) { isUndone[id] = true }
    }

    func contains(_ id: VersionID) -> Bool { isUndone[id] == true }

    /// Whether a later version undid it or made it again.
    func isKnown(_ id: VersionID) -> Bool { isUndone[id] != nil }
}
