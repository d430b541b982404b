import Files
import Git
import SettingsModel

/// Files that a person names to be tracked.
extension Tracking {
    /// A file that is to be tracked, and what it means.
    struct Candidate {
        var entry: Entry
        var bytes: [UInt8]
        var imported: Imported
        /// What the version before has there.
        var recorded: Content?
    }

    /// Where a file lies in the repository; nil where it lies elsewhere, or git ignores it.
    func place(of path: String) throws(Problem) -> String? {
        let folder = Folder.resolved(FileSystem.folder(of: path))
        let root = Folder.resolved(workTree.root.path)
        let full = folder == "/" ? "/" + FileSystem.name(of: path) : folder + "/" + FileSystem.name(of: path)
        guard full.hasPrefix(root == "/" ? "/" : root + "/") else { return nil }
        let place = String(full.dropFirst(root == "/" ? 1 : root.utf8.count + 1))
        if try versions.tip().content(at: place) != nil { return place }
        guard let work = versions.repository.git.workDirectory else { return nil }
        guard let rule = IgnoreRules(workDirectory: work, gitDirectory: versions.repository.git.gitDirectory).rule(for: place)
        else { return place }
        try rule.checkIsKnown()
        return nil
    }

    /// Whether git ignores a file of the work tree.
    func isIgnored(_ path: String) throws(Problem) -> Bool {
        let root = Folder.resolved(workTree.root.path)
        guard Folder.resolved(path).hasPrefix(root + "/") else { return false }
        return try place(of: path) == nil
    }

    /// Reads a file that is to be tracked. Unless `takesSecrets`, what only its owner may read keeps what looks like secrets.
    func candidate(
        at place: String?, _ path: String, format: FormatName?, group: Key, takesSecrets: Bool, at tip: Snapshot
    ) throws(Problem) -> Candidate {
        let name = place.map { TrackedFile.file($0, from: versions.prefix) } ?? path
        let shown = place ?? path
        var entry = Entry(
            file: TrackedFile(file: name, format: format ?? .json, group: group), path: shown, isElsewhere: place == nil)
        if let place { try checkFolders(above: place) }
        guard let bytes = try naming(shown, { () throws(Problem) in try bytes(of: entry) }) else {
            throw .tracking(.isMissing(shown, try writable(entry, format, at: tip)))
        }
        let formats = try known(entry)
        entry.file.format = try explaining(entry) { () throws(Refusal) in
            if let format { format } else { try formats.format(of: bytes, named: name) }
        }
        if let known = try (entries(at: tip) + entriesElsewhere()).first(where: { $0.path == shown }), known.file != entry.file {
            throw .tracking(.isTracked(shown, group: known.file.group))
        }
        let file = entry.file
        var imported = try explaining(entry) { () throws(Refusal) in
            try formats.read(bytes, named: file.name, as: file.format, depth: group.parts.count)
        }
        // Edited in place or not at all: a file that can't be is better refused before it is tracked.
        let settings = imported.settings
        do throws(Refusal) {
            _ = try formats.write(settings, over: bytes, named: file.name, as: file.format, renames: [], prunes: false)
        } catch { throw .tracking(.refused(shown, error.withoutRemedies, file)) }
        if !takesSecrets, try isPrivate(entry) { imported.leave((imported.parts.masked + imported.parts.unmaskable).sorted()) }
        do throws(Key.Malformed) { imported = try imported.moved(into: group) } catch {
            throw .tracking(.refused(shown, Refusal(error.reason)))
        }
        let recorded = try place.flatMap { place throws(Problem) in try tip.content(at: place) }
        if place != nil, !imported.parts.left.isEmpty, recorded?.id != ObjectID.hash(ofBlob: bytes) {
            throw .tracking(.holdsSecrets(shown, imported.parts.left, group: nil))
        }
        return Candidate(entry: entry, bytes: bytes, imported: imported, recorded: recorded)
    }

