/// Missing, unwritable and damaged repositories.
extension BadInput {
    private static func busy(_ name: String, _ breaking: String, _ operation: String, mending: String) -> BadInput {
        BadInput(
            name, breaking, mending: mending,
            .works("settings get sound.volume", prints: "50\n"),
            .failsInPart("settings list", 65, "general/language.json", "conflict markers"),
            .works("settings history"), .works("settings diff"),
            .works("settings status", says: "a \(operation) is in progress", "settings resolve KEY", "finish it with 'git"),
            .works("settings blame"),
            .fails("settings set sound.volume 60", 2, "a \(operation) is in progress", hints: true),
            .fails("settings undo", 2, "a \(operation) is in progress", hints: true),
            .fails("settings done -m x", 2, "a \(operation) is in progress", hints: true),
            .fails("settings discard", 2, "a \(operation) is in progress", hints: true),
            .fails("settings discard sound.volume", 2, "a \(operation) is in progress", hints: true),
            .fails("settings revert first", 2, "a \(operation) is in progress", hints: true),
            .fails("settings set sound.volume 60 --dry-run", 2, "a \(operation) is in progress", hints: true))
    }

    /// Two branches that set the language to different values.
    private static let sides = "git switch -qc other HEAD~1; settings set general.language es -q; git switch -q main; "

    static let repositories: [BadInput] = [
        BadInput(
            "no repository", "mv .git ../git", mending: "mv ../git .git",
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .works("settings show general.language"),
            .works("settings is general.language fr"), .works("settings get sound.volume general.language", prints: "50\nfr\n"),
            .fails("settings set general.language es", 66, "is not in a git repository", "settings init", hints: true),
            .fails("settings history", 66, "is not in a git repository", hints: true),
            .fails("settings blame", 66, "is not in a git repository", hints: true),
            .fails("settings status", 66, "is not in a git repository", hints: true),
            .fails("settings diff", 66, "is not in a git repository", hints: true),
            .fails("settings verify", 66, "is not in a git repository", hints: true),
            .fails("settings done -m x", 66, "is not in a git repository", hints: true),
            .fails("settings get general.language --at HEAD", 66, "is not in a git repository", hints: true)),
        BadInput(
            "no commit yet", "rm -rf .git; git init -qb main",
            mending: "settings done -m 'The first'; git add .; git commit -qm attributes",
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .works("settings show general.language"),
            .works("settings history"), .works("settings status"), .works("settings diff"), .works("settings blame"),
            .works("settings verify"),
            .fails("settings set general.language es", 66, "general.language", hints: true),
            .fails("settings undo", 1), .fails("settings show HEAD", 66), .fails("settings get general.language --at HEAD", 66),
            .fails("settings diff --from yesterday", 66, "no versions yet"), .fails("settings tag new", 66, hints: nil),
            .fails("settings revert HEAD", 66)),
        BadInput(
            "a detached head", "git checkout -q --detach", mending: "git switch -q main",
            .works("settings get general.language", prints: "fr\n"), .works("settings status", says: "HEAD is detached"),
            .works("settings history"),
            .works("settings set general.language es", says: "HEAD is detached")),
        busy("a merge in progress", sides + "git merge -q other >/dev/null || true", "merge", mending: "git merge --abort"),
        busy(
            "a rebase in progress", sides + "git rebase -q other >/dev/null 2>&1 || true", "rebase", mending: "git rebase --abort"
        ),
        busy(
            "a cherry-pick in progress", sides + "git cherry-pick other >/dev/null 2>&1 || true", "cherry-pick",
            mending: "git cherry-pick --abort"),
        busy(
            "a revert in progress", "settings set general.language es -q; git revert HEAD~1 >/dev/null 2>&1 || true", "revert",
            mending: "git revert --abort; settings undo"),
        BadInput(
            "a bare repository",
            "git clone -q --bare . ../bare; cp -R ../bare ../served; git -C ../bare show HEAD:_store.json > ../bare/_store.json",
            mending: "",
            .works("cd ../served; settings get general.language", prints: "fr\n"),
            .works("settings list --store ../served"),
            .fails("cd ../served; settings set general.language es", 66, "bare repository", "clone it", hints: true),
            .fails("settings undo --store ../served", 66, "bare repository", "clone it", hints: true),
            .fails("settings list --store ../served/general", 66, "no store in the last version", hints: true),
            .fails("settings init ../served", 66, "bare repository", hints: true),
            .fails("settings init ../served/settings", 66, "bare repository", hints: true),
            .fails("settings history --store ../bare", 66, hints: true),
            .fails("settings set general.language es --store ../bare", 66, hints: true)),
        BadInput(
            "core.bare set", "git config core.bare true", mending: "git config core.bare false",
            .works("settings get general.language", prints: "fr\n"),
            .fails("settings set general.language es", 66, "bare repository", hints: true)),
        BadInput(
            "a sha256 repository", "rm -rf .git; git init -q --object-format=sha256 -b main", mending: nil,
            .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .fails("settings set general.language es", 66, "SHA-256"),
            .fails("settings history", 66, "SHA-256")),
        BadInput(
            "a later repository format", "git config core.repositoryformatversion 9", mending: "sed -i 's/= 9/= 0/' .git/config",
            .works("settings get general.language", prints: "fr\n"), .fails("settings set general.language es", 66),
            .fails("settings history", 66)),
        BadInput(
            "a broken configuration", "cp .git/config ../config; echo '[broken' >> .git/config",
            mending: "cp ../config .git/config",
            .works("settings get general.language", prints: "fr\n"), .fails("settings set general.language es", 65, "config"),
            .fails("settings history", 65, "config")),
        BadInput(
            "a broken configuration of the user", "echo '[broken' > ~/.gitconfig", mending: "rm ~/.gitconfig",
            .works("settings get general.language", prints: "fr\n"), .fails("settings set general.language es", 65, ".gitconfig")),
        BadInput(
            "index.lock is there", "touch .git/index.lock", mending: "rm .git/index.lock; settings status -q",
            .works("settings get general.language", prints: "fr\n"), .works("settings history"), .works("settings status"),
            .fails("settings set sound.volume 60", 75, "index.lock").patient(15)),
        BadInput(
            "the branch's lock is there", "touch .git/refs/heads/main.lock", mending: "rm .git/refs/heads/main.lock",
            .works("settings get general.language", prints: "fr\n"), .works("settings history"),
            .fails("settings set general.language es", 75, "has left a lock: ", "main.lock exists", hints: true).patient(15)),
        BadInput(
            "another process writes and does not end", "", mending: "",
            .fails(
                "flock -F -x .git/settings/lock sleep 25 & sleep 0.3; settings history -q >/dev/null; "
                    + "settings set general.language es; s=$?; kill $!; exit $s",
                75, "another process", hints: true
            ).patient(15)),
        BadInput(
            "files that git records through a filter",
            "git config filter.crypt.clean base64; echo '*.json filter=crypt' > .git/info/attributes",
            mending: "rm .git/info/attributes",
            .works("settings get general.language", prints: "fr\n"), .works("settings status"),
            .fails(
                "settings set general.language es", 2, "general/language.json because of its attribute filter=crypt", hints: true),
            .fails("settings add sound.new --title New --switch", 2, "because of its attribute filter=crypt", hints: true),
            .fails("settings undo", 2, "filter=crypt", hints: true),
            .works("git config --unset filter.crypt.clean; settings set sound.volume 60 -q && git status --short", prints: ""),
            .works("git config filter.crypt.required true"),
            .fails("settings set general.language es", 2, "filter=crypt", hints: true),
            .works("echo '*.json -filter' > .git/info/attributes; settings set general.language es -q && git status --short")),
        BadInput(
            "files that git converts", "echo 'general/*.json working-tree-encoding=UTF-16' > .git/info/attributes",
            mending: "rm .git/info/attributes",
            .fails("settings set general.language es", 2, "working-tree-encoding=UTF-16", hints: true),
            .works("settings set sound.volume 60 -q && git diff --exit-code HEAD -- sound")),
        BadInput(
            "a linked work tree", "git worktree add -q ../linked -b linked", mending: "",
            .works(
                "cd ../linked && settings set sound.volume 60 && settings get sound.volume && git status --porcelain && "
                    + "git diff --exit-code HEAD")),
    ]

