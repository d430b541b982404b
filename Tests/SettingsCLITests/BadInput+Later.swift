import Testing

/// Files that a newer version of the program wrote: this one leaves them alone and says so.
extension BadInput {
    private static let own = ".git/settings"
    private static let draft = """
        printf '%s\\n' Sound Volume 65 'done' | settings edit --plain >/dev/null 2>&1 || true
        edits=$(ls \(own)/edits-*-0)
        """
    private static let note = "a newer version of settings left unfinished work here"

    static let later: [BadInput] =
        ["pending", "aside"].map { name in
            BadInput(
                "the note \(name)", "printf 'format 2\\nwork 1\\n' > \(own)/\(name)", mending: "rm \(own)/\(name)",
                .works("settings get general.language", prints: "fr\n"), .works("settings history"), .works("settings list"),
                .works("settings verify"), .works("settings status"), .works("settings blame"),
                .works("head -n 2 \(own)/\(name)", prints: "format 2\nwork 1\n"))
        } + [
            BadInput(
                "the note of a version", "printf 'format 2\\nwork 1\\n' > \(own)/pending", mending: "rm \(own)/pending",
                .fails("settings set general.language es", 74, note, "\(own)/pending", hints: true),
                .fails("settings undo", 74, note, hints: true), .fails("settings tag new", 74, note, hints: true),
                .fails("settings setup", 74, note, hints: true),
                .works("settings verify --deep"), .works("head -n 2 \(own)/pending", prints: "format 2\nwork 1\n")),
            BadInput(
                "the note of edits that were put aside",
                "printf 'format 2\\n' > \(own)/aside; git branch other HEAD~1; sed -i s/Volume/Loudness/ sound/volume.json; "
                    + "git switch -qc side HEAD~1 2>/dev/null; settings set sound.mute on -q 2>/dev/null || true",
                mending: nil,
                .works("cat \(own)/aside", prints: "format 2\n"), .works("settings status -q")),
            BadInput(
                "an edit of the store's format", "sed -i 's/\"format\": 1/\"format\": 2/' _store.json", mending: nil,
                .fails("settings set sound.volume 65", 65, "later format", "use a newer 'settings'"),
                .works("settings discard -q; settings status -q; git status --porcelain", prints: nil),
                .works("git status --porcelain", prints: "")),
            BadInput(
                "an edit that is no format", "sed -i 's/\"format\": 1/\"format\": \"x\"/' _store.json",
                mending: "git restore _store.json",
                .fails("settings list >/dev/null", 65, "must be a number", "git restore _store.json", hints: true)),
            BadInput(
                "a store that is merged by git",
                "git clone -q . ../clone; cd ../clone; settings setup -q; sed -i 's/\"format\": 1/\"format\": 2/' _store.json; "
                    + "git commit -qam 2; git switch -qc other; sed -i 's/\"Volume\"/\"Loudness\"/' sound/volume.json; "
                    + "git commit -qam 3; git switch -q main; sed -i 's/\"value\": .*/\"value\": 65,/' sound/volume.json; "
                    + "git commit -qam 4",
                .works("cd ../clone; git merge -q --no-edit other 2>&1 | grep -c 'use a newer .settings'", prints: "1\n"),
                .fails(
                    "settings clone ../clone ../third", 65, "later format than this program supports", "use a newer 'settings'")),
            BadInput(
                "what the user trusts",
                "mkdir -p ~/.config/settings; printf '{\"format\": 2, \"all\": true}' > ~/.config/settings/trusted; "
                    + "git init -q --bare ../a; settings remote add origin ../a; git config core.sshCommand 'ssh -4'",
                .fails("settings remote trust origin", 65, "newer format than this program supports", hints: true),
                .works("settings sync", says: "is not used for origin"),
                .works("cat ~/.config/settings/trusted", prints: "{\"format\": 2, \"all\": true}")),
            BadInput(
                "a draft of the pages", draft + "\nsed -i 's/\"format\":1/\"format\":2/' $edits; cp $edits ../edits",
                .works("echo Sound | settings edit --plain 2>&1 | grep -c 'made by a newer version of settings'", prints: "1\n"),
                .works(
                    "printf '%s\\n' Sound Volume 70 done Done | settings edit --plain >/dev/null 2>&1; "
                        + "settings get sound.volume; cmp ../edits \(own)/edits-*-0", prints: "70\n"),
                .works("ls \(own) | grep -c unreadable; true", prints: "0\n")),
            BadInput(
                "a draft of the pages that cannot be read, twice",
                draft + "\nfor word in one two; do echo $word > $edits; echo Sound | settings edit --plain >/dev/null 2>&1; done",
                .works("cat \(own)/edits-*-0.unreadable*", prints: "one\ntwo\n")),
            BadInput(
                "the index of the history",
                "for n in $(seq 35); do settings set sound.volume=10 -q; settings set sound.volume=15 -q; done; settings maintain -q;"
                    + " sed -i '1s/^settings index ./settings index 0/' \(own)/history-1",
                .works("settings blame sound.volume --json | grep -c '\"id\"'", prints: "1\n"),
                .works("settings maintain -q; head -c 16 \(own)/history-1 | grep -c 0; true", prints: "0\n")),
            BadInput(
                "what waits to be confirmed",
                "settings set sound.volume 60 -q --confirm 10m; touch \(own)/confirm/later \(own)/confirm/1.2.3 \(own)/confirm/a.b.c.d",
                .works("settings confirm --list | grep -c '60'", prints: "1\n"), .works("settings confirm -q")),
        ]
}

@Suite struct LaterVersionTests {
    @Test(arguments: BadInput.later) func later(_ row: BadInput) throws { try row.check() }
}
