import Files
import Git
import SettingsModel

/// Edits of tracked files by hand, and commits of them that are not the store's: how the store takes them in.
extension Tracking {
    /// The edits of all tracked files that concern `places`, with what the last version has of each file. `ofReadable`: a file that
    /// can't be read as it was edited is passed over.
    private func edits(
        in places: [Key], at tip: Snapshot, ofReadable: Bool = false
    ) throws(Problem) -> [(entry: Entry, content: Content, edits: Edits)] {
        guard versions.folder.bareRepository == nil else { return [] }
        var all: [(entry: Entry, content: Content, edits: Edits)] = []
        for entry in try entries(at: tip) + entriesElsewhere() where entry.file.group.meets(places) {
            do throws(Problem) {
                guard let (content, text) = try readableText(entry, at: tip),
                    let edits = try edits(of: entry, content, text, in: places, at: tip)
                else { continue }
                all.append((entry, content, edits))
            } catch { if error.isPassing || !ofReadable { throw error } }
        }
        return all
    }

    /// The options that were edited in tracked files, as the last version has them and as the files do. A file that can't be read
    /// has none.
    func handEdits(in places: [Key], at tip: Snapshot) throws(Problem) -> (before: SettingsContent, after: SettingsContent) {
        var (before, after) = (SettingsContent(), SettingsContent())
        for (_, _, edits) in try edits(in: places, at: tip, ofReadable: true) {
            for subject in edits.before.subjects { before[subject] = edits.before[subject] }
            for subject in edits.after.subjects { after[subject] = edits.after[subject] }
        }
        return (before, after)
    }

    /// Adds the edits of tracked files to those of the store's own files: options and files are recorded together. Where no place
    /// is named, that is all that was edited in a file; else the options that are, and no other line.
    func record(in places: [Key], _ edit: inout Edit, at tip: Snapshot) throws(Problem) {
        if edit.recordsDraft.contains(.store), let definition = edit.sides?.after.definition {
            let known = Set(try entriesAndFaults(at: tip).faults)
            let faults = try entriesAndFaults(of: definition, at: tip).faults.filter { !known.contains($0) }
            if let problem = Problem.tracking(faults.map(\.problem)) { throw problem }
        }
        for (entry, content, edits) in try edits(in: places, at: tip) {
            if !edits.contested.isEmpty { throw .tracking(.bothChanged(entry.path, edits.contested.sorted())) }
            if !places.isEmpty, edits.after == SettingsContent() { continue }
            let secrets = edits.secrets.filter { places.isEmpty || edits.after.options[$0] != nil }
            if !secrets.isEmpty { throw .tracking(.holdsSecrets(entry.path, secrets, group: entry.file.group)) }
            var (before, after) = (edits.before, edits.after)
            for subject in after.subjects where edit.recordsDraft.contains(subject) {
                guard edit.sides?.after[subject]?.option?.value == after[subject]?.option?.value else {
                    throw .tracking(.isEditedTwice(subject.key, entry.path))
                }
                (before[subject], after[subject]) = (nil, nil)
            }
            edit.changes += after.changes(since: before)
            var sides = edit.sides ?? (SettingsContent(), SettingsContent())
            for subject in before.subjects { sides.before[subject] = before[subject] }
            for subject in after.subjects { sides.after[subject] = after[subject] }
            edit.sides = sides
            // What no version has is known to be in step once the options are recorded.
            if entry.isElsewhere { continue }
            edit.files.append(try update(entry, content, edits, isWhole: places.isEmpty))
            if places.isEmpty, edits.written == nil || edits.hasOthers {
                edit.otherLines.append(entry.path)
                if edit.changes.isEmpty { edit.subject = "\(entry.path): other lines" }
            }
        }
    }

    private func update(_ entry: Entry, _ content: Content, _ edits: Edits, isWhole: Bool) throws(Problem) -> FileUpdate {
        let isAll = isWhole || edits.written == edits.bytes
        if !isAll, let refusal = edits.refusal { throw refusal }
        var update = FileUpdate(path: entry.path, file: isAll ? edits.bytes : edits.written, mode: content.mode)
        update.old = .bytes(edits.bytes)
        if isAll {
            update.isDraft = true
        } else {
            update.isLeft = true
            update.edited = edits.bytes
        }
        try checkIndex(entry, content, edits.bytes, &update)
        return update
    }

    /// Records what commits that are not the store's changed in tracked files, each as its author's, and then what `rest` does. What
    /// fails after the first of these versions is a warning: that one is recorded.
    func takeIn(
        in places: [Key], _ done: Done, by recorder: Recorder, then rest: () throws(Problem) -> Outcome
    ) throws(Problem) -> Outcome {
        var outcome: Outcome?
        do throws(Problem) {
            while let next = try nextAhead(in: places) {
                var own = done
                let version = try versions.version(next)
                (own.author, own.authorTime) = (version.author, version.time)
                let recorded = try recorder.record(own) { tip throws(Problem) in try self.taking(next, in: places, at: tip) }
                outcome = recorded
                guard case .recorded = recorded else { break }
            }
            let last = try rest()
            if case .unchanged = last, let outcome { return outcome }
            return last
        } catch {
            guard case .recorded? = outcome, let outcome else { throw error }
            recorder.journal.tell(.isNotAllRecorded(error))
            return outcome
        }
    }

    /// The commit that comes next; of several any one, since each is of other options.
    private func nextAhead(in places: [Key]) throws(Problem) -> VersionID? {
        guard versions.folder.bareRepository == nil else { return nil }
        let tip = try versions.tip()
        for entry in try entries(at: tip) where entry.file.group.meets(places) {
            let ahead = try ahead(entry, at: tip).differences.filter {
                Subject.option($0.key.below(entry.file.group)).lies(in: places)
            }
            if let first = ahead.min(by: { $0.key < $1.key }) { return first.value }
        }
        return nil
    }

