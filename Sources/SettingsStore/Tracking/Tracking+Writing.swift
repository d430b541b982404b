import Files
import Git
import SettingsModel

/// What a version writes into the files that are kept in step with it.
extension Tracking {
    /// What becomes of the tracked files where a version changes `before` into `after`, which are what it changes and no more.
    /// `undoing`: the versions that this one undoes, the latest first. `redoing`: those that it redoes, the oldest first.
    /// `restoring`: the one that it restores.
    /// `skipping`: files that the version has a content for already.
    /// Throws all that keeps files of changed options from being written.
    func updates(
        from before: SettingsContent, to after: SettingsContent, renames: [VersionMessage.Rename], undoing: [VersionID],
        redoing: [VersionID], restoring: VersionID?, skipping: Set<String>, at base: Snapshot
    ) throws(Problem) -> [FileUpdate] {
        let changed = Set(before.options.keys).union(after.options.keys).filter { before.options[$0] != after.options[$0] }
        try checkElsewhere(from: before, to: after, renames: renames, at: base)
        let (entries, faults) = try entriesAndFaults(of: after.definition, at: base)
        func isChanged(_ group: Key) -> Bool { changed.contains { $0.isWithin(group) && $0 != group } }
        var problems = faults.filter { $0.group.map(isChanged) ?? false }.map(\.problem)
        var updates: [FileUpdate] = []
        let all = try entries + entriesElsewhere() + adding.map(\.entry).filter(\.isElsewhere)
        // What a file brings is its own, also in a group of which there is another file.
        let brought = Set(adding.flatMap(\.imported.settings.options.keys))
        let followed = undoing.isEmpty && redoing.isEmpty ? [] : try self.entries(at: base)
        var left = undoing.first
        if left == nil, let first = redoing.first { left = try versions.snapshot(first).commit?.parents.first }
        let dropped = followed.filter { old in !entries.contains { $0.path == old.path } }
        for entry in entries + dropped where !skipping.contains(entry.path) && isChanged(entry.file.group) {
            do throws(Problem) {
                guard let (content, text) = try recordedText(entry, at: base) else { continue }
                let group = entry.file.group
                var sides = (
                    before: try relative(before, to: group, with: base), after: try relative(after, to: group, with: base)
                )
                if dropped.contains(entry) {
                    sides.after = try returning(sides.before, entry, undoing: undoing)
                } else if let left, !followed.contains(where: { $0.path == entry.path }) {
                    try checkUnchanged(entry, text, bringing: sides.after, since: left)
                }
                var step = Step(sides, in: text, renames: renames.map { ($0.old.key, $0.new.key) }, below: group)
                for key in step.open where !brought.contains(key.below(group)) {
                    if try owner(of: key.below(group), in: after, all, at: base) == entry { step.puts.insert(key) }
                }
                try step.take(try differing(step, in: text, entry, at: base), entry)
                let former = try former(entry, content, undoing: undoing, restoring: restoring, at: base)
                if let update = try update(step, entry, content, text, former) { updates.append(update) }
            } catch {
                if error.isPassing { throw error }
                problems.append(error)
            }
        }
        if let problem = Problem.tracking(problems) { throw problem }
        return updates
    }

    /// Refuses new values that the program can't have from which the option was imported.
    func checkValues(from before: SettingsContent, to after: SettingsContent) throws(Problem) {
        guard let formats else { return }
        let changed = after.options.filter { key, option in before.options[key].map { $0.value != option.value } ?? false }
        let problems = changed.sorted { $0.key < $1.key }.compactMap { key, option in
            formats.fault(of: option).map { Problem.value(.refused(key, SettingsOption.Refusal($0))) }
        }
        if let problem = Problem.tracking(problems) { throw problem }
    }

