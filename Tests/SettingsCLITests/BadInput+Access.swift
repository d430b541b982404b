import Surroundings

/// Stores that may not be written, belong to somebody else, or lead elsewhere; people of odd names; odd surroundings.
extension BadInput {
    /// Somebody without rights: as root a user that owns nothing, otherwise oneself.
    private static let nobody = Surroundings.isRoot ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
    private static let open = "chmod -R a+rX ..; "
    private static let trust = "git config --global --add safe.directory \"$PWD\"; chmod a+r ~/.gitconfig; "

    static let access: [BadInput] = [
        BadInput(
            "read-only for the user", open + trust + "chmod -R a-w .", mending: "chmod -R u+w .",
            .works(nobody + "settings get general.language", prints: "fr\n"), .works(nobody + "settings list"),
            .works(nobody + "settings history"),
            .works(nobody + "settings status"), .works(nobody + "settings diff --from first"), .works(nobody + "settings blame"),
            .works(nobody + "settings verify"),
            .works(nobody + "settings show general.language"), .works(nobody + "settings set general.language es --dry-run"),
            .fails(nobody + "settings set general.language es", 74, "Permission denied", hints: true),
            .fails(nobody + "settings undo", 74, "Permission denied", hints: true),
            .fails(nobody + "settings done -m x", 74, "Permission denied", hints: true),
            .fails(nobody + "settings discard", 74, "Permission denied", hints: true),
            .fails(nobody + "settings tag new", 74, "Permission denied"),
            .fails(nobody + "settings add new.one --title T --switch", 74, "Permission denied", hints: true)),
        BadInput(
            "only the files read-only for the user", open + trust + "chmod -R a-w general; chmod -R a+w .git",
            mending: "chmod -R u+w .", needsRoot: true,
            .works(nobody + "settings get general.language", prints: "fr\n"),
            .fails(nobody + "settings set general.language es", 74, "Permission denied", hints: true)),
        BadInput(
            "a file that may not be read", open + "chmod 0 $file", mending: "chmod 644 $file",
            .fails(nobody + "settings get general.language", 74, "general/language.json: Permission denied"),
            .works(nobody + "settings get sound.volume", prints: "50\n")),
        // libgit2 reports such a file as locked, and skips such references in a list.
        BadInput(
            "packed references that may not be read", open + trust + "git pack-refs --all; chmod 0 .git/packed-refs",
            mending: "chmod 644 .git/packed-refs", needsRoot: true,
            .works(nobody + "settings get general.language", prints: "fr\n"),
            .fails(nobody + "settings history", 74, "packed-refs': Permission denied"),
            .fails(nobody + "settings tag", 74, "packed-refs': Permission denied"),
            .fails(nobody + "settings undo", 74, "Permission denied")),
        BadInput(
            "a tag that may not be read", open + trust + "git tag -f first; chmod 0 .git/refs/tags/first",
            mending: "chmod 644 .git/refs/tags/first", needsRoot: true,
            .works(nobody + "settings get general.language", prints: "fr\n"),
            .fails(nobody + "settings tag", 74, "refs/tags/first': Permission denied")),
        BadInput(
            "a folder of tags that may not be read", open + trust + "git tag -f first; chmod 0 .git/refs/tags",
            mending: "chmod 755 .git/refs/tags", needsRoot: true,
            .works(nobody + "settings get general.language", prints: "fr\n"),
            .fails(nobody + "settings tag", 74, "refs/tags: Permission denied")),
        BadInput(
            "a .git that may not be read", open + trust + "chmod 700 .git", mending: "chmod 755 .git", needsRoot: true,
            .works(nobody + "settings get general.language", prints: "fr\n"), .works(nobody + "settings list"),
            .fails(nobody + "settings history", 74, "Permission denied"),
            .fails(nobody + "settings set general.language es", 74, "Permission denied")),
        BadInput(
            "somebody else's", "chown -R 65534 .", mending: "chown -R 0 .", needsRoot: true,
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .works("settings is general.language fr"),
            .works("settings show general.language"),
            .fails("settings history", 74, "is owned by another user", "safe.directory", hints: true),
            .fails("settings status", 74, "is owned by another user", hints: true),
            .fails("settings set general.language es", 74, "is owned by another user", hints: true),
            .fails("settings undo", 74, "is owned by another user", hints: true),
            .fails(
                "git config -f .git/config safe.directory \"$PWD\"; settings history; s=$?; "
                    + "git config -f .git/config --remove-section safe; exit $s", 74, "is owned by another user", hints: true)),
        BadInput(
            "somebody else's, trusted", "chown -R 65534 .; " + trust, mending: "", needsRoot: true,
            .works("settings history"), .works("settings set general.language en")),
        BadInput(
            "somebody else's, all trusted", "chown -R 65534 .; git config --global safe.directory '*'", mending: "",
            needsRoot: true,
            .works("settings history"), .works("settings set general.language en")),
        BadInput(
            "somebody else's, trust taken back",
            "chown -R 65534 .; git config --global safe.directory '*'; git config --global --add safe.directory ''", mending: nil,
            needsRoot: true,
            .fails("settings history", 74, "is owned by another user", hints: true)),
        BadInput(
            "under sudo", "chown -R 65534 .", mending: nil, needsRoot: true,
            .works("SUDO_UID=65534 settings history"),
            .fails("SUDO_UID=65533 settings history", 74, "is owned by another user", hints: true)),
        BadInput(
            "a link where an option should be",
            "echo '{\"title\": \"Stolen\", \"type\": \"text\", \"value\": \"x\"}' > ../secret; ln -sf ../../secret $file",
            mending: "rm $file; git checkout -q .",
            .fails("settings get general.language", 65, "general/language.json is a symbolic link", hints: true),
            .fails("settings show general.language", 65, "symbolic link", hints: true),
            .fails("settings set general.language es", 65, "symbolic link", hints: true),
            .fails("settings done -m x", 65, "symbolic link", hints: true),
            .works("settings get sound.volume", prints: "50\n"), .works("settings status"), .failsInPart("settings verify", 65)),
        BadInput(
            "a link where an option should be, recorded",
            "echo '{}' > ../secret; ln -sf ../../secret $file; git commit -qam link", mending: nil,
            .fails("settings get general.language", 65, "symbolic link", hints: true),
            .fails("settings get general.language --at HEAD", 65, "not a regular file"),
            .fails("settings set general.language es", 65), .works("settings history"), .failsInPart("settings verify", 65),
            .fails("settings undo", 65)),
        BadInput(
            "a link where a group should be", "mv general ../; ln -s ../general general", mending: "rm general; mv ../general .",
            .fails("settings get general.language", 65, "general is a symbolic link", hints: true),
            .fails("settings show general.nothing", 65, "general is a symbolic link", hints: true),
            .fails("settings set general.language es", 65, "general is a symbolic link", hints: true),
            .fails("settings add general.new --title T --switch", 65, "general is a symbolic link", hints: true),
            .fails("settings done -m x", 65, "general is a symbolic link", hints: true),
            .fails("settings done general.language -m x", 65, "general is a symbolic link", hints: true),
            .fails("settings discard general", 65, "cannot discard general: it is a symbolic link", hints: true),
            .failsInPart("settings list", 65, "general is a symbolic link"),
            .fails("settings list general", 65, "general is a symbolic link", hints: true),
            .fails("settings export json", 65, "general is a symbolic link", hints: true),
            .works("settings status --json | jq -c '[.unreadable[].path]'", prints: "[\"general\"]\n"),
            .works("settings get sound.volume", prints: "50\n"),
            .failsInPart("settings verify", 65, "found 1 problem")),
        BadInput(
            "a link where a new group should be", "mkdir ../new; ln -s ../new new; ln -s ../nothing lost; ln -s $file name",
            mending: "rm new lost name; rmdir ../new",
            .failsInPart("settings list", 65, "new is a symbolic link", "lost is a symbolic link"),
            .fails("settings list new", 65, "new is a symbolic link", hints: true),
            .works("settings status --json | jq -c '[.unreadable[].path]'", prints: "[\"lost\",\"new\"]\n"),
            .fails("settings discard", 65, "cannot discard lost", hints: true),
            .works("settings set general.language es"), .failsInPart("settings verify", 65, "found 2 problems")),
        BadInput(
            "a link to a folder that is no group",
            "ln -s .. above; git add above; git commit -qm above; echo /out >.gitignore; ln -s .. out",
            mending: nil,
            .works("settings list"), .works("settings status"), .works("settings export json"), .works("settings verify")),
        BadInput(
            "_store.json a link", "mv _store.json ..; ln -s ../_store.json .", mending: "rm _store.json; mv ../_store.json .",
            .works("settings get general.language", prints: "fr\n"), .works("settings status"),
            .failsInPart("settings verify", 65),
            .fails("settings done -m x", 65, "_store.json: it is a symbolic link", hints: true),
            .fails("settings define / --title T", 65, "_store.json is a symbolic link")),
        BadInput(
            ".git/settings a link",
            "rm -rf .git/settings; mkdir ../elsewhere; ln -s ../../elsewhere .git/settings", mending: "rm .git/settings",
            .works("settings get general.language", prints: "fr\n"),
            .fails("settings set general.language es", 74, "is not a folder", hints: true)),
        BadInput(
            "the lock a link",
            "rm -rf .git/settings; mkdir .git/settings; ln -s ../../../elsewhere .git/settings/lock",
            mending: "rm .git/settings/lock",
            .works("settings get general.language", prints: "fr\n"), .fails("settings set general.language es", 74, "lock")),
        BadInput(
            "the store reached by a link", "ln -s store ../way", mending: "",
            .works("cd ../way && settings set general.language en && settings history -n 1"),
            .works("settings get general.language --store ../way", prints: "en\n")),
        BadInput(
            "a folder where an option should be", "rm $file; mkdir $file", mending: "rmdir $file; git checkout -q .",
            .fails("settings get general.language", 65, "not a regular file"), .fails("settings set general.language es", 65)),
        BadInput(
            "a pipe where an option should be", "rm $file; mkfifo $file", mending: "rm $file; git checkout -q .",
            .fails("settings get general.language", 65, "not a regular file"), .fails("settings set general.language es", 65),
            .failsInPart("settings verify", 65)),
    ]

