import Files
package import SettingsModel

/// The beginning of a page, from as few files as possible: a page of a large store is on the screen before its other files are
/// read. Files that can't be read, and those that git ignores, are for `PagesQuery` to tell.
package struct FirstPageQuery: Query {
    /// An option or a group as somebody wrote it; nil for everything.
    package var place: String?
    /// So many rows are enough.
    package var rows: Int

    package init(_ place: String?, rows: Int) {
        self.place = place
        self.rows = rows
    }

    package struct Beginning {
        package var place: Key
        package var settings: SettingsContent
    }

    /// Nil where the place has to be looked for by its title or the last part of its key.
    package func answer(in session: Session) throws(Problem) -> Beginning? {
        let word = place.map { session.caller.word($0) }
        return try session.readingFiles { folder throws(Problem) in
            for key in word?.readings ?? [.root] {
                var reading = FirstPage(folder: folder, room: rows)
                if try reading.read(key, onlyAsGroup: word?.isGroup ?? false) {
                    return Beginning(place: key, settings: reading.settings)
                }
            }
            return nil
        }
    }
}

/// What has been read so far.
private struct FirstPage {
    let folder: StoreFolder
    /// How many rows there is room for.
    var room: Int
    var settings = SettingsContent()

    init(folder: StoreFolder, room: Int) {
        self.folder = folder
        self.room = room
    }

    /// False where there is nothing of that key.
    mutating func read(_ place: Key, onlyAsGroup: Bool) throws(Problem) -> Bool {
        var group = place
        if !onlyAsGroup, !place.isRoot, try option(place) { group = place.group }
        if !group.isRoot, try names(in: group).isEmpty { return false }
        if case .store(let definition)? = item(.store) { settings.definition = definition }
        for depth in 0..<group.parts.count {
            guard let above = try? Key(parts: Array(group.parts.prefix(depth))) else { continue }
            _ = self.group(above)
        }
        try fill(group)
        return true
    }

    func item(_ subject: Subject) -> SettingsContent.Item? { (try? folder.item(subject)) ?? nil }

    /// Whether there is such an option, which is read then.
    mutating func option(_ key: Key) throws(Problem) -> Bool {
        guard case .option(let option)? = item(.option(key)) else { return false }
        settings.options[key] = option
        return true
    }

    mutating func group(_ key: Key) -> SettingsGroup {
        var group = SettingsGroup()
        if case .group(let found)? = item(.group(key)) { group = found }
        settings.groups[key] = group
        return group
    }

    /// The names of options and groups in a folder, and which of them are groups.
    func names(in group: Key) throws(Problem) -> [(name: ExactText, isGroup: Bool)] {
        try (onDisk(folder.files.names(in: group.path, passing: nil)) ?? []).compactMap { name, entry in
            switch entry {
            case .folder: (try? Key(parts: [name])) == nil ? nil : (ExactText(name), true)
            case .file where name.hasSuffix(".json") && !name.hasPrefix("_"): (ExactText(String(name.dropLast(5))), false)
            case .file, .link, .special: nil
            }
        }
    }

    mutating func fill(_ place: Key) throws(Problem) {
        let group = group(place)
        let names = try names(in: place)
        for name in group.ordered(Set(names.filter { !$0.isGroup }.map(\.name))) where room > 0 {
            guard let key = try? place.appending(name.string), try option(key) else { continue }
            room -= 1
        }
        for name in group.ordered(Set(names.filter(\.isGroup).map(\.name))) where room > 0 {
            guard let key = try? place.appending(name.string), try !folder.isForeign(key.path) else { continue }
            room -= 1
            if self.group(key).style == .section {
                try fill(key)
            } else {
                try follow(key)
            }
        }
    }

    /// A group that holds nothing but another one is opened with it.
    private mutating func follow(_ place: Key) throws(Problem) {
        let names = try names(in: place)
        if names.isEmpty { settings.groups[place] = nil }
        for name in names.prefix(2) where name.isGroup {
            guard let key = try? place.appending(name.name.string) else { continue }
            _ = group(key)
            if names.count == 1 { try follow(key) }
        }
        // An option that isn't read still keeps the group from being passed by.
        guard names.count > 1, let name = names.first(where: { !$0.isGroup }) ?? names.last, !name.isGroup,
            let key = try? place.appending(name.name.string)
        else { return }
        _ = try option(key)
    }
}
