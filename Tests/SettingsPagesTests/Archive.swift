import SettingsModel

@testable import SettingsPages

/// A history in memory, which answers what pages want to know about it.
struct Archive {
    struct Kept {
        var version: Version
        var before: SettingsContent
        var after: SettingsContent
        let changes: [Change]

        init(version: Version, before: SettingsContent, after: SettingsContent) {
            (self.version, self.before, self.after) = (version, before, after)
            changes = after.changes(since: before)
        }
    }

    /// The newest first.
    var versions: [Kept] = []

    private static let people = ["Ann Example", "Bob", "李雷"]

    /// Each version sets some options; every fourth one merges a version that was made beside it.
    init(_ count: Int, since content: SettingsContent) throws {
        var content = content
        var ids: [VersionID] = []
        for number in 0..<count {
            let before = content
            if number > 0 {
                let labels = ["light", "dark", "auto"]
                content.options[try Key("display.theme")]?.value = .string(ExactText(labels[number % 3]))
                content.options[try Key("display.brightness")]?.value = .number(Number(number * 5 % 100))
                if number % 5 == 0 { content.options[try Key("display.larger")]?.value = .bool(number % 10 == 5) }
            }
            var message = VersionMessage(subject: number == 0 ? "Settings" : "display.theme: changed, and more")
            message.via = number % 7 == 3 ? nil : "cli"
            message.why = number % 2 == 0 ? "Because of \(number).\nAnd the moon." : nil
            if number % 4 == 1 { message.tickets = ["FEAT-\(number)"] }
            let person = Person(name: Self.people[number % 3], email: "a@example.org")
            var parents = ids.last.map { [$0] } ?? []
            if number % 4 == 0, ids.count > 2 { parents.append(ids[ids.count - 3]) }
            let id = Self.id(number)
            let version = Version(
                id: id, parents: parents, author: person, committer: person,
                time: Time(seconds: 1_795_000_000 + Int64(number) * 3600, offset: 0), message: message)
            versions.insert(Kept(version: version, before: before, after: content), at: 0)
            ids.append(id)
        }
    }

    static func id(_ number: Int) -> VersionID { VersionID(high: UInt64(number + 1) << 40, middle: 7, low: 1) }

    func kept(_ id: VersionID) -> Kept? { versions.first { $0.version.id == id } }

    /// So many versions are answered at once.
    var part = 30

    func answer(_ request: BrowseRequest) -> [BrowseAnswer] {
        switch request {
        case .list(let number, let filter):
            let search = VersionSearch(filter.search)
            let steps = versions.map { kept in
                let isOfPlace =
                    filter.places.isEmpty
                    || kept.changes.contains { change in
                        filter.places.contains { change.subject.key.isWithin($0) }
                    }
                let isShown = isOfPlace && search.takes(kept.version) && search.takes(kept.version, kept.changes)
                return VersionList.Step(kept.version.id, parents: kept.version.parents, isShown: isShown)
            }
            return stride(from: 0, to: max(steps.count, 1), by: part).map { start in
                let end = min(start + part, steps.count)
                return .list(number, Array(steps[start..<end]), isAtEnd: end == steps.count)
            }
        case .names:
            return [
                .names([
                    Self.id(versions.count - 1): Browsing.Names(tags: [], branches: ["main"]),
                    Self.id(2): Browsing.Names(tags: ["v1"], branches: []),
                ])
            ]
        case .entries(let ids):
            let entries = ids.map { id in
                let kept = kept(id)
                let changes = kept.map { VersionChanges(changes: $0.changes) }
                return (id, Browsing.Entry(kept?.version, changes: changes, count: changes?.changes.count ?? 0))
            }
            return [.entries(Dictionary(entries) { first, _ in first })]
        case .detail(let id):
            var detail = Browsing.Detail(id)
            detail.version = kept(id)?.version
            detail.changes.changes = kept(id)?.changes ?? []
            return [.detail(detail)]
        case .compare(let old, let new):
            let changes = (kept(new)?.after ?? SettingsContent()).changes(since: kept(old)?.after ?? SettingsContent())
            return [.comparison(Browsing.Comparison(old, new, changes))]
        // What names versions is changed in git alone.
        case .name: return []
        case .past(let id): return [.past(Browsing.Past(id, kept(id)?.after ?? SettingsContent(), unreadable: []))]
        case .files(let id):
            let lines = FileLine.difference(
                of: "display/theme.json", from: "{\n  \"value\": 1\n}\n", to: "{\n  \"value\": 2\n}\n")
            return [.files(Browsing.Files(id, lines))]
        case .restore(let places, let id):
            guard let then = kept(id)?.after, let now = versions.first?.after else { return [] }
            let changes = then.changes(since: now).filter { change in
                places.isEmpty || places.contains { change.subject.key.isWithin($0) }
            }
            return [.restored(id, changes, conflicts: [])]
        case .revert(let id, let subject):
            let changes = kept(id)?.changes.filter { subject == nil || $0.subject == subject } ?? []
            return [.reverted(id, changes.inverted)]
        }
    }
}

extension Editor {
    /// A browser of a small history, with what it needs at the start.
    static func browser(
        _ archive: Archive, at place: Key = .root, columns: Int = 80, rows: Int = 24, ascii isASCII: Bool = false
    ) -> Editor {
        let content = archive.versions.first?.after ?? SettingsContent()
        var editor = Editor(
            Loaded(content), browsing: place, phrases: Office.phrases(ascii: isASCII),
            size: Grid.Size(columns: columns, rows: rows))
        editor.serve(editor.begin(), archive)
        return editor
    }

    /// Gives the editor what it asks for, and what that makes it ask for.
    @discardableResult
    mutating func serve(_ effects: [Effect], _ archive: Archive) -> [Effect] {
        var open = effects
        var others: [Effect] = []
        var rest = 1000
        while !open.isEmpty {
            let effect = open.removeFirst()
            rest -= 1
            precondition(rest > 0, "asked again and again: \(effect)")
            guard case .browse(let request) = effect else {
                others.append(effect)
                continue
            }
            for answer in archive.answer(request) { open += step(.browsed(answer)) }
        }
        return others
    }

    /// As `press`, with what the keys ask for.
    @discardableResult
    mutating func press(_ words: String, _ archive: Archive) -> [Effect] {
        var others: [Effect] = []
        for (index, part) in words.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                for character in part { others += serve(step(.key(.character(character))), archive) }
                continue
            }
            for word in part.split(separator: " ") { others += serve(press(String(word)), archive) }
        }
        return others
    }
}