    static let people: [BadInput] = [
        BadInput(
            "no name and no e-mail", "", mending: nil,
            .works("unset ${!GIT_*} EMAIL; settings set general.language en && git log -1 --format=%an%ae | grep -q .")),
        BadInput(
            "a user without an account", open + trust + "chown -R 64999 . ~", mending: nil, needsRoot: true,
            .works(
                "unset ${!GIT_*}; setpriv --reuid 64999 --regid 64999 --clear-groups settings set general.language en && "
                    + "git log -1 --format='%an <%ae>'")),
        BadInput(
            "a name with < > and a line break", "", mending: "settings undo; git fsck --strict",
            .works(
                "GIT_AUTHOR_NAME=$'Eve <x>\\nparent 0' settings set general.language en && git log -1 --format=%an | grep -q Eve"),
            .works("git fsck --strict")),
        BadInput(
            "a name of < > alone", "", mending: nil,
            .works("GIT_AUTHOR_NAME='<>' settings set general.language en"), .works("git fsck --strict")),
        BadInput(
            "an e-mail with a line break", "", mending: nil,
            .works("GIT_AUTHOR_EMAIL=$'a@b\\n>' settings set general.language en"), .works("git fsck --strict")),
        BadInput(
            "a bad date", "", mending: "",
            .fails(
                "GIT_AUTHOR_DATE=nonsense settings set general.language es", 64,
                "invalid time 'nonsense' in GIT_AUTHOR_DATE",
                hints: true),
            .fails("GIT_COMMITTER_DATE=nonsense settings set general.language es", 64, "GIT_COMMITTER_DATE", hints: true),
            .fails(
                "GIT_AUTHOR_DATE='99999999999999999999 +0000' settings set general.language es", 64, "GIT_AUTHOR_DATE",
                hints: true),
            .fails(
                "GIT_AUTHOR_DATE='9223372036854775807 +0000' settings set general.language es", 64, "GIT_AUTHOR_DATE", hints: true
            ),
            .fails("GIT_AUTHOR_DATE='@-5 +0000' settings set general.language es", 64, "GIT_AUTHOR_DATE", hints: true),
            .fails("GIT_AUTHOR_DATE='5 +9999' settings set general.language es", 64, "GIT_AUTHOR_DATE", hints: true)),
        BadInput(
            "an empty why", "", mending: "",
            .fails("settings set general.language es -m ''", 64, "empty"),
            .fails("settings set general.language es -m $' \\n'", 64, "empty"),
            .fails("settings set general.language es -m $'\\001\\002'", 64, "empty"),
            .fails("GIT_EDITOR=true settings set general.language es -e", 77, "the reason is empty"),
            .fails("GIT_EDITOR=false settings set general.language es -e", 77, "editor"),
            .fails("settings set general.language es -m x -e", 64, "cannot be combined")),
        BadInput(
            "a why that is wanted",
            "settings define / --require-why required -m 'Ask'", mending: "settings define / --require-why optional -m x",
            .fails("settings set general.language es", 77, "a reason is required", hints: true),
            .fails("settings set general.language es -m ''", 64, "empty"),
            .fails("settings remove sound.volume", 77, "a reason is required", hints: true), .works("settings undo"),
            .works("settings redo")),
        BadInput(
            "a why with trailers in it", "", mending: nil,
            .works(
                "settings set general.language en -m $'Because.\\n\\nTicket: FAKE-1\\nVia: forged' && "
                    + "git log -1 --format='%(trailers:key=Ticket)%(trailers:key=Via,valueonly)'", prints: nil),
            .works(
                "git log -1 --format='%(trailers:key=Ticket,valueonly)%(trailers:key=Via,valueonly)' | xargs", prints: "cli\n"),
            .works("settings history -n 1 --json | grep -c FAKE-1", prints: "1\n"),
            .works(
                "settings set general.language es -m $'Ticket: FAKE-2' && "
                    + "git log -1 --format='%(trailers:key=Ticket,valueonly)' | xargs"),
            .works("git log -1 --format='%(trailers:key=Ticket,valueonly)%(trailers:key=Via,valueonly)' | xargs", prints: "cli\n")
        ),
        BadInput(
            "people that are none", "", mending: "",
            .fails("settings set general.language es --author nonsense", 64, "invalid author 'nonsense'", hints: true),
            .fails("settings set general.language es --author ''", 64, hints: true),
            .fails("settings set general.language es --author 'A <b> <c'", 64, hints: true),
            .fails("settings set general.language es --author $'A\\nB <c@d>'", 64, hints: true),
            .fails("settings set general.language es --author '<a@b>'", 64, hints: true),
            .fails("settings set general.language es --author 'A <>'", 64, hints: true),
            .fails("settings set general.language es --requested-by $'Marie\\nVia: x'", 64, "one non-empty line"),
            .fails("settings set general.language es --requested-by ''", 64, "one non-empty line"),
            .fails("settings set general.language es --ticket $'A-1\\nReverts: x'", 64, "one non-empty line"),
            .fails("settings set general.language es --ticket ' '", 64, "one non-empty line"),
            .fails("settings init ../new --author nonsense", 64, "invalid author", hints: true),
            .fails("settings init ../new --requested-by $'a\\nb'", 64, "one non-empty line")),
    ]

