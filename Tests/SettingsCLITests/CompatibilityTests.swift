import Testing

/// Features of git and users' configurations: a store works with all of them, and git sees nothing but its versions.
@Suite struct CompatibilityTests {
    @Test(arguments: BadInput.branches) func branches(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.places) func places(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.configurations) func configurations(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.indexes) func indexes(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.shared) func shared(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.partial) func partial(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.refused) func refused(_ row: BadInput) throws { try row.check() }
}

extension BadInput {
    /// Sets, undoes, reads and verifies; git considers everything clean before and after its own maintenance.
    private static let use = """
        sound() { git fsck --strict --no-dangling --no-progress 2>&1 | grep -v '^notice\\|ambiguous\\|^hint'
          git -c advice.graftFileDeprecated=false status --porcelain 2>&1 | grep -v ambiguous; git diff --name-status HEAD --; }
        was=$(settings get general.language) && settings set general.language es sound.volume 60 -q -m use &&
        test "$(settings get general.language --at HEAD)" = es &&
        git show "@:./general/language.json" | grep -q '"value": "es"' &&
        settings undo -q && test "$(settings get general.language)" = "$was" && settings redo -q &&
        settings blame >/dev/null && settings history -n 2 >/dev/null && settings verify -q >/dev/null &&
        settings status --json | grep -c '"key"' | grep -qx 0 &&
        sound && git gc -q 2>/dev/null; settings set general.language "$was" -q && settings set sound.volume 50 -q && sound;
        git commit -q --allow-empty --no-gpg-sign -m plain && settings history -n 1 | grep -q plain && sound; true
        """

    /// The case works without any message.
    private static func used(_ name: String, _ making: String, in place: String = ".", _ more: Try...) -> BadInput {
        let use = Try.works("cd \(place) && {\n\(use)\n}", prints: "").patient(60)
        return BadInput(name, making, mending: nil, tries: [use] + more)
    }

    static let branches: [BadInput] =
        [
            "feature/a/b", "zweig-ü", "日本/語", "HEAD", "refs/heads/main2", "@x", "a}b", "it's", "a\"b", "a$b", "a&b;c",
            "-x", "x.y",
        ].map { name in
            let word = "'" + name.replacing("'", with: "'\\''") + "'"
            return used(
                "the branch \(name)", "git symbolic-ref HEAD refs/heads/\(word); git update-ref HEAD main",
                .works("git symbolic-ref HEAD", prints: "refs/heads/\(name)\n"),
                .works("git log -1 --format=%s main", prints: nil))
        } + [
            used("packed references and objects", "git pack-refs --all --prune; git gc -q --prune=now; git commit-graph write"),
            used("packs for good", "git repack -adbq; for p in .git/objects/pack/*.pack; do touch ${p%.pack}.keep; done"),
            used("no branch", "git checkout -q --detach", .works("git symbolic-ref -q HEAD || echo none", prints: "none\n")),
            used(
                "a branch that stands for another",
                "git branch other; git symbolic-ref refs/heads/main refs/heads/other",
                .works("git symbolic-ref refs/heads/main", prints: "refs/heads/other\n")),
            used("a rebase, done", "git checkout -qb side HEAD~1; settings set user.name Pierre -q; git rebase -q main"),
            used(
                "a merge by git, done",
                "git checkout -qb side HEAD~1; settings set user.name Pierre -q; git checkout -q main; git merge -q side -m m"),
            used(
                "reset, picked, amended",
                "settings set user.name Pierre -q; git reset -q --hard HEAD~1; git cherry-pick HEAD@{1} >/dev/null; "
                    + "git commit -q --amend -m z"),
            used("a commit replaced", "git replace HEAD~1 $(git commit-tree HEAD~1^{tree} -p HEAD~2 -m replaced)"),
        ]

