/// Commands of git, jj, gsettings, chezmoi and similar programs that have another name here, and options of git.
enum ForeignCommands {
    /// What to type instead of each command.
    static let hints: [String: String] = {
        let branch = "'settings branch' lists and creates branches, and 'settings switch' checks one out"
        let checkout =
            "'settings switch BRANCH' checks out a branch, and 'settings restore KEY --from WHEN' restores an option"
        let files = "'settings list' lists the options, and 'git ls-files' the files"
        let history = "'settings history --search TEXT' searches the history, and 'settings list' lists the options"
        let label = "'settings label add KEY LABEL' adds a label"
        let move = "'settings rename OLD NEW' renames an option or a group"
        let options = "'settings list' lists the options with their values"
        let operations = "'settings history' lists the versions, and 'settings undo' reverts your latest one"
        let remove = "'settings remove KEY' removes an option or a group"
        let value = "'settings get KEY' prints a value, and 'settings show KEY' all of an option"
        let verify = "'settings verify' checks the files and the history"
        let versions = "'settings history' lists the versions"
        let worktree = "'git worktree add' adds another working tree, and 'settings --store PATH' names the store in it"
        return [
            "abandon": "'settings discard' drops unrecorded edits, and 'settings revert VERSION' reverts a version",
            "add-label": label, "addlabel": label,
            "annotate": "'settings blame KEY' shows who set the value, when and why",
            "apply": "'settings import FILE' imports settings from a file, and 'settings pull' fetches and merges new versions",
            "archive":
                "'settings export' writes settings to a file, 'settings bundle FILE' the history, and 'git archive' the store's "
                + "files",
            "bookmark": branch, "br": branch,
            "cat": value,
            "cat-file": "'settings get KEY --at VERSION' prints the value that an option had in a version",
            "check": verify, "fsck": verify, "lint": verify, "validate": verify,
            "checkout": checkout, "co": checkout,
            "cherry-pick": "'settings restore KEY --from VERSION' takes over the value that an option had in a version",
            "ci": "'settings done' records edits to the files",
            "completion": "'settings --generate-completion-script bash' prints the script for bash; zsh and fish work too",
            "completions": "'settings --generate-completion-script bash' prints the script for bash; zsh and fish work too",
            "config":
                "'git config' sets what is read from git's configuration, such as user.name, and 'settings doctor' reports what "
                + "is set up",
            "create": "'settings add KEY' adds an option, and 'settings init' creates a store",
            "delete": remove, "del": remove,
            "describe": "'settings show KEY' shows an option in full",
            "difftool": "'settings diff' shows what changed, in sentences, and 'git difftool' compares the files",
            "dump": "'settings list --json' prints all options, and 'settings export' another program's format",
            "fetch": "'settings pull' fetches new versions and merges them",
            "evolog": versions,
            "find": history, "grep": history, "search": history,
            "format-patch": "'settings bundle FILE' writes versions to a file that 'settings pull FILE' reads",
            "gc": "'settings maintain' packs the store and cleans it up",
            "list-keys": options, "list-recursively": options,
            "load": "'settings import FILE' imports settings from another program's file",
            "ls-files": files, "ls-tree": files,
            "ls-remote": "'settings remote' lists the remotes and what differs from them",
            "mergetool": "'settings conflicts' lists the open conflicts, and 'settings resolve KEY' resolves one",
            "monitor": "'settings watch' reports versions as they are recorded",
            "move": move,
            "new": "'settings add KEY' adds an option, and 'settings init' creates a store",
            "notes": "'settings history' shows the reasons of versions (-m), and 'git notes' adds other notes to them",
            "op": operations, "operation": operations,
            "range": "'settings show KEY' lists the possible values of an option",
            "read": value,
            "rebase": "'settings pull' fetches new versions and merges them; versions are never rewritten",
            "reflog": versions,
            "rev-list": versions,
            "rev-parse": "'settings show VERSION' shows the version that a name or a time stands for, with its id",
            "rollback":
                "'settings undo' reverts your latest version, 'settings revert VERSION' any version, and "
                + "'settings restore KEY --from WHEN' restores an option",
            "save": "'settings done' records edits to the files",
            "shortlog": "'settings history --author NAME' lists somebody's versions, and 'git shortlog' lists them by author",
            "squash": "'settings done' records all edits as one version, and 'git rebase -i' squashes versions not yet pushed",
            "st": "'settings status' lists unrecorded edits",
            "stash": "'settings discard' drops unrecorded edits, and 'settings discard --undo' restores them within 30 days",
            "submodule": "'git submodule add' adds a repository, and 'settings --store PATH' names the store in it",
            "toggle": "'settings set KEY toggle' switches an option on or off",
            "update": "'settings pull' fetches new versions and merges them",
            "whatchanged": "'settings history' lists the versions with their changes",
            "worktree": worktree, "workspace": worktree,
            "write": "'settings set KEY VALUE' sets a value",
        ]
    }()
}
