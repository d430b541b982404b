import Files
import SettingsPages

/// Pages in lines, for pipes, simple terminals and screen readers: each row is numbered, and nothing is drawn twice.
final class PlainFrontEnd {
    private let pages: Pages

    init(_ pages: Pages) { self.pages = pages }

    func run() -> Effect.Ending {
        pages.become(plain: true)
        pages.offerKept()
        show()
        while pages.ending == nil {
            write("> ")
            guard let line = readLine() else {
                pages.send(.act(.leave))
                break
            }
            let (before, title) = (pages.editor.plainPage, pages.editor.visits.count)
            pages.take(line)
            if pages.ending != nil { break }
            _ = pages.look()
            if !pages.editor.status.text.isEmpty { write(pages.editor.status.text.visible + "\n") }
            let isOther = before != pages.editor.plainPage || title != pages.editor.visits.count
            if isOther || line.allSatisfy(\.isWhitespace) { show() }
        }
        return pages.ending ?? .kept(pages.editor.scene.draft.changes.count)
    }

    private func show() { write(pages.editor.plainLines.map { $0 + "\n" }.joined()) }

    private func write(_ text: String) { try? ThisProcess.write(Array(text.utf8), to: ThisProcess.standardOutput) }
}

extension Pages {
    /// Does what a line of plain mode says.
    func take(_ line: String) {
        for event in editor.events(for: PlainCommand(line)) { send(event) }
    }
}
