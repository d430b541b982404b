import SettingsModel
import SettingsText

/// A change that is recorded: what it was about can be restored.
struct PastChangeRow: Row {
    let change: Change
    /// Whose values are restored.
    let version: VersionID
    /// Whether that version made the change, so that it alone can be reverted.
    let isOfVersion: Bool

    init(_ change: Change, from version: VersionID, isOfVersion: Bool = false) {
        (self.change, self.version, self.isOfVersion) = (change, version, isOfVersion)
    }

    var id: RowID { .change(change.subject, change.facet) }

    func title(in scene: Scene) -> String { change.title.string }
    func accessory(in scene: Scene) -> Accessory { Accessory(ChangeRow(change).accessory(in: scene).text) }

    private var key: Key? {
        if case .option(let key) = change.subject { key } else { nil }
    }

    /// The page as it was then.
    func open(in scene: Scene) -> Response {
        guard let key else { return .open(PastPage(version, change.subject.key)) }
        return .open(PastPage(version, key.group, at: .option(key)))
    }

    func info(in scene: Scene) -> Response {
        let command = Response.say("settings show \(change.subject.key) --at \(version.short)")
        guard let key, let option = scene.content.options[key] else { return command }
        return .all([OptionRows.row(key, option).info(in: scene), command])
    }

    func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .restore:
            change.subject == .store || change.subject.key.isRoot
                ? .refuse("this change is to the store itself; only options and groups can be restored")
                : .browse(.restore([change.subject.key], version))
        case .revert where isOfVersion: .browse(.revert(version, only: change.subject))
        case .history: .open(VersionsPage([change.subject.key]))
        default: nil
        }
    }

    func hint(in scene: Scene) -> String {
        if change.subject.key.isRoot { return "\(change.subject.path): Enter opens the page as of \(version.short)" }
        let reverts = isOfVersion ? ", R reverts this change" : " as of \(version.short)"
        return "\(change.subject.key): r restores it\(reverts), H shows its history, Enter its page"
    }

    func sentence(in scene: Scene) -> String {
        let text = accessory(in: scene).text.spans.map(\.text).joined()
        return "\(title(in: scene))\(key(in: scene).map { " (\($0))" } ?? ""): \(text)"
    }
}
