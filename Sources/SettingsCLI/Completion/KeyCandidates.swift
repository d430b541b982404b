import SettingsModel

/// Keys that begin with what was typed, one level of groups at a time.
struct KeyCandidates {
    /// The keys of all options.
    let options: [Key]
    /// Whether groups are candidates as well.
    var includesGroups = false

    /// A candidate, with the option or the group that it is.
    struct Entry: Hashable {
        var text: String
        var subject: Subject
    }

    /// `general.` stands for what is in the group, and nothing else does where the groups on the way hold one group each.
    func entries(_ typed: String) -> [Entry] {
        var level = entries(below: typed)
        // The group itself, where its key is complete.
        var whole: [Entry] = []
        if includesGroups, let group = try? Key(typed), level.contains(where: { $0.subject == .group(group) }) {
            whole = [Entry(text: typed, subject: .group(group))]
        }
        while level.count == 1, case .group = level[0].subject {
            let inside = entries(below: level[0].text)
            guard inside.count == 1, case .group = inside[0].subject else { break }
            level = inside
        }
        return whole + level
    }

    private func entries(below typed: String) -> [Entry] {
        // As it was typed: with dots or, as a path, with slashes.
        let separator: Character = typed.contains("/") ? "/" : "."
        var (found, seen): ([Entry], Set<String>) = ([], [])
        for key in options {
            let text = key.parts.joined(separator: String(separator))
            guard text.hasPrefix(typed) else { continue }
            let rest = text.dropFirst(typed.count)
            guard let end = rest.firstIndex(of: separator) else {
                found.append(Entry(text: text, subject: .option(key)))
                continue
            }
            let group = String(text[...end])
            guard seen.insert(group).inserted, let place = try? Key(String(group.dropLast())) else { continue }
            found.append(Entry(text: group, subject: .group(place)))
        }
        return found.sorted { $0.text < $1.text }
    }
}