    /// The edit that brings in what these files mean, and remembers them.
    func adding(
        _ candidates: [Candidate], _ wish: ImportWish, _ importing: Importing, at tip: Snapshot
    ) throws(Problem) -> Edit {
        guard let first = candidates.first else { return Edit([]) }
        var imported = first.imported
        for other in candidates.dropFirst() { try imported.add(other, beside: candidates) }
        imported.parts.sources = zip(candidates, wish.sources).map { Imported.Source(format: $1.format, path: $1.name) }
        var (edit, result) = try importing.importing(imported, wish, tip)
        var differing: [Problem] = []
        for candidate in candidates {
            if let problem = try differences(candidate, edit, at: tip) { differing.append(problem) }
        }
        let contested = result.kept.filter { !$0.hasOneValue }
        if !contested.isEmpty, differing.isEmpty {
            differing.append(.tracking(.bothChanged(first.entry.path, Set(contested.map(\.subject.key)).sorted())))
        }
        if let problem = Problem.tracking(differing) { throw problem }
        try checkOthers(candidates, at: tip)
        guard var definition = try recordedDefinition(tip) else { throw .history(.hasNoVersion) }
        let before = SettingsContent(definition: definition)
        for candidate in candidates where !candidate.entry.isElsewhere { definition.track(candidate.entry.file) }
        let after = SettingsContent(definition: definition)
        let paths = Dictionary(candidates.map { ($0.entry.file.file, $0.entry.path) }) { first, _ in first }
        let faults = try entriesAndFaults(of: definition, at: tip).faults.compactMap { fault in
            fault.isOfList ? fault.problem : paths[fault.name].map { Self.cannotTrack($0, fault) }
        }
        if let problem = Problem.tracking(faults) { throw problem }
        let added = edit.changes.count { $0.facet == .existence && !$0.subject.isGroup }
        edit.changes += after.changes(since: before)
        let shown = candidates.map(\.entry.path)
        edit.subject =
            "track \(shown.count > 3 ? "\(shown.count) files" : shown.joined(separator: ", "))"
            + (added > 0 ? ": \(added) \(added == 1 ? "option" : "options")" : "")
        for candidate in candidates { try take(candidate, into: &edit) }
        return edit
    }

    /// Throws where another tracked file has an option with another value: what this one has would be written there.
    private func checkOthers(_ candidates: [Candidate], at tip: Snapshot) throws(Problem) {
        var problems: [Problem] = []
        for entry in try entries(at: tip) + entriesElsewhere() {
            guard let (_, text) = try readableText(entry, at: tip) else { continue }
            let members = text.settings.options.map { (key: $0.key.below(entry.file.group), value: $0.value.effectiveValue) }
            for candidate in candidates where candidate.entry.path != entry.path {
                let options = candidate.imported.settings.options
                let apart = members.filter { member in
                    options[member.key].map { !JSON.means($0.effectiveValue ?? .null, member.value ?? .null) } ?? false
                }
                guard let key = apart.map(\.key).min() else { continue }
                problems.append(.tracking(.isClaimedTwice(key, entry.path, candidate.entry.path)))
            }
        }
        if let problem = Problem.tracking(problems) { throw problem }
    }

    /// What the file has of options that keep another value: whoever set one next would overwrite it.
    private func differences(_ candidate: Candidate, _ edit: Edit, at tip: Snapshot) throws(Problem) -> Problem? {
        var (store, file) = (SettingsContent(), SettingsContent())
        for (key, member) in candidate.imported.settings.options where member.effectiveValue != nil {
            let subject = Subject.option(key)
            guard let option = try tip.readable(subject)?.option, !option.isInStep(with: member),
                !edit.changes.contains(where: { $0.subject == subject && $0.facet == .value })
            else { continue }
            (store.options[key], file.options[key]) = (option, option.showing(member))
        }
        let changes = file.changes(since: store)
        return changes.isEmpty ? nil : .tracking(.differs(candidate.entry.path, changes, candidate.entry.file))
    }

    /// How a file that isn't there would be tracked, if there are options for it.
    private func writable(_ entry: Entry, _ format: FormatName?, at tip: Snapshot) throws(Problem) -> TrackedFile? {
        var file = entry.file
        guard let format = format ?? (try? known(entry).format(of: [], named: file.file)) else { return nil }
        file.format = format
        return try tip.subjects(in: file.group).options.isEmpty ? nil : file
    }

    /// Also what no version has yet keeps a file from being one of this repository.
    private func checkFolders(above place: String) throws(Problem) {
        var folder = FileSystem.folder(of: place)
        while place.contains("/"), !folder.isEmpty {
            func isThere(_ name: String) throws(Problem) -> Bool {
                try onDisk(FileSystem.isThere(workTree.root.full("\(folder)/\(name)")))
            }
            if try isThere(".git") { throw .tracking(.cannotTrack(place, reason: "lies in another repository, \(folder)")) }
            if folder + "/" != versions.prefix, try isThere(Subject.store.path) {
                throw .tracking(.cannotTrack(place, reason: "belongs to the store in \(folder)"))
            }
            folder = folder.contains("/") ? FileSystem.folder(of: folder) : ""
        }
    }