    /// What the file and the last version don't agree on already: what it has of commits that are not the store's must not be
    /// written over, and what it lacks is written as well.
    private func differing(
        _ step: Step, in text: TrackedText, _ entry: Entry, at base: Snapshot
    ) throws(Problem) -> (contested: [Key], behind: SettingsContent) {
        let group = entry.file.group
        let removals = try removals(from: text, entry, at: base)
        let known = try options(of: [text] + removals.map(\.text), in: group, at: base, byName: false)
        let differences = try differences(of: text, known, since: removals, entry, at: base)
        if differences.isEmpty { return ([], SettingsContent()) }
        let others = Array(differences.ahead.keys) + differences.contested
        let contested = others.filter { key in
            guard step.changes(key) else { return false }
            guard let member = text.option(at: known.memberPath(of: key)) else {
                return step.sides.after.options[key]?.effectiveValue != nil
            }
            return step.sides.after.options[key].map { !$0.isInStep(with: member) } ?? true
        }
        let both = differences.contested.filter(contested.contains)
        if !both.isEmpty { throw .tracking(.bothChanged(entry.path, both.map { $0.below(group) }.sorted())) }
        var behind = SettingsContent(groups: known.groups)
        for key in differences.behind.keys where !step.changes(key) { behind.options[key] = known.options[key] }
        return (contested.map { $0.below(group) }.sorted(), behind)
    }

    /// What a version changes in one file.
    struct Step {
        private(set) var sides: (before: SettingsContent, after: SettingsContent)
        /// The options whose members are written, with keys relative to the group.
        var puts: Set<Key> = []
        /// The members that go.
        var removed: Set<MemberPath> = []
        /// The members that options stand for under another name than before.
        private var moves: [(old: MemberPath, new: MemberPath)] = []
        /// Options that had no value before and that the file doesn't have.
        var open: [Key] = []

        init(
            _ sides: (before: SettingsContent, after: SettingsContent), in text: TrackedText, renames: [(old: Key, new: Key)],
            below group: Key
        ) {
            self.sides = sides
            for (key, option) in sides.before.options where sides.after.options[key] != option {
                let path = sides.before.memberPath(of: key)
                if text.members[path] != nil { removed.insert(path) }
            }
            for (key, option) in sides.after.options where sides.before.options[key] != option {
                let path = sides.after.memberPath(of: key)
                let old = renames.reversed().reduce(key.below(group)) { $0.moved(from: $1.new, to: $1.old) }
                let former = sides.before.options.keys.first { $0.below(group) == old }
                let formerPath = former.map(sides.before.memberPath).flatMap { text.members[$0] == nil ? nil : $0 }
                if text.members[path] != nil || formerPath != nil {
                    puts.insert(key)
                    if let formerPath, formerPath != path { moves.append((formerPath, path)) }
                } else if (former.flatMap { sides.before.options[$0] })?.effectiveValue == nil, option.effectiveValue != nil {
                    open.append(key)
                }
                removed.remove(path)
            }
        }

        var isNothing: Bool { puts.isEmpty && removed.isEmpty }

        /// Whether members are written of options that have no value.
        var unsetsMembers: Bool { puts.contains { sides.after.options[$0]?.effectiveValue == nil } }

        /// Without a value, what a text doesn't have is removed rather than written as empty or `null`.
        mutating func removeMembers(missingIn text: TrackedText) {
            for key in puts where sides.after.options[key]?.effectiveValue == nil {
                let path = sides.after.memberPath(of: key)
                if text.members[path] != nil { continue }
                puts.remove(key)
                removed.insert(path)
            }
        }

        /// Whether the value of an option changes.
        func changes(_ key: Key) -> Bool {
            sides.before.options[key]?.effectiveValue != sides.after.options[key]?.effectiveValue
        }

        mutating func take(_ found: (contested: [Key], behind: SettingsContent), _ entry: Entry) throws(Problem) {
            if !found.contested.isEmpty { throw .tracking(.hasOthers(entry.path, found.contested)) }
            for (key, option) in found.behind.options where sides.after.options[key] == nil {
                sides.after.options[key] = option
                puts.insert(key)
            }
            sides.after.groups.merge(found.behind.groups) { own, _ in own }
        }

        /// The bytes of a text of the file with this change.
        func applied(to text: TrackedText, _ formats: any FileFormats) throws(Refusal) -> [UInt8] {
            try text.writing(Array(puts), of: sides.after, removing: removed, moving: moves, formats)
        }

