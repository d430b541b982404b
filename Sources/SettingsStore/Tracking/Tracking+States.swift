import Files
import Git
package import SettingsModel

/// How tracked files and the store stand.
extension Tracking {
    /// All tracked files, as the last version and the work tree have them. What is wrong with one is in its state.
    package func states() throws(Problem) -> [TrackedState] {
        let tip = try versions.tip()
        let (entries, faults) = try entriesAndFaults(at: tip)
        let own = try entries.map { entry throws(Problem) in try state(of: entry, at: tip) } + faults.map(TrackedState.init)
        return try own + entriesElsewhere().map { entry throws(Problem) in try stateElsewhere(of: entry, at: tip) }
    }

    private func state(of entry: Entry, at tip: Snapshot) throws(Problem) -> TrackedState {
        var state = TrackedState(entry.file, at: entry.path)
        do throws(Problem) {
            guard let (content, text) = try recordedText(entry, at: tip) else {
                state.absence = .notInHistory(isThere: try bytes(of: entry) != nil)
                return state
            }
            if try lacksOptions(entry, text, at: tip) {
                state.absence = .withoutOptions
                return state
            }
            try compare(text, entry, at: tip, &state)
            if let edits = try edits(of: entry, content, text, at: tip) {
                state.edits = edits.after.changes(since: edits.before)
                state.hasOtherEdits = edits.hasOthers
                state.gone = edits.gone
            } else {
                let there = try bytes(of: entry)
                if try workTree.isUnwritten(entry.path, holding: there), there != text.bytes {
                    state.absence = .notWritten
                } else if there == nil, try !workTree.skippedPaths.contains(entry.path) {
                    state.absence = .missing
                }
            }
        } catch {
            if error.isPassing { throw error }
            let isInConflict = (try? versions.repository.index.conflicts().contains { $0.path == entry.path }) ?? false
            state.problem = isInConflict ? .tracking(.isInConflict(entry.path)) : error
        }
        return state
    }

    /// Whether the group of a file has no option, though the file has members that were some: plain git removed or renamed it.
    func lacksOptions(_ entry: Entry, _ text: TrackedText, at tip: Snapshot) throws(Problem) -> Bool {
        guard text.members.values.contains(where: { !text.secrets.contains($0) }) else { return false }
        return try tip.subjects(in: entry.file.group).options.isEmpty
    }

    /// Of the files of these options' groups, those that the work tree does not have, though nothing failed.
    func missing(for keys: Set<Key>) throws(Problem) -> [TrackingProblem] {
        if keys.isEmpty { return [] }
        let tip = try versions.tip()
        var missing: [TrackingProblem] = []
        for entry in try entries(at: tip) {
            let group = entry.file.group
            guard keys.contains(where: { $0.isWithin(group) && $0 != group }), try bytes(of: entry) == nil else { continue }
            if try tip.content(at: entry.path) == nil {
                missing.append(.isNotInHistory(entry.path, isThere: false))
            } else if try isRemoved(entry) {
                missing.append(.isRemoved(entry.path))
            }
        }
        return missing
    }

    /// Whether somebody removed a file that isn't there.
    private func isRemoved(_ entry: Entry) throws(Problem) -> Bool {
        if try workTree.skippedPaths.contains(entry.path) { return false }
        return try !workTree.isUnwritten(entry.path, holding: nil)
    }

    /// The options of a version that these texts have members of, with keys relative to the group. `byName`: also those that go by
    /// another name than their members.
    func options(
        of texts: [TrackedText], in group: Key, at snapshot: Snapshot, byName: Bool = true
    ) throws(Problem) -> SettingsContent {
        var open = Set(texts.flatMap(\.members.keys))
        let paths = open
        var found = SettingsContent()
        func take(_ keys: some Sequence<Key>) throws(Problem) {
            var content = SettingsContent()
            for key in keys {
                if let option = try snapshot.readable(.option(key), acceptingAnyValue: true)?.option {
                    content.options[key] = option
                }
            }
            let own = try relative(content, to: group, with: snapshot)
            for (key, option) in own.options {
                let path = own.memberPath(of: key)
                guard paths.contains(path), open.remove(path) != nil else { continue }
                found.options[key] = option
            }
            found.groups.merge(own.groups) { $1 }
        }
        try take(Set(texts.flatMap(\.members.values).map { $0.below(group) }))
        if byName, !open.isEmpty { try take(try snapshot.subjects(in: group).options) }
        return found
    }

