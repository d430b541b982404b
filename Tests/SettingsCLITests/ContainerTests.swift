import Surroundings
import Testing

/// What containers lack: a home, a user's name, /proc, a terminal, places to write. A command works, or says in one sentence
/// what is missing.
@Suite struct ContainerTests {
    @Test(arguments: BadInput.containers) func container(_ row: BadInput) throws { try row.check() }

    @Test(.enabled(if: Terminal.isThere, "python3 is not installed"))
    func aTerminalWithoutANameShowsNoColoursAndNoEditor() throws {
        let home = try Home()
        #expect(try home.run("settings init -q && settings add -q dark --title Dark --switch") == [])
        let terminal = Terminal(home)
        #expect(try !terminal.run("unset NO_COLOR TERM; settings list --no-pager").contains("\u{1B}["))
        #expect(try !terminal.run("unset NO_COLOR; TERM=dumb settings list --no-pager").contains("\u{1B}["))
        #expect(try terminal.run("unset NO_COLOR; TERM=vt100 settings list --no-pager").contains("\u{1B}["))
        let editor = "unset GIT_EDITOR EDITOR; VISUAL='touch ~/ran' TERM=dumb settings set dark on -e"
        #expect(try terminal.run(editor).contains("EDITOR is not set"))
        #expect(try home.run("ls ~/ran 2>/dev/null; settings get dark; settings status") != [])
        #expect(try home.run("test ! -e ~/ran && settings get dark") == ["false"])
        let named = "unset GIT_EDITOR; VISUAL='touch ~/ran' EDITOR='echo Why >' TERM=dumb settings set dark on -e"
        #expect(try terminal.run(named).contains("Off → On"))
        #expect(try home.run("test ! -e ~/ran && git log -1 --format=%b | head -n 1") == ["Why"])
    }
}

extension BadInput {
    private static let nameless = "setpriv --reuid 54321 --regid 54321 --clear-groups env -i PATH=\"$PATH\" "
    private static let reading = [
        "get general.language", "list", "history -n 1", "status", "doctor", "blame", "verify", "browse </dev/null",
    ]
    private static let writing = ["set sound.volume 60", "undo", "tag new", "label add general.language Dutch"]

    private static func all(_ prefix: String, _ commands: [String]) -> [Try] {
        commands.map { .works("\(prefix) settings \($0)") }
    }

    /// The commands in a new mount namespace, after `mounting`.
    private static func mounted(_ mounting: String, _ command: String) -> String {
        "unshare -m bash -c \"mount --make-rprivate /; \(mounting) && cd '$PWD' && \(command)\""
    }

