import SettingsModel

// Files and the repository that they lie in.

extension CommandLineHints {
    static func explanation(of problem: FileProblem) -> Explanation {
        switch problem {
        case .unreadable(let fault, let path, let version):
            let place = fault.position.map { ":\($0.line):\($0.column)" } ?? ""
            let origin = version.map { " (in version \($0.short))" } ?? ""
            return Explanation("\(path)\(origin)\(place): \(fault.reason)", hint: hint(for: fault))
        case .failed(let failure) where failure.operation == SystemFailure.makingTemporary:
            return Explanation(words(failure), hint: "set TMPDIR to a folder that exists and that you may write to")
        case .failed(let failure) where failure.isExhausted, .notWritable(let failure) where failure.isExhausted:
            return Explanation(words(failure), hint: freesResources)
        case .failed(let failure) where failure.isForbidden:
            return Explanation(words(failure), hint: "'ls -ld \(failure.path.shellWord)' shows its permissions")
        case .failed(let failure), .inTheWay(let failure): return Explanation(words(failure))
        case .notWritable(let failure): return Explanation(words(failure), hint: hint(forWriting: failure))
        case .isStray(let stray) where stray.kind == .linkedGroup:
            return Explanation("\(stray.path) is a symbolic link, and links are not followed", hint: hint(for: stray.kind))
        case .isStray(let stray):
            return Explanation("\(stray.path): \(words(stray.kind))", hint: hint(for: stray.kind))
        case .cannotDiscard(let stray):
            return Explanation(
                "cannot discard \(stray.path): \(words(stray.kind))", hint: hint(for: stray.kind))
        case .cannotRestore(let path):
            return Explanation(
                "cannot restore \(path): it is not a regular file in the last version", hint: "'git restore' restores it")
        case .isLink(let path):
            return Explanation("\(path) is a symbolic link, and links are not followed", hint: "replace it with a regular file")
        case .isNotRegular(let path): return Explanation("\(path) is not a regular file", hint: "rename or remove it")
        case .isNotRegularIn(let path, let version):
            return Explanation("\(path) is not a regular file in \(version?.short ?? "that version")")
        case .isTooLarge(let path):
            return Explanation("\(path) is larger than 1 MiB", hint: "the limit for an option's file is 1 MiB")
        case .bringsTooLarge(let path):
            return Explanation(
                "\(path) is larger than 1 MiB; nothing was changed", hint: "the limit for an option's file is 1 MiB")
        case .isTooLargeToKeep(let path):
            return Explanation("\(path) is larger than 16 MiB, so no copy of it can be kept", hint: "move it away by hand")
        case .isOfOtherProgram(let path):
            return Explanation(
                "\(path.visible) exists, but is not an option: it has neither a title nor a type", hint: "choose another key")
        case .isInPlaceOfFolder(let path):
            return Explanation("\(path) is a file, but a folder is needed there", hint: "move it away, then try again")
        case .unknownIgnores(let file, let reason):
            return Explanation("cannot read \(file): \(reason)", hint: "without it, the files that git ignores are unknown")
        case .noMergeInput(let path):
            return Explanation("'\(path)' does not exist", hint: "git runs the merge driver; see 'settings setup'")
        case .isNoStore(let path):
            return Explanation("\(path) is not a store: it has no _store.json", hint: "'settings init' creates one")
        case .storeFileIsMissing(let store, let root, let file, .leftOut(let byFolder)):
            return Explanation(
                "the sparse checkout in \(root) leaves out the _store.json of the store in \(store)",
                hint: "'git -C \(root.shellWord) sparse-checkout add \(sparsePlace(of: file, byFolder))' checks it out")
        case .storeFileIsMissing(let store, let root, let file, let place):
            let command = place == .inIndex ? "restore" : "checkout HEAD --"
            return Explanation(
                "the _store.json of the store in \(store) was deleted",
                hint: "'git -C \(root.shellWord) \(command) \(file.shellWord)' brings it back")
        case .storeInStore(let path, let around):
            return Explanation(
                "\(path) is inside the store \(around)", hint: "add groups to that store, or create one elsewhere")
        case .ownFolderIsLink(let path):
            return Explanation("\(path) is not a folder, so nothing is written there", hint: "remove it")
        case .isWaitedFor(let path):
            return Explanation(
                "\(path) is not a regular file, and git would wait for it forever",
                hint: "remove it; 'settings verify --deep' then reports what is missing")
        case .isInPlaceOfCopy(let path):
            return Explanation(
                "the command replaced its temporary copy \(path) with something else, which is left alone",
                hint: "change the files in $SETTINGS_STORE, not the folder itself")
        }
    }

