/// Files with invalid edits.
extension BadInput {
    /// The file is broken in the work tree, and then committed with plain git.
    private static func file(_ name: String, _ breaking: String, _ says: String..., thorough: Bool = false) -> [BadInput] {
        func fails(_ command: String, _ status: Int32 = 65) -> Try { Try(command: command, status: status, says: says) }
        func inPart(_ command: String) -> Try { Try(command: command, status: 65, says: says, printsTheRest: true) }
        let byHand: [Try] = [
            fails("settings get sound.volume general.language"), fails("settings is general.language fr"),
            inPart("settings list"),
            fails("settings show general.language"), .works("settings get sound.volume", prints: "50\n"),
            .works("settings history -n 1"),
            .works("settings diff"),
            .works("settings blame sound"), Try(command: "settings verify", status: 65, says: [], printsTheRest: true),
            fails("settings done general.language"), .fails("settings unset general.language", 2, "has unrecorded edits"),
            .fails("settings label add general.language German", 2, "has unrecorded edits"),
            .fails("settings rename general.language general.tongue", 2, "has unrecorded edits"),
            .fails("settings remove general.language", 2, "has unrecorded edits"),
            .fails("settings undo", 2, "has unrecorded edits"),
            .fails("settings revert HEAD", 2, "has unrecorded edits"),
            .fails("settings restore general.language --from first", 2, "has unrecorded edits"),
            .works("settings set sound.volume 60"),
        ]
        let recorded: [Try] = [
            inPart("settings list"), fails("settings show general.language"),
            .works("settings get general.language --at HEAD~1", prints: "fr\n"),
            .works("settings history"), .works("settings show HEAD"), .works("settings diff --from first"),
            .works("settings status"),
            Try(command: "settings verify", status: 65, says: [], printsTheRest: true),
            fails("settings set sound.volume 60 general.language es"),
            fails("settings label add general.language German"), fails("settings define general.language --title L"),
            fails("settings set sound.volume 60 --if general.language=fr"),
        ]
        return [
            BadInput(
                "\(name), edited by hand", breaking, mending: "settings discard general.language",
                tries: [
                    fails("settings get general.language"), fails("settings done -m why"), .works("settings status"),
                    .fails(
                        "settings set general.language es", 2, "general/language.json has unrecorded edits", hints: true),
                ] + (thorough ? byHand : [])),
            BadInput(
                "\(name), recorded by git", "{ \(breaking); }; git commit -qam broken",
                mending: "git revert --no-edit HEAD >/dev/null",
                tries: [
                    fails("settings get general.language"), fails("settings get general.language --at HEAD"),
                    fails("settings set general.language es"),
                ] + (thorough ? recorded : [])),
        ]
    }

    private static let conflicted =
        #"sed -i '5s/.*/<<<<<<< HEAD\n  "value": "fr",\n=======\n  "value": "es",\n>>>>>>> other/' $file"#

    static let files: [BadInput] = wrong + right + store

    private static let wrong = [
        file(
            "broken JSON", "sed -i '3s/,//' $file", "general/language.json", ":4:3: expected ',' or '}', found '\"'",
            thorough: true),
        file("a file that ends early", "truncate -s 40 $file", "general/language.json", "the file ends"),
        file("an empty file", ": > $file", "general/language.json", "the file is empty"),
        file("an array", "echo '[1]' > $file", "general/language.json", ":1:1: the file contains an array, not an object"),
        file(
            "an index out of range", "sed -i -e '4s/1/7/' -e 5d $file", "general/language.json",
            ":4:15: \"selected\" is 7, but there are 3 labels"),
        file(
            "a label without a value", "sed -i -e '13,15d' -e '12s/\\[/[\"en\",\"fr\"/' $file", "general/language.json",
            ":10:5: ",
            "(\"Spanish\") has no counterpart in \"values\"", thorough: true),
        file(
            "a value without a label", "sed -i -e '10d' -e '9s/,//' $file", "general/language.json", ":14:5: ",
            "has no counterpart in \"labels\""),
        file(
            "duplicate values", "sed -i '15s/es/en/' $file", "general/language.json", ":15:5: ",
            "is \"en\", the same as element 0"),
        file(
            "an unknown type", "sed -i '3s/choice/colour/' $file", "general/language.json",
            ":3:11: \"type\" is \"colour\", not one of"),
        file(
            "a duplicate member", "sed -i '3s/$/\\n  \"title\": \"Again\",/' $file", "general/language.json",
            ":4:3: the member \"title\" appears twice"),
        file("10 MB", "head -c 10000000 /dev/zero | tr '\\0' ' ' >> $file", "general/language.json", thorough: true),
        file(
            "nesting 10,000 deep", "printf '[%.0s' {1..10000} > $file", "general/language.json",
            ":1:129: arrays and objects are nested more than 128 levels deep"),
        file(
            "invalid UTF-8", "sed -i '2s/Language/L\\xffnguage/' $file", "general/language.json", ":2:14: the file is not UTF-8"),
        file("UTF-16", "iconv -t UTF-16 $file > x && mv x $file", "general/language.json", ":1:1: "),
        file(
            "conflict markers", conflicted, "general/language.json", ":5:1: git's conflict markers are in the file",
            thorough: true),
        file(
            "a control character", "sed -i '2s/Language/L\\x1bnguage/' $file", "general/language.json",
            ":2:14: a control character"),
        file(
            "a number written by hand", "sed -i '4s/1/01/' $file", "general/language.json",
            ":4:16: a number must not begin with 0"
        ),
        file(
            "a title that is a number", "sed -i '2s/\"Language\"/5/' $file", "general/language.json",
            ":2:12: \"title\" must be a string, not a number"),
        file("no title", "sed -i 2d $file", "general/language.json", "\"title\" is missing"),
        [
            BadInput(
                "a value it does not have, edited by hand", "sed -i -e '5s/fr/de/' -e 4d $file",
                mending: "settings discard general.language",
                .fails("settings get general.language", 65, "general/language.json", ":4:12: \"value\" ", "\"de\""),
                .fails("settings done -m why", 65, "general/language.json", ":4:12: \"value\" "),
                .fails("settings set general.language es", 2, "has unrecorded edits", hints: true)),
            BadInput(
                "a value it does not have, recorded by git", "sed -i -e '5s/fr/de/' -e 4d $file; git commit -qam broken",
                mending: "git reset -q --hard HEAD~2",
                .fails("settings get general.language", 65, "general/language.json", ":4:12: \"value\" ", "\"de\""),
                .fails("settings get general.language --at HEAD", 65, "general/language.json"),
                .fails("settings set sound.volume 60 --if general.language=fr", 65, "general/language.json"),
                // Choosing a label repairs the file.
                .works("settings set general.language en -q && settings verify --strict")),
        ],
    ].flatMap { $0 }

