import Files
import Git
import SettingsModel

/// Tracked files that both sides of a merge changed, and edits of them that stay in the work tree.
extension Tracking {
    /// What a merge makes of options: those that it decides, and our version, which has the others.
    struct Merged {
        var settings: SettingsContent
        /// What our version has of all that differs between the sides.
        var ours: SettingsContent
        var versions: (base: Snapshot, ours: Snapshot, theirs: Snapshot)
        /// Which side wins where both changed what a file is ahead with.
        var side: MergeWish.Side?

        func option(_ key: Key) throws(Problem) -> SettingsOption? {
            if let option = settings.options[key] { return option }
            if ours.options[key] != nil { return nil }
            return try versions.ours.readable(.option(key))?.option
        }

        /// Whether any of the versions has an option of that key. Most are known from the merge, and no file is read.
        func knows(_ key: Key) throws(Problem) -> Bool {
            if settings.options[key] != nil || ours.options[key] != nil { return true }
            return try [versions.theirs, versions.base, versions.ours].holdOption(key)
        }
    }

    /// The text of a file with the options of the result: their values are written into all three texts, which are merged then and
    /// read again. What a side's file is ahead of its options with stays. Nil where the file isn't tracked, or where a person has to
    /// merge it; throws where both sides changed a member, and one of them did so in a commit that is not the store's.
    func merged(_ path: String, _ result: Merged) throws(Problem) -> [UInt8]? {
        let sides = [result.versions.base, result.versions.ours, result.versions.theirs]
        guard formats != nil,
            let entry = try entries(of: result.settings.definition, at: sides[1]).first(where: { $0.path == path })
        else { return nil }
        var texts: [TrackedText] = []
        for side in sides {
            guard let (_, text) = try recordedText(entry, at: side) else { return nil }
            texts.append(text)
        }
        let formats = try known(entry)
        let three = TrackedTexts(base: texts[0], ours: texts[1], theirs: texts[2])
        let (wanted, removed) = try options(of: three, entry, sides, result)
        guard let merge = try? three.merged(wanted, removing: removed, formats), merge.isClean,
            let text = try? self.text(merge.text, of: entry)
        else { return nil }
        let isInStep = wanted.options.allSatisfy { key, option in
            text.option(at: wanted.memberPath(of: key)).map(option.isInStep) ?? (option.effectiveValue == nil)
        }
        return isInStep ? merge.text : nil
    }

    /// What the members are to be that stand for options of any of the sides, and the members that go.
    private func options(
        of texts: TrackedTexts, _ entry: Entry, _ sides: [Snapshot], _ result: Merged
    ) throws(Problem) -> (wanted: SettingsContent, removed: Set<MemberPath>) {
        let group = entry.file.group
        var known: [[MemberPath: SettingsOption]] = []
        var keys: [MemberPath: Key] = [:]
        var content = SettingsContent(groups: result.settings.groups)
        for side in sides {
            let own = try options(of: texts.all, in: group, at: side)
            known.append(Dictionary(own.options.map { (own.memberPath(of: $0), $1) }) { first, _ in first })
            for key in own.options.keys {
                keys[own.memberPath(of: key)] = key
                content.options[key.below(group)] = try result.option(key.below(group))
            }
        }
        var wanted = try relative(content, to: group, with: sides[1])
        var removed = Set(keys.keys)
        var contested: [Key] = []
        for key in wanted.options.keys {
            let path = wanted.memberPath(of: key)
            removed.remove(path)
            let member = texts.member(path, of: known.map { $0[path] }, becoming: wanted.options[key], preferring: result.side)
            switch member {
            case .option: break
            case .contested: contested.append(key.below(group))
            case .member(let member?): wanted.options[key] = wanted.options[key]?.showing(member)
            case .member(nil):
                wanted.options[key] = nil
                removed.insert(path)
            }
        }
        for path in removed {
            switch texts.member(path, of: known.map { $0[path] }, becoming: nil, preferring: result.side) {
            case .contested: if let key = keys[path] { contested.append(key.below(group)) }
            case .option, .member: break
            }
        }
        if !contested.isEmpty { throw .tracking(.bothSidesChanged(entry.path, contested.sorted())) }
        return (wanted, removed)
    }

    /// Lays the edits of a file in the work tree on its new content; throws where both touch the same lines. `old`: what the edits
    /// were made from.
    func layEdits(on update: inout FileUpdate, from old: Content?, at snapshot: Snapshot) throws(Problem) {
        guard let entry = (try? entries(at: snapshot))?.first(where: { $0.path == update.path }), let old, let new = update.file
        else {
            return
        }
        update.editedFrom = old.id
        guard let there = try bytes(of: entry), !ExpectedContent.content(old).matches(there),
            try !workTree.isUnwritten(entry.path, holding: there)
        else { return }
        guard let laid = try laid(there, entry, from: old.id, onto: new, isWhole: true) else {
            throw .tracking(.isEdited(entry.path, try contested(there, entry, from: old.id, onto: new)))
        }
        update.old = .bytes(there)
        update.isOld = true
        try checkIndex(entry, old, there, &update)
        if laid != new { update.edited = laid }
    }

    /// A text with edits that were made from `old`, on the new one; nil where both changed the same. Unless it has to be the whole of
    /// the new one, its members count where other lines can't be told apart.
    func laid(
        _ there: [UInt8], _ entry: Entry?, from old: ObjectID, onto new: [UInt8], isWhole: Bool = false
    ) throws(Problem) -> [UInt8]? {
        let base = try git(versions.repository.objects.blob(old, atMost: TrackedFile.sizeLimit))
        if let formats, let entry, let texts = TrackedTexts(base: base, ours: there, theirs: new, of: entry.file, formats) {
            if let merge = texts.mergedByMembers(formats), merge.isClean { return merge.text }
            if !isWhole, let text = texts.oursWithTheirMembers(formats) { return text }
        }
        let names = (ours: "edited", theirs: "recorded")
        let merge = try git(Index.mergeTexts(base: base, ours: there, theirs: new, names: names))
        return merge.isClean ? merge.text : nil
    }

    /// The options of a file whose members were edited in one way, and are to become something else.
    private func contested(_ there: [UInt8], _ entry: Entry, from old: ObjectID, onto new: [UInt8]) throws(Problem) -> [Key] {
        let base = try git(versions.repository.objects.blob(old, atMost: TrackedFile.sizeLimit))
        guard let formats, let texts = TrackedTexts(base: base, ours: there, theirs: new, of: entry.file, formats) else {
            return []
        }
        return texts.contested.map { $0.below(entry.file.group) }.sorted()
    }

    /// What a file with edits is to hold whose version was recorded by a process that died before it wrote the file; nil where it
    /// isn't tracked, holds that already, or can't be told.
    func completed(
        _ path: String, holding there: [UInt8]?, from before: [Snapshot], to head: Snapshot
    ) throws(Problem) -> (text: [UInt8], from: ObjectID)? {
        guard let there, let entry = try entries(at: head).first(where: { $0.path == path }),
            let wanted = try head.content(at: path),
            wanted.mode.isRegular
        else { return nil }
        let new = try git(versions.repository.objects.blob(wanted.id, atMost: TrackedFile.sizeLimit))
        for snapshot in before {
            guard let old = try snapshot.content(at: path), old != wanted, old.mode.isRegular,
                let laid = try laid(there, entry, from: old.id, onto: new)
            else { continue }
            return laid == there ? nil : (laid, old.id)
        }
        return nil
    }
}
