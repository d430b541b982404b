package import SettingsText

/// A name with a fact, to be read.
package struct FactRow: Row {
    let name: String
    let text: StyledText
    package let id: RowID
    /// What it leads to; nil where it is only read.
    private let response: Response?

    package init(_ name: String, _ text: StyledText, id: String? = nil, opening page: (any Page)? = nil) {
        self.name = name
        response = page.map { .open($0) }
        self.text = text
        self.id = .named(id ?? "fact \(name)")
    }

    package func title(in scene: Scene) -> String { name }
    package func accessory(in scene: Scene) -> Accessory { Accessory(text, opens: response != nil) }
    package func open(in scene: Scene) -> Response { response ?? .back }
    package func hint(in scene: Scene) -> String { text.spans.map(\.text).joined() }
}
