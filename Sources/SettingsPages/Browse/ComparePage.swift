package import SettingsModel
import SettingsText

/// What differs between two versions, in sentences.
package struct ComparePage: BrowserPage {
    let old: VersionID
    let new: VersionID

    /// What is compared; everything where it is empty.
    private let places: [Key]

    package init(_ old: VersionID, _ new: VersionID, in places: [Key] = []) {
        (self.old, self.new, self.places) = (old, new, places)
    }

    package func title(in scene: Scene) -> String { "\(old.short) \(scene.glyphs.arrow) \(new.short)" }

    private func comparison(in scene: Scene) -> Browsing.Comparison? {
        scene.browsing.comparison.flatMap { $0.old == old && $0.new == new ? $0 : nil }
    }

    func need(in scene: Scene) -> BrowseRequest? { comparison(in: scene) == nil ? .compare(old, new) : nil }

    package func rows(in scene: Scene) -> [any Row] {
        guard let comparison = comparison(in: scene) else {
            return [NoteRow("Comparing\(scene.glyphs.ellipsis)", "waiting")]
        }
        if let problem = comparison.problem { return [NoteRow(problem, "problem")] }
        var rows: [any Row] = [
            NoteRow("From \(words(old, scene)) to \(words(new, scene)).", "sides")
        ]
        let changes = comparison.changes.told.filter { change in
            places.isEmpty
                || places.contains { change.subject.key.isWithin($0) || change.renaming?.old.key.isWithin($0) == true }
        }
        rows += changes.map { PastChangeRow($0, from: old) }
        if changes.isEmpty { rows.append(NoteRow("Nothing differs.", "empty")) }
        return rows
    }

    private func words(_ id: VersionID, _ scene: Scene) -> String {
        guard let version = scene.browsing.entries[id]?.version else { return id.short }
        return "\(id.short), \(scene.phrases.time(version.time)), \(version.author.name)"
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        act == .compare || act == .mark ? .refuse("mark versions in the list; Esc returns to it") : nil
    }
}

/// The lines of the files that a version changed.
package struct FilesPage: BrowserPage {
    let id: VersionID

    package init(_ id: VersionID) { self.id = id }

    package var isWide: Bool { true }

    package func title(in scene: Scene) -> String { "Files of \(id.short)" }

    func need(in scene: Scene) -> BrowseRequest? { scene.browsing.files?.id == id ? nil : .files(id) }

    package func rows(in scene: Scene) -> [any Row] {
        guard let files = scene.browsing.files, files.id == id else {
            return [NoteRow("Reading the files\(scene.glyphs.ellipsis)", "waiting")]
        }
        if let problem = files.problem { return [NoteRow(problem, "problem")] }
        if !files.isComplete { return [NoteRow("What this version changed is not in this clone.", "cut")] }
        if files.lines.isEmpty { return [NoteRow("This version changed no file of the store.", "empty")] }
        return files.lines.enumerated().map { LineRow($0, $1) }
    }

    package func act(_ act: Act, in scene: Scene) -> Response? { act == .raw ? .back : nil }
}

/// A line of a file.
struct LineRow: Row {
    let number: Int
    let line: FileLine

    init(_ number: Int, _ line: FileLine) { (self.number, self.line) = (number, line) }

    var id: RowID { .named("line \(number)") }

    var titleRole: Cell.Role {
        switch line.kind {
        case .file: .heading
        case .removed: .before
        case .added: .after
        case .same: .plain
        case .note: .faint
        }
    }

    var wraps: Bool { true }

    func title(in scene: Scene) -> String { line.text == "…" ? scene.glyphs.ellipsis : line.text }
    func open(in scene: Scene) -> Response { .back }
}