    /// What a text changes of options, and what else it does.
    struct Edits {
        var before = SettingsContent()
        var after = SettingsContent()
        /// Options whose members were removed, which are not set in `after`.
        var gone: [Key] = []
        /// Options that the store has changed as well since the file was last in step.
        var contested: [Key] = []
        var hasOthers = false
        /// What looks like secrets in a file that only its owner may read, and is in no version yet.
        var secrets: [Key] = []
        /// The file with these changes and no others; nil where it can't be written like that, and why.
        var written: [UInt8]?
        var refusal: Problem?
        /// The file as it is.
        var bytes: [UInt8]
    }

    /// What was edited in the file since the last version; nil where nothing was. `places`: only of these options. `acceptsAll`: also
    /// values that an option can't have.
    func edits(
        of entry: Entry, _ content: Content, _ text: TrackedText, in places: [Key] = [], at tip: Snapshot,
        acceptsAll: Bool = false
    ) throws(Problem) -> Edits? {
        guard let there = try bytes(of: entry), there != text.bytes, !ExpectedContent.content(content).matches(there) else {
            return nil
        }
        if !entry.isElsewhere, try workTree.isUnwritten(entry.path, holding: there) { return nil }
        let edited = try editedText(there, of: entry)
        return try edits(from: text, to: edited, entry, in: places, at: tip, acceptsAll: acceptsAll)
    }

    func edits(
        from text: TrackedText, to edited: TrackedText, _ entry: Entry, in places: [Key], at tip: Snapshot,
        acceptsAll: Bool = false
    ) throws(Problem) -> Edits {
        let group = entry.file.group
        let formats = try known(entry)
        let known = try options(of: [text, edited], in: group, at: tip)
        let keys = Dictionary(known.options.keys.map { (known.memberPath(of: $0), $0) }) { first, _ in first }
        let isPrivate = try self.isPrivate(entry)
        var edits = Edits(written: text.bytes, bytes: edited.bytes)
        var own = SettingsContent(groups: edited.settings.groups.merging(known.groups) { $1 })
        var rivals = Rivals(group: group)
        var respelled: Set<Key> = []
        for (path, place) in edited.members.sorted(by: { $0.value < $1.value }) {
            guard let member = edited.settings.options[place] else { continue }
            let old = text.option(at: path)
            if old.map({ JSON.means($0.effectiveValue ?? .null, member.effectiveValue ?? .null) }) ?? false { continue }
            if let key = keys[path], var option = known.options[key] {
                let full = key.below(group)
                guard Subject.option(full).lies(in: places), !option.isInStep(with: member) else { continue }
                if entry.isElsewhere, let old, !option.isInStep(with: old) { edits.contested.append(full) }
                edits.before.options[full] = option
                option = acceptsAll ? option.showing(member) : try taking(member, in: option, full, entry)
                edits.after.options[full] = option
                own.options[key] = option
            } else if old == nil, let spelling = path.names.last, !(isPrivate && edited.secrets.contains(place)) {
                var (place, option) = (place, member)
                if let rival = try rivals.key(like: place, at: tip) {
                    let isThere = known.options[rival] != nil && edited.members[known.memberPath(of: rival)] != nil
                    var former = known.options[rival]
                    if former == nil, let unset = try tip.option(rival.below(group)), unset.value == nil { former = unset }
                    // The member that the option with this name had is spelled otherwise now.
                    if let former, !isThere, respelled.insert(rival).inserted {
                        place = rival
                        edits.before.options[place.below(group)] = former
                        option = acceptsAll ? former.showing(member) : try taking(member, in: former, place.below(group), entry)
                        option.other[entry.file.note] = member.other[entry.file.note]
                    } else {
                        place = (try? place.group.appending(Key.apart(place.name, spelling.string))) ?? place
                    }
                    option.other["key"] = place.name == spelling.string ? nil : .string(spelling)
                }
                let full = place.below(group)
                guard Subject.option(full).lies(in: places) else { continue }
                edits.after.options[full] = option
                own.options[place] = option
                for above in place.enclosingGroups where try !tip.has(.group(above.below(group))) {
                    edits.after.groups[above.below(group)] = edited.settings.groups[above]
                }
            }
        }
        var removed: Set<MemberPath> = []
        for (path, key) in keys where text.members[path] != nil && edited.members[path] == nil {
            let full = key.below(group)
            guard Subject.option(full).lies(in: places), var option = known.options[key] else { continue }
            removed.insert(path)
            if option.value == nil || respelled.contains(key) { continue }
            edits.before.options[full] = option
            option.value = nil
            edits.after.options[full] = option
            edits.gone.append(full)
        }
        edits.gone.sort()
        if isPrivate {
            for path in edited.secrets(since: text) where !entry.isElsewhere || keys[path] != nil {
                // An option that was made of it on purpose is masked, or held one before.
                let option = keys[path].flatMap { known.options[$0] }
                if let option, option.isMasked || text.members[path].map(text.secrets.contains) ?? false { continue }
                if let key = keys[path] ?? edited.members[path] { edits.secrets.append(key.below(group)) }
            }
            edits.secrets.sort()
        }
        let (content, gone) = (own, removed)
        do throws(Problem) {
            var written = try explaining(entry) { () throws(Refusal) in
                try text.writing(Array(content.options.keys), of: content, removing: gone, formats)
            }
            // What was edited is spelled as it was by hand.
            let isSpelling =
                edits.secrets.isEmpty && edited.bytes.isChanged(from: text.bytes, onlyIn: written)
                && edited.bytes.commentLines == written.commentLines
            if isSpelling { written = edited.bytes }
            edits.written = written
        } catch {
            // The file can only be recorded, or put back, as a whole.
            if error.isPassing { throw error }
            (edits.written, edits.refusal) = (nil, error)
        }
        // What is no option in a file that no version has is the file's own affair.
        edits.hasOthers = !entry.isElsewhere && edits.written != nil && edits.written != edits.bytes
        return edits
    }

