/// Values that an option doesn't offer, times before the first version, words that the program doesn't know.
extension BadInput {
    static let words: [BadInput] = values + times + usage

    private static let values = [
        BadInput(
            "values of a choice", "", mending: "",
            .fails(
                "settings set general.language German", 65, "general.language: no such value or label: 'German'",
                hints: true
            ),
            .fails("settings set general.language ''", 65, "general.language", hints: true),
            .fails(
                "settings set general.language --index 3", 65, "there is no label 3", "expected an index from 0 to 2", hints: true
            ),
            .fails("settings set general.language --index=-1", 65, "there is no label -1", hints: true),
            .fails("settings set general.language --index x", 64),
            .fails("settings set general.language --label Frnch", 65, "'Frnch'", hints: true),
            .fails("settings set general.language+=1", 65, "only a number"),
            .fails("settings set general.language 99999999999999999999", 65, hints: true),
            .fails("settings set general.language --label French --next", 64, "cannot be combined"),
            .fails("settings set general.language fr --label French", 64),
            .fails("settings is general.language German", 65, "no such value or label: 'German'", hints: true),
            .fails("settings label add general.language French", 2, "already has a label French", hints: true),
            .fails("settings label remove general.language German", 65, hints: true),
            .fails("settings label remove general.language French", 2, "--select", hints: true),
            .fails("settings label add general.language X --at 9", 65),
            .fails("settings label move general.language French 7", 65),
            .fails("settings label add general.language X --value en", 2, "already", hints: true),
            .fails("settings label rename general.language French ''", 64, "empty"),
            .fails("settings label add general.language ''", 64, "empty")),
        BadInput(
            "values of a switch", "", mending: "",
            .fails("settings set display.dark maybe", 65, "display.dark: invalid value 'maybe' for a switch"),
            .fails("settings set display.dark 2", 65),
            .fails("settings set display.dark --index 1", 65, "only a choice has an index"),
            .fails("settings get sound.volume --label", 64, "has no labels"),
            .fails("settings is display.dark maybe", 65)),
        BadInput(
            "values of a number", "", mending: "",
            .fails("settings set sound.volume loud", 65, "sound.volume: 'loud' is not a number", hints: true),
            .fails("settings set sound.volume 105", 65, "105 is above the maximum, 100"),
            .fails("settings set sound.volume -5", 65, "-5 is below the minimum, 0"),
            .fails("settings set sound.volume 52", 65, "not a step of 5 from 0"),
            .fails("settings set sound.volume+=100", 65, "above the maximum"),
            .fails("settings set sound.volume+=x", 64, "'x' is not a number"),
            .fails("settings set sound.volume 0x10", 65, "is not a number"),
            .fails("settings set sound.volume NaN", 65, "is not a number"), .fails("settings set sound.volume 1e999999999", 65),
            .fails("settings set sound.volume \(String(repeating: "9", count: 5000))", 65),
            .fails("settings set sound.volume '5 0'", 65, "is not a number"),
            .fails("settings reset sound.volume", 65, "no default is set", hints: true)),
        BadInput(
            "values of a text", "", mending: "",
            .fails("settings set user.name marie", 65, "user.name", "[A-Z][a-z]*"),
            .fails("settings set user.name ''", 65, "user.name"),
            .fails("settings set user.name --next", 65),
            .fails("printf 'A\\xff' | settings set user.name -", 65, "standard input is not UTF-8"),
            .fails("settings set user.name $'A\\xff'", 64, "is not UTF-8", hints: true),
            .fails("head -c 2000000 /dev/zero | tr '\\0' a | settings set user.name -", 65, "larger than 1 MiB"),
            .fails("settings add user.slow --title S --text '' --pattern '('", 65, "pattern"),
            .fails("settings add user.slow --title S --text $(printf 'a%.0s' {1..60})b --pattern '(a+)+c'", 65, "pattern")),
        BadInput(
            "values of data", "", mending: "",
            .fails("settings set app.config '{\"a\":'", 65, "app.config: invalid JSON", hints: true),
            .fails("settings set app.config text", 65, "invalid JSON", hints: true),
            .fails("settings set app.config ''", 65, "invalid JSON"),
            .fails("settings set app.config '{\"a\":1,\"a\":2}'", 65, "the member \"a\" appears twice"),
            .fails("settings set app.config $(printf '[%.0s' {1..10000})", 65, "nested more than 128"),
            .works(
                "settings set app.config $(printf '[%.0s' {1..127})$(printf ']%.0s' {1..127}) && settings get app.config | wc -c"),
            .fails("settings set app.config $(printf '[%.0s' {1..128})$(printf ']%.0s' {1..128})", 65, "128 levels deep"),
            .fails(
                "{ printf '\"'; head -c 1048570 /dev/zero | tr '\\0' a; printf '\"'; } | settings set app.config -", 65,
                "larger than the limit of 1 MiB")),
        BadInput(
            "several at once, one of them wrong", "", mending: "",
            .fails("settings set display.dark on general.language German", 65, "German", hints: true),
            .fails("settings set display.dark on sound.volume", 64, "missing VALUE for sound.volume", hints: true),
            .fails(
                "settings set general.language es --if general.language=en", 2, "general.language is French, not en", hints: true),
            .fails(
                "settings set general.language es --if general.language=German", 2, "general.language is French, not German",
                hints: true),
            .fails("settings set general.language es --if general.language", 64, "expected KEY=VALUE"),
            .fails("settings set general.language es --if-version first", 2, "the store is at", hints: true),
            .fails("settings set general.language es --if-version nonsense", 66, "there is no version 'nonsense'", hints: true)),
        BadInput(
            "what an option is", "", mending: "",
            .fails("settings add new.one --title T", 64), .fails("settings add new.one --switch", 64, "title"),
            .fails("settings add new.one --title T --switch --number 5", 64),
            .fails("settings add new.one --title T --choice a=A a=B", 64, hints: true),
            .fails("settings add new.one --title T --number x", 65),
            .fails("settings add new.one --title T --number 5 --range 9..1", 65),
            .fails("settings add new.one --title T --number 5 --range x", 64),
            .fails("settings add new.one --title T --number 5 --range 0..3", 65, "above the maximum"),
            .fails("settings add new.one --title T --data '{'", 65),
            .fails("settings add new.one --title T --choice A --default B", 65),
            .fails("settings add new.one --title T --choice A --select B", 65),
            .fails("settings add new.one --title '' --switch", 64, "empty"),
            .fails("settings add new.one --title T --switch --page A --page B", 64),
            .fails("settings define sound --style window", 64, "invalid style"),
            .fails("settings define / --require-why never", 64),
            .fails("settings define sound.volume --style page", 64),
            .fails("settings define sound.volume --range 60..100", 65, "below the minimum"),
            .fails("settings define new.one", 66, hints: true)),
    ]

