import SettingsModel
import SettingsStore

/// From what somebody wrote to the option or group that is meant.
struct Keys {
    let environment: Environment
    /// Every option, listed only when a word isn't one as it stands.
    let options: () throws -> [Key]

    func parse(_ word: String) throws -> Key {
        do { return try Key(word) } catch { throw StoreError(error, key: word) }
    }

    /// The option `word` names. At a terminal a last part that is unique in the store will do.
    func option(_ word: String, exists: (Key) throws -> Bool) throws -> Key {
        let key = try parse(word)
        if try exists(key) { return key }
        let all = try options()
        if environment.isInputTerminal, key.parts.count == 1 {
            let matches = all.filter { $0.name == key.name }
            if matches.count == 1 { return matches[0] }
            if matches.count > 1 {
                throw Failure(
                    .missing,
                    "'\(word)' is the end of \(matches.count) keys: \(matches.map(\.description).joined(separator: ", "))",
                    hint: "write the whole key")
            }
        }
        if all.contains(where: { $0 != key && $0.isWithin(key) }) {
            throw Failure(.missing, "'\(word)' is a group", hint: "'settings list \(key)' shows what is in it")
        }
        throw missing(word, among: all)
    }

    static func hint(ignored subject: Subject, by rule: String) -> String {
        "git ignores \(subject.path) (\(rule)), so it is not part of the store"
    }

    /// `kinds`: what was looked for.
    func missing(_ word: String, among keys: [Key], _ kinds: String = "option") -> Failure {
        let near = Nearest.words(to: word, among: Set(keys.filter { !$0.isRoot }.map(\.description)))
        let hint = near.isEmpty ? "'settings list' shows what there is" : "did you mean \(Words.alternatives(near))?"
        return Failure(.missing, "there is no \(kinds) '\(word)'", hint: hint)
    }
}

extension StoreFolder {
    func keys(_ environment: Environment) -> Keys {
        Keys(environment: environment) {
            try listing().options + (try leftOut(sudoUser: environment.sudoUser)?.subjects.sorted().options ?? [])
        }
    }

    /// The option that `word` names; its file is read once.
    func option(named word: String, _ environment: Environment) throws -> (key: Key, option: SettingsModel.Option) {
        let names = keys(environment)
        var found: SettingsModel.Option?
        let key = try names.option(word) { key in
            found = try option(key, sudoUser: environment.sudoUser)
            guard found != nil, let rule = try ignoreRule(for: .option(key)) else { return found != nil }
            throw Failure(.missing, "there is no option '\(word)'", hint: Keys.hint(ignored: .option(key), by: "\(rule)"))
        }
        guard let option = try found ?? option(key, sudoUser: environment.sudoUser) else {
            throw names.missing(word, among: [])
        }
        return (key, option)
    }

    /// An option as its file has it, or the last version where a sparse checkout leaves it out.
    func option(_ key: Key, sudoUser: UInt32?) throws(StoreError) -> SettingsModel.Option? {
        if let option = try item(.option(key))?.option { return option }
        return try leftOut(sudoUser: sudoUser)?.item(.option(key))?.option
    }
}

extension StoreFolder {
    /// Everything in `place` as it stands; what a sparse checkout leaves out, as the last version has it. `unreadable` is told
    /// of files that can't be read.
    func settings(
        of place: Key = .root, _ environment: Environment, unreadable: (StoreError) throws -> Void
    ) throws -> Settings {
        var settings = Settings()
        let listing = try listing(of: place)
        // A folder or a link where an option's file should be is an option that can't be read.
        let subjects = (listing.subjects + listing.strays.compactMap { Subject(path: $0.path) }).sorted()
        let leftOut = try leftOut(sudoUser: environment.sudoUser)
        let missing = leftOut?.subjects.filter { $0.key.isWithin(place) }.subtracting(subjects).sorted() ?? []
        func read(_ subject: Subject, _ work: () throws(StoreError) -> Settings.Item?) throws {
            do throws(StoreError) { settings[subject] = try work() } catch {
                guard error.kind == .badData else { throw error }
                try unreadable(error)
            }
        }
        for subject in subjects {
            try read(subject) { () throws(StoreError) in
                guard case .option(let key) = subject else { return try item(subject) }
                return try option(key, sudoUser: environment.sudoUser).map { .option($0) }
            }
        }
        for subject in missing { try read(subject) { () throws(StoreError) in try leftOut?.item(subject) } }
        return settings
    }
}

extension [Subject] {
    fileprivate var options: [Key] { compactMap { if case .option(let key) = $0 { key } else { nil } } }
}

extension StoreFolder.Listing {
    var options: [Key] { subjects.options }
}

extension Snapshot {
    func keys(_ environment: Environment) -> Keys {
        Keys(environment: environment) { try options() }
    }

    /// Whether `word` is the key of a group.
    func holdsGroup(_ word: String) throws(StoreError) -> Bool {
        guard let key = try? Key(word) else { return false }
        return try subjects(in: key).contains { $0.key != key || $0 == .group(key) }
    }

    func options(in group: Key = .root) throws(StoreError) -> [Key] {
        try subjects(in: group).compactMap { if case .option(let key) = $0 { key } else { nil } }
    }

    /// The places (options or groups) that `words` name; each must be there, now or, where `past` is so, ever.
    func places(_ words: [String], _ environment: Environment) throws -> [Key] {
        var places: [Key] = []
        for word in words {
            let key = try keys(environment).parse(word)
            if try key.isRoot || holds(key) {
                places.append(key)
                continue
            }
            let all = try subjects()
            let matches = environment.isInputTerminal && key.parts.count == 1 ? all.filter { $0.key.name == key.name } : []
            guard matches.count == 1 else {
                throw keys(environment).missing(word, among: all.flatMap { [$0.key, $0.key.group] }, "option or group")
            }
            places.append(matches[0].key)
        }
        return places
    }
}
