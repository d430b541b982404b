import Files
import Git
import SettingsModel

/// Files outside the work tree, and those that git ignores: no version has them, and they are written once a version is recorded.
extension Tracking {
    /// How this store is known to its person's own files; nil where the system doesn't tell.
    var place: PersonalFiles.Place? {
        guard let repository = try? FileSystem.attributes(of: versions.repository.git.commonDirectory, following: true) else {
            return nil
        }
        return PersonalFiles.Place(store: versions.folder.resolvedPath, repository: repository.identity)
    }

    func entriesElsewhere() throws(Problem) -> [Entry] {
        guard let personal, let place, versions.folder.bareRepository == nil else { return [] }
        return try personal.files(of: place).map { Entry(file: $0, path: $0.file, isElsewhere: true) }
    }

    /// What was last written into such a file; nil where nobody knows.
    func base(of entry: Entry) throws(Problem) -> TrackedText? {
        guard let personal, let place, let bytes = try personal.base(of: entry.file, place) else { return nil }
        return try text(bytes, of: entry)
    }

    func bytesElsewhere(_ path: String) throws(Problem) -> [UInt8]? {
        let bytes = try onDisk(FileSystem.bytes(of: (try? FileSystem.resolved(path)) ?? path, atMost: TrackedFile.sizeLimit + 1))
        if let bytes, bytes.count > TrackedFile.sizeLimit {
            throw .tracking(.refused(path, Refusal("is larger than 1 MiB", in: path)))
        }
        return bytes
    }

    /// As root, nothing is written where another user could have put a link, or a file of their own, in between.
    private func checkIsOwn(_ path: String) throws(Problem) {
        guard ThisProcess.user == 0 else { return }
        let real = (try? FileSystem.resolved(path)) ?? path
        for start in [path, real] {
            for place in FileSystem.folders(upFrom: start) {
                guard let found = try onDisk(FileSystem.attributes(of: place)) else { continue }
                if found.owner != 0 || found.isWritableByOthers && found.kind != .link { throw .tracking(.isOthers(place)) }
            }
        }
    }

    func write(_ bytes: [UInt8], to entry: Entry, over old: [UInt8]) throws(Problem) {
        try checkIsOwn(entry.path)
        guard try forWriting(OutputFile.rewrite(bytes, at: entry.path, over: old)) else {
            throw .recording(.otherIsHandEdited(entry.path))
        }
    }

    /// Refuses what a version would write over in such a file.
    func checkElsewhere(
        from before: SettingsContent, to after: SettingsContent, renames: [VersionMessage.Rename], at base: Snapshot
    ) throws(Problem) {
        for entry in try entriesElsewhere() where isConcerned(entry, before, after) {
            guard let (text, edited) = try edited(entry) else { continue }
            let group = entry.file.group
            let sides = (try relative(before, to: group, with: base), try relative(after, to: group, with: base))
            let step = Step(sides, in: text, renames: renames.map { ($0.old.key, $0.new.key) }, below: group)
            let meets = step.meets(edited, since: text)
            let both = meets.filter { key in
                let option = step.sides.before.options[key]
                return text.option(at: step.sides.before.memberPath(of: key)).map { option?.isInStep(with: $0) == false } ?? false
            }
            if !both.isEmpty { throw .tracking(.bothChanged(entry.path, both.map { $0.below(group) })) }
            if !meets.isEmpty { throw .tracking(.isEdited(entry.path, meets.map { $0.below(group) })) }
        }
    }

    private func isConcerned(_ entry: Entry, _ before: SettingsContent, _ after: SettingsContent) -> Bool {
        Set(before.options.keys).union(after.options.keys).contains { key in
            key.isWithin(entry.file.group) && key != entry.file.group && before.options[key] != after.options[key]
        }
    }

    /// What was last written and what the file holds; nil where that is the same or isn't known.
    private func edited(_ entry: Entry) throws(Problem) -> (text: TrackedText, edited: TrackedText)? {
        guard let text = try base(of: entry), let there = try bytesElsewhere(entry.path), there != text.bytes else { return nil }
        return (text, try editedText(there, of: entry))
    }

    /// How such files are written.
    struct ElsewhereWish {
        /// Edits of the files are overwritten.
        var overwrites = false
        /// Files that somebody removed are written again.
        var restores = false
        var isDryRun = false
    }

