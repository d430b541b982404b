import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText
import Synchronization

/// The store as the page shows it: the last version, and what is known of it. Made once for each version.
struct Shown: Sendable {
    var scene: Scene
    /// The last version, 40 hexadecimal digits.
    var version: String
    /// Options that are masked now. What they had before is not shown either.
    var masked: Set<Key>
    /// What each conflict that a merge left open is about.
    var openConflicts: [Subject] = []
    /// What the files hold that nobody recorded.
    var draft = Draft()
    /// What became of the form that led to the page.
    var result: FormResult?
    /// The rows of groups that were made of it already.
    var rows = Rows()

    init(_ snapshot: SettingsSnapshot, _ clock: Clock) {
        version = snapshot.version ?? ""
        scene = Scene(phrases: Phrases(clock: clock))
        scene.capitalizesNames = true
        scene.draft = SettingsDraft(snapshot.content)
        scene.outline = Outline(snapshot.content)
        scene.facts.head = snapshot.head
        scene.facts.unreadable = snapshot.problems
        masked = Set(snapshot.content.options.lazy.filter(\.value.isMasked).map(\.key))
    }

    var content: SettingsContent { scene.content }

    /// The zone of the server, now: "UTC+01:00".
    var zone: String { Self.zone(of: scene.phrases.clock.time(scene.phrases.clock.now).rfc3339) }

    /// A time with its seconds and its zone: "2026-03-12 10:42:07 UTC+01:00".
    func inFull(_ time: Time) -> String {
        let words = scene.phrases.clock.time(time.seconds).rfc3339
        return "\(words.prefix(10)) \(words.dropFirst(11).prefix(8)) \(Self.zone(of: words))"
    }

    /// As it stands at the end of a time: "Z" or "+01:00".
    private static func zone(of time: String) -> String { time.hasSuffix("Z") ? "UTC" : "UTC\(time.suffix(6))" }

    /// Who chose the value that the last version has; nil where the history doesn't say.
    func origin(of key: Key) -> Version? { scene.facts.origins[key] ?? nil }

    /// Whether no branch is checked out.
    var isDetached: Bool { scene.facts.branch == "HEAD" }

    /// Where the store is, in git's words; nil on a branch of a usual name.
    var place: String? {
        switch scene.facts.branch {
        case "main", "master": nil
        case "HEAD": "HEAD detached at \(scene.facts.head?.short ?? "no version")"
        case let branch: "On branch \(branch)"
        }
    }

    /// The only way in which a change gets into an answer. The store has masked what of it is not to be shown.
    func lines(_ changes: [Change]) -> [ChangeLine] { changes.told.flatMap(\.lines) }

    /// "Language is already German, chosen by Ada Lovelace: “for the demo”."
    func already(_ key: Key) -> String {
        guard let option = content.options[key] else { return "\(key) no longer exists." }
        let state = masked.contains(key) ? "already has this value" : "is already \(scene.words(option.value, of: option))"
        return "\(option.name(key)) \(state)\(origin(of: key).map { ", chosen by \($0.who)" } ?? ".")"
    }

    /// "Volume has been changed in the meantime by Ada Lovelace: “for the demo”."
    func changed(_ key: Key) -> String? {
        content.options[key].map {
            "\($0.name(key)) has been changed in the meantime by \(origin(of: key)?.who ?? "somebody else.")"
        }
    }

    /// "Language: English → German", once for each change. Of a long text, what differs first.
    func sentences(_ changes: [Change]) -> [String] { lines(changes).map(sentence) }

    func sentence(_ line: ChangeLine) -> String {
        let sentence = scene.wording.sentence(line)
        guard let difference = scene.difference(line) else { return sentence.plain }
        return sentence.beginning.plain + difference.first(scene.wording)
    }
}

/// The store behind the page: what is shown is in memory, and only what the history has to say is asked for.
final class Site: Sendable {
    let settings: Settings
    /// What stands before every path, such as `/settings`; empty where the server has its host for itself.
    let prefix: String
    private let last = Mutex<Shown?>(nil)
    /// What the history is asked for once for each version, however many pages are asked for meanwhile.
    private let known = Mutex<(version: String, facts: Task<Facts, Never>)?>(nil)

    init(_ settings: Settings, prefix: String = "") {
        self.settings = settings
        self.prefix = prefix
    }

