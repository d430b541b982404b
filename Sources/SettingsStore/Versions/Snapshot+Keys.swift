package import SettingsModel

extension Snapshot {
    private func lookup(_ caller: Caller) -> KeyLookup {
        KeyLookup(takesLastPart: caller.isAtTerminal) { () throws(Problem) in try options() }
    }

    /// The key of an option that is there.
    package func key(_ word: String, _ caller: Caller) throws(Problem) -> Key {
        do throws(Problem) { return try lookup(caller).option(word) { key throws(Problem) in try has(.option(key)) } } catch {
            guard error.kind == .missing, let key = try? Key(word), let rule = try ignoreRule(for: .option(key)) else {
                throw error
            }
            throw .key(.isIgnored(word, path: Subject.option(key).path, rule: "\(rule)"))
        }
    }

    package func existing(_ key: Key) throws(Problem) -> SettingsOption {
        guard let option = try option(key) else { throw .key(.noOption(key.description, near: [])) }
        return option
    }

    /// Whether `word` is the key of a group.
    package func holdsGroup(_ word: String) throws(Problem) -> Bool {
        guard let key = try? Key(word) else { return false }
        return try subjects(in: key).contains { $0.key != key || $0 == .group(key) }
    }

    package func options(in group: Key = .root) throws(Problem) -> [Key] { try subjects(in: group).options }

    /// The options and groups that `words` name; each must be there.
    package func places(_ words: [String], _ caller: Caller) throws(Problem) -> [Key] {
        var places: [Key] = []
        for word in words {
            let key = try KeyLookup.parse(word)
            let isThere = if key.isRoot { true } else { try holds(key) }
            places.append(
                isThere ? key : try lookup(caller).place(word) { () throws(Problem) in try subjects().map(\.key) })
        }
        return places
    }
}

extension StoreFolder {
    /// The option that `word` names; its file is read once.
    package func option(named word: String, _ caller: Caller) throws(Problem) -> (key: Key, option: SettingsOption) {
        var found: SettingsOption?
        let lookup = KeyLookup(takesLastPart: caller.isAtTerminal) { () throws(Problem) in
            let leftOut = try leftOut(sudoUser: caller.sudoUser)
            return try listing().subjects.options + (leftOut?.subjects.sorted().options ?? [])
        }
        let key = try lookup.option(word) { (key: Key) throws(Problem) -> Bool in
            found = try option(key, caller)
            guard found != nil, let rule = try ignoreRule(for: .option(key)) else { return found != nil }
            throw .key(.isIgnored(word, path: Subject.option(key).path, rule: "\(rule)"))
        }
        if found == nil { found = try option(key, caller) }
        guard let option = found else { throw .key(.noOption(word, near: [])) }
        return (key, option)
    }

    /// An option as its file has it, or the last version where a sparse checkout leaves it out.
    private func option(_ key: Key, _ caller: Caller) throws(Problem) -> SettingsOption? {
        if let option = try item(.option(key))?.option { return option }
        return try leftOut(sudoUser: caller.sudoUser)?.item(.option(key))?.option
    }

    /// Everything in `place` as it stands; what a sparse checkout leaves out, as the last version has it. `unreadable` is told
    /// of files that can't be read.
    package func settings(
        of place: Key = .root, _ caller: Caller, unreadable: (Problem) throws(Problem) -> Void
    ) throws(Problem) -> SettingsContent {
        var settings = SettingsContent()
        let listing = try listing(of: place)
        // A folder or a link where an option's file should be is an option that can't be read.
        let subjects = (listing.subjects + listing.strays.compactMap { Subject(path: $0.path) }).sorted()
        let leftOut = try leftOut(sudoUser: caller.sudoUser)
        let missing = leftOut?.subjects.filter { $0.key.isWithin(place) }.subtracting(subjects).sorted() ?? []
        func read(_ subject: Subject, _ work: () throws(Problem) -> SettingsContent.Item?) throws(Problem) {
            do throws(Problem) { settings[subject] = try work() } catch {
                guard error.kind == .badData else { throw error }
                try unreadable(error)
            }
        }
        for subject in subjects {
            try read(subject) { () throws(Problem) in
                guard case .option(let key) = subject else { return try item(subject) }
                return try option(key, caller).map { .option($0) }
            }
        }
        for subject in missing { try read(subject) { () throws(Problem) in try leftOut?.item(subject) } }
        return settings
    }
}

extension [Subject] {
    package var options: [Key] { compactMap { if case .option(let key) = $0 { key } else { nil } } }
}
