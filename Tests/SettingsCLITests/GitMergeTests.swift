import Surroundings
import Testing

/// 'git merge' with the merge driver leads to the same conflicts as 'settings merge', and 'settings resolve' to the same files.
@Suite struct GitMergeTests {
    /// What a side does to `Sound`, which holds `sound.volume` and `sound.mute`.
    private static let edits = [
        "rename sound.volume sound.loud", "rename sound.volume sound.level", "remove sound.volume",
        "rename sound audio", "rename sound noise", "remove sound -r", "set sound.volume 70", "define sound.volume --range 0..60",
        "define sound --title Audio",
        "add sound.bass --title Bass --number 3", "rename sound.volume general.volume", "rename general.size sound.size",
    ]

    /// In `~/office/base`, with what the scripts below need.
    private static func store() throws -> Home {
        let home = try Home()
        let script = """
            settings init -q base --title Shop; cd base
            settings add -q sound.volume --title Volume --number 40 --range 0..100 --section Sound
            settings add -q sound.mute --title Mute --switch; settings add -q general.size --title Size --number 5
            settings define -q general --title General --footer Small
            cat > ~/functions <<'END'
            # The two sides in `x`, each made by a command.
            sides() {
              rm -rf ~/office/x; cp -r ~/office/base ~/office/x; cd ~/office/x || exit; git branch theirs; eval "settings $1" > /dev/null
              git switch -q theirs; eval "settings $2" > /dev/null; git switch -q main; cd ..
            }
            copy() { rm -rf "$1"; cp -r x "$1"; cd "$1" || exit; }
            conflicts() { grep -E '^ +"(key|facet)":' | paste - - | sort; }
            files() { find . -name '*.json' | sort | xargs tail -n +1; }
            resolve() {
              while key=$(settings conflicts --json 2>&1 | sed -n 's/^ *"key": "\\(.*\\)",/\\1/p' | head -n 1); [ "$key" ]; do
                settings resolve "$key" $1 > ~/log 2>&1 || { cat ~/log; break; }
              done
              git commit -q --no-edit || git status --short
              settings verify -q; git status --short
            }
            both() {
              sides "$1" "$2"
              copy merge; if settings merge theirs --json 2> /dev/null > ~/out; then : > ~/wanted; isClean=1; else
                conflicts < ~/out > ~/wanted; isClean=; fi; cd ..
              copy git; git merge -q --no-edit theirs > /dev/null; settings conflicts --json 2> /dev/null | conflicts > ~/found; cd ..
              [ "$isClean" ] || diff ~/wanted ~/found
              side 1 UD --ours; side 2 DU --theirs
            }
            # side PARENT CODE SIDE: an option that one side removed, with CODE in git's status, is the parent's where only git
            # sees a conflict; everything else is as 'settings merge' has it.
            side() {
              copy git; kept=; git merge -q --no-edit theirs > /dev/null || {
                [ ! "$isClean" ] || kept=$(git status --porcelain | sed -n "/_group.json/d; s/^$2 //p"); resolve $3; }
              files > ~/found; cd ..
              copy merge; settings merge -q theirs $3; for file in $kept; do git checkout -q HEAD^$1 -- $file; done
              files > ~/wanted; cd ..
              diff ~/wanted ~/found
            }
            END
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        return home
    }

    @Test(arguments: edits) func asBySettingsMerge(ours: String) throws {
        let home = try Self.store()
        let place = Self.edits.firstIndex(of: ours) ?? 0
        // The other way round, the sides of each are changed over. A release is asked about all of them.
        for (index, theirs) in Self.edits.prefix(place).enumerated() where Surroundings.testsRelease || (index + place) % 12 == 1
        {
            let found = try home.run(". ~/functions; both '\(ours)' '\(theirs)' 2>&1")
            #expect(found == [], "\(ours), \(theirs)")
        }
    }

    @Test func aRenamedOptionThatWasRemoved() throws {
        let home = try Self.store()
        let start = ". ~/functions; sides 'rename sound.volume sound.loud' 'remove sound.volume'; cd x; "
        let lines = try home.run(start + "git merge -q --no-edit theirs > /dev/null; settings conflicts 2>&1")
        #expect(
            lines.first
                == "Volume (sound.volume): key: base sound.volume, ours sound.loud, theirs not set "
                + "(renamed to sound.loud on one side, removed on the other)")
        // By the name that the file has.
        let kept = try home.run(
            ":; cd x; settings resolve sound.loud --ours 2>&1; git commit -q --no-edit; settings get sound.loud")
        #expect(
            kept == ["sound.loud stays as on our side", "hint: marked as resolved in git; finish with 'git commit'", "40"])
        #expect(try home.run(":; cd x; git log -1 --format='%(trailers:key=Resolves)'") == ["Resolves: sound.loud key", ""])
        let removed = try home.run(
            start
                + "git merge -q --no-edit theirs > /dev/null; settings resolve sound.volume --theirs -q; git commit -q --no-edit; "
                + "settings list; settings conflicts 2>&1")
        #expect(removed.contains { $0.contains("sound.mute") } && !removed.contains { $0.contains("Volume") }, "\(removed)")
        #expect(removed.last == "there are no open conflicts")
    }

    @Test func twoNamesForOneOption() throws {
        let home = try Self.store()
        let rename = "rename sound.volume sound.level; settings set sound.level 70"
        let script = """
            . ~/functions; sides 'rename sound.volume sound.loud' '\(rename)'; cd x; git merge -q --no-edit theirs > /dev/null
            settings resolve sound.volume:key --theirs 2>&1; git commit -q --no-edit; settings list sound
            git log -1 --format='%(trailers:key=Renamed,valueonly)'; settings history sound.level -n 1 | tail -n 1
            """
        let lines = try home.run(script)
        #expect(
            lines.prefix(3) == [
                "Volume (sound.level): renamed sound.loud → sound.level", "Volume (sound.level): 40 → 70",
                "hint: marked as resolved in git; finish with 'git commit'",
            ], "\(lines)")
        #expect(lines.filter { $0.contains("Volume") && $0.contains("70") }.count >= 1, "\(lines)")
        #expect(lines.contains("sound.loud sound.level"), "\(lines)")
        #expect(!lines.contains { $0.contains("sound.loud  ") }, "\(lines)")
    }

    @Test func bounds() throws {
        let home = try Self.store()
        let start = """
            . ~/functions; sides 'set sound.volume 70' 'define sound.volume --range 0..60'; cd x
            git merge -q --no-edit theirs > /dev/null
            """
        let ours = try home.run(start + "; settings resolve sound.volume --ours 2>&1; settings get sound.volume")
        #expect(ours.first == "sound.volume stays as on our side" && ours.last == "70", "\(ours)")
        #expect(try home.run(":; cd x; grep maximum sound/volume.json") == ["  \"maximum\": 100"])
        let word = try home.run(
            start + "; settings resolve sound.volume 55 2>&1; settings get sound.volume; grep max sound/volume.json")
        #expect(word.suffix(2) == ["55", "  \"maximum\": 60"], "\(word)")
    }

    /// A name of a group, with everything in the group; and hand edits, which stay.
    @Test func twoNamesForOneGroup() throws {
        let home = try Self.store()
        let start = """
            . ~/functions; sides 'rename sound audio; settings set audio.volume 70' 'rename sound noise; settings set noise.volume 80'
            cd x; git merge -q --no-edit theirs > /dev/null
            """
        #expect(
            try home.run(start + "; settings conflicts --json 2> /dev/null | conflicts | tr -d ' \\t'") == [
                "\"key\":\"sound\",\"facet\":\"key\",", "\"key\":\"sound.volume\",\"facet\":\"value\",",
            ])
        let refused = try home.run(":; cd x; settings resolve sound.volume 75 2>&1")
        #expect(refused.first == "settings: sound.volume is in the group sound, whose name is also in conflict", "\(refused)")
        let lines = try home.run(
            ":; cd x; settings resolve sound --theirs -q; git commit -q --no-edit; settings list; settings get noise.volume; git status -s"
        )
        #expect(lines.last == "80" && lines.contains { $0.contains("noise.mute") }, "\(lines)")
        #expect(!lines.contains { $0.contains("audio") || $0.contains("sound.") }, "\(lines)")
    }

    @Test func rebasesAndPicks() throws {
        let home = try Self.store()
        let start = ". ~/functions; sides 'rename sound.volume sound.loud' 'remove sound.volume'; cd x; "
        for (command, side, goOn, left) in [
            ("git rebase -q theirs", "--theirs", "rebase --continue", "sound.loud"),
            ("git rebase -q theirs", "--ours", "rebase --skip", "no"),
            ("git cherry-pick theirs", "--ours", "commit --allow-empty -q --no-edit", "sound.loud"),
            ("git cherry-pick theirs", "--theirs", "commit -q --no-edit", "no"),
        ] {
            let lines = try home.run(
                start + "\(command) > /dev/null 2>&1; settings conflicts --json 2> /dev/null | conflicts | tr -d ' \\t'; "
                    + "settings resolve sound.volume \(side) -q; GIT_EDITOR=true git \(goOn) > /dev/null 2>&1; git status -s; "
                    + "settings list | grep -o 'sound.loud' || echo no")
            #expect(lines == ["\"key\":\"sound.volume\",\"facet\":\"key\",", left], "\(command) \(side): \(lines)")
        }
    }

    /// While a conflict is open, what one side or the base has is in force: a trailer excuses no other value.
    @Test(arguments: ["Conflict: v value", "Via: cli\nConflict: v value\nChange-Id: I\(String(repeating: "01", count: 20))"])
    func aTrailerExcusesNoValue(_ trailers: String) throws {
        let home = try Home()
        let edit = "sed -i 's/\"value\": [0-9]*/\"value\": 99/' v.json"
        let found = "settings verify begin..HEAD 2>&1 | grep -c 'the merge left 99 selected' || true"
        _ = try home.run(
            "settings init -q .; settings add v --title V --number 40 -q; git branch begin; git switch -q -c bob; settings set v 1 -q;"
                + " git switch -q main; settings set v 50 -q; git merge --no-commit bob > ~/out 2>&1; git checkout -q --ours v.json;"
                + " \(edit); git add v.json; printf 'merge bob\n\n%s\n' '\(trailers)' | git commit -q -F -")
        #expect(try home.run("git log -1 --format=%P | wc -w | tr -d ' '; \(found)") == ["2", "1"])
        for side in ["agreed", "ours", "theirs"] {
            _ = try home.run("git reset -q --hard HEAD^1; settings merge bob --keep --in-force \(side) -q")
            #expect(try home.run("settings verify begin..HEAD | grep -c 'no problems found'") == ["1"])
            #expect(try home.run("\(edit); git commit -q -a --amend --no-edit; \(found)") == ["1"])
        }
    }
}
