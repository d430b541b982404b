import SettingsModel
import SettingsText

/// Branches and tags: switches to a branch, goes to the version of a tag, and creates either at a version.
package struct NamesPage: BrowserPage {
    /// Where new ones are created; nil in a store without versions.
    let id: VersionID?

    init(_ id: VersionID?) { self.id = id }

    package func title(in scene: Scene) -> String { "Branches and Tags" }

    package func start(in scene: Scene) -> RowID? { .named("branch \(scene.facts.branch)") }

    package func rows(in scene: Scene) -> [any Row] {
        guard let id, let all = scene.browsing.names else { return [NoteRow("There are no versions yet.", "empty")] }
        // The last version has a name.
        if all.isEmpty { return [NoteRow("Reading the branches\(scene.glyphs.ellipsis)", "waiting")] }
        func list(_ kind: NameRow.Kind, _ names: (Browsing.Names) -> [String]) -> [NameRow] {
            all.flatMap { id, named in names(named).map { NameRow($0, kind, id) } }.sorted { $0.name < $1.name }
        }
        var rows: [any Row] = [HeadingRow("Branches", .named("heading branches"))]
        rows += list(.branch, \.branches)
        rows += list(.remote) { ($0.isHead ? ["HEAD"] : []) + $0.remotes }
        let tags = list(.tag, \.tags)
        if !tags.isEmpty { rows.append(HeadingRow("Tags", .named("heading tags"))) }
        rows += tags
        rows.append(HeadingRow("Create", .named("heading create")))
        rows.append(Self.field("New branch", at: id, id: "new branch") { .newBranch($0, id) })
        rows.append(Self.field("New tag", at: id, id: "new tag") { .newTag($0, id) })
        return rows
    }

    private static func field(
        _ title: String, at version: VersionID, id: String, _ work: @escaping @Sendable (String) -> NameWork
    ) -> FieldRow {
        FieldRow(title, id: id, text: "", placeholder: "name, at \(version.short)") { text in
            let name = text.trimmingSpaces
            return name.isEmpty ? .nothing : .effect(.browse(.name(work(name))))
        }
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .names: .back
        case .search: .refuse("search from the list of versions; Esc returns to it")
        default: nil
        }
    }
}

/// A branch or a tag, with what its version changed.
struct NameRow: Row {
    enum Kind { case branch, remote, tag }

    let name: String
    let kind: Kind
    let version: VersionID

    init(_ name: String, _ kind: Kind, _ version: VersionID) { (self.name, self.kind, self.version) = (name, kind, version) }

    var id: RowID { .named("\(kind) \(name)") }

    func title(in scene: Scene) -> String { name }

    private func isCheckedOut(in scene: Scene) -> Bool { kind == .branch && scene.facts.branch == name }

    func mark(in scene: Scene) -> String { isCheckedOut(in: scene) ? scene.glyphs.check : "" }

    func accessory(in scene: Scene) -> Accessory {
        let changed = VersionRow(version, list: .max).changed(in: scene)
        return Accessory(StyledText(version.short, .id).adding("  ") + changed, opens: kind != .branch)
    }

    func open(in scene: Scene) -> Response {
        guard kind == .branch else { return .open(DetailPage(version)) }
        if isCheckedOut(in: scene) { return .refuse("\(name) is checked out") }
        let count = scene.draft.changes.count
        if count > 0 {
            let changes = count == 1 ? "1 change is" : "\(count) changes are"
            return .refuse("\(changes) not recorded: record or dismiss \(count == 1 ? "it" : "them"), then switch")
        }
        return .effect(.browse(.name(.checkOut(name))))
    }

    func act(_ act: Act, in scene: Scene) -> Response? {
        if act == .pane { return .open(DetailPage(version)) }
        return VersionActs.response(to: act, on: version)
    }

    func hint(in scene: Scene) -> String {
        let use =
            isCheckedOut(in: scene) ? "Checked out" : kind == .branch ? "Enter switches to it" : "Enter opens its version"
        return [use, "Tab shows its version", "b creates one here"].dropLast(kind == .branch ? 1 : 2)
            .joined(separator: " \(scene.glyphs.separator) ")
    }

    func sentence(in scene: Scene) -> String {
        let text = accessory(in: scene).text.spans.map(\.text).joined()
        return isCheckedOut(in: scene) ? "\(name) (checked out): \(text)" : "\(name): \(text)"
    }
}
