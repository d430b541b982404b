/// Commands of git, gsettings, chezmoi and similar programs that have another name here.
enum ForeignCommands {
    /// What to type instead of each.
    static let hints: [String: String] = {
        let history = "'settings history --search TEXT' searches the history, and 'settings list' lists the options"
        let label = "'settings label add KEY LABEL' adds a label"
        let move = "'settings rename OLD NEW' renames an option or a group"
        let options = "'settings list' lists the options with their values"
        let remove = "'settings remove KEY' removes an option or a group"
        let value = "'settings get KEY' prints a value, and 'settings show KEY' all of an option"
        let verify = "'settings verify' checks the files and the history"
        return [
            "add-label": label, "addlabel": label,
            "annotate": "'settings blame KEY' shows who set the value, when and why",
            "apply": "'settings import FILE' imports settings from a file, and 'settings pull' fetches and merges new versions",
            "cat": value,
            "check": verify, "fsck": verify, "lint": verify, "validate": verify,
            "checkout":
                "'settings switch BRANCH' checks out a branch, and 'settings restore KEY --from WHEN' restores an option",
            "cherry-pick": "'settings restore KEY --from VERSION' takes over the value that an option had in a version",
            "completion": "'settings --generate-completion-script bash' prints the script for bash; zsh and fish work too",
            "completions": "'settings --generate-completion-script bash' prints the script for bash; zsh and fish work too",
            "config":
                "'git config' sets what is read from git's configuration, such as user.name, and 'settings doctor' reports what "
                + "is set up",
            "create": "'settings add KEY' adds an option, and 'settings init' creates a store",
            "delete": remove, "del": remove,
            "describe": "'settings show KEY' shows an option in full",
            "dump": "'settings list --json' prints all options, and 'settings export' another program's format",
            "fetch": "'settings pull' fetches new versions and merges them",
            "find": history, "grep": history, "search": history,
            "gc": "'settings maintain' packs the store and cleans it up",
            "list-keys": options, "list-recursively": options,
            "load": "'settings import FILE' imports settings from another program's file",
            "monitor": "'settings watch' reports versions as they are recorded",
            "move": move,
            "new": "'settings add KEY' adds an option, and 'settings init' creates a store",
            "range": "'settings show KEY' lists the possible values of an option",
            "read": value,
            "rebase": "'settings pull' fetches new versions and merges them; versions are never rewritten",
            "reflog": "'settings history' lists the versions",
            "rollback":
                "'settings undo' reverts your latest version, 'settings revert VERSION' any version, and "
                + "'settings restore KEY --from WHEN' restores an option",
            "save": "'settings done' records edits of the files",
            "stash": "'settings discard' drops unrecorded edits, and 'settings discard --undo' restores them within 30 days",
            "toggle": "'settings set KEY toggle' switches an option on or off",
            "update": "'settings pull' fetches new versions and merges them",
            "whatchanged": "'settings history' lists the versions with their changes",
            "write": "'settings set KEY VALUE' sets a value",
        ]
    }()
}
