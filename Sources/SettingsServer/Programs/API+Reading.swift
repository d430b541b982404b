import HTTPTypes
import Hummingbird
import SettingsKit
import SettingsModel
import SettingsStore
import SettingsText

extension API {
    // MARK: Options

    /// As `list --json`, each with who chose its value. What can't be read is told beside them.
    func options(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try request.fields("group", "at")
        let group = fields.filled("group")
        guard let word = fields.filled("at") else {
            let flags = await latest.flags()
            let content = flags.snapshot.content
            if group == nil, let known = latest.list(of: flags) {
                return .json(known.bytes, known.tag, isKnown: known.tag.isNamed(in: request.headers[.ifNoneMatch]))
            }
            var place = Key.root
            if let group { place = try await self.place(group, content) }
            let document = list(Sections(content, from: place), flags.snapshot.problems, chosenBy: flags.origin)
            if group == nil { latest.keep(document, of: flags) }
            return .json(document, for: request)
        }
        let version = try await settings.ask(VersionQuery(word), atMost: Self.patience).version
        var query = SettingsQuery(in: group, at: version.id)
        query.masksAsToday = true
        let found = try await settings.ask(query, atMost: Self.patience)
        let blame = try await settings.ask(
            BlameQuery(found.place.isRoot ? [] : [found.place.description], at: version.id), atMost: Self.patience)
        let origins = Dictionary(blame.blames.lazy.map { ($0.key, $0.version) }) { $1 }
        return .json(list(Sections(found.settings, from: found.place), found.unreadable) { origins[$0] ?? nil }, for: request)
    }

    private func list(_ sections: Sections, _ unreadable: [Problem], chosenBy origin: (Key) -> Version?) -> JSON {
        let files = unreadable.compactMap { problem -> VersionChanges.Unreadable? in
            guard case .file(.unreadable(_, let path, _)) = problem else { return nil }
            return VersionChanges.Unreadable(path: path, problem)
        }
        return Reports.document([
            "options": .array(
                sections.rows.map { row in
                    reports.option(row.key, row.option, ["chosenBy": reports.reference(origin(row.key))])
                }),
            "unreadable": files.isEmpty ? nil : .array(files.map(reports.unreadable)),
        ])
    }

    /// An option or a group that is there.
    private func place(_ word: String, _ content: SettingsContent) async throws -> Key {
        if let key = try? Key(word), content.options[key] != nil || content.groups[key] != nil { return key }
        // Others are found, or explained, by the store.
        let places = try await settings.ask(PlacesQuery([word]), atMost: Self.patience)
        return places.first ?? .root
    }

    /// As `show --json`.
    func option(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("key").removingPercents
        let fields = try request.fields("at")
        if let when = fields.filled("at") {
            let version = try await settings.ask(VersionQuery(when), atMost: Self.patience).version
            _ = try key(word)
            guard case .option(let shown) = try await settings.ask(ShowQuery(word, at: version.id), atMost: Self.patience) else {
                throw HTTPError(.notFound)
            }
            return .json(try await document(shown.key, shown.option, shown.origin, isComplete: shown.isComplete), for: request)
        }
        let flags = await latest.flags()
        let key = try key(word)
        guard let option = flags.snapshot.content.options[key] else { throw await missing(key, flags.snapshot) }
        return .json(try await document(key, option, flags), for: request)
    }

    func document(_ key: Key, _ option: SettingsOption, _ flags: FlagSet) async throws -> JSON {
        let origin = flags.origin(of: key)
        return try await document(key, option, origin, isComplete: flags.isComplete || origin != nil)
    }

    private func document(
        _ key: Key, _ option: SettingsOption, _ origin: Version?, isComplete: Bool
    ) async throws -> JSON {
        let details = OptionDetails(
            key, option, chosen: isComplete ? .inVersion(origin) : .beforeClone,
            confirmation: try await confirmation(of: origin))
        return reports.document(details, isComplete: isComplete, ["chosenBy": reports.reference(origin)])
    }

    private func confirmation(of version: Version?, isShared: Bool = false) async throws -> Confirmation? {
        // Nearly none has to be confirmed.
        guard let version, version.message.ownDeadline != nil else { return nil }
        return try await settings.ask(ConfirmationQuery(version, isShared: isShared))
    }

    func key(_ word: String) throws(Problem) -> Key {
        do throws(Key.Malformed) { return try Key(word) } catch { throw .key(.malformed(word, error)) }
    }

