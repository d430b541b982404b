package import SettingsModel
import SettingsText

// The file that keeps a draft, so that a crash loses nothing:
//
//     {"format": 1, "branch": "main", "head": ID, "why": …, "requestedBy": …, "ticket": …, "confirm": …,
//      "base": [{"path": "display/theme.json", "item": …}],
//      "steps": [[{"path": …, "before": …, "after": …}]],
//      "answers": [{"path": …, "facet": "value", "side": "theirs"}]}
//
// `branch` is the one on which the draft was begun, `HEAD` where none was checked out, and `head` the version that it was
// moved to last: what was renamed since is followed. Older files have neither. `base` is what was recorded of everything that
// the steps are about: read again, the draft is moved from there to what is recorded by then. An item that isn't there is null.
// A step that takes a version back or brings one back is an object: `{"reverts": ID, "edits": […]}`, or with `restoredFrom`
// or `undoes`. What was merged with something that was recorded meanwhile is kept as what was before, in `base`, and what the
// person wants, in a last step: a conflict is one again.

/// A draft in its file, with what has been typed of its reason.
package struct KeptDraft: Sendable {
    package var draft: SettingsDraft
    package var sheet: Sheet
    /// Where the draft was begun; nil where the file doesn't say.
    package var branch: String?
    /// The version that it was moved to last; nil where the file doesn't say.
    package var head: VersionID?
    /// What was renamed since then, the earliest first.
    package var renames: [VersionMessage.Rename] = []

    package init(_ draft: SettingsDraft, _ sheet: Sheet, on branch: String? = nil, at head: VersionID? = nil) {
        self.draft = draft
        self.sheet = sheet
        self.branch = branch
        self.head = head
    }

    package var file: [UInt8] {
        var recorded = draft.base
        let yours = draft.forks.sorted { $0.key < $1.key }.map { subject, fork in
            recorded[subject] = fork.before
            let open = draft.openConflicts.filter { $0.conflict.subject == subject }
            let source = open.lazy.compactMap { draft.source(opening: subject, $0.conflict.facet) }.first
            return SettingsDraft.Step(
                edits: [SettingsDraft.Edit(subject, before: nil, after: fork.yours)], source: source)
        }
        let all = draft.steps + yours
        let subjects = Set(all.flatMap { $0.edits.map(\.subject) }).sorted()
        let base = subjects.map { subject in
            JSON.object(["path": .string(subject.path), "item": recorded[subject]?.json ?? .null])
        }
        let steps = all.map { step in
            let edits = JSON.array(
                step.edits.map { edit in
                    .object([
                        "path": .string(edit.subject.path), "before": edit.before?.json ?? .null,
                        "after": edit.after?.json ?? .null,
                    ])
                })
            switch draft.source(of: step) {
            case nil: return edits
            case .revert(let id): return JSON.object(["reverts": .string(id.hex), "edits": edits])
            case .restore(let id): return JSON.object(["restoredFrom": .string(id.hex), "edits": edits])
            case .undo(let id): return JSON.object(["undoes": .string(id.hex), "edits": edits])
            }
        }
        let answers = draft.answers.sorted { $0.key.subject < $1.key.subject || $0.key.facet < $1.key.facet }.map {
            question, pick in
            JSON.object([
                "path": .string(question.subject.path), "facet": .string(question.facet.token), "side": .string(pick.rawValue),
            ])
        }
        let document = JSON.object([
            "format": .number(1), "branch": branch.map { .string($0) }, "head": head.map { .string($0.hex) },
            "why": .string(sheet.why),
            "requestedBy": .string(sheet.requestedBy), "ticket": .string(sheet.ticket), "confirm": .string(sheet.confirm),
            "base": .array(base), "steps": .array(steps), "answers": .array(answers),
        ])
        return Array(document.compact.utf8) + [UInt8(ascii: "\n")]
    }

    /// Whether a file is of a format that only a later version of this program can read.
    package static func isLater(file bytes: [UInt8]) -> Bool {
        guard let document = try? JSON(parsing: bytes, limit: limit), case .number(let format)? = document["format"] else {
            return false
        }
        return Number(1) < format
    }

    /// Nil if the file is not one, or of a later format. The draft is on its old base; `SettingsDraft.move` brings it up to date.
    package init?(file bytes: [UInt8]) {
        guard let document = try? JSON(parsing: bytes, limit: Self.limit), document["format"] == .number(1),
            case .array(let base)? = document["base"], case .array(let steps)? = document["steps"]
        else { return nil }
        var settings = SettingsContent()
        for entry in base {
            guard let (subject, item) = Self.item(entry, "item") else { return nil }
            settings[subject] = item
        }
        draft = SettingsDraft(settings)
        for step in steps {
            guard case .array(let edits) = step["edits"] ?? step, let source = Self.source(step) else { return nil }
            var items: [(subject: Subject, item: SettingsContent.Item?)] = []
            for edit in edits {
                guard let entry = Self.item(edit, "after") else { return nil }
                items.append(entry)
            }
            draft.apply(items, source: source)
        }
        if case .array(let answers)? = document["answers"] {
            for answer in answers {
                guard let path = answer["path"]?.text, let subject = Subject(path: path.string),
                    let token = answer["facet"]?.text, let facet = Facet(token: token.string),
                    let side = answer["side"]?.text, let pick = SettingsDraft.Pick(rawValue: side.string)
                else { return nil }
                let edit = SettingsDraft.PickEdit(subject: subject, facet: facet, before: nil, after: pick, isAnswer: true)
                draft.apply([], picks: [edit])
            }
        }
        func text(_ name: ExactText) -> String { document[name]?.text?.string ?? "" }
        branch = document["branch"]?.text?.string
        head = document["head"]?.text.flatMap { VersionID(hex: $0.string) }
        sheet = Sheet(why: text("why"), requestedBy: text("requestedBy"), ticket: text("ticket"), confirm: text("confirm"))
    }

    /// The most that is read of a file.
    package static let limit = 64 << 20

    /// Nil if it is not a version's.
    private static func source(_ step: JSON) -> SettingsDraft.Source?? {
        func id(_ name: ExactText) -> VersionID?? {
            guard let json = step[name] else { return .some(nil) }
            return json.text.flatMap { VersionID(hex: $0.string) }.map { .some($0) }
        }
        guard let reverted = id("reverts"), let restored = id("restoredFrom"), let undone = id("undoes") else { return nil }
        return .some(reverted.map { .revert($0) } ?? restored.map { .restore($0) } ?? undone.map { .undo($0) })
    }

    private static func item(_ entry: JSON, _ name: ExactText) -> (subject: Subject, item: SettingsContent.Item?)? {
        guard let path = entry["path"]?.text, let subject = Subject(path: path.string), let json = entry[name] else { return nil }
        if json.isNull { return (subject, nil) }
        guard let item = try? SettingsContent.Item(file: Array(json.pretty.utf8), of: subject) else { return nil }
        return (subject, item)
    }
}

