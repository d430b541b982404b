import SettingsModel
import SettingsText

extension Browsing {
    /// The number of the list of these versions, which is begun if there is none. Those on no page are given up.
    mutating func begin(_ filter: VersionFilter, _ scene: Scene, open: [VersionFilter]) -> Int {
        if let number = number(of: filter) { return number }
        let wanted = filter.search.isEmpty ? Self.readAhead : Self.readAhead / 10
        let list = VersionList(filter, scene.glyphs, wanted: wanted)
        let free = lists.indices.first { $0 != search && !open.contains(lists[$0].filter) }
        guard let free else {
            lists.append(list)
            return lists.count - 1
        }
        lists[free] = list
        renewed[free] = nil
        return free
    }

    /// The list of the last search. What was searched for before, as far as it was typed, is not read on.
    mutating func search(_ number: Int) {
        guard search != number else { return }
        if let search, !lists[search].filter.search.isEmpty { lists[search].wanted = 0 }
        if lists[number].wanted == 0 { lists[number].wanted = Self.readAhead / 10 }
        search = number
    }

    /// As many versions are read as are needed to go on from this row.
    mutating func want(_ focus: Int, in number: Int) {
        if lists[number].filter.search.isEmpty { lists[number].wanted = max(lists[number].wanted, focus + Self.readAhead / 2) }
    }

    /// The list's filter, if it has to be read.
    mutating func renew(_ number: Int) -> VersionFilter? {
        guard lists[number].isStale else { return nil }
        lists[number].isStale = false
        if lists[number].count > 0 {
            renewed[number] = VersionList(lists[number].filter, lists[number].glyphs, wanted: lists[number].wanted)
            renewed[number]?.isStale = false
            renewed[number]?.plainRows = lists[number].plainRows
        }
        return lists[number].filter
    }

    /// Somebody recorded something: lists are read again, and names as well.
    mutating func renewAll() {
        names = nil
        for number in lists.indices { lists[number].isStale = true }
    }

    /// Lists with a graph are read again.
    mutating func renewGraphs() {
        for number in lists.indices where lists[number].filter.hasGraph { lists[number].isStale = true }
    }

    /// Why a list ends before the history does; told before its last versions.
    mutating func end(_ number: Int, _ end: VersionList.End) {
        if renewed[number] != nil { renewed[number]?.end = end } else { lists[number].end = end }
    }

    /// Further versions of a list. One that is read again takes the old one's place as soon as it has `focused`.
    mutating func take(_ number: Int, _ steps: [VersionList.Step], isAtEnd: Bool, until focused: VersionID?) {
        guard var list = renewed.removeValue(forKey: number) else {
            return lists[number].append(steps, isAtEnd: isAtEnd)
        }
        list.append(steps, isAtEnd: isAtEnd)
        if isAtEnd || focused.map({ list.contains($0) }) ?? true {
            list.isStale = lists[number].isStale
            lists[number] = list
        } else {
            renewed[number] = list
        }
    }

    /// Whether more versions of a list have to be read.
    package func isWanting(_ number: Int) -> Bool {
        guard lists.indices.contains(number) else { return false }
        return renewed[number].map { !$0.isComplete } ?? lists[number].isWanting
    }

    mutating func add(_ new: [VersionID: Entry]) {
        if entries.count + new.count > Self.entryLimit { entries = entries.filter { graphs[$0.key] != nil || $0.key == mark } }
        entries.merge(new) { $1 }
    }

    /// Draws the lines of the rows on the screen. Returns the versions that are not known yet.
    mutating func show(_ rows: [VersionRow]) -> [VersionID] {
        guard let first = rows.first else { return [] }
        let list = lists[Int(first.list)]
        if list.filter.hasGraph, let start = list.index(of: first.version) {
            graphs = Dictionary(
                zip(rows.map(\.version), list.graph(start..<start + rows.count)), uniquingKeysWith: { first, _ in first })
        } else {
            graphs = Dictionary(rows.map { ($0.version, "") }, uniquingKeysWith: { first, _ in first })
        }
        return rows.map(\.version).filter { entries[$0] == nil }
    }

    /// The widths of the columns: as wide as what is on the screen, where there is room.
    mutating func fit(_ width: Int, _ phrases: Phrases) {
        var widest = Columns()
        var first = 0
        for (id, graph) in graphs {
            widest.graph = max(widest.graph, graph.displayWidth)
            guard let version = entries[id]?.version else { continue }
            widest.time = max(widest.time, phrases.time(version.time).displayWidth)
            widest.person = max(widest.person, version.author.name.displayWidth)
            first = max(first, VersionRow.shortName(version).displayWidth)
        }
        columns.graph = min(widest.graph, max(5, width / 4))
        // What is too narrow for all shows what was changed.
        columns.time = width < 34 ? 0 : min(widest.time, max(12, width / 3))
        let room = width < 24 ? 0 : max(6, width / 6)
        columns.person = widest.person <= room ? widest.person : min(first, room)
    }

    /// Whether a version is older than another one: it stands below it in the list, or its time says so.
    func isEarlier(_ one: VersionID, than other: VersionID, in page: VersionsPage?) -> Bool {
        if let number = page.flatMap({ self.number(of: $0.filter) }), let below = lists[number].index(of: one),
            let above = lists[number].index(of: other)
        {
            return below > above
        }
        guard let one = entries[one]?.version?.time.seconds, let other = entries[other]?.version?.time.seconds else {
            return true
        }
        return one <= other
    }
}
