import Files
import SettingsPages

/// Pages in lines, for pipes, simple terminals and screen readers: each row is numbered, and nothing is drawn twice.
final class PlainFrontEnd {
    private let pages: Pages
    private let prompts: Bool
    /// Whether nobody reads what is written.
    private var isClosed = false

    /// `prompts`: whether a person types the lines.
    init(_ pages: Pages, prompts: Bool) {
        self.pages = pages
        self.prompts = prompts
    }

    func run() -> Effect.Ending {
        pages.become(plain: true)
        pages.offerKept()
        pages.catchUp()
        show()
        while pages.ending == nil, !isClosed {
            if prompts { write("> ") }
            guard let line = readLine() else { break }
            let (page, depth) = (pages.editor.title, pages.editor.visits.count)
            pages.take(line)
            pages.catchUp()
            pages.settle()
            if pages.ending != nil { break }
            _ = pages.look()
            for line in pages.editor.status.text.split(separator: "\n") { write(String(line).visible + "\n") }
            let isOther = page != pages.editor.title || depth != pages.editor.visits.count
            if isOther || line.allSatisfy(\.isWhitespace) || line.hasPrefix("/") { show() }
        }
        if pages.ending == nil { pages.send(.act(.leave)) }
        pages.settle()
        return pages.ending ?? .kept(pages.editor.scene.draft.changes.count)
    }

    private func show() { write(pages.editor.plainLines.map { $0 + "\n" }.joined()) }

    private func write(_ text: String) {
        do { try ThisProcess.write(Array(text.utf8), to: ThisProcess.standardOutput) } catch { isClosed = true }
    }
}

extension Pages {
    /// Does what a line of plain mode says.
    func take(_ line: String) {
        for event in editor.events(for: PlainCommand(line)) { send(event) }
    }
}
