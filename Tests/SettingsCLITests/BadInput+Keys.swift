/// Invalid keys of options.
extension BadInput {
    /// Every command that takes a key rejects it.
    private static func key(_ name: String, _ word: String, _ says: String, thorough: Bool = false) -> BadInput {
        let all = [
            "is KEY on", "list KEY", "history KEY", "blame KEY", "unset KEY", "reset KEY",
            "define KEY --switch", "remove KEY", "rename KEY general.other",
            "label add KEY X", "restore KEY --from first", "done KEY", "discard KEY", "revert HEAD --only KEY",
            "get KEY --at first",
            "set sound.volume 60 KEY on", "set sound.volume 60 --if KEY=x",
        ]
        let commands =
            ["get KEY", "set KEY on", "add KEY --title T --switch", "rename general.language KEY"] + (thorough ? all : [])
        return BadInput(
            name, "", mending: nil,
            tries: commands.map { .fails("settings " + $0.replacing("KEY", with: word), 64, says, hints: true) })
    }

    static let keys: [BadInput] = [
        key("a path that leaves the store", "general/../../x", "is outside the store", thorough: true),
        key("a path to the folder above the store", "..", "is outside the store"),
        key("an absolute path with .. that leaves the store", "\"$PWD/../x\"", "is outside the store"),
        key("a key in .git", ".git/config", "invalid key"),
        key("a key in .GIT", "general/.GIT/x", "invalid key"),
        key("a key with two slashes in front", "//general/language", "invalid key"),
        BadInput(
            "a key with a slash behind, which names a group", "", mending: nil,
            .fails("settings get general/language/", 66, "there is no group", "general.language is an option", hints: true),
            .fails("settings set general/language/ fr", 66, "there is no group", hints: true),
            .fails("settings get general/", 66, "'general/' is a group, not an option", hints: true),
            .fails("settings add general/x/ --title T --switch", 64, "names a group", hints: true),
            .fails("settings define general/x/ --title T --switch", 64, "names a group", hints: true),
            .fails("settings list general/language/", 66, "there is no group", hints: true),
            .fails("settings list genral/", 66, "did you mean 'general'?", hints: true),
            .fails("settings diff general/language/", 66, "there is no group", hints: true),
            .fails("settings discard general/language/", 66, "there is no group", hints: true),
            .fails("settings done general/language/ -m x", 66, "there is no group", hints: true),
            .fails("settings blame general/language/", 66, "there is no group", hints: true),
            .fails("settings history general/language/", 66, "there is no group", hints: true),
            .fails("settings restore general/language/ --from first", 66, "there is no group", hints: true),
            .fails("settings get one two general.language three", 66, "'one'", "'two'", "'three'"),
            .fails("settings get one two --at HEAD", 66, "'one'", "'two'"),
            .fails("settings rename general/language/ x", 66, "there is no group", hints: true),
            .fails("settings rename general/language x/", 64, "names a group", hints: true),
            .fails("settings remove general/language/", 66, "there is no group", hints: true)),
        BadInput(
            "the root, where an option or a smaller group is expected", "", mending: nil,
            .fails("settings get /", 66, "'/' is a group, not an option", hints: true),
            .fails("settings set / on", 66, "is a group", hints: true),
            .fails("settings show .", 66, "is a group", hints: true),
            .fails("settings remove --recursive /", 64, "is the whole store"),
            .fails("settings rename / x", 64, "is the whole store"),
            .fails("settings rename general /", 64, "is the whole store"),
            .fails("settings add / --title T --switch", 64, "names a group", hints: true)),
        key("a key with two slashes", "general//language", "invalid key", thorough: true),
        BadInput(
            "the key of a group with a dot behind, as a shell completes it", "", mending: nil,
            .fails("settings get general.", 66, "'general.' is a group, not an option", hints: true),
            .fails("settings add general. --title T --switch", 64, "names a group", hints: true)),
        key("a key with two dots behind", "general..", "invalid key"),
        key("a key with a control character", "$'general.a\\033[31mb'", "invalid key", thorough: true),
        key("a key with a line break", "$'general.a\\nb'", "invalid key"),
        key("a key with a byte that is no UTF-8", "$'general.a\\xff'", "is not UTF-8"),
        key("a key of 300 bytes", "general.\(String(repeating: "a", count: 300))", "300 bytes, more than 128", thorough: true),
        key("a key of 17 parts", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", "17 parts, more than 16"),
        key("_group", "general._group", "invalid key"),
        key("_store", "_store", "invalid key"),
        key("a key that is empty", "''", "invalid key", thorough: true),
        key("a key in another script", "général.x", "invalid key"),
        key("a key with a blank", "'general.my language'", "invalid key"),
        BadInput(
            "a key that begins with a hyphen", "", mending: "",
            .fails("settings get -x", 64, hints: true), .fails("settings set -x on", 64, "-x", hints: true),
            .fails("settings get -- -x", 64, "invalid key '-x'", hints: true),
            .fails("settings add -- -x --title T --switch", 64, hints: true),
            .fails("settings set general.-x on", 64, "invalid key", hints: true)),
        BadInput(
            "a key that is not there", "", mending: "",
            .fails(
                "settings get general.languge", 66, "there is no option 'general.languge'", "did you mean 'general.language'?",
                hints: true),
            .fails("settings set general.languge fr", 66, "did you mean 'general.language'?", hints: true),
            .fails("settings get sound.volume general.languge", 66, "there is no option", hints: true),
            .fails("settings is general.languge", 66, hints: true), .fails("settings show general.languge", 66, hints: true),
            .fails("settings list genral", 66, hints: true), .fails("settings blame general.languge", 66, hints: true),
            .fails("settings unset general.languge", 66, hints: true), .fails("settings reset general.languge", 66, hints: true),
            .fails("settings remove general.languge", 66, hints: true),
            .fails("settings rename general.languge general.x", 66, hints: true),
            .fails("settings label add general.languge X", 66, hints: true),
            .fails("settings diff general.languge", 66, hints: true),
            .fails("settings restore general.languge --from first", 66, hints: true),
            .fails("settings history general.languge", 66, hints: true),
            .fails("settings done general.languge", 66, hints: true), .fails("settings discard general.languge", 66, hints: true),
            .fails("settings get general", 66, "'general' is a group", hints: true),
            .fails("settings set general on", 66, "'general' is a group", hints: true)),
        BadInput(
            "another case of an option's key", "", mending: "",
            .fails("settings get general.Language", 66, "did you mean 'general.language'?", hints: true),
            .fails("settings set general.Language fr", 66, "did you mean 'general.language'?", hints: true),
            .fails(
                "settings add general.Language --title L --switch", 64, "differs from the existing general.language only in case",
                hints: true
            ),
            .fails(
                "settings define general.LANGUAGE --title L --switch", 64,
                "differs from the existing general.language only in case",
                hints: true),
            .fails(
                "settings rename sound.volume general.Language", 64, "differs from the existing general.language only in case",
                hints: true)),
        BadInput(
            "another case of a group's key", "", mending: "",
            .fails(
                "settings add General.timer --title T --switch", 64, "differs from the existing general only in case", hints: true
            ),
            .fails("settings add GENERAL --title T --switch", 64, "only in case", hints: true),
            .fails(
                "settings rename sound.volume General.volume", 64, "differs from the existing general only in case", hints: true),
            .fails("settings rename sound Display", 64, "differs from the existing display only in case", hints: true)),
        BadInput(
            "a key that is there already", "", mending: "",
            .fails(
                "settings add general.language --title L --switch", 2, "the option 'general.language' already exists",
                hints: true),
            .fails("settings rename sound.volume general.language", 2, hints: true),
            .fails("settings rename sound general", 2, hints: true),
            .works("settings rename -q user.name general && settings get general.name", prints: "Marie\n"),
            .works("settings rename -q general.name sound/ && settings get sound.name", prints: "Marie\n"),
            .works("settings rename -q sound.name ./general.json && settings get general", prints: "Marie\n"),
            .works("settings rename -q general user.name && settings get user.name", prints: "Marie\n"),
            .fails("settings rename user.name nowhere/", 64, "names a group", hints: true),
            .fails("settings rename app.config /", 64, "names a group"),
            .works("settings rename sound.volume sound.volume")),
        BadInput(
            "one key twice", "", mending: "git reset -q --hard; git clean -qfd",
            .fails("settings set sound.volume 60 sound.volume 70", 64, "sound.volume is set twice", hints: true),
            .fails("settings rename general general.inner", 64)),
        BadInput(
            "both another case and another file by hand", "cp $file general/Language.json", mending: "rm general/Language.json",
            Try(command: "settings verify", status: 65, says: [], printsTheRest: true),
            .fails("settings done -m x", 64, "only in case", hints: true)),
    ]
}
