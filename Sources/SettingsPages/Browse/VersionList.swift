package import SettingsModel
import SettingsText

/// Which versions a list shows.
package struct VersionFilter: Hashable, Sendable {
    /// Options and groups; everything where there are none.
    package var places: [Key]
    /// As `VersionSearch` reads it.
    package var search: String

    package init(places: [Key] = [], search: String = "") {
        self.places = places
        self.search = search
    }

    /// Whether the lines between its versions are drawn: every version is shown, or stands on the way.
    var hasGraph: Bool { places.isEmpty && search.isEmpty }
}

/// The versions of a history as far as they are known, newest first. A version takes some 60 bytes; what it changed is looked up
/// when it is on the screen.
package struct VersionList: Sendable {
    /// A version on the way, with the parents that it has here.
    package struct Step: Hashable, Sendable {
        package var id: VersionID
        package var parents: [VersionID]
        package var isShown: Bool

        package init(_ id: VersionID, parents: [VersionID], isShown: Bool = true) {
            self.id = id
            self.parents = parents
            self.isShown = isShown
        }
    }

    /// Why a list ends before the history does.
    package enum End: Hashable, Sendable {
        case shallowClone
        case unreadable(String)

        var words: String {
            switch self {
            case .shallowClone: PageHints.cutOff("The history ends here") + "."
            case .unreadable(let reason): "\(PageHints.sentence(reason))."
            }
        }
    }

    package let filter: VersionFilter
    private var ids: [VersionID] = []
    private var parents: [VersionID] = []
    /// Where the parents of each end.
    private var ends: [UInt32] = []
    /// The places of those that are shown.
    private var shown: [UInt32] = []
    /// The lines before every so many versions that are shown.
    private var drawings: [CompactLines] = []
    private var last: CompactLines
    let glyphs: Glyphs
    /// Whether all are known.
    package private(set) var isComplete = false
    package internal(set) var end: End?
    /// How many have to be known for now.
    package var wanted: Int
    /// How many rows it has in plain mode.
    var plainRows = Browsing.plainRows
    /// Whether it has to be read, for the first time or again.
    var isStale = true

    private static let interval = 128

    package init(_ filter: VersionFilter, _ glyphs: Glyphs, wanted: Int) {
        self.filter = filter
        self.glyphs = glyphs
        self.wanted = wanted
        last = CompactLines(glyphs)
    }

    package var count: Int { shown.count }
    package var isWanting: Bool { !isComplete && count < wanted }
    package func id(_ index: Int) -> VersionID { ids[Int(shown[index])] }

    func index(of id: VersionID) -> Int? { shown.firstIndex { ids[Int($0)] == id } }
    func contains(_ id: VersionID) -> Bool { index(of: id) != nil }

    /// The next ones. `isAtEnd`: there are no more.
    package mutating func append(_ steps: [Step], isAtEnd: Bool) {
        for step in steps { append(step) }
        guard isAtEnd, !isComplete else { return }
        isComplete = true
        if filter.hasGraph { putInOrder() }
    }

    private mutating func append(_ step: Step) {
        guard filter.hasGraph else {
            if step.isShown {
                shown.append(UInt32(ids.count))
                ids.append(step.id)
            }
            return
        }
        if step.isShown {
            if shown.count % Self.interval == 0 { drawings.append(last) }
            shown.append(UInt32(ids.count))
        }
        ids.append(step.id)
        parents += step.parents
        ends.append(UInt32(parents.count))
        draw(ids.count - 1, isShown: step.isShown, &last)
    }

    @discardableResult
    private func draw(_ place: Int, isShown: Bool, _ lines: inout CompactLines) -> String {
        let start = place == 0 ? 0 : Int(ends[place - 1])
        let parents = Array(parents[start..<Int(ends[place])])
        if isShown { return lines.line(ids[place], parents: parents) }
        lines.pass(ids[place], parents: parents)
        return ""
    }

    /// The lines of the graph beside these versions.
    package func graph(_ range: Range<Int>) -> [String] {
        let range = range.clamped(to: 0..<count)
        guard filter.hasGraph, !range.isEmpty else { return range.map { _ in "" } }
        let start = range.lowerBound / Self.interval
        var lines = drawings[start]
        var next = start * Self.interval
        var found: [String] = []
        for place in Int(shown[next])...Int(shown[range.upperBound - 1]) {
            let isShown = next < count && Int(shown[next]) == place
            let text = draw(place, isShown: isShown, &lines)
            if isShown {
                if next >= range.lowerBound { found.append(text) }
                next += 1
            }
        }
        return found
    }

    /// A version never stands above one that was made from it. Where clocks were wrong, the order of times says otherwise.
    private mutating func putInOrder() {
        let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
        func parents(_ place: Int) -> ArraySlice<VersionID> {
            self.parents[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]
        }
        let isOrdered = ids.indices.allSatisfy { place in parents(place).allSatisfy { (places[$0] ?? .max) > place } }
        if isOrdered { return }
        var children: [Int: [Int]] = [:]
        for place in ids.indices {
            for parent in parents(place) { if let parent = places[parent] { children[parent, default: []].append(place) } }
        }
        var isPut = [Bool](repeating: false, count: ids.count)
        var order: [Int] = []
        for start in ids.indices {
            var open = [start]
            while let place = open.last {
                let before = isPut[place] ? [] : (children[place] ?? []).filter { !isPut[$0] }
                if before.isEmpty {
                    open.removeLast()
                    if !isPut[place] {
                        isPut[place] = true
                        order.append(place)
                    }
                } else {
                    open += before.reversed()
                }
            }
        }
        let isShown = Set(shown)
        var sorted = VersionList(filter, glyphs, wanted: wanted)
        for place in order {
            sorted.append(Step(ids[place], parents: Array(parents(place)), isShown: isShown.contains(UInt32(place))))
        }
        sorted.isComplete = true
        sorted.end = end
        sorted.isStale = isStale
        sorted.plainRows = plainRows
        self = sorted
    }
}
