import Foundation
import Surroundings
import Testing

/// What becomes of tracked files by ways that are rarely gone.
@Suite struct TrackActsTests {
    @Test func whatNobodyConfirmedIsTakenBackInTheFile() throws {
        let home = try TrackTests.office()
        #expect(
            try home.run("settings set server.port 9090 -q --confirm 10m; grep port config/app.yaml") == [
                "  port: 9090   # the port"
            ])
        #expect(
            try home.run("SETTINGS_NOW=2027-01-01T00:00:00Z settings confirm --expire -q; cat config/app.yaml").joined(
                separator: "\n")
                + "\n" == TrackTests.app)
        #expect(try home.run("settings get server.port; git status --porcelain; settings verify -q") == ["8080"])
    }

    @Test func pruning() throws {
        let home = try TrackTests.office()
        // A member that is no option goes from the file; what only the store has goes from the store.
        try TrackTests.write(TrackTests.app + "extra: 1\n", "config/app.yaml", home)
        #expect(
            try home.run("git commit -q -a -m Extra; settings export --prune -q; cat config/app.yaml").joined(separator: "\n")
                + "\n" == TrackTests.app)
        try TrackTests.write(TrackTests.app.replacingOccurrences(of: "debug: false\n", with: ""), "config/app.yaml", home)
        #expect(try home.run("settings status 2> /dev/null").first == "edited in config/app.yaml: Debug (debug): Off → not set")
        #expect(try home.run("settings import --prune -q; settings get debug 2> /dev/null") == ["[exit status: 66]"])
        #expect(try home.run("settings verify -q; git status --porcelain; tail -1 config/app.yaml") == ["  host: \"localhost\""])
    }

    /// Mode, links and extended attributes of a file outside stay, and so does its owner.
    @Test func whatAFileOutsideIsStays() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("size = 3\n", "../real.toml", home)
        let attributes = "python3 -c 'import os; print(os.getxattr(os.path.expanduser(\"~/real.toml\"), \"user.note\").decode())'"
        let hasAttributes =
            try home.run(
                "python3 -c 'import os; os.setxattr(os.path.expanduser(\"~/real.toml\"), \"user.note\", b\"mine\")' 2> /dev/null")
            == []
        let owner = geteuid() == 0 ? "1234" : String(geteuid())
        #expect(
            try home.run(
                """
                : && mkdir ~/dots && mv ~/real.toml ~/dots && ln -s dots/real.toml ~/link && chmod 604 ~/dots/real.toml
                settings track ~/link --format toml --into app -q && settings set app.size 4 -q; cat ~/dots/real.toml
                stat -c %a ~/dots/real.toml; readlink ~/link
                """) == ["size = 4", "604", "dots/real.toml"])
        if hasAttributes {
            #expect(try home.run(attributes.replacingOccurrences(of: "~/real", with: "~/dots/real")) == ["mine"])
        }
        guard geteuid() == 0 else { return }
        // As root nothing is written where another user could have put something in the way.
        let lines = try home.run("chown \(owner) ~/dots/real.toml; settings set app.size 5 2>&1; cat ~/dots/real.toml")
        #expect(lines.contains { $0.contains("another user may write") } && lines.last == "size = 4", "\(lines)")
        #expect(try home.run("settings status 2> /dev/null").first?.contains("ahead of /home/ada/link") == true)
        #expect(try home.run("chown 0 ~/dots/real.toml; settings export -q; cat ~/dots/real.toml") == ["size = 5"])
    }

    @Test func editsOfOneOptionAreDiscardedAndComeBack() throws {
        let home = try TrackTests.office()
        let edited = TrackTests.app.replacingOccurrences(of: "8080", with: "9090").replacingOccurrences(of: "false", with: "true")
        try TrackTests.write(edited, "config/app.yaml", home)
        #expect(
            try home.run("settings discard server.port -q; cat config/app.yaml").joined(separator: "\n") + "\n"
                == edited.replacingOccurrences(of: "9090", with: "8080"))
        #expect(try home.run("settings discard debug -q; git status --porcelain") == [])
        #expect(
            try home.run("settings discard --undo server.port; cat config/app.yaml") == [
                "restored as unrecorded edits:", "    Port (server.port): 8080 → 9090 (in config/app.yaml)",
            ] + TrackTests.app.replacingOccurrences(of: "8080", with: "9090").split(separator: "\n").map(String.init))
        #expect(try home.run("settings discard --undo debug -q; cat config/app.yaml").joined(separator: "\n") + "\n" == edited)
        #expect(try home.run("settings discard --undo server.host 2>&1").last == "[exit status: 1]")
        // What was edited since is not written over.
        _ = try home.run("settings discard server.port -q; sed -i 's/8080/7070/' config/app.yaml")
        #expect(try home.run("settings discard --undo server.port 2>&1").last == "[exit status: 2]")
        #expect(try home.run("grep -c 7070 config/app.yaml") == ["1"])
    }

    @Test func editsOutsideAreKeptToo() throws {
        let home = try TrackTests.office()
        try TrackTests.write("theme = \"light\"\nsize = 3\n", "../app.toml", home)
        #expect(try home.run("settings track ~/app.toml --into look -q; sed -i 's/3/4/; s/light/dark/' ~/app.toml") == [])
        #expect(
            try home.run("settings discard 2>&1; cat ~/app.toml") == [
                "discarded:", "    Size (look.size): 3 → 4 (in /home/ada/app.toml)",
                "    Theme (look.theme): \"light\" → \"dark\" (in /home/ada/app.toml)",
                "hint: 'settings discard --undo' restores them", "theme = \"light\"", "size = 3",
            ])
        #expect(
            try home.run("ls -l ~/.config/settings/files.d/*.kept | cut -c1-10; git for-each-ref refs/settings") == ["-rw-------"]
        )
        #expect(
            try home.run("settings discard --undo 2>&1; cat ~/app.toml; ls ~/.config/settings/files.d | wc -l") == [
                "restored as unrecorded edits:", "    Size (look.size): 3 → 4 (in /home/ada/app.toml)",
                "    Theme (look.theme): \"light\" → \"dark\" (in /home/ada/app.toml)",
                "theme = \"dark\"", "size = 4", "1",
            ])
        #expect(try home.run("settings discard look.size -q; cat ~/app.toml") == ["theme = \"dark\"", "size = 3"])
        #expect(try home.run("settings discard --undo look.size -q; cat ~/app.toml") == ["theme = \"dark\"", "size = 4"])
        // Both at once: files of the repository and others come back together.
        try TrackTests.write(TrackTests.app + "# mine\n", "config/app.yaml", home)
        #expect(try home.run("settings discard -q; cat ~/app.toml; git status --porcelain") == ["theme = \"light\"", "size = 3"])
        #expect(
            try home.run("settings discard --undo -q; cat ~/app.toml; tail -1 config/app.yaml") == [
                "theme = \"dark\"", "size = 4", "# mine",
            ])
        // What was edited since stays.
        #expect(
            try home.run("settings discard -q; echo 'new = 1' >> ~/app.toml; settings discard --undo -q; cat ~/app.toml") == [
                "theme = \"dark\"", "size = 4", "new = 1",
            ])
        #expect(
            try home.run("settings discard look.size -q; sed -i 's/size = 3/size = 5/' ~/app.toml; settings discard --undo 2>&1")
                .last
                == "[exit status: 2]")
        #expect(try home.run("cat ~/app.toml") == ["theme = \"dark\"", "size = 5", "new = 1"])
    }

    /// A version that could be recorded, and a rest that could not be.
    @Test func whatIsTakenInIsRecordedWhateverComesAfterIt() throws {
        let home = try TrackTests.office()
        try TrackTests.write(TrackTests.app.replacingOccurrences(of: "8080", with: "9090"), "config/app.yaml", home)
        let lines = SyncTests.plain(
            try home.run(
                "git commit -q -a -m Port; sed -i 's/\"value\": false/\"value\": 7/' conf/debug.json; settings done -m x 2>&1"))
        #expect(lines.contains("ID  Port (server.port): 8080 → 9090"), "\(lines)")
        #expect(
            lines.contains {
                $0.hasPrefix("warning: recorded the changes that commits made to tracked files, but nothing else: debug.json")
            })
        #expect(try home.run("settings get server.port") == ["9090"])
    }

    /// What another program saves while a version is written is an edit, and no reversal of that version. One that it saved too
    /// often for is refused, and records nothing. The program writes its own three bytes in place: one that writes a whole file
    /// which it read before the version takes that back, whatever happens here.
    @Test func aProgramSavesMeanwhile() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("app: 100\nset: 0\n", "a.yaml", home)
        let script = """
            : && git add . && git commit -q -m A && settings track -q a.yaml --into a
            save() { printf $1 | dd of=a.yaml bs=1 seek=5 conv=notrunc; }
            (i=0; while [ ! -e ../end ]; do save $((100 + i % 899)); i=$((i + 1)); done) &
            last=0; for i in 1 2 3; do settings set a.set $i -q && last=$i; done
            touch ../end; wait; save 999; settings done -q; echo $last; cat a.yaml; settings get a.set a.app
            settings status -q --exit-code
            """
        let lines = try home.run("{ \(script)\n} 2> /dev/null")
        let last = try #require(lines.first)
        #expect(lines == [last, "app: 999", "set: \(last)", last, "999"])
    }

    /// Only root may make a file immutable, and not on every file system.
    @Test func aFileThatCannotBeWrittenIsNotInStep() throws {
        let home = try TrackTests.office()
        guard geteuid() == 0, try home.run("chattr +i config/app.yaml 2> /dev/null") == [] else { return }
        defer { _ = try? home.run("chattr -i config/app.yaml") }
        let lines = try home.run(
            "settings set debug on -q 2> /dev/null; settings track; settings export --check > /dev/null 2>&1")
        #expect(lines == ["config/app.yaml  -  yaml  not written", "[exit status: 1]"])
        #expect(try home.run("settings export -q 2>&1").last != nil)
        #expect(
            try home.run("chattr -i config/app.yaml; settings export -q 2> /dev/null; settings track; tail -1 config/app.yaml")
                == ["config/app.yaml  -  yaml  in step", "debug: true"])
    }

    /// The store has a value of another clone, and the file another one of its owner.
    @Test func whatBothChangedOutsideIsNotRecordedUnasked() throws {
        let home = try TrackTests.office()
        try TrackTests.write("n = 5\n", "../o.toml", home)
        let script = """
            : && settings track ~/o.toml --into o -q && git clone -q . ../clone && cd ../clone && settings set o.n 6 -q --store conf
            cd - > /dev/null && sed -i s/5/7/ ~/o.toml && git pull -q ../clone main
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        let lines = try home.run("settings done 2>&1")
        #expect(lines.first?.contains("o.n changed in /home/ada/o.toml and in the store") == true, "\(lines)")
        #expect(lines.last == "[exit status: 2]")
        #expect(try home.run("settings get o.n; cat ~/o.toml; git status --porcelain") == ["6", "n = 7"])
        #expect(try home.run("settings import --overwrite -q; settings get o.n; cat ~/o.toml") == ["7", "n = 7"])
    }

    /// The entry of a file goes with a group that is moved by hand.
    @Test func aGroupThatIsMovedByHandKeepsItsFile() throws {
        let home = try TrackTests.office(tracking: false)
        _ = try home.run("settings track config/app.yaml --into app -q; git mv conf/app conf/prog; settings done -q")
        #expect(try TrackTests.app(home) == TrackTests.app)
        #expect(
            try home.run("settings track; settings set prog.debug on -q; settings undo 2 -q; settings track") == [
                "config/app.yaml  prog  yaml  in step", "config/app.yaml  app  yaml  in step",
            ])
        #expect(try TrackTests.app(home) == TrackTests.app)
        #expect(
            try home.run(
                "git mv conf/app conf/prog; git commit -q -m Moved; settings track; settings export 2>&1")
                == [
                    "config/app.yaml  app  yaml  without options", "nothing to do",
                    "config/app.yaml is tracked for the group app, which has none of its options",
                    "hint: if the group was renamed, run 'settings untrack config/app.yaml', then 'settings track config/app.yaml --into "
                        + "GROUP'; 'settings import' adds the options again",
                ])
        #expect(try TrackTests.app(home) == TrackTests.app)
    }

    /// What can't be written option by option can be recorded, and put back, as a whole.
    @Test func anAliasThatWasReplacedByHand() throws {
        let home = try TrackTests.office(tracking: false)
        let (old, new) = ("base: &b\n  x: 1\nderived: *b\n", "base: &b\n  x: 1\nderived:\n  x: 9\n")
        try TrackTests.write(old, "config/app.yaml", home)
        _ = try home.run("git commit -q -a -m Alias; settings track config/app.yaml --into app -q")
        try TrackTests.write(new, "config/app.yaml", home)
        #expect(try home.run("settings status 2> /dev/null").first == "edited in config/app.yaml: X (app.derived.x): 1 → 9")
        #expect(try home.run("settings discard -q; git status --porcelain; settings discard --undo -q") == [])
        #expect(try TrackTests.app(home) == new)
        #expect(try home.run("settings done -q; settings get app.derived.x; settings verify -q; git status --porcelain") == ["9"])
    }

    /// The last member of a file with comments goes, and comes back.
    @Test(arguments: ["# head\nx: 1\n", "%YAML 1.1\n---\n# h\nx: 1\n", "x: 1 # c\n", "# h\nx: 1"])
    func theLastMember(text: String) throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write(text, "config/app.yaml", home)
        #expect(try home.run("git commit -q -a -m One; settings track config/app.yaml --into w -q; settings rm w.x -q") == [])
        let left = try TrackTests.app(home)
        #expect(left == text.replacingOccurrences(of: "x: 1", with: "{}"))
        #expect(try home.run("settings undo -q; git diff --exit-code HEAD~2 -- config") == [])
        _ = try home.run("settings rm w.x -q; settings add w.z --title Z --number 5 -q")
        #expect(try TrackTests.app(home) == text.replacingOccurrences(of: "x: 1", with: "z: 5"))
    }

    @Test func whatIsStagedOfATrackedFileIsSaid() throws {
        let home = try TrackTests.office()
        #expect(
            try home.run("sed -i 's/debug: false/debug: true/' config/app.yaml; git add .; settings done --staged 2>&1") == [
                "settings: config/app.yaml is staged, but --staged does not record tracked files",
                "hint: 'settings done' records all its edits, and 'settings done KEY' those of one option", "[exit status: 2]",
            ])
        #expect(try home.run("settings done -q; settings get debug; git status --porcelain") == ["true"])
    }
}
