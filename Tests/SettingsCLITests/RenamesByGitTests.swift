import Testing

/// Options and groups that were renamed by plain git, or by hand, keep their names over time.
@Suite struct RenamesByGitTests {
    /// In `~/office/shop`. Bob chose `sound.volume`, Cyd `screen.light.level`.
    private static func store(_ rest: String) throws -> [String] {
        let script = """
            settings init -q shop --title Shop; cd shop
            settings add -q sound.volume --title Volume --number 40; settings add -q sound.bass --title Bass --number 3
            settings add -q general.size --title Size --number 5
            settings add -q screen.light.level --title Level --number 6; settings add -q screen.light.warm --title Warm --number 7
            settings define -q screen.light --title Light
            settings set -q sound.volume 50 -m loud --author 'Bob <bob@example.org>'
            settings set -q screen.light.level 8 -m bright --author 'Cyd <cyd@example.org>'
            move() { mkdir -p $(dirname $2); git mv $1 $2; git commit -qm tidy; }
            words() { sed 's/  *[0-9a-f]\\{7\\} .* [+-][0-9]\\{4\\}  / /'; }
            blame() { settings blame "$@" | words; }
            said() { settings history -n 1 "$@" | grep '^  '; }
            versions() { settings history "$@" | grep -c '^[0-9a-f]'; }

            """
        return try Home().run("{ \(script)\(rest)\n} 2>&1")
    }