/// What has been typed about the version that Done records.
package struct Sheet: Hashable, Sendable {
    package var why = ""
    package var requestedBy = ""
    package var ticket = ""
    /// How long the version waits to be confirmed; nothing where it doesn't have to be.
    package var confirm = ""

    package init(why: String = "", requestedBy: String = "", ticket: String = "", confirm: String = "") {
        self.why = why
        self.requestedBy = requestedBy
        self.ticket = ticket
        self.confirm = confirm
    }

    package var tickets: [String] { Self.split(ticket) }
    package var requesters: [String] { requestedBy.trimmingSpaces.isEmpty ? [] : [requestedBy.trimmingSpaces] }
    package var wait: TimeSpan? { try? Confirmation.wait(confirm.trimmingSpaces) }
    /// Why the version can't wait for so long; nil where it can, or needn't be confirmed.
    package var waitFault: String? {
        let word = confirm.trimmingSpaces
        if word.isEmpty { return nil }
        do throws(Confirmation.WaitFault) { _ = try Confirmation.wait(word) } catch {
            return PageHints.sentence(CommandLineHints.words(error, of: word))
        }
        return nil
    }
    package var reason: String? { VersionMessage.cleaned(why) }

    private static func split(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0).trimmingSpaces }.filter { !$0.isEmpty }
    }
}

extension SettingsContent.Item {
    fileprivate var json: JSON {
        switch self {
        case .option(let option): option.json
        case .group(let group): group.json
        case .store(let definition): definition.json
        }
    }
}
