import Files
import Git
import SettingsModel

/// All tracked files against the store, with three sides: what both last agreed on, what the file says and what the store says.
extension Tracking {
    /// How files and store are brought together where both differ.
    struct Wish {
        /// The side that is asked for wins over the other one.
        var overwrites = false
        /// What the other side lacks goes.
        var prunes = false
    }

    /// Files that differ from the store, for the direction that brings the store what they have. Throws what a person must decide.
    func checkAgreement(_ states: [TrackedState], overwrites: Bool) throws(Problem) {
        if overwrites { return }
        for state in states where !state.contested.isEmpty { throw .tracking(.bothChanged(state.path, state.contested)) }
    }

    /// The edit that brings the store what tracked files say: their edits, members that are no options yet, and, where the wish is
    /// to overwrite, what both have changed.
    func importing(_ wish: Wish, at tip: Snapshot) throws(Problem) -> Edit {
        var (before, after) = (SettingsContent(), SettingsContent())
        var edit = Edit([])
        for entry in try entries(at: tip) + entriesElsewhere() {
            var recorded = try recordedText(entry, at: tip)
            if recorded == nil { recorded = try unknown(entry) }
            guard let (content, text) = recorded else { continue }
            let there = try bytes(of: entry) ?? text.bytes
            let now = there == text.bytes ? text : try editedText(there, of: entry)
            let group = entry.file.group
            let known = try options(of: [text, now], in: group, at: tip)
            let keys = Dictionary(known.options.keys.map { (known.memberPath(of: $0), $0) }) { first, _ in first }
            let isPrivate = try isPrivate(entry)
            let behind =
                wish.overwrites || entry.isElsewhere ? [:] : try differences(of: text, known, since: [], entry, at: tip).behind
            var own = SettingsContent(groups: now.settings.groups.merging(known.groups) { $1 })
            for (path, place) in now.members {
                guard let member = now.settings.options[place] else { continue }
                if let key = keys[path], var option = known.options[key] {
                    let isEdited = text.option(at: path)?.effectiveValue != member.effectiveValue
                    guard !option.isInStep(with: member), isEdited || wish.overwrites || !entry.isElsewhere && behind[key] == nil
                    else {
                        continue
                    }
                    let full = key.below(group)
                    let isSecret = now.secrets.contains(place) && !text.secrets.contains(place)
                    if isPrivate, isSecret, !option.isMasked {
                        throw .tracking(.holdsSecrets(entry.path, [full], group: group))
                    }
                    before.options[full] = option
                    option = try taking(member, in: option, full, entry)
                    after.options[full] = option
                    own.options[key] = option
                } else if keys[path] == nil, !(isPrivate && now.secrets.contains(place)),
                    try !tip.has(.option(place.below(group)))
                {
                    after.options[place.below(group)] = member
                    own.options[place] = member
                    for above in place.enclosingGroups where try !tip.has(.group(above.below(group))) {
                        after.groups[above.below(group)] = now.settings.groups[above]
                    }
                }
            }
            if entry.isElsewhere { continue }
            var removed: Set<MemberPath> = []
            for (path, key) in keys where wish.prunes && now.members[path] == nil {
                before.options[key.below(group)] = known.options[key]
                removed.insert(path)
            }
            let wanted = own
            let formats = try self.known(entry)
            let new = try explaining(entry) { () throws(Refusal) in
                try text.writing(Array(wanted.options.keys), of: wanted, removing: removed, formats)
            }
            guard new != text.bytes else {
                if !own.options.isEmpty || !removed.isEmpty { edit.inFiles.insert(entry.path) }
                continue
            }
            var update = FileUpdate(path: entry.path, file: new, mode: content.mode)
            update.old = .bytes(there)
            if new == there { update.isDraft = true } else { (update.isLeft, update.edited) = (true, there) }
            try checkIndex(entry, content, there, &update)
            edit.files.append(update)
        }
        edit.changes = after.changes(since: before)
        edit.sides = (before, after)
        edit.touched = before.subjects.union(after.subjects)
        return edit
    }