    @Test func anOption() throws {
        let found = try Self.store(
            """
            move sound/volume.json audio/loud.json
            said; blame audio.loud; versions audio.loud; settings get audio.loud --at HEAD~1
            settings diff --from HEAD~1; settings show audio.loud | grep Bob | words
            settings revert -q HEAD~2; settings get audio.loud; settings undo -q; settings get audio.loud
            settings revert -q HEAD~2; blame sound.volume; versions sound.volume
            """)
        #expect(
            found == [
                "    Volume (audio.loud): renamed sound.volume → audio.loud",
                "    tidy",
                "audio.loud  50 Bob  “loud”",
                "3",
                "50",
                "Volume (audio.loud): renamed sound.volume → audio.loud",
                "chosen Bob  “loud”",
                "40",
                "50",
                "sound.volume  50 Bob  “loud”",
                "6",
            ])
    }

    /// An earlier version is asked by the name of today, and by the one that it has itself, which counts first.
    @Test func earlierVersionsKnowBothNames() throws {
        let found = try Self.store(
            """
            git tag old; git branch other old; move sound/volume.json audio/loud.json; settings rename -q screen light
            settings set -q audio.loud 70; settings add -q sound.volume --title Volume --number 1
            at() { settings "$@" --at old; }
            at get audio.loud; at get sound.volume; at get --with-key audio.loud; settings get audio.loud --at HEAD~3
            at is audio.loud 50; echo $?; at show audio.loud | head -2; at blame audio.loud | words
            at get light.light.level; at list light; at list light.light --json | grep '"key"'; at get light.none
            git switch -q other; settings get -q audio.loud --at main; settings get sound.volume --at main
            """)
        #expect(
            found == [
                "50", "50", "audio.loud=50", "50", "0",
                "Volume", "key     sound.volume", "sound.volume  50 Bob  “loud”",
                "8", "screen › Light", "  screen.light.level  Level  8", "  screen.light.warm   Warm   7",
                #"      "key": "screen.light.level","#, #"      "key": "screen.light.warm","#,
                "settings: there is no option 'light.none'", "hint: 'settings list' lists the options", "70", "1",
            ])
    }

    @Test func anOptionThatWasMovedBack() throws {
        let found = try Self.store(
            """
            settings set -q sound.volume 60 -m louder --author 'Cyd <cyd@example.org>'
            move sound/volume.json audio/loud.json; settings revert -q HEAD; settings revert -q HEAD~2; blame sound.volume
            """)
        #expect(found == ["sound.volume  50 Bob  “loud”"])
    }

    @Test func aGroup() throws {
        let found = try Self.store(
            """
            move screen lamp; said lamp; blame lamp; versions lamp.light.level
            move lamp/light sound/light; said sound; blame sound.light
            settings history --json sound.light.level | grep -c renamed
            settings get sound.light.level --at HEAD~2
            settings undo -q; settings list lamp; blame lamp
            """)
        #expect(
            found == [
                "    lamp (group lamp): renamed screen → lamp",
                "    tidy",
                "lamp.light.level  8 Cyd  “bright”",
                "lamp.light.warm   7 Ada Example",
                "3",
                "    Light (group sound.light): renamed lamp.light → sound.light",
                "    tidy",
                "sound.light.level  8 Cyd  “bright”",
                "sound.light.warm   7 Ada Example",
                "2",
                "8",
                "lamp › Light",
                "  lamp.light.level  Level  8",
                "  lamp.light.warm   Warm   7",
                "lamp.light.level  8 Cyd  “bright”",
                "lamp.light.warm   7 Ada Example",
            ])
    }

    @Test func aGroupWithoutItsOwnFile() throws {
        let found = try Self.store(
            "mv sound audio; settings diff; settings done -q -m tidy; git log -1 --format=%B | grep -v Id; blame audio")
        #expect(
            found == [
                "audio (group audio): renamed sound → audio",
                "audio: renamed sound → audio",
                "",
                "tidy",
                "",
                "Via: cli",
                "Renamed: sound/ audio/",
                "",
                "audio.bass    3 Ada Example",
                "audio.volume  50 Bob  “loud”",
            ])
    }

    /// Also what is staged, and what another command sees of it before it is recorded.
    @Test func byHandAndDone() throws {
        let found = try Self.store(
            """
            mv sound/volume.json general; git mv screen/light light; git mv general/size.json sound/size.json
            settings diff; settings diff --from HEAD~1; settings done -q -m tidy; said; git log -1 --format=%B | grep Renamed
            blame general.volume light.level; git status --short; settings verify -q
            settings undo -q; settings list -q | grep -c screen; blame sound.volume
            """)
        #expect(
            found == [
                "Light (group light): renamed screen.light → light",
                "Size (sound.size): renamed general.size → sound.size",
                "Volume (general.volume): renamed sound.volume → general.volume",
                "Light (group light): renamed screen.light → light",
                "Size (sound.size): renamed general.size → sound.size",
                "Volume (general.volume): renamed sound.volume → general.volume",
                "Level (light.level): 6 → 8",
                "    Light (group light): renamed screen.light → light",
                "    Size (sound.size): renamed general.size → sound.size",
                "    Volume (general.volume): renamed sound.volume → general.volume",
                "    tidy",
                "Renamed: screen.light/ light/",
                "Renamed: general.size sound.size",
                "Renamed: sound.volume general.volume",
                "general.volume  50 Bob  “loud”",
                "light.level     8 Cyd  “bright”",
                "3",
                "sound.volume  50 Bob  “loud”",
            ])
    }

    @Test func whatIsNoRename() throws {
        let found = try Self.store(
            """
            echo edited; git mv sound/volume.json sound/loud.json; sed -i s/50/51/ sound/loud.json; git commit -qam tidy; said
            echo copied; cp general/size.json sound; git add .; git commit -qm copy; said; blame general.size
            echo one of two; move general/size.json sound/other.json; said
            echo exchanged; git mv sound/bass.json x; git mv sound/loud.json sound/bass.json; move x sound/loud.json; said
            echo edited by hand; mv sound/bass.json deep.json; sed -i s/51/52/ deep.json; settings done -q -m deep; said
            """)
        #expect(
            found == [
                "edited",
                "    Volume (sound.loud): added (51)",
                "    Volume (sound.volume): removed (was 50)",
                "    tidy",
                "copied",
                "    Size (sound.size): added (5)",
                "    copy",
                "general.size  5 Ada Example",
                "one of two",
                "    Size (general.size): removed (was 5)",
                "    Size (sound.other): added (5)",
                "    tidy",
                "exchanged",
                "    Volume (sound.bass): title \"Bass\" → \"Volume\"",
                "    Volume (sound.bass): 3 → 51",
                "    Bass (sound.loud): title \"Volume\" → \"Bass\"",
                "    Bass (sound.loud): 51 → 3",
                "    tidy",
                "edited by hand",
                "    Volume (deep): added (52)",
                "    Volume (sound.bass): removed (was 51)",
                "    deep",
            ])
    }

    @Test func backAgain() throws {
        let found = try Self.store(
            """
            move sound/volume.json v.json; settings set -q v 60; move v.json sound/volume.json
            versions sound.volume; blame sound.volume; settings diff --from HEAD~3; settings revert -q HEAD~1; settings get sound.volume
            """)
        #expect(
            found == [
                "5",
                "sound.volume  60 Ada Example",
                "Volume (sound.volume): 50 → 60",
                "50",
            ])
    }

    /// Against an edit on the other side: both count.
    @Test(arguments: ["settings merge -q side", "git merge -q --no-edit side", "git rebase -q side"])
    func merged(how: String) throws {
        let found = try Self.store(
            """
            git branch side; git switch -q side; settings set -q sound.volume 70 -m louder --author 'Eve <eve@example.org>'
            settings set -q screen.light.warm 9 -m warmer --author 'Eve <eve@example.org>'
            git switch -q main; move sound/volume.json v.json; move screen/light lamp
            \(how); blame v lamp; versions v; versions lamp.warm; settings verify -q; git status --short
            """)
        #expect(
            found == [
                "lamp.level  8 Cyd  “bright”", "lamp.warm   9 Eve  “warmer”", "v           70 Eve  “louder”", "4", "3",
            ], "\(how)")
    }
}
