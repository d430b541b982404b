import Git
package import SettingsModel

/// Takes back, repeats and restores what versions changed.
package final class Reverting {
    let versions: Versions
    let recorder: Recorder
    let history: History
    let merging: Merging

    init(_ versions: Versions, _ recorder: Recorder, _ history: History, _ merging: Merging) {
        self.versions = versions
        self.recorder = recorder
        self.history = history
        self.merging = merging
    }

    /// What is left of a version to be taken back.
    package struct Remainder: Sendable {
        package var id: VersionID
        /// By the names that the version gives; nil: all of it.
        package var facets: Set<VersionMessage.Question>?

        package init(_ id: VersionID, facets: Set<VersionMessage.Question>? = nil) {
            self.id = id
            self.facets = facets
        }
    }

    /// Takes back what these versions changed, all of it or only of `places`, and keeps what came later.
    package func revert(_ wanted: [Remainder], only places: [Key] = [], _ done: Done) throws(Problem) -> Outcome {
        try somethingToRevert(
            wanted.map(\.id),
            recorder.record(done) { tip throws(Problem) in
                try self.reverting(wanted, places, tip)
            })
    }

    /// What was renamed there and back, for one, leaves nothing to take back.
    private func somethingToRevert(_ ids: [VersionID], _ outcome: Outcome) throws(Problem) -> Outcome {
        if case .unchanged = outcome { throw .history(.hasNothingToRevert(ids)) }
        return outcome
    }

    /// Takes back what is left of the versions that one of these tickets names.
    package func revert(tickets: [String], only places: [Key] = [], _ done: Done) throws(Problem) -> Outcome {
        var wanted: [Remainder] = []
        let outcome = try recorder.record(done) { tip throws(Problem) in
            let found = try tickets.map { ticket throws(Problem) in try self.versions(withTicket: ticket) }
            wanted = found.flatMap(\.left)
            if versions.isShallow { recorder.journal.warn?(.mayLackVersions) }
            for id in found.flatMap(\.returning) { recorder.journal.warn?(.takesBackUnknown(id)) }
            if wanted.isEmpty { throw .history(.noneWithTicket(tickets, squashed: found.lazy.compactMap(\.squashed).first)) }
            return try self.reverting(wanted, places, tip)
        }
        return try somethingToRevert(wanted.map(\.id), outcome)
    }

    private func reverting(_ wanted: [Remainder], _ places: [Key], _ tip: Snapshot) throws(Problem) -> Edit {
        guard let head = tip.id else { throw .history(.hasNoVersion) }
        var chosen: [Version] = []
        var seen: Set<VersionID> = []
        for id in wanted.map(\.id) where seen.insert(id).inserted {
            let version = try versions.version(id)
            guard try git(versions.repository.objects.isAncestor(id, of: head)) else {
                let copies = try version.message.changeIDs.map { change throws(Problem) in
                    try versions.find(.change(change), from: [head])
                }
                throw .history(.isNotInHistory(id, madeAgain: copies.lazy.compactMap(\.self).first))
            }
            if versions.isBoundary(version) { throw .history(.isFirstOfClone(id)) }
            chosen.append(version)
        }
        let order = try self.positions(of: Set(chosen.map(\.id)), from: head)
        chosen.sort { order[$0.id, default: 0] < order[$1.id, default: 0] }
        let left = Dictionary(wanted.map { ($0.id, $0.facets) }) { first, _ in first }
        let moot = try merging.moot(byTakingBack: chosen, in: places, at: tip)
        let later = try chosenLater(than: chosen, at: tip)
        var changed: Set<VersionID> = []
        var edit = Edit(
            try history.inverted(chosen, at: tip) { version, change, subjects in
                guard subjects.contains(where: { $0.lies(in: places) }) else { return false }
                changed.insert(version.id)
                if moot.contains(where: { $0.has(change, by: version, subjects) }) { return false }
                let questions = subjects.map { VersionMessage.Question($0, change.facet) }
                if later.made[version.id]?.isDisjoint(with: questions) == false { return false }
                return (left[version.id] ?? nil).map { $0.contains(change.place) } ?? true
            })
        // Of several, those that changed nothing there stay as they are.
        edit.reverts = chosen.map(\.id).filter { places.isEmpty || changed.contains($0) }
        try edit.replaceUnreadable(at: tip)
        if places.isEmpty {
            try merging.conflicts.turn(&edit, by: chosen, areTakenBack: true, at: tip)
        }
        try merging.resolve(&edit, byTakingBack: places.isEmpty ? chosen : [], moot, at: tip)
        if edit.changes.isEmpty, !edit.isRecordedAnyway {
            throw .history(
                .hasNothingToRevert(
                    chosen.map(\.id), in: places, changed: places.isEmpty || !changed.isEmpty, since: later.chooser))
        }
        return edit
    }

    /// What is in force as versions made it, and what a later version, which is none of them, chose all the same: that is kept. By
    /// the names of today.
    private func chosenLater(
        than wanted: [Version], at tip: Snapshot
    ) throws(Problem) -> (made: [VersionID: Set<VersionMessage.Question>], chooser: VersionID?) {
        var made: [(version: VersionID, question: VersionMessage.Question)] = []
        for version in wanted {
            for change in try versions.changes(of: version).changes
            where ![.existence, .key].contains(change.facet) && !change.facet.isList && !change.subject.isGroup {
                let name = try tip.has(change.subject) ? nil : history.renames(from: version.id, to: tip)[change.subject]
                let subject = name ?? change.subject
                guard try tip.has(change, of: subject) else { continue }
                made.append((version.id, VersionMessage.Question(subject, change.facet)))
            }
        }
        if made.isEmpty { return ([:], nil) }
        let (keys, facets) = (Set(made.map(\.question.subject.key)), Set(made.map(\.question.facet)))
        let blames = try history.blame(keys.sorted(), at: tip, facets: facets.sorted()) { _ in }
        let choosers = Dictionary(
            blames.map { (VersionMessage.Question(.option($0.key), $0.facet), $0.version?.id) },
            uniquingKeysWith: { first, _ in first })
        let own = Set(wanted.map(\.id))
        var later: (made: [VersionID: Set<VersionMessage.Question>], chooser: VersionID?) = ([:], nil)
        for (id, question) in made {
            guard let chooser = choosers[question] ?? nil, !own.contains(chooser),
                try git(versions.repository.objects.isAncestor(id, of: chooser))
            else { continue }
            later.made[id, default: []].insert(question)
            later.chooser = later.chooser ?? chooser
        }
        return later
    }

    /// The versions that a ticket names.
    package struct TicketVersions: Sendable {
        /// Those that nobody took back yet, newest first, with what is left of each.
        package var left: [Remainder] = []
        /// Those that took back, for that ticket, what isn't in this history.
        var returning: [VersionID] = []
        /// The newest squashed one that has the ticket for nothing that could be taken back by itself.
        var squashed: VersionID?
    }

    package func versions(withTicket ticket: String) throws(Problem) -> TicketVersions {
        var filter = HistoryFilter()
        filter.ticket = ticket
        var found = TicketVersions()
        // The newest word on a version counts, and only that of versions which are in force themselves.
        var undone = UndoneVersions()
        var reverts: [VersionID: [Version]] = [:]
        try history.walk(HistoryFilter()) { version, _ throws(Problem) in
            let named = version.named
            undone.note(named)
            if undone.contains(version.id) { return true }
            var left = try versions.places(in: version, withTicket: ticket)
            let isSquashed = version.message.squashed != nil
            if left == [] {
                if isSquashed, found.squashed == nil, filter.takes(version) { found.squashed = version.id }
                return true
            }
            if let reverts = reverts[version.id] {
                let rest = try self.left(of: version, after: reverts)
                left = left?.intersection(rest) ?? rest
                if left == [] { return true }
            }
            for id in named.reverts where !undone.isKnown(id) { reverts[id, default: []].append(version) }
            guard filter.takes(version) else { return true }
            // A revert has the ticket of what it takes back: that isn't known for its own, even where that is all that is left of it.
            if isSquashed || version.message.reverts.isEmpty && !named.isUndoing {
                found.left.append(Remainder(version.id, facets: left))
            } else if version.hasUnknownReverts {
                found.returning.append(version.id)
            }
            return true
        }
        return found
    }

    /// What a version changed and its reverts, newest first, did not take back: each says only which version it is about, and
    /// `--only` may have left out some of it. A revert took back whatever it would have changed without that.
    private func left(of version: Version, after reverts: [Version]) throws(Problem) -> Set<VersionMessage.Question> {
        var left = try versions.changes(of: version).changes
        for revert in reverts.reversed() where !left.isEmpty {
            let before = try versions.snapshot(revert.parents.first)
            let today = try history.renames(from: version.id, to: before)
            // Where taking back all would not have fitted, what the revert left was left out.
            let whole = try? history.inverted([version], at: before)
            let (wanted, done) = (whole.map(Self.places), Self.places(of: try versions.changes(of: revert).changes))
            left = left.filter { change in
                let names = [change.subject, today[change.subject] ?? change.subject, change.renaming?.old ?? change.subject]
                let places = Set(names.map { VersionMessage.Question($0, change.facet) })
                return places.isDisjoint(with: done) && (wanted.map { !places.isDisjoint(with: $0) } ?? true)
            }
        }
        return Set(left.map(\.place))
    }

    private static func places(of changes: [Change]) -> Set<VersionMessage.Question> {
        changes.reduce(into: []) { places, change in
            places.insert(change.place)
            guard let (old, new) = change.renaming else { return }
            places.formUnion([old, new].map { VersionMessage.Question($0, change.facet) })
        }
    }

    private func positions(of ids: Set<VersionID>, from head: VersionID) throws(Problem) -> [VersionID: Int] {
        var walk = try git(versions.repository.objects.commits(from: [head], order: .topological))
        var positions: [VersionID: Int] = [:]
        var count = 0
        while positions.count < ids.count, let id = try versions.next(&walk) {
            if ids.contains(id) { positions[id] = count }
            count += 1
        }
        return positions
    }
}

