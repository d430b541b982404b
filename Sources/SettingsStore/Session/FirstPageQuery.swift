import Files
package import SettingsModel

/// The beginning of a page, from as few files as possible: a page of a large store is on the screen before its other files are
/// read. Files that can't be read, and those that git ignores, are for `PagesQuery` to tell.
package struct FirstPageQuery: Query {
    /// An option or a group.
    package var place: Key
    /// So many rows are enough.
    package var rows: Int

    package init(_ place: Key, rows: Int) {
        self.place = place
        self.rows = rows
    }

    /// Nil where there is no such place.
    package func answer(in session: Session) throws(Problem) -> SettingsContent? {
        try session.files.reading { folder throws(Problem) in
            var reading = FirstPage(folder: folder, room: rows)
            var group = place
            if !place.isRoot, try reading.option(place) { group = place.group }
            if !group.isRoot, try reading.names(in: group).isEmpty { return nil }
            if case .store(let definition)? = reading.item(.store) { reading.settings.definition = definition }
            var above = group
            while !above.isRoot {
                above = above.group
                _ = reading.group(above)
            }
            try reading.fill(group)
            return reading.settings
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
        do {
            return try (folder.files.names(in: group.path, passing: nil) ?? []).compactMap { name, entry in
                switch entry {
                case .folder: (try? Key(parts: [name])) == nil ? nil : (ExactText(name), true)
                case .file where name.hasSuffix(".json") && !name.hasPrefix("_"): (ExactText(String(name.dropLast(5))), false)
                case .file, .other: nil
                }
            }
        } catch { throw .file(.failed(error)) }
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