    /// The words that name a file to `git sparse-checkout add`: a folder, which git takes for a pattern by mistake where it has
    /// the characters of one, or a pattern.
    private static func sparsePlace(of file: String, _ byFolder: Bool) -> String {
        guard byFolder else { return ("/" + file.flatMap { "*?[]\\".contains($0) ? "\\\($0)" : "\($0)" }).shellWord }
        let folder = String(file.dropLast("/_store.json".count))
        let isPlain = !folder.contains { "*?[]\\!#".contains($0) }
        return (isPlain ? "" : "--skip-checks ") + (folder.hasPrefix("-") ? "-- " : "") + folder.shellWord
    }

    static let fetchesEveryObject = "'git fetch --refetch --no-filter' fetches every object"

    static func words(_ kind: Stray.Kind) -> String {
        switch kind {
        case .folder: "it is a folder where an option's file would be"
        case .link, .linkedGroup: "it is a symbolic link, and links are not followed"
        case .notRegular: "it is not a regular file"
        case .name(let name): "'\(name)' is not a valid name for an option"
        }
    }

    static func hint(for kind: Stray.Kind) -> String {
        guard case .linkedGroup = kind else { return "rename or remove it" }
        return "replace it with the folder that it points to, or move it out of the store"
    }

    private static func words(_ failure: SystemFailure) -> String {
        "cannot \(failure.operation) \(failure.path): \(failure.reason)"
    }

    private static func hint(forWriting failure: SystemFailure) -> String? {
        if failure.isReadOnly { return "the file system is read-only" }
        if failure.isForbidden { return "you may not write there; \(asksOwner)" }
        return failure.isFull ? "the disk is full" : nil
    }

    private static let freesResources = "try again when fewer programs are running, or raise a limit that 'ulimit -a' shows"
    private static let asksOwner = "ask its owner, or use a clone of your own"

    private static func hint(for fault: BadFile) -> String? {
        switch fault.cause {
        case .isEmpty: "restore it with 'settings discard', or write it again"
        case .hasConflictMarkers:
            [fault.hint, "during a merge, 'settings resolve KEY' does this"].compactMap { $0 }.joined(separator: "; ")
        case .isNoOption, nil: fault.hint
        }
    }