        /// The options of this change whose members are other in an edited text than in the recorded one, and not what they become.
        func meets(_ edited: TrackedText, since recorded: TrackedText) -> [Key] {
            var keys: [Key] = []
            for path in removed where edited.option(at: path) != nil && !Self.isSame(edited, recorded, path) {
                if let key = recorded.members[path] { keys.append(key) }
            }
            for key in puts {
                let path = sides.after.memberPath(of: key)
                guard let option = sides.after.options[key], !Self.isSame(edited, recorded, path) else { continue }
                let old = sides.before.options[key]
                if old.map({ $0.effectiveValue == option.effectiveValue }) ?? false { continue }
                if let there = edited.option(at: path), option.isInStep(with: there) { continue }
                keys.append(key)
            }
            return keys.sorted()
        }

        private static func isSame(_ left: TrackedText, _ right: TrackedText, _ path: MemberPath) -> Bool {
            left.option(at: path)?.effectiveValue == right.option(at: path)?.effectiveValue
        }
    }

    /// The file as the version has it: what the last version has, with the members of this change; and the file in the work tree,
    /// which keeps every other edit.
    private func update(
        _ step: Step, _ entry: Entry, _ content: Content, _ text: TrackedText, _ former: Former?
    ) throws(Problem) -> FileUpdate? {
        if step.isNothing { return nil }
        let formats = try known(entry)
        var step = step
        if let former, step.unsetsMembers { step.removeMembers(missingIn: try self.text(former.bytes, of: entry)) }
        var new = try explaining(entry) { () throws(Refusal) in try step.applied(to: text, formats) }
        if let former, new != former.bytes, !former.mayDiffer || former.bytes.isChanged(from: text.bytes, onlyIn: new) {
            let earlier = try self.text(former.bytes, of: entry)
            if try self.text(new, of: entry).means(earlier) { new = former.bytes }
        }
        let there = try bytes(of: entry)
        if new == text.bytes, there == text.bytes { return nil }
        var update = FileUpdate(path: entry.path, file: new, isOld: true)
        update.mode = content.mode
        update.old = .bytes(there)
        // What another program saves meanwhile is an edit of this.
        if there != nil { update.editedFrom = content.id }
        try takeEdits(of: there, in: &update, step, entry, text)
        try checkIndex(entry, content, there, &update)
        return new == text.bytes && update.edited == nil ? nil : update
    }

    /// An earlier text of a file, whose spelling of the same values comes back with them. `mayDiffer`: in more than the values that
    /// change.
    private struct Former {
        var bytes: [UInt8]
        var mayDiffer: Bool
    }

    /// The file before the versions that are undone, if nothing but they changed it since: its bytes are those that an undo gives
    /// back, comments of members that were removed included. Otherwise the file that is restored, or the one before the last version.
    private func former(
        _ entry: Entry, _ content: Content, undoing: [VersionID], restoring: VersionID?, at base: Snapshot
    ) throws(Problem) -> Former? {
        if let restoring {
            guard let old = try versions.snapshot(restoring).content(at: entry.path), old != content, old.mode.isRegular else {
                return nil
            }
            return Former(bytes: try blob(old, of: entry.file), mayDiffer: true)
        }
        var last: Content? = content
        for id in undoing.isEmpty ? [base.id].compactMap({ $0 }) : undoing {
            let version = try versions.snapshot(id)
            guard try version.content(at: entry.path) == last, let parent = version.commit?.parents.first else { return nil }
            last = try versions.snapshot(parent).content(at: entry.path)
        }
        guard let last, last != content, last.mode.isRegular else { return nil }
        return Former(bytes: try blob(last, of: entry.file), mayDiffer: undoing.isEmpty)
    }

