package import SettingsModel

/// Options by their keys, as the files have them now or as a version had them.
package struct OptionsQuery: Query {
    package var keys: [String]
    package var version: VersionID?

    package init(_ keys: [String], at version: VersionID? = nil) {
        self.keys = keys
        self.version = version
    }

    package func answer(in session: Session) throws(Problem) -> [(key: Key, option: SettingsOption)] {
        let caller = session.caller
        if let version = try session.version(version) {
            let snapshot = try session.snapshot(version)
            try snapshot.checkFormat()
            return try each { word throws(Problem) in
                let (key, then) = try session.names(at: snapshot) { snapshot throws(Problem) in try snapshot.key(word, caller) }
                return (key, try snapshot.existing(then))
            }
        }
        func read(_ folder: StoreFolder) throws(Problem) -> [(key: Key, option: SettingsOption)] {
            try each { word throws(Problem) in try folder.option(named: word, caller) }
        }
        // One file is one version's without a lock.
        return keys.count == 1 ? try read(session.files) : try session.readingFiles(read)
    }

    /// The options of all keys; an error names every key that is wrong.
    private func each(
        _ find: (String) throws(Problem) -> (key: Key, option: SettingsOption)
    ) throws(Problem) -> [(key: Key, option: SettingsOption)] {
        var found: [(key: Key, option: SettingsOption)] = []
        var problems: [Problem] = []
        for word in keys {
            do throws(Problem) { found.append(try find(word)) } catch {
                guard case .key = error else { throw error }
                problems.append(error)
            }
        }
        if let problem = Problem.all(problems) { throw problem }
        return found
    }
}

extension Session {
    /// An option or a group that a word names in a version, or else, by its name of today, what was called otherwise then.
    func names(
        at snapshot: Snapshot, find: (Snapshot) throws(Problem) -> Key
    ) throws(Problem) -> (asked: Key, then: Key) {
        do throws(Problem) {
            let key = try find(snapshot)
            return (key, key)
        } catch {
            guard error.kind == .missing, let tip = try? store.versions.tip(), let today = try? find(tip) else { throw error }
            let then = today.before(try store.history.renames(from: snapshot.id, to: tip.id))
            guard then != today, try snapshot.holds(then) else { throw error }
            return (today, then)
        }
    }

    /// Of an option that isn't there, and was there once, what became of it.
    func explained(_ problem: Problem) -> Problem {
        let word: String
        switch problem {
        case .key(.noOption(let text, _)), .key(.noPlace(let text, _)): word = text
        case .key(.malformed(let text, _)), .key(.isOutside(let text, _)): return trackedFile(text) ?? problem
        default: return problem
        }
        guard (try? folder.repositoryRoot) != nil, let store = try? store else { return problem }
        if let file = trackedFile(word) { return file }
        if let fault = lost(word, store) { return fault }
        if let new = new(word, store) { return new }
        if let missing = withoutFile(word, store) { return missing }
        let end = caller.word(word).readings.lazy.compactMap { self.end(of: $0, store) }.first
        return store.versions.isInterrupted ? .interrupted : end ?? problem
    }

    /// That a word names a tracked file, as 'status' does.
    private func trackedFile(_ word: String) -> Problem? {
        guard let store = try? store, let tip = try? store.versions.tip(), let entries = try? store.tracking.entries(at: tip)
        else {
            return nil
        }
        let path = word.hasPrefix("./") ? String(word.dropFirst(2)) : word
        let entry = (entries + ((try? store.tracking.entriesElsewhere()) ?? [])).first {
            $0.path == path || $0.file.file == path || $0.path.hasSuffix("/" + path)
        }
        return entry.map { .key(.isTrackedFile(word, group: $0.file.group)) }
    }

    /// What makes a file look like another program's whose option the last version, or an earlier one, has.
    private func lost(_ word: String, _ store: Store) -> Problem? {
        guard let tip = try? store.versions.tip() else { return nil }
        for key in caller.word(word).readings where !key.isRoot {
            if let fault = folder.faultOfOtherProgram(.option(key)), (try? tip.holdsOption(key)) == true { return fault }
            if let fault = tip.faultOfOtherProgram(.option(key)), case .key(.wasRemoved)? = end(of: key, store) { return fault }
        }
        return nil
    }

    /// That what a word names is in the files alone.
    func new(_ word: String, _ store: Store) -> Problem? {
        guard let tip = try? store.versions.tip() else { return nil }
        let typed = caller.word(word)
        let inStore = (try? tip.has(.store)) == true
        for key in typed.readings where !key.isRoot && (try? tip.holds(key)) == false {
            if !typed.isGroup, (try? folder.new(key, since: tip)).flatMap({ $0 }) != nil {
                return .key(.isNotRecorded(key, isGroup: false, inStore: inStore))
            }
            if (try? folder.listing(of: key).subjects.allSatisfy(folder.isOfOtherProgram)) == false {
                return .key(.isNotRecorded(key, isGroup: true, inStore: inStore))
            }
        }
        return nil
    }