    /// A shell word for the path of an object's file.
    private static func object(_ name: String) -> String {
        "o=$(git rev-parse \(name)); f=.git/objects/${o:0:2}/${o:2}; cp $f ../kept; "
    }
    private static let put =
        "cp ../where ../where2 2>/dev/null || true; f=$(cat ../where); chmod u+w $f 2>/dev/null || true; "
        + "cp -f ../kept $f"

    private static func broken(_ name: String, _ revision: String, _ tries: Try...) -> [BadInput] {
        [
            BadInput(
                "\(name), cut short", object(revision) + "chmod u+w $f; truncate -s 12 $f; echo $f > ../where", mending: put,
                tries: tries),
            BadInput("\(name), empty", object(revision) + "chmod u+w $f; : > $f; echo $f > ../where", mending: put, tries: tries),
            BadInput("\(name), missing", object(revision) + "rm -f $f; echo $f > ../where", mending: put, tries: tries),
        ]
    }

    static let damage: [BadInput] =
        broken(
            "the last commit", "HEAD", .works("settings get general.language", prints: "fr\n"), .works("settings list"),
            .fails("settings history", 65), .fails("settings set general.language es", 65, hints: true),
            .fails("settings undo", 65, hints: true),
            .fails("settings status", 65, hints: true), .fails("settings diff", 65, hints: true),
            .fails("settings verify", 65, hints: true))
        + broken(
            "the last tree", "HEAD^{tree}", .works("settings get general.language", prints: "fr\n"),
            .fails("settings set general.language es", 65, hints: true), .fails("settings status", 65, hints: true),
            .fails("settings diff --from first", 65, hints: true),
            .fails("settings get general.language --at HEAD", 65, hints: true))
        + broken(
            "an option's blob", "HEAD:general/language.json", .works("settings get general.language", prints: "fr\n"),
            .fails("settings get general.language --at HEAD", 65, hints: true),
            .fails("settings set general.language es", 65, hints: true),
            .works("settings set sound.volume 60"))
        + broken(
            "an old commit", "HEAD~3", .works("settings get general.language", prints: "fr\n"), .works("settings status"),
            .failsInPart("settings history", 65))
        + [
            BadInput(
                "a pipe among the objects", "mkdir -p .git/objects/17; mkfifo .git/objects/17/$(printf '%038d' 0)",
                mending: "rm .git/objects/17/00*",
                .fails("settings maintain", 65, "is not a regular file, and git would wait for it", hints: true)),
            BadInput(
                "a HEAD of nonsense", "echo nonsense > .git/HEAD", mending: "echo 'ref: refs/heads/main' > .git/HEAD",
                .works("settings get general.language", prints: "fr\n"),
                .fails("settings history", 65, "settings verify --deep", hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "an empty HEAD", ": > .git/HEAD", mending: "echo 'ref: refs/heads/main' > .git/HEAD",
                .works("settings get general.language", prints: "fr\n"), .fails("settings history", 65),
                .fails("settings set general.language es", 65)),
            BadInput(
                "no HEAD", "rm .git/HEAD", mending: hinted,
                .works("settings get general.language", prints: "fr\n"), .fails("settings history", 65, ".git/HEAD", hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "a folder in the place of HEAD", "rm .git/HEAD; mkdir .git/HEAD", mending: hinted,
                .works("settings get general.language", prints: "fr\n"), .fails("settings history", 65, "rm -r", hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "a linked work tree without HEAD",
                "git worktree add -q ../linked -b linked; rm .git/worktrees/linked/HEAD",
                mending: "rm -r .git/worktrees ../linked",
                .fails("cd ../linked; settings history", 65, ".git/worktrees/linked/HEAD names no branch", hints: true)),
            BadInput(
                "no references", "git pack-refs --all; rm -r .git/refs", mending: hinted,
                .works("settings get general.language", prints: "fr\n"),
                .fails("settings history", 65, "mkdir -p .git/refs/heads", hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "no objects", "mv .git/objects ..", mending: "mv ../objects .git",
                .works("settings get general.language", prints: "fr\n"),
                .fails("settings history", 65, ".git/objects is missing", "clone", hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "a branch of nonsense",
                "cp .git/refs/heads/main ..; echo nonsense > .git/refs/heads/main", mending: "cp ../main .git/refs/heads/main",
                .works("settings get general.language", prints: "fr\n"), .fails("settings history", 65, hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "an empty branch", "cp .git/refs/heads/main ..; : > .git/refs/heads/main",
                mending: "cp ../main .git/refs/heads/main",
                .works("settings get general.language", prints: "fr\n"), .fails("settings history", 65, hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "no index", "rm .git/index", mending: "",
                .works("settings get general.language", prints: "fr\n"), .works("settings status"),
                .works("settings set sound.volume 60 && git status --porcelain", prints: nil),
                .works("git status --porcelain", prints: "")),
            BadInput(
                "a damaged index", "truncate -s 100 .git/index", mending: "rm -f .git/index; git reset -q",
                .works("settings get general.language", prints: "fr\n"), .works("settings status"), .works("settings history"),
                .works("settings set sound.volume 60 && settings get sound.volume --at HEAD")),
            BadInput(
                "an empty index", ": > .git/index", mending: "rm -f .git/index; git reset -q",
                .works("settings set sound.volume 60 && settings get sound.volume --at HEAD")),
            BadInput(
                "a .git file that leads nowhere", "mv .git ../git; echo 'gitdir: /nowhere' > .git",
                mending: "rm .git; mv ../git .git",
                .works("settings get general.language", prints: "fr\n"),
                .fails("settings history", 66, "/nowhere, which is missing", "git worktree repair", hints: true),
                .fails("settings set general.language es", 66, hints: true)),
            BadInput(
                "a .git file of nonsense", "mv .git ../git; echo nonsense > .git", mending: "rm .git; mv ../git .git",
                .works("settings get general.language", prints: "fr\n"),
                .fails("settings history", 65, "gitdir: PATH", hints: true),
                .fails("settings set general.language es", 65, hints: true)),
            BadInput(
                "an empty .git folder", "mv .git ../git; mkdir .git", mending: "rmdir .git; mv ../git .git",
                .works("settings get general.language", prints: "fr\n"), .fails("settings history", 65, hints: true),
                .fails("settings set general.language es", 65, hints: true)),
        ]

    /// Runs the last command that the hint quotes.
    private static let hinted = "eval \"$(settings history 2>&1 >/dev/null | sed -n \"s/^hint: .*'\\(.*\\)' .*/\\1/p\")\""
}
