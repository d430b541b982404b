package import SettingsModel
import SettingsText

/// A version: who, when, why, and what it changed.
package struct DetailPage: BrowserPage {
    package let id: VersionID

    package init(_ id: VersionID) { self.id = id }

    package func title(in scene: Scene) -> String { "Version \(id.short)" }

    func need(in scene: Scene) -> BrowseRequest? { scene.browsing.detail?.id == id ? nil : .detail(id) }

    package func rows(in scene: Scene) -> [any Row] {
        let browsing = scene.browsing
        let detail = browsing.detail.flatMap { $0.id == id ? $0 : nil }
        let entry = browsing.entries[id]
        if let problem = detail?.problem { return [NoteRow(problem, "problem")] }
        guard let version = detail?.version ?? entry?.version else {
            let isUnreadable = entry != nil
            return [
                NoteRow(
                    isUnreadable ? "This version cannot be read." : "Reading the version\(scene.glyphs.ellipsis)", "waiting")
            ]
        }
        var rows = facts(version, isSigned: detail?.isSigned ?? false, scene)
        rows.append(HeadingRow("Changes", .named("heading changes")))
        if let changes = detail?.changes ?? entry?.changes {
            rows += Self.rows(of: changes, by: version, in: scene)
            rows += Self.questions(leftBy: version, in: scene)
            if detail?.isComplete == false { rows.append(NoteRow("What this version changed is not in this clone.", "cut")) }
        } else {
            rows.append(NoteRow("\(entry?.count ?? 0) options and groups; Enter lists the changes.", "many"))
        }
        guard detail != nil else { return rows }
        rows.append(HeadingRow("", .named("heading acts")))
        rows.append(
            ButtonRow(
                "Settings at This Version", id: "past", hint: "p: all pages as they were at this version, read-only",
                .open(PastPage(id))))
        rows.append(
            ButtonRow(
                "Restore\(scene.glyphs.ellipsis)", id: "restore", hint: "r: restores the values of this version",
                .open(RestorePage(id))))
        rows.append(
            ButtonRow(
                "Revert This Version", id: "revert", hint: "R: reverts the changes of this version and keeps later ones",
                .browse(.revert(id))))
        rows.append(ButtonRow("Files", id: "files", hint: "D: the lines of JSON that this version changed", .open(FilesPage(id))))
        return rows
    }

    private func facts(_ version: Version, isSigned: Bool, _ scene: Scene) -> [any Row] {
        let message = version.message
        var rows: [any Row] = []
        func add(_ name: String, _ text: String) {
            if !text.isEmpty { rows.append(FactRow(name, StyledText(text))) }
        }
        add("Who", version.author.name.isEmpty ? version.author.email : version.author.name)
        if !version.author.isSame(as: version.committer) { add("Recorded by", version.committer.name) }
        add("When", scene.phrases.time(version.time))
        for (number, line) in (message.why ?? "").split(separator: "\n").enumerated() {
            rows.append(NoteRow(number == 0 ? "Why: \(line)" : String(line), "why \(number)"))
        }
        add("Requested by", message.requestedBy.joined(separator: ", "))
        add("Ticket", message.tickets.joined(separator: ", "))
        let names = scene.browsing.names?[id]
        add("Tags", names?.tags.joined(separator: ", ") ?? "")
        add("Branches", names.map { $0.branches + $0.remotes }?.joined(separator: ", ") ?? "")
        for (what, ids) in scene.phrases.named(by: version) {
            add(what.prefix(1).uppercased() + what.dropFirst(), ids.joined(separator: ", "))
        }
        if version.isMerge { add("Merges", version.parents.map(\.short).joined(separator: " ")) }
        if isSigned { add("Signature", "not checked here") }
        add("Version", id.short)
        return rows
    }

    static func rows(of changes: VersionChanges, by version: Version, in scene: Scene) -> [any Row] {
        var rows: [any Row] = changes.changes.told.map { PastChangeRow($0, from: version.id, isOfVersion: true) }
        for (number, decision) in changes.decisions.enumerated() {
            rows.append(NoteRow(scene.wording.sentence(decision, name: decision.title.string).plain, "decision \(number)"))
        }
        for (number, file) in changes.unreadable.enumerated() {
            rows.append(NoteRow("\(file.path) cannot be read: \(PageHints.words(file.problem)).", "unreadable \(number)"))
        }
        // A commit that plain git made is described by its own subject.
        if rows.isEmpty || version.message.via == nil, !version.message.subject.isEmpty {
            rows.append(NoteRow(version.message.subject, "subject"))
        }
        return rows
    }

    /// What a merge left open: what still is leads to its page.
    private static func questions(leftBy merge: Version, in scene: Scene) -> [any Row] {
        guard !merge.message.conflicts.isEmpty else { return [] }
        var rows: [any Row] = [HeadingRow("Conflicts", .named("heading conflicts"))]
        for conflict in merge.message.conflicts {
            let open = scene.facts.questions.open.first { $0.id == conflict && $0.merge.id == merge.id }
            if let open {
                rows.append(QuestionRow(open))
            } else {
                let facet = conflict.facet == .value ? "" : " \(scene.glyphs.dash) \(conflict.facet.name)"
                let state = scene.facts.questions.isKnown ? "resolved" : ""
                rows.append(FactRow(conflict.subject.key.description + facet, StyledText(state)))
            }
        }
        return rows
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .pane: .back
        case .search: .refuse("search from the list of versions; Esc returns to it")
        // A change is restored and reverted alone.
        case .restore, .revert: nil
        default: VersionActs.response(to: act, on: id)
        }
    }
}