    /// What was written into such files.
    struct Brought {
        var written: [TrackedWriting] = []
        /// What only a file has.
        var kept: [(path: String, changes: [Change])] = []
        /// What could not be written, and why.
        var failed: [(path: String, problem: Problem)] = []
    }

    /// Writes what the last version has into such files. `changed`: the options that it may have added.
    func bringElsewhere(_ changed: Set<Key>, _ wish: ElsewhereWish = ElsewhereWish()) throws(Problem) -> Brought {
        let entries = try entriesElsewhere()
        var brought = Brought()
        if entries.isEmpty { return brought }
        let tip = try versions.tip()
        for entry in entries {
            do throws(Problem) { try bring(entry, changed, entries, wish, at: tip, &brought) } catch {
                if error.kind == .interrupted { throw error }
                brought.failed.append((entry.path, error))
            }
        }
        return brought
    }

    private func bring(
        _ entry: Entry, _ changed: Set<Key>, _ entries: [Entry], _ wish: ElsewhereWish, at tip: Snapshot, _ brought: inout Brought
    ) throws(Problem) {
        let group = entry.file.group
        let last = try base(of: entry)
        let found = try bytesElsewhere(entry.path)
        guard let there = found ?? (wish.restores ? last?.bytes : nil) else {
            throw .tracking(.isMissing(entry.path, entry.file))
        }
        let now = try editedText(there, of: entry)
        let base = last ?? now
        var known = try options(of: [base, now], in: group, at: tip)
        // An undo of the version that tracked the file, a removed group, or one that was renamed elsewhere: no reason to empty it.
        if known.options.isEmpty, !wish.overwrites, base.members.values.contains(where: { !base.secrets.contains($0) }) {
            throw .tracking(.hasNoOptions(entry.path, group))
        }
        var (puts, meets, kept): (Set<Key>, [Key], Set<Key>) = ([], [], [])
        var dropped: Set<MemberPath> = []
        for (key, option) in known.options {
            let path = known.memberPath(of: key)
            let (old, new) = (base.option(at: path), now.option(at: path))
            if new == nil, option.value == nil {
                dropped.insert(path)
                continue
            }
            if let old, option.isInStep(with: old), !wish.overwrites || old.effectiveValue == new?.effectiveValue {
                if let new, !option.isInStep(with: new) { kept.insert(key) }
                continue
            }
            // Where nobody knows what was written last, nobody knows who changed what.
            let isEdited = last == nil || new?.effectiveValue != old?.effectiveValue
            if let new, !wish.overwrites, isEdited, !option.isInStep(with: new) {
                meets.append(key.below(group))
            } else {
                puts.insert(key)
            }
        }
        let matched = Set(known.options.keys.map { $0.below(group) })
        let all = try self.entries(at: tip) + entries
        for key in changed where key.isWithin(group) && key != group && !matched.contains(key) {
            guard let option = try tip.readable(.option(key))?.option, option.effectiveValue != nil else { continue }
            let content = SettingsContent(options: [key: option])
            guard try owner(of: key, in: content, all, at: tip) == entry else { continue }
            let one = try relative(content, to: group, with: tip)
            known.options.merge(one.options) { own, _ in own }
            known.groups.merge(one.groups) { own, _ in own }
            puts.formUnion(one.options.keys)
        }
        let named = Set(known.options.keys.map { known.memberPath(of: $0) })
        // What looks like a secret was left in the file.
        let removed = Set(base.members.filter { !named.contains($0.key) && !base.secrets.contains($0.value) }.keys).union(dropped)
        let formats = try self.known(entry)
        let wanted = known
        func written(_ text: TrackedText) throws(Problem) -> [UInt8] {
            try explaining(entry) { () throws(Refusal) in
                try text.writing(Array(puts), of: wanted, removing: removed.intersection(text.members.keys), formats)
            }
        }
        let new = try written(now)
        if new != found {
            brought.written.append(
                TrackedWriting(
                    path: entry.path, changes: changes(puts, of: known, in: now, below: group, toFile: false), isNew: found == nil
                ))
        }
        if !kept.isEmpty { brought.kept.append((entry.path, changes(kept, of: known, in: now, below: group, toFile: true))) }
        if !wish.isDryRun {
            if found == nil { try create(new, at: entry) } else if new != there { try write(new, to: entry, over: there) }
            let written = try written(base)
            if let personal, let place, try personal.base(of: entry.file, place) != written {
                try personal.setBase(written, of: entry.file, place)
            }
        }
        if !meets.isEmpty { throw .tracking(.bothChanged(entry.path, meets.sorted())) }
    }

