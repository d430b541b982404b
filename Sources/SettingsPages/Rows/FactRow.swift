package import SettingsText

/// A name with a fact, to be read.
package struct FactRow: Row {
    let name: String
    let text: StyledText
    package let id: RowID

    package init(_ name: String, _ text: StyledText, id: String? = nil) {
        self.name = name
        self.text = text
        self.id = .named(id ?? "fact \(name)")
    }

    package func title(in scene: Scene) -> String { name }
    package func accessory(in scene: Scene) -> Accessory { Accessory(text) }
    package func open(in scene: Scene) -> Response { .back }
    package func hint(in scene: Scene) -> String { text.spans.map(\.text).joined() }
}
