package import SettingsModel
import SettingsText

/// What Done records: the changes in sentences, and why they were made.
package struct DonePage: Page {
    /// What is recorded: the draft, or what is staged of the edits of the files.
    package enum Source: Sendable {
        case draft, staged
    }

    private let source: Source

    package init(_ source: Source = .draft) { self.source = source }

    private enum Name {
        static let why = "why"
        static let requestedBy = "requested by"
        static let ticket = "ticket"
        static let confirm = "confirm"
        static let done = "record"
        static let earlier = "reason "
    }

    package func title(in scene: Scene) -> String { "Done" }

    private func changes(in scene: Scene) -> [Change] {
        source == .staged ? scene.files.edits?.staged ?? [] : scene.draft.changes
    }

    package func showsDifference(in scene: Scene) -> Bool { source == .staged || !scene.draft.isEmpty }

    package func changes(at row: RowID?, in scene: Scene) -> [Change] { changes(in: scene).shown(at: row) }

    private func demand(_ path: KeyPath<StoreDefinition.Policy, StoreDefinition.Demand>, _ scene: Scene) -> StoreDefinition.Demand
    {
        (scene.draft.base.definition ?? StoreDefinition()).policy[keyPath: path]
    }

    /// What the policy wants and nobody has typed.
    private func missing(in scene: Scene, _ wanted: [StoreDefinition.Demand]) -> RowID? {
        let sheet = scene.sheet
        if wanted.contains(demand(\.why, scene)), sheet.reason == nil { return .named(Name.why) }
        if wanted.contains(demand(\.requestedBy, scene)), sheet.requesters.isEmpty { return .named(Name.requestedBy) }
        if wanted.contains(demand(\.ticket, scene)), sheet.tickets.isEmpty { return .named(Name.ticket) }
        return nil
    }

    package func start(in scene: Scene) -> RowID? { missing(in: scene, [.required, .asked]) ?? .named(Name.done) }

    /// A letter on a field goes there, and anywhere else to the reason. Earlier reasons are a list, where letters are keys.
    package func field(at row: RowID, in scene: Scene) -> RowID? {
        if case .named(let name) = row, name.hasPrefix(Name.earlier) { return nil }
        let fields = [Name.why, Name.requestedBy, Name.ticket, Name.confirm].map { RowID.named($0) }
        return fields.contains(row) ? row : .named(Name.why)
    }

    /// The names of the fields that Tab goes to from one.
    func fields(after row: RowID) -> [String] {
        let fields = [(Name.why, ""), (Name.requestedBy, "Requested by"), (Name.ticket, "Ticket")]
        guard let place = fields.firstIndex(where: { .named($0.0) == row }) else { return [] }
        return fields[(place + 1)...].map(\.1)
    }

    package func typing(in scene: Scene) -> Typing? {
        guard !scene.isPlain, let row = missing(in: scene, [.required, .asked]) else { return nil }
        return Typing(row: row, field: Field(""), takesBreaks: row == .named(Name.why))
    }

    package func rows(in scene: Scene) -> [any Row] {
        let sheet = scene.sheet
        var rows: [any Row] = []
        switch source {
        case .draft:
            if let branch = scene.otherBranch {
                let words = "You began these changes on \(branch); Done records them on \(scene.facts.branch)."
                rows.append(NoteRow(words, "branch"))
            }
            rows += draftRows(in: scene)
        case .staged:
            rows.append(HeadingRow("Staged", .named("heading changes")))
            rows += changes(in: scene).map { FileChangeRow($0, isStaged: true) }
        }
        rows.append(HeadingRow("Reason", .named("heading reason")))
        rows.append(
            field(Name.why, "Why", sheet.why, { $0.why = $1 }, demand(\.why, scene), next: Name.requestedBy, scene))
        rows.append(
            field(
                Name.requestedBy, "Requested by", sheet.requestedBy, { $0.requestedBy = $1 }, demand(\.requestedBy, scene),
                next: Name.ticket, scene))
        rows.append(
            field(Name.ticket, "Ticket", sheet.ticket, { $0.ticket = $1 }, demand(\.ticket, scene), next: Name.done, scene))
        rows.append(
            FieldRow(
                "Revert unless confirmed within", short: "Confirm within", id: Name.confirm, text: sheet.confirm,
                placeholder: "optional, such as 10m"
            ) { text in
                var sheet = sheet
                sheet.confirm = text.trimmingSpaces
                if let fault = sheet.waitFault { return .refuse(fault, .badData) }
                return .all([.sheet(sheet), .focus(.named(Name.done))])
            })
        rows.append(
            ButtonRow(
                "Done", id: Name.done, hint: "Enter records these changes as one version; typing begins the reason",
                isConfirmed: true, record(in: scene)))
        if scene.isPlain {
            rows.append(
                NoteRow("'done' records these changes; NUMBER = TEXT fills in a field; 'back' returns to editing.", "plain"))
        }
        let reasons = scene.facts.reasons.filter { $0 != sheet.why }.prefix(5)
        let isTyped = sheet.reason != nil && !scene.facts.reasons.contains(sheet.why)
        if !reasons.isEmpty { rows.append(HeadingRow("Earlier reasons", .named("heading earlier"))) }
        for reason in reasons {
            var filled = sheet
            filled.why = reason
            let response =
                isTyped
                ? Response.refuse("The reason is already filled in; Del on it clears it")
                : .all([.sheet(filled), .focus(.named(Name.done))])
            rows.append(
                ButtonRow(scene.glyphs.quoted(reason), id: Name.earlier + reason, hint: "Enter uses this reason", response))
        }
        return rows
    }

    private func draftRows(in scene: Scene) -> [any Row] {
        var rows: [any Row] = [HeadingRow("Changes", .named("heading changes"))]
        rows += scene.draft.openConflicts.map { ConflictRow($0) }
        rows += scene.draft.changes.map { ChangeRow($0) }
        rows += scene.settledAsTheyAre.map { QuestionRow($0.question) }
        return rows
    }

    private func field(
        _ id: String, _ name: String, _ text: String, _ change: @escaping @Sendable (inout Sheet, String) -> Void,
        _ demand: StoreDefinition.Demand, next: String, _ scene: Scene
    ) -> FieldRow {
        let sheet = scene.sheet
        let isLast = missingAfter(id, in: scene) == nil
        return FieldRow(
            name, id: id, text: text, placeholder: demand == .optional ? "optional" : demand.rawValue,
            takesBreaks: id == Name.why
        ) { text in
            var sheet = sheet
            change(&sheet, text)
            return .all([.sheet(sheet), .focus(.named(isLast ? Name.done : next))])
        }
    }

    private static func demanded(_ row: RowID) -> String {
        switch row {
        case .named(Name.requestedBy): "who requested the change"
        case .named(Name.ticket): "a ticket"
        default: "a reason"
        }
    }

    /// What is still missing besides this field.
    private func missingAfter(_ id: String, in scene: Scene) -> RowID? {
        var scene = scene
        switch id {
        case Name.why: scene.sheet.why = "-"
        case Name.requestedBy: scene.sheet.requestedBy = "-"
        default: scene.sheet.ticket = "-"
        }
        return missing(in: scene, [.required, .asked])
    }

    private func record(in scene: Scene) -> Response {
        switch source {
        case .draft where !scene.draft.openConflicts.isEmpty:
            return .all([.back, .perform(.done)])
        case .draft: if scene.recordableCount == 0 { return .refuse("There is nothing to record") }
        case .staged: if let reason = Self.nothingStaged(in: scene) { return .refuse(reason) }
        }
        if let row = missing(in: scene, [.required]) {
            return .all([.focus(row), .refuse("The store requires \(Self.demanded(row)); type it, then choose Done", .policy)])
        }
        if let fault = scene.sheet.waitFault { return .all([.focus(.named(Name.confirm)), .refuse(fault, .badData)]) }
        if source == .staged { return .effect(.files(FileWork(.record(changes(in: scene), scene.sheet)))) }
        return .effect(.record(scene.draft.changes, scene.sheet))
    }

    /// Why what is staged can't be recorded; nil where something is.
    static func nothingStaged(in scene: Scene) -> String? {
        guard scene.files.edits?.staged.isEmpty ?? true else { return nil }
        return "Stage a change first, with \(scene.command("Space", plain: "stage NUMBER"))"
    }

    package func badge(in scene: Scene) -> String? { source == .staged ? CommitPage().badge(in: scene) : nil }

    package func act(_ act: Act, in scene: Scene) -> Response? { act == .done ? record(in: scene) : nil }
}
