import SettingsModel

/// Keys that begin with what was typed, one level of groups at a time, as they can be written in the current folder.
struct KeyCandidates {
    /// The keys of all options.
    let options: [Key]
    let caller: Caller
    /// Whether groups are candidates as well.
    var includesGroups = false

    /// A candidate, with the option or the group that it is.
    struct Entry: Hashable {
        var text: String
        var subject: Subject
    }

    /// `general.` stands for what is in the group, and nothing else does where the groups on the way hold one group each.
    func entries(_ typed: String) -> [Entry] {
        // As it was typed: with dots or, as a path, with slashes.
        let separator: Character = typed.contains("/") ? "/" : "."
        let names = separator == "/" ? paths(typed) : dotted
        var level = entries(names, typed, separator)
        // The group itself, where its key is complete.
        let own = typed + String(separator)
        let whole = includesGroups ? level.filter { $0.text == own && $0.subject.isGroup } : []
        while level.count == 1, level[0].subject.isGroup {
            let inside = entries(names, level[0].text, separator)
            guard inside.count == 1, inside[0].subject.isGroup else { break }
            level = inside
        }
        return whole.map { Entry(text: typed, subject: $0.subject) } + level
    }

    /// Every key in full, and what lies in the current folder by its name there, unless that is another one's key.
    private var dotted: [(text: String, key: Key)] {
        let all = Set(options)
        let nearby = options.compactMap { key in caller.place?.name(of: key).map { (text: $0, key: key) } }
        return options.map { ($0.description, $0) }
            + nearby.filter { !all.contains($0.text) }.map { ($0.text.description, $0.key) }
    }

    /// What lies in the folder that a path leads to, by the way that the path takes.
    private func paths(_ typed: String) -> [(text: String, key: Key)] {
        let start = String(typed[...(typed.lastIndex(of: "/") ?? typed.startIndex)])
        let found = caller.word(start).readings.lazy.map { group in
            (group, self.options.filter { $0.isWithin(group) && $0 != group })
        }
        .first { !$0.1.isEmpty }
        guard let (group, inside) = found else { return [] }
        return inside.map { (start + $0.parts.dropFirst(group.parts.count).joined(separator: "/"), $0) }
    }

    private func entries(_ names: [(text: String, key: Key)], _ typed: String, _ separator: Character) -> [Entry] {
        var (found, seen): ([Entry], Set<String>) = ([], [])
        for (text, key) in names where text.hasPrefix(typed) {
            let rest = text.dropFirst(typed.count)
            guard let end = rest.firstIndex(of: separator) else {
                found.append(Entry(text: text, subject: .option(key)))
                continue
            }
            let group = String(text[...end])
            guard seen.insert(group).inserted else { continue }
            let depth = key.parts.count - rest[end...].count { $0 == separator }
            guard let place = try? Key(parts: Array(key.parts.prefix(depth))) else { continue }
            found.append(Entry(text: group, subject: .group(place)))
        }
        return found.sorted { $0.text < $1.text }
    }
}
