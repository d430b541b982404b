package import SettingsModel

extension Snapshot {
    private func lookup(_ caller: Caller) -> KeyLookup {
        KeyLookup(
            caller,
            names: KeyLookup.Names { () throws(Problem) in
                try subjects()
            } titles: { () throws(Problem) in
                try titles()
            })
    }

    /// Without those of files that can't be read.
    private func titles() throws(Problem) -> [(subject: Subject, title: ExactText)] {
        var titles: [(subject: Subject, title: ExactText)] = []
        for (subject, content) in try files() {
            if let title = try readable(subject, content)?.title { titles.append((subject, title)) }
        }
        return titles
    }

    /// The key of an option that is there.
    package func key(_ word: String, _ caller: Caller) throws(Problem) -> Key {
        do throws(Problem) { return try lookup(caller).option(word) { key throws(Problem) in try holdsOption(key) } } catch {
            guard error.kind == .missing else { throw error }
            for key in caller.word(word).readings {
                guard let rule = try ignoreRule(for: .option(key)) else { continue }
                throw .key(.isIgnored(word, path: Subject.option(key).path, rule: "\(rule)"))
            }
            throw error
        }
    }

    package func existing(_ key: Key) throws(Problem) -> SettingsOption {
        guard let option = try option(key) else { throw .key(.noOption(key.description, near: [])) }
        return option
    }

    package func holdsGroup(_ key: Key) throws(Problem) -> Bool {
        if key.isRoot { return true }
        for subject in try subjects(in: key) where subject != .option(key) {
            if subject.isGroup { return true }
            if try holdsOption(subject.key) { return true }
        }
        return false
    }

    package func options(in group: Key = .root) throws(Problem) -> [Key] { try held(in: group).options }

    /// The option or group that a word names, which must be there.
    package func place(_ word: String, _ caller: Caller) throws(Problem) -> Key {
        try lookup(caller).place(word) { key, isGroup throws(Problem) in try isGroup ? holdsGroup(key) : holds(key) }
    }

    /// The options and groups that `words` name; each must be there. None where they name everything.
    package func places(_ words: [String], _ caller: Caller) throws(Problem) -> [Key] {
        try words.map { word throws(Problem) in try place(word, caller) }.limiting
    }
}

extension [Snapshot] {
    /// Whether one of these has an option of that key.
    func holdOption(_ key: Key) throws(Problem) -> Bool {
        for snapshot in self where try snapshot.holdsOption(key) { return true }
        return false
    }

    /// Whether there is an option or a group of that key in one of these.
    func hold(_ key: Key, onlyAsGroup: Bool) throws(Problem) -> Bool {
        if key.isRoot { return true }
        for snapshot in self {
            if try onlyAsGroup ? snapshot.holdsGroup(key) : snapshot.holds(key) { return true }
        }
        return false
    }

    /// The option or group that a word names in any of these; a key in full counts first, wherever it is.
    func place(_ word: String, _ caller: Caller) throws(Problem) -> Key {
        let typed = caller.word(word)
        for key in typed.readings {
            if try hold(key, onlyAsGroup: typed.isGroup) { return key }
        }
        do throws(Problem) { return try self[0].place(word, caller) } catch {
            if case .key(.isAmbiguous) = error { throw error }
            for snapshot in dropFirst() { if let place = try? snapshot.place(word, caller) { return place } }
            throw error
        }
    }
}

extension [Key] {
    /// What is to be looked at: none of them where that is everything.
    var limiting: [Key] { contains(.root) ? [] : self }
}

extension [String] {
    /// What these words name, of which `_store.json` names the root's own files; see `Subject.lies`.
    func places(_ named: (String) throws(Problem) -> Key) throws(Problem) -> [Key] {
        let others = filter { $0 != Subject.store.path }
        let places = try others.map(named)
        if places.contains(.root) { return [] }
        return others.count < count ? places + [.root] : places
    }
}

extension StoreFolder {
    private func names(_ caller: Caller) -> KeyLookup.Names {
        KeyLookup.Names { () throws(Problem) in
            let leftOut = try leftOut(sudoUser: caller.sudoUser)
            let listing = try listing()
            let unreadable = listing.strays.compactMap { Subject(path: $0.path) }
            return listing.subjects + unreadable + (leftOut?.subjects.sorted() ?? [])
        } titles: { () throws(Problem) in
            try settings(caller) { _ in }.titles
        }
    }

    /// The option that `word` names; its file is read once. Without `takesTitles`, a title is not looked for.
    package func option(
        named word: String, _ caller: Caller, takesTitles: Bool = true
    ) throws(Problem) -> (key: Key, option: SettingsOption) {
        var found: SettingsOption?
        let lookup = KeyLookup(caller, takesTitles: takesTitles, names: names(caller))
        let key = try lookup.option(word) { (key: Key) throws(Problem) -> Bool in
            found = try option(key, caller)
            guard found != nil, let rule = try ignoreRule(for: .option(key)) else { return found != nil }
            throw .key(.isIgnored(word, path: Subject.option(key).path, rule: "\(rule)"))
        }
        if found == nil { found = try option(key, caller) }
        guard let option = found else { throw .key(.noOption(word, near: [])) }
        return (key, option)
    }

    /// The option or group that a word names, which must be there.
    package func place(_ word: String, _ caller: Caller) throws(Problem) -> Key {
        let names = names(caller)
        var subjects: [Subject]?
        return try KeyLookup(caller, names: names).place(word) { key, isGroup throws(Problem) in
            let all = if let subjects { subjects } else { try names.subjects() }
            subjects = all
            // Only what lies there is read, until something is the store's.
            let own = all.lazy.filter { $0.key.isWithin(key) && ($0.isGroup || !isOfOtherProgram($0)) }
            if KeyLookup.isThere(key, onlyAsGroup: isGroup, among: own) { return true }
            try checkIsFollowed(key)
            return false
        }
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
        settings.options.reserveCapacity(subjects.count)
        for stray in listing.strays where stray.kind == .linkedGroup { try unreadable(.file(.isStray(stray))) }
        let leftOut = try leftOut(sudoUser: caller.sudoUser)
        let missing = leftOut?.subjects.filter { $0.key.isWithin(place) }.subtracting(subjects).sorted() ?? []
        func read(_ subject: Subject, _ work: () throws(Problem) -> SettingsContent.Item?) throws(Problem) {
            do throws(Problem) { settings[subject] = try work() } catch {
                guard error.kind == .badData else { throw error }
                try unreadable(error)
            }
        }
        for (subject, item) in zip(subjects, items(subjects)) {
            try read(subject) { () throws(Problem) in
                if let item = try item.get() { return item }
                return subject.isGroup ? nil : try leftOut?.item(subject)
            }
        }
        for subject in missing { try read(subject) { () throws(Problem) in try leftOut?.item(subject) } }
        return settings
    }
}

extension SettingsContent {
    fileprivate var titles: [(subject: Subject, title: ExactText)] {
        subjects.compactMap { subject in self[subject]?.title.map { (subject, $0) } }
    }
}
