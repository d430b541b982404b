import Testing

/// Names that differ only in case, which only plain git can bring into a store: they are found, and what is said helps.
struct NamesByCaseTests {
    static let cases = [
        ("SOUND/x.json", "SOUND: its name differs from the group sound only in case"),
        ("SOUND.json", "SOUND.json: its name differs from the group sound only in case"),
        ("LIGHT/x.json", "LIGHT: its name differs from the option light only in case"),
        ("sound/VOLUME.json", "sound/VOLUME.json: its name differs from the option sound.volume only in case"),
        ("sound/deep/X.json", "sound/deep: its name differs from the group sound.Deep only in case"),
    ]

    @Test(arguments: cases)
    func theRepairHelps(_ file: String, _ reason: String) throws {
        let home = try Self.home()
        _ = try home.run(":; git tag start; mkdir -p $(dirname \(file)); cp sound/volume.json \(file)")
        #expect(
            try home.run("settings verify") == [
                reason, "    it is not recorded yet: move it to another name", "settings: found 1 problem", "[exit status: 65]",
            ])
        _ = try home.run(":; git add -A; git commit -qm m; settings set sound.volume 4 -q")
        let lines = try home.run("settings verify start..")
        #expect(lines.first?.hasPrefix(reason + "  in ") == true, "\(lines)")
        #expect(lines.last == "[exit status: 65]", "\(lines)")
        // What was there before the range is not reported.
        #expect(try home.run("settings verify HEAD~1..") == ["1 version checked, no problems found"])
        #expect(try home.run("settings verify -q").last == "[exit status: 65]")
        let command = try home.run("settings verify 2> /dev/null | grep -o \"settings rename [^']*\" | sed s/NEW/other/")
        #expect(command.count == 1)
        _ = try home.run(":; \(command.first ?? "")")
        #expect(try home.run("settings verify -q; settings verify -q start..").isEmpty)
    }

    @Test func noCommandMakesThem() throws {
        let home = try Self.home()
        for command in [
            "add SOUND --title S --switch", "add LIGHT.x --title X --switch", "rename sound.volume Sound.volume",
            "rename light sound.DEEP",
        ] {
            let lines = try home.run("settings \(command)")
            #expect(lines.contains { $0.contains("only in case") } && lines.last == "[exit status: 64]", "\(lines)")
        }
        // An option and a group may have the same name.
        #expect(try home.run("settings add sound --title S --switch -q; settings add light.x --title X --switch -q").isEmpty)
        #expect(try home.run("settings verify -q; settings remove sound light.x -q").isEmpty)
        // Nothing of the old name stays.
        #expect(try home.run("settings rename sound Sound -q; settings rename light LIGHT -q; settings verify -q").isEmpty)
    }

    @Test func mergesRefuseThem() throws {
        let home = try Self.home()
        _ = try home.run(":; git checkout -qb other; settings add foo.x --title X --switch -q; git checkout -q main")
        _ = try home.run(":; settings add FOO --title F --switch -q")
        let lines = try home.run("settings merge other")
        #expect(lines.first?.contains("differ only in case") == true && lines.last == "[exit status: 2]", "\(lines)")
    }

    private static func home() throws -> Home {
        let home = try Home()
        _ = try home.run(
            """
            :; settings init -q; settings add sound.volume --title Volume --number 3 -q
            settings add sound.Deep.y --title Y --number 3 -q; settings add light --title Light --switch -q
            """)
        return home
    }
}
