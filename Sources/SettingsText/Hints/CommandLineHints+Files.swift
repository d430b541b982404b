import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Files and the repository that they lie in.

extension CommandLineHints {
    static func explanation(of problem: FileProblem) -> Explanation {
        switch problem {
        case .unreadable(let fault, let path, let version):
            let place = fault.position.map { ":\($0.line):\($0.column)" } ?? ""
            let origin = version.map { " (in version \($0.short))" } ?? ""
            return Explanation("\(path)\(origin)\(place): \(fault.reason)", hint: hint(for: fault))
        case .failed(let failure), .inTheWay(let failure): return Explanation(words(failure))
        case .notWritable(let failure): return Explanation(words(failure), hint: hint(forWriting: failure.code))
        case .isStray(let stray): return Explanation("\(stray.path): \(words(stray.kind))")
        case .isLink(let path):
            return Explanation("\(path) is a symbolic link, which a store never follows", hint: "put the file itself there")
        case .isNotRegular(let path): return Explanation("\(path) is no regular file")
        case .isNotRegularIn(let path, let version):
            return Explanation("\(path) is no regular file in \(version?.short ?? "that version")")
        case .isTooLarge(let path): return Explanation("\(path) is larger than 1 MiB", hint: "an option's file is small")
        case .bringsTooLarge(let path): return Explanation("\(path) is larger than 1 MiB", hint: "nothing was changed")
        case .isTooLargeToKeep(let path):
            return Explanation("\(path) is larger than 16 MiB, so it can't be kept aside", hint: "move it away by hand")
        case .isInPlaceOfFolder(let path):
            return Explanation("\(path) is a file, and a folder is needed there", hint: "move it away, then try again")
        case .unknownIgnores(let file, let reason):
            return Explanation("cannot read \(file): \(reason)", hint: "without it nobody knows which files git ignores")
        case .noMergeInput(let path):
            return Explanation("there is no file \(path)", hint: "git runs the merge driver; see 'settings setup'")
        case .isNoStore(let path):
            return Explanation("\(path) is no store: it has no _store.json", hint: "'settings init' makes one")
        case .storeInStore(let path, let around):
            return Explanation(
                "\(path) lies in the store \(around)", hint: "add groups to that one, or make a store elsewhere")
        case .ownFolderIsLink(let path):
            return Explanation("\(path) is a symbolic link or no folder, and nothing is written there", hint: "remove it")
        case .isWaitedFor(let path):
            return Explanation(
                "\(path) is no file, and git would wait for it for ever",
                hint: "remove it; 'settings verify --deep' says what is missing then")
        }
    }

    static func words(_ kind: Stray.Kind) -> String {
        switch kind {
        case .folder: "it is a folder, where the file of an option would be"
        case .link: "it is a symbolic link, which a store never follows"
        case .notRegular: "it is no regular file, which a store never follows"
        case .name(let name): "'\(name)' can't be the name of an option"
        }
    }

    private static func words(_ failure: SystemFailure) -> String {
        "cannot \(failure.operation) \(failure.path): \(String(cString: strerror(failure.code)))"
    }

    private static func hint(forWriting code: Int32) -> String? {
        switch code {
        case EROFS: "the file system is read-only"
        case EACCES, EPERM: "you may not write there; ask its owner, or use a clone of your own"
        case ENOSPC, EDQUOT: "the disk is full"
        default: nil
        }
    }

    private static func hint(for fault: BadFile) -> String? {
        switch fault.cause {
        case .isEmpty: "take it back with 'settings discard', or write the option anew"
        case .hasConflictMarkers:
            [fault.hint, "'settings resolve KEY' does it in the middle of a merge"].compactMap { $0 }.joined(separator: "; ")
        case nil: fault.hint
        }
    }

    static func explanation(of problem: RepositoryProblem) -> Explanation {
        switch problem {
        case .isInNone(let folder):
            Explanation(
                "\(folder) is in no git repository, so it has no versions", hint: "'settings init \(folder)' makes it one")
        case .belongsToOther(let root, let reason):
            Explanation(
                "\(root) belongs to somebody else (\(reason))",
                hint: "if you trust it: git config --global --add safe.directory \(root)")
        case .unreadableConfiguration(let reason): Explanation("cannot read git's configuration: \(reason)")
        case .cannotOpen(let root, let reason): Explanation("cannot open \(root) as a git repository: \(reason)")
        case .cannotOpenDamaged(let root, let reason):
            Explanation(
                "cannot open \(root) as a git repository: \(reason)", hint: "try again; 'settings verify' looks for damage")
        case .cannotRead(let root, let reason): Explanation("cannot read \(root)/.git: \(reason)", hint: "ask its owner")
        case .isNone(let root, let reason): Explanation("\(root) can't be opened as a git repository: \(reason)")
        case .isBare(let root):
            Explanation("\(root) is a bare repository, which has no files", hint: "use a clone of it")
        case .workTreeElsewhere(let root, let workTree):
            Explanation(
                "git's configuration in \(root) puts the work tree elsewhere, into \(workTree)",
                hint: "remove core.worktree from it")
        case .isOutside(let folder, let workTree): Explanation("\(folder) is not in the work tree of \(workTree)")
        case .isInUse(let reason):
            Explanation(
                "the repository is in use: \(reason)",
                hint: "try again; a lock left by a dead program must be removed by hand")
        case .objectIsMissing(let reason): Explanation(reason, hint: "'git fsck' tells what is missing")
        case .objectIsTooLarge(let reason):
            Explanation(reason, hint: "that is too large for a store; plain git can look at it")
        case .objectIsPromised(let reason):
            Explanation(reason, hint: "'git fetch --refetch --no-filter' brings everything here")
        case .isCorrupt(let reason): Explanation(reason, hint: "'git fsck' tells what is damaged")
        case .notFound(let reason), .failed(let reason): Explanation(reason)
        case .branchIsLost(let branch, let last):
            Explanation(
                "the branch \(short(branch)) is gone, though its log has it at \(last.short)",
                hint: "'git update-ref \(branch) \(last)' puts it back; 'settings verify --deep' tells whether more is missing")
        case .unknownIndex(let name): explanation(ofIndex: name)
        case .isInTheMiddle(let operation):
            Explanation(
                "git is in the middle of a \(operation) in this repository",
                hint: "finish it with 'git \(operation == "merge" ? "commit" : "\(operation) --continue")' or drop it with "
                    + "'git \(operation) --abort'")
        case .hasNoMessage:
            Explanation(
                "git has no message ready that -m, --requested-by and --ticket could be added to",
                hint: "leave them out here, and say them when you commit with git")
        case .attributesWithoutDriver(let file, let line):
            Explanation(
                "\(file) is there and doesn't name the merge driver",
                hint: "add the line '\(line)' to it and commit it with git")
        }
    }

    private static func explanation(ofIndex name: String) -> Explanation {
        switch name {
        case "link":
            Explanation(
                "git's index is split into two files, which only git can read",
                hint: "'git config core.splitIndex false' and 'git update-index --no-split-index' make it one")
        case "sdir":
            Explanation(
                "git's index is sparse, which only git can read",
                hint: "'git sparse-checkout reapply --no-sparse-index' makes it list every file")
        default:
            Explanation(
                "git's index has the extension '\(name)', which only git can read",
                hint: "'rm -f .git/index' and 'git reset' make it anew; what was staged has to be staged again")
        }
    }

    private static func short(_ branch: String) -> String {
        branch.hasPrefix("refs/heads/") ? String(branch.dropFirst(11)) : branch
    }
}
