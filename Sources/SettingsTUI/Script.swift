import Files
package import SettingsModel
import SettingsPages

/// A session from a file, without a terminal, for tests and demonstrations. Each line is a command of plain mode, or
///
///     :keys Down Enter "some text"   presses keys, and types what is quoted
///     :resize COLUMNS ROWS           the screen has another size
///     :save-display [FILE]           writes the screen to a file, or prints it
///     :expect TEXT                   fails unless the screen contains it, and prints the screen; a refusal in which it is
///                                    found is no failure
///     :refuse TEXT                   fails if the screen contains it
///     :paste TEXT                    pastes it; \n is a new line
///
/// Empty lines and lines that begin with # are left out.
package final class Script {
    private let pages: Pages
    private let isPlain: Bool
    /// That of the first line that could not be done, and was not expected to be refused.
    package private(set) var failure: Problem.Kind?

    package init(_ pages: Pages, isPlain: Bool) {
        self.pages = pages
        self.isPlain = isPlain
        pages.become(plain: isPlain)
    }

    package struct Failure: Error, CustomStringConvertible {
        package var line: Int
        package var reason: String
        /// Whether the line is no instruction, rather than one that expects what isn't so.
        package var isInvalid = true
        package var description: String { "line \(line): \(reason)" }
    }

    package func run(_ text: String) throws {
        pages.offerKept()
        pages.catchUp()
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = String(line)
            if words.isEmpty || words.hasPrefix("#") || pages.ending != nil { continue }
            pages.look()
            pages.catchUp()
            if !words.hasPrefix(":") || words.hasPrefix(":keys ") || words.hasPrefix(":paste ") { noteFailure() }
            // Its lines are numbered as they are where plain mode prints the page.
            if !pages.editor.isListed { pages.list() }
            defer { if words.hasPrefix("/") { pages.list() } }
            if words.hasPrefix(":") {
                try perform(words, number + 1)
                pages.list()
            } else if let fault = pages.editor.plain.fault(in: PlainCommand(words)) {
                throw Failure(line: number + 1, reason: fault)
            } else if isPlain {
                pages.take(words)
            } else {
                press(words)
            }
        }
        noteFailure()
    }

    private func noteFailure() {
        let last = pages.takeFailure()
        failure = failure ?? last
    }

    /// Does with keys what plain mode does with a line.
    private func press(_ words: String) {
        for step in pages.editor.keys(for: PlainCommand(words)) {
            switch step {
            case .keys(let keys): for key in keys { pages.send(.key(key)) }
            case .text(let text): pages.send(.paste(text))
            case .event(let event): pages.send(event)
            }
        }
    }

    private var display: [String] { isPlain ? pages.editor.plainLines : pages.editor.draw().lines }

    private func perform(_ words: String, _ number: Int) throws {
        let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : ""
        func fail(_ reason: String) -> Failure { Failure(line: number, reason: reason) }
        switch parts[0] {
        case ":keys": for event in try events(rest, fail) { pages.send(event) }
        case ":paste": pages.send(.paste(rest.replacing("\\n", with: "\n")))
        case ":resize":
            let sizes = rest.split(separator: " ").compactMap { Int($0) }
            guard sizes.count == 2 else { throw fail("expected :resize COLUMNS ROWS") }
            pages.send(.resize(Grid.Size(columns: sizes[0], rows: sizes[1])))
        case ":save-display":
            let text = Array(display.map { $0 + "\n" }.joined().utf8)
            if rest.isEmpty {
                try ThisProcess.write(text, to: ThisProcess.standardOutput)
            } else {
                try OutputFile.put(text, at: rest)
            }
        case ":expect", ":refuse":
            let shown = display + [pages.editor.status.text]
            if parts[0] == ":expect", pages.editor.status.isRefusal, pages.editor.status.text.contains(rest) {
                _ = pages.takeFailure()
            }
            guard shown.contains(where: { $0.contains(rest) }) != (parts[0] == ":expect") else { return }
            let what = parts[0] == ":expect" ? "is not on the screen" : "is on the screen"
            try ThisProcess.write(Array(shown.map { $0 + "\n" }.joined().utf8), to: ThisProcess.standardOutput)
            throw Failure(line: number, reason: "'\(rest)' \(what)", isInvalid: false)
        default: throw fail("unknown instruction '\(parts[0])'")
        }
    }

    private func events(_ words: String, _ fail: (String) -> Failure) throws -> [Event] {
        var events: [Event] = []
        let parts = words.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { throw fail("the text in quotes is not closed") }
        for (index, part) in parts.enumerated() {
            if index % 2 == 1 {
                events += part.map { .key(.character($0)) }
                continue
            }
            for word in part.split(separator: " ") {
                guard let key = Keystroke(name: String(word)) else { throw fail("unknown key '\(word)'") }
                events.append(.key(key))
            }
        }
        return events
    }
}
