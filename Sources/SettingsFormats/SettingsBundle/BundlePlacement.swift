import SettingsModel

/// The keys of options, sections and pages.
///
/// The identity of an app's setting is its Key alone; the page and the section that show it may change. So options of
/// earlier imports keep their keys, and a section is identified by the options in it, even if its title has changed.
struct BundlePlacement {
    private var names = KeyNames()
    /// The options of earlier imports, by their own names.
    private var options: [ExactText: Key] = [:]
    private var pages: [ExactText: Key] = [:]
    private var sections: Set<Key> = []
    /// The setting of each key; keys are folded.
    private var owners: [Key: ExactText] = [:]
    private var takenGroups: Set<Key> = []

    /// A section of a page: its title, which doesn't depend on the language, and its settings.
    struct Section {
        var title: ExactText?
        var keys: [ExactText]
    }

    /// Deeper pages go to the first page: a key has at most 16 parts, and some may be needed for the target group.
    static let depthLimit = 8

    init(_ existing: SettingsContent) {
        guard existing.groups[.root]?.other[SettingsBundleFormat.member] != nil else { return }
        for key in existing.options.keys.sorted() {
            let name = existing.options[key]?.importedKey ?? ExactText(key.name)
            if options[name] == nil { options[name] = key }
            owners[key.folded] = name
        }
        for key in existing.allGroups.sorted() where !key.isRoot {
            if existing.groups[key]?.style == .page {
                pages[existing.groups[key]?.other["key"]?.text ?? ExactText(key.name)] = key
            } else {
                sections.insert(key)
            }
        }
    }

    /// The key of the option called `name`, which is shown in `group`.
    mutating func option(_ name: ExactText, in group: Key) throws(Key.Malformed) -> Key {
        if let key = options[name] { return key }
        var (key, _) = try names.key(name.string, in: group)
        let part = key.name
        var count = 1
        while let owner = owners[key.folded], owner != name {
            count += 1
            key = try group.appending("\(part.prefix(120))-\(count)")
        }
        owners[key.folded] = name
        options[name] = key
        return key
    }

    mutating func page(_ name: ExactText, in parent: Key) throws(Key.Malformed) -> Key {
        if let key = pages[name], takenGroups.insert(key.folded).inserted { return key }
        return try free(KeyNames.part(from: name.string), in: parent.parts.count < BundlePlacement.depthLimit ? parent : .root)
    }

    /// The keys of the sections of `page`: the group that contained most of a section's options before; otherwise a key from
    /// its title or its first setting.
    mutating func sections(_ wanted: [Section], in page: Key) throws(Key.Malformed) -> [Key] {
        var claims: [(votes: Int, section: Int, key: Key)] = []
        for (index, section) in wanted.enumerated() {
            var votes: [Key: Int] = [:]
            for name in section.keys { if let group = options[name]?.group { votes[group, default: 0] += 1 } }
            for (key, votes) in votes where key.group == page && !key.isRoot && sections.contains(key) {
                claims.append((votes, index, key))
            }
        }
        claims.sort { ($1.votes, $0.section, $0.key) < ($0.votes, $1.section, $1.key) }
        var keys: [Int: Key] = [:]
        for claim in claims where keys[claim.section] == nil && takenGroups.insert(claim.key.folded).inserted {
            keys[claim.section] = claim.key
        }
        var placed: [Key] = []
        for (index, section) in wanted.enumerated() {
            if let key = keys[index] {
                placed.append(key)
                continue
            }
            let first = section.keys.first.map { KeyNames.part(from: $0.string) }
            placed.append(try free(BundlePlacement.stem(section.title) ?? first ?? "section", in: page))
        }
        return placed
    }

    private mutating func free(_ stem: String, in group: Key) throws(Key.Malformed) -> Key {
        var key = try group.appending(stem)
        var count = 1
        while !takenGroups.insert(key.folded).inserted {
            count += 1
            key = try group.appending("\(stem.prefix(120))-\(count)")
        }
        return key
    }

    /// Whole words of a title, up to about 40 bytes; nil if it has no letters that a key can have.
    private static func stem(_ title: ExactText?) -> String? {
        guard let title, !title.isEmpty, let words = Labels().newValue(for: title).text?.string else { return nil }
        let letters = String(String.UnicodeScalarView(words.unicodeScalars.filter(\.isASCII)))
        var stem = ""
        for word in letters.split(separator: "-") {
            if stem.isEmpty {
                stem = String(word.prefix(40))
            } else if stem.utf8.count + word.utf8.count < 40 {
                stem += "-\(word)"
            } else {
                break
            }
        }
        return stem.isEmpty ? nil : stem
    }
}
