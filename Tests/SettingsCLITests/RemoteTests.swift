import Foundation
import Surroundings
import Testing

/// 'remote', and what other commands know of remotes; edits by hand while versions come in; many machines at once.
@Suite struct RemoteTests {
    @Test func remotesAreGitsOwn() throws {
        let home = try SyncTests.office()
        let script = """
            git remote remove origin; settings remote; settings remote add team ../bare.git; settings sync -q
            git rev-parse --abbrev-ref @{upstream}; settings set dark on -q; settings remote add web https://ada:pw@example.org/x
            settings remote | sed 's/reached .*)/reached)/'; settings remote rename team origin; git rev-parse --abbrev-ref @{upstream}
            git push -q; settings remote rm web; git remote; git config --get-regexp '^(remote|branch)' | sort
            """
        #expect(
            try home.run(":; cd a; \(script)") == [
                "there are no remotes; 'settings remote add NAME URL' adds one",
                "team was added; 'settings sync' exchanges versions", "team/main",
                "web was added; 'settings sync' exchanges versions",
                "team  ../bare.git            main  1 to send (reached)",
                "web   https://example.org/x  main  not reached yet", "team is now origin", "origin/main",
                "web was removed", "origin", "branch.main.merge refs/heads/main", "branch.main.remote origin",
                "remote.origin.fetch +refs/heads/*:refs/remotes/origin/*", "remote.origin.url ../bare.git",
            ])
        let json = try home.run(":; cd a; settings remote list --json | grep -c '\"ahead\": 0'; settings doctor | grep '^remote'")
        #expect(json.count == 2 && json[0] == "1" && json[1].hasPrefix("remote origin  up to date (reached "), "\(json)")
    }

    /// Comments and values behind a header, two headers on a line, a key with two values.
    @Test func theRestOfTheConfigurationStays() throws {
        let home = try SyncTests.office()
        let script = #"""
            printf '\n[a][b] c = d # why\n[core] # mine\n[e] f\n' >> .git/config
            git config branch.main.remote origin; git config --add remote.origin.fetch +refs/notes/*:refs/notes/*; cp .git/config ..
            settings remote add x ../bare.git -q; settings remote remove x -q; diff ../config .git/config
            settings remote rename origin o -q; git config --get-all remote.o.fetch; git config --get-all b.c; grep -c mine .git/config
            """#
        #expect(
            try home.run(":; cd a; \(script)") == [
                "+refs/heads/*:refs/remotes/o/*", "+refs/notes/*:refs/notes/*", "d", "1",
            ])
    }

    /// What git's own 'remote rename' and 'remote remove' make of the same configuration.
    @Test(arguments: [
        "remote rename origin neu", "remote remove origin", "remote rename spare neu", "remote remove spare",
    ])
    func whatNamesARemoteFollowsIt(_ command: String) throws {
        let home = try SyncTests.office()
        let script = """
            git config remote.pushDefault origin; git config branch.main.remote origin; git config branch.main.merge refs/heads/main
            git config branch.main.pushRemote origin; git config branch.dev.remote spare; git config branch.dev.pushRemote origin
            git remote add spare /srv/spare.git; printf '[remote "origin"]\n\t# Ask Bob before pruning.\n\tprune = true\n' >> .git/config
            git clone -q --bare . ../by-git; cp .git/config ../by-git/config; settings \(command) -q; git -C ../by-git \(command)
            git config --file .git/config --list | sort > ../ours; git config --file ../by-git/config --list | sort | diff - ../ours
            git config remote.pushDefault; git push -q --dry-run; grep -c 'Ask Bob' .git/config
            """
        var expected = ["origin", "1"]
        if command == "remote rename origin neu" { expected[0] = "neu" }
        if command == "remote remove origin" {
            let lines = try home.run(":; cd a; \(script.replacing("git push -q --dry-run; ", with: ""))")
            #expect(lines == ["1"], "\(command): what a person wrote stays")
        } else {
            #expect(try home.run(":; cd a; \(script)") == expected, "\(command)")
        }
    }

    @Test func sectionsAreRenamedWhereTheyStand() throws {
        let home = try SyncTests.office()
        let script = #"""
            printf '[REMOTE   "origin"] prune = true # why\n; mine\n[remote "orig"]\n\turl = /x\n#\001\n#\002\n' >> .git/config
            cp .git/config ..; settings remote rename origin 'a"b' -q 2>/dev/null; settings remote rename origin neu -q
            diff ../config .git/config | grep '^[<>]'; settings remote rename neu origin -q; git remote; tail -6 .git/config | cat -A
            """#
        let lines = try home.run(":; cd a; \(script)")
        #expect(lines.contains(#"> [remote "neu"] prune = true # why"#), "\(lines)")
        #expect(
            lines.suffix(8) == [
                "orig", "origin", #"[remote "origin"] prune = true # why$"#, "; mine$", #"[remote "orig"]$"#, "^Iurl = /x$",
                "#^A$",
                "#^B$",
            ], "\(lines)")
    }

    /// As git does it, the file that a link leads to is replaced.
    @Test(arguments: ["config.real", "../../far/config", "sub/config"]) func aConfigurationBehindALink(_ target: String) throws {
        let home = try SyncTests.office()
        let script = """
            mkdir -p .git/sub ../far; mv .git/config .git/\(target); ln -s \(target) .git/config; git config a.b c
            settings remote add web /srv/x -q; settings setup --undo -q; settings setup -q; settings remote rename web far -q
            readlink .git/config; git config remote.far.url; git config a.b; git config merge.settings.name; ls .git/settings | grep lock-
            """
        #expect(try home.run(":; cd a; \(script); true") == [target, "/srv/x", "c", "settings, by meaning"])
        let left = ": > .git/settings/lock-config; ln .git/settings/lock-config \"$(realpath .git/config).lock\""
        #expect(
            try home.run(":; cd a; \(left); settings remote remove far -q; settings remote | wc -l") == ["1"],
            "what a dead process left is removed")
    }

    @Test func passwordsAreNotRepeated() throws {
        let home = try SyncTests.office()
        let address = "https://bob:hunter2@127.0.0.1:1/x.git"
        for command in [
            "remote remove", "remote trust", "remote untrust", "remote rename x", "remote add x", "remote add", "remote",
            "bundle", "list --store", "get a --store", "init", "sync", "pull", "push", "clone", "clone --branch x", "get",
            "set a",
            "show", "history", "restore", "revert", "tag", "merge", "",
        ] {
            let words = command.split(separator: " ").map(String.init)
            for json in ["", " --json"] {
                let lines = try home.run(":; cd a; settings \(words.joined(separator: " ")) '\(address)' x\(json); true")
                #expect(!lines.isEmpty)
                #expect(!lines.contains { $0.contains("hunter2") }, "\(command)\(json): \(lines)")
            }
        }
        for typo in ["https:/bob:hunter2@h/x", "https//bob:hunter2@h/x", "//bob:hunter2@h/x", "bob:hunter2@h:x.git"] {
            for command in ["remote remove", "sync", "clone"] {
                let lines = try home.run(":; cd a; settings \(command) '\(typo)'; true")
                #expect(!lines.isEmpty && !lines.contains { $0.contains("hunter2") }, "\(command): \(lines)")
            }
        }
        let trace = "export SETTINGS_TRACE=~/trace; settings bundle '\(address)' -q; settings sync '\(address)' -q"
        #expect(try home.run(":; cd a; mkdir -p 'https:/bob:hunter2@127.0.0.1:1'; { \(trace); } 2>/dev/null; true") == [])
        #expect(try home.run(":; grep -c hunter2 ~/trace; grep -q 127.0.0.1 ~/trace; echo $?") == ["0", "0"])
    }

    @Test func onlyWhereAnAddressWorksIsItSaid() throws {
        let home = try SyncTests.office()
        for command in ["remote remove", "remote trust", "remote untrust"] {
            #expect(
                try home.run(":; cd a; settings \(command) nowhere") == [
                    "settings: there is no remote 'nowhere'", "hint: 'settings remote' lists them", "[exit status: 66]",
                ])
        }
        #expect(
            try home.run(":; cd a; settings sync nowhere")[1] == "hint: 'settings remote' lists them; a URL or a path also works")
    }

    @Test func remotesThatCannotBe() throws {
        let home = try SyncTests.office()
        for (command, status) in [
            ("add origin x", 64), ("add 'a b' x", 64), ("add -- -x y", 64), ("add ../x y", 64), ("remove nowhere", 66),
            ("rename nowhere x", 66), ("rename origin a..b", 64), ("add x/ y", 64),
        ] {
            let lines = try home.run(":; cd a; settings remote \(command)")
            #expect(lines.last == "[exit status: \(status)]" && lines.count > 1, "\(command): \(lines)")
        }
        #expect(try home.run(":; cd a; git remote -v | wc -l") == ["2"])
    }

    @Test func editsByHandStay() throws {
        let home = try SyncTests.office()
        _ = try home.run(":; cd b; settings set volume 60 -q; settings label add language Arabic -q --at 0; settings sync -q")
        let script = """
            cd a; sed -i 's/: 40/: 35/' volume.json; sed -i 's/"Language"/"Tongue"/' language.json; settings set dark on -q
            settings sync | tail -1; settings get volume; settings get volume --at HEAD; settings show language | head -1
            settings list --json | grep -c Arabic; git status --porcelain; git log -1 --format=%s origin/main
            """
        let lines = try home.run(":; \(script)")
        #expect(
            lines == [
                "your unrecorded edits to language, volume were kept; 'settings status' shows them", "35", "60",
                lines.count > 3 ? lines[3] : "", "1", " M language.json", " M volume.json", "merge origin/main",
            ])
        #expect(lines.count > 3 && lines[3].contains("Tongue"), "\(lines)")
        #expect(
            try home.run(":; cd a; settings done -q; settings sync -q; cd ../b; settings sync -q; settings get volume") == ["35"])
        try SyncTests.check(home)
        // What cannot be read stays as it is.
        _ = try home.run(":; cd b; settings set volume 1 -q; settings sync -q; cd ../a; echo '{' > volume.json; settings sync -q")
        #expect(try home.run(":; cd a; cat volume.json; settings get volume --at HEAD") == ["{", "1"])
    }

    @Test func undoSaysThatOthersMayHaveIt() throws {
        let home = try SyncTests.office()
        let script = """
            settings set dark on -q; settings sync -q; settings undo 2>&1 | sed -E 's/[0-9a-f]{7}/ID/'; settings sync -q
            cd ../b; settings sync -q; settings get dark
            """
        let lines = try home.run(":; cd a; \(script)")
        #expect(lines.contains("ID  Dark mode (dark): On → Off") && lines.last == "false", "\(lines)")
        #expect(lines.contains("ID is on origin, so others may have it; 'settings sync' sends this version there"))
    }

    @Test func syncRepeatsUntilItIsEnded() throws {
        let home = try SyncTests.office()
        let script = """
            cd b; settings sync --every 1s > ~/out 2>&1 & loop=$!; cd ../a; sleep 2; settings set dark on -q; settings sync -q
            for n in $(seq 1200); do test "$(settings get dark --store ../b)" = true && break; sleep 0.1; done
            mv ../bare.git ../away; sleep 4; mv ../away ../bare.git; kill $loop; wait $loop; echo "$?"; cat ~/out
            """
        let lines = try home.run(":; \(script)")
        #expect(
            SyncTests.plain(lines).prefix(4) == [
                "0", "1 version fetched from origin:", "  ID  Dark mode (dark): Off → On  Ada Example",
                "settings: there is no repository at /home/ada/office/bare.git, the address of origin",
            ], "\(lines)")
        #expect(lines.count(where: { $0.hasPrefix("settings: ") }) == 1, "what goes on is said once")
        for (words, status) in [("--every x", 64), ("--every 0s", 64), ("--every 1m --json", 64)] {
            #expect(try home.run(":; cd a; settings sync \(words)").last == "[exit status: \(status)]")
        }
    }

    /// Machines that record, undo and sync without a pause: every version is in the history once, and all agree at the end.
    @Test func fourMachinesAgree() throws {
        let home = try SyncTests.office()
        let script = """
            work() { cd ~/office/$1; RANDOM=$2; export GIT_AUTHOR_NAME=$1 GIT_AUTHOR_EMAIL=$1@example.org
              for round in 1 2 3 4; do
                settings set volume $((RANDOM % 90)) -q -m "mark-$1-$round" > /dev/null
                case $((RANDOM % 4)) in
                  0) settings set language --next -q;;
                  1) settings label rename language German "German $RANDOM" -q;;
                  2) settings undo -q;;
                  3) git pull -q --rebase && git push -q;;
                esac > /dev/null 2>&1
                git rebase --abort 2> /dev/null
                settings sync -q > /dev/null 2>> ~/errors; echo $? >> ~/statuses
              done; }
            cp -r b c; cp -r b d; for m in a b c d; do (cd $m; settings setup -q; git branch -q -u origin/main 2> /dev/null); done
            (work a 1) & (work b 2) & (work c 3) & (work d 4) & wait
            for n in 1 2 3; do for m in a b c d; do (cd $m; settings sync -q > /dev/null); done; done
            sort -u ~/statuses | tr '\\n' ' '; echo
            git -C a log --format=%B | grep -E '^mark-' | sort | uniq -c | awk '{print $1}' | sort | uniq -c
            for m in a b c d; do (cd $m; settings get language volume > ~/values-$m; settings conflicts > ~/asked-$m 2>&1); done
            cmp ~/values-a ~/values-d && cmp ~/asked-a ~/asked-c && settings verify --store a > /dev/null && echo agreed
            """
        let lines = try home.run(":; bash -c '\(script.replacingOccurrences(of: "'", with: "'\\''"))'")
        #expect(lines.last == "agreed", "\(lines) \((try? home.run("cat ~/errors")) ?? [])")
        #expect(lines.first.map { Set($0.split(separator: " ")).isSubset(of: ["0", "2", "75"]) } == true, "\(lines)")
        #expect(lines.count > 1 && lines[1].hasSuffix(" 16 1"), "every reason once: \(lines)")
        try SyncTests.check(home, ["a", "b", "c", "d"])
    }

    /// A mirror that is fetched from lags behind what is pushed to; that is not a loss, and what was lost still is one.
    @Test func aMirrorMayBeOlder() throws {
        let home = try SyncTests.office()
        let set = "cd a; git clone -q --bare ../bare.git ../mirror.git; git config remote.origin.url ../mirror.git"
        _ = try home.run(":; \(set); git config remote.origin.pushurl ../bare.git; settings set volume 60 -q; settings sync -q")
        let warning = "warning: origin is fetched from one address and pushed to another; the first lacks "
        #expect(
            SyncTests.plain(try home.run(":; cd a; settings sync; settings get volume")) == [
                warning + "1 version that was pushed", "up to date with origin", "60",
            ])
        #expect(
            SyncTests.plain(
                try home.run(":; cd a; settings set volume 70 -q; settings sync; git -C ../bare.git rev-list --count main")) == [
                    warning + "1 version that was pushed", "1 version sent to origin:",
                    "  ID  Volume (volume): 60 → 70  Ada Example", "6",
                ])
        #expect(
            try home.run(
                ":; cd a; settings pull 2> /dev/null; git -C ../mirror.git fetch -q ../bare.git main:main; settings sync") == [
                    "up to date with origin", "up to date with origin",
                ])
        let lost = ":; cd a; for r in bare mirror; do git -C ../$r.git update-ref refs/heads/main main~1; done; settings sync"
        let lines = try home.run(lost)
        #expect(
            lines.first?.contains("origin no longer has 1 version that it had") == true && lines.last == "[exit status: 2]",
            "\(lines)"
        )
    }
}
