/// Finds the option or group that a word names.
package struct KeyLookup {
    /// What a word is looked up among if it is not a key of something itself.
    package struct Names {
        package var subjects: () throws(Problem) -> [Subject]
        package var titles: () throws(Problem) -> [(subject: Subject, title: ExactText)]

        package init(
            subjects: @escaping () throws(Problem) -> [Subject],
            titles: @escaping () throws(Problem) -> [(subject: Subject, title: ExactText)]
        ) {
            self.subjects = subjects
            self.titles = titles
        }
    }

    private let caller: Caller
    private let takesTitles: Bool
    private let names: Names

    /// Without `takesTitles`, a last part suffices at a terminal, but a title doesn't.
    package init(_ caller: Caller, takesTitles: Bool = true, names: Names) {
        self.caller = caller
        self.takesTitles = takesTitles
        self.names = names
    }

    package func option(_ text: String, exists: (Key) throws(Problem) -> Bool) throws(Problem) -> Key {
        let word = caller.word(text)
        for key in word.isGroup ? [] : word.readings where !key.isRoot {
            if try exists(key) { return key }
        }
        try refuse(word)
        let subjects = try names.subjects()
        let options = subjects.options
        // What can't be read is there. Another program's file is not, and has a name of an option.
        func isThere(_ key: Key) -> Bool { (try? exists(key)) != false }
        if let key = try named(word, options, onlyOptions: true, isThere) { return key }
        if let fault = word.fault { throw fault }
        for key in word.readings where key.isRoot || Self.isGroup(key, among: subjects) { throw .key(.isGroup(text, key)) }
        if word.isGroup { throw noGroup(word, subjects) }
        throw .key(.noOption(text, near: Self.near(word, options, isThere)))
    }

    /// The group or option that `text` names. `exists` is asked whether there is an option or a group of a key, or a group if
    /// its second argument is true.
    package func place(
        _ text: String, exists: (Key, _ isGroup: Bool) throws(Problem) -> Bool
    ) throws(Problem) -> Key {
        let word = caller.word(text)
        for key in word.readings {
            if key.isRoot { return key }
            if try exists(key, word.isGroup) { return key }
        }
        try refuse(word)
        let subjects = try names.subjects()
        let places = Self.groups(among: subjects).union(subjects.options)
        func isThere(_ key: Key) -> Bool { (try? exists(key, false)) != false }
        if let key = try named(word, places, onlyOptions: false, isThere) { return key }
        if let fault = word.fault { throw fault }
        if word.isGroup { throw noGroup(word, subjects) }
        throw .key(.noPlace(text, near: Self.near(word, places, isThere)))
    }

    private func noGroup(_ word: KeyWord, _ subjects: [Subject]) -> Problem {
        let option = word.readings.first(where: subjects.options.contains)
        return .key(.noGroup(word.text, option: option, near: Self.near(word, Self.groups(among: subjects)) { _ in true }))
    }

    /// Elsewhere than at a terminal, what is not a key can't be anything else.
    private func refuse(_ word: KeyWord) throws(Problem) {
        if !caller.isAtTerminal, let fault = word.fault { throw fault }
    }

    /// By its last part or its title: at a terminal these suffice.
    private func named(
        _ word: KeyWord, _ keys: some Sequence<Key>, onlyOptions: Bool, _ isThere: (Key) -> Bool
    ) throws(Problem) -> Key? {
        guard caller.isAtTerminal, !word.text.contains("/") else { return nil }
        if let key = try only(keys.filter { $0.name == word.text && isThere($0) }, word) { return key }
        guard takesTitles, !word.text.isEmpty else { return nil }
        let titled = try names.titles().filter { !$0.subject.key.isRoot && !(onlyOptions && $0.subject.isGroup) }
        if let key = try only(titled.filter { $0.title == ExactText(word.text) }.map(\.subject.key), word) { return key }
        let folded = word.text.lowercased()
        return try only(titled.filter { $0.title.string.lowercased() == folded }.map(\.subject.key), word)
    }

    private func only(_ keys: [Key], _ word: KeyWord) throws(Problem) -> Key? {
        let keys = Set(keys).sorted()
        if keys.count > 1 { throw .key(.isAmbiguous(word.text, keys)) }
        return keys.first
    }

    /// Whether `key` is the key of a group among these.
    package static func isGroup(_ key: Key, among subjects: some Sequence<Subject>) -> Bool {
        subjects.contains { $0.key.isWithin(key) && $0 != .option(key) }
    }

    /// Whether `key` is the key of an option or a group among these.
    package static func isThere(_ key: Key, onlyAsGroup: Bool, among subjects: some Sequence<Subject>) -> Bool {
        onlyAsGroup ? isGroup(key, among: subjects) : subjects.contains { $0.key.isWithin(key) }
    }

    /// All groups but the root, also those without a file.
    static func groups(among subjects: [Subject]) -> Set<Key> {
        var groups: Set<Key> = []
        for subject in subjects {
            var group = subject.isGroup ? subject.key : subject.key.group
            while !group.isRoot, groups.insert(group).inserted { group = group.group }
        }
        return groups
    }

    private static func near(_ word: KeyWord, _ keys: some Sequence<Key>, _ isThere: (Key) -> Bool) -> [String] {
        let names = Dictionary(keys.filter { !$0.isRoot }.map { ($0.description, $0) }) { first, _ in first }
        for key in word.readings {
            let near = Nearest.words(to: key.description, among: names.keys).filter { names[$0].map(isThere) == true }
            if !near.isEmpty { return near }
        }
        return []
    }
}