    /// The last version.
    func shown() async -> Shown {
        let snapshot = settings.snapshot
        var shown = last.withLock { shown in
            if shown?.version != snapshot.version ?? "" || shown?.scene.facts.unreadable.count != snapshot.faults.count {
                shown = Shown(snapshot, settings.present)
            }
            return shown ?? Shown(snapshot, settings.present)
        }
        let facts = await facts(of: shown)
        shown.openConflicts = facts.openConflicts ?? []
        shown.scene.facts.waiting = facts.waiting ?? []
        shown.scene.phrases.clock = settings.present
        if let branch = snapshot.branch { shown.scene.facts.branch = branch }
        if let draft = try? await settings.draft() {
            shown.draft = draft
            shown.scene.facts.handEdited = Set(draft.edited + draft.rewritten + draft.broken + draft.hidden)
        }
        return shown
    }

    /// What the history says of a version. Nil is what could not be read.
    private struct Facts: Sendable {
        var openConflicts: [Subject]?
        var waiting: [WaitingVersion]?
    }

    private func facts(of shown: Shown) async -> Facts {
        let version = shown.version
        let task = known.withLock { known in
            if let known, known.version == version { return known.facts }
            let task = Task { [self] in
                Facts(
                    openConflicts: (try? await settings.askFollowing(ConflictsQuery()))?.open.map(\.conflict.subject),
                    waiting: try? await waiting())
            }
            known = (version, task)
            return task
        }
        let facts = await task.value
        if facts.openConflicts == nil || facts.waiting == nil {
            known.withLock { if $0?.facts == task { $0 = nil } }
        }
        return facts
    }

    /// What is still to be confirmed. What was changed again since stays, so nobody has to decide about that.
    private func waiting() async throws(Problem) -> [WaitingVersion] {
        var waiting: [WaitingVersion] = []
        for (confirmation, made) in try await settings.askFollowing(ConfirmationsQuery()) {
            let left = try await settings.askFollowing(LeftQuery(confirmation.version))
            let changes = made.changes.filter { change in
                !left.contains { $0.subject == change.subject && $0.facet == change.facet }
            }
            if !changes.isEmpty || made.changes.isEmpty { waiting.append(WaitingVersion(confirmation, changes)) }
        }
        return waiting
    }

    /// Keeps what was learned of a version for the next page of it.
    private func remember<Fact: Sendable>(_ shown: Shown, _ fact: WritableKeyPath<Shown, Fact>) {
        last.withLock { if $0?.version == shown.version { $0?[keyPath: fact] = shown[keyPath: fact] } }
    }

    /// The rows of a group's page, made or as they were made before.
    func rows(of group: Key, _ pages: inout GroupHTML) async throws(Problem) -> HTML {
        let place = Shown.Rows.Place(group: group, mayWrite: pages.mayWrite)
        if pages.start == 0, let html = pages.shown.rows(at: place) { return html }
        let rows = GroupPage(group).rows(in: pages.shown.scene)
        try await learn(rows.optionKeys, in: &pages.shown)
        let html = pages.rows(rows)
        // Whoever asks may choose any start.
        if pages.start == 0 {
            pages.shown.keep(html, at: place)
            remember(pages.shown, \.rows)
        }
        return html
    }

    /// Notes who chose the values of options. Returns whether `limit` was enough for that.
    @discardableResult
    func learn(_ keys: [Key], in shown: inout Shown, atMost limit: Duration? = nil) async throws(Problem) -> Bool {
        let unknown = keys.filter { shown.scene.facts.origins[$0] == nil && shown.content.options[$0] != nil }
        if unknown.isEmpty { return true }
        let question = BlameQuery(unknown.map(\.description), at: shown.scene.facts.head)
        let blames: [Blame]
        do throws(Problem) {
            // Of what one page shows nobody waits until a search has ended.
            blames =
                if let limit { try await settings.ask(question, atMost: limit).blames } else {
                    try await settings.askFollowing(question).blames
                }
        } catch {
            guard case .interrupted = error, limit != nil, !Task.isCancelled else { throw error }
            return false
        }
        for key in unknown { shown.scene.facts.origins[key] = .some(nil) }
        for blame in blames { shown.scene.facts.origins[blame.key] = .some(blame.version) }
        remember(shown, \.scene.facts.origins)
        return true
    }

    /// What follows the prefix; nil for a path of another server.
    func path(_ path: String) -> String? {
        if path == prefix { return "/" }
        return path.hasPrefix(prefix + "/") ? String(path.dropFirst(prefix.count)) : nil
    }

    /// Whether a browser takes it for a path of this server: it drops control characters, and takes `\` for `/`.
    static func isLocal(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.hasPrefix("//")
            && path.utf8.allSatisfy { $0 > 32 && $0 != 127 && $0 != UInt8(ascii: "\\") }
    }

    func address(_ path: String) -> String { prefix + path }
    func address(of key: Key) -> String { address("/o/\(key.description.inAddress)") }
    func address(ofGroup key: Key) -> String { address(key.isRoot ? "/" : "/g/\(key.description.inAddress)") }
    func address(of version: VersionID) -> String { address("/v/\(version.hex)") }
}