    private func ahead(
        _ entry: Entry, at tip: Snapshot
    ) throws(Problem) -> (text: TrackedText?, options: SettingsContent, differences: [Key: VersionID]) {
        guard let (_, text) = try readableText(entry, at: tip) else { return (nil, SettingsContent(), [:]) }
        let removals = try removals(from: text, entry, at: tip)
        let options = try options(of: [text] + removals.map(\.text), in: entry.file.group, at: tip)
        return (text, options, try differences(of: text, options, since: removals, entry, at: tip).ahead)
    }

    private func taking(_ version: VersionID, in places: [Key], at tip: Snapshot) throws(Problem) -> Edit {
        var (before, after) = (SettingsContent(), SettingsContent())
        var files: Set<String> = []
        for entry in try entries(at: tip) where entry.file.group.meets(places) {
            let (text, options, differences) = try ahead(entry, at: tip)
            for (key, id) in differences where id == version {
                let full = key.below(entry.file.group)
                guard Subject.option(full).lies(in: places), var option = options.options[key] else { continue }
                before.options[full] = option
                if let member = text?.option(at: options.memberPath(of: key)) {
                    option = try taking(member, in: option, full, entry, isRecorded: true)
                } else {
                    option.value = nil
                }
                after.options[full] = option
                files.insert(entry.path)
            }
        }
        var edit = Edit(after.changes(since: before))
        edit.inFiles = files
        edit.touched = after.subjects
        if !files.isEmpty { edit.reason = "\(version.short) changed \(files.sorted().joined(separator: ", "))." }
        return edit
    }

    /// A tracked file of which edits are dropped.
    struct Discarding {
        var entry: Entry
        var content: Content
        /// What it holds; nil where it isn't there.
        var old: [UInt8]?
        var new: [UInt8]
        /// What is dropped.
        var state: TrackedState
    }

    /// Puts the members of options back to what the last version has. Where no place is named, files that versions have are put back
    /// as a whole; of the others, only what is an option is the store's affair, unless nobody can read what they hold.
    func discarding(in places: [Key], at tip: Snapshot) throws(Problem) -> [Discarding] {
        guard versions.folder.bareRepository == nil else { return [] }
        var all: [Discarding] = []
        for entry in try entries(at: tip) + entriesElsewhere() where entry.file.group.meets(places) {
            guard let (content, text) = try readableText(entry, at: tip) else { continue }
            if places.isEmpty, let replaced = try replaced(entry, content, text) {
                all.append(replaced)
                continue
            }
            guard let edits = try edits(of: entry, content, text, in: places, at: tip, acceptsAll: true) else { continue }
            var state = TrackedState(entry.file, at: entry.path)
            (state.edits, state.gone) = (edits.after.changes(since: edits.before), edits.gone)
            func discard(_ new: [UInt8]) {
                all.append(Discarding(entry: entry, content: content, old: edits.bytes, new: new, state: state))
            }
            if places.isEmpty, !entry.isElsewhere {
                state.hasOtherEdits = edits.hasOthers
                discard(text.bytes)
                continue
            }
            if !state.isEdited { continue }
            let group = entry.file.group
            let edited = try self.text(edits.bytes, of: entry)
            let before = try relative(edits.before, to: group, with: tip)
            let after = try relative(edits.after, to: group, with: tip)
            var gone = SettingsContent()
            for key in edits.gone { gone.options[key] = try tip.option(key) }
            let lost = try relative(gone, to: group, with: tip)
            var back = before
            back.options.merge(lost.options) { $1 }
            back.groups.merge(lost.groups) { $1 }
            let wanted = back
            let added = Set(after.options.keys.filter { before.options[$0] == nil }.map { after.memberPath(of: $0) })
            let formats = try known(entry)
            var new = try explaining(entry) { () throws(Refusal) in
                try edited.writing(Array(wanted.options.keys), of: wanted, removing: added, formats)
            }
            let isSpelling = text.bytes.isChanged(from: edits.bytes, onlyIn: new)
            if isSpelling, !edits.bytes.hasLine(keptIn: new, missingIn: text.bytes) { new = text.bytes }
            if new != edits.bytes { discard(new) }
        }
        return all
    }

    /// A file that was removed, or that nobody can read as it is now; nil where it is none.
    private func replaced(_ entry: Entry, _ content: Content, _ text: TrackedText) throws(Problem) -> Discarding? {
        var state = TrackedState(entry.file, at: entry.path)
        let there = try bytes(of: entry)
        if let there {
            if there == text.bytes { return nil }
            do throws(Problem) {
                _ = try editedText(there, of: entry)
                return nil
            } catch {
                guard case .tracking(.isUnreadable) = error else { throw error }
                state.problem = error
            }
        } else {
            if entry.isElsewhere { return nil }
            if try workTree.skippedPaths.contains(entry.path) { return nil }
            state.absence = .missing
        }
        return Discarding(entry: entry, content: content, old: there, new: text.bytes, state: state)
    }
}

extension [UInt8] {
    /// Whether there is a line that another text has as well, and a third one hasn't.
    fileprivate func hasLine(keptIn other: [UInt8], missingIn third: [UInt8]) -> Bool {
        let lines = [self, other, third].map { Set($0.split(separator: 10)) }
        return !lines[0].intersection(lines[1]).isSubset(of: lines[2])
    }
}

extension Key {
    /// Whether something in this group may lie in one of `places`; everywhere where there are none.
    fileprivate func meets(_ places: [Key]) -> Bool {
        places.isEmpty || places.contains { !$0.isRoot && ($0.isWithin(self) || isWithin($0)) }
    }
}