extension Reverting {
    /// Puts back the values that were in force in `version`: of options and groups in `places`, of everything where there
    /// are none. Options that were removed since come back; later ones and today's definitions stay. `exactly`: the
    /// files as they were.
    package func restore(
        _ places: [Key], from version: VersionID, exactly: Bool = false, _ done: Done
    ) throws(Problem) -> Outcome {
        try recorder.record(done) { tip throws(Problem) in
            let found = try self.restoring(places, from: version, exactly: exactly, at: tip)
            if !found.conflicts.isEmpty {
                throw .history(.notAllFits(found.conflicts))
            }
            var edit = Edit(found.after.changes(since: found.before))
            edit.restoredFrom = version
            edit.replaces = found.replaced
            return edit
        }
    }

    struct Restored {
        var before = SettingsContent()
        var after = SettingsContent()
        var conflicts: [Conflict] = []
        /// The files that can't be read today.
        var replaced: Set<Subject> = []
    }

    /// What restoring makes of `tip`, as far as it fits, and what does not.
    func restoring(
        _ places: [Key], from version: VersionID, exactly: Bool, at tip: Snapshot
    ) throws(Problem) -> Restored {
        let then = try versions.snapshot(version)
        try then.checkFormat()
        let renames = try history.renames(from: version, to: tip)
        let subjects = Set(try then.subjects()).union(try tip.subjects())
        var before = SettingsContent()
        var unreadable: Set<Subject> = []
        func read(_ subject: Subject) throws(Problem) {
            if try tip.isUnreadable(subject) { unreadable.insert(subject) } else { before[subject] = try tip.mendable(subject) }
        }
        for subject in subjects where subject != .store || exactly {
            let today = renames[subject] ?? subject
            guard subject.lies(in: places) || today.lies(in: places) else { continue }
            try read(subject)
            if before[subject] == nil, today != subject { try read(today) }
        }
        var after = before
        var replaced: Set<Subject> = []
        var conflicts: [Conflict] = []
        var known = false
        let takenNames = Dictionary(renames.map { ($0.value, $0.key) }) { first, _ in first }
        for subject in subjects.sorted() where subject != .store || exactly {
            // What somebody names keeps the name that it has now.
            let today = exactly && places.isEmpty ? subject : renames[subject] ?? subject
            guard subject.lies(in: places) || today.lies(in: places) else { continue }
            if exactly, !places.isEmpty, let old = takenNames[today], old != subject { continue }
            // What can't be read, and was no different then, stays.
            if unreadable.contains(today), try then.file(of: subject)?.id == tip.file(of: today)?.id, !places.contains(today.key)
            {
                known = true
                continue
            }
            let old = try then.editing { then throws(Problem) in exactly ? try then.item(subject) : try then.mendable(subject) }
            if unreadable.contains(today), exactly || old != nil { replaced.insert(today) }
            known = known || old != nil || before[subject] != nil
            if exactly {
                after[today] = old
            } else if let old, let other = takenNames[today], other != subject {
                conflicts.append(
                    Conflict(
                        subject, title: old.title ?? ExactText(subject.key.name), facet: .existence, base: nil,
                        ours: before[today].map { .item($0) },
                        theirs: .item(old), reason: "its key now belongs to what was \(other.key) at that time"
                    )
                )
            } else if case .option(let old)? = old, case .option(var option)? = before[today] {
                if let conflict = option.takeValue(of: old, today) { conflicts.append(conflict) }
                after[today] = .option(option)
                // What it needs is not its value.
                if places.contains(today.key), after[today] == before[today] { _ = try tip.item(today) }
            } else if let old, before[today] == nil {
                after[today] = old
            }
        }
        if !known, !places.isEmpty {
            throw .history(.wereNever(places))
        }
        return Restored(before: before, after: after, conflicts: conflicts, replaced: replaced)
    }
}

extension SettingsOption {
    /// The value that `old` had, found in today's definition. A conflict where it is no longer offered.
    fileprivate mutating func takeValue(of old: SettingsOption, _ subject: Subject) -> Conflict? {
        func conflict(_ reason: String) -> Conflict {
            Conflict(
                subject, title: title, facet: .value, base: old.value.map { old.content($0) },
                ours: value.map { content($0) }, theirs: old.value.map { old.content($0) }, reason: reason
            )
        }
        guard let wanted = old.value else {
            value = nil
            return nil
        }
        guard old.type == type else { return conflict("its type was \(old.type.rawValue) and is now \(type.rawValue)") }
        var wish: JSON? = wanted
        if type == .choice {
            wish = old.labels.label(of: wanted).flatMap { labels.counterpart(of: $0, in: old.labels) }?.value
        } else if type == .switch {
            wish = wanted == old.offOn.on ? offOn.on : offOn.off
        }
        guard let wish else { return conflict("\(old.label(of: wanted) ?? ExactText(wanted.compact)) is no longer offered") }
        if let fault = fault(of: wish) { return conflict(fault) }
        value = wish
        return nil
    }
}