    /// What became of an option that isn't there.
    func missing(_ key: Key, _ snapshot: SettingsSnapshot) async -> Problem {
        let known = snapshot.fault(of: key)
        if case .file = known { return known }
        do throws(Problem) {
            _ = try await settings.ask(OptionsQuery([key.description], at: snapshot.head), atMost: Self.patience)
        } catch { if error.kind == .missing { return error } }
        return known
    }

    // MARK: Versions

    private static let shownVersions = 30
    private static let mostVersions = 1_000

    /// As `history --json`; the next page in `Link`.
    func versions(_ request: Request, _ context: WebContext) async throws -> Response {
        let names = ["key", "author", "requestedBy", "ticket", "since", "until", "q", "became", "limit"]
        let fields = try request.fields(
            "key", "author", "requestedBy", "ticket", "since", "until", "q", "became", "limit", "before")
        var query = HistoryQuery()
        query.keys = fields.filled("key").map { [$0] } ?? []
        query.filter.author = fields.filled("author")
        query.filter.requestedBy = fields.filled("requestedBy")
        query.filter.ticket = fields.filled("ticket")
        query.filter.search = fields.filled("q")
        query.filter.became = fields.filled("became")
        if let word = fields.filled("since") {
            query.filter.since = try await settings.ask(MomentQuery(word, bareDate: .beginning), atMost: Self.patience)
        }
        if let word = fields.filled("until") {
            query.filter.until = try await settings.ask(
                MomentQuery(word, bareDate: .end, allowsFuture: true), atMost: Self.patience)
        }
        if let word = fields.filled("before") {
            query.after = try await settings.ask(RevisionQuery(word), atMost: Self.patience).id
        }
        let limit = try fields.filled("limit").map { word throws(ProblemDocument) in
            guard let limit = Int(word), (1...Self.mostVersions).contains(limit) else {
                throw ProblemDocument(.badRequest, "The limit '\(word.visible)' is not a number from 1 to \(Self.mostVersions).")
            }
            return limit
        }
        let count = limit ?? Self.shownVersions
        query.limit = count + 1
        let found = try await settings.versions(query, atMost: Self.patience)
        var rows: [JSON] = []
        for (version, changes) in found.versions.prefix(count) {
            rows.append(
                reports.version(
                    version, changes, tags: found.tags[version.id] ?? [],
                    confirmation: try await confirmation(of: version, isShared: true)))
        }
        var document = reports.document(rows, isComplete: found.isComplete && found.isInTime)
        if !found.isInTime { document = Reports.adding([JSON.Member("timedOut", .bool(true))], to: document) }
        var response = Response.json(document, for: request)
        let last = found.versions.prefix(count).last?.version.id
        if found.versions.count > count || !found.isInTime, let last {
            let kept = names.compactMap { name in fields.filled(name).map { "\(name)=\($0.inAddress)&" } }.joined()
            let next = site.address("/api/v1/versions?\(kept)before=\(last.hex)")
            response.headers.set("Link", "<\(next)>; rel=\"next\"")
        }
        return response
    }

    /// As `show --json`.
    func version(_ request: Request, _ context: WebContext) async throws -> Response {
        _ = try request.fields()
        let word = try context.parameters.require("id").removingPercents
        let version = try await settings.ask(RevisionQuery(word), atMost: Self.patience)
        let detail = try await settings.ask(VersionDetailQuery(version.id), atMost: Self.patience)
        let tags = try await settings.ask(VersionNamesQuery(), atMost: Self.patience)[version.id]?.tags ?? []
        let row = reports.version(
            detail.version, detail.changes, tags: tags, confirmation: try await confirmation(of: detail.version))
        return .json(reports.document(row, isComplete: detail.isComplete), for: request)
    }

    /// As `diff --json`: from a version or a time to another one, or to the last version.
    func diff(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = try request.fields("from", "to", "key")
        guard let from = fields.filled("from") else {
            throw ProblemDocument(.badRequest, "'from' is missing: the version or the time to compare with.")
        }
        let old = try await settings.ask(VersionQuery(from), atMost: Self.patience).version.id
        var new = settings.snapshot.head
        if let to = fields.filled("to") { new = try await settings.ask(VersionQuery(to), atMost: Self.patience).version.id }
        let difference = try await settings.ask(
            DiffQuery(fields.filled("key").map { [$0] } ?? [], from: old, to: new), atMost: Self.patience)
        let document = reports.difference(
            from: difference.from, to: difference.to, difference.changes, nil, unreadable: difference.unreadable,
            isComplete: difference.isComplete)
        return .json(document, for: request)
    }
}
