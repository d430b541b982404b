package import SettingsModel
import SettingsText

/// A version that waits to be confirmed: what it changed, until when, and the choice.
package struct ConfirmationPage: Page {
    let id: VersionID

    package init(_ id: VersionID) { self.id = id }

    package func title(in scene: Scene) -> String { "Confirm" }

    private func waiting(in scene: Scene) -> WaitingVersion? {
        scene.facts.waiting.first { $0.confirmation.version.id == id }
    }

    package func start(in scene: Scene) -> RowID? { .named("confirm") }

    package func rows(in scene: Scene) -> [any Row] {
        guard let waiting = waiting(in: scene) else {
            return [NoteRow("\(id.short) no longer has to be confirmed.", "gone")]
        }
        let confirmation = waiting.confirmation
        let version = confirmation.version
        var rows: [any Row] = [HeadingRow("Changes", .named("heading changes"))]
        rows += waiting.changes.enumerated().map { number, change in
            NoteRow(scene.sentence([change]), "change \(number)")
        }
        rows.append(HeadingRow("Version", .named("heading version")))
        rows.append(FactRow("Recorded by", StyledText(version.author.name)))
        rows.append(FactRow("When", StyledText(scene.phrases.time(version.time))))
        if let why = version.message.why { rows.append(FactRow("Why", StyledText(why))) }
        rows.append(FactRow("Confirm by", StyledText(scene.phrases.deadline(confirmation.deadline))))
        rows.append(
            ButtonRow(
                "Confirm", id: "confirm", hint: "Enter keeps these changes", isConfirmed: true,
                .all([.back, .effect(.confirm(id, keeps: true))])))
        rows.append(
            ButtonRow(
                "Revert Now", id: "revert", hint: "Enter records a version that reverts these changes",
                isConfirmed: true,
                .all([.back, .effect(.confirm(id, keeps: false))])))
        return rows
    }
}
