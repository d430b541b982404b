import Files

/// A timer of the user's own for systemd that reverts what was not confirmed in time, also after a restart.
struct SystemdTimer {
    private let store: String
    private let environment: Environment
    private let name: String

    init(_ store: String, _ environment: Environment) {
        (self.store, self.environment) = (store, environment)
        let folder = store.split(separator: "/").last ?? "store"
        name = "settings-confirm-" + folder.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    }

    private var command: String { "confirm --expire --quiet --store \(Self.quoted(store))" }

    /// Whether 'systemctl --user enable' was run for it, and not for a store in another folder of that name.
    var isEnabled: Bool {
        let folder = (environment["XDG_CONFIG_HOME"] ?? environment.home.map { $0 + "/.config" } ?? "") + "/systemd/user"
        guard FileSystem.kind(of: "\(folder)/timers.target.wants/\(name).timer") != nil,
            let service = try? Folder.read(path: "\(folder)/\(name).service", limit: 1 << 16)
        else { return false }
        return String(decoding: service, as: UTF8.self).split(separator: "\n").contains { $0.hasSuffix(command) }
    }

    /// What reverts a version after a restart, in a sentence.
    var afterRestart: String {
        guard isEnabled else {
            return "after a restart, the next recorded change or 'settings confirm --expire' reverts it; "
                + "'settings doctor --systemd' prints a timer"
        }
        let user = ThisProcess.account(ThisProcess.user).email.prefix { $0 != "@" }
        let lingers = FileSystem.kind(of: "/var/lib/systemd/linger/\(user)") != nil
        return "after a restart, \(name).timer reverts it"
            + (lingers ? "" : " after you log in ('loginctl enable-linger' makes that unnecessary)")
    }

    /// The service, the timer and how to enable them, as 'settings doctor --systemd' prints them.
    var units: [String] {
        let program = Program.path(environment) ?? "settings"
        let files = "~/.config/systemd/user/\(name)"
        let description = "Description=Revert settings in \(Self.escaped(store)) that were not confirmed in time"
        return """
            # \(files).service
            [Unit]
            \(description)

            [Service]
            Type=oneshot
            ExecStart=\(Self.quoted(program)) \(command)

            # \(files).timer
            [Unit]
            \(description)

            [Timer]
            OnStartupSec=10s
            OnCalendar=minutely
            AccuracySec=5s

            [Install]
            WantedBy=timers.target

            # systemctl --user enable --now \(name).timer
            # loginctl enable-linger    (to run it while nobody is logged in)
            """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// In a unit, `%` begins a specifier.
    private static func escaped(_ text: String) -> String {
        text.map { $0 == "%" ? "%%" : $0.isNewline ? " " : String($0) }.joined()
    }

    /// One word of ExecStart, as systemd.service(5) has it.
    private static func quoted(_ word: String) -> String {
        let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+".contains($0)) }
        if plain { return word }
        let text = word.unicodeScalars.map { scalar in
            switch scalar {
            case "%": "%%"
            case "$": "$$"
            case "\\", "\"": "\\\(scalar)"
            case "\n": "\\n"
            default: String(scalar)
            }
        }
        return "\"\(text.joined())\""
    }
}
