import Files
import SettingsModel
import SettingsStore
import SettingsText

/// What the process was started with. The layers below read nothing of this by themselves.
struct Environment: Sendable {
    var folder: String
    /// Seconds since 1970; `SETTINGS_NOW` (seconds, or an RFC 3339 time) sets it for tests and demonstrations.
    var now: Int64
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool

    static let current = Environment()
    /// As it is now: the time has gone on.
    static var latest: Environment { Environment() }

    private init() {
        folder = ThisProcess.folder ?? Self.nowhere
        isInputTerminal = ThisProcess.isTerminal(.input)
        isOutputTerminal = ThisProcess.isTerminal(.output)
        isErrorTerminal = ThisProcess.isTerminal(.errors)
        now = ThisProcess.now
        if let text = self["SETTINGS_NOW"] {
            if let seconds = Int64(text) {
                now = seconds
            } else if let seconds = When(text, clock).seconds {
                now = seconds
            }
        }
    }

    /// In local time.
    var clock: Clock { Clock.local(now: now) }

    /// The same at this moment, for commands that go on for long.
    var presentClock: Clock { Clock.local(now: self["SETTINGS_NOW"] == nil ? ThisProcess.now : now) }

    /// In place of a current folder that was removed: nothing is there, whatever is looked for in it.
    private static let nowhere = "/dev/null"

    /// The columns of the terminal, as git finds them; nil where the output goes to a pipe or a file.
    var columns: Int? {
        guard isOutputTerminal else { return nil }
        let typed = self["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return typed ?? ThisProcess.terminalColumns ?? 80
    }

    /// The signs that the locale can show.
    var glyphs: Glyphs {
        let locale = (self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C").uppercased()
        let codeset = locale.split(separator: ".").last ?? ""
        return codeset.hasPrefix("UTF-8") || codeset.hasPrefix("UTF8") ? .unicode : .ascii
    }

    /// Whether output that goes to a terminal, or not, is coloured unless `--color` says.
    func isColoured(terminal: Bool) -> Bool {
        if self["NO_COLOR"] != nil { return false }
        if let forced = self["CLICOLOR_FORCE"], forced != "0" { return true }
        return terminal && !isDumb && self["CLICOLOR"] != "0" && !Self.isColourOff
    }

    /// Whether the user's configuration of git wants no color.
    private static let isColourOff = Store.userConfigured("color.ui").map { $0 == "never" || isNo($0) } ?? false

    /// How times are written: as `--date` says, or git's configuration, or as suits a terminal, or a pipe or a file.
    func times(_ word: String?, isTerminal: Bool? = nil) -> TimeFormat {
        let isTerminal = isTerminal ?? isOutputTerminal
        return (word ?? Self.logDate).flatMap { TimeFormat($0, isTerminal: isTerminal) } ?? (isTerminal ? .clock : .iso)
    }

    private static let logDate = Store.userConfigured("log.date")

    /// Whether a value in git's configuration is one of its words for no.
    static func isNo(_ value: String) -> Bool { ["false", "no", "off", "0", ""].contains(value.lowercased()) }

    /// Whether a terminal shows nothing but lines; without a word about it that is so, as in git.
    var isDumb: Bool { self["TERM"] == nil || self["TERM"] == "dumb" }

    /// Whether the current folder was removed.
    var isNowhere: Bool { folder == Self.nowhere }

    /// An environment variable; an empty one counts as missing, as in git.
    subscript(name: String) -> String? { ThisProcess.variable(name) }

    /// An absolute path, without `.`, `..` and trailing slashes.
    func absolute(_ path: String) -> String {
        if folder == Self.nowhere, !path.hasPrefix("/"), !path.hasPrefix("~") { return folder }
        return FileSystem.absolute(path, in: folder, home: home)
    }

    /// The user's folder; nil also where it is not absolute, so that it would be another one in every folder.
    var home: String? { self["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Why there is no `home`.
    var homeFault: String { self["HOME"] == nil ? "not set" : "not an absolute path" }

    /// The user who called sudo, if any.
    var sudoUser: UInt32? { ThisProcess.sudoUser }

    /// Who the user is; `configured` looks up a value of git's configuration.
    func identity(_ configured: @escaping (String) -> String?) -> Identity {
        Identity(sudoUser: sudoUser, at: clock, variable: { self[$0] }, configured: configured)
    }

    /// The user, as the store in `folder` sees them.
    func caller(in folder: StoreFolder) -> Caller {
        Caller(
            isAtTerminal: isInputTerminal, sudoUser: sudoUser,
            place: CurrentFolder(self.folder, ofStore: folder.resolvedPath), gitIndex: self["GIT_INDEX_FILE"].map(absolute))
    }

    /// Where it is kept what a repository's configuration may have git do.
    var trust: Trust { Trust(path: configuration.map { $0 + "/trusted" }) }

    /// Files outside of repositories that are kept in step with stores.
    var personalFiles: PersonalFiles { PersonalFiles(folder: configuration) }

    /// The user's folder for configuration of this program.
    private var configuration: String? {
        if let folder = self["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/settings" }
        return home.map { $0 + "/.config/settings" }
    }

    /// The folder of the user's own store (`--user`).
    var userStore: String {
        get throws {
            if let data = self["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/settings" }
            guard let home else {
                throw Failure(.missing, CommandLineHints.noOwnStore(homeFault))
            }
            return ThisProcess.dataFolder(inHome: home) + "/settings"
        }
    }
}
