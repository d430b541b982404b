package import SettingsModel

// Files that are kept in step with options.

extension CommandLineHints {
    static func explanation(of problem: TrackingProblem) -> Explanation {
        switch problem {
        case .several(let problems):
            Explanation(
                "found \(problems.count) problems with tracked files", hint: problems.first.flatMap { explanation(of: $0).hint },
                details: problems.flatMap { explanation(of: $0).reasons })
        case .isNotFollowed(let fault):
            Explanation(
                "\(Subject.store.path): \"files\" \(fault.reason)",
                hint: fault.reasonOfFile == nil
                    ? "correct it, or drop the entry"
                    : "'settings untrack \(fault.name.shellWord)' drops the entry, or correct it in the file")
        case .cannotTrack(let path, let reason): Explanation("\(path) can't be tracked: it \(reason)")
        case .hasNoFormats(let path):
            Explanation(
                "\(path) is tracked, but this program can't write it, so nothing was recorded",
                hint: "record the change with 'settings'")
        case .refused(let path, let refusal, let file): explanation(of: refusal, about: path, file)
        case .isUnreadable(let path, let refusal):
            Explanation(
                explanation(of: refusal, about: path, nil).reason,
                hint: "correct it in the file, or restore the file with 'settings discard'")
        case .isReplaced(let path, let reason):
            Explanation(
                "\(path) \(reason)", hint: "remove it, then restore the file with 'settings discard'")
        case .holdsSecrets(let path, let keys, let group):
            Explanation(
                "\(names(keys)) in \(path) \(keys.count == 1 ? "looks like a secret" : "look like secrets"), but would be recorded",
                hint: group.map { group in
                    "'settings done KEY' records other options; 'settings track \(path.shellWord)"
                        + (group.isRoot ? "" : " --into \(group)") + " --with-secrets' records the file, and every clone gets it"
                } ?? "if git ignores the file, secrets stay in it; --with-secrets records them, and "
                    + "every clone gets them")
        case .isEdited(let path, []):
            Explanation(
                "\(path) has edits that are not recorded yet, and would be lost",
                hint: "'settings done' records them, and 'settings discard' drops them")
        case .isStaged(let path):
            Explanation(
                "\(path) is staged, but --staged does not record tracked files",
                hint: "'settings done' records all its edits, and 'settings done KEY' those of one option")
        case .isEdited(let path, let keys):
            Explanation(
                "\(names(keys)) \(keys.count == 1 ? "was" : "were") edited in \(path), and that edit is not recorded yet",
                hint: "'settings done \(keys.first?.description ?? "")' records it, 'settings discard "
                    + "\(keys.first?.description ?? "")' drops it")
        case .hasOthers(let path, let keys):
            Explanation(
                "\(path) has another value for \(names(keys)), from a commit that settings did not make",
                hint: "'settings done' records it, and 'settings export --overwrite' overwrites it with the store's value")
        case .isChangedSinceTracked(let path, let keys):
            Explanation(
                "\(path) has been changed since it was last tracked: its \(names(keys)) would be overwritten",
                hint: "'settings track \(path.shellWord)' tracks it as it is now")
        case .isStagedOtherwise(let path):
            Explanation(
                "git's index has a version of \(path) that differs from the last version and from the file",
                hint:
                    "'git add \(path.shellWord)' stages the file as it is, and 'git restore --staged \(path.shellWord)' unstages it"
            )
        case .isInConflict(let path):
            Explanation(
                "git could not merge \(path)",
                hint:
                    "'settings conflicts' lists the options in conflict, and resolving the last one merges the file; "
                    + "edit everything else in the file, then mark it as resolved with 'git add \(path.shellWord)'")
        case .differs(let path, let changes, let file):
            Explanation(
                "\(path) has values that differ from the store's: \(some(of: sentences(changes)))",
                hint: "'\(importing(file, from: path)) --overwrite' takes the file's values, '\(exporting(file, to: path)) "
                    + "--overwrite' writes the store's values; then track it")
        case .bothChanged(let path, let keys):
            Explanation(
                "\(names(keys)) changed in \(path) and in the store since they were last in step",
                hint:
                    "'settings import --overwrite' takes the file's values, and 'settings export --overwrite' writes the store's")
        case .bothSidesChanged(let path, let keys):
            Explanation(
                "both sides changed \(names(keys)) in \(path), at least one of them in a commit that settings did not make",
                hint: "record the file's changes with 'settings done' on that side first, or merge with --ours or --theirs")
        case .isAhead(let differences, let path):
            Explanation(
                "\(path) is ahead of the store \(since(differences))", hint: "'settings done' records it")
        case .isBehind(let differences, let path):
            Explanation(
                "the store is ahead of \(path) \(since(differences))", hint: "'settings export' writes it")
        case .isEditedTwice(let key, let path):
            Explanation(
                "\(key) was edited in its own file and, with another value, in \(path)",
                hint: "edit one of them back, then repeat the command")
        case .isNotTracked(let path):
            Explanation("\(path) is not tracked", hint: "'settings track' lists the files that are")
        case .isClaimedTwice(let key, let path, let other):
            Explanation(
                "\(key) is a member of \(path) and of \(other)",
                hint: "track one of them with --into GROUP")
        case .hasNoHome:
            Explanation(
                "neither XDG_CONFIG_HOME nor HOME is an absolute path, so nothing outside the work tree can be tracked",
                hint: "set HOME")
        case .isTracked(let path, let group):
            Explanation(
                "\(path) is already tracked, for \(group.isRoot ? "the whole store" : "the group \(group)")",
                hint: "'settings done' records its edits; to track it otherwise, 'settings untrack \(path.shellWord)' first")
        case .isMissing(let path, let file):
            Explanation(
                "\(path) does not exist",
                hint: "name an existing file"
                    + (file.map { ", or '\(exporting($0, to: path))' writes it from the options" } ?? ""))
        case .isNotInHistory(let path, true):
            Explanation(
                "\(path) is named by _store.json but not in the history", hint: "'settings track \(path.shellWord)' adds it")
        case .isNotInHistory(let path, false):
            Explanation(
                "\(path) is named by _store.json but does not exist, so changes of options are not written to it",
                hint:
                    "if it was renamed, track it with 'settings track NEW'; 'settings untrack \(path.shellWord)' drops the entry")
        case .isRemoved(let path):
            Explanation(
                "\(path) is missing",
                hint: "'settings export' writes it again; if it was renamed, run 'settings untrack \(path.shellWord)', "
                    + "then 'settings track NEW'")
        case .hasNoOptions(let path, let group):
            Explanation(
                "\(path) is tracked for \(group.isRoot ? "the store" : "the group \(group)"), which has none of its options",
                hint:
                    "if the group was renamed, run 'settings untrack \(path.shellWord)', then 'settings track \(path.shellWord) --into "
                    + "GROUP'; 'settings import' adds the options again")
        case .tracksNothing:
            Explanation("no file is tracked", hint: "'settings track FILE' keeps a file in step; or name the files")
        case .isUnfitting(let path, let key, let reason, let file, let isRecorded):
            Explanation(
                "\(path): \(key): \(reason)",
                hint: (isRecorded ? "'settings export --overwrite' restores the file" : "'settings discard \(key)' drops it")
                    + ", '\(importing(file, from: path)) --overwrite' imports it with its type")
        case .isOthers(let path):
            Explanation("another user may write \(path), so nothing is written there as root", hint: "change its owner or mode")
        }
    }