    private func takeEdits(
        of there: [UInt8]?, in update: inout FileUpdate, _ step: Step, _ entry: Entry, _ text: TrackedText
    ) throws(Problem) {
        guard let there else {
            // Somebody removed it: that is an edit, too.
            update.isLeft = true
            return
        }
        if there == text.bytes { return }
        if let file = try workTree.unwrittenFile(entry.path, holding: there) {
            guard let base = file.base, let new = update.file else { return }
            guard let laid = try laid(there, entry, from: base, onto: new) else {
                throw .recording(.otherIsHandEdited(entry.path))
            }
            (update.edited, update.editedFrom) = (laid, base)
            return
        }
        let edited = try editedText(there, of: entry)
        let meets = step.meets(edited, since: text)
        if !meets.isEmpty { throw .tracking(.isEdited(entry.path, meets.map { $0.below(entry.file.group) })) }
        let formats = try known(entry)
        let bytes = try explaining(entry) { () throws(Refusal) in try step.applied(to: edited, formats) }
        if bytes == update.file { return }
        (update.edited, update.editedFrom) = (bytes, ObjectID.hash(ofBlob: text.bytes))
    }

    /// What is staged of the file stays staged. A third text of it can't be kept.
    func checkIndex(_ entry: Entry, _ content: Content?, _ there: [UInt8]?, _ update: inout FileUpdate) throws(Problem) {
        guard let staged = try staged(entry), staged.id != content?.id else { return }
        guard let there, staged.id == ObjectID.hash(ofBlob: there) else {
            if try isEarlier(staged, entry) { return }
            throw .tracking(.isStagedOtherwise(entry.path))
        }
        update.staged = update.edited
    }

    /// Whether an earlier version had this content: the index was left behind, as where a process died before it wrote it and somebody
    /// committed other files since. Nothing is lost with that.
    private func isEarlier(_ content: Content, _ entry: Entry) throws(Problem) -> Bool {
        var snapshot = try versions.tip()
        for _ in 0..<Self.earlierLimit {
            guard let parent = snapshot.commit?.parents.first else { return false }
            snapshot = try versions.snapshot(parent)
            if try snapshot.content(at: entry.path)?.id == content.id { return true }
        }
        return false
    }

    private static let earlierLimit = 1000

    /// What git's index has of a file; nil where it has nothing.
    func staged(_ entry: Entry) throws(Problem) -> Content? {
        let folder = entry.path.contains("/") ? FileSystem.folder(of: entry.path) : ""
        let names = try git(versions.repository.index.contents(under: folder)) ?? [:]
        guard let content = names[FileSystem.name(of: entry.path)] else { return nil }
        guard let content else { throw .tracking(.isStagedOtherwise(entry.path)) }
        return content
    }

    /// A file of which git's index has something else than a version.
    func stagedFile(since tip: Snapshot) throws(Problem) -> String? {
        for entry in try entries(at: tip) {
            let (staged, recorded) = (try staged(entry), try tip.content(at: entry.path))
            if staged != recorded { return entry.path }
        }
        return nil
    }

    /// Refuses to track a file again whose members of these options are no longer as they were in the version from which on it was
    /// not tracked.
    private func checkUnchanged(
        _ entry: Entry, _ text: TrackedText, bringing options: SettingsContent, since id: VersionID
    ) throws(Problem) {
        guard let (_, old) = try readableText(entry, at: versions.snapshot(id)), old.bytes != text.bytes else { return }
        let changed = options.options.filter { key, option in
            let path = options.memberPath(of: key)
            let (member, former) = (text.option(at: path), old.option(at: path))
            return member?.effectiveValue != former?.effectiveValue && !(member.map { option.isInStep(with: $0) } ?? false)
        }
        if !changed.isEmpty {
            throw .tracking(.isChangedSinceTracked(entry.path, changed.keys.map { $0.below(entry.file.group) }.sorted()))
        }
    }

    /// The options of a file that versions began to track which are undone, with the values that the file had before them.
    private func returning(
        _ options: SettingsContent, _ entry: Entry, undoing: [VersionID]
    ) throws(Problem) -> SettingsContent {
        var content = options
        guard let first = undoing.last, let parent = try versions.snapshot(first).commit?.parents.first,
            let (_, text) = try readableText(entry, at: versions.snapshot(parent))
        else { return content }
        for (key, option) in options.options {
            guard let member = text.option(at: options.memberPath(of: key)) else { continue }
            content.options[key] = option.showing(member)
        }
        return content
    }
}