    private static let right = [
        BadInput(
            "a byte order mark", "sed -i '1s/^/\\xef\\xbb\\xbf/' $file",
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .works("settings show general.language"),
            .works("settings verify"), .works("settings set general.language en", prints: nil)),
        BadInput(
            "CRLF", "sed -i 's/$/\\r/' $file",
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .works("settings show general.language"),
            .works("settings status"), .works("settings set general.language en"), .works("settings undo")),
        BadInput(
            "CRLF recorded by git", "sed -i 's/$/\\r/' $file; git commit -qam crlf",
            .works("settings get general.language", prints: "fr\n"),
            .works("settings get general.language --at HEAD", prints: "fr\n"),
            .works("settings verify"), .works("settings set general.language en"), .works("settings undo")),
        BadInput(
            "a checkout with core.autocrlf",
            "git config core.autocrlf true; rm -r general sound; git checkout -q .; grep -q $'\\r' $file",
            .works("settings get general.language", prints: "fr\n"), .works("settings status"),
            .works("settings diff", says: "nothing differs"),
            .works("settings set sound.volume 60 && git diff --exit-code"),
            .works("settings set general.language en && git diff --exit-code")),
        BadInput(
            "selected and value edited apart, both to something else",
            "sed -i -e '4s/1/0/' -e '5s/fr/es/' $file", mending: "git checkout -q .",
            .works("settings get general.language", prints: "es\n"),
            .works("settings verify"), .failsInPart("settings verify --strict", 65, "found 1 problem"),
            .works("settings done -m why && settings verify --strict")),
        BadInput(
            "only selected edited", "sed -i '4s/1/0/' $file", mending: "git checkout -q .",
            .works("settings get general.language", prints: "fr\n"),
            .fails(
                "settings done -m why", 65, "general/language.json:4:15: ", "\"selected\" is 0 (English)", "has no effect",
                hints: true),
            .fails("settings set general.language es", 2, "has unrecorded edits", hints: true)),
    ]

