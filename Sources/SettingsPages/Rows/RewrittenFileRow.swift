package import SettingsModel
import SettingsText

/// A file that means what the last version has, written in another way.
package struct RewrittenFileRow: Row {
    let subject: Subject

    package init(_ subject: Subject) { self.subject = subject }

    package var id: RowID { .named("rewritten \(subject.path)") }

    package func title(in scene: Scene) -> String { subject.path }
    package func accessory(in scene: Scene) -> Accessory { Accessory(StyledText("formatting only", .faint)) }
    package func open(in scene: Scene) -> Response { .refuse("only the formatting differs, which is not recorded") }
    package func reset(in scene: Scene) -> Response { .effect(.files(FileWork(.discard([], files: [subject])))) }
    package func hint(in scene: Scene) -> String { "Only the formatting differs; Del restores the usual formatting" }
}
