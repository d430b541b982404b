/// Plain mode: each row is a numbered sentence, and what is typed names a row.
extension Editor {
    package mutating func becomePlain(_ isPlain: Bool) {
        scene.isPlain = isPlain
        pages.expire()
        refresh()
    }

    /// The title of the page.
    package var title: String { visit.page.title(in: scene) }

    /// The page in sentences.
    package var plainLines: [String] { PlainPage(scene, visit).lines }

    /// What plain mode asks for; nil where it waits for a command.
    package var plainPrompt: String? { typing.map { PlainPage(scene, visit).prompt(for: $0) } }

    /// Whether a line of plain mode shows a value that is masked.
    package func showsMasked(_ command: PlainCommand) -> Bool { PlainPage(scene, visit).showsMasked(command) }

    /// What a line of plain mode comes to.
    package func events(for command: PlainCommand) -> [Event] { PlainPage(scene, visit).events(for: command) }

    /// The keys that do on the screen what the line does in plain mode.
    package func keys(for command: PlainCommand) -> [PlainPage.KeyStep] { PlainPage(scene, visit).keys(for: command) }
}
