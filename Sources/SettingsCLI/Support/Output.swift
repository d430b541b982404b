import Files
import SettingsModel
import SettingsText
import Synchronization

/// Standard output and standard error of one command.
final class Output: Sendable {
    enum Colour: String, CaseIterable {
        case auto, always, never
    }

    /// The reader has closed the pipe, which is not an error.
    struct Closed: Error {}

    private struct State {
        var colour = Colour.auto
        var buffer: [UInt8] = []
        var descriptor = ThisProcess.standardOutput
        var pager: Pager?
        /// Whether the pager gets no colors.
        var isPlain = false
        var isQuiet = false
        var usesPager = true
        var failed: String?
        var progressShown: ContinuousClock.Instant?
        var hasRecorded = false
        var hasPrinted = false
    }

    private let started = ContinuousClock.now

    private let environment: Environment
    private let state = Mutex(State())

    init(_ environment: Environment) {
        self.environment = environment
    }

    func configure(_ options: GlobalRequest) {
        state.withLock { state in
            state.colour = options.color
            state.isQuiet = options.quiet
            state.usesPager = !options.noPager
        }
    }

    var isQuiet: Bool { state.withLock { $0.isQuiet } }

    /// Why standard output could not be written, unless the reader closed it.
    var failed: String? { state.withLock { $0.failed } }

    /// Whether a version was recorded: it stays recorded even if printing fails.
    var hasRecorded: Bool {
        get { state.withLock { $0.hasRecorded } }
        set { state.withLock { $0.hasRecorded = newValue } }
    }

    /// Whether anything was printed on standard output.
    var hasPrinted: Bool { state.withLock { $0.hasPrinted } }

    private var isOutputColoured: Bool {
        isColoured(terminal: environment.isOutputTerminal && state.withLock { !$0.isPlain })
    }

    private func isColoured(terminal: Bool) -> Bool {
        switch state.withLock({ $0.colour }) {
        case .always: true
        case .never: false
        case .auto: environment.isColoured(terminal: terminal)
        }
    }

    /// Whether lines should appear at once because a user is watching.
    var isLive: Bool { environment.isOutputTerminal }

    /// Sends all further output through the user's pager if it goes to a terminal.
    /// `isPlain`: without colors, unless `--color` says.
    func page(_ command: () -> String?, isPlain: () -> Bool) {
        guard state.withLock({ $0.usesPager && $0.pager == nil }), environment.isOutputTerminal,
            let command = command(), command != "cat"
        else { return }
        guard let pager = Pager(command) else {
            if command != Pager.standard { note("warning: cannot run the pager '\(command)'") }
            return
        }
        let isPlain = isPlain()
        state.withLock { state in
            state.pager = pager
            state.descriptor = pager.input
            state.isPlain = isPlain
        }
    }

    func line(_ text: StyledText = StyledText()) throws(Closed) {
        try raw(text.rendered(coloured: isOutputColoured) + "\n")
    }

    func line(_ text: String) throws(Closed) { try line(StyledText(text)) }

    func lines(_ lines: [StyledText]) throws(Closed) {
        for text in lines { try line(text) }
    }

    func print(_ lines: [PrintedLine]) throws(Closed) {
        for printed in lines {
            switch printed {
            case .answer(let text): try line(text)
            case .done(let text): if !isQuiet { try line(text) }
            case .note(let text): note(text)
            case .hint(let text): note("hint: \(text)")
            case .warning(let text, let label): error(StyledText("\(label): ", .warning) + text)
            }
        }
    }

    /// An answer, as JSON or as lines.
    func print(
        _ isJSON: Bool, _ document: @autoclosure () -> JSON, _ lines: @autoclosure () -> [PrintedLine]
    ) throws(Closed) {
        if isJSON { try json(document()) } else { try print(lines()) }
    }

    func json(_ value: JSON, oneLine: Bool = false) throws(Closed) {
        try raw(Reports.text(of: value, oneLine: oneLine))
    }

    /// Prints the value unchanged for programs; control characters are escaped on a terminal.
    func value(_ text: String) throws(Closed) {
        try raw((environment.isOutputTerminal ? text.visible : text) + "\n")
    }

    private func raw(_ text: String) throws(Closed) { try bytes(text.utf8) }

    /// Prints the bytes of a file unchanged.
    func bytes(_ bytes: some Collection<UInt8>) throws(Closed) {
        let isFull = state.withLock { state in
            state.buffer += bytes
            state.hasPrinted = true
            return state.buffer.count >= 1 << 16
        }
        if isFull { try flush() }
    }

    func flush() throws(Closed) {
        clearProgress()
        let isWritten = state.withLock { state in
            defer { state.buffer.removeAll(keepingCapacity: true) }
            do throws(SystemFailure) {
                try ThisProcess.write(state.buffer, to: state.descriptor)
                return true
            } catch {
                if !error.isClosedPipe { state.failed = error.reason }
                return false
            }
        }
        if !isWritten { throw Closed() }
    }

    /// Shows a progress line, with an ellipsis, at a terminal once work takes longer than half a second; it is erased at the end.
    func progress(_ text: String) {
        guard environment.isErrorTerminal else { return }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard !state.isQuiet, state.pager == nil,
                now - (state.progressShown ?? started) > .milliseconds(state.progressShown == nil ? 500 : 100)
            else { return false }
            state.progressShown = now
            return true
        }
        if isDue { ThisProcess.report("\r\(text) \(environment.glyphs.ellipsis)\u{1B}[K") }
    }

    private func clearProgress() {
        let wasShown = state.withLock { state in
            let wasShown = state.progressShown != nil
            state.progressShown = nil
            return wasShown
        }
        if wasShown { ThisProcess.report("\r\u{1B}[K") }
    }

    /// Waits for the pager, if there is one.
    func finish() {
        clearProgress()
        let pager = state.withLock { state in
            let pager = state.pager
            state.pager = nil
            state.descriptor = ThisProcess.standardOutput
            return pager
        }
        pager?.finish()
    }

    func error(_ text: StyledText) {
        try? flush()
        ThisProcess.report(text.rendered(coloured: isColoured(terminal: environment.isErrorTerminal)) + "\n")
    }

    /// Prints a message that is not an error.
    func note(_ text: String) {
        if !isQuiet { error(StyledText(Login.hidden(in: text), .faint)) }
    }
}
