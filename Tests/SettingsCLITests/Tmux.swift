import Foundation
import Seeds
import Surroundings
import Testing

/// A terminal of its own, on a private socket.
final class Tmux {
    let home: Home
    private let socket: String
    private var count = 0

    static let isThere = (try? Surroundings.run(["tmux", "-V"], in: "/", ProcessInfo.processInfo.environment).status) == 0

    init(_ home: Home, columns: Int = 80, rows: Int = 24) throws {
        self.home = home
        // A server that ends takes a moment, during which its socket is no use to the next one.
        socket = home.path + "/tmux-" + UUID().uuidString.prefix(8)
        _ = try tmux([
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "LC_ALL=C.UTF-8 PS1='$ ' bash --norc",
        ])
        try wait(for: "$")
    }

    deinit { try? close() }

    func close() throws { try tmux(["kill-server"]) }

    struct NotShown: Error, CustomStringConvertible {
        let text: String
        let screen: String
        var description: String { "'\(text)' does not appear:\n\(screen)" }
    }

    @discardableResult
    private func tmux(_ words: [String]) throws -> String {
        var environment = home.environment
        environment["LC_ALL"] = "C.UTF-8"
        environment["TERM"] = "xterm-256color"
        return try Surroundings.run(["tmux", "-u", "-S", socket] + words, in: home.folder, environment).output
    }

    func screen(_ options: String...) throws -> String { try tmux(["capture-pane", "-p"] + options) }

    func press(_ keys: String...) throws { for key in keys { try tmux(["send-keys", key]) } }

    /// Sends bytes as the terminal would.
    func send(_ bytes: String) throws { try tmux(["send-keys", "-l", bytes]) }

    /// Types a command and Enter.
    func type(_ text: String) throws {
        try tmux(["send-keys", "-l", text])
        try tmux(["send-keys", "Enter"])
    }

    func paste(_ text: String) throws {
        try tmux(["set-buffer", "--", text])
        try tmux(["paste-buffer", "-p", "-r"])
    }

    /// Pastes as a terminal without bracketed pastes does, where line breaks arrive as Enter does.
    func pasteAsKeys(_ text: String) throws {
        try tmux(["set-buffer", "--", text])
        try tmux(["paste-buffer"])
    }

    func resize(columns: Int, rows: Int) throws { try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

    /// Sends a signal to the process in the foreground.
    func signal(_ name: String) throws {
        let terminal = try tmux(["display-message", "-p", "#{pane_tty}"]).trimmingCharacters(in: .whitespacesAndNewlines)
        let found = "ps -t \(terminal) -o pid=,args= | awk '/[s]ettings(-pages)? (edit|browse)/ { print $1 }'"
        _ = try home.run("kill -\(name) $(\(found))")
    }

    /// Waits until the screen shows a text.
    func wait(for text: String, else other: String? = nil, without absent: String? = nil) throws {
        var screen = ""
        let isShown = try eventually {
            screen = try self.screen()
            let isThere = screen.contains(text) || other.map(screen.contains) ?? false
            return isThere && absent.map(screen.contains) != true
        }
        if !isShown { throw NotShown(text: text, screen: screen) }
    }

    /// The shell is there, and what is typed is shown and run.
    func expectUsable() throws {
        // What is typed before the program ended could be read by it.
        let isBack = try eventually { try tmux(["display-message", "-p", "#{pane_current_command}"]) == "bash\n" }
        #expect(isBack, "the shell is not in the foreground")
        count += 1
        try type("clear; stty -a | tr ' ' '\\n' | grep -cxE 'icanon|echo|isig|icrnl|opost'; echo back-$((40 + \(count)))")
        try wait(for: "back-\(40 + count)")
        let screen = try screen()
        #expect(screen.contains("5\nback-"), "\(screen)")
        #expect(!screen.contains("▸"), "\(screen)")
    }
}