/// What keys do with a version, wherever it is.
enum VersionActs {
    static func response(to act: Act, on id: VersionID) -> Response? {
        switch act {
        case .restore: .open(RestorePage(id))
        case .revert: .browse(.revert(id))
        case .mark: .browse(.mark(id))
        case .compare: .browse(.compare(id))
        case .page: .open(PastPage(id))
        case .raw: .open(FilesPage(id))
        case .names: .open(NamesPage(id))
        case .info: .say("settings show \(id.short)")
        default: nil
        }
    }
}

/// What is restored from a version.
package struct RestorePage: BrowserPage {
    let id: VersionID

    package init(_ id: VersionID) { self.id = id }

    package func title(in scene: Scene) -> String { "Restore from \(id.short)" }

    func need(in scene: Scene) -> BrowseRequest? { scene.browsing.detail?.id == id ? nil : .detail(id) }

    package func rows(in scene: Scene) -> [any Row] {
        guard let detail = scene.browsing.detail, detail.id == id else {
            return [NoteRow("Reading the version\(scene.glyphs.ellipsis)", "waiting")]
        }
        var rows: [any Row] = [
            NoteRow("The values of this version become changes; nothing is recorded until you choose Done.", "note")
        ]
        let keys = Set(detail.changes.changes.map(\.subject).filter { !$0.isGroup && $0 != .store }.map(\.key)).sorted()
        if !keys.isEmpty {
            let count = keys.count == 1 ? "1 option" : "\(keys.count) options"
            rows.append(
                ButtonRow(
                    "What This Version Changed", id: "changed",
                    hint: "\(count): \(keys[0])\(Self.others(keys.count - 1))",
                    .all([.back, .browse(.restore(keys, id))])))
        }
        rows.append(
            ButtonRow(
                "Everything", id: "everything", hint: "All values of this version; options removed since then come back",
                .all([.back, .browse(.restore([], id))])))
        rows.append(
            ButtonRow("Choose on the Pages", id: "pages", hint: "The pages as they were; r restores a row", .open(PastPage(id))))
        return rows
    }

    private static func others(_ count: Int) -> String {
        count == 0 ? "" : count == 1 ? " and 1 other" : " and \(count) others"
    }
}
