/// Plain mode: each row is a numbered sentence, and what is typed names a row.
extension Editor {
    package mutating func becomePlain(_ isPlain: Bool) {
        scene.isPlain = isPlain
        // What was said so far is about keys.
        if isPlain { status = Status() }
        pages.expire()
        refresh()
    }

    /// The title of the page.
    package var title: String { visit.page.title(in: scene) }

    /// The page in sentences.
    package var plainLines: [String] { plain.lines }

    /// The page in plain mode.
    package var plain: PlainPage { PlainPage(scene, visit, listed: isListed ? listed?.rows : nil) }

    /// Whether this page was listed, and none since.
    package var isListed: Bool { listed?.visit == visit.number }

    /// Lists the page: numbers are those of this list until the next one.
    package mutating func list() { listed = (visit.number, plain.numbered) }

    /// What a line of plain mode comes to.
    package func events(for command: PlainCommand) -> [Event] { plain.events(for: command) }

    /// The keys that do on the screen what the line does in plain mode.
    package func keys(for command: PlainCommand) -> [PlainPage.KeyStep] { plain.keys(for: command) }
}