    /// The options and groups of a group by their names in lower case.
    private struct Rivals {
        let group: Key
        private var keys: [Key: Key]?

        init(group: Key) { self.group = group }

        /// The one whose name differs from this one's in case at most, with keys relative to the group.
        mutating func key(like place: Key, at tip: Snapshot) throws(Problem) -> Key? {
            if keys == nil {
                let relative = try tip.subjects(in: group).map { $0.key.moved(from: group, to: .root) }
                keys = Dictionary(relative.map { ($0.folded, $0) }) { first, _ in first }
            }
            return keys?[place.folded]
        }
    }

    /// The option with what a member of a file sets.
    func taking(
        _ member: SettingsOption, in option: SettingsOption, _ key: Key, _ entry: Entry, isRecorded: Bool = false
    ) throws(Problem) -> SettingsOption {
        do throws(SettingsOption.Refusal) { return try option.taking(member) } catch {
            throw .tracking(.isUnfitting(entry.path, key, reason: error.reason, entry.file, recorded: isRecorded))
        }
    }

    /// Whether secrets stay in a file, which git ignores or only its owner may read.
    func isPrivate(_ entry: Entry) throws(Problem) -> Bool {
        try isPrivate(entry.isElsewhere ? entry.path : workTree.root.full(entry.path))
    }

    /// `path`: absolute.
    func isPrivate(_ path: String) throws(Problem) -> Bool {
        guard let found = try onDisk(FileSystem.attributes(of: path, following: true)) else { return false }
        if found.isPrivate { return true }
        return try isIgnored(path)
    }
}

extension [UInt8] {
    /// The lines that look like comments in the formats that are edited in place.
    fileprivate var commentLines: [ArraySlice<UInt8>] {
        split(separator: 10).filter { line in
            let text = line.drop { $0 == 0x20 || $0 == 9 }
            return ["#", ";", "//", "/*", "<!--"].contains { text.starts(with: $0.utf8) }
        }
    }

    /// Whether all lines in which it differs from `old` are among those in which `other` does.
    func isChanged(from old: [UInt8], onlyIn other: [UInt8]) -> Bool {
        if other == old { return false }
        let lines = [old, self, other].map { $0.split(separator: 10, omittingEmptySubsequences: false) }
        func same(_ new: [ArraySlice<UInt8>]) -> (first: Int, last: Int) {
            (zip(lines[0], new).prefix { $0 == $1 }.count, zip(lines[0].reversed(), new.reversed()).prefix { $0 == $1 }.count)
        }
        let (own, others) = (same(lines[1]), same(lines[2]))
        // The first line of a value of several lines may be the same in one of them.
        let isLonger = Set(lines.map(\.count)).count > 1
        return own.first >= others.first - (isLonger ? 1 : 0) && own.last >= others.last
    }
}