    private static func explanation(of refusal: Refusal, about path: String, _ file: TrackedFile?) -> Explanation {
        func named(_ refusal: Refusal) -> Refusal {
            var refusal = refusal
            if refusal.file != nil || !refusal.reason.contains(path) { refusal.file = path }
            refusal.others = refusal.others.map(named)
            return refusal
        }
        return explanation(of: named(refusal), rewriting: file.map { exporting($0, to: path) + " --rewrite" })
    }

    private static func names(_ keys: [Key]) -> String { some(of: keys.map(\.description)) }

    /// `since 3f2a91c (Bob): Port (server.port): 8080 → 9090`
    package static func since(_ differences: [TrackedState.Difference]) -> String {
        guard let first = differences.first else { return "" }
        return "since \(first.version.short) (\(first.author.name)): \(some(of: sentences(differences.map(\.change))))"
    }

    private static func sentences(_ changes: [Change]) -> [String] {
        changes.told.flatMap(\.lines).map { line in Wording().sentence(line, name: Phrases.name(line.title, line.subject)).plain }
    }

    /// The command that takes what a file has.
    private static func importing(_ file: TrackedFile, from path: String) -> String {
        let group = file.group.isRoot ? "" : " --into \(file.group)"
        return "settings import \(path.shellWord) --format \(file.format.rawValue)\(group)"
    }

    /// The command that writes options into a file.
    private static func exporting(_ file: TrackedFile, to path: String) -> String {
        let group = file.group.isRoot ? "" : " \(file.group)"
        return "settings export \(file.format.rawValue)\(group) -o \(path.shellWord)"
    }
}