    static func explanation(of problem: RepositoryProblem) -> Explanation {
        switch problem {
        case .isInNone(let folder):
            Explanation(
                "\(folder) is not in a git repository, so it has no history",
                hint: "'settings init \(folder.shellWord)' creates one")
        case .belongsToOther(let root, let reason):
            Explanation(
                "\(root) is owned by another user: \(reason)",
                hint: "if you trust it: git config --global --add safe.directory \(root.shellWord)")
        case .unreadableConfiguration(let reason, let isOfEnvironment):
            Explanation(
                "cannot read git's configuration: \(reason)",
                hint: isOfEnvironment
                    ? "correct or unset the environment variables whose names begin with GIT_CONFIG"
                    : "correct it in a text editor; 'git config --list --show-origin' names the file of each value")
        case .usesSHA256(let root):
            Explanation(
                "\(root) is a SHA-256 repository, which settings cannot read yet",
                hint: "'git init' without --object-format creates a SHA-1 repository")
        case .cannotOpen(let root, let reason): Explanation("cannot open \(root) as a git repository: \(reason)")
        case .cannotOpenDamaged(let root, let reason):
            Explanation(
                "cannot open \(root) as a git repository: \(reason)", hint: "try again; 'settings verify' checks for damage")
        case .cannotRead(let root, let reason):
            Explanation("cannot read \(root)/.git: \(reason)", hint: "ask its owner for access")
        case .isNone(let root, let reason, let repair):
            Explanation(
                "\(root) can't be opened as a git repository: \(reason)",
                hint: repair.map { "in \(root), \(FindingWords.words($0))" })
        case .isBare(let root):
            Explanation("\(root) is a bare repository and has no files", hint: "clone it and use the clone")
        case .bareHoldsNoStore(let root):
            Explanation(
                "there is no store in the last version of \(root), a bare repository",
                hint: "HEAD names the branch to read; 'git symbolic-ref HEAD refs/heads/BRANCH' selects another one")
        case .workTreeElsewhere(let root, let workTree):
            Explanation(
                "core.worktree in the configuration of \(root) points elsewhere, to \(workTree)",
                hint: "remove core.worktree from git's configuration")
        case .isOutside(let folder, let workTree): Explanation("\(folder) is outside the work tree \(workTree)")
        case .severalStores(let stores, let root):
            Explanation(
                "there are several stores in \(root): \(some(of: stores))",
                hint: "--store PATH names one, and 'git config settings.store \(stores[0])' makes it the default here")
        case .configuredStoreIsOutside(let value, let root):
            Explanation(
                "settings.store in the configuration of \(root) is '\(value)', which is outside the repository",
                hint: "a store elsewhere can be named with --store, $SETTINGS_STORE or 'git config --global settings.store'")
        case .configuredStoreIsMissing(let value, let path):
            Explanation(
                "settings.store in git's configuration is '\(value)', but there is no store in \(path)",
                hint: "'git config --show-origin settings.store' shows where it is set; --store PATH names another store")
        case .isGone(let folder): Explanation("the store in \(folder) was removed")
        case .isInUse(let reason):
            Explanation(
                "another process is writing here, or has left a lock: \(reason)",
                hint: "try again; if 'pgrep -a git' lists no process that uses this repository, remove the lock file by hand")
        case .objectIsMissing(let reason):
            Explanation(
                reason, hint: "'git fsck' lists what is missing; from a remote that has it, \(fetchesEveryObject)")
        case .objectIsTooLarge(let reason):
            Explanation(reason, hint: "this is too large for a store; use git to inspect it")
        case .objectIsPromised(let reason):
            Explanation(reason, hint: fetchesEveryObject)
        case .isCorrupt(let reason): Explanation(reason, hint: "'git fsck' lists the damage")
        case .indexIsDamaged(let path, let reason):
            Explanation("\(path) is damaged: \(reason)", hint: rebuilding(index: path))
        case .headIsDamaged(let reason):
            Explanation(reason, hint: "'settings verify --deep' reports the command that restores it")
        case .isBeingRepacked(let reason): Explanation(reason, hint: "git is repacking this repository; try again")
        case .isOutOfResources(let reason): Explanation(reason, hint: freesResources)
        case .isDenied(let reason): Explanation(reason, hint: "you may not access it; \(asksOwner)")
        case .isFull(let reason): Explanation(reason, hint: "free some space and try again")
        case .notFound(let reason), .failed(let reason): Explanation(reason)
        case .branchIsLost(let branch, let last):
            Explanation(
                "the branch \(short(branch)) is missing, although its reflog ends at \(last.short)",
                hint: "'git update-ref \(branch) \(last)' restores it; 'settings verify --deep' checks for further damage")
        case .unknownIndex(let name): explanation(ofIndex: name)
        case .isInTheMiddle(let operation):
            Explanation(inProgress(operation), hint: ends(of: operation).map { $0 + chooses(in: operation) })
        case .hasNoMessage:
            Explanation(
                "cannot add a reason, a requester or a ticket: git has no pending commit message",
                hint: "leave out -m, --requested-by and --ticket, and give them when you commit with git")
        case .convertsFile(let path, let attribute):
            Explanation(
                "git converts \(path.visible) because of its attribute \(attribute.visible), but settings would record it unconverted",
                hint:
                    "the line '*.json -\(attribute.prefix { $0 != "=" })' in .gitattributes exempts a store's files; 'git commit' records "
                    + "them converted")
        case .attributesWithoutDriver(let file, let line):
            Explanation(
                "\(file) does not name the merge driver",
                hint: "add the line '\(line)' to it and commit it with git")
        case .driverIsForeign(let file, let key, let value):
            Explanation(
                "\(key) in \(file) is '\(value.visible)', which settings did not write",
                hint:
                    "'git config --show-origin --get-all \(key)' shows which file sets it; remove it there if it is not needed"
            )
        case .noteIsOfLaterVersion(let path):
            Explanation("a newer version of settings left unfinished work here, noted in \(path)", hint: "use a newer 'settings'")
        case .isBeingMaintained:
            Explanation(
                "another process is maintaining this store",
                hint: "wait for it to finish; 'settings doctor' shows the state")
        case .gitFailed(let words, let directory, let reason):
            Explanation(
                "git \(words[0]) failed in \(directory)\(reason.map { ": " + $0 } ?? "")",
                hint: "nothing is lost; 'git --git-dir=\(directory) \(words.joined(separator: " "))' shows why")
        case .gitWasStopped(let words, let directory):
            Explanation("git \(words[0]) could not be started or was stopped, in \(directory)", hint: "try again")
        }
    }

