import SettingsModel

/// The versions that say something about one question, and which of them count: each may be taken back, and that as well. Told
/// of the versions of a history, the oldest first.
struct StandingWords {
    private struct Word {
        /// Whether the version changed what the question is about.
        var isEdit: Bool
        /// Whether more is asked where it counts, as with a decision that another one may contradict; less otherwise.
        var asks: Bool
        var isStanding = true
        /// The version by which it stands or was taken back.
        var by: VersionID
    }

    /// What a version took back (false) or made count again (true).
    private struct Turn {
        var words: [(id: VersionID, isStanding: Bool)]
        var isEdit: Bool
    }

    private var words: [VersionID: Word] = [:]
    private var turns: [VersionID: Turn] = [:]

    var isEmpty: Bool { words.isEmpty }

    /// Those that count, each with the newest version that says so.
    var standing: [VersionID: VersionID] { words.filter(\.value.isStanding).mapValues(\.by) }

    func isStanding(_ id: VersionID) -> Bool { words[id]?.isStanding == true }

    /// The version by which a word stands or was taken back.
    func by(_ id: VersionID) -> VersionID? { words[id]?.by }

    /// Whether a version takes back, or repeats, any that is known.
    func isNamed(by version: Version) -> Bool {
        let named = version.named
        return [named.reverts, named.undoes, named.redoes].joined().contains { words[$0] != nil || turns[$0] != nil }
    }

    mutating func say(_ id: VersionID, isEdit: Bool, asks: Bool) { words[id] = Word(isEdit: isEdit, asks: asks, by: id) }

    mutating func remove(_ id: VersionID) { words[id] = nil }

    /// A word from before the history that is told of, which a version makes count again.
    mutating func repeatWord(_ id: VersionID, by version: VersionID, isEdit: Bool) {
        words[id] = Word(isEdit: isEdit, asks: true, by: version)
        turns[version, default: Turn(words: [], isEdit: isEdit)].words.append((id, true))
    }

    /// What a version changed, as far as a question is concerned.
    enum Edit {
        case nothing, other, question
        /// It was not looked at.
        case unknown
    }

    /// Takes back and repeats what a version says it does. What changed what the question is about is taken back only by a revert
    /// that does so. A revert that changed only something else may be one of other options: it counts where more is asked then.
    /// Returns the words that count again or no longer.
    @discardableResult
    mutating func take(_ version: Version, _ edit: Edit) -> [VersionID] {
        var turned: [(id: VersionID, isStanding: Bool)] = []
        for id in version.named.undoes { turned += turn(id, false, by: version.id) }
        for id in version.named.redoes { turned += turn(id, true, by: version.id) }
        for id in version.named.reverts {
            guard let wasEdit = words[id]?.isEdit ?? turns[id]?.isEdit, edit == .question || !wasEdit else { continue }
            turned += turn(id, false, by: version.id, isDoubtful: edit == .other || edit == .unknown)
        }
        if !turned.isEmpty { turns[version.id] = Turn(words: turned, isEdit: edit == .question) }
        return turned.map(\.id)
    }

    /// Makes what a version says count, or no longer, and with it what it took back or repeated.
    private mutating func turn(
        _ id: VersionID, _ isStanding: Bool, by version: VersionID, isDoubtful: Bool = false
    ) -> [(id: VersionID, isStanding: Bool)] {
        var turned: [(id: VersionID, isStanding: Bool)] = []
        for (id, isStanding) in [(id, isStanding)] + (turns[id]?.words ?? []).map({ ($0.id, $0.isStanding == isStanding) }) {
            guard var word = words[id], word.isStanding != isStanding, !isDoubtful || isStanding == word.asks else { continue }
            (word.isStanding, word.by) = (isStanding, version)
            words[id] = word
            turned.append((id, isStanding))
        }
        return turned
    }
}