    private static let times = [
        BadInput(
            "WHEN that is nothing", "", mending: "",
            .fails("settings get general.language --at nonsense", 66, "there is no version 'nonsense'", hints: true),
            .fails("settings diff --from 2026-13-45", 66, "'2026-13-45'", hints: true),
            .fails("settings diff --from 2026-02-31", 66, "'2026-02-31'"),
            .fails("settings diff --from 25:00", 66, "25:00", hints: true),
            .fails("settings restore --all --from ''", 66, hints: true),
            .fails("settings diff first..nonsense", 66, "nonsense", hints: true),
            .fails("settings revert nonsense", 66, "nonsense", hints: true),
            .fails("settings show HEAD~100", 66, "HEAD~100", hints: true),
            .fails("settings tag new nonsense", 66, "nonsense", hints: true),
            .fails("settings history --since nonsense", 66, "nonsense"),
            .fails("settings verify nonsense..HEAD", 66, "nonsense", hints: true),
            .fails("settings verify nonsense", 64, "invalid range", hints: true),
            .fails("settings blame --at '99999999999 days ago'", 66, "days ago"),
            .fails("settings get general.language --at 'HEAD:general'", 66),
            .fails("settings get general.language --at 'HEAD^{tree}'", 66),
            .fails("settings get general.language --at -1", 66),
            .fails("settings get general.language --at $'\\033[31mred'", 66, "\\u{1B}[31mred")),
        BadInput(
            "WHEN still to come", "", mending: "",
            .fails("settings get general.language --at tomorrow", 66, "'tomorrow' is in the future", hints: true),
            .fails("settings diff --from 2999-01-01", 66, "'2999-01-01' is in the future", hints: true),
            .fails("settings restore --all --from '@99999999999'", 66, "is in the future", hints: true),
            .fails("settings show '31 Dec 2998'", 66, "is in the future", hints: true),
            .fails("settings tag new 'tomorrow 8:00'", 66, "is in the future", hints: true),
            .fails("settings history --from tomorrow", 66, "is in the future", hints: true)),
        BadInput(
            "WHEN with a mistake in it", "", mending: "",
            .fails("settings diff --from 'yesterday 25:00'", 66, "invalid time 'yesterday 25:00'", hints: true),
            .fails("settings list --at 'Thu, 20 Nov 2026 18:00:00 +0100'", 66, "invalid time", hints: true),
            .fails("settings history --to '3 fortnights ago'", 66, "invalid time", hints: true),
            .fails("GIT_AUTHOR_DATE=25:00 settings set general.language es", 64, "invalid time '25:00'", hints: true)),
        BadInput(
            "WHEN before the first version", "", mending: "",
            .fails(
                "settings get general.language --at 2001-01-01", 66, "the store had no versions yet at '2001-01-01'", hints: true),
            .fails("settings diff --from '2001-01-01 18:00'", 66, "no versions yet", hints: true),
            .fails("settings restore general --from 2001-01-01T00:00:00Z", 66, "no versions yet", hints: true)),
        BadInput(
            "an id's beginning that several have",
            "for n in {1..1500}; do printf 'commit refs/heads/main\\ncommitter A <a@b> %d +0000\\ndata 1\\nx\\n' $((1700000000 + n)); "
                + "[ $n != 1 ] || echo 'from refs/heads/main^0'; done | git fast-import --quiet; "
                + "git rev-list --all | cut -c1-4 | sort | uniq -d | head -1 > ../twice", mending: nil,
            .fails("settings get general.language --at $(cat ../twice)", 66, "several ids begin with it", hints: true),
            .fails("settings revert $(cat ../twice)", 66, "several ids begin with it", hints: true)),
        BadInput(
            "versions that can't be taken back", "", mending: "",
            .fails("settings undo 99", 1, hints: nil), .fails("settings redo", 1),
            .fails("settings undo 0", 64, "expected 1 or more"),
            .fails("settings undo -1", 64), .fails("settings undo x", 64), .fails("settings revert", 64),
            .fails("settings revert --ticket NONE-1", 66),
            .fails("settings revert HEAD --only sound.volume", 66, "no changes of"),
            .fails("GIT_AUTHOR_EMAIL=pierre@example.org settings undo", 1, "Marie", hints: true),
            .fails("settings restore general.language", 64, "--from"), .fails("settings restore --from first", 64)),
        BadInput(
            "tags", "", mending: "",
            .fails("settings tag first", 2, "first", hints: true), .fails("settings tag 'a b'", 64, "a b"),
            .fails("settings tag ../x", 64),
            .fails("settings tag ''", 64), .fails("settings tag x.lock", 64), .fails("settings tag -- -x", 64),
            .fails("settings tag first HEAD", 2, hints: true),
            .fails("settings tag $'a\\nb'", 64), .fails("settings tag $(printf 'a%.0s' {1..300})", 64)),
    ]

