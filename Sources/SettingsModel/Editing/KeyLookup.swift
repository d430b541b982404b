/// Finds the option or group that a word names.
package struct KeyLookup {
    /// Whether the last part of a key suffices if it is unique: it does at a terminal, but not in a script.
    private let takesLastPart: Bool
    /// All options; called only if a word is not a key itself.
    private let options: () throws(Problem) -> [Key]

    package init(takesLastPart: Bool, options: @escaping () throws(Problem) -> [Key]) {
        self.takesLastPart = takesLastPart
        self.options = options
    }

    package static func parse(_ word: String) throws(Problem) -> Key {
        do { return try Key(word) } catch { throw .key(.malformed(word, error)) }
    }

    package func option(_ word: String, exists: (Key) throws(Problem) -> Bool) throws(Problem) -> Key {
        let key = try Self.parse(word)
        if try exists(key) { return key }
        let all = try options()
        if takesLastPart, key.parts.count == 1 {
            let matches = all.filter { $0.name == key.name }
            if matches.count == 1 { return matches[0] }
            if matches.count > 1 { throw .key(.isAmbiguous(word, matches)) }
        }
        if all.contains(where: { $0 != key && $0.isWithin(key) }) { throw .key(.isGroup(word, key)) }
        throw .key(.noOption(word, near: Self.near(word, all)))
    }

    /// The group or option that `word` names among `places`.
    package func place(_ word: String, among places: () throws(Problem) -> [Key]) throws(Problem) -> Key {
        let key = try Self.parse(word)
        let all = try places()
        let matches = takesLastPart && key.parts.count == 1 ? all.filter { $0.name == key.name } : []
        if matches.count == 1 { return matches[0] }
        throw .key(.noPlace(word, near: Self.near(word, all.flatMap { [$0, $0.group] })))
    }

    package static func near(_ word: String, _ keys: [Key]) -> [String] {
        Nearest.words(to: word, among: Set(keys.filter { !$0.isRoot }.map(\.description)))
    }
}