    static let places: [BadInput] = [
        used("a work tree of git's", "git worktree add -q ../linked -b linked", in: "../linked"),
        used("a work tree of git's without a branch", "git worktree add -q --detach ../linked", in: "../linked"),
        used("a work tree of git's, moved", "git worktree add -q ../l -b l; git worktree move ../l ../other", in: "../other"),
        used("beside a work tree of git's", "git worktree add -q ../l -b l; cd ../l; settings set user.name Pierre -q"),
        used(
            "a work tree with settings of its own",
            "git config extensions.worktreeConfig true; git worktree add -q ../l -b l; cd ../l; git config --worktree a.b c",
            in: "../l"),
        used("a work tree of a mirror", "git clone -q --mirror . ../m; git -C ../m worktree add -q ../w main", in: "../w"),
        used("moved", "cd ..; cp -a store 'another place ü'", in: "'../another place ü'"),
        used("a git folder elsewhere", "git init -q --separate-git-dir ../apart"),
        used(
            "a git folder elsewhere, by a relative path",
            "mv .git ../gd; echo 'gitdir: ../gd' > .git; git config core.worktree ../store"),
        used(
            "a submodule",
            "git init -q ../outer; cd ../outer; git -c protocol.file.allow=always submodule add -q ../store sub; "
                + "git commit -qm sub", in: "../outer/sub"),
        used("a clone", "git clone -q . ../c", in: "../c"),
        used("a clone that borrows objects", "git clone -q --shared . ../c", in: "../c"),
        used(
            "a clone without blobs",
            "git config uploadpack.allowFilter true; git clone -q --filter=blob:none \"file://$PWD\" ../c",
            in: "../c"),
        used("a shallow clone", "git clone -q --depth 1 \"file://$PWD\" ../c", in: "../c"),
        used(
            "exported and imported",
            "git init -qb main ../new; git fast-export --all | git -C ../new fast-import --quiet; "
                + "git -C ../new reset -q --hard main", in: "../new"),
        used(
            "a folder of a larger repository",
            "git init -qb main ../big; cp -r . ../big/conf; rm -rf ../big/conf/.git; cd ../big; git add .; git commit -qm x",
            in: "../big/conf"),
    ]

    private static let clone = "git clone -q . ../c"
    private static let attributes =
        "echo '* text=auto eol=crlf' > ~/attributes; git config --global core.attributesFile ~/attributes"

    static let configurations: [BadInput] =
        [
            ("core.autocrlf", "true"), ("core.autocrlf", "input"), ("core.eol", "crlf"), ("core.symlinks", "false"),
            ("core.ignoreCase", "true"), ("core.precomposeUnicode", "true"), ("core.logAllRefUpdates", "always"),
            ("core.logAllRefUpdates", "false"), ("gc.auto", "1"), ("commit.gpgSign", "false"), ("core.trustctime", "false"),
            ("core.checkStat", "minimal"), ("core.compression", "9"), ("core.worktree", "../../store"),
        ].map { used("\($0) = \($1)", "git config \($0) \($1); git config gpg.program false") } + [
            used("core.autocrlf = true, checked out", "git config --global core.autocrlf true; \(clone)", in: "../c"),
            used("core.safecrlf", "git config core.autocrlf true; git config core.safecrlf true; git add --renormalize . 2>&1"),
            used("attributes of the user's", attributes),
            used("attributes of the user's, checked out", "\(attributes); \(clone)", in: "../c"),
            used(
                "attributes of the repository's",
                "echo '*.json text eol=crlf' > .gitattributes; git add .gitattributes; git commit -qm eol; "
                    + "git rm -rq --cached .; git reset -q --hard"),
            used(
                "attributes of this clone's",
                "echo '* text=auto eol=crlf ident' > .git/info/attributes; rm -r general; git checkout -q ."),
            used(
                "an executable option", "chmod +x $file; git commit -qam x",
                .works("git ls-files -s $file | cut -c1-6", prints: nil)),
            used("core.fileMode = false", "git config core.fileMode false; chmod +x $file"),
            used(
                "included",
                "printf '[include]\\npath = extra\\n' >> .git/config; printf '[core]\\nautocrlf = true\\n' > .git/extra"),
            used(
                "values of nonsense",
                "git config core.autocrlf nonsense; git config core.abbrev 7; git config core.autocrlf input"),
            used(
                "a hook that uses the store",
                "printf '#!/bin/sh\\nsettings set user.name Hook -q -m hook\\n' > .git/hooks/post-commit; "
                    + "chmod +x .git/hooks/post-commit; git commit -q --allow-empty -m y; rm .git/hooks/post-commit"),
            BadInput(
                "variables of another repository", "git init -q ../other", mending: "",
                .works(
                    "GIT_DIR=$PWD/../other/.git GIT_WORK_TREE=$PWD/../other GIT_INDEX_FILE=$PWD/../index "
                        + "settings set general.language es -q && git show HEAD:$file | grep -c 'value.*\"es\"'", prints: "1\n"),
                .works("ls -A ../other; ls .. | grep -c index; git status --porcelain", prints: ".git\n0\n")),
        ]