    private static let usage = [
        BadInput(
            "words the program does not know", "", mending: "",
            .fails("settings frobnicate", 64, "frobnicate", hints: true), .fails("settings get", 64, hints: true),
            .fails("settings get general.language --frob", 64, "--frob", hints: true),
            .fails("settings set", 64, hints: true), .fails("settings set general.language", 64, "missing VALUE", hints: true),
            .fails("settings add", 64, hints: true),
            .fails("settings rename general.language", 64, hints: true), .fails("settings label frob", 64, hints: true),
            .fails("settings list --color purple", 64, "purple", "auto", hints: true),
            .fails("settings history -n x", 64, hints: true),
            .fails("settings history -n -1", 64),
            .fails("settings list --store", 64, hints: true), .fails("settings list --store x --user", 64, "cannot be combined"),
            .fails("settings get general.language --label --index", 64, "cannot be combined"),
            .fails("settings list a b c", 64, hints: true), .fails("settings diff first..HEAD --from first", 64),
            .fails("settings status x", 64, hints: true),
            .works("settings"), .works("settings label")),
        BadInput(
            "words that are nearly right", "", mending: "",
            .fails("settings --store", 64, "missing value for '--store'", hints: true),
            .fails("settings --store .", 64, "no command is given", hints: true),
            .fails("settings -q", 64, "no command is given", hints: true),
            .fails("settings show HEAD --js", 64, "unknown option '--js'", "did you mean '--json'?"),
            .fails("settings set general.language en --mesage=x", 64, "'--mesage'", "did you mean '--message'?"),
            .fails("settings label add general.language X --jsn", 64, "did you mean '--json'?"),
            .fails(
                "settings label ad general.language X", 64, "unknown command 'label ad'", "did you mean 'settings label add'?"),
            .fails("settings remote zzz", 64, "unknown command 'remote zzz'", "settings help remote"),
            .works("settings help keys foo | head -n 1", prints: "How options and groups are named:\n"),
            .fails("settings export json -", 64, "'-' is not the key of a group", "standard output unless -o", hints: true),
            .fails("settings export yml", 64, "invalid format 'yml'", "did you mean 'yaml'?"),
            .fails("settings import x --format yml", 64, "invalid format 'yml'", "did you mean 'yaml'?"),
            .fails("settings tag 'a b'", 64, "invalid tag name", hints: true),
            .fails("TMPDIR=$PWD/none settings bisect --good first -- false", 74, "none", "TMPDIR"),
            .works(
                "for c in add bisect diff export label remote sync verify; do settings help $c; done "
                    + "| awk 'length > 80 || /^OPTIONS:/ { last = $0; next } last ~ /OPTIONS/ && /^$/ { print \"empty\" } "
                    + "{ last = \"\" } length > 80'", prints: "")),
        BadInput(
            "exports that would be options", "mkdir out", mending: "rmdir out",
            .fails("settings export json -o config.json", 64, "config.json would be read as a file of this store", hints: true),
            .fails("settings export json --rewrite -o sound/volume.json", 64, "sound/volume.json would be read", hints: true),
            .fails("cd sound; settings export json --store .. -o ../'My File.json'", 64, "would be read", hints: true),
            .works("settings export yaml -o out/config.yaml; rm out/config.yaml"),
            .works("settings export json -o ../config.json"),
            .works(
                "echo /out/ > .git/info/exclude; settings export json -o out/config.json; rm out/config.json; : > .git/info/exclude"
            )),
        BadInput(
            "stores that are none", "echo x > plain; mkdir empty", mending: "rm -r plain empty",
            .fails("settings list --store plain", 66, "there is no store in ", hints: true),
            .fails("settings list --store nowhere", 66, "there is no store in ", hints: true),
            .fails("settings list --store empty", 66, "there is no store in ", hints: true),
            .fails("settings list --store ''", 64),
            .fails("settings list --user", 66, hints: true),
            .fails("SETTINGS_STORE=/dev/null settings list", 66, "there is no store in /dev/null", hints: true),
            .fails("cd ..; settings list", 66, "there is no store in ", "or above it", hints: true),
            .fails("d=$PWD; cd ..; GIT_DIR=$d/.git settings list", 66, "GIT_DIR does not choose the store", hints: true),
            .fails("GIT_EDITOR='/no/such 2>/dev/null' settings set sound.volume 60 -e", 69, "cannot run the editor", hints: true),
            .fails("GIT_EDITOR=false settings set sound.volume 60 -e", 77, "the editor 'false' failed", hints: true),
            .fails("settings import - <&-", 74, "standard input: can't be read"),
            .fails("settings help remote nope", 64, "unknown command 'remote nope'", hints: true),
            .fails("settings sync --every 1m", 66, "this repository has no remote", hints: true),
            .fails("settings init plain", 64, hints: true),
            .fails("touch ../file; settings init ../file; s=$?; rm ../file; exit $s", 74),
            .fails("settings init /proc/x", 74), .fails("settings list --store $'no\\033[31m'", 66, "\\u{1B}")),
    ]
}
