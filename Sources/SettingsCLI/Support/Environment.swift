import SettingsModel
import SettingsStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The environment of the process. The layers below read none of it themselves.
struct Environment: Sendable {
    var folder: String
    /// Seconds since 1970; `SETTINGS_NOW` (seconds, or an RFC 3339 time) sets it for tests and demonstrations.
    var now: Int64
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool

    static let current = Environment()

    private init() {
        folder = Self.readFolder()
        isInputTerminal = isatty(STDIN_FILENO) == 1
        isOutputTerminal = isatty(STDOUT_FILENO) == 1
        isErrorTerminal = isatty(STDERR_FILENO) == 1
        now = Int64(time(nil))
        if let text = self["SETTINGS_NOW"] {
            if let seconds = Int64(text) {
                now = seconds
            } else if case .moment(let seconds) = When(text, now: now) {
                now = seconds
            }
        }
    }

    private static func readFolder() -> String {
        guard let path = getcwd(nil, 0) else { return Self.nowhere }
        defer { free(path) }
        return String(cString: path)
    }

    /// Stands in for a current folder that was deleted: no lookup in it finds anything.
    private static let nowhere = "/dev/null"

    /// The folder of this program; nil if the system doesn't provide it.
    static var programFolder: String? {
        #if os(Linux)
            let own = realpath("/proc/self/exe", nil)
        #else
            let own = CommandLine.arguments.first.flatMap { $0.contains("/") ? realpath($0, nil) : nil }
        #endif
        guard let own else { return nil }
        defer { free(own) }
        let path = String(cString: own)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// The value of a variable; an empty one counts as missing, as in git.
    subscript(name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// All variables, for a child process. Few commands start one, and building a dictionary would take
    /// 0.1 ms of each `settings get`.
    var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }

    /// An absolute path, without `.`, `..` and trailing slashes.
    func absolute(_ path: String) -> String {
        if folder == Self.nowhere, !path.hasPrefix("/"), !path.hasPrefix("~") { return folder }
        var full = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        if path == "~" || path.hasPrefix("~/"), let home = self["HOME"] { full = home + path.dropFirst() }
        var parts: [Substring] = []
        for part in full.split(separator: "/") {
            if part == "." { continue }
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The user who called sudo, if any.
    var sudoUser: UInt32? {
        guard geteuid() == 0, let id = self["SUDO_UID"] else { return nil }
        return UInt32(id)
    }

    /// The folder of the user's own store (`--user`).
    var userStore: String {
        get throws {
            if let data = self["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/settings" }
            guard let home = self["HOME"] else {
                throw Failure(.missing, "there is no home folder for your own store", hint: "set HOME or XDG_DATA_HOME")
            }
            #if os(macOS)
                return home + "/Library/Application Support/settings"
            #else
                return home + "/.local/share/settings"
            #endif
        }
    }
}