    /// Files in git's folder have the permissions that plain git gives them in an identical repository; this
    /// program's own files there have those of a reflog.
    static let shared: [BadInput] = ["group", "all", "0640", "umask"].map { value in
        let script = """
            modes() { (cd "$1"; find .git ! -path '.git/settings*' ! -path '.git/objects/??*' -printf '%m %y %P\\n'
              find .git/objects/?? -printf '%m %y object\\n'; find sound general -printf '%m %y %p\\n') |
              grep -v COMMIT_EDITMSG | sort -u; }
            for umask in 022 077; do
              umask $umask; rm -rf ../plain ../shared; cp -a . ../plain; cp -a . ../shared
              for place in ../plain ../shared; do
                rm -rf $place/.git/logs $place/.git/settings; git -C $place config core.sharedRepository \(value)
              done
              settings set sound.volume 60 -q --store ../shared && settings tag new -q --store ../shared
              sed 's/50/60/' ../plain/sound/volume.json > ../new; mv ../new ../plain/sound/volume.json; git -C ../plain commit -qam x
              git -C ../plain tag new
              diff <(modes ../plain) <(modes ../shared)
              stat -c %a ../shared/.git/settings ../shared/.git/logs | sort -u | tail -n +2
              stat -c %a ../shared/.git/settings/{lock,pending} ../shared/.git/logs/HEAD | sort -u | tail -n +2
            done
            true
            """
        return BadInput("core.sharedRepository \(value)", "git gc -q", mending: nil, .works(script, prints: "").patient(60))
    }

    /// An object that only the remote has is reported with the command that fetches it; local objects are read.
    static let partial: [BadInput] = ["tree:0", "blob:none"].map { filter in
        let says = ["this partial clone has left it with its remote", "--no-filter"]
        let works = "settings get general.language && settings set general.language es -q && git status --porcelain"
        let looks =
            ["history", "show HEAD~2", "diff --from first", "restore general.language --from first"]
            + (filter == "tree:0" ? ["blame"] : [])
        return BadInput(
            "a clone with --filter=\(filter)",
            "git config uploadpack.allowFilter true; git clone -q --filter=\(filter) file://$PWD ../partial", mending: nil,
            tries: [
                .works("cd ../partial && \(works)", prints: "fr\n"),
                .works(
                    "settings doctor | grep -c partial; cd ../partial && settings doctor | grep -c 'a partial clone'",
                    prints: "0\n1\n"),
            ]
                + [
                    .works(
                        "cd ../partial && settings verify --deep 2>/dev/null | grep -c 'missing, because this partial clone'",
                        prints: "1\n"),
                    .failsInPart("cd ../partial && settings verify --deep", 65, "found 1 problem"),
                ]
                + looks.map {
                    BadInput.Try(command: "cd ../partial && settings \($0)", status: 65, says: says, printsTheRest: true)
                } + [
                    .works("cd ../partial && git fetch -q --refetch --no-filter", prints: ""),
                    .works("cd ../partial && settings verify --deep >../out && settings blame | wc -l", prints: "5\n"),
                ])
    }

    /// An index that only git can read: commands that need it fail with a hint, write nothing, and the hint helps.
    private static func unknown(_ name: String, _ making: String, _ says: String, _ hint: String) -> BadInput {
        BadInput(
            name, making, mending: "",
            tries: [
                .works("settings get general.language; settings list user | grep -c user.name", prints: "fr\n1\n"),
                .works("settings history | grep -c . && cksum < .git/index > ../index", prints: nil),
                .works("settings status --json | grep -c '\"key\"'; settings verify -q", prints: "0\n"),
            ]
                + ["set sound.volume 60", "label add general.language German", "undo"].map {
                    .fails("settings \($0)", 74, says, hints: true)
                } + [
                    .works("cksum < .git/index | cmp - ../index && git ls-files | wc -l", prints: "9\n"),
                    .works("\(hint); settings set sound.volume 60 -q && git status --porcelain", prints: ""),
                    .works("git ls-files | wc -l", prints: "9\n"),
                ])
    }

    private static let sparse = "git update-index -q --refresh; git sparse-checkout set --cone"

