import SettingsText

/// A text that belongs to the page, such as a reason.
package struct FieldRow: Row {
    let name: String
    let short: String?
    let text: String
    /// Shown where nothing is typed yet.
    let placeholder: String
    let takesBreaks: Bool
    package let id: RowID
    private let change: @Sendable (String) -> Response

    /// `change` says what a text that was typed does.
    package init(
        _ name: String, short: String? = nil, id: String, text: String, placeholder: String = "", takesBreaks: Bool = false,
        _ change: @escaping @Sendable (String) -> Response
    ) {
        self.name = name
        self.short = short
        self.text = text
        self.placeholder = placeholder
        self.takesBreaks = takesBreaks
        self.id = .named(id)
        self.change = change
    }

    package func title(in scene: Scene) -> String { name }

    package func shortTitle(in scene: Scene) -> String? { short }

    package func accessory(in scene: Scene) -> Accessory {
        Accessory(text.isEmpty ? StyledText(placeholder, .faint) : StyledText(scene.shown(text)))
    }

    /// A text of several lines is edited in the person's editor.
    package func open(in scene: Scene) -> Response {
        if takesBreaks, text.contains(where: \.isNewline) { return .effect(.edit(id, text: text + "\n", name: "\(name).txt")) }
        return typing
    }
    /// Typed in the row.
    var typing: Response { .type(Typing(row: id, field: Field(text), takesBreaks: takesBreaks)) }
    package func type(_ character: Character, in scene: Scene) -> Response {
        .type(Typing(row: id, field: Field(text + String(character)), takesBreaks: takesBreaks))
    }
    package func set(_ word: String, in scene: Scene) -> Response { change(word) }
    package func reset(in scene: Scene) -> Response { change("") }
    package func commit(_ text: String, in scene: Scene) -> Response { change(text) }
    package func hint(in scene: Scene) -> String { "Enter or a letter edits \(name)" }
}
