import Testing

/// Contents of files and commits can't control a terminal: whatever prints them escapes them.
@Suite struct BadInputTerminalTests {
    static let commands = [
        "list", "show evil.choice", "show HEAD", "history", "history evil", "diff", "diff --from first",
        "diff --from first --who", "blame",
        "blame --facets", "status", "verify", "get evil.text", "get evil.choice --label", "tag", "doctor",
        "set evil.choice nonsense",
        "set evil.text x --dry-run",
        "set evil.choice --index 1", "list evil", "undo", "get evil.none", "history --json", "list --json",
        "show evil.choice --json",
    ]

    /// A title, a label, a value, a help, a reason, an author, a tag and a file name that move the cursor and reverse text.
    private static let evil = #"""
        evil=$(printf 'a\033]0;owned\007b\033[2Jc\302\233d\342\200\256e\342\201\246f\rg')
        settings add evil.choice --title "T$evil" --choice "L$evil" Other --help-text "H$evil" \
            -m "W$evil" --requested-by "R${evil%??}" --ticket "K${evil%??}"
        GIT_AUTHOR_NAME="A$evil" GIT_AUTHOR_EMAIL=x@example.org settings add evil.text --title Text --text "V$evil"
        printf '{}' > "evil/$evil.json"
        git -c user.name=x commit -q --allow-empty -m "S$evil" --author "G$evil <y@example.org>"
        settings tag named -m "M$evil"
        sed -i 's/"Text"/"Edited \\u001b[31m\\u202e"/' evil/text.json
        """#

    private static func isTerminalCommand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10: false
        case 0..<32, 127..<160, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private func expectHarmless(_ text: String, _ command: String) {
        let bad = text.unicodeScalars.filter(Self.isTerminalCommand)
        #expect(bad.isEmpty, "$ settings \(command)\n\(text.debugDescription)")
    }

    @Test func terminal() throws {
        let store = try BadInputStore.make()
        let broken = try store.run("set -e\n" + Self.evil)
        try #require(broken.status == 0, "\(broken.errors)")
        for command in Self.commands {
            let pages = !(command.hasPrefix("get") || command.hasPrefix("set") || command == "undo")
            let line = "settings \(command) --color never" + (pages ? " --no-pager" : "")
            let run = try store.run("script -qec '\(line)' /dev/null </dev/null")
            expectHarmless((run.output + run.errors).replacing("\r\n", with: "\n"), command)
            // Only `get` prints a value unchanged, and only to a pipe.
            let piped = try store.run(line)
            expectHarmless(piped.errors + (command.hasPrefix("get") ? "" : piped.output), command)
        }
        let value = try store.run("settings get evil.choice --label")
        #expect(value.output.contains("\u{1B}[2J"))
    }
}