    /// That the file of an option is gone which the last version has.
    private func withoutFile(_ word: String, _ store: Store) -> Problem? {
        guard let tip = try? store.versions.tip(), let key = try? tip.key(word, caller),
            (try? folder.bytes(of: .option(key))) == nil
        else { return nil }
        return .key(.isWithoutFile(key))
    }

    /// How an option was removed or renamed, which isn't there. Of what several lines of versions did, that by which it is there
    /// under another name counts.
    private func end(of key: Key, _ store: Store, besides passed: Set<Key> = []) -> Problem? {
        var found: Problem?
        var filter = HistoryFilter()
        filter.places = [key]
        let passed = passed.union([key])
        _ = try? store.history.walk(filter) { version, changes throws(Problem) in
            for change in changes.changes {
                if let (old, new) = change.renaming {
                    if new == .option(key) { return false }
                    guard old == .option(key) else { continue }
                    let today = self.today(new.key, store, besides: passed)
                    if found == nil || today != nil {
                        found = .key(.wasRenamed(key, to: new.key, today: today, by: version))
                    }
                    if today != nil { return false }
                } else if change.subject == .option(key), change.facet == .existence {
                    if change.after != nil { return false }
                    found = found ?? .key(.wasRemoved(key, by: version))
                }
            }
            return true
        }
        return found
    }

    /// What is called so today that was called `key` once; nil where it isn't there any more.
    private func today(_ key: Key, _ store: Store, besides passed: Set<Key>) -> Key? {
        if (try? store.versions.tip().has(.option(key))) == true { return key }
        guard !passed.contains(key), case .key(.wasRenamed(_, _, let today, _))? = end(of: key, store, besides: passed) else {
            return nil
        }
        return today
    }
}

/// The settings in a group, as the files have them now or as a version had them.
package struct SettingsQuery: Query {
    package var group: String?
    package var version: VersionID?
    /// What lies beside the group is left out, and a file in it that can't be read is a problem.
    package var isStrict: Bool
    /// Whether texts that are masked in the last version are so in `version`.
    package var masksAsToday = false

    package init(in group: String? = nil, at version: VersionID? = nil, isStrict: Bool = false) {
        self.group = group
        self.version = version
        self.isStrict = isStrict
    }

    package struct Answer: Sendable {
        package var place: Key
        /// Everything, also beside the group unless asked for strictly: its titles and order are needed to lay it out.
        package var settings: SettingsContent
        /// Files that can't be read.
        package var unreadable: [Problem] = []
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let version = try session.version(version)
        let place = try place(session)
        var answer = Answer(place: place, settings: SettingsContent())
        if isStrict {
            answer.settings =
                if let version { try session.snapshot(version).settings(in: place) } else {
                    try session.readingFiles { folder throws(Problem) in
                        try folder.settings(of: place, session.caller) { problem throws(Problem) in throw problem }
                    }
                }
            return answer
        }
        if let version {
            let snapshot = try session.snapshot(version)
            let files = try snapshot.files()
            answer.settings.options.reserveCapacity(files.count)
            let masked = masksAsToday ? try MaskedNames(session.store.history) : nil
            try snapshot.eachItem(of: files) { subject, file throws(Problem) in
                switch file.item {
                case .success(.option(let option)) where masked != nil:
                    answer.settings[subject] = .option(try masked?.masking(option, named: subject.key) ?? option)
                case .success(let item): answer.settings[subject] = item
                case .failure(let problem): answer.unreadable.append(problem)
                }
            }
        } else {
            var unreadable: [Problem] = []
            answer.settings = try session.readingFiles { folder throws(Problem) in
                try folder.settings(of: .root, session.caller) { unreadable.append($0) }
            }
            answer.unreadable = unreadable
        }
        return answer
    }

    private func place(_ session: Session) throws(Problem) -> Key {
        guard let group else { return .root }
        do throws(Problem) {
            if let version = try session.version(version) {
                return try session.names(at: session.snapshot(version)) { snapshot throws(Problem) in
                    try snapshot.place(group, session.caller)
                }.then
            }
            return try session.files.place(group, session.caller)
        } catch {
            guard isStrict, case .key(.noPlace(let word, let near)) = error else { throw error }
            throw .key(.noGroup(word, option: nil, near: near))
        }
    }
}

