internal import CTerminal
import Files
import SettingsModel
import SettingsPages

/// Pages in lines, for pipes, simple terminals and screen readers: each row is numbered, and nothing is drawn twice.
final class PlainFrontEnd {
    private let pages: Pages
    private let prompts: Bool
    /// Whether nobody reads what is written.
    private var isClosed = false
    /// Why it could not be written, unless the reader closed the pipe.
    private(set) var failure: SystemFailure?

    /// `prompts`: whether a person types the lines.
    init(_ pages: Pages, prompts: Bool) {
        self.pages = pages
        self.prompts = prompts
    }

    func run() -> Effect.Ending {
        pages.become(plain: true)
        pages.offerKept()
        pages.catchUp()
        tell()
        show()
        while pages.ending == nil, !isClosed {
            if let typing = pages.editor.typing {
                guard ask(pages.editor.plain.prompt(for: typing), isMasked: typing.isMasked) else { break }
                continue
            }
            if prompts { write("> ") }
            guard let line = readLine() else { break }
            take(line)
        }
        // Who said 'done' once and no more is told that nothing was recorded.
        let isCutOff = pages.ending == nil && !prompts && pages.editor.visit.page is DonePage
        if pages.ending == nil { pages.send(.act(.leave)) }
        let ending = pages.end()
        guard isCutOff else { return ending }
        let staged = pages.editor.scene.files.edits?.staged.count ?? 0
        return switch ending {
        case .kept(let count): .cutOff(count)
        case .empty where staged > 0: .cutOff(staged)
        default: ending
        }
    }

    private func take(_ line: String) {
        let page = pages.editor.title
        if prompts, pages.editor.plain.showsMasked(PlainCommand(line)) {
            pages.send(.failed("This value is masked: give its number alone, and it is read without being shown"))
        } else {
            pages.take(line)
        }
        pages.catchUp()
        pages.keepDraft()
        if pages.ending != nil { return }
        if PlainCommand(line) != .show { tell() }
        let status = pages.editor.status
        if pages.look(), pages.editor.status != status { tell() }
        let isOther = page != pages.editor.title || !pages.editor.isListed
        if isOther || line.allSatisfy(\.isWhitespace) || line.hasPrefix("/") { show() }
    }

    /// A text that is typed into a row: the next line. False at the end of the input.
    private func ask(_ question: String, isMasked: Bool) -> Bool {
        if prompts {
            write(question)
            if isMasked { settings_terminal_hide(1) }
        }
        let line = readLine()
        if prompts, isMasked {
            settings_terminal_hide(0)
            write("\n")
        }
        guard let line else { return false }
        if line.isEmpty {
            pages.send(.key(.escape))
        } else {
            pages.send(.type(line))
            pages.send(.key(.enter))
            // What isn't accepted is asked for again by the person, not for ever.
            let status = pages.editor.status
            if pages.editor.typing != nil {
                pages.send(.key(.escape))
                pages.send(.failed(status.text, status.refusal ?? .no))
            }
        }
        pages.keepDraft()
        tell()
        return true
    }

    private func tell() {
        for line in pages.editor.status.text.split(separator: "\n") { write(String(line).visible + "\n") }
    }

    private func show() {
        pages.list()
        write(pages.editor.plainLines.map { $0 + "\n" }.joined())
    }

    private func write(_ text: String) {
        do { try ThisProcess.write(Array(text.utf8), to: ThisProcess.standardOutput) } catch {
            isClosed = true
            if !error.isClosedPipe { failure = error }
        }
    }
}

extension Pages {
    /// Does what a line of plain mode says.
    func take(_ line: String) {
        for event in editor.events(for: PlainCommand(line)) { send(event) }
    }
}
