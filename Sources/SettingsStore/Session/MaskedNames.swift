package import SettingsModel

/// Which options are masked in the last version, or were when they were removed, by every name that they had: what they held before
/// that is shown as dots, too.
final class MaskedNames {
    private let tip: Snapshot
    private let history: History
    private var known: [Key: Bool] = [:]
    private var all: Set<Key>?

    init(_ history: History) throws(Problem) {
        tip = try history.versions.tip()
        self.history = history
    }

    /// Whether a file may hold what is masked; what can't be read may, too.
    func hides(_ bytes: [UInt8], of subject: Subject) throws(Problem) -> Bool {
        guard case .option(let key) = subject else { return false }
        guard let item = try? SettingsContent.Item(file: bytes, of: subject, acceptingAnyValue: true) else {
            if String(decoding: bytes, as: UTF8.self).contains("\"masked\"") { return true }
            return try hides(key)
        }
        return try item.option.map { option throws(Problem) in try masking(option, named: key).isMasked } ?? false
    }

    /// A name that nothing has today may be a former one, or what had it was removed.
    private func hides(_ key: Key) throws(Problem) -> Bool {
        if let known = known[key] { return known }
        // Names may lead back to themselves.
        known[key] = false
        let option = try tip.readable(.option(key))?.option
        var hides = option?.isMasked ?? false
        if !hides, option == nil { hides = try names().contains(key) }
        // A text that is there is shown because somebody unmasked it; what is no text isn't what was masked.
        if !hides, option?.type != .text { hides = try wasMasked(key) }
        known[key] = hides
        return hides
    }

    /// Whether an option was masked when it was removed, by this name or one that it had since.
    private func wasMasked(_ key: Key) throws(Problem) -> Bool {
        var filter = HistoryFilter()
        filter.places = [key]
        var (wasMasked, since) = (false, Set<Key>())
        try history.walk(filter, from: tip.id) { _, made in
            for change in made.changes {
                if let (old, new) = change.renaming {
                    since.insert(Subject.option(key).renamed(from: old, to: new).key)
                } else if change.facet == .existence, change.subject == .option(key),
                    case .item(.option(let option))? = change.before
                {
                    wasMasked = wasMasked || option.isMasked
                }
            }
            return !wasMasked
        }
        if wasMasked { return true }
        for name in since where name != key {
            if try hides(name) { return true }
        }
        return false
    }

    func names() throws(Problem) -> Set<Key> {
        if let all { return all }
        var names: Set<Key> = []
        try tip.eachItem(of: try tip.files()) { subject, file in
            if case .option(let option)? = try? file.item.get(), option.isMasked { names.insert(subject.key) }
        }
        if !names.isEmpty {
            var filter = HistoryFilter()
            filter.places = names.sorted()
            try history.walk(filter, from: tip.id) { _, made in
                for (old, new) in made.changes.compactMap(\.renaming) {
                    for name in names { names.insert(Subject.option(name).renamed(from: new, to: old).key) }
                }
                return true
            }
        }
        all = names
        return names
    }

    /// An option as some version has it.
    func masking(_ option: SettingsOption, named key: Key) throws(Problem) -> SettingsOption {
        guard option.type == .text, !option.isMasked, try hides(key) else { return option }
        var option = option
        option.other["masked"] = .bool(true)
        return option
    }

    /// A version and what it changed. Where something of that is masked only today, its own words say too much.
    func masking(_ version: Version, _ changes: VersionChanges) throws(Problem) -> (Version, VersionChanges) {
        let masked = try masking(changes)
        if masked.changes == changes.changes || version.message.via == nil { return (version, masked) }
        let words = Wording().message(of: masked.changes)
        var message = version.message
        (message.subject, message.details) = (words.subject, words.details)
        let told = Version(
            id: version.id, parents: version.parents, author: version.author, committer: version.committer, time: version.time,
            message: message, renames: version.renames, named: version.named)
        return (told, masked)
    }

    func masking(_ changes: VersionChanges) throws(Problem) -> VersionChanges {
        var masked = changes
        masked.changes = try masking(changes.changes)
        for place in masked.decisions.indices where try hides(masked.decisions[place].subject, [masked.decisions[place].chosen]) {
            masked.decisions[place].chosen = masked.decisions[place].chosen?.masked
            masked.decisions[place].others = masked.decisions[place].others.map { $0?.masked }
        }
        return masked
    }

    func masking(_ changes: [Change]) throws(Problem) -> [Change] {
        var changes = changes
        for place in changes.indices where try hides(changes[place].subject, [changes[place].before, changes[place].after]) {
            changes[place].before = changes[place].before?.masked
            changes[place].after = changes[place].after?.masked
        }
        return changes
    }

    func masking(_ conflict: Conflict) throws(Problem) -> Conflict {
        guard try hides(conflict.subject, [conflict.base, conflict.ours, conflict.theirs]) else { return conflict }
        var conflict = conflict
        (conflict.base, conflict.ours, conflict.theirs) =
            (conflict.base?.masked, conflict.ours?.masked, conflict.theirs?.masked)
        return conflict
    }

    func masking(_ open: OpenConflict) throws(Problem) -> OpenConflict {
        var shown = open
        shown.conflict = try masking(open.conflict)
        if try hides(open.conflict.subject, [open.inForce]) { shown.inForce = open.inForce?.masked }
        return shown
    }

    private func hides(_ subject: Subject, _ contents: [Change.Content?]) throws(Problem) -> Bool {
        guard case .option(let key) = subject, contents.contains(where: { $0?.mayBeMasked ?? false }) else { return false }
        return try hides(key)
    }
}

/// Changes with dots for what is masked now or was when it was removed.
package struct MaskingQuery: Query {
    package var changes: [Change]

    package init(_ changes: [Change]) { self.changes = changes }

    package func answer(in session: Session) throws(Problem) -> [Change] {
        try MaskedNames(try session.store.history).masking(changes)
    }
}

/// The same of conflicts.
package struct ConflictMaskingQuery: Query {
    package var conflicts: [Conflict]

    package init(_ conflicts: [Conflict]) { self.conflicts = conflicts }

    package func answer(in session: Session) throws(Problem) -> [Conflict] {
        if conflicts.isEmpty { return [] }
        let masked = try MaskedNames(session.store.history)
        return try conflicts.map { conflict throws(Problem) in try masked.masking(conflict) }
    }
}