    static let indexes: [BadInput] = [
        used("version 4", "git update-index --index-version 4", .works("git ls-files | wc -l", prints: "9\n")),
        unknown("split", "git update-index --split-index", "is split", "git update-index --no-split-index"),
        unknown(
            "split anew by each git",
            "git config core.splitIndex true; git update-index --split-index; echo x > x; git add x; "
                + "git commit -qm x; git mv x y; git commit -qm y; git rm -q y; git commit -qm z", "core.splitIndex false",
            "git config core.splitIndex false; git update-index --no-split-index"),
        unknown(
            "split, of version 4", "git update-index --index-version 4; git update-index --split-index", "is split",
            "git update-index --no-split-index"),
        used(
            "a cache of untracked files", "git config core.untrackedCache true; git update-index --untracked-cache; git status -s"
        ),
        used(
            "a monitor of files",
            "printf '#!/bin/sh\\nprintf \"1\\\\0/\\\\0\"\\n' > .git/hooks/x; chmod +x .git/hooks/x; "
                + "git config core.fsmonitor .git/hooks/x; git status -s"),
        used("assumed unchanged", "git update-index --assume-unchanged $file"),
        used("many threads", "git config index.threads 4; git config feature.manyFiles true; git commit -q --allow-empty -m x"),
        used(
            "without its hash", "head -c -20 .git/index > ../index; head -c 20 /dev/zero >> ../index; cp ../index .git/index",
            .works("git ls-files | wc -l", prints: "9\n")),
        BadInput(
            "sparse files", "\(sparse) sound", mending: "git sparse-checkout disable",
            .works("ls", prints: "_group.json\n_store.json\nsound\n"),
            .works("settings get general.language", prints: "fr\n"),
            .works("settings list --json | grep -c '\"key\"'; settings list user | grep -c user.name", prints: "5\n1\n"),
            .works("settings show general.language | grep -c chosen", prints: "1\n"),
            .works("settings export json | grep -c Marie; settings is user.name Marie && echo so", prints: "1\nso\n"),
            .works("settings status --json | grep -c '\"key\"'; true", prints: "0\n"),
            .works("settings done -m x -q; git ls-tree -r HEAD | wc -l", prints: "9\n"),
            .works("settings set sound.volume 60 -q && git status --porcelain", prints: ""),
            .works(
                "settings set general.language es -q && git status --porcelain && cat $file | grep -c 'value.*\"es\"'",
                prints: "1\n"),
            .works("git sparse-checkout reapply; git ls-files -t user", prints: "S user/name.json\n")),
        BadInput(
            "sparse files without _store.json", "git update-index -q --refresh; git sparse-checkout set --no-cone /sound/",
            mending: "git sparse-checkout disable",
            .fails("settings get general.language", 66, "sparse-checkout add /_store.json' checks it out", hints: true),
            .fails("cd sound; settings set sound.volume 60", 66, "sparse-checkout add /_store.json'", hints: true),
            .works("git sparse-checkout add /_store.json; settings set sound.volume 60 -q", prints: ""),
            .works("settings set display.dark on -q; settings label add general.language German -q", prints: ""),
            .works("settings status | grep -c 'no unrecorded edits'; git ls-files -t user", prints: "1\nS user/name.json\n")),
        BadInput(
            "a sparse index", "\(sparse) --sparse-index sound; git ls-files --sparse | grep -x user/",
            mending: "git sparse-checkout disable",
            tries: ["get general.language", "list", "status", "set sound.volume 60", "set general.language es", "done"].map {
                .fails("settings \($0)", 74, "git's index is sparse", hints: true)
            } + [
                .works("settings history >../history && git ls-files -t --sparse user", prints: "S user/\n"),
                .works("git sparse-checkout reapply --no-sparse-index", prints: ""),
                .works("settings set general.language es -q && git status --porcelain", prints: ""),
                .works("git ls-files -t user", prints: "S user/name.json\n"),
            ]),
        BadInput(
            "other things staged",
            "echo a > other; git add other; git add -N $file; echo b > new; git add -N new",
            mending: "git rm -qf --cached other new; rm other new",
            .works("settings set general.language es -q && git status --porcelain", prints: " A new\nA  other\n")),
    ]

    static let refused: [BadInput] =
        ["objectFormat sha256", "refStorage reftable", "somethingNew true", "compatObjectFormat sha256"].map { extra in
            let reason = extra.hasPrefix("object") ? "is a SHA-256 repository" : "unsupported extension"
            return BadInput(
                "extensions.\(extra)", "git config core.repositoryFormatVersion 1; git config extensions.\(extra)",
                mending:
                    "git config -f .git/config --remove-section extensions; "
                    + "git config -f .git/config core.repositoryFormatVersion 0",
                .works("settings get general.language", prints: "fr\n"),
                .fails("settings set general.language es", 66, reason), .fails("settings history", 66, reason))
        }
        + ["preciousObjects true", "worktreeConfig true", "partialClone origin", "noop true", "objectFormat sha1"].map { extra in
            used("extensions.\(extra)", "git config core.repositoryFormatVersion 1; git config extensions.\(extra)")
        }
}
