import Foundation
import Surroundings
import Testing

/// What is in force, and what is asked, where both sides changed the same: through the program, with two clones.
@Suite struct SyncDecisionTests {
    /// `a` does and syncs, then `b` does and syncs. What `b` is told.
    private func both(_ home: Home, a: String, b: String) throws -> [String] {
        #expect(try home.run("{ :; cd a; \(a); settings sync -q; } 2>&1") == [])
        return SyncTests.plain(try home.run(":; cd b; \(b); settings sync"))
    }

    private func inStep(_ home: Home) throws {
        _ = try home.run(":; cd b; settings sync -q; cd ../a; settings sync -q; cd ../b; settings sync -q")
        #expect(try home.run("settings verify -q --store a; settings verify -q --store b") == [])
        try SyncTests.check(home)
    }

    @Test func anotherTypeThereAndAnotherValueHere() throws {
        let home = try SyncTests.office()
        let lines = try both(
            home, a: "settings define volume --text loud -q; settings set volume loud -q", b: "settings set volume 70 -q")
        #expect(
            lines.suffix(5) == [
                "2 conflicts are open:",
                "  Volume (volume): type: ours is \"number\", theirs is \"text\", and \"text\" is in force",
                "  Volume (volume): ours is 70, theirs is \"loud\", and \"loud\" is in force",
                "hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side", "[exit status: 2]",
            ], "\(lines)")
        #expect(
            try home.run(":; cd a; settings sync -q > /dev/null; settings get volume; settings get volume --store ../b") == [
                "loud", "loud",
            ])
        let sides = try home.run(
            ":; cd b; settings conflicts --json | python3 -c 'import json,sys; "
                + "print([(c[\"oursBy\"] is None, c[\"theirsBy\"] is None) for c in json.load(sys.stdin)[\"conflicts\"]])'")
        #expect(sides == ["[(False, False), (False, False)]"])
        // The value alone would not fit the type that is in force.
        let alone = try home.run(":; cd b; settings resolve volume:value --ours -q; settings get volume; settings conflicts")
        #expect(alone == ["70", "there are no open conflicts"])
        try inStep(home)
        #expect(try home.run("settings get volume --store a") == ["70"])
    }

    /// One decided for what was in force, so that its files don't show it.
    @Test func bothDecideOnATypeDifferently() throws {
        let home = try SyncTests.office()
        _ = try both(
            home, a: "settings define volume --text loud -q; settings set volume loud -q", b: "settings set volume 70 -q")
        _ = try home.run(":; cd a; settings sync -q")
        let lines = try both(home, a: "settings resolve volume --theirs -q", b: "settings resolve volume --ours -q")
        #expect(lines.contains { $0.contains("ours is 70, theirs is \"loud\", and \"loud\" is in force") }, "\(lines)")
        #expect(
            try home.run(":; cd b; settings get volume; settings resolve volume --ours -q; settings get volume") == [
                "loud", "70",
            ])
        try inStep(home)
        #expect(try home.run("settings conflicts --store a") == ["there are no open conflicts"])
    }

    /// A decision for the name in force renames nothing. What both resolved in different ways is open again, not resolved.
    @Test func bothDecideOnANameDifferently() throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings rename volume loud -q", b: "settings rename volume noise -q")
        // Of both names, that which is there.
        #expect(try home.run(":; cd b; settings get volume 2>&1 | tail -n 1") == ["hint: use the key 'loud'"])
        _ = try home.run(":; cd a; settings sync -q")
        let lines = try both(home, a: "settings resolve loud --theirs -q", b: "settings resolve loud --ours -q")
        #expect(
            lines.suffix(4) == [
                "1 conflict is open:", "  Volume (loud): ours is noise, theirs is loud, and loud is in force",
                "hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side", "[exit status: 2]",
            ], "\(lines)")
        #expect(!lines.contains { $0.contains("resolved:") }, "\(lines)")
        #expect(try home.run(":; cd b; settings resolve loud --ours -q; settings rename noise sound -q") == [])
        #expect(try home.run(":; cd b; settings get loud 2>&1 | tail -n 1") == ["hint: use the key 'sound'"])
        try inStep(home)
        let there = try home.run(":; cd a; settings conflicts; settings get sound")
        #expect(there == ["there are no open conflicts", "40"])
    }

    /// The one who renamed it to the name that was not in force sends first: the question goes by another name than before.
    @Test func aNameIsOpenAgainByAnotherName() throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings rename volume loud -q", b: "settings rename volume noise -q")
        _ = try home.run(":; cd a; settings sync -q")
        let lines = try both(home, a: "settings resolve loud --ours -q", b: "settings resolve loud --theirs -q")
        #expect(lines.contains { $0.hasPrefix("  Volume (noise): ours is loud, theirs is noise") }, "\(lines)")
        #expect(!lines.contains { $0.contains("resolved:") }, "\(lines)")
    }

    /// Of what one side renamed and the other removed, too: then what is kept has another name than what was removed.
    @Test func bothDecideOnARenamedOptionThatIsRemoved() throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings remove volume -q", b: "settings rename volume loud -q")
        _ = try home.run(":; cd a; settings sync -q")
        let lines = try both(home, a: "settings resolve volume --theirs -q", b: "settings resolve volume --ours -q")
        #expect(
            lines.suffix(4) == [
                "1 conflict is open:", "  Volume (loud): ours kept it, theirs removed it, and it does not exist now",
                "hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side", "[exit status: 2]",
            ], "\(lines)")
        #expect(!lines.contains { $0.contains("resolved:") }, "\(lines)")
        #expect(try home.run(":; cd b; settings resolve loud --ours -q") == [])
        try inStep(home)
        #expect(try home.run(":; cd a; settings conflicts; settings get loud") == ["there are no open conflicts", "40"])
    }

    /// Whoever takes the resolution back is told that the conflict is open again, and so is everybody who gets that.
    @Test(arguments: ["undo", "revert HEAD"]) func aConflictIsOpenAgain(_ taking: String) throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings set volume 50 -q", b: "settings set volume 60 -q")
        _ = try home.run(":; cd a; settings sync -q; settings resolve volume --theirs -q; settings sync -q")
        _ = try home.run(":; cd b; settings sync -q; git branch other")
        let taken = try home.run(":; cd a; settings \(taking); settings sync -q")
        #expect(
            taken.last == "warning: the conflict in volume is open again; 'settings conflicts' shows it", "\(taken)")
        let lines = SyncTests.plain(try home.run(":; cd b; settings sync"))
        let open = [
            "1 conflict is open:", "  Volume (volume): ours is 60, theirs is 50, and 50 is in force",
            "hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side", "[exit status: 2]",
        ]
        #expect(lines.suffix(4) == open[...], "\(lines)")
        // It is reported once; a merge brings it in, too.
        #expect(try home.run(":; cd b; settings sync") == ["up to date with origin"])
        let merged = try home.run(":; cd b; git switch -q other; settings set dark on -q; settings merge main")
        #expect(merged.last?.hasPrefix("warning: the conflict in volume is open again") == true, "\(merged)")
        // Resolved again, nothing is open.
        #expect(try home.run(":; cd a; settings resolve volume --ours -q; settings sync -q; settings get volume") == ["60"])
        #expect(SyncTests.plain(try home.run(":; cd b; git switch -q main; settings sync")).last?.contains("volume): 60") == true)
    }

    /// A decision that is made again is reported like a new one.
    @Test(arguments: [("undo", "redo"), ("revert HEAD", "revert HEAD")], ["--ours", "--theirs"])
    func aConflictIsResolvedAgain(_ ways: (taking: String, repeating: String), _ side: String) throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings set volume 50 -q", b: "settings set volume 60 -q")
        _ = try home.run(
            ":; cd a; settings sync -q; settings resolve volume \(side) -q; settings sync -q; cd ../b; settings sync -q")
        let lines = try both(home, a: "settings \(ways.taking) -q 2> /dev/null", b: ":")
        #expect(lines.contains("1 conflict is open:"), "\(lines)")
        let again = try both(home, a: "settings \(ways.repeating) -q", b: ":")
        let value = side == "--ours" ? "60" : "50"
        #expect(again.suffix(2) == ["1 conflict was resolved:", "  Volume (volume): \(value)  Ada Example"], "\(again)")
        #expect(try home.run("settings conflicts --store b") == ["there are no open conflicts"])
    }

    /// Both decided, each without knowing of the other; what one of them takes back is not asked about any more.
    @Test(arguments: ["undo", "revert HEAD"]) func aSideIsTakenBack(_ taking: String) throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings set volume 50 -q", b: "settings set volume 60 -q")
        _ = try home.run(":; cd a; settings sync -q")
        let asked = try both(home, a: "settings resolve volume --ours -q", b: "settings resolve volume --theirs -q")
        #expect(asked.contains("  Volume (volume): ours is 50, theirs is 60, and 60 is in force"), "\(asked)")
        let lines = try both(home, a: "settings \(taking) -q 2> /dev/null", b: "settings rename volume sound.loud -q")
        #expect(lines.suffix(2) == ["1 conflict was resolved:", "  Volume (sound.loud): 50  Ada Example"], "\(lines)")
        try inStep(home)
        for clone in ["a", "b"] {
            let there = try home.run(":; cd \(clone); settings conflicts; settings get sound.loud")
            #expect(there == ["there are no open conflicts", "50"])
        }
    }

    /// Where both decide the same nothing is open, and what was resolved goes by the name that it has.
    @Test(arguments: [("--ours", "loud"), ("--theirs", "removed")])
    func bothDecideOnARenamedOptionAlike(_ side: String, _ told: String) throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings remove volume -q", b: "settings rename volume loud -q")
        _ = try home.run(":; cd a; settings sync -q")
        let lines = try both(home, a: "settings resolve volume \(side) -q", b: "settings resolve volume \(side) -q")
        #expect(lines.suffix(2) == ["1 conflict was resolved:", "  Volume (volume): \(told)  Ada Example"], "\(lines)")
        try inStep(home)
    }

    /// By 'merge', which decides at once, too.
    @Test(arguments: [("--ours", "70"), ("--theirs", "loud")]) func mergesTakeASideWhole(_ side: String, _ value: String) throws {
        let home = try SyncTests.office()
        _ = try home.run(
            ":; cd a; settings define volume --text loud -q; settings set volume loud -q; settings sync -q; cd ../b; git fetch -q"
        )
        let refused = try home.run(":; cd b; settings set volume 70 -q; settings sync --ask")
        #expect(refused.contains { $0.contains("'settings merge origin/main' takes decisions") }, "\(refused)")
        #expect(try home.run(":; cd b; settings merge -q \(side) origin/main; settings get volume") == [value])
        try inStep(home)
    }

    /// The newest question is what is answered, and the others with it.
    @Test func severalQuestionsAboutTheSame() throws {
        let home = try SyncTests.office()
        _ = try home.run("git clone -q bare.git c; settings setup -q --store c")
        for (clone, value) in [("a", "10"), ("b", "20"), ("c", "30")] {
            _ = try home.run(":; cd \(clone); settings set volume \(value) -q; settings sync -q")
        }
        #expect(try home.run("settings conflicts --store c 2> /dev/null | grep -c '^Volume'") == ["2"])
        let first = try home.run("settings conflicts --store c 2> /dev/null | head -1")
        #expect(first.first?.contains("ours is 30, theirs is 10, and 10 is in force") == true, "\(first)")
        #expect(
            try home.run(":; cd c; settings resolve volume --ours -q; settings get volume; settings conflicts") == [
                "30", "there are no open conflicts",
            ])
        _ = try home.run("settings sync -q --store c")
        try inStep(home)
    }

    @Test func aSwitchBecomesAChoice() throws {
        let home = try SyncTests.office()
        let lines = try both(
            home, a: "settings define dark --choice Light Dark --select Dark -q", b: "settings set dark on -q")
        #expect(lines.contains { $0.contains("Dark is in force") }, "\(lines)")
        #expect(
            try home.run(":; cd b; settings resolve dark --theirs -q; settings get --label dark; settings conflicts") == [
                "Dark", "there are no open conflicts",
            ])
        try inStep(home)
    }

    /// A bound here doesn't fit the value that was published: that stays, and the bound is asked about.
    @Test func aBoundHereAndAValueThere() throws {
        let home = try SyncTests.office()
        let lines = try both(home, a: "settings set volume 70 -q", b: "settings define volume --range ..50 -q")
        #expect(lines.contains { $0.contains("and 70 is in force") }, "\(lines)")
        #expect(
            try home.run(":; cd b; settings get volume; settings resolve volume 45 -q; settings resolve volume --ours -q") == [
                "70"
            ])
        #expect(try home.run(":; cd b; settings conflicts; settings set volume 51").last == "[exit status: 65]")
        try inStep(home)
    }

    /// What one side changed besides is not lost where the rest doesn't hold together.
    @Test func titlesMergeBesides() throws {
        let home = try SyncTests.office()
        let lines = try both(
            home, a: "settings define volume --text loud --title Loudness -q",
            b: "settings define volume --help-text 'In percent' -q; settings set volume 70 -q")
        #expect(lines.contains { $0.contains("is in force") }, "\(lines)")
        #expect(try home.run(":; cd b; settings show volume | grep -c -e Loudness -e percent") != ["0", "[exit status: 1]"])
        #expect(try home.run(":; cd b; grep -c -e Loudness -e 'In percent' volume.json") == ["2"])
        try inStep(home)
    }

    @Test func renamedDifferentlyOnBothSides() throws {
        let home = try SyncTests.office()
        let lines = try both(
            home, a: "settings rename volume sound.loudness -q; settings set sound.loudness 45 -q",
            b: "settings rename volume audio.level -q; settings set audio.level 80 -q")
        #expect(
            lines.suffix(5) == [
                "2 conflicts are open:",
                "  Volume (sound.loudness): ours is audio.level, theirs is sound.loudness, and sound.loudness is in force",
                "  Volume (sound.loudness): ours is 80, theirs is 45, and 45 is in force",
                "hint: 'settings resolve KEY VALUE' resolves a conflict; --ours or --theirs takes one side", "[exit status: 2]",
            ], "\(lines)")
        #expect(
            try home.run(":; cd a; settings sync -q > /dev/null; settings get sound.loudness; ls -R . | grep -c level") == [
                "45", "0", "[exit status: 1]",
            ])
        let who = try home.run(":; cd b; settings conflicts 2> /dev/null | grep -c -e '^    ours' -e '^    theirs'")
        #expect(who == ["4"])
        #expect(
            try home.run(":; cd b; settings resolve sound.loudness --ours -q; settings get audio.level; settings conflicts") == [
                "80", "there are no open conflicts",
            ])
        try inStep(home)
        let blame = try home.run(":; cd a; settings blame audio.level")
        #expect(blame.first?.contains("80") == true, "\(blame)")
    }

    @Test func groupsRenamedDifferently() throws {
        let home = try SyncTests.office()
        _ = try home.run(
            """
            :; cd a; settings add sound.bass --title Bass --number 1 -q
            settings add sound.deep.treble --title Treble --number 2 -q; settings sync -q; cd ../b; settings sync -q
            """
        )
        let lines = try both(
            home, a: "settings rename sound audio -q", b: "settings rename sound music -q; settings set music.bass 9 -q")
        #expect(lines.contains { $0.contains("ours is music, theirs is audio, and audio is in force") }, "\(lines)")
        #expect(try home.run(":; cd b; settings get audio.bass audio.deep.treble") == ["9", "2"])
        #expect(
            try home.run(":; cd b; settings resolve audio --ours -q; settings get music.bass; settings conflicts") == [
                "9", "there are no open conflicts",
            ])
        try inStep(home)
    }

    @Test func theStoryOfAConflict() throws {
        let home = try SyncTests.office()
        _ = try both(
            home,
            a: """
                settings label rename language French Français -q; settings remove volume -q
                settings add tone --title Tone --number 1 -q
                """,
            b: """
                settings label rename language French Französisch -q; settings set volume 70 -q
                settings add tone --title Tone --number 2 -q
                """
        )
        let lines = SyncTests.plain(try home.run(":; cd b; settings conflicts 2> /dev/null | grep -v '^    '"))
        #expect(
            lines == [
                "Language (language): ours is label renamed: French → Französisch, theirs is label renamed: French → Français, "
                    + "and theirs is in force",
                "Tone (tone): added on both sides, differently (ours → theirs: 2 → 1), and theirs is in force",
                "Volume (volume): ours changed it, theirs removed it, and it does not exist now",
            ], "\(lines)")
        let who = try home.run(":; cd b; settings conflicts 2> /dev/null | grep -c -e '^    ours' -e '^    theirs'")
        #expect(who == ["6"])
        _ = try home.run(
            ":; cd b; settings resolve language --ours -q; settings resolve tone --theirs -q; settings resolve volume --ours -q")
        #expect(
            try home.run(":; cd b; settings conflicts; settings get volume tone") == ["there are no open conflicts", "70", "1"])
        try inStep(home)
    }

    @Test func theChosenLabelWasRemoved() throws {
        let home = try SyncTests.office()
        let lines = try both(home, a: "settings label remove language German -q", b: "settings set language German -q")
        #expect(lines.contains { $0.contains("(the chosen label was removed)") }, "\(lines)")
        #expect(try home.run(":; cd b; settings conflicts 2> /dev/null | grep -c -e '^    ours' -e '^    theirs'") == ["2"])
    }

    /// By 'set' as by 'resolve', on the machine that did it and on the others; with a version that decides for what was in force,
    /// too.
    @Test(arguments: ["set volume 65", "resolve volume 65", "resolve volume --theirs", "remove volume"])
    func whatIsResolvedIsTold(_ command: String) throws {
        let home = try SyncTests.office()
        _ = try both(home, a: "settings set volume 60 -q", b: "settings set volume 30 -q")
        _ = try home.run(":; cd a; settings sync -q; settings set dark on -q")
        let there = SyncTests.plain(try home.run(":; cd a; settings \(command) -q; settings sync"))
        let value = command.contains("65") ? "65" : command.contains("remove") ? "not set" : "60"
        let told = ["1 conflict was resolved:", "  Volume (volume): \(value)  Ada Example"]
        #expect(Array(there.suffix(2)) == told, "\(there)")
        let here = SyncTests.plain(try home.run(":; cd b; settings sync; settings conflicts"))
        #expect(Array(here.suffix(3)) == told + ["there are no open conflicts"], "\(here)")
        let json = "settings sync --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"resolved\"])'"
        #expect(try home.run(":; cd b; \(json)") == ["[]"])
        try inStep(home)
    }

    /// A signal ends it at once, and the program that git waits for.
    @Test func aSyncThatIsRepeatedEndsWhileTheServerHangs() throws {
        let home = try SyncTests.office()
        let script = """
            printf '#!/bin/sh\necho $$ > ~/pid\nexec sleep 1000\n' > ~/hangs; chmod +x ~/hangs; cd a
            git remote set-url origin ssh://nowhere.invalid/x; export GIT_SSH_COMMAND=~/hangs
            settings sync --every 20s & while [ ! -s ~/pid ]; do sleep 0.1; done
            kill -TERM $!; wait $!; echo $?; ps -o stat= -p $(cat ~/pid) | grep -qv Z || echo ended
            """
        #expect(try home.run("bash -c '\(script.replacingOccurrences(of: "'", with: "'\\''"))' 2>&1") == ["0", "ended"])
    }

    /// Whoever ends a sync ends git, and leaves nothing behind.
    @Test(arguments: [("TERM", "143", ""), ("HUP", "129", ""), ("INT", "130", ""), ("KILL", "137", "courier")])
    func aSyncThatIsEndedEndsGit(_ signal: String, _ status: String, _ left: String) throws {
        let home = try SyncTests.office()
        let script = """
            import os, signal, subprocess, time
            env = dict(os.environ, GIT_SSH_COMMAND=os.environ["HOME"] + "/hangs")
            process = subprocess.Popen(["settings", "sync", "ssh://nowhere.invalid/x"], cwd="a", env=env, stdin=subprocess.DEVNULL)
            for _ in range(300):
                time.sleep(0.1)
                if os.path.exists(os.environ["HOME"] + "/pid"): break
            process.send_signal(signal.SIG\(signal)); status = process.wait()
            print(status if status >= 0 else 128 - status)
            for _ in range(50):
                git = subprocess.run("ps -eo args | grep -c \\"[g]it --git-dir=$HOME.*courier\\"", shell=True, capture_output=True)
                if git.stdout.strip() == b"0": print("ended"); break
                time.sleep(0.1)
            print(*[name.split(".")[0] for name in os.listdir("a/.git/settings") if name.startswith("courier.")])
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/end.py"))
        let hangs = "printf '#!/bin/sh\\necho $$ > ~/pid\\nexec sleep 30\\n' > ~/hangs; chmod +x ~/hangs"
        #expect(try home.run(":; \(hangs); python3 ~/end.py 2>&1; kill $(cat ~/pid) 2> /dev/null; :") == [status, "ended", left])
    }

    @Test func whatIsDroppedIsTold() throws {
        let home = try SyncTests.office()
        let rewound = ":; cd a; settings set volume 60 -q; settings sync -q; git -C ../bare.git update-ref refs/heads/main main~1"
        #expect(try home.run(rewound) == [])
        let lines = SyncTests.plain(try home.run(":; cd a; settings sync --follow; settings get volume"))
        #expect(lines.count == 2 && lines.last == "40", "\(lines)")
        #expect(
            lines[0].hasPrefix("1 version that origin no longer has was dropped here, too; refs/settings/dropped/"), "\(lines)")
    }

    /// The one change of what somebody did with plain git is one change.
    @Test func commitsOfPlainGitAreTold() throws {
        let home = try SyncTests.office()
        let lines = try both(home, a: "sed -i s/40/45/ volume.json; git commit -qam 'by hand'", b: "settings list > /dev/null")
        #expect(
            lines == ["1 version fetched from origin:", "  ID  Volume (volume): 40 → 45  Ada Example  “by hand”"], "\(lines)")
    }
}