    static let containers: [BadInput] = [
        BadInput(
            "a user without a name or a home", "chown -R 54321 ..; chmod 755 ..", mending: "chown -R 0 ..", needsRoot: true,
            tries: all(nameless, reading + writing) + [
                .works("git -c safe.directory='*' log -1 --format='%an' --author='user 54321'", prints: "user 54321\n"),
                .works("git init -q --bare ../bare; chown -R 54321 ../bare; \(nameless)settings remote add origin ../bare"),
                .works("\(nameless)settings sync"), .works("echo q | \(nameless)settings edit"),
            ]),
        BadInput(
            "no /proc", "", mending: "", needsRoot: true,
            tries: (reading + writing + ["edit </dev/null", "import ../home/some.json -m x"]).map {
                .works("echo '{\"door\": 1}' > ~/some.json; " + mounted("mount -t tmpfs none /proc", "settings \($0)"))
            } + [
                .fails(mounted("mount -t tmpfs none /proc", "settings get nothing.here"), 66, "nothing.here"),
                .works(mounted("mount -t tmpfs none /proc", "settings --version") + " | grep -c '^[0-9s]'", prints: nil),
            ]),
        BadInput(
            "an empty /dev", "", mending: "", needsRoot: true,
            tries: (reading.dropLast() + writing).map {
                .works(
                    "bash -c 'shopt -s expand_aliases; cp -a .. /tmp/$$; cd /tmp/$$/store; unshare -m bash -c "
                        + "\"mount --make-rprivate /; mount -t tmpfs none /dev; settings \($0)\"; s=$?; rm -rf /tmp/$$; exit $s'")
            }),
        BadInput(
            "a read-only root", "", mending: "", needsRoot: true,
            tries: reading.map { .works(mounted(readOnly, "settings \($0)")) } + [
                .fails(mounted(readOnly, "settings set sound.volume 60"), 74, "Read-only file system", hints: true),
                .fails(mounted(readOnly, "settings undo"), 74, "Read-only file system", hints: true),
                .works("git init -q --bare ../bare; settings remote add origin ../bare"),
                .fails(mounted(readOnly, "settings sync"), 74, "couriers", "Read-only file system"),
                .fails(mounted(readOnly, "settings init ../new"), 74, "Read-only file system"),
                .fails(mounted(readOnly, "settings setup --global"), 74, "Read-only file system", hints: true),
                .works(mounted(readOnly, "settings status 2>&1 | grep -c 'setup'; true"), prints: "0\n"),
            ]),
        BadInput(
            "closed streams take no file's place", "", mending: "",
            .works(
                "export GIT_EDITOR='f() { readlink /proc/$PPID/fd/[0-2] > ../streams; echo why > \"$1\"; }; f'; "
                    + "settings set sound.volume 60 -e <&- >&- 2>&-; cat ../streams", prints: "/dev/null\n/dev/null\n/dev/null\n"),
            .works("settings get sound.volume; git status --short; git fsck --strict", prints: "60\n")),
        BadInput(
            "a current folder that was removed", "mkdir ../gone", mending: "",
            .fails("mkdir -p ../x; cd ../x; rmdir $PWD; settings list", 66, "the current folder no longer exists", hints: true),
            .fails(
                "mkdir -p ../x; cd ../x; rmdir $PWD; settings init new", 66, "the current folder no longer exists", hints: true),
            .fails("mkdir -p ../x; cd ../x; rmdir $PWD; settings init", 66, "the current folder no longer exists", hints: true),
            .fails(
                "mkdir -p ../x; cd ../x; rmdir $PWD; settings list --store ../store", 66, "the current folder no longer exists",
                hints: true),
            .works("mkdir -p ../x; cd ../x; rmdir $PWD; settings init $HOME/new -q; ls -A ~/new | head -n 1", prints: ".git\n")),
        BadInput(
            "programs started from a folder that was removed", "git init -q --bare ../bare; settings remote add origin ../bare",
            .works(
                "s=$PWD; mkdir ../x; cd ../x; rmdir $PWD; settings sync --store $s && git -C $s ls-remote origin | grep -c main",
                prints: nil)),
        BadInput(
            "a full device", "", mending: "",
            .fails("settings edit </dev/null >/dev/full", 74, "No space left on device"),
            .fails("settings browse </dev/null >/dev/full", 74, "No space left on device"),
            .works("printf '%s\\n' Sound Volume 60 done Done | settings edit 2>&1 >/dev/full | grep -c '^settings: '; true"),
            .works("settings status; settings verify")),
        BadInput(
            "no folder for temporary files", "", mending: "",
            tries: all("TMPDIR=/nowhere", reading + writing) + [
                .fails("TMPDIR=/nowhere settings bisect --good first -- true", 74, "/nowhere")
            ]),
        BadInput(
            "files that nobody may read", "", mending: "chmod -R u+rwX .; chown -R 0 ..", needsRoot: true,
            .fails("chown -R 54321 ..; umask 777; \(nameless)settings set sound.volume 60", 74, "Permission denied")),
        BadInput(
            "few open files", "", mending: "",
            .works("ulimit -n 64; settings set sound.volume 60; settings history"),
            .fails("ulimit -n 8; echo | settings edit", 75, "Too many open files", "ulimit -a", hints: true)),
    ]

    private static let readOnly = "mount --bind '$PWD/..' '$PWD/..' && mount -o remount,bind,ro '$PWD/..'"
}