    /// What differs between options and their members of a file, as changes of the one or the other.
    private func changes(
        _ keys: Set<Key>, of known: SettingsContent, in text: TrackedText, below group: Key, toFile: Bool
    ) -> [Change] {
        var (store, file) = (SettingsContent(), SettingsContent())
        for key in keys {
            guard let option = known.options[key] else { continue }
            store.options[key.below(group)] = option
            if let member = text.option(at: known.memberPath(of: key)) {
                file.options[key.below(group)] = option.isInStep(with: member) ? option : option.showing(member)
            }
        }
        return toFile ? file.changes(since: store) : store.changes(since: file)
    }

    /// Writes a file that isn't there any more. Nobody knows who else could read it.
    private func create(_ bytes: [UInt8], at entry: Entry) throws(Problem) {
        try checkIsOwn(entry.path)
        try forWriting(Folder.make(FileSystem.folder(of: entry.path)))
        try forWriting(FileSystem.replace(entry.path, with: bytes, .strict, isPrivate: true))
    }

    /// How such a file and the last version stand.
    func stateElsewhere(of entry: Entry, at tip: Snapshot) throws(Problem) -> TrackedState {
        var state = TrackedState(entry.file, at: entry.path)
        do throws(Problem) {
            guard let there = try bytesElsewhere(entry.path) else {
                state.absence = .missing
                return state
            }
            let group = entry.file.group
            let now = try editedText(there, of: entry)
            let base = try base(of: entry)
            if try lacksOptions(entry, base ?? now, at: tip) {
                state.absence = .withoutOptions
                return state
            }
            let known = try options(of: [base ?? now, now], in: group, at: tip)
            for (key, option) in known.options {
                let path = known.memberPath(of: key)
                guard let member = base == nil ? now.option(at: path) : base?.option(at: path), !option.isInStep(with: member)
                else {
                    continue
                }
                let isEdited = base == nil || now.option(at: path)?.effectiveValue != member.effectiveValue
                if isEdited, now.option(at: path).map(option.isInStep) ?? (option.value == nil) { continue }
                if isEdited {
                    state.contested.append(key.below(group))
                } else {
                    try addPending(key, option, member, group, tip, &state)
                }
            }
            state.contested.sort()
            if let base, base.bytes != there {
                let edits = try edits(from: base, to: now, entry, in: [], at: tip)
                state.edits = edits.after.changes(since: edits.before).filter { !state.contested.contains($0.subject.key) }
                (state.hasOtherEdits, state.gone) = (edits.hasOthers, edits.gone)
            }
        } catch {
            if error.isPassing { throw error }
            state.problem = error
        }
        return state
    }

    private func addPending(
        _ key: Key, _ option: SettingsOption, _ member: SettingsOption, _ group: Key, _ tip: Snapshot, _ state: inout TrackedState
    ) throws(Problem) {
        guard let id = tip.id else { return }
        let old = option.showing(member)
        let full = key.below(group)
        let author = try versions.version(id).author
        state.behind += SettingsContent(options: [full: option]).changes(since: SettingsContent(options: [full: old])).map {
            TrackedState.Difference($0, id, by: author)
        }
    }
}

extension Tracking {
    /// Returns whether the file was not tracked before.
    func remember(_ file: TrackedFile, _ bytes: [UInt8], isDryRun: Bool) throws(Problem) -> Bool {
        guard let personal, let place else { throw .tracking(.hasNoHome) }
        let isNew = try !personal.files(of: place).contains(file)
        if !isDryRun { try personal.track(file, bytes, of: place) }
        return isNew
    }

    /// Files go with their groups, which a version renamed.
    func moveElsewhere(_ renames: [(old: Subject, new: Subject)]) throws(Problem) {
        guard let personal, let place, !renames.isEmpty else { return }
        try personal.move(renames, of: place)
    }

    func forget(_ path: String) {
        guard let personal, let place else { return }
        _ = try? personal.untrack(path, of: place)
    }

    /// The options of the groups that such files are for.
    func optionsElsewhere() throws(Problem) -> [Key] {
        let tip = try versions.tip()
        var keys: [Key] = []
        for entry in try entriesElsewhere() where !entry.file.group.isRoot {
            keys += try tip.subjects(in: entry.file.group).options
        }
        return keys
    }
}