    /// A file of which nobody knows what was written last, as it is.
    private func unknown(_ entry: Entry) throws(Problem) -> (content: Content, text: TrackedText)? {
        guard entry.isElsewhere, let there = try bytesElsewhere(entry.path), let id = ObjectID.hash(ofBlob: there) else {
            return nil
        }
        return (Content(id: id, mode: .blob), try text(there, of: entry))
    }

    /// The edit that brings tracked files what the store says. What only a file changed stays there, unless the wish is to
    /// overwrite it. `kept`: what stays, with the file that has it.
    func exporting(_ wish: Wish, at tip: Snapshot) throws(Problem) -> (edit: Edit, kept: [(path: String, changes: [Change])]) {
        var edit = Edit([])
        var kept: [(path: String, changes: [Change])] = []
        for entry in try entries(at: tip) {
            guard let (content, text) = try recordedText(entry, at: tip) else { continue }
            let group = entry.file.group
            let there = try bytes(of: entry)
            if let file = try workTree.unwrittenFile(entry.path, holding: there) { throw .file(.failed(file.failure)) }
            let now =
                try there.map { there throws(Problem) in there == text.bytes ? text : try editedText(there, of: entry) } ?? text
            let removals = try removals(from: text, entry, at: tip)
            let known = try options(of: [now, text] + removals.map(\.text), in: group, at: tip)
            let differences = try differences(of: text, known, since: removals, entry, at: tip)
            var keys = Set(differences.behind.keys)
            if wish.overwrites { keys.formUnion(Array(differences.ahead.keys) + differences.contested) }
            var removed: Set<MemberPath> = []
            if wish.prunes {
                let named = Set(known.options.keys.map { known.memberPath(of: $0) })
                removed = Set(text.members.keys).union(now.members.keys).subtracting(named)
            }
            let formats = try self.known(entry)
            func written(_ text: TrackedText, _ keys: Set<Key>) throws(Problem) -> [UInt8] {
                try explaining(entry) { () throws(Refusal) in
                    try text.writing(Array(keys), of: known, removing: removed.intersection(text.members.keys), formats)
                }
            }
            let edited = known.options.keys.filter { key in
                let path = known.memberPath(of: key)
                guard let member = now.option(at: path) else {
                    return text.members[path] != nil && known.options[key]?.value != nil
                }
                return text.option(at: path)?.effectiveValue != member.effectiveValue
                    && known.options[key]?.isInStep(with: member) == false
            }
            if !wish.overwrites {
                let left = edited.filter { !keys.contains($0) } + differences.ahead.keys
                if let meets = edited.first(where: keys.contains) {
                    throw .tracking(.bothChanged(entry.path, [meets.below(group)]))
                }
                var (store, file) = (SettingsContent(), SettingsContent())
                for key in left {
                    guard var option = known.options[key] else { continue }
                    store.options[key.below(group)] = option
                    if let member = now.option(at: known.memberPath(of: key)) {
                        option = option.showing(member)
                    } else {
                        option.value = nil
                    }
                    file.options[key.below(group)] = option
                }
                let changes = file.changes(since: store)
                if !changes.isEmpty { kept.append((entry.path, changes)) }
            }
            let new = try written(text, keys)
            let here = try written(now, wish.overwrites ? keys.union(edited) : keys)
            if new == text.bytes, here == there { continue }
            var update = FileUpdate(path: entry.path, file: new, mode: content.mode, isOld: true)
            update.old = .bytes(there)
            if here != new { (update.edited, update.editedFrom) = (here, content.id) }
            if there != nil { try checkIndex(entry, content, there, &update) }
            edit.files.append(update)
        }
        let names = edit.files.map(\.path)
        edit.subject = "export \(names.count > 3 ? "\(names.count) files" : names.joined(separator: ", "))"
        edit.needsWhy = false
        return (edit, kept)
    }
}
