extension ForeignCommands {
    /// What to type instead of an option or a subcommand of git that the command of that name doesn't have here.
    static let options: [String: [String: String]] = {
        let addresses = "'settings remote' lists the remotes with their addresses"
        let amend = "'git commit --amend' rewrites the latest version, as long as it has not been pushed"
        let branches = "'settings branch' lists the branches of this clone, and 'git branch -a' also those of remotes"
        let counts = "'settings history' lists the changes of each version, and 'git log --stat' counts lines"
        let difference = "'settings diff' lists the options that differ, and 'git diff --stat' counts lines"
        let everything = "'settings done' records all edits, including new files"
        let force =
            "'settings sync' merges the remote's versions and pushes yours; 'git push --force-with-lease' drops the remote's"
        let merged = "'git branch --merged' lists the merged branches"
        let patch = "'git add -p' stages some of the edits, and 'settings done --staged' records them"
        let reset = "'settings discard' drops unrecorded edits, and 'settings restore --all --from VERSION' restores a version"
        let search = "'settings history --search TEXT' finds versions by their changes, reasons and requesters"
        let short = "'settings status' lists the unrecorded edits, and 'git status --short' the files"
        let source = "--from names the version or time: 'settings restore KEY --from VERSION'"
        let staged = "'settings diff' shows all unrecorded edits, staged or not, and 'git diff --staged' what is staged"
        let tags = "'settings tag' lists the tags"
        let unstage = "'git restore --staged FILE' unstages an edit, and 'settings discard KEY' drops it"
        let version = "'settings show VERSION' lists the changes of a version, and 'git show --stat' counts lines"
        return [
            "add": ["-A": everything, "--all": everything, "-u": everything, "-p": patch, "--patch": patch],
            "blame": ["-L": "'settings blame KEY' shows who set one option, and 'git blame -L' who changed the lines of a file"],
            "branch": [
                "-a": branches, "--all": branches, "-r": branches, "--remotes": branches,
                "-l": "'settings branch' lists the branches", "--list": "'settings branch' lists the branches",
                "-m": "'git branch -m OLD NEW' renames a branch", "-M": "'git branch -M OLD NEW' renames a branch",
                "--move": "'git branch --move OLD NEW' renames a branch",
                "--merged": merged, "--no-merged": "'git branch --no-merged' lists the branches that are not merged",
                "--show-current": "'settings branch' marks the current branch with *",
                "-u": "'git branch -u REMOTE/BRANCH' sets the upstream", "-vv": "'git branch -vv' shows the upstreams",
                "-v": "'settings branch' also shows the last version of each branch",
            ],
            "clone": ["--depth": "'git clone --depth N URL' makes a shallow clone, and 'settings setup' in it sets up merging"],
            "diff": [
                "--cached": staged, "--staged": staged,
                "--name-only": difference, "--name-status": difference, "--numstat": difference, "--stat": difference,
            ],
            "done": [
                "-a": everything, "--all": everything, "--amend": amend, "-p": patch, "--patch": patch,
            ],
            "history": [
                "--grep": search, "-G": search, "-S": search,
                "--follow": "'settings history KEY' follows renames without an option",
                "--format": "--oneline prints one line for each version, and --json prints everything",
                "--pretty": "--oneline prints one line for each version, and --json prints everything",
                "--name-only": counts, "--name-status": counts, "--numstat": counts, "--stat": counts,
            ],
            "init": [
                "--bare": "'git init --bare' creates a bare repository, and 'settings push URL' sends versions to it",
                "-b": "'git init -b NAME' creates the repository, and then 'settings init' the store in it",
                "--initial-branch": "'git init -b NAME' creates the repository, and then 'settings init' the store in it",
            ],
            "merge": [
                "--abort": "nothing is merged if 'settings merge' fails; 'git merge --abort' aborts a merge that git began",
                "--continue": "'settings resolve KEY' resolves a conflict, and 'git commit' completes a merge that git began",
                "--ff-only": "'git merge --ff-only' merges only by a fast-forward",
                "--no-commit": "--dry-run shows what would be merged",
                "--squash": "'git merge --squash BRANCH' and then 'git commit' record the changes of a branch as one version",
                "-X": "--ours and --theirs resolve conflicts with one side",
            ],
            "pull": [
                "--all": "'settings sync --all' exchanges versions with every remote",
                "--allow-unrelated-histories":
                    "after 'settings pull', 'settings merge REMOTE/BRANCH --allow-unrelated-histories' merges what it fetched",
                "--ff-only": "'git pull --ff-only' merges only by a fast-forward",
                "-r": "'settings pull' merges by meaning, and 'git pull --rebase' rebases your versions",
                "--rebase": "'settings pull' merges by meaning, and 'git pull --rebase' rebases your versions",
            ],
            "push": [
                "--all": "'settings push' sends the current branch, and 'git push --all' every branch",
                "-d": "'git push --delete REMOTE BRANCH' deletes a branch of a remote",
                "--delete": "'git push --delete REMOTE BRANCH' deletes a branch of a remote",
                "-f": force, "--force": force, "--force-with-lease": force,
                "--set-upstream": "'git push -u REMOTE BRANCH' also sets the upstream",
                "--tags": "'settings push' also sends the tags that 'settings tag' created, and 'git push --tags' all tags",
                "-u": "'git push -u REMOTE BRANCH' also sets the upstream",
            ],
            "remote": [
                "get-url": addresses, "show": addresses, "-v": addresses, "--verbose": addresses,
                "set-url": "'git remote set-url NAME URL' changes the address of a remote",
                "update": "'settings pull REMOTE' fetches and merges the versions of a remote",
            ],
            "reset": ["--hard": reset, "--keep": reset, "--mixed": reset, "--soft": reset],
            "restore": ["-S": unstage, "-s": source, "--source": source, "--staged": unstage],
            "revert": ["--no-commit": "--dry-run shows what would be reverted"],
            "show": ["--name-only": version, "--name-status": version, "--numstat": version, "--stat": version],
            "status": ["--porcelain": short, "-s": short, "-sb": short, "--short": short],
            "switch": [
                "-b": "'settings switch -c NAME' creates a branch and checks it out",
                "-C": "'git branch -f NAME VERSION' moves a branch, and then 'settings switch NAME' checks it out",
                "-d": "'settings list --at VERSION' lists the options then, and 'git switch --detach VERSION' checks it out",
                "--detach":
                    "'settings list --at VERSION' lists the options then, and 'git switch --detach VERSION' checks it out",
                "--discard-changes": "'settings discard' drops unrecorded edits; they can be restored for 30 days",
                "-f": "'settings discard' drops unrecorded edits; they can be restored for 30 days",
                "--orphan": "'git switch --orphan NAME' starts an empty branch, and then 'settings init' creates a store on it",
            ],
            "tag": [
                "-a": "'settings tag NAME -m TEXT' creates an annotated tag", "-l": tags, "--list": tags,
                "-s": "'git tag -s NAME' creates a signed tag",
            ],
        ]
    }()
}
