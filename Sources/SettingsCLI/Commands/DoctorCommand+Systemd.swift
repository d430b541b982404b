import Files

extension DoctorCommand {
    /// A service of the user's own that takes back what was not confirmed in time, and a timer that starts it.
    static func units(_ store: String, _ environment: Environment) -> [String] {
        let program = Program.path(environment) ?? "settings"
        let folder = store.split(separator: "/").last ?? "store"
        let name = "settings-confirm-" + String(folder.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        let files = "~/.config/systemd/user/\(name)"
        let description = "Description=Take back settings in \(escaped(store)) that were not confirmed in time"
        return """
            # \(files).service
            [Unit]
            \(description)

            [Service]
            Type=oneshot
            ExecStart=\(quoted(program)) confirm --expire --quiet --store \(quoted(store))

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
