import SettingsModel
import SettingsPages
import SettingsStore

/// The histories that pages are reading, list by list. Each is read in small parts, so that keys are taken in between.
struct Walks {
    private var open: [Int: VersionWalk] = [:]

    /// How many versions, and commits, are read at once. A part takes some 5 ms.
    private static let part = (shown: 500, examined: 500)
    /// The same where each version's changes are looked at.
    private static let searchPart = (shown: 50, examined: 100)
    /// The first part fills a screen.
    private static let first = 60

    mutating func begin(_ list: Int, _ filter: VersionFilter, _ clock: Clock, in session: Session) throws(Problem) {
        open[list] = nil
        let search = VersionSearch(filter.search)
        let moments = search.moments(clock)
        guard !search.isEmpty else { return open[list] = try session.versionWalk(in: filter.places) }
        let names = search.words.isEmpty ? [:] : try session.ask(VersionNamesQuery())
        open[list] = try session.versionWalk(
            in: filter.places, since: moments.since, until: moments.until, author: search.who.first,
            where: VersionWalk.Condition(
                takes: { search.takes($0) },
                takesChanges: { version, changes in
                    let names = names[version.id].map { $0.tags + $0.branches + $0.remotes } ?? []
                    return search.takes(version, changes.changes, names: names)
                }))
    }

    /// The list that is to be read on, if one is.
    func next(_ browsing: Browsing) -> Int? { open.keys.sorted().last { browsing.isWanting($0) } }

    var isEmpty: Bool { open.isEmpty }

    /// The next versions of a list. `isFirst`: as many as are seen at once.
    mutating func read(
        _ list: Int, searches: Bool, isFirst: Bool = false
    ) throws(Problem) -> (steps: [VersionList.Step], isAtEnd: Bool, isCutOff: Bool) {
        guard let walk = open[list] else { return ([], true, false) }
        let part = searches ? Self.searchPart : Self.part
        do throws(Problem) {
            let steps = try walk.next(isFirst ? Self.first : part.shown, examining: part.examined)
            if walk.isAtEnd { open[list] = nil }
            return (
                steps.map { VersionList.Step($0.id, parents: $0.parents, isShown: $0.isShown) }, walk.isAtEnd,
                walk.isAtEnd && !walk.isComplete
            )
        } catch {
            open[list] = nil
            throw error
        }
    }
}
