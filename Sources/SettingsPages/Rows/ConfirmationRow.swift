package import SettingsModel
import SettingsText

/// A version that waits to be confirmed: opens its page.
package struct ConfirmationRow: Row {
    let waiting: WaitingVersion

    package init(_ waiting: WaitingVersion) { self.waiting = waiting }

    private var confirmation: Confirmation { waiting.confirmation }

    package var id: RowID { .named("confirmation \(confirmation.version.id.hex)") }

    package var titleRole: Cell.Role { .warning }

    package func title(in scene: Scene) -> String {
        let time = scene.phrases.deadline(confirmation.deadline)
        return switch confirmation.state {
        case .expired: "Not confirmed by \(time)"
        case .unanswered, .rewritten: "Was to be confirmed by \(time)"
        default: "Confirm by \(time)"
        }
    }

    package func accessory(in scene: Scene) -> Accessory {
        Accessory(StyledText(waiting.words(in: scene)), opens: true)
    }

    package func open(in scene: Scene) -> Response { .open(ConfirmationPage(confirmation.version.id)) }

    package func command(in scene: Scene) -> String? {
        [.unanswered, .rewritten].contains(confirmation.state) ? nil : "settings confirm \(confirmation.version.id.short)"
    }

    package func hint(in scene: Scene) -> String {
        let id = confirmation.version.id.short
        if confirmation.state == .unanswered { return "This history does not contain a confirmation of \(id)" }
        if confirmation.state == .rewritten { return "\(id) was rewritten and does not revert itself" }
        return ["\(id) reverts itself unless it is confirmed", command(in: scene)].compactMap(\.self)
            .joined(separator: " \(scene.glyphs.separator) ")
    }
}

/// A version that waits to be confirmed, and what it changed.
package struct WaitingVersion: Sendable {
    package var confirmation: Confirmation
    package var changes: [Change]

    package init(_ confirmation: Confirmation, _ changes: [Change]) {
        (self.confirmation, self.changes) = (confirmation, changes)
    }

    func words(in scene: Scene) -> String {
        changes.isEmpty ? confirmation.version.message.subject : scene.sentence(changes)
    }
}