    static let surroundings: [BadInput] = [
        BadInput(
            "standard output closed", "", mending: "",
            .fails("settings get general.language >&-", 74, "cannot write"), .fails("settings list >&-", 74, "cannot write"),
            .fails("settings --help >&-", 74, "cannot write"),
            .works("settings set sound.volume 60 2>/dev/null >&- || test $? = 74; settings get sound.volume", prints: "60\n")),
        BadInput(
            "standard output on a full device", "", mending: "",
            .fails("settings get general.language >/dev/full", 74, "cannot write", "No space left"),
            .fails("settings list >/dev/full", 74, "cannot write"),
            .fails("settings history --json >/dev/full", 74, "cannot write"),
            .fails("settings --help >/dev/full", 74, "cannot write"),
            .fails("settings --version >/dev/full", 74, "cannot write"),
            .fails("settings schema >/dev/full", 74, "cannot write")),
        BadInput(
            "a reader that leaves", "", mending: "",
            .works("settings history --json | true; exit ${PIPESTATUS[0]}"),
            .works("{ sleep 0.3; settings list; } | true; exit ${PIPESTATUS[0]}")),
        BadInput(
            "standard error closed", "", mending: "",
            .works("settings get general.nothing 2>&-; test $? = 66"),
            .works("settings get general.language 2>&-", prints: "fr\n"),
            .works("settings set sound.volume 60 2>&- && git fsck --strict && settings get sound.volume --at HEAD")),
        BadInput(
            "standard input closed", "", mending: "",
            .works("settings get general.language <&-", prints: "fr\n"),
            .fails("settings set user.name - <&-", 74, "standard input"),
            .fails("settings set user.name - < .", 74, "standard input"),
            .works("settings set general.language en <&- && git fsck --strict")),
        BadInput(
            "all of them closed",
            "", mending: "",
            .works("settings set sound.volume 60 <&- >&- 2>&-; git fsck --strict && git status --short", prints: nil),
            .works("git diff --exit-code HEAD")),
        BadInput(
            "Ctrl-C during a write", "", mending: "settings set general.language fr",
            .works(
                "for n in {1..25}; do settings set general.language --index $((n % 3)) -q & p=$!; sleep 0.0$((RANDOM % 30 + 10)); "
                    + "kill -INT $p 2>/dev/null; wait $p; done; settings status -q && git fsck --strict && "
                    + "git diff --exit-code HEAD"
            ).patient(20)),
        BadInput(
            "no HOME", "", mending: "",
            .works("unset HOME XDG_CONFIG_HOME; settings get general.language", prints: "fr\n"),
            .works("env -i $(which settings) get general.language", prints: "fr\n"),
            .works("unset HOME XDG_CONFIG_HOME; settings set general.language en"),
            .works("unset HOME XDG_CONFIG_HOME; settings history -n 1"),
            .fails("unset HOME XDG_DATA_HOME; settings list --user", 66, "HOME is not set", hints: true),
            .fails("unset HOME; settings init --user", 66, "HOME is not set", hints: true), .works("HOME=/nowhere settings list")),
        BadInput(
            "a current folder that was removed", "mkdir ../gone", mending: "",
            .works("cd ../gone; rmdir $PWD; settings get general.language --store ../store 2>/dev/null; test $? = 66"),
            .fails("cd ../store; d=$PWD; mkdir -p ../gone2; cd ../gone2; rmdir $PWD; settings list", 66, hints: true),
            .works("d=$PWD; mkdir -p ../gone2; cd ../gone2; rmdir $PWD; settings get general.language --store $d", prints: "fr\n")
        ),
        BadInput(
            "variables of nonsense", "", mending: "",
            .works("TZ=Nowhere/None settings history -n 1"), .works("LC_ALL=xx_YY settings list"),
            .works("TERM=nonsense COLUMNS=-5 settings list"), .works("PAGER=/nowhere settings history"),
            .works("GIT_DIR=/nowhere settings get general.language"),
            .works("GIT_DIR=/nowhere GIT_INDEX_FILE=/nowhere GIT_WORK_TREE=/ settings set general.language en"),
            .works("GIT_OBJECT_DIRECTORY=/nowhere settings set general.language fr")),
        BadInput(
            "hooks and configured programs",
            "printf '#!/bin/sh\\ntouch \"$0.ran\"\\n' > ../evil; chmod +x ../evil; "
                + "for h in pre-commit commit-msg post-commit reference-transaction post-checkout; do cp ../evil .git/hooks/$h; done; "
                + "git config core.fsmonitor \"$PWD/../evil\"; git config core.pager \"$PWD/../evil\"; "
                + "git config core.editor \"$PWD/../evil\"; git config filter.x.clean \"$PWD/../evil\"; "
                + "git config filter.x.smudge \"$PWD/../evil\"; git config gpg.program \"$PWD/../evil\"; "
                + "git config commit.gpgsign true; echo '*.json filter=x' > .git/info/attributes",
            mending: nil,
            .fails("settings status >/dev/null; settings set general.language en --no-sign", 2, "filter=x", hints: true),
            .works(
                "echo '*.json -filter' > .git/info/attributes; export GNUPGHOME=/none; "
                    + "! settings set general.language en 2>/dev/null && settings set general.language en --no-sign && "
                    + "settings history --signatures && settings undo --no-sign && settings status && "
                    + "PAGER=cat script -qec 'settings history' /dev/null </dev/null; ! ls .git/hooks/*.ran ../evil.ran 2>/dev/null"
            )),
    ]
}