    private static let store = [
        BadInput(
            "a broken _store.json", "sed -i '2s/,//' _store.json", mending: "git checkout -q _store.json",
            .works("settings get general.language", prints: "fr\n"), .works("settings history"), .works("settings status"),
            Try(command: "settings list", status: 65, says: ["_store.json:3:3: "], printsTheRest: true),
            .fails("settings done -m why", 65, "_store.json:3:3: "),
            .fails("settings define / --title T", 2, "_store.json has unrecorded edits", hints: true)),
        BadInput(
            "a broken _store.json, recorded",
            "echo 5 > _store.json; git commit -qam broken", mending: "git revert --no-edit HEAD >/dev/null",
            .works("settings get general.language", prints: "fr\n"),
            .fails("settings set general.language es", 65, "_store.json", ":1:1: the file contains a number, not an object"),
            .fails("settings set general.language es -n", 65, "_store.json", ":1:1: the file contains a number, not an object"),
            .fails("settings init", 65, "_store.json")),
        BadInput(
            "a later format", "sed -i '2s/1/2/' _store.json", mending: "git checkout -q _store.json",
            .fails(
                "settings get general.language", 65,
                "_store.json:2:13: \"format\" is 2, a later format than this program supports (1)",
                hints: true),
            .fails("settings list", 65, "a later format", hints: true),
            .fails("settings set general.language es", 65, "a later format", hints: true),
            .fails("settings history", 65, "a later format", hints: true),
            .fails("settings status", 65, "a later format", hints: true),
            .fails("settings done -m why", 65, "a later format", hints: true),
            .fails("settings undo", 65, "a later format", hints: true),
            .fails("settings verify", 65, "a later format", hints: true)),
        BadInput(
            "a later format in an earlier version",
            "sed -i '2s/1/2/' _store.json; git commit -qam later; git tag later; git revert --no-edit HEAD >/dev/null",
            .fails("settings restore / --from later", 65, "_store.json (in version", hints: true),
            .fails("settings restore general.language --from later --exact", 65, "a later format", hints: true),
            .fails("settings get general.language --at later", 65, "a later format", hints: true)),
        BadInput(
            "a later format, recorded",
            "sed -i '2s/1/2/' _store.json; git commit -qam later; sed -i 's/\"Volume\"/\"Loudness\"/' sound/volume.json",
            mending: nil,
            .fails("settings discard", 65, "a later format", hints: true),
            .fails("settings discard --undo", 65, "a later format", hints: true),
            .works("git diff --name-only", prints: "sound/volume.json\n"),
            .fails("settings get general.language", 65, "a later format", hints: true),
            .fails("settings set general.language es", 65, "a later format", hints: true),
            .fails("settings undo", 65, "a later format", hints: true)),
        BadInput(
            "no _store.json", "rm _store.json", mending: "git checkout -q _store.json",
            .fails("settings get general.language", 66, "was deleted", "restore _store.json' brings it back", hints: true),
            .fails("settings set general.language es", 66, "was deleted", hints: true),
            .fails("cd sound; settings discard", 66, "was deleted", hints: true),
            .fails("settings init", 66, "was deleted", "restore _store.json' brings it back", hints: true),
            .fails("settings list --store .", 66, "was deleted", hints: true)),
        BadInput(
            "no _store.json in the index", "git rm -q _store.json", mending: "git checkout HEAD -- _store.json",
            .fails("settings status", 66, "was deleted", "checkout HEAD -- _store.json' brings it back", hints: true)),
        BadInput(
            "a link, a pipe and a folder as options",
            "ln -s /etc/hostname sound/link.json; mkfifo sound/pipe.json; mkdir sound/folder.json",
            mending: "rm sound/link.json sound/pipe.json; rmdir sound/folder.json",
            .works("settings status 2>&1 | grep -c 'hint: rename or remove what cannot be read'", prints: "1\n"),
            .fails("settings discard", 65, "cannot discard sound/folder.json", hints: true),
            .fails("settings discard sound.link", 65, "cannot discard sound/link.json: it is a symbolic link", hints: true),
            .fails("settings done sound.pipe", 65, "sound/pipe.json: it is not a regular file", hints: true)),
        BadInput(
            "a folder in place of an option's file", "rm sound/volume.json; mkdir sound/volume.json",
            mending: "rmdir sound/volume.json; settings discard",
            .works("settings status 2>&1 | grep -c 'hint: rename or remove what cannot be read'", prints: "1\n"),
            .fails("settings discard sound.volume", 65, "cannot discard sound/volume.json: it is a folder", hints: true),
            .fails("settings restore sound.volume --exact --from HEAD -m x", 65, "sound/volume.json is not", hints: true),
            .fails("settings restore --all --from HEAD -m x", 65, "sound/volume.json is not a regular file", hints: true),
            .fails("settings done", 65, "sound/volume.json: it is a folder", "hint: rename or remove it", hints: true)),
        BadInput(
            "a committed link in place of an option's file",
            "rm sound/volume.json; ln -s ../general/language.json sound/volume.json; git commit -qam link",
            mending: "rm -f sound/volume.json; settings done -m x; settings restore sound.volume --from HEAD~2 -m x",
            .works("settings status", says: "hint: remove it or put a regular file in its place"),
            .works("rm sound/volume.json; settings status", prints: "edits not recorded yet:\n    sound/volume.json removed\n"),
            .works("settings status --json | jq -c .removed", prints: "[\"sound/volume.json\"]\n"),
            .fails("settings discard", 65, "cannot restore sound/volume.json: it is not a regular file", hints: true)),
        BadInput(
            "an unknown policy", "sed -i 's/\"why\": \"[a-z]*\"/\"why\": \"perhaps\"/' _store.json",
            mending: "git checkout -q _store.json",
            .works("settings get general.language", prints: "fr\n"),
            .fails("settings done -m x", 65, "_store.json:", "\"perhaps\", not required, asked or optional")),
        BadInput(
            "a broken group", "echo '{' > general/_group.json", mending: "git checkout -q general",
            .works("settings get general.language", prints: "fr\n"),
            Try(command: "settings list", status: 65, says: ["general/_group.json:"], printsTheRest: true),
            .fails("settings done -m x", 65, "general/_group.json:"),
            .fails("settings define general --footer F", 2, "general/_group.json has unrecorded edits", hints: true)),
        BadInput(
            "a file with a name no option can have", "echo '{}' > 'general/my language.json'", mending: "rm general/my*",
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            Try(command: "settings verify", status: 65, says: [], printsTheRest: true)),
    ]
}