/// The settings in a group as the last version has them.
package struct RecordedQuery: Query {
    package var group: Key

    package init(in group: Key) { self.group = group }

    package func answer(in session: Session) throws(Problem) -> SettingsContent { try session.snapshot(nil).settings(in: group) }
}

/// An option with who chose its value, or a version: whatever a word names.
package struct ShowQuery: Query {
    package var word: String
    /// The version whose option is shown; nil for the files as they stand.
    package var version: VersionID?

    package init(_ word: String, at version: VersionID? = nil) {
        self.word = word
        self.version = version
    }

    package enum Answer: Sendable {
        case option(ShownOption)
        /// `isComplete`: whether its changes are known; those of a shallow clone's first version are not.
        case version(Version, VersionChanges, tags: [String], isComplete: Bool)
    }

    package struct ShownOption: Sendable {
        package var key: Key
        package var option: SettingsOption
        /// Whether there is a history that says who chose the value.
        package var hasHistory = false
        /// Why the history is left out, where it belongs to somebody else or may not be read.
        package var problem: Problem?
        /// The version that chose the value; nil for a hand edit, and where the history doesn't say.
        package var origin: Version?
        /// Whether the value is in the file alone.
        package var isDraft = false
        /// Whether the version that chose the value is there, if any did; it may lie before a shallow clone.
        package var isComplete = true
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        if let version { return .option(try option(at: version, in: session)) }
        var missing: Problem
        do throws(Problem) { return .option(try option(in: session, takesTitles: false)) } catch {
            guard error.kind == .missing || error.kind == .usage else { throw error }
            if case .key(.isOutside) = error { throw error }
            missing = error
        }
        let store = try session.store
        let when = try store.history.meaning(of: word, session.clock)
        let version: Version
        do throws(Problem) { version = try store.history.version(at: when, written: word) } catch {
            // It says nothing about the name.
            if case .repository = error { throw error }
            let tip = try store.versions.tip()
            for key in session.caller.word(word).readings {
                if try tip.holdsGroup(key) { throw .key(.isGroup(word, key)) }
            }
            if session.caller.isAtTerminal {
                do throws(Problem) { return .option(try option(in: session, takesTitles: true)) } catch {
                    if case .key(.isAmbiguous) = error { throw error }
                }
            }
            if when.seconds != nil { throw error }
            if case .history(.noVersionInClone) = error, word.contains(where: { "~^".contains($0) }) { throw error }
            missing = session.explained(missing)
            switch missing {
            case .key(.isWithoutFile), .key(.wasRemoved), .key(.wasRenamed), .interrupted: throw missing
            default: break
            }
            guard case .key(let problem) = missing, missing.kind == .missing else { throw .key(.isNothing(word, nil)) }
            throw .key(.isNothing(word, problem))
        }
        let tags = try store.tags.list().filter { $0.commit == version.id }.map(\.name)
        let (shown, changes) = try MaskedNames(store.history).masking(version, try store.history.changes(of: version))
        return .version(shown, changes, tags: tags, isComplete: !store.versions.isBoundary(version))
    }

    private func option(at version: VersionID, in session: Session) throws(Problem) -> ShownOption {
        let (store, snapshot) = (try session.store, try session.snapshot(version))
        try snapshot.checkFormat()
        let key = try session.names(at: snapshot) { snapshot throws(Problem) in try snapshot.key(word, session.caller) }.then
        var shown = ShownOption(key: key, option: try MaskedNames(store.history).masking(try snapshot.existing(key), named: key))
        shown.hasHistory = true
        shown.origin = try store.history.blame([key], at: snapshot).first?.version
        shown.isComplete = shown.origin != nil || !store.versions.isShallow
        return shown
    }

    /// A version is meant rather than a title.
    private func option(in session: Session, takesTitles: Bool) throws(Problem) -> ShownOption {
        if let version = try session.version(nil) { return try option(at: version, in: session) }
        let (key, option) = try session.files.option(named: word, session.caller, takesTitles: takesTitles)
        var shown = ShownOption(key: key, option: option)
        guard try session.folder.repositoryRoot != nil else { return shown }
        let store: Store
        do throws(Problem) { store = try session.store } catch {
            switch error {
            case .repository(.belongsToOther), .repository(.cannotRead):
                shown.problem = error
                return shown
            default: throw error
            }
        }
        let tip = try store.versions.tip()
        shown.hasHistory = true
        shown.origin = try store.history.blame([key], at: tip).first?.version
        shown.isComplete = shown.origin != nil || !store.versions.isShallow
        shown.isDraft = try tip.option(key).map { !option.isSame(.value, as: $0) } ?? true
        return shown
    }
}
