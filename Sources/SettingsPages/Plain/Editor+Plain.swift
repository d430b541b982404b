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

    /// What a line of plain mode comes to.
    package func events(for command: PlainCommand) -> [Event] { PlainPage(scene, visit).events(for: command) }

    /// The keys that do on the screen what the line does in plain mode.
    package func keys(for command: PlainCommand) -> [PlainPage.KeyStep] { PlainPage(scene, visit).keys(for: command) }
}
