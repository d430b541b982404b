import Files
import SettingsStore

/// A pager, fed through a pipe.
struct Pager {
    /// What runs where nobody chose another.
    static let standard = "less"

    let input: Int32
    private let child: Child

    /// Nil where it can't be started.
    init?(_ command: String) {
        var variables = ThisProcess.variables
        // The shell would start, and what is printed to it would be lost.
        if let program = Self.program(of: command), !Self.isInstalled(program, variables) { return nil }
        // As git has it: leave when it fits on the screen, show colours, keep what was shown.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        if variables["LV"] == nil { variables["LV"] = "-c" }
        guard let started = try? Command(shell: command, [], variables).startFed() else { return nil }
        (child, input) = started
        child.holdsInterrupts(closing: input)
    }

    func finish() {
        ThisProcess.close(input)
        child.wait()
        Child.releaseInterrupts()
    }

    /// The first word of a command, where that is plainly the name of a program.
    private static func program(of command: String) -> String? {
        guard let word = command.split(separator: " ").first.map(String.init) else { return nil }
        let isPlain = word.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789/._+-".unicodeScalars.contains($0)
        }
        return isPlain ? word : nil
    }

    private static func isInstalled(_ program: String, _ variables: [String: String]) -> Bool {
        if program.contains("/") { return FileSystem.isExecutable(program) }
        if FileSystem.program(program, path: variables["PATH"]) != nil { return true }
        // A word of the shell, such as `exec`, or a PATH of its own.
        return (try? Command(shell: "command -v \(program) >/dev/null", [], variables).start())?.wait().status == 0
    }
}

extension Context {
    /// Sends what follows through the pager that the environment names, or git's configuration, which is read only where the
    /// output goes to a terminal.
    func page(_ session: Session) {
        output.page {
            if let pager = ThisProcess.variables["SETTINGS_PAGER"] ?? ThisProcess.variables["GIT_PAGER"] {
                return pager.isEmpty ? nil : pager
            }
            if let pager = session.userConfigured("core.pager") { return pager.isEmpty ? nil : pager }
            if let pager = ThisProcess.variables["PAGER"] { return pager.isEmpty ? nil : pager }
            return Pager.standard
        } isPlain: {
            session.userConfigured("color.pager").map(Environment.isNo) ?? false
        }
    }
}