    /// What is wrong with a file that somebody names is said of the file, and not of an entry that there may not be.
    private func naming<Result>(_ path: String, _ work: () throws(Problem) -> Result) throws(Problem) -> Result {
        do throws(Problem) { return try work() } catch {
            switch error {
            case .tracking(.isNotFollowed(let fault)): throw Self.cannotTrack(path, fault)
            case .tracking(.isReplaced(_, let reason)): throw .tracking(.cannotTrack(path, reason: reason))
            default: throw error
            }
        }
    }

    private static func cannotTrack(_ path: String, _ fault: TrackedFile.Fault) -> Problem {
        fault.reasonOfFile.map { .tracking(.cannotTrack(path, reason: $0)) } ?? fault.problem
    }

    private func take(_ candidate: Candidate, into edit: inout Edit) throws(Problem) {
        let entry = candidate.entry
        if entry.isElsewhere { return }
        if candidate.recorded?.id == ObjectID.hash(ofBlob: candidate.bytes) {
            edit.inFiles.insert(entry.path)
            return
        }
        if let attribute = try? versions.repository.conversion(of: entry.path) {
            throw .tracking(.cannotTrack(entry.path, reason: "is converted by git (\(attribute))"))
        }
        var update = FileUpdate(path: entry.path, file: candidate.bytes, isDraft: true)
        let isProgram = candidate.recorded == nil && FileSystem.isExecutable(workTree.root.full(entry.path))
        update.mode = candidate.recorded?.mode ?? (isProgram ? .executable : .blob)
        update.old = .bytes(candidate.bytes)
        try checkIndex(entry, candidate.recorded, candidate.bytes, &update)
        edit.files.append(update)
    }

    private func recordedDefinition(_ tip: Snapshot) throws(Problem) -> StoreDefinition? {
        guard case .store(let definition)? = try tip.item(.store) else { return nil }
        return definition
    }

    /// Whether an entry names a file by this very word.
    func named(_ word: String, at tip: Snapshot) throws(Problem) -> Bool {
        guard var definition = try recordedDefinition(tip) else { return false }
        return definition.untrack(word)
    }

    /// The edit that forgets files.
    func removing(_ places: [String], at tip: Snapshot) throws(Problem) -> Edit {
        guard var definition = try recordedDefinition(tip) else { throw .history(.hasNoVersion) }
        let before = SettingsContent(definition: definition)
        for place in places {
            guard definition.untrack(place) || definition.untrack(TrackedFile.file(place, from: versions.prefix)) else {
                throw .tracking(.isNotTracked(place))
            }
        }
        var edit = Edit(SettingsContent(definition: definition).changes(since: before))
        edit.subject = "untrack \(places.joined(separator: ", "))"
        return edit
    }
}

extension Imported {
    /// Adds what another file holds. An option is a member of one file alone.
    fileprivate mutating func add(_ other: Tracking.Candidate, beside all: [Tracking.Candidate]) throws(Problem) {
        for (key, option) in other.imported.settings.options {
            if settings.options[key] != nil {
                let first = all.first { $0.imported.settings.options[key] != nil }
                throw .tracking(.isClaimedTwice(key, first?.entry.path ?? "", other.entry.path))
            }
            settings.options[key] = option
        }
        for (key, group) in other.imported.settings.groups {
            let order = settings.groups[key]?.order
            if settings.groups[key] == nil { settings.groups[key] = group }
            guard let order else { continue }
            settings.groups[key]?.order = SettingsGroup.order(order, with: group.order ?? [], rearranging: false)
        }
        parts.masked += other.imported.parts.masked
        parts.unmaskable += other.imported.parts.unmaskable
    }
}

extension Refusal {
    /// Without what would rewrite the file: nobody asked for a file to be written.
    fileprivate var withoutRemedies: Refusal {
        var refusal = self
        refusal.remedy = nil
        refusal.others = others.map(\.withoutRemedies)
        return refusal
    }
}

extension Conflict {
    /// Whether an option that was there before has the value that the file has: what defines it is the store's affair.
    fileprivate var hasOneValue: Bool {
        guard facet == .existence, case .item(.option(let own))? = ours, case .item(.option(let member))? = theirs else {
            return false
        }
        return own.isInStep(with: member)
    }
}