    /// How an index of git's is made again.
    static func rebuilding(index path: String) -> String {
        if path.hasSuffix(".pack") {
            return "its objects may still be in another clone: move it and its .idx file away, then "
                + "'git fetch --refetch --no-filter' fetches every object"
        }
        guard path.hasSuffix(".idx") else {
            let again = path.hasSuffix("commit-graph") ? "'settings maintain'" : "'git multi-pack-index write'"
            return "it only makes git faster: remove it, and \(again) rebuilds it"
        }
        let pack = String(path.dropLast(4)) + ".pack"
        return
            "'rm -f \(path.shellWord)' and 'git index-pack \(pack.shellWord)' rebuild it; if that fails, the pack is damaged, too"
    }

    /// What git is in the middle of.
    package static func inProgress(_ operation: String) -> String {
        "\(operation == "am" ? "an am session" : "a \(operation)") is in progress in this repository"
    }

    /// How it ends. Nil for a bisect, in which versions are recorded as ever.
    package static func ends(of operation: String) -> String? {
        if operation == "bisect" { return nil }
        return "finish it with 'git \(operation == "merge" ? "commit" : "\(operation) --continue")', or abort it with "
            + "'git \(operation) --abort'"
    }

    private static func chooses(in operation: String) -> String {
        operation == "am" ? "" : "; until then, 'settings resolve KEY VALUE' chooses a value in it"
    }

    private static func explanation(ofIndex name: String) -> Explanation {
        switch name {
        case "link":
            Explanation(
                "git's index is split, which only git can read",
                hint: "run 'git config core.splitIndex false' and 'git update-index --no-split-index'")
        case "sdir":
            Explanation(
                "git's index is sparse, which only git can read",
                hint: "run 'git sparse-checkout reapply --no-sparse-index'")
        default:
            Explanation(
                "git's index has the extension '\(name)', which only git can read",
                hint: "run 'rm -f .git/index' and 'git reset', then stage your changes again")
        }
    }

    private static func short(_ branch: String) -> String {
        branch.hasPrefix("refs/heads/") ? String(branch.dropFirst(11)) : branch
    }
}
